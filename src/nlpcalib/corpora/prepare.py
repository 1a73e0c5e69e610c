"""Corpora as they come into `train`, `dev` and `test` files in CoNLL-U, so that the rest needs one reader only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from nlpcalib.corpora.document import Document
from nlpcalib.corpora.ontonotes.shared_task import iter_split
from nlpcalib.corpora.readers.ark import parse_ark
from nlpcalib.corpora.readers.conllu import parse_conllu, write_conllu
from nlpcalib.corpora.readers.litbank import parse_litbank, split_books
from nlpcalib.corpora.retrieval.archives import open_member, read_archive
from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_lines

FORMATS = ("conllu", "ontogum", "litbank", "ontonotes", "ark")
SPLITS = ("train", "dev", "test")

_ONTOGUM_METADATA = {"genre", "title", "sourceURL", "dateCreated", "speakerCount"}
_LISTED = re.compile(r"\s*\*\s+(?P<id>\S+)\s*")


def prepare(
    corpus_format: str,
    source: Path | str,
    outputs: Mapping[str, Path | str],
    *,
    members: Mapping[str, str] | None = None,
    wsj_only: bool = False,
    words: Path | str | None = None,
) -> None:
    """Write the split `name` of a corpus to the CoNLL-U file `outputs[name]`, for every name there.

    Raises `InputError` for a split without documents, and as `read_split` and `write_conllu` do.
    """
    for split, output in outputs.items():
        member = (members or {}).get(split)
        documents = read_split(corpus_format, source, split, member=member, wsj_only=wsj_only, words=words)
        write_conllu(output, _some(documents, f"{source}: found no documents in the {split} split, expected some"))


def _some(documents: Iterator[Document], otherwise: str) -> Iterator[Document]:
    empty = True
    for document in documents:
        empty = False
        yield document
    if empty:
        raise InputError(otherwise)


def read_split(
    corpus_format: str,
    source: Path | str,
    split: str,
    *,
    member: str | None = None,
    wsj_only: bool = False,
    words: Path | str | None = None,
) -> Iterator[Document]:
    """Read the documents of one split, `train`, `dev` or `test`.

    * `conllu` and `ark`: the file `member` of `source`, an archive that `retrieve` wrote or a folder.
    * `ontogum`: the archive `source` has OntoGUM as in GUM's repository, and its `splits.md`. Of the metadata, genre,
      title, source, date and number of speakers stay; summaries and other free text do not.
    * `litbank`: the archive `source` has LitBank's coreference files, which `split_books` divides. There are neither
      tags nor trees.
    * `ontonotes`: `source` is the folder of the shared task's data, see `iter_split`, also for `wsj_only` and `words`.

    Raises `InputError` for another format, a member that is not said or not there, and as the format's reader does.
    """
    if corpus_format == "ontogum":
        return _read_ontogum(source, split)
    if corpus_format == "litbank":
        return _read_litbank(source, split)
    if corpus_format == "ontonotes":
        return iter_split(source, split, wsj_only=wsj_only, words=words)
    if corpus_format not in FORMATS:
        raise InputError(f"found format {corpus_format!r}, expected one of {', '.join(FORMATS)}")
    if member is None:
        raise InputError(
            f"{source}: found no file for the {split} split, expected one for each split of {corpus_format}"
        )
    return _read_member(corpus_format, source, member)


def _read_member(corpus_format: str, source: Path | str, member: str) -> Iterator[Document]:
    parse = parse_ark if corpus_format == "ark" else parse_conllu
    with open_member(source, member) as lines:
        yield from parse(lines, f"{source}/{member}")


def _read_ontogum(source: Path | str, split: str) -> Iterator[Document]:
    with open_member(source, "splits.md") as stream:
        expected = read_splits(stream.read(), f"{source}/splits.md")[split]
    for member, lines in read_archive(source, "*.conllu"):
        if Path(member).stem not in expected:
            continue
        expected.remove(Path(member).stem)
        for document in parse_conllu(lines, f"{source}/{member}"):
            metadata = {key: value for key, value in document.metadata.items() if key in _ONTOGUM_METADATA}
            yield replace(document, metadata=metadata)
    if expected:
        raise InputError(f"{source}: found no {', '.join(sorted(expected))}, expected the {split} split of splits.md")


def _read_litbank(source: Path | str, split: str) -> Iterator[Document]:
    members = [member for member, _ in read_archive(source, "*.conll")]
    for member in split_books(members, split):
        with open_member(source, member) as lines:
            yield from parse_litbank(lines, f"{source}/{member}")


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
    if missing := [name for name in SPLITS if not splits.get(name)]:
        raise InputError(f"{name}: found no documents under {', '.join(missing)}, expected ## headings and * items")
    return splits
