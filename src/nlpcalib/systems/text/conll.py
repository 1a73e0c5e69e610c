"""Files of the CoNLL shared tasks on coreference (Pradhan et al. 2011, 2012): parts, sentences, rows, and mentions.

The columns of `*_gold_conll` are described at https://conll.cemantix.org/2012/data.html: document, part, word number,
word, tag, parse bit, predicate lemma, frameset, sense, speaker, named entities, arguments (one column per predicate),
coreference. Other corpora have mentions in the last column, too, and differ in the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from nlpcalib.errors import InputError, quoted
from nlpcalib.io.lines import numbered_lines
from nlpcalib.systems.text.bad_records import tolerated
from nlpcalib.systems.text.document import Document, Mention, Sentence
from nlpcalib.systems.text.mentions import BracketError, BracketReader

Rows = list[tuple[int, list[str]]]
"""The words of a sentence: line number and cells of each."""

SCORER_ABSENT = ("-", "_", "*")
"""Cells without a bracket, as the reference scorer reads them."""
_BEGIN_DOCUMENT = re.compile(r"#begin document\s+\(?(?P<id>[^\r]+?)\)?(?:;\s*part\s*(?P<part>[0-9]+))?;?\s*", re.I)
MASKED_WORD = "[WORD]"
"""The placeholder for each word in the release without words."""
_MIN_COLUMNS = 12
_BORDER = re.compile(r"^\s*#\s*(?=(?:begin|end) document)")
"""The beginning of a line that opens or closes a document, as the reference scorer reads it."""


@dataclass(slots=True)
class Part:
    """A part of a document, from #begin document to #end document."""

    document: str
    number: str
    """As written, such as 000."""
    sentences: list[Rows] = field(default_factory=list)


def parse_parts(
    lines: Iterable[bytes], name: str, split: Callable[[int, str], list[str]], *, strict: bool = True
) -> Iterator[Part]:
    """Read the parts of a file called `name`; `split` takes a line's number and text and returns its cells.

    Comments between parts are skipped. The first cell is the document and the third the word's number in the sentence,
    from 0. Documents are named with brackets or without; one without a part number is part 000. If not `strict`, there
    may be any columns, and a last part without its end, as the reference scorer reads files.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, a varying number of columns, words or documents
    out of order, and parts that are truncated or duplicate.
    """
    part: Part | None = None
    begun = 0
    rows: Rows = []
    seen: set[tuple[str, str]] = set()
    for number, line in numbered_lines(lines, name):
        place = f"{name}, line {number}"
        line = _BORDER.sub("#", line) if "document" in line else line
        if line.startswith("#begin document"):
            match = _BEGIN_DOCUMENT.fullmatch(line)
            if not match:
                expected = "#begin document (nw/wsj/00/wsj_0001); part 000, and a line for each word"
                raise InputError(f"{place}: found {line[:60]!r}, expected {expected}")
            if part is not None:
                before = f"{part.document}.{part.number} (line {begun})"
                raise InputError(f"{place}: found {quoted(line)}, expected #end document of {before} first")
            part, begun = Part(match["id"], match["part"] or "000"), number
            if (part.document, part.number) in seen:
                raise InputError(f"{place}: found document {part.document}.{part.number} again, expected each once")
            seen.add((part.document, part.number))
        elif line.startswith("#end document"):
            if part is None:
                raise InputError(f"{place}: found {quoted(line)}, expected #begin document before it")
            if rows:
                part.sentences.append(rows)
            yield part
            part, rows = None, []
        elif line.strip():
            if part is None:
                if line.startswith("#"):
                    continue
                raise InputError(f"{place}: found {line[:40]!r}, expected #begin document")
            rows.append((number, split(number, line)))
            if strict:
                _check_row(part.document, rows, place)
        elif rows and part is not None:
            part.sentences.append(rows)
            rows = []
    if part is not None and not strict:
        yield Part(part.document, part.number, [*part.sentences, *([rows] if rows else [])])
    elif part is not None:
        raise InputError(
            f"{name}: found the end of the file, expected #end document of {part.document}.{part.number} (line {begun})"
        )


def _check_row(document: str, rows: Rows, place: str) -> None:
    cells = rows[-1][1]
    if len(cells) != len(rows[0][1]):
        raise InputError(f"{place}: found {len(cells)} columns, expected {len(rows[0][1])} as before in the sentence")
    if cells[0] != document:
        raise InputError(f"{place}: found document {cells[0]}, expected {document}")
    if cells[2] != str(len(rows) - 1):
        raise InputError(f"{place}: found word number {cells[2]!r}, expected {len(rows) - 1}")


def parse_mentions(
    sentence: int, rows: Rows, name: str, *, absent: Collection[str], within: str = "sentence"
) -> list[Mention]:
    """Read the mentions of sentence number `sentence` from the last column, where one of `absent` means no bracket.

    `within` is what rows are, for messages. Raises `InputError`, naming the line, for unmatched brackets.
    """
    reader = BracketReader()
    try:
        for index, (_, cells) in enumerate(rows):
            if cells[-1] not in absent:
                for bracket in cells[-1].split("|"):
                    reader.read(index, bracket)
        reader.close(within)
    except BracketError as error:
        raise InputError(f"{name}, line {rows[error.word][0]}: mention: {error}") from None
    return [Mention(sentence, *span) for span in reader.spans]


def document_of_part(
    part: Part, name: str, identifier: str, genre: str, read: Callable[[str, Rows], Sentence], absent: Collection[str]
) -> Document:
    """Return the document of a part with its mentions, see `parse_mentions`; `read` makes a sentence of its rows."""
    sentences = (read(f"{identifier}-{number}", rows) for number, rows in enumerate(part.sentences, 1))
    found = (parse_mentions(number, rows, name, absent=absent) for number, rows in enumerate(part.sentences))
    return Document(identifier, tuple(sentences), tuple(sorted(chain.from_iterable(found))), metadata={"genre": genre})


def parse_conll(lines: Iterable[bytes], name: str, *, mentions: bool = True, **tolerance: float) -> Iterator[Document]:
    """Read documents from the lines of a `*_gold_conll` file called `name`.

    Each part is a document, as the shared tasks score them: part 001 of `nw/wsj/00/wsj_0001` is called
    `nw/wsj/00/wsj_0001.001`, and its sentences `…-1`, `…-2` and so on. The first folder becomes the metadata's
    `genre`. Sentences have words, tags and the speaker of the first word.

    A document with mention brackets that do not match is left out with a warning, see `tolerated`, which takes
    `tolerance`. Without `mentions`, the coreference column is not read.

    Raises `InputError`, naming the line, for words masked as `[WORD]`, too few columns, too many broken documents, and
    as `parse_parts` does.
    """

    def cells(number: int, line: str) -> list[str]:
        found = _cells(number, line, name)
        return found if mentions else [*found[:-1], "-"]

    def document(part: Part, identifier: str) -> Document:
        genre = part.document.partition("/")[0]
        return document_of_part(part, name, identifier, genre, _sentence, SCORER_ABSENT)

    named = ((f"{part.document}.{part.number}", part) for part in parse_parts(lines, name, cells))
    return tolerated(
        ((identifier, partial(document, part, identifier)) for identifier, part in named), name, **tolerance
    )


def _sentence(identifier: str, rows: Rows) -> Sentence:
    words, tags = (tuple(cells[column] for _, cells in rows) for column in (3, 4))
    speaker = rows[0][1][9]
    return Sentence(identifier, words, tags, speaker=None if speaker == "-" else speaker)


def _cells(number: int, line: str, name: str) -> list[str]:
    cells = line.split()
    if len(cells) < _MIN_COLUMNS:
        raise InputError(f"{name}, line {number}: found {len(cells)} columns, expected at least {_MIN_COLUMNS}")
    if cells[3] == MASKED_WORD:
        raise InputError(
            f"{name}, line {number}: found {MASKED_WORD} as a word: this release has no words. Set `words` to the path "
            "of OntoNotes, 4.0 (LDC2011T03) for CoNLL-2011 or 5.0 (LDC2013T19) for CoNLL-2012, or restore the words "
            "with the shared task's script skeleton2conll.sh"
        )
    return cells
