"""Documents with an event by country and period: their posterior from samples and, exactly, from probabilities.

In each sample of entities, n(t, c) is the number of documents of period t in which country c has the event (paper,
equations 3 to 5). The paper reports the mean m over samples and the interval m ± 1.96 s, with the samples' standard
deviation s. Documents are independent given the model, so their probabilities p_d determine the distribution of n. It
is Poisson-binomial, with the mean Σ p_d and the variance Σ p_d (1 − p_d). Its quantiles keep their level for small
counts and stay within the possible range. Its standard deviation uses all combinations of the documents' samples,
not S of them.

If p_d is the share of S samples, the exact mean is the published one, with the same Monte Carlo error. The exact
variance is too small by the factor 1 − 1/S on average, which lowers the coverage noticeably at S = 10.

Probabilities .5, .5 and .2 have the mean 1.2 and the standard deviation .81. The exact interval is 0 to 3, where
m ± 1.96 s would begin below 0, at −.39:

    >>> from nlpcalib.estimation.poisson_binomial import PoissonBinomial
    >>> n = PoissonBinomial(np.array([0.5, 0.5, 0.2]))
    >>> round(n.mean, 2), round(n.sd, 2), round(n.mean - _NORMAL_QUANTILE * n.sd, 2), n.interval()
    (1.2, 0.81, -0.39, (0, 3))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from nlpcalib.systems.events.count.counts import EventCounts
from nlpcalib.systems.events.count.series import count_row, placed_cells


class SeriesRow(TypedDict):
    """A row of `count_series`."""

    mean: float
    sd: float
    low: float
    high: float
    exact_mean: float
    exact_sd: float
    exact_low: int
    exact_high: int
    map_count: int
    level: float
    exact_level: float
    map_level: float
    country: str
    period: str
    start: str
    documents: int
    rate: float | None
    rate_low: float | None
    rate_high: float | None


_NORMAL_QUANTILE = 1.96
"""Half the width of a 95 % interval in standard deviations, rounded as in the paper."""


def count_series(counts: EventCounts, countries: Sequence[str] | None = None) -> list[SeriesRow]:
    """Return a row for each country, by default all with rows, and each period from the first document's to the last.

    Periods of a gap that is longer than all the rest are left out: one wrong year costs no rows.

    Returns
    -------
    list of dict
        `country`, `period`, `start` (its first day) and `documents`. `mean` and `sd` over samples, with the published
        interval m ± 1.96 s as `low` and `high`. `exact_mean`, `exact_sd`, `exact_low` and `exact_high`, those of the
        count with its central 95 % interval: Poisson-binomial, given what documents share. `map_count`, the count in
        the 1-best clusterings. `level`, `exact_level` and `map_level`, the probability that the count is in each
        interval, or equals `map_count`. `rate`, `rate_low` and `rate_high`, the exact mean and interval per document,
        None in a period without documents.
    """
    rows: list[SeriesRow] = []
    for place, cell, exact in placed_cells(counts, countries):
        row = count_row(place, exact, cell.map_count)
        mean, sd = float(cell.samples.mean()), float(cell.samples.std(ddof=1))
        low, high = mean - _NORMAL_QUANTILE * sd, mean + _NORMAL_QUANTILE * sd
        cumulative = np.concatenate([[0.0], np.cumsum(exact.pmf)])
        published = np.clip([np.ceil(low), np.floor(high) + 1], 0, exact.pmf.size).astype(int)
        rows.append(
            {
                **row,
                "mean": mean,
                "sd": sd,
                "low": low,
                "high": high,
                "exact_mean": row["mean"],
                "exact_sd": row["sd"],
                "exact_low": row["low"],
                "exact_high": row["high"],
                "level": float(cumulative[published[1]] - cumulative[published[0]]),
                "exact_level": row["level"],
                "map_level": float(exact.pmf[cell.map_count]),
            }
        )
    return rows
