"""Signs in predictions, and in predictions with their labels, that lead to plausible wrong results.

Sound predictions have no findings: a coarse grid repeats 0 and 1 honestly, and a model may be overconfident.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, InputFinding, arguments, decimals
from nlpcalib.examination.classes import examine_classes
from nlpcalib.examination.level import MIN_ROWS, SURPRISE, alarm_z
from nlpcalib.examination.order import (
    correlation_z,
    decided_part,
    is_missing,
    long_run,
    odd_part,
    scores,
    shifted_among_labels,
    shifted_labels,
)
from nlpcalib.examination.spikes import spikes

MIN_CONFIDENCE_OF_TWO = 0.499
"""Least confidence in the likelier of two classes, rounded."""


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
    called = f"column {name}" if of_table else name
    if q.ndim == 2:
        if decisions := _decisions(q, name, "columns of classes have" if of_table else f"{name} has"):
            return decisions
        return [] if y is None else _of_classes(q, y, name, classes)
    if q.size < MIN_ROWS:
        return []
    if decisions := _decisions(q, name, f"{called} has"):
        return decisions
    found = [InputFinding(name, sentence, code="spike") for sentence in spikes(q, y, called)]
    if y is not None:
        found += disagreement(q, y, name, one_per_row=one_per_row and not found)
    return found


def examine_slip(q: np.ndarray, y: np.ndarray, label: np.ndarray, name: str = "q") -> list[InputFinding]:
    """Return the sign that labels (N,) slipped by whole items, which have a row for each `label`, int (N,)."""
    if q.size < MIN_ROWS or not (place := shifted_among_labels(q, y, label)):
        return []
    sentence = f"labels follow the {name} that stands {place}, among rows of one label, more than their own"
    return [InputFinding(name, f"{sentence}: did a column slip?", code="shifted")]


def examine_labels(q: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the signs in labels (n,), NaN where open, against predictions (n,), in the order in which they were read.

    Labels that are no 0 and 1 are examined for their direction alone.
    """
    known = ~np.isnan(y)
    q, y = q[known], y[known]
    one_per_row = bool(((y == 0) | (y == 1)).all())
    return disagreement(q, y, "q", one_per_row=one_per_row) if q.size >= MIN_ROWS else []


def examine_drawing(q: np.ndarray, rows: np.ndarray, unit: np.ndarray | None = None) -> list[InputFinding]:
    """Return the sign that items `rows` (n,) of N with predictions q (N,) were not drawn with equal probability.

    Items that a plan prefers have doubtful predictions, or high ones; the first items of a sorted table have sure or
    low ones. Units, codes (N,), are drawn whole.
    """
    read = np.zeros(len(q), dtype=bool)
    read[rows] = True
    for value, more, less in ((np.sqrt(q * (1 - q)), "less certain", "more certain"), (np.sqrt(q), "higher", "lower")):
        value = np.round(value, 9)  # .05 and .95 are equally certain
        if unit is None:
            drawn = read
        else:
            value, drawn = np.bincount(unit, value) / np.maximum(np.bincount(unit), 1), np.bincount(unit, read) > 0
        n, items = np.count_nonzero(drawn), len(value)
        error = value.std() * np.sqrt(max(1 / n - 1 / items, 0))
        gap = value[drawn].mean() - value.mean()
        if rows.size >= MIN_ROWS and np.ptp(value) > 0 and abs(gap) > alarm_z(2) * error > 0:
            means = " and ".join(decimals(float(part.mean()), 3) for part in (q[read], q[~read]))
            sentence = (
                f"labelled items have {more if gap > 0 else less} predictions than the others (means {means}), so they "
                "were not drawn with equal probability: without a plan or its probabilities the interval does not "
                "hold"
            )
            return [InputFinding("labels", sentence, code="drawn_unequally")]
    return []


def is_inverted(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether labels (N,) are rarer where predictions (N,) are high."""
    return q.size >= MIN_ROWS and correlation_z(scores(q), y, q)[0] < -alarm_z()


def disagreement(q: np.ndarray, y: np.ndarray, name: str, *, one_per_row: bool) -> list[InputFinding]:
    """Return the first sign that labels (N,) are not those of the predictions (N,), as one finding."""
    correlations = correlation_z(scores(q), y, q)
    code, sentence = _against_values(q, y, name, *correlations)
    determined = not np.isnan(correlations[0]) and y.min() != y.max()
    if not code and one_per_row and determined:
        code, sentence = _against_order(q, y, name, *correlations)
    return [InputFinding(name, sentence, code=code)] if code else []


def _against_values(q: np.ndarray, y: np.ndarray, name: str, found: float, promised: float) -> tuple[str, str]:
    """Return the sign, a code and a sentence, of what predictions and labels are, whatever their order.

    `found` and `promised` are the z of their correlation, as it is and as the predictions have it.
    """
    if is_softmax_twice(q, y):
        return (
            "softmax_twice",
            f"no {name} is above .731, and labels are far surer: was softmax or sigmoid applied twice?",
        )
    others = float(np.sum(np.where(y[0], 1 - q, q)[(q > 1 - q) != y[0]])) if (y == y[0]).all() else 0.0
    if others > 2 * SURPRISE:
        return (
            "one_kind",
            f"all {y.size:,} labels are {int(y[0])}, where {others:.0f} others are expected: are they missing?",
        )
    if np.isnan(found) or y.min() == y.max():
        return "", ""
    gap = (q.mean() - y.mean()) / y.std() * np.sqrt(q.size)
    if (q >= 1 - q).all() and found < alarm_z() < min(gap, promised / 2):
        return "top_class", (
            f"no {name} is below .5, and labels do not follow it: is it of the predicted class, and are labels of one?"
        )
    if is_inverted(q, y):
        return "inverted", f"positive labels are rarer where {name} is high: is it of the other class, or swapped?"
    return "", ""


def _against_order(q: np.ndarray, y: np.ndarray, name: str, found: float, promised: float) -> tuple[str, str]:
    """Return the sign that labels are of other rows than their own, or of a decision; as `_against_values` does."""
    if are_decisions(q, y):
        return "decided", f"every label is the decision whether {name} exceeds a threshold, expected what is right"
    if place := shifted_labels(q, y):
        return "shifted", f"labels follow the {name} that stands {place} more than their own: did a column slip?"
    enough = min(y.sum(), y.size - y.sum()) >= MIN_ROWS // 2
    if part := odd_part(q, y):
        return "part", part.format(name) + ", and follow it elsewhere"
    if found < alarm_z() < promised / 2 and enough and (_is_sorted(q) or _is_sorted(y)):
        return "sorted", f"labels do not follow {name}, and one is sorted: was it sorted by itself?"
    if is_missing(found, promised, q.size):
        return "unrelated", (
            f"labels do not follow {name} (correlation {found / np.sqrt(q.size):.2f}, where "
            f"{promised / np.sqrt(q.size):.2f} is expected): are rows in another order?"
        )
    if run := long_run(q, y):
        first, rows, label, others = run
        return "run", (
            f"the labels of rows {first + 1:,} to {first + rows:,} are all {label}, where {others:.0f} others are "
            "expected: are these missing?"
        )
    if decided := decided_part(q, y):
        where, others = decided
        return "decided", (
            f"in {where} every label is the decision whether {name} exceeds .5, where {others:.0f} others are "
            "expected: are they the model's?"
        )
    return "", ""


def _of_classes(q: np.ndarray, y: np.ndarray, name: str, classes: tuple[str, ...]) -> list[InputFinding]:
    width = q.shape[1]
    if is_softmax_twice(q, y):
        above = f"no probability is above {decimals(np.e / (np.e + width - 1), 3)}, and right classes are far surer"
        return [InputFinding(name, f"{above}: was softmax applied twice?", code="softmax_twice")]
    if are_likeliest(q, y):
        sentence = "the right class is the likeliest one in every row: is it the model's own?"
        return [InputFinding(name, sentence, code="decided")]
    if found := examine_classes(q, y, classes):
        return found
    # The class that has the most labels of both kinds is examined like one event.
    share = np.bincount(y, minlength=width) / max(y.size, 1)
    chosen = width - 1 - int(np.argmin(np.abs(2 * share[::-1] - 1)))
    label = classes[chosen] if classes else str(chosen)
    event, right = np.ascontiguousarray(q[:, chosen]), y == chosen
    found = examine_predictions(event, right, name=f"probability of {label}")
    return [each for each in found if each.code != "top_class"]  # which class a column is of is known


def is_softmax_twice(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether predictions (N,) or (N, K) are a softmax of probabilities, which suit the labels (N,) far better.

    The logarithms of such predictions differ by 1 at most, and lead back to the probabilities, of one event and of all
    classes. The likelihood of labels under these is larger by twice the surprise of chance.
    """
    if q.min() <= 0 or q.max() >= 1:
        return False
    log_odds = np.log(q) if q.ndim == 2 else np.log(q) - np.log1p(-q)
    if q.ndim == 2:
        before = [log_odds + (1 - log_odds.sum(axis=1, keepdims=True)) / q.shape[1]]
        said = np.arange(y.size), y.astype(np.int64)
    else:
        before = [log_odds, (log_odds + 1) / 2]  # of sigmoid, and of softmax of two classes
        said = None
    least = 1e-6  # of probabilities that are rounded
    for p in before:
        if not (p.min() >= -least and p.max() <= 1 + least):
            continue
        p = np.clip(p, least, 1 - least)
        found = p[said] / q[said] if said else np.where(y, p / q, (1 - p) / (1 - q))
        if np.log(found).sum() > 2 * SURPRISE:
            return True
    return False


def is_confidence_in(said: np.ndarray, q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether predictions (N,) are of the class that was said, bool (N,), and labels are the right class.

    The log likelihood of `y == said` exceeds that of `y` by the sum of (1 − 2y) logit q over rows where 0 was said.
    A class that a threshold of q decides is no sign.
    """
    if q.size < MIN_ROWS or q.min() < MIN_CONFIDENCE_OF_TWO or said.all() or not said.any():
        return False
    if q[~said].max() <= q[said].min():
        return False
    p = np.clip(q[~said], None, 1 - 1e-6)
    return bool(np.sum(np.where(y[~said], -1, 1) * np.log(p / (1 - p))) > 2 * SURPRISE)


def are_decisions(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether labels are a threshold of predictions where these are so dense that a model would err."""
    positive, negative = q[y == 1], q[y == 0]
    if not positive.size or not negative.size or not negative.max() < positive.min():
        return False
    n = MIN_ROWS
    above, below = np.sort(positive)[:n], np.sort(negative)[-n:]
    gaps = np.concatenate([np.diff(np.unique(above)), np.diff(np.unique(below))])
    with np.errstate(divide="ignore"):
        chance = float(np.log(above).sum() + np.log1p(-below).sum())
    return _is_no_chance(above[0] - below[-1], gaps, chance)


def are_likeliest(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether right classes (N,) are the likeliest in all rows of (N, K), though a model would err in some.

    These are the rows in which the second class is nearly as likely. A model without errors has no such rows.
    """
    if y.size < MIN_ROWS or (q[np.arange(y.size), y] < q.max(axis=1)).any():
        return False
    second, top = np.partition(q, -2, axis=1)[:, -2:].T
    margin = top - second
    nearest = np.argsort(margin, kind="stable")[: 2 * MIN_ROWS]
    chance = float(np.log(top[nearest] / (top + second)[nearest]).sum())
    return _is_no_chance(float(margin.min()), np.diff(np.unique(margin[nearest])), chance)


def _is_no_chance(gap: float, gaps: np.ndarray, chance: float) -> bool:
    """Return whether decisions are too many for their log probability, twice the level, as models may be too timid.

    The predictions of a model without errors stand apart at its threshold: by the gaps next to it, which are as many as
    half of the rows at least, theirs is no larger than chance makes it.
    """
    return bool(2 * gaps.size >= MIN_ROWS // 2 and gap <= SURPRISE * gaps.mean() and chance < -2 * SURPRISE)


def check_confidence(q: np.ndarray, place: Callable[[int], str], classes: Collection[str], /, **named: Any) -> None:
    """Raise `InputError` for a confidence below .5 in the likelier of two classes: it is the probability of one.

    `named` are the columns that a message names as options, by the names of the vocabulary.
    """
    two = sorted(classes)
    low = q < MIN_CONFIDENCE_OF_TWO
    if len(two) == 2 and low.any():
        row = int(np.argmax(low))
        options = arguments({name: value for name, value in {**named, "yes": two[1]}.items() if value})
        what = f"found the confidence {q[row]:g} in one of two classes, expected at least .5"
        raise InputError(f"{place(row)}: {what}; for the probability of {two[1]}: {options}")


def _decisions(q: np.ndarray, name: str, subject: str) -> list[InputFinding]:
    if not ((q == 0) | (q == 1)).all():
        return []
    sentence = f"{subject} nothing but 0 and 1: decisions, where probabilities are expected"
    return [InputFinding(name, sentence, code="decisions")]


def _is_sorted(values: np.ndarray) -> bool:
    return bool((values[1:] >= values[:-1]).all() or (values[1:] <= values[:-1]).all())
