"""LitBank (Bamman, Lewke & Mansoor 2020): coreference in the openings of a hundred novels, without tags and trees.

Thirteen columns with tabs between: document, part, word number, word, eight that are not used, and coreference, which
is empty where there is none. https://github.com/dbamman/litbank
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path, PurePosixPath

from nlpcalib.errors import InputError
from nlpcalib.systems.text.bad_records import tolerated
from nlpcalib.systems.text.conll import Part, Rows, document_of_part, parse_parts
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.corpora.retrieval.archives import open_member, read_archive

_NUMBER_OF_COLUMNS = 13
_BOOK = re.compile(r"(?P<number>[0-9]{1,9})_[^/]+\.conll")
_BOOK_FOLDS = 10
_SPLIT_OF_FOLD = {8: "dev", 9: "test"}


def parse_litbank(lines: Iterable[bytes], name: str) -> Iterator[Document]:
    """Read the documents of a file; a document is called as in the file without `_brat` (541_the_age_of_innocence).

    Raises `InputError`, naming the line, for rows of other than 13 columns, no word, mentions that do not match (in all
    documents or several, see `tolerated`), and as `parse_parts` does.
    """

    def document(part: Part) -> Document:
        return document_of_part(part, name, part.document.removesuffix("_brat"), "fiction", _sentence, absent=("",))

    parts = parse_parts(lines, name, lambda number, line: _cells(number, line, name))
    return tolerated(((part.document, partial(document, part)) for part in parts), name)


def _sentence(identifier: str, rows: Rows) -> Sentence:
    return Sentence(identifier, tuple(cells[3] for _, cells in rows))


def _cells(number: int, line: str, name: str) -> list[str]:
    cells = line.split("\t")
    if len(cells) != _NUMBER_OF_COLUMNS:
        raise InputError(
            f"{name}, line {number}: found {len(cells)} columns, expected {_NUMBER_OF_COLUMNS} with tabs between"
        )
    if not cells[3]:
        raise InputError(f"{name}, line {number}: found nothing as word, expected one")
    return cells


def split_books(members: Iterable[str], split: str) -> list[str]:
    """Return the files of one split, `train`, `dev` or `test`, in the order of the books' Project Gutenberg numbers.

    The ten folds of LitBank's authors are not part of its repository, so the split is our own: of each ten books in
    that order, eight are for training, the ninth is for development and the tenth for testing.

    Raises `InputError` for a file that is not called by a book's number and title.
    """
    numbered = []
    for member in members:
        match = _BOOK.fullmatch(PurePosixPath(member).name)
        if not match:
            raise InputError(f"found the file {member}, expected one such as 541_the_age_of_innocence_brat.conll")
        numbered.append((int(match["number"]), member))
    return [
        member
        for fold, (_, member) in enumerate(sorted(numbered))
        if _SPLIT_OF_FOLD.get(fold % _BOOK_FOLDS, "train") == split
    ]


def read_litbank(source: Path | str, split: str) -> Iterator[Document]:
    """Read the books of one split, see `split_books`, from an archive of LitBank's coreference files.

    Raises `InputError` as `split_books` and `parse_litbank` do.
    """
    for member in split_books([member for member, _ in read_archive(source, "*.conll")], split):
        with open_member(source, member) as lines:
            yield from parse_litbank(lines, f"{source}/{member}")
