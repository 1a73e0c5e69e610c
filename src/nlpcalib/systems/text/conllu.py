"""CoNLL-U: the format of Universal Dependencies, of GUM's coreference, and of every prepared corpus.

The format is described at https://universaldependencies.org/format.html, and GUM's `newdoc`, `meta::` and `Entity=`
at https://wiki.gucorpling.org/gum/conllu.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import IO, NamedTuple, NoReturn

from nlpcalib.errors import InputError, quoted
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


def parse_conllu(
    lines: Iterable[bytes], name: str, *, mentions: bool = True, empty_nodes: bool = False, **tolerance: float
) -> Iterator[Document]:
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
    it, and one of empty nodes alone is left out. With `empty_nodes`, these are words, in sentences that then have no
    tags and trees.

    A document with unmatched mention brackets is left out with a warning, see `tolerated`, which takes `tolerance`.
    Without `mentions`, none are read.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, a wrong number of columns, an empty column, word
    ids out of sequence, heads outside the sentence, a sentence without words, an empty `newdoc id`, a duplicate
    document id, and too many documents with unmatched brackets.
    """
    documents = _documents(lines, name, mentions, empty_nodes)
    return tolerated(((document.id, document.build) for document in documents), name, **tolerance)


def _documents(lines: Iterable[bytes], name: str, mentions: bool, empty_nodes: bool) -> Iterator[_DocumentBuilder]:
    stem = PurePath(name).stem
    document = _DocumentBuilder(stem)
    seen: set[str] = set()
    fields: Sequence[str] = ()
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
                document.mentions += _mentions(len(document.sentences), rows, fields, name, empty_nodes=empty_nodes)
        except InputError as error:
            document.broken = document.broken or error
        if empty_nodes and len(rows.nodes) > len(rows.cells):
            forms = tuple(node.form for node in rows.nodes)
            document.sentences.append(Sentence(sentence_id, forms, speaker=speaker))
        else:
            document.sentences.append(_sentence(sentence_id, speaker, rows, name))
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
        date = _iso_date(self.metadata.get(_DATE_KEY, ""))
        if date:
            del self.metadata[_DATE_KEY]
        return Document(self.id, tuple(self.sentences), tuple(sorted(self.mentions)), date, self.metadata)


class _Node(NamedTuple):
    """A word or an empty node."""

    line: int
    form: str
    misc: str
    words_before: int


@dataclass(slots=True)
class _Rows:
    """The words of a sentence: their cells, line numbers, and which of them no white space follows; and all nodes."""

    cells: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    unspaced: set[int] = field(default_factory=set)
    nodes: list[_Node] = field(default_factory=list)


def _iso_date(text: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        return None


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
            rows.nodes.append(_Node(number, cells[1], cells[9], index))
            words.append(cells)
            lines.append(number)
            if index + 1 < in_range_until or (range_unspaced if index + 1 == in_range_until else unspaced):
                rows.unspaced.add(index)
        elif match := _TOKEN_RANGE.fullmatch(cells[0]):
            if int(match[1]) != index + 1 or int(match[2]) <= index or index < in_range_until:
                raise InputError(f"{name}, line {number}: found range {cells[0]}, expected one from {index + 1} on")
            in_range_until, range_unspaced = int(match[2]), unspaced
        elif re.fullmatch(r"[0-9]+\.[1-9][0-9]*", cells[0]):
            rows.nodes.append(_Node(number, cells[1], cells[9], index))
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


def _mentions(sentence: int, rows: _Rows, fields: Sequence[str], name: str, *, empty_nodes: bool) -> list[Mention]:
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
    if not empty_nodes:
        before = [*(node.words_before for node in rows.nodes), len(rows.cells)]
        spans = [(before[start], before[end], entity) for start, end, entity in spans if before[start] < before[end]]
    return [Mention(sentence, *span) for span in spans]


def write_conllu(target: Path | str | IO[str], documents: Iterable[Document]) -> None:
    """Write documents so that `read_conllu` returns equal ones.

    Two things come back in canonical form: mentions are sorted, and `space_after` is empty if it is true for every
    word. A file given by its path appears whole or not at all.

    Raises `InputError`, naming document and sentence, for what the format cannot hold: line breaks, tabs, white space
    around ids and metadata, columns of unequal length or all `_`, heads or mentions outside the sentence, crossing
    mentions of one entity, documents without sentences, sentences without words, and duplicate ids.
    """
    if isinstance(target, Path | str):
        with atomic_open(target) as stream:
            write_conllu(stream, documents)
        return
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            _refuse(document, None, "found a duplicate id, expected each id once")
        seen.add(document.id)
        target.writelines(_document_lines(document))


def _refuse(document: Document, sentence: Sentence | None, problem: str) -> NoReturn:
    place = f"document {document.id!r}" + (f", sentence {sentence.id!r}" if sentence else "")
    raise InputError(f"{place}: {problem}")


def _document_lines(document: Document) -> Iterator[str]:
    if not document.sentences:
        _refuse(document, None, "found no sentences, expected at least one")
    spans: list[list[tuple[int, int, str]]] = [[] for _ in document.sentences]
    for mention in document.mentions:
        if not 0 <= mention.sentence < len(spans):
            _refuse(document, None, f"found {mention}, expected a sentence from 0 to {len(spans) - 1}")
        spans[mention.sentence].append((mention.start, mention.end, mention.entity))
    yield _comment(document, None, "newdoc id", document.id)
    if document.mentions:
        yield _comment(document, None, "global.Entity", "GRP")
    if document.date:
        yield _comment(document, None, _METADATA_PREFIX + _DATE_KEY, document.date.isoformat())
    for key, value in document.metadata.items():
        if not key or key != key.strip(_CELL_BLANKS) or "=" in key:
            _refuse(document, None, f"found metadata key {quoted(key)}, expected one without = and outer white space")
        if key == _DATE_KEY and (document.date or _iso_date(value)):
            _refuse(
                document, None, f"found the date in metadata ({_DATE_KEY}), expected it as the document's date only"
            )
        yield _comment(document, None, _METADATA_PREFIX + key, value, allow_empty=True)
    for sentence, sentence_spans in zip(document.sentences, spans, strict=True):
        yield from _sentence_lines(document, sentence, sentence_spans)


def _comment(document: Document, sentence: Sentence | None, key: str, value: str, *, allow_empty: bool = False) -> str:
    if value != value.strip(_CELL_BLANKS) or "\n" in key + value or "\r" in key + value or not (value or allow_empty):
        _refuse(document, sentence, f"found {key} {quoted(value)}, expected one line without white space around it")
    return f"# {key} = {value}\n"


def _sentence_lines(document: Document, sentence: Sentence, spans: list[tuple[int, int, str]]) -> Iterator[str]:
    size = len(sentence.words)
    if not size:
        _refuse(document, sentence, "found no words, expected at least one")
    if sentence.heads and not (min(sentence.heads) >= 0 and max(sentence.heads) <= size):
        _refuse(document, sentence, f"found heads {sentence.heads}, expected numbers from 0 to {size}")
    spaces = sentence.space_after or (True,) * size
    columns = {
        "words": sentence.words,
        "lemmas": sentence.lemmas,
        "universal_tags": sentence.universal_tags,
        "tags": sentence.tags,
        "heads": tuple(map(str, sentence.heads)),
        "relations": sentence.relations,
    }
    for column, values in columns.items():
        text = "\t".join(values)
        if "\n" in text or "\r" in text or text.count("\t") != max(len(values) - 1, 0) or "" in values:
            _refuse(
                document, sentence, f"found {column} {values}, expected values that are not empty, on one line, no tab"
            )
        if column in ("universal_tags", "tags", "relations") and any(value != value.strip(" ") for value in values):
            _refuse(document, sentence, f"found {column} {values}, expected values without blanks around them")
        if column != "words" and values and values.count("_") == size:
            _refuse(document, sentence, f"found {column} all '_', which means that there are none: expected ()")
    counts = {**{column: len(values) for column, values in columns.items()}, "space_after": len(spaces)}
    for column, count in counts.items():
        if count not in (0, size):
            _refuse(document, sentence, f"found {count} {column}, expected one for each of {size} words")
    entities = _entity_cells(document, sentence, spans)
    yield _comment(document, sentence, "sent_id", sentence.id)
    if sentence.speaker is not None:
        yield _comment(document, sentence, "speaker", sentence.speaker)
    yield f"# text = {sentence.text().strip(_CELL_BLANKS)}\n"
    absent = ("_",) * size
    words, lemmas, universal_tags, tags, heads, relations = (values or absent for values in columns.values())
    for index, space in enumerate(spaces):
        misc = "|".join(filter(None, (entities.get(index), None if space else "SpaceAfter=No"))) or "_"
        yield (
            f"{index + 1}\t{words[index]}\t{lemmas[index]}\t{universal_tags[index]}\t{tags[index]}\t_\t"
            f"{heads[index]}\t{relations[index]}\t_\t{misc}\n"
        )
    yield "\n"


def _entity_cells(document: Document, sentence: Sentence, spans: list[tuple[int, int, str]]) -> dict[int, str]:
    for start, end, entity in spans:
        if not 0 <= start < end <= len(sentence.words):
            _refuse(
                document, sentence, f"found a mention of words {start} to {end}, expected some of {len(sentence.words)}"
            )
        if not entity or set(entity) & set("()|\t\r\n"):
            _refuse(
                document,
                sentence,
                f"found entity {quoted(entity)}, expected a name without brackets, |, tabs and line breaks",
            )
    try:
        return {word: f"Entity={brackets}" for word, brackets in write_brackets(spans).items()}
    except ValueError as error:
        _refuse(document, sentence, str(error))
