"""One test of labels against predictions: do labels follow their own prediction?

Under calibration labels y have the covariance of the predictions q with any score x of them, here their ranks; the
correlation is *promised*, and the one with labels is *found*, both in standard errors. Models may keep much less than
what they promise, so a correlation is *missing* where less than `LITTLE_SKILL` of it is found, at the level of all
signs. The same test is asked of all rows (rows in another order), of parts of them (contradicted, shuffled, filled from
above), and, by partial correlation, of the predictions of other rows (a column that slipped).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from nlpcalib.examination.level import MIN_ROWS, SURPRISE, alarm_z

LITTLE_SKILL = 0.3
"""Share of the promised correlation that even a poor model keeps."""
MIN_PROMISED_CORRELATION = 0.4
"""Promised correlation below which a model without any skill is ordinary."""
MAX_SHIFT = 3
"""Rows by which a column may be too low or too high."""
MAX_STEP = 12
"""Every k-th row is a part up to this k."""
MAX_ROWS_BY_NEIGHBOUR = 30_000
"""Rows at the beginning that show whether a column slipped, or every k-th label is wrong."""


def scores(q: np.ndarray) -> np.ndarray:
    """Return the ranks of predictions (N,), so that few large ones do not decide; of many rows the predictions."""
    if q.size > MAX_ROWS_BY_NEIGHBOUR:
        return q
    ordered = np.sort(q)
    return np.searchsorted(ordered, q, "left") + np.searchsorted(ordered, q, "right") + 0.0


def correlation_z(x: np.ndarray, y: np.ndarray, q: np.ndarray | None = None) -> tuple[float, float]:
    """Return the correlation of scores (n,) and labels (n,) in standard errors: found, and promised by q (n,), or x.

    Both are NaN where the scores do not vary.
    """
    return _z_of(_sums(x, y, x if q is None else q))


def is_missing(found: float, promised: float, rows: int) -> bool:
    """Return whether labels of so many rows do not follow predictions that promise it."""
    enough = promised > MIN_PROMISED_CORRELATION * np.sqrt(rows)
    return bool(enough and found < LITTLE_SKILL * promised - alarm_z())


def shifted_labels(q: np.ndarray, y: np.ndarray) -> str | None:
    """Return where the predictions (N,) stand that labels (N,) follow, in words, if that is another row.

    A column may have slipped by up to `MAX_SHIFT` rows, or be reversed. Each of the two predictions is compared given
    the other one, by partial correlation, so that nothing is found where neighbours are alike, such as in sorted rows.
    """
    q, y = q[:MAX_ROWS_BY_NEIGHBOUR], y[:MAX_ROWS_BY_NEIGHBOUR]
    if y.size < MIN_ROWS or q.min() == q.max():
        return None
    x = scores(q)
    shifts = [each for shift in range(1, MAX_SHIFT + 1) for each in (shift, -shift)]
    best, place = alarm_z(len(shifts) + 1), None
    for shift in (*shifts, 0):
        own, other, of = x, x[::-1], y
        if shift > 0:
            own, other, of = x[shift:], x[:-shift], y[shift:]
        elif shift < 0:
            own, other, of = x[:shift], x[-shift:], y[:shift]
        if np.count_nonzero(own != other) < MIN_ROWS:  # sorted rows differ from their neighbours in few places
            continue
        follows, keeps = _partial_z(other, own, of)
        if follows - abs(keeps) > best:
            best = follows - abs(keeps)
            rows = "row" if abs(shift) == 1 else "rows"
            place = f"{abs(shift)} {rows} {'above' if shift > 0 else 'below'}" if shift else "in reversed order"
    return place


def shifted_among_labels(q: np.ndarray, y: np.ndarray, label: np.ndarray) -> str | None:
    """Return where the predictions stand that labels (N,) follow, as `shifted_labels` does, among rows of one label.

    Where each item has a row for each label, int (N,), a column that slipped by an item slips by one row of a label.
    Predictions are compared by their ranks within a label, so that frequent and rare ones are alike.
    """
    q, y, label = q[:MAX_ROWS_BY_NEIGHBOUR], y[:MAX_ROWS_BY_NEIGHBOUR], label[:MAX_ROWS_BY_NEIGHBOUR]
    within = np.empty(q.size)
    order = np.argsort(label, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        within[rows] = scores(q[rows]) / rows.size
    return shifted_labels(within[order], y[order])


def odd_part(q: np.ndarray, y: np.ndarray) -> str | None:
    """Return in which part of the rows labels (N,) do not follow predictions (N,), in words; in the others they do.

    Parts are halves, quarters, every k-th row up to `MAX_STEP`, and the rows with the prediction of the row above. The
    correlation in a part is compared with what the other rows keep of their promise.
    """
    if q.size < MIN_ROWS or y.min() == y.max():
        return None
    x, y = scores(q), y.astype(np.float64)
    whole, parts = _sums(x, y, q), list(_parts(q))
    rarer = min(y.mean(), 1 - y.mean())
    most, sentence = alarm_z(len(parts)), None
    for name, part in parts:
        inside = _sums(x[part], y[part], q[part])
        found, promised = _z_of(inside)
        others, promised_by_others = _z_of(whole - inside)
        events = inside[0] * rarer
        if not others > alarm_z() or not promised > 0 or events < MIN_ROWS:
            continue
        if isinstance(part, slice) and part.step is None and y[part].min() == y[part].max():
            continue  # equal labels stand together where rows are sorted by them; `long_run` examines others
        expected = others / promised_by_others * promised
        error = np.hypot(1, promised / promised_by_others)
        if found < LITTLE_SKILL * expected and expected - found > most * error:
            most = (expected - found) / error
            sentence = f"labels {'contradict' if found < -alarm_z() else 'do not follow'} {{}} in {name}"
    return sentence


def long_run(q: np.ndarray, y: np.ndarray) -> tuple[int, int, int, float] | None:
    """Return first row, rows, label and expected others of a run of equal labels that chance does not explain.

    The expected number is the sum of predictions (or of 1 − q) in the run, scaled to the rest of the table. The rest
    has to alternate as labels in any order do: a table that is sorted by its labels has no such run.
    """
    n = q.size
    edges = np.flatnonzero(y[1:] != y[:-1]) + 1
    if edges.size < MIN_ROWS:
        return None
    starts = np.concatenate([[0], edges])
    lengths = np.diff(starts, append=n)
    longest = int(np.argmax(lengths))
    first, rows = int(starts[longest]), int(lengths[longest])
    label = int(y[first])
    rest = n - rows
    of_others = (n - y.sum() if label else y.sum()) / rest
    alternations = 2 * of_others * (1 - of_others) * rest
    if edges.size < alternations - alarm_z() * np.sqrt(alternations):
        return None
    against = 1 - q if label else q
    inside = against[first : first + rows].sum()
    outside = against.sum() - inside
    if outside <= 0:
        return None
    expected = min(inside / outside * of_others * rest, inside)
    # Twice, since events of neighbouring rows may go together.
    return (first, rows, label, float(expected)) if expected > 2 * SURPRISE else None


def decided_part(q: np.ndarray, y: np.ndarray) -> tuple[str, float] | None:
    """Return where all labels (N,) are the likelier ones by q (N,), in words, and the expected others.

    It is a run of rows, or every k-th row: by the errors in the other rows, chance does not explain it. Every k-th row
    with one label alone is that of a class that never occurs.
    """
    likelier, doubt = q > 1 - q, np.minimum(q, 1 - q)
    wrong = likelier != y.astype(np.bool_)
    if run := _run_of_decisions(doubt, wrong, y):
        first, rows, others = run
        return f"rows {first + 1:,} to {first + rows:,}", others
    errors, doubts = np.count_nonzero(wrong), doubt.sum()
    for name, part in _every(q.size) if q.size >= MIN_ROWS else ():
        inside = doubt[part].sum()
        if wrong[part].any() or doubts <= inside or y[part].min() == y[part].max():
            continue
        expected = min(errors * inside / (doubts - inside), inside)
        if expected > 2 * SURPRISE:
            return name, float(expected)
    return None


def _run_of_decisions(doubt: np.ndarray, wrong: np.ndarray, y: np.ndarray) -> tuple[int, int, float] | None:
    """Return first row, rows and expected errors of a run without errors; rows in order have such runs honestly."""
    run = long_run(doubt, wrong)
    if run is None or run[2]:
        return None
    first, rows, _, others = run
    inside = y[first : first + rows].astype(np.bool_)
    changes, positive = np.count_nonzero(inside[1:] != inside[:-1]), inside.mean()
    row = np.arange(y.size)
    place, _ = correlation_z(doubt, (row >= first) & (row < first + rows), doubt)
    in_order = changes < rows * positive * (1 - positive) or abs(place) > alarm_z()
    return None if in_order or not correlation_z(doubt, wrong)[0] > 2 else (first, rows, others)


def _parts(q: np.ndarray) -> Iterator[tuple[str, slice | np.ndarray]]:
    n = q.size
    above = np.append(False, q[1:] == q[:-1])
    again = np.count_nonzero(above)
    if MIN_ROWS <= again <= n / 2:
        counts = np.unique(q, return_counts=True)[1]
        by_chance = float(np.dot(counts, counts / n))
        if again > by_chance + alarm_z() * np.sqrt(by_chance):
            yield f"{again:,} rows, which repeat the row above", above
    yield from _every(n)
    for count in (2, 4):
        for start, stop in pairwise(n * k // count for k in range(count + 1)):
            yield f"rows {start + 1:,} to {stop:,}", slice(start, stop)


def _every(n: int) -> Iterator[tuple[str, slice]]:
    """Yield the parts of the first of n rows that are every k-th of them, with their names."""
    names = {2: "second", 3: "third"}
    for step in range(2, MAX_STEP + 1):
        for first in range(step):
            name = f"every {names.get(step, f'{step}th')} row, from row {first + 1} on"
            yield name, slice(first, min(n, MAX_ROWS_BY_NEIGHBOUR), step)


def _sums(x: np.ndarray, y: np.ndarray, q: np.ndarray) -> np.ndarray:
    return np.array([q.size, x.sum(), np.dot(x, x), y.sum(), np.dot(x, y), q.sum(), np.dot(x, q)])


def _z_of(sums: np.ndarray) -> tuple[float, float]:
    """Return the correlation that is found, and the one that is promised, in standard errors, from sums."""
    n, x, of_squares, y, of_labels, q, of_promises = sums
    if not n:
        return np.nan, np.nan
    spread, rate, expected = of_squares - x * x / n, y / n, q / n
    if spread <= np.finfo(float).eps * of_squares or not 0 < expected < 1:
        return np.nan, np.nan
    of_promise = expected * (1 - expected)
    of_y = rate * (1 - rate) or of_promise  # where labels are all alike
    found = (of_labels - x * y / n) / np.sqrt(spread * of_y)
    return float(found), float((of_promises - x * q / n) / np.sqrt(spread * of_promise))


def _partial_z(other: np.ndarray, own: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the partial correlations of labels (n,) with each of two scores, given the other one."""
    if own.min() == own.max() or other.min() == other.max() or y.min() == y.max():
        return 0.0, 0.0
    together = np.corrcoef([other, own, y])
    alike, follows, keeps = together[0, 1], together[0, 2], together[1, 2]
    free = 1 - alike**2
    if free <= np.finfo(float).eps:
        return 0.0, 0.0
    root = np.sqrt(y.size / free)
    given = np.sqrt(max(1 - keeps**2, free)), np.sqrt(max(1 - follows**2, free))
    return (follows - alike * keeps) / given[0] * root, (keeps - alike * follows) / given[1] * root
