"""Corpora as they come into `train`, `dev` and `test` files in CoNLL-U, so that the rest needs one reader only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Document


def prepare(
    read: Callable[..., Iterator[Document]],
    source: Path | str,
    outputs: Mapping[str, Path | str],
    *,
    coref: bool = False,
    tagged: bool = False,
    **options: Any,
) -> None:
    """Write the split `name` of a corpus to the CoNLL-U file `outputs[name]`, for every name there.

    `read` is the reader of a format of annotated texts, called as `reproduction.corpora.formats.load_reader` describes.
    With `coref`, each split needs several documents, and entities; with `tagged`, each word needs a tag.

    Raises `InputError` for a split that lacks these, and as `read` and `write_conllu` do.
    """
    seen: dict[tuple[str, str], str] = {}
    for split, output in outputs.items():
        documents = _checked(read(source, split, **options), source, split, seen, coref=coref)
        write_conllu(output, _with_tags(documents, source, split) if tagged else documents)


def _with_tags(documents: Iterator[Document], source: Path | str, split: str) -> Iterator[Document]:
    for document in documents:
        for sentence in document.sentences:
            if len(sentence.tags) != len(sentence.words):
                universal = "; for the tags in UPOS, write `tags: upos` in the dataset" * bool(sentence.universal_tags)
                raise InputError(
                    f"{source}: found no tags in sentence {sentence.id} of the {split} split, expected one of each "
                    f"word (XPOS in CoNLL-U){universal}"
                )
        yield document


def _checked(
    documents: Iterator[Document], source: Path | str, split: str, seen: dict[tuple[str, str], str], *, coref: bool
) -> Iterator[Document]:
    number = mentions = 0
    for document in documents:
        words = "\t".join(word for sentence in document.sentences for word in sentence.words)
        other = seen.setdefault((document.id, hashlib.sha256(words.encode()).hexdigest()), split)
        if other != split:
            raise InputError(
                f"{source}: found document {document.id} in {other} and in {split}, expected it in one split"
            )
        number += 1
        mentions += len(document.mentions)
        yield document
    if not number:
        raise InputError(f"{source}: found no documents in the {split} split, expected some")
    if coref and number == 1:
        raise InputError(
            f"{source}: found one document in the {split} split, expected several, each after # newdoc id = NAME"
        )
    if coref and not mentions:
        raise InputError(
            f"{source}: found no entities in the {split} split, expected some for coref (Entity= in CoNLL-U)"
        )
