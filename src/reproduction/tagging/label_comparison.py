"""Is one model better calibrated than another on the same data, label by label?

The paper calls one model significantly better in 39 of 47 categories without saying by what test. Here the statistic
of a label is the difference between two models' squared calibration errors, each without its sampling bias, and its
null distribution comes from a paired bootstrap over units (sentences, documents), because the tokens of one sentence
are wrong together and both models are wrong on the same sentences. P-values are reported as they are and adjusted for
the number of labels. Where both models are almost calibrated, resamples spread more than the estimates do; they are
shrunk by what they add. Where a few units hold most rows they spread less, and the jackknife's variance is used; the
p-value is then that of Student's t with the effective degrees of freedom of the units. Models are compared and not
tested where an event happens fewer than `MIN_EVENTS_FOR_INTERVAL` times, or does not. The same holds with fewer than
`MIN_EFFECTIVE_UNITS_TO_TEST` units or `MIN_EFFECTIVE_FREEDOM` degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from types import UnionType
from typing import Any

import numpy as np
from scipy import special

from nlpcalib.calibration.bias_corrected import too_few_events
from nlpcalib.calibration.binning import SortedPairs, canonical_order
from nlpcalib.calibration.estimates import Settings, bias_corrected_error
from nlpcalib.calibration.intervals import Interval, report_interval, root_mean_square
from nlpcalib.calibration.multiple_tests import adjusted
from nlpcalib.calibration.units import MIN_EFFECTIVE_UNITS_TO_TEST, effective_freedom
from nlpcalib.seeding import generator

MIN_EFFECTIVE_FREEDOM = 4
"""Effective degrees of freedom with fewer of which two models are not tested."""

MIN_EVENTS_OF_CORRECTED = 100
"""Times that an event happens from which its bias-corrected error is shown: that of rarer ones is mostly noise."""

_LABELS_AT_A_TIME = 16
"""Labels compared at a time."""

_RESAMPLES_AT_A_TIME = 1024
"""Resamples drawn at a time."""


@dataclass(frozen=True, slots=True)
class LabelComparison:
    """Two models' calibration on one label."""

    label: str
    positives: int
    error_first: float
    """Calibration error of the first model (Algorithm 1)."""
    error_second: float
    interval_first: Interval
    """Algorithm 2's interval of the first model's error."""
    interval_second: Interval
    corrected_first: float
    """Bias-corrected calibration error over bins that follow from the pairs; NaN for less frequent labels."""
    corrected_second: float
    squared_first: float
    """Squared calibration error minus its sampling bias; negative where there is nothing but noise."""
    squared_second: float
    p_value: float
    """Two-sided, for equal squared errors; NaN where there are too few events or units."""


def compare_labels(
    columns: Iterable[tuple[str, np.ndarray, np.ndarray, np.ndarray]],
    unit: np.ndarray,
    *,
    bin_size: int,
    samples: int,
    replicates: int,
    seed: int,
) -> Iterator[LabelComparison]:
    """Yield the comparison of two models for each label.

    Parameters
    ----------
    columns : iterable of (label, q_first, q_second, y)
        Both models' predictions, float64 `(N,)`, of the same N events, and whether they happened, bool `(N,)`.
    unit : ndarray, shape (N,), int
        Codes 0 … U − 1 of the independent units that the events come from.
    bin_size : int
        Target bin size β of Algorithm 1.
    samples : int
        Draws S of Algorithm 2, a parametric bootstrap.
    replicates : int
        Bootstrap replicates B. The smallest p-value is 1 / (B + 1).
    seed : int
        Seed of both; the resampled units are the same for all labels.
    """
    units = int(unit.max()) + 1
    rng = generator(seed, "comparison")
    resampled = np.empty((replicates, units), np.float32)  # the largest array here: 4 bytes a replicate and unit
    for start in range(0, replicates, _RESAMPLES_AT_A_TIME):
        block = resampled[start : start + _RESAMPLES_AT_A_TIME]
        block[:] = rng.multinomial(units, np.full(units, 1 / units), size=len(block))
    held_units = np.count_nonzero(np.bincount(unit))
    columns = iter(columns)
    while labels := list(islice(columns, _LABELS_AT_A_TIME)):
        sides = [[_Side(q, y, unit, units, bin_size) for q in predictions] for _, *predictions, y in labels]
        errors = _resampled_errors([side for pair in sides for side in pair], resampled)
        for (label, _, _, y), (first, second), error_first, error_second in zip(
            labels, sides, errors[0::2], errors[1::2], strict=True
        ):
            # A resample adds its own noise to both squared errors; centring takes off what that adds on average.
            difference = error_first - error_second
            difference -= difference.mean()
            difference *= _scale(first, second, float(difference.var()))
            extreme = np.count_nonzero(np.abs(difference) >= abs(first.squared - second.squared))
            freedom = _freedom(first, second, y, unit)
            tested = (
                not too_few_events(int(np.count_nonzero(y)), y.size)
                and held_units >= MIN_EFFECTIVE_UNITS_TO_TEST
                and freedom >= MIN_EFFECTIVE_FREEDOM
            )
            yield LabelComparison(
                label=label,
                positives=int(np.count_nonzero(y)),
                error_first=first.error,
                error_second=second.error,
                interval_first=report_interval(first.bins, label, samples=samples, seed=seed),
                interval_second=report_interval(second.bins, label, samples=samples, seed=seed),
                corrected_first=_corrected(first.pairs),
                corrected_second=_corrected(second.pairs),
                squared_first=first.squared,
                squared_second=second.squared,
                p_value=_student((1 + extreme) / (1 + replicates), freedom) if tested else np.nan,
            )


def _corrected(pairs: SortedPairs) -> float:
    if np.count_nonzero(pairs.y) < MIN_EVENTS_OF_CORRECTED:
        return np.nan
    # Only the recommended bins are used, not the bin size.
    error = bias_corrected_error(pairs, Settings())
    return float(max(error.value[0], 0.0) ** 0.5)


def _scale(first: _Side, second: _Side, resampled: float) -> float:
    """Return by what to multiply resampled differences, whose variance is `resampled`, for the spread of the estimate.

    The variance of the estimate is that of a part linear in the residuals, L, and of one quadratic in them, Q.
    Resamples are drawn around residuals that contain noise already: their linear part varies by L + 2Q, they by L + 3Q,
    and the jackknife by L + 2Q. The larger of the two variances that follow is used.
    """
    if resampled <= 0:
        return 1.0
    one, other = first.kernel, second.kernel
    across = np.sum((one.T @ one) ** 2) + np.sum((other.T @ other) ** 2) - 2 * np.sum((one.T @ other) ** 2)
    within = np.sum((np.sum(one**2, axis=1) - np.sum(other**2, axis=1)) ** 2)
    quadratic = max(2 * float(across - within), 0.0)
    left_out = first.left_out() - second.left_out()
    units = left_out.size
    jackknife = (units - 1) / units * float(np.sum((left_out - left_out.mean()) ** 2))
    return (max(resampled - 2 * quadratic, jackknife - quadratic, quadratic) / resampled) ** 0.5


def _freedom(first: _Side, second: _Side, y: np.ndarray, unit: np.ndarray) -> float:
    """Return the degrees of freedom of the variance over units, from both models' residuals."""
    residual = y - (first.q + second.q) / 2
    count = np.bincount(unit).astype(np.float64)
    totals, squares = (np.bincount(unit, weights=values) for values in (residual, residual**2))
    held = count > 0
    table = np.zeros(np.count_nonzero(held), np.int64)
    return float(effective_freedom(table, count[held], totals[held], squares[held], 1)[0])


def _student(p_value: float, freedom: float) -> float:
    """Return the two-sided p-value of Student's t at the normal deviate that has `p_value`."""
    return float(min(2 * special.stdtr(freedom, special.ndtri(p_value / 2)), 1.0))


def _resampled_errors(sides: list[_Side], resampled: np.ndarray) -> list[np.ndarray]:
    """Return for each side the squared calibration errors `(B,)` of data with unit u `resampled[b, u]` times."""
    # One product for many labels reads the large matrix of resamples once, not once a label.
    parts = [part.T for side in sides for part in (side.residual, side.size)]
    sums = np.concatenate(parts).astype(np.float32) @ resampled.T
    errors, start = [], 0
    for side in sides:
        bins = side.size.shape[1]
        residual, size = sums[start : start + bins], sums[start + bins : start + 2 * bins]
        squares = residual**2 / np.maximum(size, 1)  # a bin without rows has no residuals
        errors.append(squares.sum(axis=0, dtype=np.float64) / size.sum(axis=0, dtype=np.float64))
        start += 2 * bins
    return errors


def label_comparison_rows(comparisons: Iterable[LabelComparison], *, first: str, second: str) -> list[dict]:
    """Return a table with one row per label, by decreasing frequency, with adjusted p-values and the better model.

    `p_fdr` controls the share of false findings (Benjamini & Hochberg 1995), `p_holm` the chance of any. `better` is
    the model of smaller squared error if `p_value` is below .05, else empty; `better_fdr` and `better_holm` likewise.
    `better_published` is the model of smaller error if the intervals of Algorithm 2 do not overlap, which is as near
    as one can come to what the paper may have done; it has no error rate. Labels that are not tested have no p-values.
    """
    rows = sorted(comparisons, key=lambda row: (-row.positives, row.label))
    p_values = adjusted(np.array([row.p_value for row in rows]))
    table = []
    for number, row in enumerate(rows):
        winner = first if row.squared_first < row.squared_second else second
        p = {name: float(values[number]) for name, values in p_values.items()}
        ends = {first: row.interval_first, second: row.interval_second}
        apart = [one for one, other in ((first, second), (second, first)) if ends[one].high < ends[other].low]
        table.append(
            {
                "label": row.label,
                "positives": row.positives,
                f"error_{first}": row.error_first,
                f"low_{first}": row.interval_first.low,
                f"high_{first}": row.interval_first.high,
                f"error_{second}": row.error_second,
                f"low_{second}": row.interval_second.low,
                f"high_{second}": row.interval_second.high,
                f"corrected_{first}": None if np.isnan(row.corrected_first) else row.corrected_first,
                f"corrected_{second}": None if np.isnan(row.corrected_second) else row.corrected_second,
                f"squared_{first}": row.squared_first,
                f"squared_{second}": row.squared_second,
                **{name: None if np.isnan(value) else value for name, value in p.items()},
                "better_published": "".join(apart),
                "better": winner if p["p_value"] < 0.05 else "",
                "better_fdr": winner if p["p_fdr"] < 0.05 else "",
                "better_holm": winner if p["p_holm"] < 0.05 else "",
            }
        )
    return table


def columns_of_comparison(models: Sequence[str]) -> dict[str, type | UnionType]:
    """Return the types of the columns of `label_comparison_rows`, for `typed_csv.read_columns`."""
    measured = ("error", "low", "high", "squared")
    return {
        "label": str,
        "positives": int,
        **{f"{name}_{model}": float for model in models for name in measured},
        **{f"corrected_{model}": float | None for model in models},
        **dict.fromkeys(("p_value", "p_fdr", "p_holm"), float | None),
    }


def averaged_interval(rows: Sequence[Mapping[str, Any]], model: str) -> tuple[float, float, float]:
    """Return a model's mean error over labels, `label_comparison_rows`, with its interval's ends (paper, Figure 4).

    The ends of labels' intervals are averaged, and half of their width falls with the root of the number of labels, as
    if these were independent. Algorithm 2 centres an interval above the estimate, and so does an average of them.
    """
    error, low, high = (np.array([row[f"{name}_{model}"] for row in rows]) for name in ("error", "low", "high"))
    centre = (low + high).mean() / 2
    half = np.sqrt(np.sum((high - low) ** 2)) / 2 / len(rows)
    return float(error.mean()), float(centre - half), float(centre + half)


def count_better(rows: Sequence[Mapping[str, Any]], models: Sequence[str]) -> dict:
    """Return in how many labels which model is better, and mean errors, over `rows` of `label_comparison_rows`.

    P-values are adjusted anew, for these labels alone: how many tests there are is part of the question. `tested` are
    the labels with enough events, `by_chance` the number of them expected at p < .05 if the models did not differ.
    """
    p_values = adjusted(np.array([row["p_value"] for row in rows], np.float64))
    squared = {model: np.array([row[f"squared_{model}"] for row in rows]) for model in models}
    first, second = models
    winner = np.where(squared[first] < squared[second], first, second)
    tested = int(np.count_nonzero(~np.isnan(p_values["p_value"])))
    counts: dict = {"labels": len(rows), "tested": tested, "by_chance": round(0.05 * tested, 2)}
    for model in models:
        counts[f"{model}_error"] = float(np.mean([row[f"error_{model}"] for row in rows]))
    for model in models:
        counts[f"{model}_better_published"] = sum(row["better_published"] == model for row in rows)
        for name, values in zip(("better", "better_fdr", "better_holm"), p_values.values(), strict=True):
            counts[f"{model}_{name}"] = int(np.count_nonzero((values < 0.05) & (winner == model)))
    return counts


class _Side:
    """One model's residuals on one label, summed by unit and bin."""

    def __init__(self, q: np.ndarray, y: np.ndarray, unit: np.ndarray, units: int, bin_size: int) -> None:
        self.q = q
        order = canonical_order(q, y)  # sums must not depend on the order of rows within a cell
        self.pairs = SortedPairs.in_order(q[order], y[order], unit[order])
        starts = self.pairs.adaptive_starts(bin_size)
        self.bins = self.pairs.summarise(starts)
        self.error = root_mean_square(self.bins)
        # Cuts move to the start of a run of ties, so that no row's side depends on the order of rows.
        cuts = np.unique(self.pairs.run(starts[1:])[0])
        shape = (units, cuts.size + 1)
        cells = units * (cuts.size + 1)
        cell = unit[order] * (cuts.size + 1) + np.repeat(
            np.arange(cuts.size + 1), np.diff(cuts, prepend=0, append=q.size)
        )
        self.residual = np.bincount(cell, weights=self.pairs.q - self.pairs.y, minlength=cells).reshape(shape)
        self.size = np.bincount(cell, minlength=cells).reshape(shape).astype(np.float64)
        total = self.size.sum(axis=0)
        mean = np.divide(self.residual.sum(axis=0), total, out=np.zeros(total.size), where=total > 0)
        deviation = self.residual - self.size * mean
        weight = np.divide(1.0, total, out=np.zeros(total.size), where=total > 0)
        self.kernel = deviation * np.sqrt(weight / total.sum())
        """float64 (U, T): products of two units' rows sum to what both add to the squared error together."""
        noise = np.sum(deviation**2, axis=0)
        noise = np.divide(noise, total, out=np.zeros(total.size), where=total > 0)
        self.squared = float((np.sum(total * mean**2) - noise.sum()) / total.sum())

    def left_out(self) -> np.ndarray:
        """Return the squared error over bins without each unit, float64 `(U,)`."""
        size = self.size.sum(axis=0) - self.size
        residual = self.residual.sum(axis=0) - self.residual
        squares = np.divide(residual**2, size, out=np.zeros_like(size), where=size > 0)
        return squares.sum(axis=1) / np.maximum(size.sum(axis=1), 1.0)
