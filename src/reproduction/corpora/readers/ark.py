"""Tweets with their tags in the format of the ARK Twitter data (Gimpel et al. 2011, Owoputi et al. 2012).

One token per line, a tab, its tag; a blank line ends each tweet. https://www.cs.cmu.edu/~ark/TweetNLP/
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_blocks
from nlpcalib.systems.text.document import Document, Sentence


def read_ark(path: Path | str) -> Iterator[Document]:
    """Read a file of tweets, as `parse_ark` does."""
    with Path(path).open("rb") as lines:
        yield from parse_ark(lines, str(path))


def parse_ark(lines: Iterable[bytes], name: str) -> Iterator[Document]:
    """Read the one document of a file: a sentence per tweet, called by the file and the tweet's number from 000001.

    The document is called like the file without `.conll`. Other endings stay: in the official split `oct27.train` and
    `oct27.test` differ in them alone. Tokens are kept as they are, even the few that are white space other than a tab.

    Raises `InputError`, naming the line, for bytes that are not UTF-8, lines that are not token and tag, and a file
    without tweets.
    """
    document_id = PurePath(name).name.removesuffix(".conll")
    sentences: list[Sentence] = []
    for block in numbered_blocks(lines, name):
        words, tags = zip(*(_token(number, line, name) for number, line in block), strict=True)
        sentences.append(Sentence(f"{document_id}-{len(sentences) + 1:06d}", words, tags))
    if not sentences:
        raise InputError(f"{name}: found no tweets, expected lines of token, tab and tag")
    yield Document(document_id, tuple(sentences))


def _token(number: int, line: str, name: str) -> tuple[str, str]:
    cells = line.split("\t")
    if len(cells) != 2:
        raise InputError(
            f"{name}, line {number}: found {len(cells)} columns, expected 2, token and tag, with a tab between"
        )
    if not all(cells):
        raise InputError(
            f"{name}, line {number}: found nothing as {'tag' if cells[0] else 'token'}, expected token and tag"
        )
    return cells[0], cells[1]
