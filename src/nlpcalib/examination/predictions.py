"""Signs in predictions, and in predictions with their labels, that lead to plausible wrong results.

Sound predictions have no findings: a coarse grid repeats 0 and 1 honestly, and a model may be overconfident.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.errors import InputFinding

MIN_ROWS_FOR_SIGNS = 20
"""Rows from which on predictions are examined."""
MIN_SPIKE_ROWS = 5
"""Rows with exactly 0, or exactly 1, from which on they may be missing values."""
MIN_SPIKE_SHARE = 0.01
"""Share of all rows from which on a lone spike is reported without labels."""
SPIKE_NEIGHBOURHOOD = 0.001
"""Distance from 0 or 1 within which a lone spike has few other predictions."""
MIN_SHARE_GAP = 0.05
"""Gap between the share of positive labels in a spike and next to it from which on it counts."""
SPIKE_Z, LONE_SPIKE_Z = 3.0, 2.0
"""Standard errors that such a gap exceeds; fewer suffice where no other prediction is near the spike."""
OPPOSITE_Z = 6.0
"""Standard errors of a negative correlation from which on predictions are of the other class."""
AGREEMENT_Z = 3.0
"""Standard errors of a correlation below which labels do not follow predictions."""
EXPECTED_AGREEMENT_Z = 6.0
"""Standard errors that the correlation of calibrated predictions would have had, if their spread were right."""


def examine_predictions(
    q: np.ndarray, y: np.ndarray | None = None, *, name: str = "q", of_table: bool = False
) -> list[InputFinding]:
    """Return the signs of decisions, of missing values that are 0 or 1, of the other class, of a column sorted alone.

    Parameters
    ----------
    q : ndarray, float64 (N,) or (N, K)
        Probabilities; those of K classes are examined for decisions alone.
    y : ndarray, bool (N,), optional
        Labels.
    name : str
        What the user calls the predictions: an argument, or a column if they are `of_table`.
    """
    if q.ndim == 2:
        return _decisions(q, name, "columns of classes have" if of_table else f"{name} has")
    if q.size < MIN_ROWS_FOR_SIGNS:
        return []
    called = f"column {name}" if of_table else name
    if decisions := _decisions(q, name, f"{called} has"):
        return decisions
    sentences = _spikes(q, y, called)
    if y is not None and not np.isnan(z := agreement(q, y)):
        if z < -OPPOSITE_Z:
            sentences.append(f"positive labels are rarer where {name} is high: is it of the other class, or swapped?")
        elif (
            z < AGREEMENT_Z
            and q.std() / y.std() * np.sqrt(q.size) > EXPECTED_AGREEMENT_Z
            and (_is_sorted(q) or _is_sorted(y))
        ):
            sentences.append(f"labels do not follow {name}, and one is sorted: was it sorted by itself?")
    return [InputFinding(name, sentence) for sentence in sentences]


def agreement(q: np.ndarray, y: np.ndarray) -> float:
    """Return the correlation of predictions and labels (N,) in standard errors; NaN where either does not vary."""
    if q.size < MIN_ROWS_FOR_SIGNS or q.min() == q.max() or y.min() == y.max():
        return np.nan
    return float(np.corrcoef(q, y)[0, 1] * np.sqrt(q.size))


def _decisions(q: np.ndarray, name: str, subject: str) -> list[InputFinding]:
    if not ((q == 0) | (q == 1)).all():
        return []
    return [InputFinding(name, f"{subject} nothing but 0 and 1: decisions, where probabilities are expected")]


def _spikes(q: np.ndarray, y: np.ndarray | None, called: str) -> list[str]:
    """Return a sentence for 0, and one for 1, if as many predictions are exactly so as if they were missing."""
    sentences = []
    gaps = np.diff(np.sort(q), append=2.0)
    fine = gaps[gaps > 0].min() <= SPIKE_NEIGHBOURHOOD / 10  # on a coarse grid 0 and 1 stand alone
    for end in (0, 1):
        spike, near = q == end, np.abs(q - end) <= SPIKE_NEIGHBOURHOOD
        n = int(spike.sum())
        enough = n >= max(MIN_SPIKE_SHARE * q.size, MIN_SPIKE_ROWS)
        alone = fine and enough and (near & ~spike).sum() < n / 10
        if y is None:
            if alone:
                sentences.append(f"{called} is {end} in {n:,} rows and near it in few: are these missing?")
            continue
        next_to = np.abs(q - end) <= np.quantile(np.abs(q[~spike] - end), 0.2) if n < q.size else spike
        others = next_to & ~spike
        far = excess(y[spike] != end, y[others] != end) if n and others.any() else 0.0
        if n >= MIN_SPIKE_ROWS and far > (LONE_SPIKE_Z if alone else SPIKE_Z):
            sentences.append(
                f"{called} is {end} in {n:,} rows, of which {100 * np.mean(y[spike]):.0f} % are positive, and "
                f"{100 * np.mean(y[others]):.0f} % next to it: are these missing?"
            )
    return sentences


def excess(one: np.ndarray, other: np.ndarray) -> float:
    """Return by how many standard errors more of one are true; 0 unless the gap exceeds `MIN_SHARE_GAP`."""
    share = (one.sum() + other.sum() + 1) / (one.size + other.size + 2)
    gap = one.mean() - other.mean()
    return gap / np.sqrt(share * (1 - share) * (1 / one.size + 1 / other.size)) if gap > MIN_SHARE_GAP else 0.0


def _is_sorted(values: np.ndarray) -> bool:
    return bool((values[1:] >= values[:-1]).all() or (values[1:] <= values[:-1]).all())
