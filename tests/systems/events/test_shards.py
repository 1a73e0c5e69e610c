"""Shards of a corpus: how many there are changes no byte of a document, and no process opens them all at once."""

import datetime
import resource
from contextlib import contextmanager
from itertools import chain, zip_longest

import pytest

from nlpcalib.systems.text.dated import DatedText
from reproduction.events import texts
from reproduction.events.texts import write_shards

DAY = datetime.date(1999, 5, 17)
SELECTED = [
    (DatedText(f"d{number}", DAY, f"Iraq attacked Kuwait {number} times é.", {}), number % 3 > 0)
    for number in range(500)
]


@contextmanager
def open_files(most):
    """Let this process have at most so many open files."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def in_turn(paths, head=0):
    """Return the lines of shards in the order in which documents were given to them."""
    lines = [path.read_bytes().splitlines()[head:] for path in paths]
    return [line for line in chain.from_iterable(zip_longest(*lines)) if line is not None]


@pytest.mark.parametrize(("shards", "waiting"), [(1, 5000), (7, 64), (200, 300)])
def test_documents_are_the_same_in_any_number_of_shards_with_a_hundred_open_files(
    shards, waiting, tmp_path, monkeypatch
):
    monkeypatch.setattr(texts, "MAX_WAITING_DOCUMENTS", waiting)
    tables, stored = ([tmp_path / f"{name}{shard}" for shard in range(shards)] for name in ("table", "text"))
    with open_files(100):
        write_shards(SELECTED, tables, stored)
    assert in_turn(tables, head=1) == [f"{text.id},1999-05-17,{found}".encode() for text, found in SELECTED]
    assert {path.read_bytes().splitlines()[0] for path in tables} == {b"document,date,selected"}
    found = sorted(line for path in stored for line in path.read_bytes().splitlines())
    one = tmp_path / "one"
    write_shards(SELECTED, [tmp_path / "all"], [one])
    assert found == sorted(one.read_bytes().splitlines())
