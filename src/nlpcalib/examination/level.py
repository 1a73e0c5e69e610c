"""The one level of all signs: how often sound input may have one, and from how many rows on a sign is looked for."""

from __future__ import annotations

from functools import cache
from math import log
from statistics import NormalDist

FALSE_ALARM_RATE = 1e-5
"""How often a sign appears in sound input, by chance, among all the places where it is looked for."""
MIN_ROWS = 20
"""Rows from which on signs are looked for: fewer prove little."""
MIN_SHARE = 0.05
"""Share of rows, texts or units below which a sign changes no result that one would notice."""
MIN_EXCESS = 8
"""How many times more rows one value has than any other, from which on it stands for none."""
SURPRISE = -log(FALSE_ALARM_RATE)
"""Expected events of which none occurs with that probability, as e⁻ˣ; and gaps that exceed their mean x-fold."""


@cache
def alarm_z(places: int = 1) -> float:
    """Return the standard errors of a sign that is looked for in so many places: 4.3 in one, 4.9 in twenty."""
    return NormalDist().inv_cdf(1 - FALSE_ALARM_RATE / places)


def stands_out(first: int, second: int, total: int) -> bool:
    """Return whether the most frequent value has far more of all rows than the next one, and enough to matter."""
    return first >= max(MIN_EXCESS * second, MIN_SHARE * total)
