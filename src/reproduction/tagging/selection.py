"""Choosing a hyperparameter by accuracy on the development set (paper, section 4.2.1)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Selection:
    """The most accurate model of a grid."""

    chain: LinearChain
    """The chosen model; its metadata has its `dev_accuracy`."""
    value: float
    """The chosen hyperparameter."""
    candidates: tuple[tuple[float, float, int], ...]
    """Each hyperparameter with its model's accuracy and training sentences, in the order of the grid."""


class AccuracyRow(TypedDict):
    """A row of `write_tagger_selection`."""

    value: float
    accuracy: float
    sentences: int
    chosen: bool


def tagging_accuracy(chain: LinearChain, corpus: TaggedCorpus) -> float:
    """Return the fraction of tokens whose tag on the best path is the gold tag; InputError if there are no tokens."""
    if not len(corpus.tokens):
        raise InputError("accuracy of no tokens")
    _, gold = corpus.gold_in(chain.tags)
    return float(np.mean(chain.decode(corpus.tokens, corpus.lengths) == gold))


def select_tagger(candidates: Iterable[tuple[float, LinearChain]], dev: TaggedCorpus) -> Selection:
    """Return the best of `candidates`, models with their hyperparameters, by accuracy on `dev`.

    The largest of equally accurate values is chosen, the strongest regularisation for a pseudocount and for c2.
    Only the best model so far is kept in memory. Raises InputError if there are no candidates or no tokens.
    """
    best: tuple[float, float, LinearChain] | None = None
    tried = []
    for value, chain in candidates:
        score = tagging_accuracy(chain, dev)
        sentences = chain.metadata["sentences"]
        logger.info("%g: accuracy %.4f, trained on %d sentences", value, score, sentences)
        tried.append((float(value), score, sentences))
        if best is None or (score, value) > best[:2]:
            best = (score, value, chain)
    if best is None:
        raise InputError("found no models to choose from, expected at least one hyperparameter")
    score, value, chain = best
    grid = [each for each, *_ in tried]
    if len(grid) > 1 and value in (min(grid), max(grid)):
        logger.warning("%g was chosen at the edge of the grid: a wider one may hold a better value", value)
    return Selection(chain.with_metadata(dev_accuracy=score), float(value), tuple(tried))


def write_tagger_selection(path: str | Path, selection: Selection) -> None:
    """Write accuracies and training sentences of a grid as CSV, one row per hyperparameter, the chosen one marked."""
    rows = [
        AccuracyRow(value=value, accuracy=accuracy, sentences=sentences, chosen=value == selection.value)
        for value, accuracy, sentences in selection.candidates
    ]
    write_csv(path, rows)
