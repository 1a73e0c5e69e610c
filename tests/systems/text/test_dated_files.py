"""Dated documents of one's own, and what is refused in every corpus of dated documents."""

import csv
import gzip
import json
import re
from datetime import date, datetime

import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText, read_dated_records
from nlpcalib.systems.text.dated_files import read_dated_file
from nlpcalib.tables import sources
from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import MAX_RECORD_BYTES

GOOD = {"id": "a", "date": "2004-12-25", "text": "The army attacked.", "desk": "Foreign"}


def write_lines(path, *items):
    path.write_bytes(b"".join(item if isinstance(item, bytes) else json.dumps(item).encode() + b"\n" for item in items))
    return path


def write_table(path, *rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def test_json_lines_are_read(tmp_path):
    second = {"id": 7, "date": "2004-12-26T23:30:00-05:00", "text": "é", "page": 3, "section": None}
    path = write_lines(tmp_path / "mine.jsonl", GOOD, b"\n", second)
    first = DatedText("a", date(2004, 12, 25), "The army attacked.")
    assert list(read_dated_file(path, 0)) == [
        first,
        DatedText("7", date(2004, 12, 26), "é"),
    ]
    with gzip.open(tmp_path / "mine.jsonl.gz", "wb") as file:
        file.write(path.read_bytes())
    assert len(list(read_dated_file(tmp_path / "mine.jsonl.gz", 0))) == 2


def test_tables_are_read(tmp_path):
    path = tmp_path / "mine.CSV"
    path.write_text('\ufeff"text",id,date,desk\n"two\n\nlines, ""said""",a,2004-12-25,Foreign\n', encoding="utf-8")
    assert list(read_dated_file(path, 0)) == [DatedText("a", date(2004, 12, 25), 'two\n\nlines, "said"')]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": None}, "found no date, expected id, date, text"),
        ({"date": ""}, "found no date"),
        ({"date": "2004-02-30"}, "found the date '2004-02-30', expected one such as 2004-12-25"),
        ({"date": "2004-W10-2"}, "found the date '2004-W10-2'"),
        ({"date": "Christmas"}, "found the date 'Christmas'"),
        ({"text": ""}, "found no text"),
        ({"text": " \n"}, "found no text, expected some"),
        ({"text": "\ud800"}, "found a 'text' that is not Unicode"),
        ({"id": ""}, "found no id"),
        ({"id": " "}, "found ' ' as id, expected printable characters"),
        ({"id": "a\nb"}, r"found 'a\nb' as id"),
        ({"id": "first"}, "found id first again, expected each once"),
    ],
)
def test_a_broken_line_is_named_and_the_rest_goes_on(tmp_path, caplog, change, message):
    path = write_lines(tmp_path / "m.jsonl", GOOD | {"id": "first"}, GOOD | change, GOOD | {"id": "last"})
    assert [document.id for document in read_dated_file(path, 0)] == ["first", "last"]
    assert f"{path}, line 2: {message}" in caplog.text


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{\n", "found no JSON ("),
        (b"[1]\n", "found [1], expected one JSON object a line"),
        (b"[" * 100_000 + b"\n", "found no JSON (brackets nested too deeply)"),
        (b'{"id": "\xff"}\n', "found bytes that are not UTF-8 (byte 9 is 0xff), expected"),
        (b"1" * 5000 + b"\n", "found no JSON ("),
    ],
)
def test_a_line_that_is_no_object_is_named(tmp_path, caplog, line, message):
    path = write_lines(tmp_path / "m.jsonl", line, GOOD)
    assert [document.id for document in read_dated_file(path, 0)] == ["a"]
    assert f"{path}, line 1: " in caplog.text
    assert message in caplog.text


def test_a_broken_row_is_named_and_the_rest_goes_on(tmp_path, caplog):
    path = tmp_path / "m.csv"
    path.write_bytes(
        b'id,date,text\na,2004-12-25,x\nb,2004-12-25\nc,2004-12-25,caf\x81\nd,2004-12-25,"x"y\ne,2004-12-25,z\n'
        b'f,2004-12-25,"never closed\n'
    )
    assert [document.id for document in read_dated_file(path, 0)] == ["a", "e"]
    assert f"{path}, line 3: found 2 columns, expected 3 as in the header" in caplog.text
    assert f"{path}, line 4: found bytes that are not UTF-8" in caplog.text
    assert f"{path}, line 5: ',' expected after '\"', expected a row of CSV" in caplog.text
    assert f"{path}, line 7: unexpected end of data" in caplog.text


@pytest.mark.parametrize("header", [["id", "date", "text"], ["text", "id", "date"]])
@pytest.mark.parametrize(("first", "last"), [(0, 190), (9, 200), (9, None), (200, 201)])
def test_rows_behind_a_quotation_mark_are_not_lost(tmp_path, header, first, last):
    rows = [{"id": f"n{n}", "date": "2004-12-25", "text": "The army attacked."} for n in range(301)]
    path = tmp_path / "m.csv"

    def write():
        cells = [header, *([row[name] for name in header] for row in rows)]
        path.write_text("".join(",".join(row) + "\n" for row in cells))

    write()
    assert len(list(read_dated_file(path, 0))) == 301
    rows[first]["text"] = '"' + rows[first]["text"]
    if last is not None:
        rows[last]["text"] += '"'
    write()
    message = (
        rf"m\.csv, line {first + 2}: found a cell that spans {(last or 300) - first + 1} lines, which look like rows"
    )
    with pytest.raises(InputError, match=message):
        list(read_dated_file(path, 0.01))


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-8-sig"])
def test_a_table_in_an_encoding_of_spreadsheets_is_read(tmp_path, encoding):
    path = tmp_path / "m.csv"
    path.write_bytes("ID,Date,Text,Überschrift\na,2004-12-25,“x”,é\n".encode(encoding))
    assert list(read_dated_file(path, 0)) == [DatedText("a", date(2004, 12, 25), "“x”")]


def test_a_letter_of_windows_1252_far_behind_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "BLOCK_BYTES", 16)
    path = tmp_path / "m.csv"
    path.write_bytes(
        b"id,date,text\n" + b"".join(b"a%d,2004-12-25,x\n" % n for n in range(99)) + b"b,2004-12-25,caf\xe9"
    )
    assert [document.text for document in read_dated_file(path, 0)][-2:] == ["x", "café"]


@pytest.mark.parametrize("encoding", ["cp1251", "cp1253", "utf-16-le", "utf-16-be"])
def test_an_encoding_that_cannot_be_known_is_refused(tmp_path, encoding):
    path = tmp_path / "m.csv"
    text = {"cp1251": "кафе", "cp1253": "καφές"}.get(encoding, "café")
    rows = "".join(f"a{n},2004-12-25,{text}\n" for n in range(20))
    path.write_bytes(f"id,date,text\n{rows}".encode(encoding))
    with pytest.raises(InputError, match="not UTF-8"):
        list(read_dated_file(path, 0))


@pytest.mark.parametrize(
    ("written", "first"),
    [
        (["1/2/2019", "1/31/2019"], date(2019, 1, 2)),
        (["1/2/2019 14:30", "31/1/2019 9:05 AM"], date(2019, 2, 1)),
        (["01.02.2019", "02.02.2019"], date(2019, 2, 1)),
        (["2019/2/1", "2019/2/2"], date(2019, 2, 1)),
        (["2019-02-01 00:00:00", "2019-02-02"], date(2019, 2, 1)),
    ],
)
def test_the_dates_of_a_column_decide_whether_the_day_is_first(tmp_path, written, first):
    path = tmp_path / "m.csv"
    path.write_text("id,date,text\n" + "".join(f"a{n},{day},x\n" for n, day in enumerate(written)))
    assert next(read_dated_file(path, 0)).date == first


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (
            ["01/02/2014", "03/04/2014"],
            "none shows whether the day is first: expected dates='day-first' or dates='month-f",
        ),
        (["01/31/2014", "31/01/2014"] * 30, "expected one such as '31/01/2014' (day-first)"),
        (["2014-01-31", "31/01/2014"] * 30, "a column has one format"),
        (["31.01.14", "01.02.14"], "two digits of the year, expected dates='%d.%m.%y'"),
        (["01/02/14", "01/03/14"], "expected dates='%d/%m/%y' or dates='%m/%d/%y'"),
        (["41670", "41671"] * 30, "it is a spreadsheet's number of a day"),
    ],
)
def test_dates_that_may_be_several_days_are_refused_in_words(tmp_path, written, message):
    path = tmp_path / "m.csv"
    path.write_text("id,date,text\n" + "".join(f"a{n},{day},x\n" for n, day in enumerate(written)))
    with pytest.raises(InputError, match=re.escape(message)):
        list(read_dated_file(path, 0))


@pytest.mark.parametrize(("name", "separator"), [("m.csv", ","), ("m.csv", ";"), ("m.csv", "\t"), ("m.tsv", "\t")])
def test_cells_are_separated_as_in_the_header(tmp_path, name, separator):
    path = tmp_path / name
    rows = [["id", "date", "text"], ["a", "2004-12-25", '"x, y; z"']]
    path.write_text("".join(f"{separator.join(row)}\n" for row in rows), encoding="utf-8")
    assert list(read_dated_file(path, 0)) == [DatedText("a", date(2004, 12, 25), "x, y; z", {})]


@pytest.mark.parametrize(
    "content",
    [
        b"id,date,text,desk\r\n\r\na,2004-12-25,The army attacked.,Foreign\r\n,,,\r\n",
        b"\n\n id ,date,text,desk\na,2004-12-25,The army attacked.,Foreign\n",
        b"id,date,text,desk\ra,2004-12-25,The army attacked.,Foreign\r",
        gzip.compress(b"id\tdate\ttext\tdesk\na\t2004-12-25\tThe army attacked.\tForeign\n", mtime=0),
        json.dumps(GOOD).encode(),
    ],
)
def test_what_any_command_reads_is_read_whatever_it_is_called(tmp_path, content):
    (tmp_path / "news").write_bytes(content)
    assert list(read_dated_file(tmp_path / "news", 0)) == [DatedText("a", date(2004, 12, 25), "The army attacked.")]


@pytest.mark.parametrize("day", ["2004-12-25", date(2004, 12, 25), datetime(2004, 12, 25, 23, 59)])
def test_parquet_is_read_in_batches(tmp_path, day, monkeypatch):
    monkeypatch.setattr("nlpcalib.tables.records.BLOCK_ROWS", 2)
    rows = [{"id": f"n{n}", "date": day, "text": "x", "page": n, "desk": None} for n in range(5)]
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "m.parquet")
    found = list(read_dated_file(tmp_path / "m.parquet", 0))
    assert [document.id for document in found] == ["n0", "n1", "n2", "n3", "n4"]
    assert found[3] == DatedText("n3", date(2004, 12, 25), "x")


@pytest.mark.parametrize("name", ["m.csv", "m.jsonl", "m.parquet"])
def test_columns_may_be_called_otherwise(tmp_path, name):
    row = {"doc": "a", "published": "2004-12-25", "headline": "The army attacked.", "text": "another", "desk": "x"}
    if name == "m.csv":
        write_table(tmp_path / name, row, row.values())
    elif name == "m.jsonl":
        write_lines(tmp_path / name, row)
    else:
        pyarrow.parquet.write_table(pa.Table.from_pylist([row]), tmp_path / name)
    columns = {"id": "doc", "date": "published", "text": "headline"}
    assert list(read_dated_file(tmp_path / name, 0, columns)) == [
        DatedText("a", date(2004, 12, 25), "The army attacked.")
    ]


def test_a_column_that_is_named_and_not_there_is_expected_by_its_name(tmp_path):
    path = write_table(tmp_path / "m.csv", ["id", "date", "text"], ["a", "2004-12-25", "x"])
    with pytest.raises(InputError, match="found columns id,date,text, expected id, published, text among them"):
        list(read_dated_file(path, 0, {"date": "published"}))


def test_a_folder_is_said_to_be_one(tmp_path):
    with pytest.raises(InputError, match=f"^{tmp_path}: found a folder, expected a file$"):
        list(read_dated_file(tmp_path, 0))


def test_documents_of_five_megabytes_are_read_and_of_fifty_are_named(tmp_path, caplog):
    long = "The army attacked. " * (5_000_000 // 19)
    before = csv.field_size_limit()
    path = write_table(tmp_path / "m.csv", ["id", "date", "text"], ["a", "2004-12-25", long])
    [document] = read_dated_file(path, 0)
    assert document.text == long
    assert csv.field_size_limit() == before
    path = write_lines(
        tmp_path / "m.jsonl", GOOD | {"id": "long", "text": long}, GOOD | {"text": "x" * 3 * MAX_RECORD_BYTES}, GOOD
    )
    assert [document.id for document in read_dated_file(path, 0)] == ["long", "a"]
    assert f"line 2: found more than {MAX_RECORD_BYTES} bytes" in caplog.text


def test_too_many_broken_lines_are_an_error(tmp_path):
    lines = [b"{\n"] * 11 + [GOOD | {"id": str(number)} for number in range(89)]
    path = write_lines(tmp_path / "m.jsonl", *lines)
    assert len(list(read_dated_file(path, 0.11))) == 89
    with pytest.raises(InputError, match=r"m\.jsonl, line 1: .*; 11 of 100 records are broken, expected at most 10"):
        list(read_dated_file(path, 0.1))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("m.txt", b"", "line 1: found columns , expected id, date, text among them"),
        ("m.csv", b"", "line 1: found columns , expected id, date, text among them"),
        ("m.csv", b"id,text\n", "line 1: found columns id,text, expected id, date, text"),
        ("m.csv", b"id,date,text,id\n", "expected id, date, text among them, each once"),
        ("m.csv", b"id,date,text\n", "found no document in 0 records"),
        ("m.jsonl", b"{}\n", "found no document in 1 records, expected at least one"),
        ("m.csv.gz", b"id", "line 1: found columns id, expected id, date, text"),
        ("m.csv.gz", gzip.compress(b"id,date,text\n" * 99, mtime=0)[:30], "found a damaged file"),
    ],
)
def test_a_file_that_is_no_table_of_documents_is_refused(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=message):
        list(read_dated_file(tmp_path / name, 1))


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        list(read_dated_file(tmp_path / "none.csv", 1))


def test_a_record_is_whole_or_not_at_all(caplog):
    def two(*ids):
        return [DatedText(name, date(2000, 1, 1), "x", {}) for name in ids]

    records = [("one", lambda: two("a", "b")), ("two", lambda: two("c", "a")), ("three", list)]
    records.append(("four", lambda: two("c")))
    assert [document.id for document in read_dated_records(records, "corpus", 0)] == ["a", "b", "c"]
    assert "two: found id a again" in caplog.text


def test_a_time_is_of_the_day_as_written():
    assert parse_date("2004-12-25 23:59") == parse_date(" 2004-12-25T00:30:00.5Z ") == date(2004, 12, 25)
    with pytest.raises(ValueError, match="found the date '2004-12-25th'"):
        parse_date("2004-12-25th")
