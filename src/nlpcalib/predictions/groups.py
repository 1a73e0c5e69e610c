"""What rows are grouped by: columns of a table, or arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import Categories
from nlpcalib.errors import InputError, argument, report_findings
from nlpcalib.examination.alike import examine_alike
from nlpcalib.predictions.predictions import Predictions
from nlpcalib.tables.names import joined_names, split_names
from nlpcalib.tables.periods import UNITS, period_column

NO_GROUP = "(empty)"
"""The group of rows without a value in a column that groups."""


@dataclass(frozen=True)
class Grouping:
    """What rows are grouped by."""

    names: tuple[str, ...] = ()
    """K columns; none for all rows alone."""
    keys: Sequence[tuple[str, ...]] = ()
    """The group of each row, K texts; empty without columns."""

    @property
    def categories(self) -> Categories:
        """The group of each row by one name."""
        place = {key: code for code, key in enumerate(dict.fromkeys(self.keys))}
        return Categories.of(np.array([place[key] for key in self.keys], np.int64), list(map(joined_names, place)))

    @property
    def longer_periods(self) -> str:
        """What to group by for more labels in each group, as an argument; nothing where groups are no periods."""
        unit, column = (period_column(self.names[-1]) if self.names else None) or ("", "")
        longer = dict(pairwise(UNITS)).get(unit)
        return "" if longer is None else argument("by", joined_names((*self.names[:-1], f"{longer}({column})")))


def _names_in(data: Predictions, by: str) -> list[str]:
    """Return the names of columns in a text, with commas; or the text, where a column has it as its name."""
    names = split_names(by)
    if len(names) > 1:
        with suppress(InputError):
            data.column(by)
            return [by]
    return names


def grouping_of(data: Predictions, by: Any) -> Grouping:
    """Return the groups that `by` makes: names of columns, with commas in a text; or values of each row, or several."""
    if by is None or (isinstance(by, str) and not by) or (not isinstance(by, str) and not len(by)):
        return Grouping()
    named: dict[str, Sequence[str]]
    if isinstance(by, Mapping):
        named = {str(name): [str(each) for each in values] for name, values in by.items()}
    elif isinstance(by, str) or (all(isinstance(each, str) for each in by) and len(by) != len(data)):
        names = _names_in(data, by) if isinstance(by, str) else list(by)
        named = {name: data.column(name) for name in names if name}
    else:
        named = {"by": [str(each) for each in by]}
    findings = []
    for name, column in named.items():
        if len(column) != len(data):
            raise InputError(f"by: found {len(column):,} values of {name}, expected {len(data):,}")
        distinct = dict.fromkeys(column)
        findings += examine_alike(list(distinct), name)
        if NO_GROUP in distinct and not all(map(str.strip, distinct)):
            raise InputError(
                f"{data.place}, {argument('by', name)}: found empty groups and {NO_GROUP!r}, expected one of them"
            )
    report_findings(findings, f"{data.place}, {argument('by')}")
    return Grouping(tuple(named), keys_of(named.values()))


def keys_of(columns: Iterable[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the group of each row, K texts, from K columns."""
    return list(zip(*map(_filled, columns), strict=True))


def _filled(column: Sequence[str]) -> Sequence[str]:
    named = {value: value if value.strip() else NO_GROUP for value in dict.fromkeys(column)}
    return column if NO_GROUP not in named.values() else [named[value] for value in column]
