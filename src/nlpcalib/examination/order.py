"""Signs in the order of rows: labels that belong to other rows, rows filled in a run, values taken from the row above.

Each statistic compares rows with their own neighbours, so that a bad model, a drift, or a sorted table is no sign.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

MIN_ROWS_FOR_ORDER = 60
"""Rows from which on their order is examined."""
MAX_SHIFT = 3
"""Rows by which a column may be too low or too high."""
SHIFT_Z = 4.5
"""Standard errors by which labels follow another row's prediction: 3 in 10⁶ by chance, in each of seven rows."""
OPPOSITE_Z = 4.5
"""Standard errors of a negative correlation from which on predictions are of the other class."""
NO_AGREEMENT_Z = 3.0
"""Standard errors of a correlation below which labels do not follow predictions."""
EXPECTED_Z = 10.0
"""Standard errors that the correlation has if predictions are calibrated, from which on its absence is a sign."""
EXPECTED_CORRELATION = 0.4
"""Correlation of calibrated predictions from which on its absence is a sign, and no model without skill."""
LITTLE_SKILL, LITTLE_SKILL_Z = 0.25, 2.6
"""Share of the promised correlation that a model of little skill has, and standard errors by which it is missed."""
MAX_CORRELATION_OF_NEIGHBOURS = 0.3
"""Correlation of neighbouring predictions up to which rows are in no order."""
MIN_LABELS_OF_EACH = 8
"""Labels of each kind from which on a correlation is near normal."""
MIN_LABELS_OF_PART = 80
"""Labels of each kind in a part of the rows, so that few large predictions of a rare class do not decide."""
MAX_ROWS_FOR_SHIFT = 30_000
"""Rows at the beginning that show whether a column slipped, or every k-th label is wrong."""
MAX_STEP = 12
"""Every k-th row is examined up to this k."""
CONTRADICTION_Z = 6.0
"""Standard errors by which labels of a part that contradict predictions fall short of those of other rows."""
PART_Z = 4.7
"""Standard errors by which labels follow predictions less than in other rows: 1 in 10⁶ by chance."""
EXPECTED_IN_RUN = 25.0
"""Labels of the other kind that are expected in a run of equal ones: none has the probability e⁻²⁵."""
MIN_SHARE_ABOVE = 0.01
"""Share of rows that have the value of the row above, from which on it is reported."""
ABOVE_Z = 4.0
"""Standard errors by which the labels of such rows follow them less than those of other rows do."""


def correlation_z(q: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the correlation of predictions (n,) and labels (n,) in standard errors: found, and if calibrated.

    Both are NaN where either column does not vary.
    """
    if q.size < 2 or q.min() == q.max() or y.min() == y.max():
        return np.nan, np.nan
    spread, of_labels = q.std(), y.std()
    cross = np.dot(q, y) / q.size - q.mean() * y.mean()
    root = np.sqrt(q.size)
    return float(cross / (spread * of_labels) * root), float(spread / of_labels * root)


def is_absent(found: float, expected: float, rows: int) -> bool:
    """Return whether a correlation, in standard errors, is missing where calibrated predictions had a large one.

    Models of little skill, with a quarter of the correlation that their spread promises, have it.
    """
    promised = expected > max(EXPECTED_Z, EXPECTED_CORRELATION * np.sqrt(rows))
    return promised and abs(found) < NO_AGREEMENT_Z and found < LITTLE_SKILL * expected - LITTLE_SKILL_Z


def shifted_labels(q: np.ndarray, y: np.ndarray) -> str | None:
    """Return where the predictions (N,) stand that labels (N,) follow, in words, if that is another row.

    A column may have slipped by up to `MAX_SHIFT` rows, or be reversed. Ranks of predictions are compared, so that few
    large ones do not decide. Where rows are in an order, such as sorted, neighbours are alike and nothing is found.
    """
    if y.size < MIN_ROWS_FOR_ORDER or min(y.sum(), y.size - y.sum()) < MIN_LABELS_OF_EACH:
        return None
    q, y = q[:MAX_ROWS_FOR_SHIFT], y[:MAX_ROWS_FOR_SHIFT]
    if q.min() == q.max():
        return None
    ordered = np.sort(q)
    rank = np.searchsorted(ordered, q, "left") + np.searchsorted(ordered, q, "right") + 0.0
    best, place = SHIFT_Z, None
    shifts = [each for shift in range(1, MAX_SHIFT + 1) for each in (shift, -shift)]
    for shift in (*shifts, 0):
        own, other, of = rank, rank[::-1], y
        if shift > 0:
            own, other, of = rank[shift:], rank[:-shift], y[shift:]
        elif shift < 0:
            own, other, of = rank[:shift], rank[-shift:], y[:shift]
        follows, _ = correlation_z(other, of)
        if follows > best and follows - correlation_z(own, of)[0] > SHIFT_Z - 1:
            alike, _ = correlation_z(own, other)
            if abs(alike) < max(NO_AGREEMENT_Z, MAX_CORRELATION_OF_NEIGHBOURS * np.sqrt(of.size)):
                best = follows
                rows = "row" if abs(shift) == 1 else "rows"
                place = f"{abs(shift)} {rows} {'above' if shift > 0 else 'below'}" if shift else "in reversed order"
    return place


def shifted_among_labels(q: np.ndarray, y: np.ndarray, label: np.ndarray) -> str | None:
    """Return where the predictions stand that labels (N,) follow, as `shifted_labels` does, among rows of one label.

    Where each item has a row for each label, int (N,), a column that slipped by an item slips by one row of a label.
    Predictions are compared by their ranks within a label, so that frequent and rare ones are alike.
    """
    q, y, label = q[:MAX_ROWS_FOR_SHIFT], y[:MAX_ROWS_FOR_SHIFT], label[:MAX_ROWS_FOR_SHIFT]
    order = np.argsort(label, kind="stable")
    _, same = np.unique(np.stack([label, q]), axis=1, return_inverse=True)
    place = np.empty(q.size)
    place[np.lexsort((q, label))] = np.arange(q.size)
    sizes = np.bincount(label)
    mean = (np.bincount(same, weights=place) / np.bincount(same))[same]
    within = (mean - (np.cumsum(sizes) - sizes)[label] + 0.5) / sizes[label]
    return shifted_labels(within[order], y[order])


def odd_part(q: np.ndarray, y: np.ndarray) -> str | None:
    """Return in which part of the rows labels (N,) contradict predictions (N,), or do not follow them, in words.

    Parts are halves, quarters, and every k-th row up to `MAX_STEP`. In the other rows labels follow predictions. The
    slope of labels over predictions is compared with that of the other rows, whose spread may differ.
    """
    n = q.size
    if n < MIN_ROWS_FOR_ORDER:
        return None
    parts = _every(n)
    parts += [(f"rows {start + 1:,} to {stop:,}", slice(start, stop))
              for count in (2, 4) for start, stop in pairwise(n * k // count for k in range(count + 1))]  # fmt: skip
    y = y.astype(np.float64)
    whole = _moments(q, y)
    unlike = None
    for name, part in parts:
        inside = _moments(q[part], y[part])
        found, expected = _z_of(inside)
        others, promised = _z_of(whole - inside)
        if not others > OPPOSITE_Z:
            continue
        missing = others / promised * expected - found
        if found < -OPPOSITE_Z or (found < -NO_AGREEMENT_Z and missing > CONTRADICTION_Z):
            return f"labels contradict {{}} in {name}"
        rarer = min(inside[3], inside[0] - inside[3])
        enough = expected > EXPECTED_CORRELATION * np.sqrt(inside[0]) and rarer >= MIN_LABELS_OF_PART
        if enough and found < NO_AGREEMENT_Z and missing > PART_Z * np.hypot(1, expected / promised):
            unlike = unlike or f"labels do not follow {{}} in {name}"
    return unlike


def _every(n: int) -> list[tuple[str, slice]]:
    """Return the parts of the first of n rows that are every k-th of them, with their names."""
    names = {2: "second", 3: "third"}
    return [
        (
            f"every {names.get(step, f'{step}th')} row, from row {first + 1} on",
            slice(first, min(n, MAX_ROWS_FOR_SHIFT), step),
        )
        for step in range(2, MAX_STEP + 1)
        for first in range(step)
    ]


def _moments(q: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.array([q.size, q.sum(), np.dot(q, q), y.sum(), np.dot(q, y)])


def _z_of(moments: np.ndarray) -> tuple[float, float]:
    """Return what `correlation_z` does, from sums."""
    n, q, of_squares, y, of_products = moments
    spread, of_labels = of_squares / n - (q / n) ** 2, y / n * (1 - y / n)
    if min(y, n - y) < MIN_LABELS_OF_EACH or spread <= 1e-12:
        return np.nan, np.nan
    return (of_products / n - q * y / n**2) / np.sqrt(spread * of_labels / n), np.sqrt(spread / of_labels * n)


def long_run(q: np.ndarray, y: np.ndarray) -> tuple[int, int, int, float] | None:
    """Return first row, rows, label and expected others of a run of equal labels that chance does not explain.

    The expected number is the sum of predictions (or of 1 − q) in the run, scaled to the rest of the table. The rest
    has to alternate as labels in any order do: a table that is sorted by its labels has no such run.
    """
    n = q.size
    edges = np.flatnonzero(y[1:] != y[:-1]) + 1
    if n < MIN_ROWS_FOR_ORDER or edges.size < 10:
        return None
    starts = np.concatenate([[0], edges])
    lengths = np.diff(starts, append=n)
    longest = int(np.argmax(lengths))
    first, rows = int(starts[longest]), int(lengths[longest])
    label = int(y[first])
    rest = n - rows
    of_others = (n - y.sum() if label else y.sum()) / rest
    alternations = 2 * of_others * (1 - of_others) * rest
    if rows > 0.9 * n or edges.size < 0.5 * alternations:
        return None
    against = 1 - q if label else q
    total = against.sum()
    inside = against[first : first + rows].sum()
    if total <= inside:
        return None
    expected = min(inside / (total - inside) * of_others * rest, inside)
    return (first, rows, label, float(expected)) if expected > EXPECTED_IN_RUN else None


def run_of_decisions(q: np.ndarray, y: np.ndarray) -> tuple[int, int, float] | None:
    """Return first row, rows and expected others of a run in which all labels (N,) are what q > .5 decides.

    It is a `long_run` of right decisions. Rows in the order of predictions or labels have such runs honestly.
    """
    right, certainty = (q > 0.5) == y.astype(np.bool_), np.maximum(q, 1 - q)
    run = long_run(certainty, right)
    if run is None or not run[2]:
        return None
    first, rows, _, others = run
    inside = y[first : first + rows].astype(np.bool_)
    positive = inside.mean()
    alternations = np.count_nonzero(inside[1:] != inside[:-1])
    in_order = alternations < rows * positive * (1 - positive)
    row = np.arange(q.size)
    place, _ = correlation_z(certainty, (row >= first) & (row < first + rows))
    of_model, _ = correlation_z(certainty, right)
    if in_order or abs(place) > NO_AGREEMENT_Z or not of_model > NO_AGREEMENT_Z:
        return None
    return first, rows, others


def decided_part(q: np.ndarray, y: np.ndarray) -> tuple[str, float] | None:
    """Return where all labels (N,) are what q > .5 decides, in words, and the expected others.

    It is a run of rows, or every k-th row: by the errors in the other rows, chance does not explain it. Every k-th row
    with one label alone is that of a class that never occurs.
    """
    if run := run_of_decisions(q, y):
        first, rows, others = run
        return f"rows {first + 1:,} to {first + rows:,}", others
    n = q.size
    wrong, doubt = (q > 0.5) != y.astype(np.bool_), np.minimum(q, 1 - q)
    errors, doubts = np.count_nonzero(wrong), doubt.sum()
    for name, part in _every(n) if n >= MIN_ROWS_FOR_ORDER else ():
        inside = doubt[part].sum()
        if wrong[part].any() or doubts <= inside or y[part].min() == y[part].max():
            continue
        expected = min(errors * inside / (doubts - inside), inside)
        if expected > EXPECTED_IN_RUN:
            return name, float(expected)
    return None


def values_from_above(q: np.ndarray, y: np.ndarray) -> int:
    """Return how many rows have the prediction of the row above and labels that do not follow it; else 0.

    A prediction that several rows share honestly, such as that of a document, agrees with their labels.
    """
    same = q[1:] == q[:-1]
    found = int(np.count_nonzero(same))
    n = q.size
    if found < max(MIN_SHARE_ABOVE * n, 20) or found > n / 2:
        return 0
    _, counts = np.unique(q, return_counts=True)
    if found < 3 * (counts * (counts - 1.0)).sum() / n:
        return 0
    filled, others = np.append(False, same), np.append(True, ~same)
    center, spread = q.mean(), q[others].std()
    labels = y[others].mean()
    if spread == 0:
        return 0
    slope = np.dot(q[others] - q[others].mean(), y[others]) / (others.sum() * spread**2)
    gap = (y[filled] - labels - slope * (q[filled] - center)) * (q[filled] - center)
    error = gap.std() / np.sqrt(gap.size)
    return found if slope > 0 and error > 0 and gap.mean() / error < -ABOVE_Z else 0
