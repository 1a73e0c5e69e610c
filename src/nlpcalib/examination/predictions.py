"""Signs in predictions, and in predictions with their labels, that lead to plausible wrong results.

Sound predictions have no findings: a coarse grid repeats 0 and 1 honestly, and a model may be overconfident.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.classes import examine_classes
from nlpcalib.examination.order import (
    MIN_LABELS_OF_EACH,
    NO_AGREEMENT_Z,
    OPPOSITE_Z,
    correlation_z,
    decided_part,
    is_absent,
    long_run,
    odd_part,
    shifted_among_labels,
    shifted_labels,
    values_from_above,
)
from nlpcalib.examination.spikes import emptied_side, spikes

MIN_ROWS_FOR_SIGNS = 20
"""Rows from which on predictions are examined."""
EXPECTED_AGREEMENT_Z = 6.0
"""Standard errors that the correlation of calibrated predictions would have had, if their spread were right."""
ROWS_AT_THRESHOLD = 12
"""Rows on each side of a threshold, by which labels that are decisions are known."""
MIN_VALUES_AT_THRESHOLD = 5
"""Distinct predictions among these rows on each side: a model with two predictions may be right in all rows."""
MAX_GAP_AT_THRESHOLD = 8.0
"""Gap at the threshold in gaps next to it: the predictions of a perfect model stand apart."""
LOG_CHANCE_OF_DECISIONS = -14.0
"""Logarithm of the probability, by the predictions, that labels next to a threshold are decisions: 1 in 10⁶."""
MAX_BELOW_LIMIT_OF_SOFTMAX = 0.02
"""Distance of the largest probability from the limit of a softmax of probabilities, which many rows come close to."""
MIN_CONFIDENCE_OF_TWO = 0.499
"""Least confidence in the likelier of two classes, rounded."""
TOP_CLASS_GAP_Z = 6.0
"""Standard errors by which predictions, none of which is below .5, exceed labels that do not follow them."""


def examine_predictions(
    q: np.ndarray,
    y: np.ndarray | None = None,
    *,
    name: str = "q",
    of_table: bool = False,
    one_per_row: bool = True,
    classes: tuple[str, ...] = (),
) -> list[InputFinding]:
    """Return the signs of decisions, of missing values, of the other class, of labels that belong to other rows.

    Parameters
    ----------
    q : ndarray, float64 (N,) or (N, K)
        Probabilities. Those of K classes are examined for decisions and for the order of their columns. The class that
        is right nearest to half of the time is also examined like one event.
    y : ndarray, bool (N,), optional
        Labels; of classes the number of the right one, int (N,).
    name : str
        What the user calls the predictions: an argument, or a column if they are `of_table`.
    one_per_row : bool
        Whether each prediction is of a row of its own, whose order then is examined.
    classes : tuple of str
        The names of K classes.
    """
    if q.ndim == 2:
        decisions = _decisions(q, name, "columns of classes have" if of_table else f"{name} has")
        if decisions or y is None or y.ndim == 2:
            return decisions
        if is_softmax_twice(q.max(axis=1), q.argmax(axis=1) == y, q.shape[1]):
            limit = f"{np.e / (np.e + q.shape[1] - 1):.3f}".removeprefix("0")
            above = f"no probability is above {limit}, and likeliest classes are right more often"
            return [InputFinding(name, f"{above}: was softmax applied twice?")]
        if are_likeliest(q, y):
            return [InputFinding(name, "the right class is the likeliest one in every row: is it the model's own?")]
        return examine_classes(q, y, classes) or _of_one_class(q, y, classes)
    if q.size < MIN_ROWS_FOR_SIGNS:
        return []
    called = f"column {name}" if of_table else name
    if decisions := _decisions(q, name, f"{called} has"):
        return decisions
    sentences = spikes(q, y, called)
    if y is not None and (emptied := emptied_side(q, y, called)):
        sentences = [emptied]
    if y is not None:
        sentences += _disagreement(q, y, name, one_per_row=one_per_row and not sentences)
    return [InputFinding(name, sentence) for sentence in sentences]


def examine_slip(q: np.ndarray, y: np.ndarray, label: np.ndarray, name: str = "q") -> list[InputFinding]:
    """Return the sign that labels (N,) slipped by whole items, which have a row for each `label`, int (N,)."""
    if q.size < MIN_ROWS_FOR_SIGNS or not (place := shifted_among_labels(q, y, label)):
        return []
    sentence = f"labels follow the {name} that stands {place}, among rows of one label, more than their own"
    return [InputFinding(name, f"{sentence}: did a column slip?")]


def _of_one_class(q: np.ndarray, y: np.ndarray, classes: tuple[str, ...]) -> list[InputFinding]:
    """Return the signs in the probabilities of one of K classes, which has the most labels of both kinds."""
    share = np.bincount(y, minlength=q.shape[1]) / max(y.size, 1)
    chosen = share.size - 1 - int(np.argmin(np.abs(share[::-1] - 0.5)))
    label = classes[chosen] if classes else str(chosen)
    return examine_predictions(np.ascontiguousarray(q[:, chosen]), y == chosen, name=f"probability of {label}")


def agreement(q: np.ndarray, y: np.ndarray) -> float:
    """Return the correlation of predictions and labels (N,) in standard errors; NaN where either does not vary."""
    return correlation_z(q, y)[0] if q.size >= MIN_ROWS_FOR_SIGNS else np.nan


def _disagreement(q: np.ndarray, y: np.ndarray, name: str, *, one_per_row: bool) -> list[str]:
    """Return sentences for labels (N,) that are not those of the predictions (N,)."""
    if is_softmax_twice(np.maximum(q, 1 - q), (q > 0.5) == y, 2):
        return [f"no {name} is above .731, where more labels are positive: was softmax or sigmoid applied twice?"]
    found, expected = correlation_z(q, y)
    if np.isnan(found) or min(y.sum(), y.size - y.sum()) < MIN_LABELS_OF_EACH:
        return []
    if is_of_top_class(q, y, found, expected):
        return [
            f"no {name} is below .5, and labels do not follow it: is it of the predicted class, and are labels of one?"
        ]
    if found < -OPPOSITE_Z:
        return [f"positive labels are rarer where {name} is high: is it of the other class, or swapped?"]
    if are_decisions(q, y):
        return [f"every label is the decision whether {name} exceeds a threshold, expected what is right"]
    if not one_per_row:
        return []
    if place := shifted_labels(q, y):
        return [f"labels follow the {name} that stands {place} more than their own: did a column slip?"]
    absent = found < NO_AGREEMENT_Z and expected > EXPECTED_AGREEMENT_Z
    if absent and (_is_sorted(q) or _is_sorted(y)):
        return [f"labels do not follow {name}, and one is sorted: was it sorted by itself?"]
    if above := values_from_above(q, y):
        return [f"{above:,} rows have the {name} of the row above, which labels do not follow: was it filled?"]
    if part := odd_part(q, y):
        return [part.format(name) + ", and follow it elsewhere"]
    if is_absent(found, expected, q.size):
        return [
            f"labels do not follow {name} (correlation {found / np.sqrt(q.size):.2f}, where "
            f"{expected / np.sqrt(q.size):.2f} is expected): are rows in another order?"
        ]
    if run := long_run(q, y):
        first, rows, label, others = run
        return [
            f"the labels of rows {first + 1:,} to {first + rows:,} are all {label}, where {others:.0f} others are "
            "expected: are these missing?"
        ]
    if decided := decided_part(q, y):
        where, others = decided
        return [
            f"in {where} every label is the decision whether {name} exceeds .5, where {others:.0f} others are "
            "expected: are they the model's?"
        ]
    return []


def is_softmax_twice(top: np.ndarray, right: np.ndarray, classes: int) -> bool:
    """Return whether no probability of the likeliest of K classes (N,) exceeds e / (e + K - 1), but its accuracy does.

    This is the largest value of softmax if its arguments are probabilities. `right` is bool (N,).
    """
    limit = np.e / (np.e + classes - 1)
    if top.size < MIN_ROWS_FOR_SIGNS or not limit - MAX_BELOW_LIMIT_OF_SOFTMAX < top.max() < limit + 1e-4:
        return False
    surest = right[top >= np.quantile(top, 0.8)]
    share = (surest.sum() + 1) / (surest.size + 2)
    return bool(share - limit > NO_AGREEMENT_Z * np.sqrt(limit * (1 - limit) / surest.size))


def is_of_top_class(q: np.ndarray, y: np.ndarray, found: float, expected: float) -> bool:
    """Return whether no prediction (N,) is below .5 and labels (N,) do not follow them, far below in their mean."""
    gap = (q.mean() - y.mean()) / (y.std() / np.sqrt(q.size))
    return bool(q.min() >= 0.5 and found < NO_AGREEMENT_Z and expected > TOP_CLASS_GAP_Z - 1 and gap > TOP_CLASS_GAP_Z)


def is_confidence_in(said: np.ndarray, q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether predictions (N,) are of the class that was said, bool (N,), and labels are the right class.

    The log likelihood of `y == said` exceeds that of `y` by the sum of (1 − 2y) logit q over rows where 0 was said.
    A class that a threshold of q decides is no sign.
    """
    if q.size < MIN_ROWS_FOR_SIGNS or q.min() < MIN_CONFIDENCE_OF_TWO or said.all() or not said.any():
        return False
    if q[~said].max() <= q[said].min():
        return False
    p = np.clip(q[~said], None, 1 - 1e-6)
    return bool(np.sum(np.where(y[~said], -1, 1) * np.log(p / (1 - p))) > -LOG_CHANCE_OF_DECISIONS)


def are_decisions(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether labels are a threshold of predictions where these are so dense that a model would err."""
    positive, negative = q[y == 1], q[y == 0]
    if not negative.max() < positive.min():
        return False
    n = ROWS_AT_THRESHOLD
    above, below = np.sort(positive)[:n], np.sort(negative)[-n:]
    if min(np.unique(above).size, np.unique(below).size) < MIN_VALUES_AT_THRESHOLD:
        return False
    with np.errstate(divide="ignore"):
        chance = np.log(above).sum() + np.log1p(-below).sum()
    gaps = np.concatenate([np.diff(np.unique(above)), np.diff(np.unique(below))])
    return bool(above[0] - below[-1] <= MAX_GAP_AT_THRESHOLD * gaps.mean() and chance < LOG_CHANCE_OF_DECISIONS)


def are_likeliest(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether right classes (N,) are the likeliest in all rows of (N, K), though a model would err in some.

    These are the rows in which the second class is nearly as likely. A model without errors has no such rows.
    """
    n = 2 * ROWS_AT_THRESHOLD
    rows = np.arange(y.size)
    if y.size < n or (q[rows, y] < q.max(axis=1)).any():
        return False
    second, top = np.partition(q, -2, axis=1)[:, -2:].T
    margin = top - second
    nearest = np.argsort(margin, kind="stable")[:n]
    distinct = np.unique(margin[nearest])
    if distinct.size < MIN_VALUES_AT_THRESHOLD:
        return False
    chance = np.log(top[nearest] / (top + second)[nearest]).sum()
    return bool(distinct[0] <= MAX_GAP_AT_THRESHOLD * np.diff(distinct).mean() and chance < LOG_CHANCE_OF_DECISIONS)


def _decisions(q: np.ndarray, name: str, subject: str) -> list[InputFinding]:
    if not ((q == 0) | (q == 1)).all():
        return []
    return [InputFinding(name, f"{subject} nothing but 0 and 1: decisions, where probabilities are expected")]


def _is_sorted(values: np.ndarray) -> bool:
    return bool((values[1:] >= values[:-1]).all() or (values[1:] <= values[:-1]).all())
