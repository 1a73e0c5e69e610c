"""Tables come back with the types that they were written with, and what has another one is named."""

import math
from typing import TypedDict

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from reproduction.workflow.typed_csv import read_rows


class Measured(TypedDict):
    name: str
    count: int
    error: float
    low: float | None
    chosen: bool


ROWS = [
    {"name": "1", "count": 3, "error": 0.1 + 0.2, "low": None, "chosen": True, "note": "x"},
    {"name": "", "count": -4, "error": 1e-300, "low": 2.0, "chosen": False, "note": ""},
]


def test_rows_come_back_as_they_were_written_and_give_the_same_bytes(tmp_path):
    write_csv(tmp_path / "t.csv", ROWS)
    rows = read_rows(tmp_path / "t.csv", Measured)
    assert rows == ROWS
    assert [list(map(type, row.values())) for row in rows] == [list(map(type, row.values())) for row in ROWS]
    write_csv(tmp_path / "again.csv", rows)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "t.csv").read_bytes()


def test_what_is_not_a_number_stays_so(tmp_path):
    write_csv(tmp_path / "t.csv", [{**ROWS[0], "error": math.nan}])
    assert math.isnan(read_rows(tmp_path / "t.csv", Measured)[0]["error"])


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("count", "2.5", "a whole number"),
        ("count", "", "a whole number"),
        ("error", "high", "a number"),
        ("low", "high", "a number or nothing"),
        ("chosen", "1", "True or False"),
    ],
)
def test_a_value_of_another_type_is_named_with_its_place(tmp_path, column, value, expected):
    path = tmp_path / "t.csv"
    write_csv(path, [ROWS[0], {**ROWS[1], column: value}])
    with pytest.raises(InputError) as error:
        read_rows(path, Measured)
    assert str(error.value) == f"{path}, row 2, {column}: found {value!r}, expected {expected}"


def test_a_missing_column_is_named(tmp_path):
    write_csv(tmp_path / "t.csv", [{name: value for name, value in ROWS[0].items() if name != "low"}])
    with pytest.raises(InputError, match="found no column low, expected name, count, error, low, chosen"):
        read_rows(tmp_path / "t.csv", Measured)


def test_a_table_without_rows_is_empty(tmp_path):
    write_csv(tmp_path / "t.csv", [])
    assert read_rows(tmp_path / "t.csv", Measured) == []
