"""No text becomes a formula in a spreadsheet, and every text comes back as it was."""

import csv
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nlpcalib.io
from nlpcalib.calibration import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.io.spreadsheet import protected, unprotected
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import measure, write_report
from nlpcalib.tables.table import read_rows
from reproduction.events.storage import write_candidates

ATTACKS = ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1", '=HYPERLINK("http://x")', "-", "-LRB-"]
HARMLESS = ["", "a", "'", "''", "'s", "-0.5", "+3", "-1e-05", "1-1", "a=b", "“=”", " -", "-12"]
ODD = ["'=1", "''=1", "'-5", "'", "'+"]
TEXTS = st.text(alphabet=st.one_of(st.sampled_from("'=+-@\t\r\n,;\"0.5e a"), st.characters(codec="utf-8")))


@pytest.mark.parametrize("text", ATTACKS)
def test_what_a_spreadsheet_computes_gets_an_apostrophe(text):
    assert protected(text) == f"'{text}"


@pytest.mark.parametrize("text", HARMLESS)
def test_all_else_stays(text):
    assert protected(text) == text


@settings(deadline=None, max_examples=500)
@given(TEXTS)
def test_any_text_comes_back(text):
    assert unprotected(protected(text)) == text


@settings(deadline=None, max_examples=100)
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_any_table_comes_back(tmp_path_factory, texts):
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    rows = [{"a": text, "b": "x"} for text in texts]
    write_csv(path, rows)
    assert read_csv(path) == rows


@pytest.mark.parametrize("text", ["a\rb", "\r", "a\r", "a\r\nb", "a\nb", "\rb"])
def test_a_line_end_in_a_cell_comes_back(tmp_path, text):
    write_csv(tmp_path / "t.csv", [{"a": text, "b": 1}])
    assert read_csv(tmp_path / "t.csv") == [{"a": text, "b": "1"}]


def test_numbers_are_left_alone(tmp_path):
    write_csv(tmp_path / "t.csv", [{"a": -0.5, "b": -3, "c": "-0.5"}])
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == "a,b,c\n-0.5,-3,-0.5\n"


def cells(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [cell for row in csv.reader(file) for cell in row]


def is_formula(cell):
    """As a spreadsheet has it: the first sign decides, unless the whole is a number."""
    try:
        float(cell)
    except ValueError:
        return cell.strip().startswith(tuple("=+-@＝＋－＠"))
    return False


@pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")
def test_labels_are_no_formulas_in_the_report(tmp_path):
    names = tuple(sorted(ATTACKS))
    codes = np.arange(22 * len(names)) % len(names)
    pairs = Pairs([0.2, 0.8] * (11 * len(names)), [0, 1] * (11 * len(names)), Categories(codes, names))
    write_report(measure(pairs, bin_size=50, samples=10, seed=0), tmp_path)
    assert not [cell for cell in cells(tmp_path / "by_class.csv") if is_formula(cell)]
    assert {row["predicted"] for row in read_csv(tmp_path / "by_class.csv")} == set(names)


def test_ids_and_words_are_no_formulas_among_the_events(tmp_path):
    rows = [{"document": text, "query": "q", "words": text, "n": -1} for text in ATTACKS]
    (tmp_path / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    write_candidates(tmp_path / "events.csv", [tmp_path / "c.jsonl"], "q")
    assert not [cell for cell in cells(tmp_path / "events.csv") if is_formula(cell)]
    assert sorted(row["words"] for row in read_csv(tmp_path / "events.csv")) == sorted(ATTACKS)


def test_tables_that_people_return_are_read_as_they_were_before(tmp_path):
    texts = [text for text in ATTACKS if text == text.strip()]
    write_csv(tmp_path / "t.csv", [{"item": text, "label": "x"} for text in texts])
    assert [row["item"] for _, row in read_rows(tmp_path / "t.csv", ("item", "label"))] == texts


@pytest.mark.filterwarnings("ignore:.* look like another:nlpcalib.InputWarning")
@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_predictions_have_the_labels_and_classes_that_were_protected(tmp_path, kind, delimiter):
    texts = [text for text in (*ATTACKS, *HARMLESS, *ODD) if not set(text) & set('\t\r\n"')]
    lines = [f".5,{i % 2},{protected(text)},u{protected(text)}" for i, text in enumerate(texts)]
    table = "\n".join(["q,y,label,unit", *lines, ""]).replace(",", delimiter)
    (tmp_path / f"t.{kind}").write_text(table, encoding="utf-8")
    label = read(tmp_path / f"t.{kind}").pairs().predicted
    assert label
    assert [label.names[code] for code in label.codes] == texts
    (tmp_path / f"c.{kind}").write_text("'-LRB-,NN,gold\n.2,.8,'-LRB-\n.6,.4,-LRB-\n".replace(",", delimiter))
    np.testing.assert_array_equal(read(tmp_path / f"c.{kind}").pairs().top_label().y, [False, True])


def test_labels_that_are_the_same_without_an_apostrophe_are_one_label(tmp_path):
    (tmp_path / "t.csv").write_text("q,y,label\n.5,1,'=\n.4,0,=\n.3,0,b\n", encoding="utf-8")
    label = read(tmp_path / "t.csv").pairs().predicted
    assert label
    assert (label.names, label.codes.tolist()) == (("=", "b"), [0, 0, 1])


def test_a_class_that_comes_twice_without_its_apostrophe_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("'-A,-A,gold\n.2,.8,-A\n", encoding="utf-8")
    with pytest.raises(InputError, match="found the columns -A, -A, gold; expected each once"):
        read(tmp_path / "t.csv").pairs()


def test_a_label_of_parquet_keeps_its_apostrophe(tmp_path):
    names = ("'=1", "b")
    write_pairs(tmp_path / "t.parquet", Pairs([0.2, 0.8], [0, 1], Categories([0, 1], names)))
    label = read(tmp_path / "t.parquet").pairs().predicted
    assert label
    assert label.names == names


@pytest.mark.skipif(shutil.which("node") is None, reason="no interpreter of JavaScript here")
def test_pages_write_the_same_cells_as_the_library(tmp_path):
    """The verdicts of the audit and the labels of the annotation page are tables too."""
    texts = [*ATTACKS, *HARMLESS, *ODD, 'a "b", c']
    script = (Path(nlpcalib.io.__file__).parent / "page/shared.js").read_text(encoding="utf-8")
    program = f"{script}\nprocess.stdout.write({json.dumps(texts)}.map((text) => tableRow([text, 0.5, -1])).join(''));"
    (tmp_path / "program.js").write_text(program, encoding="utf-8")
    made = subprocess.run(["node", tmp_path / "program.js"], capture_output=True, check=True).stdout
    write_csv(tmp_path / "t.csv", [{"text": text, "x": 0.5, "y": -1} for text in texts])
    expected = (tmp_path / "t.csv").read_bytes().removeprefix(b"text,x,y\n")
    assert list(csv.reader(made.decode().splitlines(keepends=True))) == list(
        csv.reader(expected.decode().splitlines(keepends=True))
    )
