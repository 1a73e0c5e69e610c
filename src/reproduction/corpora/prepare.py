"""Corpora as they come into `train`, `dev` and `test` files in CoNLL-U, so that the rest needs one reader only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.text.conllu import write_conllu
from nlpcalib.text.document import Document


def prepare(
    read: Callable[..., Iterator[Document]], source: Path | str, outputs: Mapping[str, Path | str], **options: Any
) -> None:
    """Write the split `name` of a corpus to the CoNLL-U file `outputs[name]`, for every name there.

    `read` is the reader of a format of annotated texts, called as `reproduction.corpora.formats.load_reader` describes.

    Raises `InputError` for a split without documents, and as `read` and `write_conllu` do.
    """
    for split, output in outputs.items():
        documents = read(source, split, **options)
        write_conllu(output, _some(documents, f"{source}: found no documents in the {split} split, expected some"))


def _some(documents: Iterator[Document], otherwise: str) -> Iterator[Document]:
    empty = True
    for document in documents:
        empty = False
        yield document
    if empty:
        raise InputError(otherwise)
