"""Periods are in the order of time, whatever their texts sort like."""

import pytest

from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import period_order


@pytest.mark.parametrize(
    "periods",
    [
        [str(month) for month in range(1, 13)],
        ["2003-12", "2004-1", "2004-2", "2004-10"],
        ["2003-Q4", "2004-Q1", "2004-Q3"],
        ["1999-05-17", "1999-05-18", "2000-01-01"],
        ["1980s", "1990s"],
        ["98", "99", "00", "01"],
        ["'69", "'98", "'00", "'68"],
        ["01", "02", "52", "53"],
        ["70", "80", "90"],
    ],
)
def test_periods_sort_in_time(periods):
    time = period_order(periods[::-1], "column month")
    assert sorted(time, key=time.__getitem__) == periods


@pytest.mark.parametrize(
    "periods",
    [
        ["before", "after"],
        ["3/2004", "4/2004"],
        ["01", "1", "2"],
        ["2004-01", "2004-Q2"],
        ["2004", "x"],
        ["1/20", "1/21", "2/20"],
        ["Q1 20", "Q1 21", "Q2 20"],
        ["04-01", "04-02"],
    ],
)
def test_periods_whose_order_is_unclear_are_refused(periods):
    with pytest.raises(InputError, match="column month: found the period"):
        period_order(periods, "column month")
