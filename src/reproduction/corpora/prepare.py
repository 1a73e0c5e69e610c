"""Corpora as they come into `train`, `dev` and `test` files in CoNLL-U, so that the rest needs one reader only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    needed_tags: Sequence[str] = (),
    **options: Any,
) -> None:
    """Write the split `name` of a corpus to the CoNLL-U file `outputs[name]`, for every name there.

    `read` is the reader of a format of annotated texts, called as `reproduction.corpora.formats.load_reader` describes.
    With `coref`, each split needs several documents, and entities; with `needed_tags`, each word needs a tag, and
    the training split has each of these.

    Raises `InputError` for a split that lacks these, and as `read` and `write_conllu` do.
    """
    seen: dict[tuple[str, str], str] = {}
    for split, output in outputs.items():
        documents = _checked(read(source, split, **options), source, split, seen, coref=coref)
        if needed_tags:
            hint = "" if options.get("tags") == "upos" else "; for the tags in UPOS, write `tags: upos` in the dataset"
            documents = _with_tags(documents, source, split, needed_tags, hint)
        write_conllu(output, documents)


def _with_tags(
    documents: Iterator[Document], source: Path | str, split: str, needed: Sequence[str], hint: str
) -> Iterator[Document]:
    """Yield documents all of whose words have tags; `hint` is for sentences that have UPOS."""
    wanting, has_universal = set(needed) if split == "train" else set(), False
    for document in documents:
        for sentence in document.sentences:
            has_universal |= bool(sentence.universal_tags)
            if len(sentence.tags) != len(sentence.words):
                raise InputError(
                    f"{source}: found no tags in sentence {sentence.id} of the {split} split, expected one of each "
                    f"word (XPOS in CoNLL-U){hint * has_universal}"
                )
            wanting.difference_update(sentence.tags)
        yield document
    if wanting:
        found = f"no word with the tag {min(wanting)} in the {split} split"
        raise InputError(f"{source}: found {found}, expected some of {', '.join(needed)}{hint * has_universal}")


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
