"""The splits of OntoNotes as the shared tasks distribute them, with words joined where they are masked.

Its constituents are not read: coreference takes the trees of the parser, as in any other text (`parsed: true`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below
from nlpcalib.systems.text.conll import parse_conll
from nlpcalib.systems.text.document import Document
from reproduction.corpora.ontonotes_words import join_words

_SKELETON, _COMPLETE = "_gold_skel", "_gold_conll"
_SPLIT_FOLDERS = {"train": ("train",), "dev": ("development", "dev"), "test": ("test",)}
_OTHER_LANGUAGES = {"arabic", "chinese"}


def read_conll(path: Path | str, release: Path | str | None = None) -> Iterator[Document]:
    """Read the documents of a `*_gold_conll` file one at a time, as `parse_conll` does.

    With `release`, the folder of OntoNotes, words of a `*_gold_skel` are joined as `join_words` does.
    """
    with Path(path).open("rb") as lines:
        yield from parse_conll(join_words(lines, str(path), release) if release else lines, str(path))


def iter_split(
    root: Path | str, split: str, *, wsj_only: bool = False, words: Path | str | None = None
) -> Iterator[Document]:
    """Read the English documents of a split, `train`, `dev` or `test`, in the order of their paths.

    `root` is the folder of the shared task's data that holds `train`, `development` (or `dev`) and `test`; the files
    are those called `*_gold_conll` anywhere below (`data/english/annotations/nw/wsj/00/wsj_0001.v4_gold_conll`), but
    not Arabic and Chinese ones; links to folders are followed. With `words`, the folder of OntoNotes, `*_gold_skel` are
    read where they are not joined yet. `wsj_only` leaves the documents whose id has `/wsj/` in it, the Wall Street
    Journal.

    Raises `InputError` when there are no such files or documents, for a document that is there twice (such as v4 and
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
