"""OntoGUM (Zhu, Pradhan & Zeldes 2021): GUM with coreference by OntoNotes' guidelines, as GUM's repository has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_lines
from nlpcalib.systems.text.conllu import parse_conllu
from nlpcalib.systems.text.document import Document
from reproduction.corpora.retrieval.archives import open_member, read_archive

_SPLIT_NAMES = ("train", "dev", "test")
_METADATA_KEYS = {"genre", "title", "sourceURL", "dateCreated", "speakerCount"}
_LISTED = re.compile(r"\s*\*\s+(?P<id>\S+)\s*")


def read_ontogum(source: Path | str, split: str) -> Iterator[Document]:
    """Read the documents of one split from an archive of OntoGUM's files and GUM's `splits.md`.

    Genre, title, source, date and number of speakers stay among the metadata; summaries and other free text do not.

    Raises `InputError` for documents of the split that are not there, and as `read_splits` and `parse_conllu` do.
    """
    with open_member(source, "splits.md") as stream:
        expected = read_splits(stream.read(), f"{source}/splits.md")[split]
    for member, lines in read_archive(source, "*.conllu"):
        if Path(member).stem not in expected:
            continue
        expected.remove(Path(member).stem)
        for document in parse_conllu(lines, f"{source}/{member}"):
            metadata = {key: value for key, value in document.metadata.items() if key in _METADATA_KEYS}
            yield replace(document, metadata=metadata)
    if expected:
        raise InputError(f"{source}: found no {', '.join(sorted(expected))}, expected the {split} split of splits.md")


def read_splits(data: bytes, name: str) -> dict[str, set[str]]:
    """Read GUM's `splits.md`: document ids under a heading per split: train, dev, test, and GENTLE's test2.

    Reddit documents are left out: GUM publishes them with underscores for words.

    Raises `InputError`, naming the file by `name` and the line, for bytes that are not UTF-8, a document outside of any
    split or in two, and when train, dev or test is missing.
    """
    splits: dict[str, set[str]] = {}
    placed: dict[str, str] = {}
    split = None
    for number, line in numbered_lines(data.splitlines(), name):
        if line.startswith("## "):
            split = line.removeprefix("## ").strip()
            splits.setdefault(split, set())
        elif match := _LISTED.fullmatch(line):
            document = match["id"]
            if split is None or document in placed:
                place = f"that is in {placed[document]} already" if split else "before the first heading (## …)"
                raise InputError(f"{name}, line {number}: found {document} {place}, expected it in one split")
            placed[document] = split
            if "_reddit_" not in document:
                splits[split].add(document)
    if missing := [name for name in _SPLIT_NAMES if not splits.get(name)]:
        raise InputError(f"{name}: found no documents under {', '.join(missing)}, expected ## headings and * items")
    return splits
