"""CoNLL-U: the format of Universal Dependencies, of GUM's coreference, and of every prepared corpus.

The format is described at https://universaldependencies.org/format.html, and GUM's `newdoc`, `meta::` and `Entity=`
at https://wiki.gucorpling.org/gum/conllu.
"""

from __future__ import annotations

import datetime
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from itertools import zip_longest
from pathlib import Path, PurePath
from typing import IO, NamedTuple

from nlpcalib.errors import InputError, counted, quoted
from nlpcalib.io.files import atomic_open
from nlpcalib.io.lines import numbered_blocks
from nlpcalib.systems.text.bad_records import tolerated
from nlpcalib.systems.text.document import Document, Mention, Sentence
from nlpcalib.systems.text.mentions import BracketError, BracketReader, joined_parts, write_brackets
from nlpcalib.tables.conllu_columns import CONLLU_COLUMNS, conllu_cells

_TOKEN_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_HEAD_NUMBER = re.compile(r"[0-9]{1,9}")
_METADATA_PREFIX = "meta::"
_DATE_KEY = "dateCreated"
_CELL_BLANKS = " \t"
_MAX_BRACKET_FIELDS = 100
"""Most fields of an opening bracket: reading time grows with their number times that of brackets."""


def read_conllu(path: Path | str) -> Iterator[Document]:
    """Read the documents of a CoNLL-U file one at a time, as `parse_conllu` does."""
    with Path(path).open("rb") as lines:
        yield from parse_conllu(lines, str(path))


def parse_conllu(lines: Iterable[bytes], name: str, *, mentions: bool = True, **tolerance: float) -> Iterator[Document]:
    """Read documents from the lines of a CoNLL-U file called `name`.

    A document begins at `# newdoc`. Documents without an id, and sentences before the first `# newdoc`, are named
    after the file without its suffix, and numbered from the second on. Multiword tokens (`1-2`) and empty nodes
    (`8.1`) are skipped; no white space follows a word inside a multiword token. A column that is `_` for a whole
    sentence becomes an empty tuple. A sentence without `# sent_id` is named by its document and number.

    `# meta::key = value` is metadata. `meta::dateCreated` becomes the document's date if it is a whole ISO date, and
    stays metadata otherwise (`2017`, `none`).

    `Entity=` has the mentions, each within one sentence, in the notation of `BracketReader` with the fields of
    `# global.Entity`, of GUM or CorefUD. Without that comment, hyphens in brackets are refused. A mention in parts
    (`e1[1/2]`) goes from its first word to its last. One that begins or ends at an empty node has the words inside of
    it, and those of empty nodes alone are left out, with a warning that counts them.

    A document with unmatched mention brackets is left out with a warning, see `tolerated`, which takes `tolerance`.
    Without `mentions`, none are read.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, a wrong number of columns, an empty column, word
    ids out of sequence, heads outside the sentence, a sentence without words, an empty `newdoc id`, a duplicate
    document id, and too many documents with unmatched brackets.
    """
    documents = _documents(lines, name, mentions)
    return tolerated(((document.id, document.build) for document in documents), name, **tolerance)


def _documents(lines: Iterable[bytes], name: str, mentions: bool) -> Iterator[_DocumentBuilder]:
    stem = PurePath(name).stem
    document = _DocumentBuilder(stem)
    seen: set[str] = set()
    fields: Sequence[str] = ()
    wordless = 0
    for block in numbered_blocks(lines, name):
        comments, rows = _split_block(block, name)
        speaker = sentence_id = None
        for number, comment in comments:
            key, equals, value = comment[1:].partition("=")
            key, value = key.strip(_CELL_BLANKS), value.strip(_CELL_BLANKS)
            if key == "newdoc" or key == "newdoc id":
                if equals and not value:
                    raise InputError(f"{name}, line {number}: found {quoted(comment)}, expected # newdoc id = …")
                if document.sentences:
                    yield document
                document = _DocumentBuilder(value or (f"{stem}-{len(seen) + 1}" if seen else stem))
            elif not equals:
                continue
            elif key == "sent_id":
                sentence_id = value
            elif key == "speaker":
                speaker = value or None
            elif key == "global.Entity":
                fields = value.split("-")
                if not {"GRP", "eid"} & set(fields) or len(fields) > _MAX_BRACKET_FIELDS:
                    expected = f"GRP or eid among them, and at most {_MAX_BRACKET_FIELDS}"
                    raise InputError(f"{name}, line {number}: found fields {value[:80]!r}, expected {expected}")
            elif key.startswith(_METADATA_PREFIX):
                document.metadata[key.removeprefix(_METADATA_PREFIX)] = value
        if not document.sentences:
            if document.id in seen:
                raise InputError(
                    f"{name}, line {block[0][0]}: found document id {document.id!r} again, expected each id once"
                )
            seen.add(document.id)
        sentence_id = sentence_id or f"{document.id}-{len(document.sentences) + 1}"
        try:
            if mentions:
                spans = _spans(rows, fields, name)
                found = [Mention(len(document.sentences), *span) for span in spans if span[0] < span[1]]
                wordless += len(spans) - len(found)
                document.mentions += found
        except InputError as error:
            document.broken = document.broken or error
        document.sentences.append(_sentence(sentence_id, speaker, rows, name))
    if wordless:
        warnings.warn(
            f"{name}: left out {counted(wordless, 'mention')} of empty nodes, which are no words", stacklevel=2
        )
    if document.sentences:
        yield document


@dataclass
class _DocumentBuilder:
    id: str
    sentences: list[Sentence] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    broken: InputError | None = None
    """The first error in the document's mentions."""

    def build(self) -> Document:
        if self.broken:
            raise self.broken
        date = None
        with suppress(ValueError):
            date = datetime.date.fromisoformat(self.metadata.get(_DATE_KEY, ""))
            del self.metadata[_DATE_KEY]
        return Document(self.id, tuple(self.sentences), tuple(sorted(self.mentions)), date, self.metadata)


class _Node(NamedTuple):
    """A word or an empty node."""

    line: int
    misc: str
    words_before: int


@dataclass(slots=True)
class _Rows:
    """The words of a sentence: their cells, line numbers, and which of them no white space follows; and all nodes."""

    cells: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    unspaced: set[int] = field(default_factory=set)
    nodes: list[_Node] = field(default_factory=list)


def _split_block(block: list[tuple[int, str]], name: str) -> tuple[list[tuple[int, str]], _Rows]:
    comments = []
    rows = _Rows()
    words, lines = rows.cells, rows.lines
    in_range_until, range_unspaced = 0, False
    for number, line in block:
        if line.startswith("#"):
            comments.append((number, line))
            continue
        cells = conllu_cells(line, f"{name}, line {number}")
        if "" in cells:
            raise InputError(
                f"{name}, line {number}: found nothing as {CONLLU_COLUMNS[cells.index('')]}, expected a value or _"
            )
        if "\t " in line or " \t" in line:
            for column, cell in zip(CONLLU_COLUMNS[3:9], cells[3:9], strict=True):
                if cell != cell.strip(" "):
                    raise InputError(
                        f"{name}, line {number}: found blanks around {column} {quoted(cell)}, expected none"
                    )
        index = len(words)
        unspaced = "SpaceAfter=No" in cells[9] and "SpaceAfter=No" in cells[9].split("|")
        if cells[0] == str(index + 1):
            rows.nodes.append(_Node(number, cells[9], index))
            words.append(cells)
            lines.append(number)
            if index + 1 < in_range_until or (range_unspaced if index + 1 == in_range_until else unspaced):
                rows.unspaced.add(index)
        elif match := _TOKEN_RANGE.fullmatch(cells[0]):
            if int(match[1]) != index + 1 or int(match[2]) <= index or index < in_range_until:
                raise InputError(f"{name}, line {number}: found range {cells[0]}, expected one from {index + 1} on")
            in_range_until, range_unspaced = int(match[2]), unspaced
        elif re.fullmatch(r"[0-9]+\.[1-9][0-9]*", cells[0]):
            rows.nodes.append(_Node(number, cells[9], index))
        else:
            kind = "" if re.fullmatch("[0-9]+", cells[0]) else ", a range or an empty node"
            raise InputError(f"{name}, line {number}: found id {cells[0]!r}, expected {index + 1}{kind}")
    if not words:
        raise InputError(f"{name}, line {block[0][0]}: found a sentence without words, expected at least one word line")
    if in_range_until > len(words):
        raise InputError(
            f"{name}, line {lines[-1]}: found {len(words)} words, expected a range's last, {in_range_until}"
        )
    return comments, rows


def _sentence(identifier: str, speaker: str | None, rows: _Rows, name: str) -> Sentence:
    _, words, lemmas, universal_tags, tags, _, heads, relations, _, _ = zip(*rows.cells, strict=True)
    return Sentence(
        id=identifier,
        words=words,
        tags=_optional(tags),
        lemmas=_optional(lemmas),
        universal_tags=_optional(universal_tags),
        heads=_heads(_optional(heads), rows.lines, name),
        relations=_optional(relations),
        space_after=tuple(index not in rows.unspaced for index in range(len(words))) if rows.unspaced else (),
        speaker=speaker,
    )


def _optional(column: tuple[str, ...]) -> tuple[str, ...]:
    return () if column.count("_") == len(column) else column


def _heads(column: tuple[str, ...], lines: Sequence[int], name: str) -> tuple[int, ...]:
    heads = tuple(int(head) if _HEAD_NUMBER.fullmatch(head) else -1 for head in column)
    if heads and not 0 <= min(heads) <= max(heads) <= len(heads):
        for line, head, text in zip(lines, heads, column, strict=True):
            if not 0 <= head <= len(heads):
                raise InputError(
                    f"{name}, line {line}: found head {quoted(text)}, expected a number from 0 to {len(heads)}"
                )
    return heads


def _spans(rows: _Rows, fields: Sequence[str], name: str) -> list[tuple[int, int, str]]:
    """Return the first word, the word after the last and the entity of each mention of a sentence."""
    reader = BracketReader(fields)
    try:
        for index, node in enumerate(rows.nodes):
            if "Entity=" in node.misc:
                for item in node.misc.split("|"):
                    if item.startswith("Entity="):
                        reader.read(index, item.removeprefix("Entity="))
        reader.close()
        spans = reader.spans if len(fields) <= 1 else joined_parts(reader.spans)
    except BracketError as error:
        raise InputError(f"{name}, line {rows.nodes[error.word].line}: mention: {error}") from None
    before = [*(node.words_before for node in rows.nodes), len(rows.cells)]
    return [(before[start], before[end], entity) for start, end, entity in spans]


def write_conllu(target: Path | str | IO[str], documents: Iterable[Document]) -> None:
    """Write documents so that `read_conllu` returns equal ones: each is read again before it is written.

    Two things come back in canonical form: mentions are sorted, and `space_after` is empty if it is true for every
    word. A file given by its path appears whole or not at all.

    Raises `InputError`, naming the document, for duplicate ids, and for what the format cannot hold, such as line
    breaks, white space around ids, columns that are all `_`, crossing mentions of one entity, and no sentences.
    """
    if isinstance(target, Path | str):
        with atomic_open(target) as stream:
            write_conllu(stream, documents)
        return
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise InputError(f"document {document.id!r}: found a duplicate id, expected each id once")
        seen.add(document.id)
        target.write(_readable(document))


def _readable(document: Document) -> str:
    """Return the lines of a document; raise `InputError` unless an equal one is read from them."""
    try:
        text = "".join(_document_lines(document))
        lines = io.BytesIO(text.replace("\r", "\n").encode())  # which other readers take for the end of a line
        again = [read.build() for read in _documents(lines, "its lines", True)]
    except ValueError as error:
        raise InputError(f"document {document.id!r}: found what CoNLL-U cannot hold: {error}") from None
    if again != [document]:
        for found, read in zip_longest(_parts([document]), _parts(again), fillvalue="nothing"):
            if found != read:
                raise InputError(
                    f"document {document.id!r}: found {quoted(found)}, which would be read as {quoted(read)}"
                )
    return text


def _parts(documents: Iterable[Document]) -> Iterator[str]:
    """Yield what there is to documents, in canonical form."""
    for document in documents:
        yield f"id {document.id}"
        yield f"date {document.date}, metadata {dict(document.metadata)}"
        yield from map(str, sorted(document.mentions))
        for sentence in document.sentences:
            sentence = replace(sentence, space_after=() if all(sentence.space_after) else sentence.space_after)
            yield from (f"{column.name} {getattr(sentence, column.name)}" for column in fields(sentence))


def _document_lines(document: Document) -> Iterator[str]:
    spans: dict[int, list[tuple[int, int, str]]] = {}
    for mention in document.mentions:
        spans.setdefault(mention.sentence, []).append((mention.start, mention.end, mention.entity))
    yield f"# newdoc id = {document.id}\n"
    if document.mentions:
        yield "# global.Entity = GRP\n"
    if document.date:
        yield f"# {_METADATA_PREFIX}{_DATE_KEY} = {document.date.isoformat()}\n"
    for key, value in document.metadata.items():
        yield f"# {_METADATA_PREFIX}{key} = {value}\n"
    for number, sentence in enumerate(document.sentences):
        yield from _sentence_lines(sentence, write_brackets(spans.get(number, [])))


def _sentence_lines(sentence: Sentence, brackets: Mapping[int, str]) -> Iterator[str]:
    size = len(sentence.words)
    columns = [
        values or ("_",) * size
        for values in (sentence.lemmas, sentence.universal_tags, sentence.tags, sentence.heads, sentence.relations)
    ]
    spaces = sentence.space_after or (True,) * size
    if any(len(values) != size for values in (*columns, spaces)):
        lengths = [len(values) for values in (*columns, spaces)]
        raise ValueError(f"sentence {sentence.id!r} has columns of {lengths} words, expected {size} in each or none")
    yield f"# sent_id = {sentence.id}\n"
    if sentence.speaker is not None:
        yield f"# speaker = {sentence.speaker}\n"
    yield f"# text = {sentence.text().strip(_CELL_BLANKS)}\n"
    for index, (word, lemma, universal_tag, tag, head, relation, space) in enumerate(
        zip(sentence.words, *columns, spaces, strict=True)
    ):
        entity = f"Entity={brackets[index]}" if index in brackets else ""
        misc = "|".join(filter(None, (entity, "" if space else "SpaceAfter=No"))) or "_"
        yield f"{index + 1}\t{word}\t{lemma}\t{universal_tag}\t{tag}\t_\t{head}\t{relation}\t_\t{misc}\n"
    yield "\n"
