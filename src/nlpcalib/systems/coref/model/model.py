"""The antecedent model: a locally normalised log-linear distribution over the antecedents of each mention.

    P(a_i = j | x) = exp(s(i, j)) / (exp(s(i, NEW)) + Σ_{k < i} exp(s(i, k))),        j ∈ {1, …, i − 1, NEW},

independently for each mention i, given the document x (paper, section 5.1, after Durrett and Klein 2013). s(i, j) is
the score of the link from mention i to mention j, a sum of weights of features on the log scale
(`nlpcalib.systems.coref.model.weights`). NEW means that mention i begins an entity.

The card's `new_decay` b divides the probability of NEW by min(max(i, 50), 400)^b / 50^b. Doubts about the links of one
entity multiply along a long text as if they were independent, so that models expect too few pairs there; b mends it.

With the scores 1 and 0 for two antecedents, and 0 for NEW, the probabilities are .576, .212 and .212:

    >>> softmax_with_new(np.array([[1.0, 0.0]]), np.array([0.0])).round(3).tolist()
    [[0.576, 0.212]]
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from nlpcalib.systems.coref.model.attributes import MentionTable, selves_of_tellers
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.pair_templates import PairTemplates
from nlpcalib.systems.coref.model.posterior import softmax_with_new
from nlpcalib.systems.coref.model.quotations import with_tellers
from nlpcalib.systems.coref.model.templates import History, antecedent_features, current_features, feature_matrix
from nlpcalib.systems.coref.model.weights import PAIR_TEMPLATES, K, Weights, size_of

MODEL_FORMAT = 3
"""Version of the file format and of the templates; files of other versions are refused."""

NEW_DECAY_FROM, NEW_DECAY_TO = 50, 400
"""Mentions of a document between which its NEW decays: pairs of earlier ones need no decay, training has few later."""
_BLOCK_PAIRS = 1 << 16
"""Pairs scored at a time: few enough for their templates to stay in the cache."""


@dataclass(frozen=True)
class AntecedentModel:
    """A trained antecedent model."""

    current: Mapping[str, int]
    """Features of current mentions, numbered from 0."""
    antecedent: Mapping[str, int]
    """Features of antecedents, numbered from 0."""
    weights: Weights
    card: Mapping[str, Any]
    """The model card, as plain JSON: corpus, licence, seed, settings, scores."""

    def conditionals(self, table: MentionTable) -> np.ndarray:
        """Return A, float64 (N, N): A[i, j] is the probability that mention j is the antecedent of mention i.

        A is strictly lower triangular, and 0 where `systems.coref.model.constraints` excludes a link. A row sums to
        1 − P(a_i = NEW). Only A takes memory that grows with N².
        """
        scorer, size = Scorer(self, table), len(table)
        result = np.zeros((size, size))
        step = max(_BLOCK_PAIRS // max(size, 1), 1)
        for first in range(0, size, step):
            last = min(first + step, size)
            result[first:last, :last] = scorer.rows(first, last)
        return result

    @cached_property
    def of_pairs(self) -> dict[str, np.ndarray]:
        """The table E of each template, float64 (values · K²,), the same for all documents."""
        return {template: self.weights.of_pairs(template).ravel() for template in PAIR_TEMPLATES}

    def constraints(self, table: MentionTable) -> Constraints:
        """Return the constraints on a document's mentions, with those on people if the model's settings have them."""
        return Constraints(table, people=self.people_apart)

    def attributed(self, conditionals: Any, table: MentionTable) -> Any:
        """Return A with the tellers of quotations (`systems.coref.model.quotations`), if people are apart."""
        if not self.people_apart:
            return conditionals
        return with_tellers(conditionals, selves_of_tellers(table))

    @property
    def people_apart(self) -> bool:
        """Whether constraints on people and tellers are applied."""
        return bool(self.card.get("settings", {}).get("people_apart"))

    def save(self, path: str | Path) -> None:
        """Write the model as .npz, a JSON header and an array of float32; equal models give equal bytes."""
        header = {"format": MODEL_FORMAT, "current": list(self.current), "antecedent": list(self.antecedent)}
        text = json.dumps(header | {"card": self.card}, ensure_ascii=False, allow_nan=False)
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(
                file, model=np.frombuffer(text.encode(), np.uint8), weights=self.weights.vector.astype(np.float32)
            )


class Scorer:
    """The distributions of antecedents in one document, some mentions at a time."""

    def __init__(self, model: AntecedentModel, table: MentionTable) -> None:
        history, weights = History(table), model.weights
        features = feature_matrix(list(current_features(table, history)), model.current)
        self._table, self._history = table, history
        decay = float(model.card.get("new_decay", 0.0))
        self._new = weights.new(features) + np.log(new_decay_weights(history.numbers, decay))
        self._u = weights.of_current(features)
        self._v = weights.of_antecedent(feature_matrix(list(antecedent_features(table, history)), model.antecedent))
        self._weights, self._constraints = model.of_pairs, model.constraints

    @cached_property
    def _templates(self) -> PairTemplates:
        return PairTemplates(self._table, self._history, self._constraints(self._table))

    def rows(self, first: int, last: int) -> np.ndarray:
        """Return rows `first` to `last` of A, float64 (last − first, last)."""
        return self._distributions(self._templates, np.arange(last), first, self._templates.links(first, last))

    def block(self, chosen: np.ndarray, size: int, allowed: np.ndarray) -> np.ndarray:
        """Return A among `chosen` mentions, sorted, for the last `size` of them, float64 (size, chosen).

        `allowed`, of the same shape, states which links are allowed; each mention may begin an entity.
        """
        table = self._table.take(chosen)
        templates = PairTemplates(table, self._history.take(chosen), self._constraints(table))
        step = max(_BLOCK_PAIRS // max(chosen.size, 1), 1)
        result = np.zeros((size, chosen.size))
        for first in range(0, size, step):
            part = slice(first, min(first + step, size))
            begin, last = chosen.size - size + first, chosen.size - size + part.stop
            links = templates.links(begin, last) & allowed[part, :last]
            result[part, :last] = self._distributions(templates, chosen[:last], begin, links)
        return result

    def _distributions(self, templates: PairTemplates, chosen: np.ndarray, first: int, links: np.ndarray) -> np.ndarray:
        """Return the probability that each `chosen` mention is the antecedent of each one from index `first` on."""
        last, types = chosen.size, self._table.type[chosen]
        rows, columns = np.nonzero(links)
        both = types[first + rows] * K + types[columns]
        pairs = self._u[chosen[first + rows], types[columns]] + self._v[chosen[columns], types[first + rows]]
        for group in templates.block(first, links).values():
            for template, values in group.items():
                pairs += self._weights[template][values * (K * K) + both]
        pairs -= templates.constraints.costs(first, last)[rows, columns]
        scores = np.full((last - first, last), -np.inf)
        scores[rows, columns] = pairs
        return softmax_with_new(scores, self._new[chosen[first:]])


def new_decay_weights(numbers: np.ndarray, decay: float) -> np.ndarray:
    """Return the weight of NEW for mentions with these numbers in their document, float64 of the same shape."""
    return (np.clip(numbers, NEW_DECAY_FROM, NEW_DECAY_TO) / NEW_DECAY_FROM) ** -decay


def load_model(path: str | Path) -> AntecedentModel:
    """Read a model that `AntecedentModel.save` wrote, without executing anything in the file.

    Raises `InputError` for another file, or another version of the format.
    """
    expected = "expected a coreference model saved by nlpcalib"
    with Path(path).open("rb") as file:
        if not is_zipfile(file):
            raise InputError(f"{path}: found no .npz archive, {expected}")
    arrays = read_arrays(path, ("model", "weights"), expected=expected)
    stored = arrays["weights"]
    try:
        header = json.loads(arrays["model"].tobytes().decode())
        version, current, antecedent, card = (header[key] for key in ("format", "current", "antecedent", "card"))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: {error}; {expected}") from error
    if version != MODEL_FORMAT:
        raise InputError(f"{path}: found format {version}, {expected} of format {MODEL_FORMAT}")
    if not (_are_features(current) and _are_features(antecedent) and isinstance(card, dict)):
        raise InputError(f"{path}: found duplicate or invalid features, {expected}")
    fits = stored.dtype == np.float32 and stored.shape == (size_of(len(current), len(antecedent)),)
    if not (fits and np.isfinite(stored).all()):
        raise InputError(f"{path}: found {stored.size} weights that do not fit its features, {expected}")
    return AntecedentModel(
        {name: number for number, name in enumerate(current)},
        {name: number for number, name in enumerate(antecedent)},
        Weights.of(stored.astype(np.float64), len(current), len(antecedent)),
        card,
    )


def _are_features(names: object) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names) and len(set(names)) == len(names)
