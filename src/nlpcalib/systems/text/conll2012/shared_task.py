"""OntoNotes as the CoNLL shared tasks on coreference distribute it, `*_gold_conll` (Pradhan et al. 2011, 2012).

The columns are described at https://conll.cemantix.org/2012/data.html: document, part, word number, word, tag, parse
bit, predicate lemma, frameset, sense, speaker, named entities, arguments (one column per predicate), coreference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from nlpcalib.errors import InputError
from nlpcalib.systems.text.bad_records import tolerated
from nlpcalib.systems.text.conll import SCORER_ABSENT, Part, Rows, parse_mentions, parse_parts
from nlpcalib.systems.text.conll2012.constituents import parse_tree
from nlpcalib.systems.text.conll2012.head_rules import dependencies
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.mentions import BracketError

_MIN_COLUMNS = 12
MASKED_WORD = "[WORD]"
"""The placeholder for each word in the release without words."""


def parse_conll(lines: Iterable[bytes], name: str, *, mentions: bool = True, **tolerance: float) -> Iterator[Document]:
    """Read documents from the lines of a `*_gold_conll` file called `name`.

    Each part is a document, as the shared tasks score them: part 001 of `nw/wsj/00/wsj_0001` is called
    `nw/wsj/00/wsj_0001.001`, and its sentences `…-1`, `…-2` and so on. The first folder becomes the metadata's
    `genre`. Documents keep words, tags, the speaker of the first word, coreference, and the parse as dependencies (see
    `head_rules`). Lemmas exist only for predicates and are dropped.

    A document whose parse bits are not a tree, or whose mention brackets do not match, is left out with a warning, see
    `tolerated`, which takes `tolerance`. Without `mentions`, the coreference column is not read.

    Raises `InputError`, naming the line, for words masked as `[WORD]`, too few columns, too many broken documents, and
    as `parse_parts` does.
    """
    parts = parse_parts(lines, name, lambda number, line: _cells(number, line, name))
    built = ((f"{part.document}.{part.number}", partial(_document, part, name, mentions)) for part in parts)
    return tolerated(built, name, **tolerance)


def _document(part: Part, name: str, mentions: bool) -> Document:
    identifier = f"{part.document}.{part.number}"
    return Document(
        id=identifier,
        sentences=tuple(
            _sentence(f"{identifier}-{number}", rows, name) for number, rows in enumerate(part.sentences, 1)
        ),
        mentions=tuple(
            sorted(
                mention
                for number, rows in enumerate(part.sentences)
                for mention in parse_mentions(number, rows, name, absent=SCORER_ABSENT)
            )
        )
        if mentions
        else (),
        metadata={"genre": part.document.partition("/")[0]},
    )


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


def _sentence(identifier: str, rows: Rows, name: str) -> Sentence:
    words, tags, bits = (tuple(cells[column] for _, cells in rows) for column in (3, 4, 5))
    try:
        tree = parse_tree(bits)
    except BracketError as error:
        raise InputError(f"{name}, line {rows[error.word][0]}: parse: {error}") from None
    heads, relations = dependencies(tree, words, tags) if tree else ((), ())
    speaker = rows[0][1][9]
    return Sentence(
        id=identifier,
        words=words,
        tags=tags,
        heads=heads,
        relations=relations,
        speaker=None if speaker == "-" else speaker,
    )
