"""What people hold in notebooks: data frames with names, archives of arrays, tables that print."""

from html import escape

import numpy as np
import pyarrow as pa
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main


def predictions(n=400, classes=3):
    rng = np.random.default_rng(0)
    q = rng.dirichlet(np.ones(classes), n)
    return q, (q.cumsum(axis=1) > rng.random(n)[:, None]).argmax(axis=1)


class Frame:
    """What a data frame of any library has: columns with names, and an array."""

    def __init__(self, values, columns):
        self.values, self.columns = values, columns

    def to_numpy(self):
        return self.values

    def __getitem__(self, name):
        return self.values[:, self.columns.index(name)]


def test_columns_of_a_data_frame_name_the_classes():
    q, y = predictions()
    names = ["ham", "other, maybe", "spam"]
    report = nc.calibrate(Frame(q, names), [names[k] for k in y])
    assert sorted(row["predicted"] for row in report.by_class) == names
    assert {row["predicted"] for row in nc.calibrate(Frame(q, range(3)), y).by_class} == {"0", "1", "2"}


class Column:
    """What a column of a data frame has that names its rows."""

    def __init__(self, values, rows):
        self.values, self.index = values, pa.array(rows)

    def __len__(self):
        return len(self.values)

    def to_numpy(self):
        return self.values


def test_rows_that_two_columns_name_differently_are_refused():
    q, y = predictions()
    rows = np.arange(len(y))
    likeliest, right = Column(q[:, 0], rows), Column(y == 0, rows)
    assert nc.calibrate(likeliest, right).error == nc.calibrate(q[:, 0], y == 0).error
    for other in (Column((y == 0)[::-1], rows[::-1]), Column(y == 0, rows + 1)):
        with pytest.raises(nc.InputError, match="y: found rows of another index than those of predictions"):
            nc.calibrate(likeliest, other)
        with pytest.raises(nc.InputError, match="y: found rows of another index"):
            nc.compare(nc.read(likeliest, y=other), nc.read(likeliest, y=other))


@pytest.mark.parametrize("method", ["temperature", "shrinkage"])
def test_new_predictions_are_recalibrated_by_the_names_of_their_columns(method):
    q, y = predictions()
    names = ["ham", "eggs", "spam"]
    report = nc.recalibrate(Frame(q, names), [names[k] for k in y], method=method)
    expected = report.predict(Frame(q, names))
    np.testing.assert_array_equal(expected, report.predict(q))
    for order in ([2, 0, 1], [1, 2, 0]):
        found = report.predict(Frame(q[:, order], [names[k] for k in order]))
        np.testing.assert_allclose(found, expected[:, order], rtol=1e-14)  # rows are divided by other sums
    with pytest.raises(nc.InputError, match="found the classes ham, eggs, bacon; expected ham, eggs, spam"):
        report.predict(Frame(q, ["ham", "eggs", "bacon"]))


def test_an_archive_of_arrays_is_read_with_its_names(tmp_path, capfd):
    q, y = predictions()
    np.savez(tmp_path / "model.npz", q=q, y=y, classes=np.array(["ham", "spam", "other"]))
    found = nc.read(tmp_path / "model.npz").pairs()
    assert found.classes == ("ham", "spam", "other")
    assert main(["calibrate", str(tmp_path / "model.npz")]) == 0
    assert "calibration error of the top class" in capfd.readouterr().out
    np.savez(tmp_path / "odd.npz", p=q, y=y)
    with pytest.raises(nc.InputError, match=r"odd.npz: found the arrays p, y; expected one named 'q'"):
        nc.read(tmp_path / "odd.npz").pairs()
    (tmp_path / "broken.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(nc.InputError, match=r"broken.npz: .*expected an archive \(.npz\) of arrays"):
        nc.read(tmp_path / "broken.npz").pairs()


@pytest.mark.parametrize(
    ("start", "found"),
    [
        (
            b"\xd0\xcf\x11\xe0",
            "found an old workbook of Excel (.xls), expected a table saved as CSV in UTF-8 (in Excel: File",
        ),
        (b"PK\x03\x04xl", "found a spreadsheet or another archive, expected a table saved as CSV"),
    ],
)
def test_files_of_spreadsheets_are_explained(tmp_path, start, found, capfd):
    (tmp_path / "table.csv").write_bytes(start)
    assert main(["calibrate", str(tmp_path / "table.csv")]) == 2
    assert found in capfd.readouterr().err


def test_labels_print_as_a_table_with_one_number_of_digits():
    q, y = predictions()
    lines = repr(nc.calibrate(nc.read(q, y=y, classes=["a", "b", "c"])).by_class).splitlines()
    assert lines[0].split() == ["predicted", "pairs", "positives", "error", "low", "high", "p", "(Holm)"]
    assert len({len(line) for line in lines}) == 1
    assert [line.split()[0] for line in lines[1:]] == ["a", "b", "c"] or len(lines) == 4


def test_a_notebook_shows_the_curve_next_to_the_numbers():
    rng = np.random.default_rng(1)
    q = rng.random(500)
    page = nc.calibrate(q, rng.random(500) < q)._repr_html_()
    assert "data:image/png;base64," in page
    assert len(page) < 60_000


def test_a_notebook_shows_the_lines_of_each_other_answer():
    q, y = predictions()
    table, yes = nc.read(q, y=y, classes=["a", "b", "c"]), nc.read(q[:, 0], y=(y == 0).astype(float))
    answers = (
        nc.compare(table, nc.read(q**2 / (q**2).sum(axis=1, keepdims=True), y=y, classes=["a", "b", "c"])),
        nc.recalibrate(table),
        nc.plan_labels(detect=0.05),
        nc.plan_items(q[:, 0], budget=50),
        nc.estimate(yes),
        nc.estimate(table),
        nc.judge(nc.read(q[:, 0] > 0.5, y=(y == 0).astype(float))),
        nc.find_spans(np.log(q), ["O", "B-PER", "I-PER"], lengths=[len(q)]),
    )
    for answer in answers:
        assert f">{escape(answer.lines()[0])}" in answer._repr_html_()


def test_the_worst_classes_come_first_with_their_errors(tmp_path, capfd):
    rng = np.random.default_rng(2)
    q = rng.uniform(0.1, 0.9, 3000)
    label = np.arange(3000) % 3
    y = rng.random(3000) < q ** (1 + label)
    rows = "".join(f"{a},{int(b)},class {c}\n" for a, b, c in zip(q, y, label, strict=True))
    (tmp_path / "t.csv").write_text("q,y,label\n" + rows)
    assert main(["calibrate", str(tmp_path / "t.csv")]) == 0
    assert "miscalibrated (Holm): class 2 ." in capfd.readouterr().out


def test_the_command_alone_lists_what_each_command_is_for(capfd):
    assert main([]) == 0
    printed = capfd.readouterr().out
    assert all(f"│ {name} " in printed for name in ("calibrate", "compare", "plan", "estimate"))


def test_errors_of_usage_begin_with_what_is_wrong(capfd):
    with pytest.raises(SystemExit):
        main(["calibrate", "x.csv", "--oot"])
    assert capfd.readouterr().err.startswith("nlpcalib calibrate: error: Unknown option: --oot. Did you mean --out?\n")
