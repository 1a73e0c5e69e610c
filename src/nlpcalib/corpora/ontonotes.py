"""OntoNotes as the CoNLL shared tasks on coreference distribute it, `*_gold_conll` (Pradhan et al. 2011, 2012).

The columns are described at https://conll.cemantix.org/2012/data.html: document, part, word number, word, tag, parse
bit, predicate lemma, frameset, sense, speaker, named entities, arguments (one column per predicate), coreference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from nlpcalib.corpora.document import Document, Mention, Sentence
from nlpcalib.corpora.lines import numbered_lines
from nlpcalib.corpora.mentions import BracketError, BracketReader
from nlpcalib.errors import InputError

_BEGIN = re.compile(r"#begin document \((?P<id>[^()\s]+)\); part (?P<part>[0-9]+)\s*")
_FEWEST_COLUMNS = 12
_MASKED = "[WORD]"
_SPLIT_FOLDERS = {"train": ("train",), "dev": ("development", "dev"), "test": ("test",)}
_OTHER_LANGUAGES = {"arabic", "chinese"}

_Rows = list[tuple[int, list[str]]]


def read_conll(path: Path | str) -> Iterator[Document]:
    """Read the documents of a `*_gold_conll` file one at a time, as `parse_conll` does."""
    with Path(path).open("rb") as lines:
        yield from parse_conll(lines, str(path))


def parse_conll(lines: Iterable[bytes], name: str) -> Iterator[Document]:
    """Read documents from the lines of a `*_gold_conll` file called `name`.

    A part is a document of its own, as the shared tasks score them: part 001 of `nw/wsj/00/wsj_0001` is called
    `nw/wsj/00/wsj_0001.001`, and its sentences `…-1`, `…-2` and so on. The first folder is the metadata's `genre`. Of
    the columns words, tags, the speaker of the first word and coreference are kept; lemmas exist for predicates only
    and are left out.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, words masked as `[WORD]`, too few or a varying
    number of columns, words or documents out of order, brackets that do not match, and documents that are empty, cut
    short or there twice.
    """
    document_id: str | None = None
    genre = ""
    begun = 0
    sentences: list[Sentence] = []
    mentions: list[Mention] = []
    rows: _Rows = []
    seen: set[str] = set()

    def end_sentence() -> None:
        if rows:
            mentions.extend(_mentions(len(sentences), rows, name))
            sentences.append(_sentence(f"{document_id}-{len(sentences) + 1}", rows))
            rows.clear()

    for number, line in numbered_lines(lines, name):
        if line.startswith("#begin document"):
            match = _BEGIN.fullmatch(line)
            if not match:
                raise InputError(
                    f"{name}, line {number}: found {line!r}, expected #begin document (nw/wsj/00/wsj_0001); part 000"
                )
            if document_id is not None:
                raise InputError(
                    f"{name}, line {number}: found {line!r}, expected #end document of line {begun}'s first"
                )
            document_id, genre, begun = f"{match['id']}.{match['part']}", match["id"].partition("/")[0], number
            if document_id in seen:
                raise InputError(f"{name}, line {number}: found document {document_id} again, expected each once")
            seen.add(document_id)
        elif line.startswith("#end document"):
            end_sentence()
            if document_id is None or not sentences:
                expected = "#begin document" if document_id is None else "at least one sentence"
                raise InputError(f"{name}, line {number}: found {line!r}, expected {expected} before it")
            yield Document(document_id, tuple(sentences), tuple(sorted(mentions)), metadata={"genre": genre})
            document_id, sentences, mentions = None, [], []
        elif not line.strip():
            end_sentence()
        else:
            if document_id is None:
                raise InputError(f"{name}, line {number}: found {line!r}, expected #begin document")
            rows.append((number, _cells(number, line, document_id, rows, name)))
    if document_id is not None:
        raise InputError(f"{name}: found the end of the file, expected #end document of {document_id} (line {begun})")


def _cells(number: int, line: str, document_id: str, rows: _Rows, name: str) -> list[str]:
    cells = line.split()
    if len(cells) < _FEWEST_COLUMNS:
        raise InputError(f"{name}, line {number}: found {len(cells)} columns, expected at least {_FEWEST_COLUMNS}")
    if rows and len(cells) != len(rows[0][1]):
        raise InputError(
            f"{name}, line {number}: found {len(cells)} columns, expected {len(rows[0][1])} as before in the sentence"
        )
    if cells[0] != document_id.rpartition(".")[0]:
        raise InputError(f"{name}, line {number}: found document {cells[0]}, expected {document_id.rpartition('.')[0]}")
    if cells[2] != str(len(rows)):
        raise InputError(f"{name}, line {number}: found word number {cells[2]!r}, expected {len(rows)}")
    if cells[3] == _MASKED:
        raise InputError(
            f"{name}, line {number}: found {_MASKED} as a word: this is the release without words. Join them from "
            "OntoNotes 5.0 (LDC2013T19) with the shared task's script skeleton2conll.sh, then read the *_gold_conll "
            "files that it writes"
        )
    return cells


def _sentence(identifier: str, rows: _Rows) -> Sentence:
    speaker = rows[0][1][9]
    return Sentence(
        id=identifier,
        words=tuple(cells[3] for _, cells in rows),
        tags=tuple(cells[4] for _, cells in rows),
        speaker=None if speaker == "-" else speaker,
    )


def _mentions(sentence: int, rows: _Rows, name: str) -> list[Mention]:
    reader = BracketReader()
    try:
        for index, (_, cells) in enumerate(rows):
            if cells[-1] != "-":
                for bracket in cells[-1].split("|"):
                    reader.read(index, bracket)
        reader.close()
    except BracketError as error:
        raise InputError(f"{name}, line {rows[error.word][0]}: mention: {error}") from None
    return [Mention(sentence, *span) for span in reader.spans]


def iter_split(root: Path | str, split: str, *, wsj_only: bool = False) -> Iterator[Document]:
    """Read the English documents of a split, `train`, `dev` or `test`, in the order of their paths.

    `root` is the folder of the shared task's data that holds `train`, `development` (or `dev`) and `test`; the files
    are those called `*_gold_conll` anywhere below (`data/english/annotations/nw/wsj/00/wsj_0001.v4_gold_conll`), but
    not Arabic and Chinese ones. `wsj_only` leaves the documents whose id has `/wsj/` in it, the Wall Street Journal.

    Raises `InputError` when there are no such files or documents, for a document that is there twice (say, as v4 and
    v9), and as `parse_conll` does.
    """
    if split not in _SPLIT_FOLDERS:
        raise InputError(f"found split {split!r}, expected one of {', '.join(_SPLIT_FOLDERS)}")
    root = Path(root)
    paths = []
    for folder in _SPLIT_FOLDERS[split]:
        for path in (root / folder).rglob("*_gold_conll"):
            if not _OTHER_LANGUAGES.intersection(path.relative_to(root).parts):
                paths.append(path)
    if not paths:
        looked_for = " or ".join(f"{root / folder}/**/*_gold_conll" for folder in _SPLIT_FOLDERS[split])
        raise InputError(
            f"found no files of the {split} split of OntoNotes, looked for {looked_for}; expected the data folder of "
            "the CoNLL-2011 or CoNLL-2012 shared task with the words of OntoNotes joined"
        )
    seen: dict[str, Path] = {}
    for path in sorted(paths):
        for document in read_conll(path):
            if wsj_only and "/wsj/" not in document.id:
                continue
            if document.id in seen:
                raise InputError(f"{path}: found document {document.id} again, expected it in {seen[document.id]} only")
            seen[document.id] = path
            yield document
    if not seen:
        raise InputError(
            f"{root}: found no document with /wsj/ in its id among {len(paths)} files of the {split} split"
        )
