"""Estimates of labels that are numbers in a known range, such as ratings from 1 to 5."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.annotations import Annotations, are_paths, paths_of
from nlpcalib.api.estimation_report import EstimationReport
from nlpcalib.api.items import Grouping, Items, places, value_range
from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import grouped
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.estimation.values import in_range, value_totals
from nlpcalib.sampling.plan import Plan

_DEFAULTS = {"method": "score", "borrow": "none", "readers": "settle"}
"""Options that values have no use for, where they are not None when they are not given."""


def check_values(values: Any, **options: Any) -> tuple[float, float]:
    """Return the ends of a range; `InputError` as `value_range`, and for options that are about yes and no."""
    for name, value in options.items():
        if value is not None and value != _DEFAULTS.get(name):
            raise InputError(f"found {name}= with values=, expected labels of yes and no with it")
    return value_range(values)


def of_values(
    items: Items,
    annotations: Annotations,
    plan: Plan | None,
    grouping: Grouping,
    values: tuple[float, float],
    level: float,
    inputs: Sequence[Any],
) -> EstimationReport:
    """Return the report on the sum and the mean of values, of all items and of groups."""
    sample = replace(annotations.sample, y=places(annotations.sample.y, values, "labels"))
    q = items.frame.q

    def of(names: Sequence[str], group: np.ndarray | None = None) -> list[Estimate]:
        return [in_range(each, *values) for each in value_totals(q, sample, group, names, level=level)]

    [whole] = of([""])
    groups: dict[str, Estimate] = {}
    if grouping.names:
        parts = grouped(grouping.keys)
        groups = {each.group: each for each in of(parts.names, parts.of)}
    files = [path for each in inputs for path in (paths_of(each) if are_paths(each) else [each])]
    return EstimationReport(
        whole, groups, items, grouping, annotations, plan, q, 0.0, False, "none", "score", level,
        inputs=tuple(Path(each) for each in files if isinstance(each, str | Path)), facts=items.facts(grouping.names),
        values=values,
    )  # fmt: skip
