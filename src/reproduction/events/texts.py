"""Texts of some documents of a corpus, for people to read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nlpcalib.events.read.selection import passages
from nlpcalib.io.files import read_json_lines
from reproduction.corpora.formats import load_reader


def stored_texts(
    wanted: Collection[str], source: str | None, reader: str, options: Mapping[str, Any], broken: float, words: int
) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of those documents of a corpus that are wanted, divided as `selected_passages` does.

    Parameters are those of `reproduction.corpora.formats.load_reader` and `passages`.
    """
    for document in load_reader(reader)(source, broken, **options):
        yield from ((passage.id, passage.text) for passage in passages(document, words) if passage.id in wanted)


def simulated_texts(wanted: Collection[str], paths: Iterable[str | Path]) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of those simulated reports that are wanted, from shards of all."""
    for path in paths:
        yield from ((row["id"], row["text"]) for _, row in read_json_lines(path) if row["id"] in wanted)
