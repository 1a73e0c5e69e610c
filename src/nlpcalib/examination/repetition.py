"""Rows that stand several times: by their ids, or by their content where chance does not explain it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.level import MIN_ROWS, MIN_SHARE, SURPRISE, alarm_z
from nlpcalib.tables.spellings import is_number

ONE_UNIT, COUNTED_SEVERALLY = "they are one unit", "they count as several"
"""What becomes of rows that stand several times."""
MAX_ROWS_OF_ALL_COLUMNS = 200_000
"""Rows up to which all columns are read, to find rows that stand several times."""
GROUPS_PER_BLOCK = 8
"""Distinct predictions next to each other, among whose rows the other columns are exchanged."""

CodedColumn = tuple[np.ndarray, Sequence[str]]
"""A column as int codes (N,) and its distinct values as texts."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Rows of which several are one."""

    codes: np.ndarray
    """int32 (N,): which one each row is."""
    names: tuple[str, ...]
    """Names of the distinct ones, sorted."""
    finding: InputFinding


def repeated_ids(codes: np.ndarray, names: Sequence[str], effect: str = ONE_UNIT) -> Repetition:
    """Return rows of one id, from int32 codes (N,) of ids that stand several times."""
    sentence = f"{codes.size - len(names):,} of {codes.size:,} rows have the id of another: {effect}"
    return Repetition(codes, tuple(names), InputFinding("id", sentence, code="repeated_id"))


def second_readings(q: np.ndarray, y: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return the rows whose label differs from that of an earlier row with the same id and prediction, int64, sorted.

    Most ids that repeat have one prediction each: they are items that were labelled again. Otherwise they name
    documents of several predictions, and no row is returned. `q` is float64 (N,) or (N, K), `y` (N,), `codes` the ids.
    """
    _, first, place, counts = np.unique(codes, return_index=True, return_inverse=True, return_counts=True)
    changes = (q != q[first[place]]).reshape(len(q), -1).any(axis=1)
    several = np.bincount(place[changes], minlength=len(first)) > 0
    if np.count_nonzero(several & (counts > 1)) > np.count_nonzero(counts > 1) / 2:
        return np.empty(0, np.int64)
    return np.flatnonzero((y != y[first[place]]) & ~several[place])


def find_repetition(q: np.ndarray, columns: Iterable[CodedColumn] = (), effect: str = ONE_UNIT) -> Repetition | None:
    """Return rows that are equal in the predictions (N,) or (N, K) and all other columns; None if chance explains them.

    `effect` is what becomes of them, in words. Columns are read only if enough predictions repeat.
    """
    group = copies(q, columns)
    if group is None:
        return None
    units = int(group.max()) + 1
    sentence = (
        f"{group.size - units:,} of {group.size:,} rows are equal to another in every column, more than chance allows: "
        f"{effect}"
    )
    names = tuple(f"{number:0{len(str(units))}}" for number in range(units))
    return Repetition(group.astype(np.int32), names, InputFinding("rows", sentence, code="repeated_rows"))


def copies(q: np.ndarray, columns: Iterable[CodedColumn]) -> np.ndarray | None:
    """Return the group of each row, int64 (N,), equal in all columns, if more rows are equal than chance allows.

    Rows with predictions next to each other exchange the values of the other columns, at random. Where equal
    predictions alone made rows equal, as on a coarse grid, about as many are expected to stay equal.

    Parameters
    ----------
    q : ndarray, shape (N,) or (N, K)
        Predictions.
    columns : iterable of (codes, names)
        All other columns. Numbers that are a function of the prediction, such as 1 − q, add nothing, and ids, one word
        in each row and no two alike, are passed over.
    """
    rows = len(q)
    if rows < MIN_ROWS:
        return None
    ordered = np.sort(q.reshape(rows, -1)[:, 0])
    if np.count_nonzero(ordered[1:] == ordered[:-1]) < MIN_SHARE * rows:
        return None
    _, group = np.unique(q, axis=0 if q.ndim == 2 else None, return_inverse=True)
    distinct = int(group.max()) + 1
    other = np.zeros(rows, np.int64)
    for codes, names in columns:
        if len(names) == rows and not any(map(_has_blanks, names)):
            continue  # an id, which copies may have of their own
        if len(names) > distinct / 2 and crossed(group, codes)[2].size == distinct and all(map(is_number, names)):
            continue
        _, other, _ = crossed(other, codes)
    _, cell, counts = crossed(group, other)
    times = int(np.gcd.reduce(counts))
    if times > 1 and counts.size * np.log(2) > SURPRISE:  # the whole table stands several times
        order = np.argsort(cell, kind="stable")
        rank = np.empty(rows, np.int64)
        rank[order] = np.arange(rows) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.unique(cell * rows + rank % (counts // times)[cell], return_inverse=True)[1]
    equal = rows - counts.size
    if not other.any() or equal < max(MIN_SHARE * rows, 2):
        return None
    by_chance = rows - expected_cells(group, other)
    noise = np.sqrt(max(rows - distinct - by_chance, 1.0))
    if equal - by_chance <= max(MIN_SHARE * rows, alarm_z() * noise):
        return None
    return cell


def repeated_run(q: np.ndarray, columns: Iterable[CodedColumn]) -> list[InputFinding]:
    """Return the sign of a run of rows that stands again, row by row, among rows of units that are named.

    Rows are equal in the predictions (N,) or (N, K), their unit and all other columns. A run has `MIN_ROWS` different
    rows or more: single rows of a unit may well be equal.
    """
    if len(q) > MAX_ROWS_OF_ALL_COLUMNS:
        return []
    _, cell = np.unique(q, axis=0 if q.ndim == 2 else None, return_inverse=True)
    for codes, _ in columns:
        _, cell, _ = crossed(cell.reshape(-1), codes)
    order = np.argsort(cell, kind="stable")
    lags = np.bincount(np.diff(order)[cell[order[1:]] == cell[order[:-1]]])
    lags[:MIN_ROWS] = 0  # a run of so many different rows does not stand again before
    least = max(MIN_ROWS, MIN_SHARE * len(q))
    # Of a run that stands again, the rows in between may have some equal ones.
    for lag in np.flatnonzero(lags >= least / 2).tolist():
        edges = np.flatnonzero(np.diff(np.concatenate([[False], cell[lag:] == cell[:-lag], [False]])))
        first, stop = max(edges.reshape(-1, 2).tolist(), key=lambda run: run[1] - run[0])
        rows = min(stop - first, lag)
        if rows >= least and np.unique(cell[first:stop]).size >= MIN_ROWS:
            again = f"rows {first + lag + 1:,} to {first + lag + rows:,}"
            sentence = f"{again} are rows {first + 1:,} to {first + rows:,} again: pasted twice?"
            return [InputFinding("rows", sentence, code="repeated_run", rows=(first, first + lag))]
    return []


def _has_blanks(name: str) -> bool:
    return len(name.split()) > 1


def crossed(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the value of `one` in each cell of two codings (N,), the cell of each row (N,), and the rows of each cell.

    Cells are in the order of `one`, then of `other`.
    """
    levels = int(other.max()) + 1
    joint = one.astype(np.int64) * levels + other
    if joint.max() > 2 * joint.size:
        found, cell, counts = np.unique(joint, return_inverse=True, return_counts=True)
        return found // levels, cell, counts
    counts = np.bincount(joint)
    found = np.flatnonzero(counts)
    return found // levels, (np.cumsum(counts > 0) - 1)[joint], counts[found]


def expected_cells(group: np.ndarray, other: np.ndarray) -> float:
    """Return how many cells are expected if the values of `other` (N,) are exchanged within blocks of groups (N,).

    A value of m of the n rows of a block is in none of the k rows of a group with the hypergeometric probability
    (n - m)! (n - k)! / ((n - m - k)! n!).
    """
    block = group // GROUPS_PER_BLOCK
    sizes = np.zeros((int(block.max()) + 1, GROUPS_PER_BLOCK), np.int64)
    sizes.flat[: int(group.max()) + 1] = np.bincount(group)
    at, _, m = crossed(block, other)
    n = sizes.sum(axis=1)[at]
    log_factorial = np.append(0.0, np.cumsum(np.log(np.arange(1, n.max() + 1))))
    expected = 0.0
    for each in range(GROUPS_PER_BLOCK):
        k = sizes[at, each]
        left = n - m - k
        none = log_factorial[n - m] + log_factorial[n - k] - log_factorial[left] - log_factorial[n]
        expected += np.where(left < 0, 1.0, -np.expm1(none)).sum()
    return float(expected)
