"""Tables of pairs: three kinds of file say the same, and a malformed one is refused with the place and the reason."""

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError, InputWarning, other_readers
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.predictions.written_pairs import read_written_pairs

ROWS = "0.25 1 NN a|1 0 VB a|0.0 1 NN b|0.125 0 NN c".replace(" ", "{0}").replace("|", "\n")
TAGS = ["NN", "VB", "NN", "NN"]
AS_TEXT = "q{0}y{0}predicted{0}unit\n" + ROWS + "\n"
NO_UNIT = "found no unit, expected one in each row, or no column unit if each row is a unit of its own"
PAIRS = Pairs(
    q=np.array([0.25, 1, 0, 0.125]),
    y=np.array([True, False, True, False]),
    predicted=Categories(np.array([0, 1, 0, 0], np.int32), ("NN", "VB")),
    unit=Categories(np.array([0, 0, 1, 2], np.int32), ("a", "b", "c")),
)


def assert_equal(one, other):
    np.testing.assert_array_equal(one.q, other.q, strict=True)
    np.testing.assert_array_equal(one.y, other.y, strict=True)
    for mine, theirs in ((one.predicted, other.predicted), (one.unit, other.unit)):
        assert (mine is None) == (theirs is None)
        if mine is not None:
            assert mine.names == theirs.names
            np.testing.assert_array_equal(mine.codes, theirs.codes, strict=True)


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_parquet(path, **columns):
    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


def test_parquet_csv_and_tsv_give_equal_pairs(tmp_path):
    write_pairs(tmp_path / "pairs.parquet", PAIRS)
    written(tmp_path / "pairs.csv", AS_TEXT.format(","))
    written(tmp_path / "pairs.TSV", AS_TEXT.format("\t"))
    for name in ("pairs.parquet", "pairs.csv", "pairs.TSV"):
        assert_equal(read(tmp_path / name).pairs(), PAIRS)


def test_written_pairs_are_read_as_anyone_elses_without_an_examination(tmp_path):
    unusual = Pairs(
        np.repeat([0.0, 0.5, 0.9], 140),
        np.arange(420) % 2 == 0,
        document=Categories.of(np.arange(420), [f"d{n}" for n in range(420)]),
    )
    write_pairs(tmp_path / "pairs.parquet", unusual)
    mine = read_written_pairs(tmp_path / "pairs.parquet")
    with pytest.warns(InputWarning, match="labels do not follow q"):
        theirs = read(tmp_path / "pairs.parquet").pairs()
    assert_equal(mine, replace(theirs, unit=None, document=theirs.unit))
    assert mine.document.texts() == theirs.unit.texts() == unusual.document.texts()
    with pytest.raises(InputError, match="found no column y, expected the pairs that `write_pairs` wrote"):
        read_written_pairs(as_parquet(tmp_path / "q.parquet", q=[0.5]))


def test_pairs_survive_a_round_trip_in_the_order_of_their_rows(tmp_path):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 1000).astype(np.int32)
    q = rng.random(1000)
    pairs = Pairs(q, rng.random(1000) < q, Categories(codes, ("`", '"', "é")), None)
    write_pairs(tmp_path / "pairs.parquet", pairs)
    back = read(tmp_path / "pairs.parquet").pairs()
    np.testing.assert_array_equal(back.q, pairs.q)
    assert back.unit is None
    names = np.array(pairs.predicted.names)[pairs.predicted.codes]
    np.testing.assert_array_equal(np.array(back.predicted.names)[back.predicted.codes], names)


def test_parquet_has_the_types_that_the_design_promises(tmp_path):
    write_pairs(tmp_path / "pairs.parquet", PAIRS)
    schema = pyarrow.parquet.read_schema(tmp_path / "pairs.parquet")
    assert schema.names == ["q", "y", "predicted", "unit"]
    assert schema.field("q").type == pa.float64()
    assert schema.field("y").type == pa.bool_()
    assert {schema.field(name).type for name in ("predicted", "unit")} == {pa.string()}


@pytest.mark.parametrize(
    "text",
    [
        "q,y\n0.25,1\n1,0\n0,1\n.125,0\n",
        "q,y\n0.25,true\n1,False\n0,TRUE\n1.25e-1,false",
        "q,y\n0.25,1.0\n1,0.0\n0,1\n0.125,0\n",
        "y,remark,q\n1,x,0.25\n0,,1\n1,z,0\n0,é,0.125\n",
        "\ufeffq,y\n0.25,1\n1,0\n0,1\n0.125,0\n",
        "q,y\r\n0.25,1\r\n1,0\r\n0,1\r\n0.125,0\r\n",
        "q,y\r0.25,1\r1,0\r0,1\r0.125,0\r",
        "\n\nq,y\n\n0.25,1\n1,0\n\n\n0,1\n0.125,0\n\n",
        'q, y\n 0.25,1 \n"1", 0\n\t0,1\n0.125 , 0\n',
        'q,y,token\n0.25,1,""""\n1,0,"a,b"\n0,1,5"\n0.125,0,\n',
    ],
    ids=["plain", "words", "floats", "columns", "BOM", "CRLF", "CR", "blank-lines", "spaces", "quotes"],
)
def test_ways_of_writing_the_same_text(tmp_path, text):
    pairs = read(written(tmp_path / "pairs.csv", text)).pairs()
    assert_equal(pairs, Pairs(PAIRS.q, PAIRS.y))


@pytest.mark.parametrize(
    ("q", "y", "predicted"),
    [
        (pa.array(PAIRS.q, pa.float32()), pa.array(PAIRS.y), pa.array(TAGS)),
        (pa.array(PAIRS.q).dictionary_encode(), pa.array([1, 0, 1, 0], pa.int8()), pa.array(TAGS)),
        (pa.array(PAIRS.q), pa.array([1.0, 0, 1, 0]), pa.array(TAGS).dictionary_encode()),
        (pa.array(["0.25", "1", "0", "0.125"]), pa.array(["1", "0", "true", "false"]), pa.chunked_array([TAGS, []])),
    ],
    ids=["float32", "dictionary", "floats", "text"],
)
def test_ways_of_writing_the_same_parquet(tmp_path, q, y, predicted):
    pairs = read(
        as_parquet(tmp_path / "pairs.parquet", extra=[[1], [], [2], []], predicted=predicted, y=y, q=q)
    ).pairs()
    assert_equal(pairs, Pairs(PAIRS.q, PAIRS.y, PAIRS.predicted))


def test_label_and_unit_may_be_numbers(tmp_path):
    pairs = read(as_parquet(tmp_path / "p.parquet", q=[0.5, 0.5], y=[1, 0], unit=[20, 3])).pairs()
    assert pairs.unit.names == ("20", "3")
    assert pairs.unit.codes.tolist() == [0, 1]


NOT_UTF8 = (
    "found bytes that are not UTF-8, expected UTF-8 text: in Excel, File, Save As, CSV UTF-8; "
    "else iconv -f ENCODING -t utf-8 converts it"
)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (
            "p,y\n.5,1\n",
            "",
            "found the columns p, y; expected one named 'q', or q= with its name, or a column for each class, "
            "or match= with keywords",
        ),
        ("q,p\n.5,1\n", "", "found the columns q, p; expected one named 'y', or y= with its name, or files of labels"),
        ("q,q,y\n.5,.5,1\n", "", "found the columns q, q, y; expected each once"),
        ("q,y,unit,unit\n.5,1,a,a\n", "", "found the columns q, y, unit, unit; expected each once"),
        ("q,y\n0,5,1\n", ", line 2", "found 3 cells, expected 2 as in the header"),
        ("q;y\n", "", "found no rows, expected at least one"),
        ("", "", "found no rows, expected at least one"),
        ("\n\n", "", "found no rows, expected at least one"),
        ("q,y", "", "found no rows, expected at least one"),
        ("q,y\n", "", "found no rows, expected at least one"),
        ("q,y\n.5,1\n\n.5\n", ", line 4", "found 1 cell, expected 2 as in the header"),
        ("q,y\n.5,1\n.5,1,1\n", ", line 3", "found 3 cells, expected 2 as in the header"),
        ("q,y\n.5,1\nabc,1\n", ", line 3", "found prediction 'abc', expected a probability in [0, 1]"),
        (
            "q,y\n.5,1\n.5,perhaps\n",
            ", line 3, column y",
            "found the label 'perhaps', expected yes or no; yes= names the one that counts: 1, perhaps",
        ),
        ("q,y\n,1\n", "", "found no prediction in q, expected some"),
        ("q,y\n.5,\n", "", "found no label in column y, expected some, or files of labels"),
        ("q,y\ninf,1\n", ", line 2", "found prediction inf, expected a probability in [0, 1]"),
        ("q,y\n.5,1\n1.2,1\n", ", line 3", "found prediction 1.2, expected a probability in [0, 1]"),
        ("q,y\n-0.1,1\n", ", line 2", "found prediction -0.1, expected a probability in [0, 1]"),
        ('q,y\n"5,5",1\n', ", line 2", "found prediction 5,5, expected a probability in [0, 1]"),
        ("q,y\n.5,1\n1_0,1\n", ", line 3", "found prediction '1_0', expected a probability in [0, 1]"),
        (
            "q,y\n.5,2\n",
            ", line 2, column y",
            "found the label '2', expected yes or no; yes= names the one that counts: 2",
        ),
        ("q,y,unit\n.5,1,a\n.5,1,\n", ", line 3", NO_UNIT),
        ("q,y,unit\n.5,1, \n", ", line 2", NO_UNIT),
        ("\n\nq,y\n.5,1\n\n\n.5,1\n\n1.2,2\n", ", line 9", "found prediction 1.2, expected a probability in [0, 1]"),
        (
            "q,y\r\n.5,1\r\n\r\n.5,2\r\n",
            ", line 4, column y",
            "found the label '2', expected yes or no; yes= names the one that counts: 1, 2",
        ),
        ("\ufeffq,y\n.5,1\n.5,1\n2,1\n", ", line 4", "found prediction 2, expected a probability in [0, 1]"),
        (b"q,y,predicted\n.5,1,a\n.5,1,caf\x81\n", ", line 3", NOT_UTF8),
        (b"q,y,caf\x81\n.5,1,a\n", ", line 1", NOT_UTF8),
        (
            "q,y\n.5,1\n".encode("utf-16")[:-1],
            "",
            "found damaged UTF-16 (truncated data), expected a table saved as CSV UTF-8",
        ),
        (bytes(range(128, 256)) * 9, ", line 1", NOT_UTF8),
    ],
)
def test_malformed_text_is_refused_with_its_line(tmp_path, text, place, message):
    path = written(tmp_path / "pairs.csv", text)
    with pytest.raises(InputError) as error:
        read(path).pairs()
    assert str(error.value).removesuffix(other_readers(path)) == f"{path}{place}: {message}"


@pytest.mark.parametrize("text", ["q,y\n0.5,1\n", '"q","y"\n0.5,1\n', "q;y\n0,5;1\n", "q\ty\n0,5\t1\n"])
@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
def test_the_header_names_the_separator_whatever_the_file_is_called(tmp_path, text, ending):
    assert read(written(tmp_path / f"pairs.{ending}", text)).pairs().q.tolist() == [0.5]


def test_lines_count_rows_with_nothing_but_empty_cells_which_are_passed_over(tmp_path):
    pairs = read(written(tmp_path / "pairs.tsv", "q\ty\n\t\n.5\t1\n \n")).pairs()
    assert (pairs.q.tolist(), pairs.y.tolist()) == ([0.5], [True])
    path = written(tmp_path / "pairs.tsv", "q\ty\n\t\n.5\t1\n\t\n2\t1\n")
    with pytest.raises(InputError, match="line 5: found prediction 2"):
        read(path).pairs()


def test_a_long_value_is_read(tmp_path):
    long = "x" * 200_000
    for value in (f'"{long}"', long):
        path = written(tmp_path / "tokens.csv", f'q,y,token\n0.1,0,{value}\n0.5,1,"\n0.2,1,x\n')
        with pytest.raises(InputError, match="line 3: found a quotation mark that is not closed"):
            read(path).pairs()
    assert read(written(tmp_path / "whole.csv", f'q,y,token\n0.1,0,"{long}"\n')).pairs().q.tolist() == [0.1]


@pytest.mark.parametrize("closing", ["", '0.5\t1\t"\n'])
def test_a_stray_quotation_mark_does_not_swallow_rows(tmp_path, closing):
    path = written(tmp_path / "tokens.tsv", f'q\ty\ttoken\n0.1\t0\tHe\n0.5\t1\t"\n0.2\t1\tx\n{closing}0.3\t0\ty\n')
    with pytest.raises(InputError, match=r"line 3: found a (quotation mark that is not|cell that spans 3 lines)"):
        read(path).pairs()


def test_rows_without_a_prediction_or_a_label_are_counted_and_left_out(tmp_path):
    for ending, missing in (("csv", ""), ("csv", "nan"), ("csv", "NA")):
        path = written(tmp_path / f"t.{ending}", f"q,y\n.5,1\n{missing},1\n.2,{missing}\n")
        with pytest.warns(InputWarning, match="1 row left out, without a prediction in q: row 2"):
            assert read(path).pairs().q.tolist() == [0.5]
    columns = {"q": [0.5, None, 0.2], "y": [1, 0, None]}
    with pytest.warns(InputWarning, match="1 row left out, without a prediction in q: row 2"):
        assert read(as_parquet(tmp_path / "t.parquet", **columns)).pairs().q.tolist() == [0.5]


@pytest.mark.parametrize(
    ("columns", "place", "message"),
    [
        ({"p": [0.5], "y": [1]}, "", "found the columns p, y; expected one named 'q'"),
        ({"q": pa.array([], pa.float64()), "y": pa.array([], pa.bool_())}, "", "found no rows"),
        ({"q": [0.5, 0.5], "y": [1, 0], "predicted": ["a", None]}, ", row 2", "found no label, expected a text"),
        ({"q": [0.5, 0.5], "y": [1, 0], "unit": ["a", None]}, ", row 2", NO_UNIT),
        ({"q": [0.5, 0.5], "y": [1, 0], "unit": ["a", ""]}, ", row 2", NO_UNIT),
        ({"q": [0.5, 0.5], "y": [1, 0], "unit": [1.0, float("nan")]}, ", row 2", NO_UNIT),
        ({"q": [0.5, 0.5], "y": [1, 0], "unit": pa.array(["a", " "]).dictionary_encode()}, ", row 2", NO_UNIT),
        ({"q": [0.5, 0.5], "y": [1, 0], "unit": [[1], [2]]}, ", row 1", "found units of type list"),
        ({"q": [0.5, 1.5], "y": [1, 0]}, ", row 2", "found prediction 1.5, expected a probability in [0, 1]"),
        ({"q": ["0.5", "x"], "y": [1, 0]}, ", row 2", "found prediction 'x', expected a probability in [0, 1]"),
        ({"q": [[0.5]], "y": [1]}, ", row 1", "found a list of 1, expected a probability in [0, 1]"),
        ({"q": [0.5, 0.5], "y": [1, 2]}, ", row 2, column y", "found the label '2', expected yes or no"),
    ],
)
def test_malformed_parquet_is_refused_with_its_row(tmp_path, columns, place, message):
    path = as_parquet(tmp_path / "pairs.parquet", **columns)
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}{place}: {message}')}"):
        read(path).pairs()


def test_parquet_with_a_column_twice_is_refused(tmp_path):
    path = tmp_path / "pairs.parquet"
    pyarrow.parquet.write_table(pa.table([[0.5], [0.5], [1]], names=["q", "q", "y"]), path)
    with pytest.raises(InputError, match="found the columns q, q, y; expected each once"):
        read(path).pairs()


@pytest.mark.parametrize("keep", [0, 3, 0.5, -1], ids=["empty", "magic", "half", "all-but-a-byte"])
def test_truncated_parquet_is_refused(tmp_path, keep):
    write_pairs(tmp_path / "pairs.parquet", PAIRS)
    content = (tmp_path / "pairs.parquet").read_bytes()
    cut = int(keep * len(content)) if isinstance(keep, float) else keep
    path = written(tmp_path / "cut.parquet", content[:cut])
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: cannot be read as parquet: .+"):
        read(path).pairs()


def test_text_called_parquet_is_refused(tmp_path):
    path = written(tmp_path / "pairs.parquet", AS_TEXT.format(","))
    with pytest.raises(InputError, match=re.escape(f"{path}: cannot be read as parquet: ")):
        read(path).pairs()


def test_a_file_that_is_not_there_or_of_another_kind_is_refused(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(InputError, match=r"missing.csv: no such file"):
        read(tmp_path / "missing.csv").pairs()
    with pytest.raises(InputError, match=r"folder.csv: found a folder, expected a file"):
        read(tmp_path / "folder.csv").pairs()
    with pytest.raises(InputError, match=r"pairs.xlsx: found a spreadsheet or another archive, expected a table"):
        read(written(tmp_path / "pairs.xlsx", b"PK\x03\x04")).pairs()


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "pairs.parquet"
    write_pairs(path, PAIRS)
    before = path.read_bytes()

    def fill_the_disk(_, temporary, **options):
        temporary.write_bytes(b"PAR1")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pyarrow.parquet, "write_table", fill_the_disk)
    with pytest.raises(OSError, match="No space left"):
        write_pairs(path, PAIRS)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["pairs.parquet"]


def test_labels_that_are_not_utf8_are_refused(tmp_path):
    label = pa.array([b"a", b"\xff"]).view(pa.string())
    pyarrow.parquet.write_table(pa.table({"q": [0.5, 0.5], "y": [0, 1], "predicted": label}), tmp_path / "p.parquet")
    with pytest.raises(InputError, match=r"p\.parquet: cannot be read as parquet"):
        read(tmp_path / "p.parquet").pairs()


EVERYDAY = {
    "a predicted class and its confidence": "text,predicted,score,gold\nx,a,.9,a\ny,b,.6,a\nz,b,.7,b\n",
    "a pipeline's label and score": "label,score,gold\na,.9,a\nb,.6,a\nb,.7,b\n",
    "prefixed classes": "Text,Q_a,Q_b,Gold\nx,.9,.1,a\ny,.4,.6,a\nz,.3,.7,b\n",
    "classes next to texts": "text,a,b,gold\nx,.9,.1,a\ny,.4,.6,a\nz,.3,.7,b\n",
    "positions": "a,b,gold\n.9,.1,0\n.4,.6,0\n.3,.7,1\n",
}
"""Tables as other tools and people write them, of the same three predictions."""


@pytest.mark.parametrize("kind", EVERYDAY)
def test_tables_of_everyday_are_read(tmp_path, kind):
    found = read(written(tmp_path / "t.csv", EVERYDAY[kind])).pairs()
    pairs = found if isinstance(found, Pairs) else found.top_label()
    assert pairs.q.tolist() == [0.9, 0.6, 0.7]
    assert pairs.y.tolist() == [True, False, True]
    assert [pairs.predicted.names[code] for code in pairs.predicted.codes] == ["a", "b", "b"]
    notes = "column gold is a position from 0: 0 is a, 1 is b"
    assert (notes in pairs.table.notes) == (kind == "positions")
    assert not [part for part in pairs.table.set_aside if "pred" in part or "Prob" in part]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("predicted,score,gold\na,.9,x\nb,.6,y\n", ": found no label among the predicted classes, a, b"),
        ("a,b,gold\n.9,.1,1\n.4,.6,2\n", ", line 3, column gold: found class '2', expected one of a, b"),
        ("q_a,q_b,gold\n.9,.1,a\n.4,.6,c\n", ", line 3, column gold: found class 'c', expected one of a, b"),
        (
            "logits,y\n2,1\n-1,0\n",
            ": found the columns logits, y; expected one named 'q', or q= with its name, or a column for each class, "
            "or match= with keywords; of logits it is 1 / (1 + exp(-",
        ),
    ],
)
def test_tables_of_everyday_that_fit_nothing_are_refused(tmp_path, text, message):
    path = written(tmp_path / "t.csv", text)
    with pytest.raises(InputError, match=re.escape(message)) as refused:
        read(path).pairs()
    assert str(refused.value).startswith(str(path))


def test_capitals_make_no_difference_unless_a_class_is_called_so(tmp_path):
    pairs = read(written(tmp_path / "t.csv", "Q,Y,Label\n.9,1,a\n.6,0,b\n")).pairs()
    assert (pairs.q.tolist(), pairs.y.tolist(), pairs.predicted.names) == ([0.9, 0.6], [True, False], ("a", "b"))
    letters = read(written(tmp_path / "t.csv", "P,Q,Y,gold\n.1,.8,.1,Q\n.3,.1,.6,P\n")).pairs().top_label()
    assert (letters.q.tolist(), letters.y.tolist(), letters.predicted.names) == (
        [0.8, 0.6],
        [True, False],
        ("P", "Q", "Y"),
    )


def test_a_row_that_nobody_looked_at_is_no_wrong_prediction(tmp_path):
    """Next to what is predicted an empty cell is no class, and a class may be called none."""
    rows = "".join(f"a,.9,{gold}\n" for gold in ("a", "", "NA", "b", "none"))
    found = read(written(tmp_path / "t.csv", f"predicted,score,gold\n{rows}"))
    assert found.labelled.tolist() == [0, 3, 4]
    assert found.y[found.labelled].tolist() == [1, 0, 0]
