"""Corpora that have a file for each split, in CoNLL-U or in the columns of ark-tweet-nlp."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import parse_conllu
from nlpcalib.systems.text.document import Document
from reproduction.corpora.readers.ark import parse_ark
from reproduction.corpora.retrieval.archives import open_member


def read_conllu_split(
    source: Path | str, split: str, *, members: Mapping[str, str], tags: str = "xpos"
) -> Iterator[Document]:
    """Read the documents of `members[split]`, a CoNLL-U file in an archive that `retrieve` wrote or in a folder.

    Tags are those in XPOS, or with `tags` "upos" the universal ones, for treebanks without others.

    Raises `InputError` for a split that has no file, one that is not there or another split's, for a sentence without
    UPOS where it is asked for, for words without a tag among others with one, and as `parse_conllu` does.
    """
    documents = _read_member(parse_conllu, source, split, members)
    return map(_wholly_tagged, map(_universally_tagged, documents) if tags == "upos" else documents)


def _wholly_tagged(document: Document) -> Document:
    for sentence in document.sentences:
        if "_" in sentence.tags:
            raise InputError(
                f"document {document.id!r}, sentence {sentence.id!r}: found words without a tag, expected one of each, "
                "or `tags: upos`"
            )
    return document


def _universally_tagged(document: Document) -> Document:
    for sentence in document.sentences:
        if not sentence.universal_tags:
            raise InputError(
                f"document {document.id!r}, sentence {sentence.id!r}: found no UPOS, expected a tag of each word"
            )
    sentences = tuple(replace(sentence, tags=sentence.universal_tags) for sentence in document.sentences)
    return replace(document, sentences=sentences)


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
    if twice := [other for other, name in members.items() if other != split and name == members[split]]:
        raise InputError(
            f"{source}: found {members[split]} for the {split} and the {twice[0]} split, expected a file for each"
        )
    with open_member(source, members[split]) as lines:
        yield from parse(lines, f"{source}/{members[split]}")
