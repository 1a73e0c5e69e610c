"""The frame of the CoNLL shared tasks' coreference files: documents in parts, sentences, rows, and mentions at the end.

What the columns in between hold differs between corpora; `ontonotes` and `litbank` read them. The format is described
at https://conll.cemantix.org/2012/data.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open
from nlpcalib.io.lines import numbered_lines
from nlpcalib.text.document import Document, Mention, Sentence
from nlpcalib.text.mentions import BracketError, BracketReader, write_brackets

Rows = list[tuple[int, list[str]]]
"""The words of a sentence: line number and cells of each."""

# CoNLL-2011's trial release has documents without parts.
_BEGIN = re.compile(r"#begin document \((?P<id>[^()\s]+)\)(?:; part (?P<part>[0-9]+))?;?\s*")
_PART = re.compile(r"(?P<id>.+)\.(?P<part>[0-9]{3})")
_BRACKET = re.compile(r"\([^()]+\)?|[^()]+\)")


@dataclass(slots=True)
class Part:
    """A part of a document: what stands between #begin document and #end document."""

    document: str
    number: str
    """As written, such as 000."""
    sentences: list[Rows] = field(default_factory=list)


def parse_parts(lines: Iterable[bytes], name: str, split: Callable[[int, str], list[str]]) -> Iterator[Part]:
    """Read the parts of a file called `name`; `split` makes the cells of a row, which it is given with its number.

    The first cell is the document and the third the word's number in the sentence, from 0. A document without a part's
    number is part 000.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, a varying number of columns, words or documents
    out of order, and parts that are empty, cut short or there twice.
    """
    part: Part | None = None
    begun = 0
    rows: Rows = []
    seen: set[tuple[str, str]] = set()
    for number, line in numbered_lines(lines, name):
        place = f"{name}, line {number}"
        if line.startswith("#begin document"):
            match = _BEGIN.fullmatch(line)
            if not match:
                raise InputError(f"{place}: found {line!r}, expected #begin document (nw/wsj/00/wsj_0001); part 000")
            if part is not None:
                raise InputError(f"{place}: found {line!r}, expected #end document of line {begun}'s first")
            part, begun = Part(match["id"], match["part"] or "000"), number
            if (part.document, part.number) in seen:
                raise InputError(f"{place}: found document {part.document}.{part.number} again, expected each once")
            seen.add((part.document, part.number))
        elif line.startswith("#end document"):
            if part is None or not (part.sentences or rows):
                expected = "#begin document" if part is None else "at least one sentence"
                raise InputError(f"{place}: found {line!r}, expected {expected} before it")
            if rows:
                part.sentences.append(rows)
            yield part
            part, rows = None, []
        elif line.strip():
            if part is None:
                raise InputError(f"{place}: found {line!r}, expected #begin document")
            rows.append((number, split(number, line)))
            _check_row(part.document, rows, place)
        elif rows and part is not None:
            part.sentences.append(rows)
            rows = []
    if part is not None:
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


def parse_mentions(sentence: int, rows: Rows, name: str, *, absent: str) -> list[Mention]:
    """Read the mentions of sentence number `sentence` from the last column, in which `absent` stands where none is.

    Raises `InputError`, naming the line, for brackets that do not match.
    """
    reader = BracketReader()
    try:
        for index, (_, cells) in enumerate(rows):
            if cells[-1] != absent:
                for bracket in cells[-1].split("|"):
                    reader.read(index, bracket)
        reader.close()
    except BracketError as error:
        raise InputError(f"{name}, line {rows[error.word][0]}: mention: {error}") from None
    return [Mention(sentence, *span) for span in reader.spans]


def write_conll(target: Path | str | IO[str], documents: Iterable[Document]) -> None:
    """Write documents as CoNLL-2012 with their mentions, a key or a response that the reference scorer takes.

    A document called `….000` is written as part 000 of `…`, another as part 000 of itself. Of the columns, words, tags,
    the speaker (spaces as `_`) and coreference are filled. The scorer names entities by numbers: unless all are
    digits, those of a document are numbered from 0 in the order of their first mention. A file given by its path
    appears complete or not at all.

    Raises `InputError`, naming document and sentence, for what the format cannot hold: white space or nothing in ids,
    words and tags, crossing mentions of one entity, a part that was written before.
    """
    if isinstance(target, Path | str):
        with atomic_open(target) as stream:
            write_conll(stream, documents)
        return
    seen: set[tuple[str, str]] = set()
    for document in documents:
        match = _PART.fullmatch(document.id)
        identifier, part = (match["id"], match["part"]) if match else (document.id, "000")
        if not re.fullmatch(r"[^()\s]+", identifier) or (identifier, part) in seen:
            raise InputError(
                f"document {document.id!r}: found part {part} of {identifier!r}, expected an id without white space "
                "and brackets, and each part once"
            )
        seen.add((identifier, part))
        target.write(f"#begin document ({identifier}); part {part}\n")
        names = _entity_numbers(document)
        spans: list[list[tuple[int, int, str]]] = [[] for _ in document.sentences]
        for mention in document.mentions:
            spans[mention.sentence].append((mention.start, mention.end, names[mention.entity]))
        for sentence, inside in zip(document.sentences, spans, strict=True):
            target.writelines(_rows(document, sentence, inside, f"{identifier}\t{int(part)}"))
        target.write("#end document\n")


def _entity_numbers(document: Document) -> dict[str, str]:
    entities = dict.fromkeys(mention.entity for mention in sorted(document.mentions))
    if all(re.fullmatch("[0-9]+", entity) for entity in entities):
        return {entity: entity for entity in entities}
    return {entity: str(number) for number, entity in enumerate(entities)}


def _rows(document: Document, sentence: Sentence, spans: list[tuple[int, int, str]], begin: str) -> Iterator[str]:
    place = f"document {document.id!r}, sentence {sentence.id!r}"
    tags = sentence.tags or ("-",) * len(sentence.words)
    for text in (*sentence.words, *tags):
        if not text or text.split() != [text]:
            raise InputError(f"{place}: found {text!r}, expected words and tags without white space")
    try:
        brackets = write_brackets(spans)
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None
    speaker = "_".join((sentence.speaker or "-").split())
    for index, (word, tag) in enumerate(zip(sentence.words, tags, strict=True)):
        mentions = "|".join(_BRACKET.findall(brackets.get(index, ""))) or "-"
        yield f"{begin}\t{index}\t{word}\t{tag}\t*\t-\t-\t-\t{speaker}\t*\t{mentions}\n"
    yield "\n"
