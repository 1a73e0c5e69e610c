"""What columns of numbers that are no probabilities look like, and what is removed from ids."""

import datetime
from types import SimpleNamespace

import pyarrow as pa
import pytest

from nlpcalib.errors import InputError
from nlpcalib.tables.columns import codes_of, column_probabilities, ids_of, truths
from nlpcalib.tables.periods import UNITS, period_label, period_number, period_of, period_start


def read(column, reader=column_probabilities):
    return reader(pa.chunked_array([column]), lambda row: f"row {row}")


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ([50.0], "$"),
        ([50.0, 60, 70, 80, 90], "; the column looks like percentages"),
        ([50.0, 60, 70, 0.5, 0.5, 0.5], "; the column looks like percentages"),
        ([50.0, 60, 70, 0.5, 0.5, 1, 1], "$"),
        ([-1.0, 2, 3, 4, 5], "; the column looks like logits or scores"),
        ([0.3, 2.1, 1.7, 4.4, 5.2], "; the column looks like percentages"),
        ([-0.3, -2.1, -1.7, -4.4, 0], "; the column looks like logarithms, of which exp makes probabilities"),
        ([1.5, 2, 3, 4, 101], "; the column looks like logits or scores"),
        (
            [1.0, 2, 5, 4, 3],
            r"; the column looks like ratings from 1 to 5: write \(rating - 1 \+ 0.5\) / 5 and recalibrate",
        ),
        (
            [0.0, 0, 0, 0, 3],
            r"; the column looks like ratings from 0 to 3: write \(rating - 0 \+ 0.5\) / 4 and recalibrate",
        ),
        ([0.5, 1.5, 2, 3, None], "$"),
    ],
)
def test_numbers_of_which_half_are_no_probabilities_look_like_something_else(values, hint):
    column = [float("nan") if value is None else value for value in values]
    with pytest.raises(InputError, match=rf"expected a probability in \[0, 1\]{hint}"):
        read(column)


def test_rounding_above_one_is_one_and_more_is_refused():
    assert read([0.2, 1 + 0.9e-6]).tolist() == [0.2, 1]
    with pytest.raises(InputError, match=r"row 1: found prediction 1\.0000011"):
        read([0.2, 1 + 1.1e-6])


@pytest.mark.parametrize(("values", "hint"), [([0.3, 0.4, 0.6, 1, 1], "; are the columns"), ([0.3, 1], "$")])
def test_labels_between_zero_and_one_are_taken_for_predictions(values, hint):
    with pytest.raises(InputError, match=f"row 0: found label 0.3, expected 0 or 1{hint}"):
        read(values, truths)
    assert read(["1", "0", "TRUE", " false"], truths).tolist() == [True, False, True, False]


def test_blanks_around_ids_and_units_are_removed_with_a_warning_and_cells_keep_them():
    table = SimpleNamespace(findings=[], rows=3, place=lambda row: f"row {row}")
    assert list(ids_of(pa.chunked_array([["a", " b", "c"]]), table)) == ["a", "b", "c"]
    assert table.findings.pop().sentence == "column id: blanks removed around 1 of 3 values"
    assert list(ids_of(pa.chunked_array([["a", "b"]]), table)) == ["a", "b"]
    assert table.findings == []
    column = pa.chunked_array([["a", " b", "b"]])
    codes, names = codes_of(column, table, "document", "doc")
    assert (codes.tolist(), names) == ([0, 1, 1], ("a", "b"))
    assert table.findings.pop().sentence == "column doc: blanks removed around 1 of 3 values"
    assert codes_of(column, table, "cell", "doc")[1] == (" b", "a", "b")
    assert table.findings == []


@pytest.mark.parametrize(
    ("unit", "label", "start"),
    [
        ("month", "1999-05", "1999-05-01"),
        ("quarter", "1999Q2", "1999-04-01"),
        ("year", "1999", "1999-01-01"),
        ("decade", "1990s", "1990-01-01"),
    ],
)
def test_a_day_belongs_to_the_period_that_begins_before_it(unit, label, start):
    period = period_number(datetime.date(1999, 5, 17), unit)
    assert (period_label(period, unit), period_start(period, unit)) == (label, start)
    assert period_of(label) == (period, unit)
    assert period_of(f"{label}x") is period_of("2004-13") is period_of("2004Q5") is period_of("1994s") is None
    first, ahead = datetime.date.fromisoformat(start), datetime.date.fromisoformat(period_start(period + 1, unit))
    assert (ahead.year - first.year) * 12 + ahead.month - first.month == UNITS[unit]
    days = [first, ahead - datetime.timedelta(days=1), ahead]
    assert [period_number(day, unit) - period for day in days] == [0, 0, 1]
