"""Ends of an interval that hold where some labels are wrong, up to a stated share.

    (L − e₀ N)/(1 − e₀) ≤ T ≤ L/(1 − e₁)

* T of N items are positive. L would be labelled so if all items were read: the interval of an estimate is that of L.
* e₁ is the largest share of the positive items that are labelled no, and e₀ of the others that are labelled yes.

At most e₁ T items are missed and at most e₀ (N − T) are false alarms, so (1 − e₁) T ≤ L ≤ T + e₀ (N − T). No other
bound is narrower: each end is reached if errors of one kind alone occur, as often as they may. How errors are
distributed over items, and whether they depend on predictions or on each other, does not matter.

Of 1,000 items 40 to 60 would be labelled positive, and up to 2 % of either kind of item wrongly:

>>> [round(end, 1) for end in with_label_errors(40, 60, 1000, (0.02, 0.02))]
[20.4, 61.2]
"""

from __future__ import annotations

MAX_LABEL_ERROR = 0.5
"""Shares of errors from here on are refused: such labels have no information."""
EXAMPLE_LABEL_ERRORS = (0.02, 0.05, 0.1)
"""What a report shows where no bound was stated."""

LabelErrors = tuple[float, float]
"""The largest share of positive items that are labelled no, and of the others that are labelled yes."""


def with_label_errors(low: float, high: float, items: int, errors: LabelErrors) -> tuple[float, float]:
    """Return the ends of the interval of a total of `items`, of which `low` to `high` would be labelled positive."""
    missed, alarms = errors
    return max((low - alarms * items) / (1 - alarms), 0.0), min(high / (1 - missed), float(items))
