"""`nlpcalib.estimate`: what do probabilities and a few labels report about a corpus?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, argument
from nlpcalib.estimation.classes import class_totals
from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.estimation.label_errors import MAX_LABEL_ERROR, LabelErrors, with_label_errors
from nlpcalib.estimation.values import in_range, value_totals
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.predictions.groups import Grouping, grouping_of
from nlpcalib.predictions.predictions import Predictions, check_distinct, examine_decisions
from nlpcalib.questions.class_shares import ClassShares
from nlpcalib.questions.estimation_report import PARTS, EstimationReport
from nlpcalib.questions.kinds import answered, check_drawn
from nlpcalib.recalibration.layer import layered
from nlpcalib.sampling.plan import WORDS, Plan
from nlpcalib.sampling.samples import Sample, restricted
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.names import split_names


def estimate(
    data: Predictions | Any,
    /,
    *,
    by: Any = None,
    features: Any = None,
    label_error: float | Sequence[float] | None = None,
    level: float = 0.95,
    seed: int | None = None,
) -> EstimationReport | ClassShares:
    """Estimate how many items of a corpus are positive or in each class, or the mean of numbers, with intervals.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        All items of the corpus, some of them with labels.
    by : str, optional
        Also estimate each group of these columns, separated by commas, or year(date), quarter(date), month(date).
    features : path, array_like of shape (N, D), or str, optional
        Features that improve the predictions: embeddings of the texts, or columns of other systems' predictions
        (default: words of the texts).
    label_error : float, or two, optional
        Largest share of labels that may be wrong, or two shares, of positive items and of the others.
    level : float
        Confidence level of the intervals (default .95).
    seed : int, optional
        Seed of the folds in which features are fitted (default: that of the plan).
    """
    checked_seed(0 if seed is None else seed)
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1")
    check_drawn(data, takes_weights=True)
    examine_decisions(data)
    function = _of_classes if data.classes else _of_numbers if data.values else _of_yes
    return answered(
        estimate, function, data, by=by, features=features, label_error=label_error,
        level=level, seed=seed,
    )  # fmt: skip


def _of_yes(
    data: Predictions,
    by: Any,
    features: Any,
    label_error: Any,
    level: float,
    seed: int | None,
) -> EstimationReport:
    """Return how many items are positive."""
    errors = None if label_error is None else label_errors_of(label_error)
    return estimate_yes(data, grouping_of(data, by), _features(data, features), errors, level, seed)


def estimate_yes(
    data: Predictions, grouping: Grouping, features: tuple[np.ndarray | None, str],
    errors: LabelErrors | None, level: float, seed: int | None,
) -> EstimationReport:  # fmt: skip
    """Return the estimate of items whose labels are yes or no."""
    check_distinct(data)
    sample, plan, alone = data.sample, data.design.plan, data.q
    seed = (plan.seed if plan else 0) if seed is None else seed
    q, gain, shown = alone, 0.0, False
    if features[0] is not None:
        q, gain, shown = layered(q, features[0], sample.rows, sample.y, unit=sample.unit, seed=seed)
    [whole] = estimate_totals(q, sample, level=level)
    groups: dict[str, Estimate] = {}
    if grouping.names:
        within = _grouped_items(plan, sample)
        kept = [key for key, chosen in zip(grouping.keys, within.tolist(), strict=True) if chosen]
        own = replace(grouping, keys=kept).categories
        estimates = estimate_totals(q[within], restricted(sample, within), own.codes, own.names, level=level)
        predicted = np.bincount(own.codes, alone[within], minlength=len(own.names)).tolist()
        groups = {each.group: replace(each, predicted=total) for each, total in zip(estimates, predicted, strict=True)}
    whole, parts = replace(whole, predicted=float(alone.sum())), _parts(plan, q, sample, level)
    if errors is not None:
        parts = tuple(_with_errors(one, errors) for one in parts)
        whole, groups = _with_errors(whole, errors), {name: _with_errors(one, errors) for name, one in groups.items()}
    return EstimationReport(
        whole, groups, data, grouping, q, gain, shown, level, _notes(data), errors,
        features[1], parts,
    )  # fmt: skip


def _of_classes(data: Predictions, by: Any, level: float) -> ClassShares:
    """Return the share of each class; all intervals hold together."""
    grouping = grouping_of(data, by)
    check_distinct(data)
    sample, names = data.sample, data.classes
    found = {each.group: each for each in class_totals(data.q, sample, names, level=level)[0]}
    groups: dict[str, dict[str, Estimate]] = {}
    if grouping.names:
        parts = grouping.categories
        tables = class_totals(data.q, sample, names, parts.codes, len(parts.names), level=level)
        groups = {name: {each.group: each for each in table} for name, table in zip(parts.names, tables, strict=True)}
    return ClassShares(found, level, groups, data.reading.disputed, data)


def _of_numbers(data: Predictions, by: Any, level: float) -> EstimationReport:
    """Return the sum and the mean of labels that are numbers."""
    grouping = grouping_of(data, by)
    check_distinct(data)
    assert data.values is not None
    low, high = data.values

    def of(names: Sequence[str], group: np.ndarray | None = None) -> list[Estimate]:
        return [in_range(each, low, high) for each in value_totals(data.q, data.sample, group, names, level=level)]

    [whole] = of([""])
    groups: dict[str, Estimate] = {}
    if grouping.names:
        parts = grouping.categories
        groups = {each.group: each for each in of(parts.names, parts.codes)}
    return EstimationReport(whole, groups, data, grouping, data.q, 0.0, False, level, _notes(data))


def _features(data: Predictions, given: Any) -> tuple[np.ndarray | None, str]:
    """Return what may improve the predictions, (N, D), and what it is in words; None for nothing."""
    if given is None or (isinstance(given, str) and not given):
        if data.texts is None:
            return None, "words of the texts"
        from nlpcalib.estimation.words import word_features

        return word_features(data.texts), "words of the texts"
    if isinstance(given, Path) or (isinstance(given, str) and Path(given).is_file()):
        from nlpcalib.tables.vectors import read_vectors

        return read_vectors(Path(given), data.ids).of(data.ids), "vectors of the texts"
    names = split_names(given) if isinstance(given, str) else given
    named = isinstance(names, list | tuple) and all(isinstance(each, str) for each in names)
    columns = [data.column(name) for name in names] if named else None
    values = [_values(column) for column in columns] if columns else [np.asarray(as_array(given, "features"), float).T]
    found = np.column_stack([np.atleast_2d(each).T for each in values])
    if found.shape[0] != len(data) or not np.isfinite(found).all():
        raise InputError(
            f"features: found an array of shape {found.shape}, expected a finite number in each of {len(data)}"
        )
    return scaled(found), "further columns"


def scaled(found: np.ndarray) -> np.ndarray:
    """Return features between −1 and 1, each row of length 1 at most."""
    spread = np.ptp(found, axis=0)
    plain = (found - found.min(axis=0)) / np.where(spread > 0, spread, 1) - 0.5
    return 2 * plain / np.sqrt(plain.shape[1])


def _values(cells: Sequence[str]) -> np.ndarray:
    try:
        return np.array(cells, float)
    except ValueError:
        names = sorted(set(cells))
        return np.array([[cell == name for cell in cells] for name in names[1:]], float)


def _parts(plan: Plan | None, q: np.ndarray, sample: Sample, level: float) -> tuple[Estimate, ...]:
    """Return the estimates of the texts with a word and of the others, for a plan by words; else none."""
    if plan is None or plan.design != WORDS:
        return ()
    parts = [(name, sample.stratum == stratum) for name, stratum in zip(PARTS, (1, 0), strict=True)]
    return tuple(
        replace(estimate_totals(q[part], restricted(sample, part), level=level)[0], group=name)
        for name, part in parts
        if part.any()
    )


def _grouped_items(plan: Plan | None, sample: Sample) -> np.ndarray:
    """Return which items groups divide, bool (N,): in a plan by words those with one."""
    if plan is None or plan.design != WORDS:
        return np.ones(len(sample.stratum), dtype=bool)
    return sample.stratum == 1


def label_errors_of(given: Any) -> LabelErrors:
    """Return both shares, of one number or two. `InputError` for others than from 0 to below ½."""
    found = numbers(np.atleast_1d(as_array(given, "label_error")), "label_error").astype(np.float64).ravel().tolist()
    if len(found) not in (1, 2) or not all(0 <= each < MAX_LABEL_ERROR for each in found):
        shown = ", ".join(f"{each:g}" for each in found)
        raise InputError(
            f"label_error: found {shown}, expected one share of wrong labels from 0 to below .5, or two: "
            "of positive items, of the others"
        )
    return found[0], found[-1]


def _with_errors(estimate: Estimate, errors: LabelErrors) -> Estimate:
    low, high = with_label_errors(estimate.low, estimate.high, estimate.items, errors)
    return replace(estimate, low=low, high=high)


def _notes(data: Predictions) -> tuple[str, ...]:
    """Return what labels are taken for without a plan, and that no predictions are used."""
    found = []
    if not data.design.drawn:
        found.append("There is no plan: labels are taken for a random sample of all items.")
    if data.unpredicted:
        found.append(f"No predictions are used: the table has no column q ({argument('q')} names it).")
    return tuple(found)
