"""What all readers of lines have in common, whatever the lines say."""

import codecs
import gzip
import re
from collections import deque
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.lines import bounded_lines
from nlpcalib.systems.events.read.lexicon import read_forms
from nlpcalib.systems.text.bad_records import Tolerance
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.dated_files import read_dated_file
from reproduction.corpora.ontonotes import read_conll
from reproduction.corpora.ontonotes_words import join_words, read_trees
from reproduction.corpora.readers.ark import read_ark
from reproduction.corpora.readers.litbank import parse_litbank
from reproduction.corpora.readers.message_files import read_message_file
from reproduction.corpora.readers.ontogum import read_splits
from reproduction.corpora.retrieval.registry import load_registry
from reproduction.events.country_tables import parse_dictionary

DATA = Path(__file__).parents[1] / "data" / "corpora"


def contents(path):
    return path.read_bytes()


def lines(path):
    return contents(path).splitlines(keepends=True)


READERS = [
    (read_ark, "x.conll", b"RT\t~\n"),
    (read_conllu, "x.conllu", b"1\tRT" + b"\t_" * 8 + b"\n"),
    (read_conll, "x.v4_gold_conll", (DATA / "oslo.v4_gold_conll").read_bytes()),
    (lambda path: parse_litbank(lines(path), "7"), "x", b"#begin document (7); part 0\n" + b"7\t0\t0\tw" + b"\t" * 9
        + b"\n#end document\n"),
    (read_trees, "x.parse", b"(NN boat)\n"),
    (lambda path: join_words(lines(path), "x_skel", DATA), "x", b"#begin document (a); part 000\n#end document\n"),
    (lambda path: read_splits(contents(path), "splits.md").items(), "x", b"## train\n* a\n## dev\n* b\n## test\n* c\n"),
    (lambda path: parse_dictionary(lines(path), "x"), "x", b"FRA\tFRANCE\n"),
    (read_forms, "x.tsv", b"form\tcode\nFrance\tFRA\n"),
    (partial(read_dated_file, share=0), "x.csv", b"id,date,text\na,2004-12-25,x\n"),
    (partial(read_dated_file, share=0), "x.jsonl", b'{"id": "a", "date": "2004-12-25", "text": "x"}\n'),
    (partial(read_message_file, share=0), "x.csv", b"text,time\nx,2004-12-25\n"),
    (partial(read_message_file, share=0), "x.jsonl", b'{"text": "x", "time": "2004-12-25"}\n'),
    (
        lambda path: load_registry(path).items(),
        "x.csv",
        b"corpus,version,url,sha256,licence,citation\nc,1,https://x.org/y/," + b"0" * 64 + b",CC0,Someone\n",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("read", "name", "data"), READERS)
def test_a_byte_order_mark_is_no_part_of_what_is_read(tmp_path, read, name, data):
    (tmp_path / name).write_bytes(data)
    without = list(read(tmp_path / name))
    assert without
    (tmp_path / name).write_bytes(codecs.BOM_UTF8 + data)
    assert list(read(tmp_path / name)) == without


def test_a_byte_that_is_not_utf8_is_named_whether_or_not_a_mark_is_before_it(tmp_path):
    path = tmp_path / "x.conll"
    path.write_bytes(codecs.BOM_UTF8 + b"caf\xe9\tN\n")
    with pytest.raises(InputError, match="line 1: byte 4 of the line is 0xe9"):
        list(read_ark(path))


@pytest.mark.parametrize(
    ("read", "bad"), [(read_dated_file, b'{"id": "\xe9"}\n'), (read_message_file, b'{"id": "\xe9"}\n')]
)
def test_so_it_is_where_broken_lines_are_left_out(tmp_path, caplog, read, bad):
    path = tmp_path / "x.jsonl"
    good = b'{"id": "a", "date": "2004-12-25", "time": "2004-12-25", "text": "x"}\n'
    path.write_bytes(codecs.BOM_UTF8 + bad + good)
    assert len(list(read(path, 0))) == 1
    assert "line 1: " in caplog.text
    assert "byte 9 is 0xe9" in caplog.text


class Endless:
    """A stream of one line again and again, as little of a packed file may unpack to."""

    def __init__(self, line):
        self.line = line

    def readline(self, limit):
        return self.line[:limit]


@pytest.mark.parametrize("line", [b"\n", b"\r\n", b"    \t\n"])
def test_blank_lines_without_end_are_refused(line, monkeypatch):
    monkeypatch.setattr("nlpcalib.io.lines.MAX_BLANK_BYTES", 100_000)
    with pytest.raises(InputError, match=r"^x\.jsonl\.gz, line \d+: found more than \d+ bytes of blank lines"):
        deque(bounded_lines(Endless(line), 100, "x.jsonl.gz"), maxlen=0)


@pytest.mark.parametrize("read", [read_dated_file, read_message_file])
@pytest.mark.parametrize(("ending", "head"), [("jsonl", b""), ("csv", b"id,date,time,text\n")])
def test_packed_newlines_are_refused_before_they_are_all_read(tmp_path, read, ending, head, monkeypatch):
    monkeypatch.setattr("nlpcalib.systems.text.bad_records._MAX_BROKEN_RECORDS", 10_000)
    monkeypatch.setattr("nlpcalib.io.lines.MAX_BLANK_BYTES", 10_000)
    path = tmp_path / f"x.{ending}.gz"
    path.write_bytes(gzip.compress(head + b"\n" * 1_000_000))
    with pytest.raises(InputError, match=path.name) as refused:
        deque(read(path, 0.9), maxlen=0)
    assert max(map(int, re.findall(r"line (\d+)|of ([\d,]+) ", str(refused.value))[0][:1])) < 20_000


def test_junk_without_end_is_refused():
    tolerance = Tolerance("x", 0.3)

    def read():
        for number in count(1):
            tolerance.count += 1
            tolerance.skip_line(number, "found junk")

    with pytest.raises(InputError, match="x, line 1: found junk; 1,000,001 of 1,000,001 lines are broken"):
        read()
