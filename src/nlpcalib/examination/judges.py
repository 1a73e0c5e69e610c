"""Signs in a judge's verdicts and their labels: labels that were copied, and a table that stands twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from nlpcalib.errors import InputFinding, argument, counted
from nlpcalib.examination.level import MIN_ROWS
from nlpcalib.examination.order import shifted_labels
from nlpcalib.examination.predictions import is_inverted

MIN_LABELS = 100
"""Labels from which on none that differs from its verdict is a sign: a judge that errs in 5 % has it in 1 of 170."""


def examine_verdict_rows(verdicts: Sequence[float], rows: Sequence[Sequence[str]]) -> list[InputFinding]:
    """Return the sign that a table of verdicts (M,) stands several times below itself, with the same cells in order.

    `rows` (M,) have the cells of all columns. A judge that was asked again has a column that differs, or rows in
    another order, or changes its mind.
    """
    whole = [part for part in range(1, len(rows) // 2 + 1) if rows[part] == rows[0] and len(rows) % part == 0]
    for part in whole:
        times = len(rows) // part
        if any(rows[row] != rows[row % part] for row in range(part, len(rows))):
            continue
        if sum(verdicts[row] != verdicts[row - 1] for row in range(1, part)) >= MIN_ROWS:
            sentence = (
                f"the first {counted(part, 'row')} stand {times} times, equal in every column and in order: was the "
                "table pasted? Copies of a verdict always agree, so consistency does not show a judge that was asked "
                "again"
            )
            return [InputFinding("verdict", sentence, code="pasted")]
    return []


def examine_judge(share: np.ndarray, rows: np.ndarray, y: np.ndarray) -> list[InputFinding]:
    """Return the signs in verdicts (N,), from 0 to 1, and labels y (n,) of `rows` (n,), NaN where open."""
    found = []
    known = ~np.isnan(y)
    labels = np.count_nonzero(known)
    rarer = min(np.count_nonzero(y == 0), np.count_nonzero(y == 1))
    if labels >= MIN_LABELS and rarer >= MIN_ROWS and (share[rows] == y)[known].all():
        sentence = f"all {labels:,} labels are the verdict on their item: are they the judge's own?"
        found.append(InputFinding("label", sentence, code="own_verdicts"))
    asked, given = share[rows][known], y[known]
    if is_inverted(asked, given):
        sentence = "positive labels are rarer where verdicts are positive: are yes and no exchanged in one of them?"
        found.append(InputFinding("label", sentence, code="inverted"))
    elif place := shifted_labels(asked, given):
        sentence = f"labels follow the verdict that stands {place} more than their own: did a column slip?"
        found.append(InputFinding("label", sentence, code="shifted"))
    half, odd = divmod(len(share), 2)
    label = np.full(len(share), -1.0)
    label[rows] = np.nan_to_num(y, nan=2)
    twice = not odd and np.array_equal(share[:half], share[half:]) and np.array_equal(label[:half], label[half:])
    if twice and np.count_nonzero(np.diff(share[:half])) >= MIN_ROWS:
        sentence = f"the last {half:,} items repeat verdicts and labels of the first, in order: do they stand twice?"
        found.append(InputFinding("id", sentence, code="pasted"))
    return found


def examine_pairing(columns: Mapping[str, Sequence[str]], keys: Sequence[tuple[str, ...]]) -> list[InputFinding]:
    """Return a finding if half of the values of a column, of N cells, stand in several groups, once in each.

    They are ids of items that each group was judged on; `keys` are the groups of N rows.
    """
    for name, values in columns.items():
        once = len(set(zip(values, keys, strict=True))) == len(keys)
        times = Counter(values)
        if once and 2 * sum(each > 1 for each in times.values()) >= len(times):
            sentence = (
                f"each row is an item of its own; to pair groups by column {name}, name it: {argument('id', name)}"
            )
            return [InputFinding(name, sentence)]
    return []
