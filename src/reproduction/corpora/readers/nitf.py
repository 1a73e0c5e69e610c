"""The New York Times Annotated Corpus (Sandhaus 2008, LDC2008T19): articles of 1987 to 2007 in NITF, an XML format.

The corpus comes as a tar archive per month, `data/1987/01.tgz` and so on, with a file per article.
https://catalog.ldc.upenn.edu/LDC2008T19
"""

from __future__ import annotations

import gzip
import io
import lzma
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element  # nosec B405  # the type alone

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below
from nlpcalib.systems.text.dated import DatedRecord, DatedText, read_dated_records
from nlpcalib.tables.periods import parse_date
from nlpcalib.tables.records import MAX_RECORD_BYTES
from reproduction.corpora.parts import Listing, Piece, listed_file, part_at
from reproduction.corpora.readers.markup import outermost, parse_xml, plain_text
from reproduction.corpora.retrieval.bounded import read_bounded
from reproduction.corpora.retrieval.mirror import DAMAGED, BoundedReader, open_tar

_WORLD_NEWS = "Top/News/World"
_NOT_WORLD_NEWS = re.compile("/(Sports|Opinion)")
"""What makes an article world news (paper, appendix 3): how a category begins, and what is in none."""

_OPENERS_BY_ENDING: dict[str, Callable[..., Any]] = {
    ".tgz": gzip.open,
    ".gz": gzip.open,
    ".xz": lzma.open,
    ".tar": open,
}
MAX_ARCHIVE_BYTES = 1 << 30
"""Most bytes that are read of an archive, decompressed."""
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)(?:T.*)?")
_LEAD = "LEAD: "


def read_nitf(path: Path | str, share: float, *, max_bytes: int = MAX_ARCHIVE_BYTES) -> Iterator[DatedText]:
    """Read the articles of one archive (.tgz, .tar.gz, .tar.xz or .tar), or of all and of .xml files below a folder.

    Links to folders and files are followed there.

    Wanted are articles with a category (taxonomic classifier) of world news and none of sports or opinion; the paper's
    third condition, a country's name, is left to the caller.
    An opening paragraph marked as the lead is left out where the next repeats it.

    Archives are read as a stream, so memory holds one article at a time; links in them are passed over, and no more
    than `max_bytes` are read from any of them, decompressed.

    Raises `InputError` if there is no such file, for any archive that cannot be read, is cut,
    damaged or too long, or has no article in it, since a whole month must not be missing unnoticed, and, naming the
    first, for too many broken articles (see `read_records`): XML that `parse_xml` refuses, those without id, date or
    text.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"{path}: found no such file or folder, expected one")
    return read_dated_records(_records(path, max_bytes), str(path), share)


def _records(path: Path, max_bytes: int) -> Iterator[DatedRecord]:
    for file in files_below(path) if path.is_dir() else [path]:
        yield from _records_of_file(file, max_bytes, asked=file == path)


def divide(source: Path | str, paths: Sequence[Path | str], parts: int) -> list[Listing]:
    """Return the archives and files of articles that each part reads, whole and in order, of about equal length.

    `paths` are the files, which are the source itself or below it.
    """
    source, files = Path(source), list(map(Path, paths))
    sizes = [file.stat().st_size for file in files]
    pieces: list[list[Piece]] = [[] for _ in range(parts)]
    for file, size, end in zip(files, sizes, accumulate(sizes), strict=True):
        name = "" if file == source else file.relative_to(source).as_posix()
        pieces[part_at(0, end - size, sum(sizes), parts)].append({"file": name, "bytes": size})
    return [{"pieces": each} for each in pieces]


def part_records(source: Path | str, listing: Listing) -> Iterator[DatedRecord]:
    """Yield the records of a part, as `divide` lists it."""
    for piece in listing["pieces"]:
        yield from _records_of_file(listed_file(source, piece), MAX_ARCHIVE_BYTES, asked=not piece["file"])


def _records_of_file(file: Path, max_bytes: int, *, asked: bool) -> Iterator[DatedRecord]:
    try:
        for place, data in _articles(file, max_bytes, asked=asked):
            yield place, partial(_article, data)
    except InputError:
        raise
    except (*DAMAGED, OSError) as error:
        raise InputError(f"{file}: found a file that cannot be read ({error}), expected a whole one") from error


def _articles(file: Path, max_bytes: int, *, asked: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the place and the content, up to one byte too many, of what should be articles in a file.

    They are read here and not when they are parsed, since what fails here is the archive and not an article.
    """
    if not asked and file.suffix in {".xml", *_OPENERS_BY_ENDING} and file.is_fifo():
        raise InputError(f"{file}: found a pipe, expected a file")  # it would be waited for
    if file.suffix == ".xml":
        with file.open("rb") as stream:
            yield str(file), stream.read(MAX_RECORD_BYTES + 1)
    elif file.suffix in _OPENERS_BY_ENDING or asked:
        yield from _members(file, max_bytes)


def _members(file: Path, max_bytes: int) -> Iterator[tuple[str, bytes]]:
    found = False
    with _OPENERS_BY_ENDING.get(file.suffix, open)(file, "rb") as stream:
        # Headers and members that are passed over are decompressed too: the bound is on the archive's whole stream.
        bounded = BoundedReader(stream, max_bytes, str(file))
        with open_tar(bounded) as archive:
            for member in archive:
                # A sparse file's holes cost the archive nothing, so its size is not bounded by the stream's.
                article = member.isreg() and not member.issparse() and member.name.endswith(".xml")
                content = archive.extractfile(member) if article else None
                if content is not None:
                    found = True
                    yield f"{file}/{member.name}", content.read(min(member.size, MAX_RECORD_BYTES + 1))
        # The checksum stands behind the last member.
        while bounded.read(1 << 16):
            pass
    if not found:
        raise InputError(f"{file}: found no article in it, expected an archive of .xml files")


def _article(data: bytes) -> list[DatedText]:
    root = parse_xml(read_bounded(io.BytesIO(data)))
    categories = [plain_text(each) for each in outermost(root, "classifier", type="taxonomic_classifier")]
    if not any(category.startswith(_WORLD_NEWS) for category in categories) or any(
        map(_NOT_WORLD_NEWS.search, categories)
    ):
        return []
    identifier = _attribute(root, "doc-id", "id-string")
    published = _attribute(root, "pubdata", "date.publication")
    date = parse_date(_DAY.sub(r"\1-\2-\3", published))
    blocks = outermost(root, "block", **{"class": "full_text"})
    paragraphs = [text for block in blocks for paragraph in outermost(block, "p") if (text := plain_text(paragraph))]
    if paragraphs and paragraphs[0].startswith(_LEAD):
        paragraphs[0] = paragraphs[0].removeprefix(_LEAD)
        if paragraphs[0] in paragraphs[1:2]:
            del paragraphs[0]
    return [DatedText(identifier, date, "\n\n".join(paragraphs))]


def _attribute(root: Element, tag: str, name: str) -> str:
    element = root.find(f".//{tag}")
    value = None if element is None else element.get(name)
    if not value:
        raise ValueError(f"found no {name} of {tag}, expected one")
    return value
