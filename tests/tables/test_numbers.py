"""Numbers as spreadsheets write them are one number, whatever file they are in."""

import csv

import numpy as np
import openpyxl
import pytest

import nlpcalib as nc

pytestmark = pytest.mark.filterwarnings("ignore:.*left out, without a prediction")
Q = np.array([0.001, 0.37, 0.104, 0.9, 1.0, 0.5])


def written(path, cells, **columns):
    rows = [("id", "q", *columns), *zip(range(len(cells)), cells, *columns.values(), strict=True)]
    if path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=";").writerows(rows)
    return path


@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
@pytest.mark.parametrize("between", ["", " ", "\u00a0"])
@pytest.mark.parametrize("point", [",", "."])
def test_percentages_are_probabilities_where_all_cells_are(tmp_path, name, between, point):
    cells = [f"{100 * q:.1f}{between}%".replace(".", point) for q in Q]
    assert nc.read(written(tmp_path / name, cells, y=[0, 1] * 3)).q == pytest.approx(Q)
    found = nc.read(written(tmp_path / name, ["", *cells[1:]], y=[0, 1] * 3))
    assert found.q == pytest.approx(Q[1:])
    with pytest.raises(nc.InputError, match="found prediction '0,5' among others, expected all or none with %"):
        nc.read(written(tmp_path / name, [*cells[:4], "0,5", cells[5]], y=[0, 1] * 3))
    with pytest.raises(nc.InputError, match=f"found prediction 137{between}%"):
        nc.read(written(tmp_path / name, [*cells[:5], f"137{between}%"], y=[0, 1] * 3))


def test_percentages_of_classes_and_decimal_commas_beside_empty_cells(tmp_path):
    cells = [f"{100 * q:.1f} %".replace(".", ",") for q in Q]
    rest = [f"{100 * (1 - q):.1f} %".replace(".", ",") for q in Q]
    path = written(tmp_path / "t.csv", ["x"] * 6, a=cells, b=rest, y=["a", "b"] * 3)
    assert nc.read(path, q="a,b").q[:, 0] == pytest.approx(Q)
    commas = written(tmp_path / "t.csv", ["", "n/a", "0,37", "0,9", "1", "0"], y=[0, 1] * 3)
    assert nc.read(commas).q.tolist() == [0.37, 0.9, 1, 0]


def test_classes_may_be_numbers(tmp_path):
    """A tagger's ids of tags are classes in `predicted` and in `y`; 0 and 1 alone are what is right."""
    path = written(tmp_path / "t.csv", [".9", ".8", ".7", ".6"], predicted=[3, 1, 2, 0], y=[3, 2, 2, 0])
    assert nc.read(path).y.tolist() == [1, 0, 1, 1]
    assert nc.read(written(tmp_path / "t.csv", [".9", ".8"], predicted=[3, 1], y=[1, 0])).y.tolist() == [1, 0]


def test_a_line_that_names_the_separator_for_excel_is_no_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("sep=;\r\nid;q;y\r\n1;0,5;1\r\n;;\r\n2;0,25;0\r\n".encode("utf-8-sig"))
    assert nc.read(path).q.tolist() == [0.5, 0.25]
    path.write_text("sep=;\nid;q;y\n1;0,5;1\n2;x;0\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match="line 4: found prediction 'x'"):
        nc.read(path)
