"""Input files that a user names, and checks that they are English text."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.destinations import path_kind
from nlpcalib.io.files import refuse_xml
from nlpcalib.io.folders import files_below
from nlpcalib.io.own_tables import own_rows

_HTML = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.{,2000}?-->\s*)?<(!doctype\s+html|html|head|body|p|div)\b", re.IGNORECASE | re.DOTALL
)
_MIN_ENGLISH_SHARE = 0.08
"""Smallest share of common words in an English text; most have .3 to .5."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """An input file."""

    path: Path
    id: str
    """The id of a document that is the whole file."""
    named: bool
    """Whether the user named the file itself, not its folder."""


def input_files(paths: Iterable[str | Path]) -> list[InputFile]:
    """Return the named files and the files below named folders, except hidden ones.

    The id of a named file is its stem; that of a file in a folder is its path there, without suffix. Where these are
    equal, the path is the id. `-` is standard input.

    Raises `InputError` for a missing file, and for a folder without files.
    """
    files: list[tuple[Path, Path, bool]] = []
    for path in (Path("/dev/stdin") if str(path) == "-" else Path(path) for path in paths):
        if path.is_dir():
            below = [each for each in files_below(path) if not _is_hidden(each.relative_to(path))]
            if not below:
                raise InputError(f"{path}: found a folder without files, expected a folder of texts")
            files += [(each, path, False) for each in below]
        elif not path_kind(path):
            raise InputError(f"{path}: no such file")
        else:
            files.append((path, path.parent, True))
    ids = [_named(path.relative_to(folder).with_suffix("")) for path, folder, _ in files]
    counts = Counter(ids)
    return [
        InputFile(path, each if counts[each] == 1 else _named(path), named)
        for (path, _, named), each in zip(files, ids, strict=True)
    ]


def _named(path: Path) -> str:
    return " ".join(path.as_posix().split())


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def refuse_other_kinds(name: str, head: bytes) -> None:
    """Raise `InputError` for files that are not text, and for HTML and XML."""
    if b"%PDF-" in head[:1024] or head.startswith((b"{\\rtf", b"PK\x03\x04", b"\x1f\x8b", b"\xd0\xcf\x11\xe0")):
        raise InputError(f"{name}: found a PDF, RTF, Word or packed file, expected text in UTF-8: save it as text")
    if _HTML.match(head):
        raise InputError(f"{name}: found HTML, whose tags would become words, expected plain text: save it as text")
    refuse_xml(name, head)


def notice_language(name: str, text: str, *, recognised: bool = False) -> bool:
    """Warn of a text that is not English, by its first 20,000 characters; return whether it warned.

    A text of less than 20 words does not show its language. If that has to be `recognised`, only a text with five
    common words of another language gets a warning.
    """
    words = Counter(word.lower() for word in re.findall(r"[^\W\d_]+", text[:20_000]))
    count, common = words.total(), {language: each.split() for language, each in own_rows(__file__, "languages")}
    sums = {language: sum(words[word] for word in each) for language, each in common.items()}
    if count < 20 or sums.pop("English") >= _MIN_ENGLISH_SHARE * count:
        return False
    likeliest = max(sums, key=lambda language: sums[language])
    if recognised and sum(words[word] > 0 for word in common[likeliest]) < 5:
        return False
    is_likely = sums[likeliest] >= 2 * _MIN_ENGLISH_SHARE * count
    found = f"what looks {likeliest}" if is_likely else "few common words of English"
    warnings.warn(f"{name}: found {found}, expected English: parser and model are for no other language", stacklevel=2)
    return True
