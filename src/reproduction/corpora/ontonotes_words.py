"""The words that the CoNLL shared tasks leave out of OntoNotes, joined from the trees of the LDC's release.

The tasks distribute skeletons, `*_gold_skel`, in which every word is `[WORD]`. The sentences of a skeleton are in order
the trees of the document's `.parse` file: those of OntoNotes 4.0 (LDC2011T03) for CoNLL-2011, of 5.0 (LDC2013T19)
for CoNLL-2012. Left out of a tree are traces, whose tag is -NONE-, and EDITED phrases, which a speaker takes back; one
of which nothing stays is the word `nullp`. https://conll.cemantix.org/2012/data.html
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_lines
from nlpcalib.systems.text.conll import MASKED_WORD

_DOCUMENT_START = re.compile(r"#begin document \((?P<id>[^()\s]+)\)")
_BRACKET_OR_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT_STARTS = (";", "<", "*")
_TRACE, _EDITED, _NOTHING_LEFT = "-NONE-", "EDITED", ("XX", "nullp")
_ANNOTATIONS = (".", "english/annotations", "data/files/data/english/annotations")
_WORD_COLUMN, _TAG_COLUMN, _MIN_COLUMNS = 3, 4, 12

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class BracketTree:
    """What is left of a tree: its words and where it begins."""

    line: int
    tags: tuple[str, ...]
    words: tuple[str, ...]


def read_trees(path: Path | str) -> Iterator[BracketTree]:
    """Read the trees of a `.parse` file one at a time, without traces and EDITED phrases.

    Lines that begin with ;, < or * are comments.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, brackets that do not match, and words without a
    tag.
    """
    with Path(path).open("rb") as lines:
        yield from parse_trees(lines, str(path))


def parse_trees(lines: Iterable[bytes], name: str) -> Iterator[BracketTree]:
    """Read the trees of lines of a file called `name`, as `read_trees` does."""
    labels: list[str | None] = []  # of open brackets, None until the label is read
    leaf: list[str] = []
    tags: list[str] = []
    words: list[str] = []
    begun = number = 0
    for number, line in numbered_lines(lines, name):
        if line.startswith(_COMMENT_STARTS):
            continue
        for piece in _BRACKET_OR_TOKEN.findall(line):
            place = f"{name}, line {number}"
            if piece == "(" and not leaf:
                if not labels:
                    begun = number
                elif labels[-1] is None:
                    labels[-1] = ""  # a bracket without label around a tree, as in the Penn Treebank
                labels.append(None)
            elif piece == ")":
                if not labels:
                    raise InputError(f"{place}: found ), expected a tree that begins with (")
                label = labels.pop()
                if leaf and label != _TRACE and _EDITED not in labels:
                    tags.append(str(label))
                    words.extend(leaf)
                leaf = []
                if not labels:
                    if not words:
                        tags, words = [_NOTHING_LEFT[0]], [_NOTHING_LEFT[1]]
                    yield BracketTree(begun, tuple(tags), tuple(words))
                    tags, words = [], []
            elif labels and labels[-1] is None:
                labels[-1] = piece
            elif labels and labels[-1] and not leaf:
                leaf = [piece]
            else:
                raise InputError(
                    f"{place}: found {piece!r}, expected words in brackets after their tag, such as (NN boat)"
                )
    if labels:
        raise InputError(
            f"{name}, line {number}: found the end of the file, expected ) of the tree that begins in line {begun}"
        )


def find_parse(release: Path | str, document: str) -> Path:
    """Return the `.parse` file of a document such as `nw/wsj/00/wsj_0001`.

    `release` is the folder that the LDC's archive makes, its `data/files/data`, or the `annotations` of English.

    Raises `InputError` for an id that leads out of the folder, and, naming what was looked for, for a missing file.
    """
    if document.startswith("/") or ".." in document.split("/"):
        raise InputError(f"found document {document!r}, expected one such as nw/wsj/00/wsj_0001")
    found = [path for inner in _ANNOTATIONS if (path := Path(release, inner, f"{document}.parse")).is_file()]
    if not found:
        raise InputError(
            f"{release}: found no {document}.parse, neither there nor in {' or '.join(_ANNOTATIONS[1:])}; expected "
            "that of OntoNotes 4.0 (LDC2011T03) for CoNLL-2011 or 5.0 (LDC2013T19) for CoNLL-2012"
        )
    return found[0]


def join_words(lines: Iterable[bytes], name: str, release: Path | str) -> Iterator[bytes]:
    """Yield the lines of the complete file, `*_gold_conll`, of a skeleton called `name`.

    Line for line they are the skeleton's, with one space between columns. Words that are there already, such as those
    of genres that a release does not have, stay: the trees of a document are looked for at its first sentence with
    `[WORD]` in it.

    Trees whose tags differ from the skeleton's and trees that are left over are signs of another release; they are
    named in the log.

    Raises `InputError`, naming the file and the line, for a sentence that has more or fewer words than its tree, one
    that has no tree, rows with too few columns, and as `find_parse` and `read_trees` do.
    """
    document: _Document | None = None
    rows: list[list[str]] = []
    for number, line in numbered_lines(lines, name):
        if line.strip() and not line.startswith("#"):
            rows.append(line.split())
            if len(rows[-1]) < _MIN_COLUMNS:
                raise InputError(
                    f"{name}, line {number}: found {len(rows[-1])} columns, expected at least {_MIN_COLUMNS}"
                )
            if document is None:
                raise InputError(f"{name}, line {number}: found {line!r}, expected #begin document before it")
            continue
        if rows and document:
            yield from document.fill(rows, number - len(rows))
            rows = []
        match = _DOCUMENT_START.match(line)
        if match and (document is None or match["id"] != document.id):
            if document:
                document.close()
            document = _Document(name, match["id"], release)
        yield line.strip().encode() + b"\n"
    if rows:
        raise InputError(f"{name}: found the end of the file, expected #end document")
    if document:
        document.close()


class _Document:
    """A document of a skeleton and its trees in the release."""

    def __init__(self, skeleton: str, identifier: str, release: Path | str) -> None:
        self.id = identifier
        self._skeleton, self._release = skeleton, release
        self._path: Path | None = None
        self._trees: Iterator[BracketTree] = iter(())
        self._sentences = self._words = 0
        self._differing: list[str] = []

    def fill(self, rows: list[list[str]], line: int) -> Iterator[bytes]:
        """Return the lines of a sentence that begins in a line of the skeleton, with the words of the next tree."""
        if self._path is None and any(cells[_WORD_COLUMN] == MASKED_WORD for cells in rows):
            self._path = find_parse(self._release, self.id)
            self._trees = islice(read_trees(self._path), self._sentences, None)
        self._sentences += 1
        if self._path is not None:
            self._join(rows, line)
        return (" ".join(cells).encode() + b"\n" for cells in rows)

    def _join(self, rows: list[list[str]], line: int) -> None:
        place = f"{self._skeleton}, line {line}: found"
        tree = next(self._trees, None)
        if tree is None:
            raise InputError(
                f"{place} sentence {self._sentences} of {self.id}, expected none beyond the {self._sentences - 1} "
                f"trees of {self._path}: is it the release of this task's year?"
            )
        if len(tree.words) != len(rows):
            raise InputError(
                f"{place} {len(rows)} words in sentence {self._sentences} of {self.id}, expected the "
                f"{len(tree.words)} of the tree at {self._path}, line {tree.line}: is it the release of this task's "
                "year?"
            )
        self._words += len(rows)
        for number, (cells, tag, word) in enumerate(zip(rows, tree.tags, tree.words, strict=True), line):
            if cells[_TAG_COLUMN] != tag:
                self._differing.append(f"line {number}: {cells[_TAG_COLUMN]}, {self._path}, line {tree.line}: {tag}")
            if cells[_WORD_COLUMN] == MASKED_WORD:
                cells[_WORD_COLUMN] = word

    def close(self) -> None:
        """Report what differs from the release."""
        left = sum(1 for _ in self._trees)
        if left:
            _log.warning(
                "%s: %s has %d trees more than sentences; is it the right release?", self._skeleton, self._path, left
            )
        if self._differing:
            _log.warning(
                "%s: %d of %d tags differ from the release's; is it the right one? %s",
                self._skeleton,
                len(self._differing),
                self._words,
                self._differing[0],
            )
