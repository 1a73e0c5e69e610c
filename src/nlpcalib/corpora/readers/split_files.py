"""Corpora that have a file for each split, in CoNLL-U or in the columns of ark-tweet-nlp."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from nlpcalib.corpora.document import Document
from nlpcalib.corpora.readers.ark import parse_ark
from nlpcalib.corpora.readers.conllu import parse_conllu
from nlpcalib.corpora.retrieval.archives import open_member
from nlpcalib.errors import InputError


def read_conllu_split(source: Path | str, split: str, *, members: Mapping[str, str]) -> Iterator[Document]:
    """Read the documents of `members[split]`, a CoNLL-U file in an archive that `retrieve` wrote or in a folder.

    Raises `InputError` for a split that has no file or one that is not there, and as `parse_conllu` does.
    """
    return _read_member(parse_conllu, source, split, members)


def read_ark_split(source: Path | str, split: str, *, members: Mapping[str, str]) -> Iterator[Document]:
    """Read the tweets of `members[split]` as `read_conllu_split` reads documents, and raise as `parse_ark` does."""
    return _read_member(parse_ark, source, split, members)


def _read_member(
    parse: Callable[[Iterable[bytes], str], Iterator[Document]],
    source: Path | str,
    split: str,
    members: Mapping[str, str],
) -> Iterator[Document]:
    if split not in members:
        raise InputError(f"{source}: found no file for the {split} split, expected one for each split")
    with open_member(source, members[split]) as lines:
        yield from parse(lines, f"{source}/{members[split]}")
