"""Twenty weights that recalibrate any model's antecedents, fitted to labels of pairs through the exact recursion.

From the antecedents A of N mentions and the words of each mention, the recalibrated scores are

    s[i, j] = log A[i, j] / T[kind i] + w · f(i, j),        s[i, NEW] = log A[i, NEW] / T[kind i] + b[kind i],

and A' is their softmax over j < i and NEW. Links that A excludes stay excluded. The features f are the kinds of both
mentions, equal strings and last words, and clashes of gender, number and names. With w = 0 and the same T and b for
all kinds, A' is that of `nlpcalib.systems.coref.model.recalibration.fit_to_pairs`, the form of two weights.

With A[1, 0] = .8, T = 1 and b = log 2 for nouns, NEW gets twice the odds: A'[1, 0] = .8 / (.8 + .4) = .667:

    >>> A = np.array([[0.0, 0.0], [0.8, 0.0]])
    >>> weights = [np.log(2) if name == "NEW, nominal" else 0.0 for name in WEIGHT_NAMES]
    >>> Antecedents(A, ["a strike", "the vote"]).weighed(np.array(weights)).round(3).tolist()
    [[0.0, 0.0], [0.667, 0.0]]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize
from scipy.linalg import solve_triangular

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.kinds import KINDS
from nlpcalib.systems.coref.model.lexicon import GENDERS, PRONOUN_FORMS, pronoun_attributes
from nlpcalib.systems.coref.model.posterior import check_conditionals, pair_marginals, softmax_with_new
from nlpcalib.systems.coref.model.recalibration import MIN_PAIR_PROBABILITY, NO_PAIRS, WEIGHT_RANGE, fit_to_pairs

_K = len(KINDS)
_STRINGS = ("same words", "same last word", "other gender", "other number", "names without a common word")
WEIGHT_NAMES = (
    *(f"log T, {kind}" for kind in KINDS),
    *(f"NEW, {kind}" for kind in KINDS),
    *(f"{kind} to {other}" for kind in KINDS for other in KINDS),
    *_STRINGS,
)
"""Names of the weights; all weights are 0 for an unchanged A."""
_GROUP_ENDS = (_K, 2 * _K, 2 * _K + _K * _K)
"""Ends of the groups of weights: log T, b, kinds of both mentions; the strings come last."""
_PENALTY_WEIGHT, _DOCUMENT_FOLDS = 100.0, 5
"""Penalty on squared differences from the form of two weights, and folds in which the two forms are compared."""


@dataclass(frozen=True, eq=False)
class PairWeights:
    """Fitted weights."""

    values: np.ndarray
    """float64 (20,), in the order of `WEIGHT_NAMES`."""
    held_out: dict[str, float]
    """Log loss per held-out pair, without weights and with the forms of `two` and of `twenty` weights."""

    @property
    def named(self) -> dict[str, float]:
        """The weights by name."""
        return dict(zip(WEIGHT_NAMES, self.values.tolist(), strict=True))

    def apply(self, conditionals: np.ndarray, strings: Sequence[str]) -> np.ndarray:
        """Return A', float64 (N, N), from A, float64 (N, N), and the words of each mention."""
        return Antecedents(conditionals, strings).weighed(self.values)


def fit_pair_weights(documents: Sequence[_Labelled]) -> PairWeights:
    """Fit weights by penalised maximum likelihood of the labels of all pairs.

    The likelihood is composite, as in `nlpcalib.systems.coref.model.recalibration.fit_to_pairs`, and the penalty is on
    differences from the form of two weights. Both forms are cross-fitted in 5 folds of documents. The form with the
    lower held-out loss is then fitted to all documents.

    Parameters
    ----------
    documents : sequence of (ndarray, ndarray, sequence of str)
        A, float64 (N, N); whether each pair (i, j), j < i, corefers, bool (N(N − 1)/2,); the words of each mention.

    Raises `InputError` for rows of A that are not distributions, for numbers of labels or mentions that do not match,
    and for fewer than two documents with a pair.
    """
    for number, (conditionals, y, strings) in enumerate(documents):
        check_conditionals(conditionals)
        count = len(conditionals)
        if (len(y), len(strings)) != (count * (count - 1) // 2, count):
            raise InputError(
                f"documents[{number}]: found {len(y)} labels and {len(strings)} mentions, expected "
                f"{count * (count - 1) // 2} and {count}, as for the rows of antecedents"
            )
    documents = [(conditionals, np.asarray(y, bool), words) for conditionals, y, words in documents if len(y)]
    if len(documents) < 2:
        raise InputError(NO_PAIRS)
    seen = [(Antecedents(conditionals, strings), y) for conditionals, y, strings in documents]
    losses = {"none": _loss(np.zeros(len(WEIGHT_NAMES)), seen)[0], "two": 0.0, "twenty": 0.0}
    for fold in range(min(_DOCUMENT_FOLDS, len(seen))):
        others = [number for number in range(len(seen)) if number % _DOCUMENT_FOLDS != fold]
        two = _two_weights([documents[number] for number in others])
        twenty = _twenty_weights([seen[number] for number in others], two)
        losses["two"] += _loss(two, seen[fold::_DOCUMENT_FOLDS])[0]
        losses["twenty"] += _loss(twenty, seen[fold::_DOCUMENT_FOLDS])[0]
    values = _two_weights(documents)
    if losses["twenty"] < losses["two"]:
        values = _twenty_weights(seen, values)
    pairs = sum(y.size for _, y in seen)
    return PairWeights(values, {name: loss / pairs for name, loss in losses.items()})


_Labelled = tuple[np.ndarray, np.ndarray, Sequence[str]]
_Seen = Sequence[tuple["Antecedents", np.ndarray]]


def _loss(values: np.ndarray, seen: _Seen) -> tuple[float, np.ndarray]:
    losses, gradients = zip(*(antecedents.loss(values, y) for antecedents, y in seen), strict=True)
    return sum(losses), np.sum(gradients, axis=0)


def _two_weights(documents: Sequence[_Labelled]) -> np.ndarray:
    """Fit the form of two weights, float64 (20,)."""
    found = fit_to_pairs([(conditionals, y) for conditionals, y, _ in documents])
    return np.log([found.temperature] * _K + [found.new] * _K + [1.0] * (len(WEIGHT_NAMES) - 2 * _K))


def _twenty_weights(seen: _Seen, two: np.ndarray) -> np.ndarray:
    """Fit the form of twenty weights, with a penalty on differences from `two`, float64 (20,)."""

    def loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = _loss(values, seen)
        return value + _PENALTY_WEIGHT / 2 * float((values - two) @ (values - two)), gradient + _PENALTY_WEIGHT * (
            values - two
        )

    bounds = [np.log(WEIGHT_RANGE)] * _K + [(None, None)] * (len(WEIGHT_NAMES) - _K)
    return optimize.minimize(loss, two, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 50}).x


def pair_loss(conditionals: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the log loss of all pairs' labels, bool (N(N − 1)/2,), and its gradient in A, float64 (N, N).

    With R = (I − A)⁻¹ and C = R diag(y) Rᵀ (`systems.coref.model.long_documents`), whose diagonal is 1, the gradient
    in A is 2 Rᵀ (G − diag(v)) C. G is the symmetric gradient in C, and the multipliers v keep the diagonal at 1:
    (R ∘ R)ᵀ v = diag(Rᵀ G R).
    """
    count = len(conditionals)
    marginals, pairs = pair_marginals(conditionals), np.tril_indices(count, -1)
    q = np.where(y, marginals[pairs], 1 - marginals[pairs])
    slopes = np.zeros((count, count))
    slopes[pairs] = np.where(y, -0.5, 0.5) / np.maximum(q, MIN_PAIR_PROBABILITY) * (q > MIN_PAIR_PROBABILITY)
    slopes += slopes.T
    ways = solve_triangular(np.eye(count) - conditionals, np.eye(count), lower=True, unit_diagonal=True)
    of_diagonal = np.einsum("ij,ij->j", ways, slopes @ ways)
    slopes[np.diag_indices(count)] = -solve_triangular((ways * ways).T, of_diagonal, unit_diagonal=True)
    gradient = np.tril(2 * (ways.T @ (slopes @ marginals)), -1)
    return -float(np.log(np.maximum(q, MIN_PAIR_PROBABILITY)).sum()), gradient


class Antecedents:
    """A document's antecedents with the features of each link."""

    def __init__(self, conditionals: np.ndarray, strings: Sequence[str]) -> None:
        """Take A, float64 (N, N), and the words of each mention."""
        words = [tuple(text.lower().removeprefix("the ").split()) or ("",) for text in strings]
        last = np.array([each[-1] for each in words], dtype=str)
        pronoun = np.array([len(each) == 1 and each[0] in PRONOUN_FORMS for each in words], dtype=bool)
        upper = np.array([(text.split() or [""])[-1][:1].isupper() for text in strings], dtype=bool)
        self.kinds = np.where(pronoun, 0, np.where(upper, 1, 2))
        """The kind of each mention, an index into `KINDS`."""
        self.size = len(conditionals)
        self._rows, self._columns = np.nonzero(conditionals)
        self._logs = np.log(conditionals[self._rows, self._columns])
        self._new = np.log(np.maximum(1 - conditionals.sum(axis=1), 1e-300))
        self._pair = self.kinds[self._rows] * _K + self.kinds[self._columns]
        i, j = self._rows, self._columns
        whole = np.unique([" ".join(each) for each in words], return_inverse=True)[1]
        names = (self.kinds[i] == 1) & (self.kinds[j] == 1)
        names[names] = [not set(words[a]) & set(words[b]) for a, b in zip(i[names], j[names], strict=True)]
        other = ~pronoun[i] & ~pronoun[j]
        attributes = [pronoun_attributes(each[0] if len(each) == 1 else "") for each in words]
        number, gender = np.array(attributes, dtype=np.int64).reshape(-1, 2).T
        gender[gender == GENDERS.index("person")] = 0
        self._marks = np.array(
            [
                other & (whole[i] == whole[j]),
                other & (last[i] == last[j]),
                (gender[i] != gender[j]) & (gender[i] > 0) & (gender[j] > 0),
                (number[i] != number[j]) & (number[i] > 0) & (number[j] > 0),
                names,
            ],
            dtype=np.float64,
        )

    def weighed(self, values: np.ndarray) -> np.ndarray:
        """Return A', float64 (N, N), for weights, float64 (20,)."""
        temperatures, of_new, of_kinds, of_marks = np.split(values, _GROUP_ENDS)
        inverse = np.exp(-temperatures)[self.kinds]
        scores = np.full((self.size, self.size), -np.inf)
        scores[self._rows, self._columns] = (
            self._logs * inverse[self._rows] + of_kinds[self._pair] + of_marks @ self._marks
        )
        return softmax_with_new(scores, self._new * inverse + of_new[self.kinds])

    def loss(self, values: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log loss of the pairs' labels and its gradient in the weights, float64 (20,)."""
        found = self.weighed(values)
        loss, by_probability = pair_loss(found, y)
        products = found * by_probability
        sums = products.sum(axis=1)
        links = (products - found * sums[:, None])[self._rows, self._columns]
        new = -np.clip(1 - found.sum(axis=1), 0.0, 1.0) * sums
        inverse = np.exp(-values[:_K])[self.kinds]
        by_temperature = -np.bincount(self.kinds[self._rows], links * self._logs * inverse[self._rows], _K)
        by_temperature -= np.bincount(self.kinds, new * self._new * inverse, _K)
        return loss, np.concatenate(
            [
                by_temperature,
                np.bincount(self.kinds, new, _K),
                np.bincount(self._pair, links, _K * _K),
                self._marks @ links,
            ]
        )
