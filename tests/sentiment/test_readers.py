import csv
import gzip
import json
import zipfile
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.errors import InputError
from reproduction.corpora.messages import Message, parse_time, read_messages, write_messages
from reproduction.corpora.readers.irc import parse_irc, read_irc
from reproduction.corpora.readers.message_files import read_message_file
from reproduction.corpora.readers.sentiment140 import DOWNLOAD, TABLE, read_sentiment140

V1 = {"created_at": "Wed Aug 27 13:08:45 +0000 2014", "id_str": "1", "text": "a &lt;3 b", "lang": "en"}


def json_lines(*items):
    return [item if isinstance(item, bytes) else (json.dumps(item) + "\n").encode() for item in items]


@pytest.fixture
def read(tmp_path):
    """Return a function that reads messages from lines, as in a file of a name."""

    def from_lines(lines, name="t.jsonl", share=0, *language):
        (tmp_path / name).write_bytes(b"".join(lines))
        return list(read_message_file(tmp_path / name, share, *language))

    return from_lines


def texts(messages):
    return [message.text for message in messages]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Wed Aug 27 13:08:45 +0000 2014", 1409144925),
        ("Mon Apr 06 22:19:45 PDT 2009", 1239081585),
        ("2014-08-27T13:08:45Z", 1409144925),
        ("2014-08-27T15:08:45.123+02:00", 1409144925),
        ("2014-08-27 13:08:45", 1409144925),
        ("2014-08-27", 1409097600),
    ],
)
def test_times_are_read_in_every_form(text, seconds):
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["", "yesterday", "2014-13-01", "Wed Foo 27 13:08:45 +0000 2014", "1409144925.5x"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(ValueError, match=r"\S"):
        parse_time(text)


def test_tweets_of_version_1_are_read_whole(read):
    cut = V1 | {"id_str": "2", "text": "cut…", "extended_tweet": {"full_text": "not cut"}}
    long = {key: value for key, value in V1.items() if key != "text"} | {"full_text": "long"}
    repeated = V1 | {"text": "RT @ann: cut…", "retweeted_status": {"text": "whole", "user": {"screen_name": "ann"}}}
    messages = read(json_lines(V1, cut, {"delete": {"status": {}}}, long, repeated, b"\n"))
    assert texts(messages) == ["a <3 b", "not cut", "long", "RT @ann: whole"]
    assert messages[0] == Message("1", 1409144925, "a <3 b")


def test_tweets_of_version_2_are_read(read):
    one = {"data": {"id": "7", "text": "x", "created_at": "2021-01-02T03:04:05.000Z"}, "includes": {}}
    page = {"data": [{"id": "8", "text": "y", "created_at": "2021-01-02T03:04:05Z"}, one["data"]], "meta": {"n": 2}}
    messages = read(json_lines(one, page))
    assert [message.id for message in messages] == ["7", "8", "7"]


def test_only_the_language_asked_for_is_read(read):
    others = [V1 | {"lang": "pt", "text": "outro"}, {"text": "unknown", "time": "2014-01-01"}]
    assert texts(read(json_lines(V1, *others), "t.jsonl", 0, "en")) == ["a <3 b", "unknown"]
    assert len(read(json_lines(V1, *others))) == 3


def test_broken_lines_are_counted_named_and_left_out(caplog, read):
    broken = [
        b'{"text": "cut\n',
        b"[1]\n",
        b'{"text": "\xff"}\n',
        json_lines({"text": "no date"})[0],
        json_lines({"text": "bad", "time": "soon"})[0],
        json_lines({"time": "2014-01-01"})[0],
        b'{"data": [3]}\n',
    ]
    assert texts(read([*broken, *json_lines(V1)], "tweets.jsonl")) == ["a <3 b"]
    assert "tweets.jsonl, line 1: found no JSON (" in caplog.text
    assert "tweets.jsonl, line 3: found bytes that are not UTF-8 (byte 11 is 0xff)" in caplog.text
    assert "line 5: found the time 'soon', expected ISO 8601" in caplog.text
    assert "tweets.jsonl: 7 of 8 lines left out" in caplog.text
    assert "line 6" not in caplog.text


def test_too_many_broken_lines_are_an_error(read):
    lines = [b"{\n"] * 11 + json_lines(*[V1] * 89)
    assert len(read(lines, "t.jsonl", 0.2)) == 89
    with pytest.raises(InputError, match=r"t\.jsonl, line 1: .*; 11 of 100 lines are broken, expected at most 10\.0%"):
        read(lines, "t.jsonl", 0.1)


def test_a_file_in_utf16_is_read(tmp_path):
    path = tmp_path / "tweets.jsonl"
    path.write_text("\n".join(json.dumps(V1) for _ in range(50)), encoding="utf-16")
    assert len(list(read_message_file(path, 0))) == 50


def test_csv_tables_are_read(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text('\ufefftime,text,id\n2014-01-01,"two\nlines, :)",a\n2014-01-02,"say ""x""",b\n', encoding="utf-8")
    assert list(read_message_file(path, 0)) == [
        Message("a", 1388534400, "two\nlines, :)"),
        Message("b", 1388620800, 'say "x"'),
    ]
    with gzip.open(tmp_path / "mine.csv.gz", "wb") as file:
        file.write(path.read_bytes())
    assert len(list(read_message_file(tmp_path / "mine.csv.gz", 0))) == 2


def test_tables_of_other_kinds_are_read(read, tmp_path):
    assert texts(read([b"text;created_at\n", b"x;2014-01-01\n"], "m.csv")) == ["x"]
    rows = [{"text": "y", "time": datetime(2014, 1, 2, tzinfo=UTC), "id": 7}]
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "m.parquet")
    assert list(read_message_file(tmp_path / "m.parquet", 0)) == [Message("7", 1388620800, "y")]


def test_broken_rows_of_csv_are_left_out(caplog, read):
    lines = [b"text,time\n", b"x,2014-01-01\n", b"x\n", b"caf\x81,2014-01-01\n", b"y,never\n", b"z,2014-01-02\n"]
    assert texts(read(lines, "m.csv")) == ["x", "z"]
    assert "m.csv, line 3: found 1 columns, expected 2 as in the header" in caplog.text
    assert "m.csv, line 4: found bytes that are not UTF-8" in caplog.text
    assert "m.csv, line 5: found the time 'never'" in caplog.text


@pytest.mark.parametrize(
    "header",
    [b"time,text,\x81\n", "time,text\n".encode("utf-16-be"), '"time","text"\n'.encode("utf-16-le")],
)
def test_a_header_in_another_encoding_is_said_to_be(header, read):
    with pytest.raises(InputError) as error:
        read([header, b"2014-01-01,x,y\n"], "m.csv")
    assert str(error.value).endswith(
        "m.csv, line 1: found bytes that are not UTF-8 (saved as UTF-16 or Windows-1252?), expected a table in UTF-8"
    )


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "m.csv, line 1: found columns , expected text, time among them"),
        ([b"a,b\n"], "m.csv, line 1: found columns a,b, expected text, time among them"),
        ([b"text;when\n"], "m.csv, line 1: found columns text;when, expected text, time among them"),
        ([b"text,time\n", b'"x,2014\n'] + [b"x,2014-01-01\n"] * 9, "m.csv, line 2: found a cell that spans 10 lines"),
    ],
)
def test_what_is_no_table_of_messages_is_refused(lines, message, read):
    with pytest.raises(InputError, match=message):
        read(lines, "m.csv", 1)


def test_files_that_cannot_be_read_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl: no such file"):
        list(read_message_file(tmp_path / "none.jsonl", 0))
    (tmp_path / "a.csv.gz").write_bytes(b"\x1f\x8btext")
    with pytest.raises(InputError, match="found a damaged file"):
        list(read_message_file(tmp_path / "a.csv.gz", 0))


LOG = """=== bob [~bob@host]  has joined #ubuntu
[09:19] <ann> bob: that works :)
[09:19] <bob> thanks, ann
[09:20] <ubottu> I am only a bot
[09:20]  * ann waves
[09:20] -spam:#ubuntu- buy this
[09:21] <ann> note: this is no nick
[09:21] <bob>
not a line
[29:21] <bob> late
"""


def test_irc_logs_are_read(caplog):
    messages = list(parse_irc(LOG.encode().splitlines(True), "data/2004-12-25_05.raw.txt", 0, set()))
    assert texts(messages) == ["@bob: that works :)", "thanks, ann", "note: this is no nick"]
    assert messages[0].id == "2004-12-25_05/2"
    assert messages[0].time == parse_time("2004-12-25T09:19")
    assert "line 9: found 'not a line', expected [HH:MM] <nick> text" in caplog.text
    assert "line 10: found the time 29:21, expected one of the day" in caplog.text


def test_a_line_of_a_day_is_read_once_though_logs_overlap(tmp_path):
    path = tmp_path / "irc.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data/train/2005-01-01.train-c.raw.txt", "[01:00] <ann> hi\n[01:01] <bob> later\n")
        archive.writestr("data/dev/2005-01-01_01.raw.txt", "[00:59] <ann> first\n[01:00] <ann> hi\n")
        archive.writestr("data/dev/2004-01-02_01.raw.txt", "[01:00] <ann> hi\n")
    assert texts(read_irc(path, 0)) == ["hi", "hi", "later", "first"]


def test_a_log_without_a_date_is_refused():
    for name in ("log.raw.txt", "2005-02-30.raw.txt"):
        with pytest.raises(InputError, match=name):
            list(parse_irc([], name, 0, set()))


def sentiment140(path, rows, inner=TABLE):
    with zipfile.ZipFile(path.with_suffix(".inner"), "w") as archive, archive.open(inner, "w") as file:
        text = "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in rows)
        file.write(text.encode("iso-8859-1"))
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(path.with_suffix(".inner"), DOWNLOAD)


def test_sentiment140_is_read_in_its_own_format(tmp_path):
    rows = [
        ("0", "1467810369", "Mon Apr 06 22:19:45 PDT 2009", "NO_QUERY", "ann", '@bob caf\xe9 &amp; more, ""sad""'),
        ("4", "2193602129", "Tue Jun 16 08:40:50 PDT 2009", "NO_QUERY", "bob", "yes"),
    ]
    sentiment140(tmp_path / "s.zip", rows)
    assert list(read_sentiment140(tmp_path / "s.zip", 0)) == [
        Message("1467810369", 1239081585, '@bob caf\xe9 & more, "sad"', False),
        Message("2193602129", 1245166850, "yes", True),
    ]


def test_broken_rows_of_sentiment140_are_named(tmp_path, caplog):
    sentiment140(
        tmp_path / "s.zip",
        [("2", "1", "Mon Apr 06 22:19:45 PDT 2009", "q", "u", "t"), ("0", "1", "once", "q", "u", "t"), ("0", "1")],
    )
    assert list(read_sentiment140(tmp_path / "s.zip", 0)) == []
    assert "line 1: found polarity '2', expected 0 or 4" in caplog.text
    assert "line 2: found the date 'once'" in caplog.text
    assert "line 3: found 2 columns, expected 6" in caplog.text
    sentiment140(tmp_path / "s.zip", [], inner="other.csv")
    with pytest.raises(InputError, match="expected a zip archive with training"):
        list(read_sentiment140(tmp_path / "s.zip", 0))


def test_messages_survive_the_file(tmp_path):
    messages = [Message("1", 5, "a\nb", True, 0.5), Message("2", 6, "c", False, 0.25)]
    assert write_messages(tmp_path / "m.parquet", messages) == 2
    table = read_messages(tmp_path / "m.parquet")
    assert (table.id, table.text) == (["1", "2"], ["a\nb", "c"])
    assert table.happy.tolist() == [True, False]
    np.testing.assert_array_equal(table.posterior, [0.5, 0.25])
    write_messages(tmp_path / "m.parquet", [Message("1", 5, "a")])
    table = read_messages(tmp_path / "m.parquet")
    assert table.happy is None
    assert table.posterior is None
    with pytest.raises(InputError, match="found no messages to write"):
        write_messages(tmp_path / "none.parquet", [])
    assert not (tmp_path / "none.parquet").exists()
    (tmp_path / "bad.parquet").write_text("no")
    with pytest.raises(InputError, match=r"bad\.parquet.*expected a whole Parquet file"):
        read_messages(tmp_path / "bad.parquet")


def test_rows_may_be_written_by_the_csv_module(tmp_path):
    with (tmp_path / "m.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["time", "text"], ["2014-01-01T00:00:00Z", 'a, "b"\nc']])
    assert texts(read_message_file(tmp_path / "m.csv", 0)) == ['a, "b"\nc']


@pytest.mark.parametrize(
    "broken",
    [
        {"text": "\ud800", "time": "2014-01-01"},
        {"text": "x", "time": "2014-01-01", "id": "\udfff"},
        {"data": [[[]]]},
    ],
)
def test_what_no_table_holds_is_a_broken_line(broken, caplog, read):
    assert texts(read(json_lines(broken, V1))) == ["a <3 b"]
    assert "t.jsonl, line 1: found" in caplog.text


def test_deeply_nested_messages_are_read_or_named(read):
    for depth in (*range(850, 1000), 100_000):
        nested = b'{"retweeted_status":' * depth + b"1" + b"}" * depth
        lists = b"[" * depth + b"]" * depth
        lines = [
            b'{"text": "x", "time": "2014-01-01", "retweeted_status": ' + nested + b"}",
            b'{"text": "x", "time": "2014-01-01", "id": ' + lists + b"}",
            b'{"data": ' + lists + b"}",
        ]
        assert set(texts(read(line + b"\n" for line in lines))) <= {"x"}


def test_a_line_never_fills_the_memory(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr("nlpcalib.tables.records.MAX_RECORD_BYTES", 1000)
    long = b'{"text": "' + b"x" * 5000 + b'"}\n'
    (tmp_path / "t.jsonl").write_bytes(long + json_lines(V1)[0])
    assert texts(read_message_file(tmp_path / "t.jsonl", 0)) == ["a <3 b"]
    assert "t.jsonl, line 1: found" in caplog.text


def test_the_number_of_a_character_that_is_none_is_a_broken_line(caplog, read):
    wrong = {"text": f"&#{'1' * 5000};", "time": "2014-01-01"}
    assert texts(read(json_lines(wrong, V1))) == ["a <3 b"]
    assert "t.jsonl, line 1: found the number of a character with thousands of digits" in caplog.text
