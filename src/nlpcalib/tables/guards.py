"""What a table was taken to be, and what in it leads to plausible wrong answers: each is named in a line.

Sound tables get no warning: a coarse grid repeats rows honestly, and a model may be overconfident.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from nlpcalib.errors import counted
from nlpcalib.tables.columns import Texts, codes_of
from nlpcalib.tables.delimited import is_number
from nlpcalib.tables.distinct import repeated
from nlpcalib.tables.table import Table

_UNITS = re.compile(
    r"(unit|doc|document|sent|sentence|text|article|paragraph|page|post|tweet|message|thread|conversation|dialogue|"
    r"dialog|session|speaker|user|author|patient|participant|respondent|story|chapter|book)(_?(id|no|number|key))?"
)
_LISTED = 5
_FEW = 0.01
"""Share of rows below which copies change no interval that one would notice."""
_BLOCK = 8
"""Distinct predictions next to each other, among whose rows the other columns are exchanged."""
_CELLS = 14
"""Different rows, each of which stands an even number of times in one table of 16,000 at most by chance."""
_DENSE = 4
"""Cells that could be there for each row, up to which they are counted in an array."""
_SURE = 4
"""Standard errors."""
_OPPOSITE = 1.5 * _SURE
_NEAR = 0.001
"""A spike at an end has no other prediction as near to it."""
_FEWEST = 20


def facts(table: Table, used: Collection[str], units: str) -> dict[str, Any]:
    """Return what a table was taken to be: rows, ids, units, what was set aside, and warnings."""
    unused = [name for name in table.names if name and name not in used]
    aside = [counted(table.checked.empty, "empty row")] if table.checked.empty else []
    if unused:
        aside.append(f"columns {', '.join(unused[:_LISTED])}{', …' if len(unused) > _LISTED else ''} (not asked for)")
    notes = list(table.notes)
    if table.checked.spanning:
        notes.append(f"{table.checked.spanning:,} cells span lines")
    ids = "in column id" if "id" in table.names else "none"
    found = {"rows": table.rows, "ids": ids, "units": units, "set_aside": aside}
    return found | {"notes": notes, "warnings": list(dict.fromkeys(table.warnings))}


def lines(found: Sequence[tuple[str, dict[str, Any]]], *, quiet: bool = False) -> list[str]:
    """Return at most five lines for named facts of one or two tables: summaries first, then warnings."""
    summaries = [] if quiet else [f"{name}: {_summary(each)}" for name, each in found]
    warned = [f"warning: {name}: {warning}" for name, each in found for warning in each["warnings"]]
    room = _LISTED - len(summaries)
    if len(warned) > room:
        rest = "; ".join(line.removeprefix("warning: ") for line in warned[room - 1 :])
        warned = [*warned[: room - 1], f"warning: {rest}"]
    return summaries + warned


def _summary(found: dict[str, Any]) -> str:
    parts = [counted(found["rows"], "row"), f"ids: {found['ids']}", f"units: {found['units']}", *found["notes"]]
    if found["set_aside"]:
        parts.append(f"set aside: {', '.join(found['set_aside'])}")
    return "; ".join(parts)


def warn_of_units(table: Table, used: Collection[str], hint: str) -> None:
    """Warn of columns that are called like a unit and repeat, none of which is used; `hint` is how to name one."""
    for name in table.names:
        plain = re.sub(r"[\s.-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)).lower()
        if name not in used and _UNITS.fullmatch(plain):
            values = _distinct(table.read({name: "text"})[name])
            if 1 < values < table.rows:
                table.warnings.append(
                    f"column {name} has {values:,} values in {table.rows:,} rows and is not used: "
                    f"{hint.format(name)} if rows of one are not independent"
                )


def _distinct(column: pa.ChunkedArray) -> int:
    """Return how many values a column has; missing ones do not count."""
    if pa.types.is_string(column.type) and not column.null_count:
        return len(column) - repeated(Texts(column))
    return pc.count_distinct(column).as_py()


def unlabelled_facts(
    table: Table,
    predictions: Sequence[str],
    q: np.ndarray,
    used: Collection[str],
    hint: str,
    units: Sequence[str] = ("unit",),
) -> dict[str, Any]:
    """Return the facts of a table without labels, with the warnings that its predictions (N,) or (N, K) give.

    The first of the columns `units` that the table has names the unit of each row.
    """
    if q.ndim == 2:
        warned_of_decisions(table, "columns of classes have", q)
    elif predictions:
        warn_of_predictions(table, predictions[0], q, None)
    used = {*used, *predictions, *units, "id"}
    if unit := next((name for name in units if name in table.names), None):
        _, names = codes_of(table.read({unit: "category"})[unit], table, "unit", unit)
        return facts(table, used, f"{len(names):,}")
    warn_of_units(table, used, hint)
    ids = table.read({"id": "text"})["id"] if "id" in table.names and "id" not in predictions else None
    repeated_rows(table, predictions, q, ids, "they count as several")
    return facts(table, used, "each row")


def repeated_rows(
    table: Table, predictions: Sequence[str], q: np.ndarray, ids: pa.ChunkedArray | None, effect: str
) -> tuple[np.ndarray, tuple[str, ...]] | None:
    """Return int32 codes (N,) and names of rows with one id, or else of rows that are `copies`; None without any.

    It warns of them, and of the `effect` that they have.
    """
    if ids is not None:
        if _distinct(pc.utf8_trim_whitespace(ids)) == table.rows:
            return None
        codes, names = codes_of(ids, table, "id", "id")
        table.warnings.append(f"{table.rows - len(names):,} of {table.rows:,} rows have the id of another: {effect}")
        return codes, names
    group = copies(table, q, [name for name in table.names if name and name not in predictions])
    if group is None:
        return None
    units = int(group.max()) + 1
    table.warnings.append(
        f"{table.rows - units:,} of {table.rows:,} rows are equal to another in every column, more than chance allows: "
        f"{effect}"
    )
    return group.astype(np.int32), tuple(f"{number:0{len(str(units))}}" for number in range(units))


def copies(table: Table, q: np.ndarray, rest: Sequence[str]) -> np.ndarray | None:
    """Return the group of each row, int64 (N,), equal in all columns, if more rows are equal than chance allows.

    Rows with predictions next to each other exchange the values of the other columns, at random. Where equal
    predictions alone made rows equal, as on a coarse grid, about as many are expected to stay equal.

    Parameters
    ----------
    table : Table
    q : ndarray, shape (N,) or (N, K)
        Predictions.
    rest : sequence of str
        All other columns. Numbers that are a function of the prediction, such as 1 − q, add nothing.
    """
    rows = len(q)
    _, group = np.unique(q.reshape(rows, -1)[:, 0], return_inverse=True)
    if rows < _FEWEST or rows - group.max() - 1 < _FEW * rows:
        return None
    if q.ndim == 2:
        _, group = np.unique(q, axis=0, return_inverse=True)
    distinct = int(group.max()) + 1
    other = np.zeros(rows, np.int64)
    for name in rest:
        codes, names = codes_of(table.read({name: "category"})[name], table, "cell", name)
        if len(names) > distinct / 2 and _joined(group, codes)[2].size == distinct and all(map(is_number, names)):
            continue
        _, other, _ = _joined(other, codes)
    _, cell, counts = _joined(group, other)
    times = int(np.gcd.reduce(counts))
    if times > 1 and counts.size >= _CELLS:  # the whole table stands several times
        order = np.argsort(cell, kind="stable")
        rank = np.empty(rows, np.int64)
        rank[order] = np.arange(rows) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.unique(cell * rows + rank % (counts // times)[cell], return_inverse=True)[1]
    equal = rows - counts.size
    if not other.any() or equal < max(_FEW * rows, 3):
        return None
    by_chance = rows - _expected_cells(group, other)
    noise = np.sqrt(max(rows - distinct - by_chance, 1.0))
    if equal - by_chance <= max(_FEW * rows, _SURE * noise):
        return None
    return cell


def _joined(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the value of `one` in each cell of two codings (N,), the cell of each row (N,), and the rows of each cell.

    Cells are in the order of `one`, then of `other`.
    """
    levels = int(other.max()) + 1
    joint = one.astype(np.int64) * levels + other
    if joint.max() > _DENSE * joint.size:
        found, cell, counts = np.unique(joint, return_inverse=True, return_counts=True)
        return found // levels, cell, counts
    counts = np.bincount(joint)
    found = np.flatnonzero(counts)
    return found // levels, (np.cumsum(counts > 0) - 1)[joint], counts[found]


def _expected_cells(group: np.ndarray, other: np.ndarray) -> float:
    """Return how many cells are expected if the values of `other` (N,) are exchanged within blocks of groups (N,).

    A value of m of the n rows of a block is in none of the k rows of a group with the hypergeometric probability
    (n - m)! (n - k)! / ((n - m - k)! n!).
    """
    block = group // _BLOCK
    sizes = np.zeros((int(block.max()) + 1, _BLOCK), np.int64)
    sizes.flat[: int(group.max()) + 1] = np.bincount(group)
    at, _, m = _joined(block, other)
    n = sizes.sum(axis=1)[at]
    log_factorial = np.append(0.0, np.cumsum(np.log(np.arange(1, n.max() + 1))))
    expected = 0.0
    for each in range(_BLOCK):
        k = sizes[at, each]
        left = n - m - k
        none = log_factorial[n - m] + log_factorial[n - k] - log_factorial[left] - log_factorial[n]
        expected += np.where(left < 0, 1.0, -np.expm1(none)).sum()
    return float(expected)


def warn_of_predictions(table: Table, name: str, q: np.ndarray, y: np.ndarray | None) -> None:
    """Warn of decisions, of missing predictions that are 0 or 1, of the other class's, and of a column sorted alone."""
    if q.size < _FEWEST:
        return
    if warned_of_decisions(table, f"column {name} has", q):
        return
    gaps = np.diff(np.sort(q), append=2.0)
    fine = gaps[gaps > 0].min() <= _NEAR / 10  # on a coarse grid 0 and 1 stand alone
    for end in (0, 1):
        spike, near = q == end, np.abs(q - end) <= _NEAR
        n = int(spike.sum())
        alone = fine and n >= max(_FEW * q.size, 5) and (near & ~spike).sum() < n / 10
        if y is None:
            if alone:
                table.warnings.append(f"column {name} is {end} in {n:,} rows and near it in few: are these missing?")
            continue
        next_to = np.abs(q - end) <= np.quantile(np.abs(q[~spike] - end), 0.2) if n < q.size else spike
        others = next_to & ~spike
        far = _excess(y[spike] != end, y[others] != end) if n and others.any() else 0.0
        if n >= 5 and far > (_SURE / 2 if alone else _SURE - 1):
            table.warnings.append(
                f"column {name} is {end} in {n:,} rows, of which {100 * np.mean(y[spike]):.0f} % are positive, and "
                f"{100 * np.mean(y[others]):.0f} % next to it: are these missing?"
            )
    if y is None or np.isnan(z := _agreement(q, y)):
        return
    if z < -_OPPOSITE:
        table.warnings.append(f"positive labels are rarer where {name} is high: is it of the other class, or swapped?")
    elif z < _SURE - 1 and q.std() / y.std() * np.sqrt(q.size) > _OPPOSITE and (_is_sorted(q) or _is_sorted(y)):
        table.warnings.append(f"labels do not follow {name}, and one is sorted: was it sorted by itself?")


def contradicted(q: np.ndarray, y: np.ndarray) -> bool:
    """Return whether labels (n,), NaN where open, are positive where predictions (n,) are low, beyond all chance."""
    known = ~np.isnan(y)
    return bool(_agreement(q[known], y[known]) < -_OPPOSITE)


def _agreement(q: np.ndarray, y: np.ndarray) -> float:
    """Return the correlation of predictions and labels in standard errors; NaN where either does not vary."""
    if q.size < _FEWEST or q.min() == q.max() or y.min() == y.max():
        return np.nan
    return float(np.corrcoef(q, y)[0, 1] * np.sqrt(q.size))


def warned_of_decisions(table: Table, where: str, q: np.ndarray) -> bool:
    """Warn if predictions (N,) or (N, K) are nothing but 0 and 1."""
    found = bool(((q == 0) | (q == 1)).all())
    if found:
        table.warnings.append(f"{where} nothing but 0 and 1: decisions, where probabilities are expected")
    return found


def _is_sorted(values: np.ndarray) -> bool:
    return bool((values[1:] >= values[:-1]).all() or (values[1:] <= values[:-1]).all())


def _excess(one: np.ndarray, other: np.ndarray) -> float:
    """Return by how many standard errors more of one are true, none unless it is 5 % more."""
    share = (one.sum() + other.sum() + 1) / (one.size + other.size + 2)
    difference = one.mean() - other.mean()
    return difference / np.sqrt(share * (1 - share) * (1 / one.size + 1 / other.size)) if difference > 0.05 else 0.0
