"""The calibration of every label of a table, all in one pass: a hundred thousand take seconds, not minutes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nlpcalib.blocks import BLOCK_NUMBERS
from nlpcalib.calibration.bands import clustered_bins, noise
from nlpcalib.calibration.bias_corrected import too_few_events
from nlpcalib.calibration.binning import SortedPairs, rows_by_code
from nlpcalib.calibration.cox import cox_line
from nlpcalib.calibration.estimates import PUBLISHED, Settings, bias_corrected_error, default_errors, error_columns
from nlpcalib.calibration.mean_gap import mean_gap
from nlpcalib.calibration.multiple_tests import adjusted


def class_rows(pairs: SortedPairs, label: np.ndarray, names: Sequence[str], settings: Settings) -> list[dict]:
    """Return one row for each label that occurs, as in `by_class.csv`.

    `pairs` are one table, `label`, int `(N,)`, the label of each of them and `names[code]` the names of labels. The
    published columns are, to the bit, those of a label alone, with the draws of a stream of its own. Each
    interval holds for its label alone; `p_fdr` and `p_holm` are p-values of the test `binned` that allow for the number
    of labels.
    """
    order = rows_by_code(label)
    sizes = np.bincount(label, minlength=len(names))
    present, ends = np.flatnonzero(sizes), np.cumsum(sizes)
    rows: list[dict] = []
    first = 0
    while first < present.size:
        begin = ends[present[first]] - sizes[present[first]]
        last = max(int(np.searchsorted(ends[present], begin + BLOCK_NUMBERS, side="right")), first + 1)
        chosen, part = order[begin : ends[present[last - 1]]], present[first:last]
        unit = None if pairs.unit is None else pairs.unit[chosen]
        tables = SortedPairs.in_order(pairs.q[chosen], pairs.y[chosen], unit, sizes[part])
        rows += _rows(tables, [names[code] for code in part.tolist()], settings)
        first = last
    p_values = adjusted(np.array([row["p_value"] for row in rows], np.float64))
    for name, values in p_values.items():
        for row, value in zip(rows, _listed(values), strict=True):
            row[name] = value
    return rows


def _rows(pairs: SortedPairs, names: Sequence[str], settings: Settings) -> list[dict]:
    """Return one row for each table of `pairs`, named by `names`."""
    starts = pairs.adaptive_starts(settings.bin_size)
    bins, table, tables = clustered_bins(pairs, starts), pairs.table_of(starts), pairs.tables.size
    sizes = pairs.table_sizes
    positives = pairs.table_sums(pairs.y.astype(np.int64))

    def mean(values: np.ndarray) -> np.ndarray:
        return np.bincount(table, weights=values, minlength=tables) / sizes

    gap = bins.label_frequency - bins.mean_prediction
    above, squares = mean(bins.size * gap**2 * (gap > 0)), mean(bins.size * gap**2)
    published, chosen = PUBLISHED.by_table(pairs, settings, names), default_errors(pairs, settings, names)
    errors = [error_columns(*both) for both in zip(published, chosen, strict=True)]
    p_value = bias_corrected_error(pairs, Settings()).tail(0.0)
    columns: dict[str, Sequence] = {
        "predicted": list(names),
        "n": sizes.tolist(),
        "positives": positives.tolist(),
        "prevalence": (positives / sizes).tolist(),
        "bins": np.bincount(table, minlength=tables).tolist(),
        **{name: [row[name] for row in errors] for name in errors[0]},
        "p_value": _listed(np.where(too_few_events(positives, sizes), np.nan, p_value)),
        "p_fdr": [None] * tables,
        "p_holm": [None] * tables,
        "error_bins": [estimate.bins for estimate in chosen],
        "noise_floor": np.sqrt(noise(pairs, bins)).tolist(),
        "brier": (pairs.table_sums((pairs.q - pairs.y) ** 2) / sizes).tolist(),
        "refinement": mean(bins.size * bins.label_frequency * (1 - bins.label_frequency)).tolist(),
        "underconfident_share": _listed(np.divide(above, squares, out=np.full(tables, np.nan), where=squares > 0)),
    }
    of_row = np.repeat(np.arange(tables), sizes)
    large = mean_gap(pairs.q, pairs.y, pairs.unit, of_row, tables, level=settings.level)
    for name, values in (("gap", -large.gap), ("gap_low", -large.high), ("gap_high", -large.low)):
        columns[name] = _listed(values)
    for name, values in cox_line(pairs).interval(settings.level).items():
        columns[f"cox_{name}"] = _listed(values)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _listed(values: np.ndarray) -> list[float | None]:
    return [
        None if missing else value for value, missing in zip(values.tolist(), np.isnan(values).tolist(), strict=True)
    ]
