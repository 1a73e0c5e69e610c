"""Prediction-label pairs of tags (paper, section 4.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.systems.chains.forward_backward import Marginals

_MAX_MARGINAL_ERROR = 1e-12
"""Largest distance of a marginal beyond 0 or 1 that is rounding; a larger one is a mistake of the inference."""


def tag_pairs(marginals: Marginals, gold: np.ndarray, tags: Sequence[str], units: Sequence[str]) -> Pairs:
    """Return one pair per tag and token: the pairs of the first tag for every token, then those of the second, ….

    `gold`, (tokens,) int64, are codes of `tags`: the model's, and behind them others that occur, which have q = 0 for
    every token. `units` names the S sentences, `document/sentence`. Raises InputError if the numbers of
    tokens, tags or sentences disagree.
    """
    check_gold(marginals, gold, tags, units)
    tokens, known = marginals.single.shape
    q = np.zeros((len(tags), tokens))
    q[:known] = marginals.single.T
    sentence = np.repeat(np.arange(len(units)), marginals.lengths)
    return Pairs(
        q=clip_rounding(q.reshape(-1)),
        y=(np.arange(len(tags))[:, None] == gold).reshape(-1),
        predicted=Categories.of(np.repeat(np.arange(len(tags)), tokens), tags),
        unit=Categories.of(np.tile(sentence, len(tags)), units),
        document=Categories.of(np.tile(sentence, len(tags)), documents_of_sentences(units)),
    )


def documents_of_sentences(units: Sequence[str]) -> tuple[str, ...]:
    """Return the document of each sentence, which is all before the last `/` of its name, or the sentence itself.

    Where all would have one document, as in a file that marks none, each sentence stands for itself.
    """
    documents = tuple(unit.rpartition("/")[0] or unit for unit in units)
    return documents if len(set(documents)) > 1 else tuple(units)


def check_gold(marginals: Marginals, gold: np.ndarray, tags: Sequence[str], units: Sequence[str]) -> None:
    """Raise `InputError` if gold tags, names of tags or those of sentences do not fit the marginals."""
    tokens, known = marginals.single.shape
    if gold.shape != (tokens,):
        raise InputError(f"gold has shape {gold.shape}; the marginals expect ({tokens},)")
    if len(tags) < known:
        raise InputError(f"found {len(tags)} tags; the marginals are of {known}")
    if tokens and (gold.min() < 0 or gold.max() >= len(tags)):
        raise InputError(f"gold tags are from {gold.min()} to {gold.max()}; expected codes of {len(tags)} tags")
    if len(units) != len(marginals.lengths):
        raise InputError(f"found {len(units)} units; the marginals are of {len(marginals.lengths)} sentences")


def clip_rounding(q: np.ndarray) -> np.ndarray:
    """Clip away rounding errors, in place. More than rounding would be a mistake in the inference: ArithmeticError."""
    if q.size and not (q.min() >= -_MAX_MARGINAL_ERROR and q.max() <= 1 + _MAX_MARGINAL_ERROR):
        raise ArithmeticError(f"marginals are from {q.min()!r} to {q.max()!r}; expected probabilities")
    return np.clip(q, 0.0, 1.0, out=q)
