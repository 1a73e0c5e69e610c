"""OntoNotes as the CoNLL shared tasks on coreference distribute it, `*_gold_conll` (Pradhan et al. 2011, 2012).

The columns are described at https://conll.cemantix.org/2012/data.html: document, part, word number, word, tag, parse
bit, predicate lemma, frameset, sense, speaker, named entities, arguments (one column per predicate), coreference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from nlpcalib.corpora.bad_records import tolerated
from nlpcalib.corpora.document import Document, Sentence
from nlpcalib.corpora.ontonotes.constituents import TreeError, parse_tree
from nlpcalib.corpora.ontonotes.head_rules import dependencies
from nlpcalib.corpora.ontonotes.words import MASKED, join_words
from nlpcalib.corpora.readers.conll import Part, Rows, parse_mentions, parse_parts
from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below

_FEWEST_COLUMNS = 12
_SKELETON, _COMPLETE = "_gold_skel", "_gold_conll"
_SPLIT_FOLDERS = {"train": ("train",), "dev": ("development", "dev"), "test": ("test",)}
_OTHER_LANGUAGES = {"arabic", "chinese"}


def read_conll(path: Path | str, release: Path | str | None = None) -> Iterator[Document]:
    """Read the documents of a `*_gold_conll` file one at a time, as `parse_conll` does.

    With `release`, the folder of OntoNotes, words of a `*_gold_skel` are joined as `join_words` does.
    """
    with Path(path).open("rb") as lines:
        yield from parse_conll(join_words(lines, str(path), release) if release else lines, str(path))


def parse_conll(lines: Iterable[bytes], name: str, *, mentions: bool = True, **tolerance: float) -> Iterator[Document]:
    """Read documents from the lines of a `*_gold_conll` file called `name`.

    A part is a document of its own, as the shared tasks score them: part 001 of `nw/wsj/00/wsj_0001` is called
    `nw/wsj/00/wsj_0001.001`, and its sentences `…-1`, `…-2` and so on. The first folder is the metadata's `genre`. Of
    the columns words, tags, the speaker of the first word and coreference are kept, and the parse as dependencies (see
    `head_rules`); lemmas exist for predicates only and are left out.

    A document with parse bits that are no tree, or brackets of mentions that do not match, is left out with a warning,
    as `tolerated` does, which takes `tolerance`. Without `mentions`, the column of coreference is not read.

    Raises `InputError`, naming the line, for words masked as `[WORD]`, too few columns, too many such documents, and as
    `parse_parts` does.
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
                for mention in parse_mentions(number, rows, name, absent="-")
            )
        )
        if mentions
        else (),
        metadata={"genre": part.document.partition("/")[0]},
    )


def _cells(number: int, line: str, name: str) -> list[str]:
    cells = line.split()
    if len(cells) < _FEWEST_COLUMNS:
        raise InputError(f"{name}, line {number}: found {len(cells)} columns, expected at least {_FEWEST_COLUMNS}")
    if cells[3] == MASKED:
        raise InputError(
            f"{name}, line {number}: found {MASKED} as a word: this is the release without words. Say in `words` where "
            "OntoNotes is, 4.0 (LDC2011T03) for CoNLL-2011 or 5.0 (LDC2013T19) for CoNLL-2012, or join the words with "
            "the shared task's script skeleton2conll.sh"
        )
    return cells


def _sentence(identifier: str, rows: Rows, name: str) -> Sentence:
    words, tags, bits = (tuple(cells[column] for _, cells in rows) for column in (3, 4, 5))
    try:
        tree = parse_tree(bits)
    except TreeError as error:
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


def iter_split(
    root: Path | str, split: str, *, wsj_only: bool = False, words: Path | str | None = None
) -> Iterator[Document]:
    """Read the English documents of a split, `train`, `dev` or `test`, in the order of their paths.

    `root` is the folder of the shared task's data that holds `train`, `development` (or `dev`) and `test`; the files
    are those called `*_gold_conll` anywhere below (`data/english/annotations/nw/wsj/00/wsj_0001.v4_gold_conll`), but
    not Arabic and Chinese ones; links to folders are followed. With `words`, the folder of OntoNotes, `*_gold_skel` are
    read where they are not joined yet. `wsj_only` leaves the documents whose id has `/wsj/` in it, the Wall Street
    Journal.

    Raises `InputError` when there are no such files or documents, for a document that is there twice (say, as v4 and
    v9), and as `parse_conll` and `join_words` do.
    """
    if split not in _SPLIT_FOLDERS:
        raise InputError(f"found split {split!r}, expected one of {', '.join(_SPLIT_FOLDERS)}")
    paths = _files(Path(root), split, with_skeletons=words is not None)
    seen: dict[str, Path] = {}
    for path in paths:
        for document in read_conll(path, words if path.name.endswith(_SKELETON) else None):
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


def _files(root: Path, split: str, *, with_skeletons: bool) -> list[Path]:
    paths = {
        path
        for path in files_below(*(root / folder for folder in _SPLIT_FOLDERS[split]))
        if path.name.endswith((_COMPLETE, _SKELETON))
        and not _OTHER_LANGUAGES.intersection(path.relative_to(root).parts)
    }
    skeletons = {path for path in paths if path.name.endswith(_SKELETON)}
    chosen = paths - skeletons
    if with_skeletons:
        chosen |= {path for path in skeletons if Path(str(path).removesuffix(_SKELETON) + _COMPLETE) not in paths}
    if not chosen:
        looked_for = " or ".join(f"{root / folder}/**/*{_COMPLETE}" for folder in _SPLIT_FOLDERS[split])
        without = f", but {len(skeletons)} files *{_SKELETON} without words" if skeletons else ""
        raise InputError(
            f"found no files of the {split} split of OntoNotes, looked for {looked_for}{without}; expected the data "
            "folder of the CoNLL-2011 or CoNLL-2012 shared task with the words of OntoNotes joined, or `words` to say "
            "where OntoNotes is"
        )
    return sorted(chosen)
