"""From how many rows on a table is warned of, and what numbers that are no probabilities look like."""

import datetime
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest

from nlpcalib.errors import InputError
from nlpcalib.tables import guards
from nlpcalib.tables.columns import codes_of, ids_of, probabilities, truths
from nlpcalib.tables.guards import copies, facts, lines, unlabelled_facts, warn_of_predictions
from nlpcalib.tables.periods import UNITS, period_label, period_number, period_of, period_start
from nlpcalib.tables.table import Table


def warnings_of(q, y=None):
    table = SimpleNamespace(warnings=[])
    warn_of_predictions(table, "p", np.asarray(q, dtype=float), y)
    return table.warnings


def table_of(path, columns):
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return Table(path)


def away(rows):
    """Predictions on a fine grid, none of them near 0 or 1."""
    return 0.05 + 0.9 * np.random.default_rng(rows).random(rows)


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize(
    ("rows", "spike", "warned"), [(400, 4, False), (400, 5, True), (1000, 9, False), (1000, 10, 1)]
)
def test_zeros_and_ones_may_be_missing_values_from_five_rows_and_one_percent_on(end, rows, spike, warned):
    found = warnings_of([*away(rows - spike), *[end] * spike])
    assert found == ([f"column p is {end} in {spike} rows and near it in few: are these missing?"] if warned else [])


@pytest.mark.parametrize(("near", "warned"), [(1, True), (2, False)])
def test_a_tenth_as_many_predictions_near_zero_show_that_zeros_are_predictions(near, warned):
    assert bool(warnings_of([*away(500), *[0.0] * 20, *[0.0008] * near])) == warned


def test_on_a_coarse_grid_zeros_are_predictions():
    assert warnings_of([*np.arange(1, 1000) / 1000, *[0.0] * 20]) == []


def test_nothing_but_zeros_and_ones_are_decisions_from_twenty_rows_on():
    assert warnings_of([0, 1] * 10) == ["column p has nothing but 0 and 1: decisions, where probabilities are expected"]
    assert warnings_of([0, 1] * 9 + [0]) == []


def test_zeros_that_are_positive_more_often_than_what_is_next_to_them_are_named_with_both_shares():
    q = np.array([*np.linspace(0.01, 0.99, 500), *[0.0] * 40])
    y = np.array([*(np.random.default_rng(0).random(500) < q[:500]), *[True] * 24, *[False] * 16])
    rarer = np.mean(y[:100])  # a fifth of all others is next to 0
    [found] = warnings_of(q, y)
    shares = f"of which 60 % are positive, and {100 * rarer:.0f} % next to it: are these missing?"
    assert found == f"column p is 0 in 40 rows, {shares}"


def test_shares_differ_by_the_z_of_two_proportions_with_one_of_either_kind_more():
    one, other = np.arange(40) < 12, np.arange(100) < 9
    share = (12 + 9 + 1) / (140 + 2)
    z = (0.3 - 0.09) / np.sqrt(share * (1 - share) * (1 / 40 + 1 / 100))
    assert guards._excess(one, other) == pytest.approx(z)
    assert guards._excess(other, one) == guards._excess(np.arange(100) < 13, other) == 0  # no more than 5 % more


@pytest.mark.parametrize("direction", [1, -1])
def test_labels_that_do_not_follow_predictions_are_warned_of_if_one_is_sorted(direction):
    q, random = away(400), np.random.default_rng(1)
    y = random.random(400) < 0.5
    warning = ["labels do not follow p, and one is sorted: was it sorted by itself?"]
    assert warnings_of(np.sort(q)[::direction], y) == warnings_of(q, np.sort(y)[::direction]) == warning
    assert warnings_of(q, y) == []
    assert warnings_of(1 - q, random.random(400) < q) == [
        "positive labels are rarer where p is high: is it of the other class, or swapped?"
    ]


@pytest.mark.parametrize(("rows", "times", "found"), [(13, 2, False), (14, 2, True), (14, 3, True)])
def test_a_table_that_stands_several_times_is_found_from_fourteen_different_rows_on(rows, times, found, tmp_path):
    q = np.tile(np.arange(1, rows + 1) / 100, times)
    group = copies(table_of(tmp_path / "t.csv", {"q": q}), q, [])
    assert (group is not None) == found
    if found:
        assert np.unique(group).size == rows
        assert all(np.unique(q[group == each]).size == 1 for each in range(rows))


def test_rows_that_are_equal_within_a_table_stay_apart_where_it_stands_twice(tmp_path):
    q = np.tile([*np.arange(1, 21) / 100, 0.01, 0.01], 2)
    group = copies(table_of(tmp_path / "t.csv", {"q": q}), q, [])
    assert np.bincount(group).tolist() == [2] * 22


def test_predictions_of_several_classes_are_equal_if_all_are(tmp_path):
    q = np.column_stack([np.full(60, 0.2), np.arange(60) / 100, 0.8 - np.arange(60) / 100])
    rest = {"text": [f"t{row}" for row in range(60)]}
    assert copies(table_of(tmp_path / "t.csv", rest), q, ["text"]) is None
    twice = table_of(tmp_path / "u.csv", {"text": rest["text"] * 2})
    assert np.bincount(copies(twice, np.tile(q, (2, 1)), ["text"])).tolist() == [2] * 60


@pytest.mark.parametrize(("documents", "warned"), [(1, False), (2, True), (39, True), (40, False)])
def test_a_column_that_is_called_like_a_unit_is_warned_of_if_it_repeats(documents, warned, tmp_path):
    q = np.sort(away(40))
    table = table_of(tmp_path / "t.csv", {"q": q, "DocId": [f"d{row % documents}" for row in range(40)]})
    found = unlabelled_facts(table, ["q"], q, [], "--unit {}")
    assert found["units"] == "each row"
    expected = [
        f"column DocId has {documents} values in 40 rows and is not used: --unit DocId if rows of one are not "
        "independent"
    ]
    assert found["warnings"] == expected * warned


def test_units_are_counted_where_a_column_is_one(tmp_path):
    q = np.sort(away(40))
    table = table_of(tmp_path / "t.csv", {"q": q, "unit": [f"d{row % 7}" for row in range(40)]})
    assert unlabelled_facts(table, ["q"], q, [], "{}")["units"] == "7"


@pytest.mark.parametrize(("columns", "shown"), [(5, "c0, c1, c2, c3, c4"), (6, "c0, c1, c2, c3, c4, …")])
def test_five_columns_that_are_set_aside_are_listed(columns, shown, tmp_path):
    table = table_of(tmp_path / "t.csv", {"q": [0.5]} | {f"c{number}": [1] for number in range(columns)})
    assert facts(table, ["q"], "each row")["set_aside"] == [f"columns {shown} (not asked for)"]


@pytest.mark.parametrize("warnings", [2, 4, 5, 9])
def test_of_a_table_there_are_five_lines_at_most_and_no_warning_is_left_out(warnings):
    found = {"rows": 1, "ids": "none", "units": "each row", "set_aside": [], "notes": []}
    printed = lines([("t.csv", found | {"warnings": [f"w{number}" for number in range(warnings)]})])
    assert len(printed) == min(1 + warnings, 5)
    assert all(f"t.csv: w{number}" in "\n".join(printed) for number in range(warnings))


def read(column, reader=probabilities):
    return reader(pa.chunked_array([column]), lambda row: f"row {row}")


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ([50.0, 60, 70, 80], "$"),
        ([50.0, 60, 70, 80, 90], "; the column looks like percentages"),
        ([50.0, 60, 70, 0.5, 0.5, 0.5], "; the column looks like percentages"),
        ([50.0, 60, 70, 0.5, 0.5, 1, 1], "$"),
        ([-1.0, 2, 3, 4, 5], "; the column looks like logits or scores"),
        ([1.5, 2, 3, 4, 101], "; the column looks like logits or scores"),
        ([0.5, 1.5, 2, 3, None], "$"),
    ],
)
def test_five_numbers_of_which_half_are_no_probabilities_look_like_something_else(values, hint):
    column = [float("nan") if value is None else value for value in values]
    with pytest.raises(InputError, match=rf"expected a probability in \[0, 1\]{hint}"):
        read(column)


def test_rounding_above_one_is_one_and_more_is_refused():
    assert read([0.2, 1 + 0.9e-6]).tolist() == [0.2, 1]
    with pytest.raises(InputError, match=r"row 1: found prediction 1\.0000011"):
        read([0.2, 1 + 1.1e-6])


@pytest.mark.parametrize(("values", "hint"), [([0.3, 0.4, 0.6, 1, 1], "; are the columns"), ([0.3, 0.4, 0.6, 1], "$")])
def test_labels_between_zero_and_one_are_taken_for_predictions(values, hint):
    with pytest.raises(InputError, match=f"row 0: found label 0.3, expected 0 or 1{hint}"):
        read(values, truths)
    assert read(["1", "0", "TRUE", " false"], truths).tolist() == [True, False, True, False]


def test_blanks_around_ids_and_units_are_removed_with_a_warning_and_cells_keep_them():
    table = SimpleNamespace(warnings=[], rows=3, place=lambda row: f"row {row}")
    assert list(ids_of(pa.chunked_array([["a", " b", "c"]]), table)) == ["a", "b", "c"]
    assert table.warnings.pop() == "column id: blanks removed around 1 of 3 values"
    assert list(ids_of(pa.chunked_array([["a", "b"]]), table)) == ["a", "b"]
    assert table.warnings == []
    column = pa.chunked_array([["a", " b", "b"]])
    codes, names = codes_of(column, table, "document", "doc")
    assert (codes.tolist(), names) == ([0, 1, 1], ("a", "b"))
    assert table.warnings.pop() == "column doc: blanks removed around 1 of 3 values"
    assert codes_of(column, table, "cell", "doc")[1] == (" b", "a", "b")
    assert table.warnings == []


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
