"""The sample of the Penn Treebank that NLTK distributes: a tenth of its *Wall Street Journal* (Marcus et al. 1993).

Its archive has a file of trees for each article. https://www.nltk.org/nltk_data/
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.corpora.ontonotes_words import parse_trees
from reproduction.corpora.retrieval.archives import open_member
from reproduction.corpora.retrieval.bounded import read_bounded
from reproduction.corpora.retrieval.mirror import open_zip, open_zip_member

_ARCHIVE = "treebank.zip"
_TREES = "treebank/combined/wsj_*.mrg"
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}
"""How trees, which consist of brackets, write those of the text."""


def read_nltk_treebank(source: Path | str, split: str) -> Iterator[Document]:
    """Read the articles of one split, see `split_articles`, from an archive that `retrieve` wrote.

    Raises `InputError` for an archive without trees, and as `parse_trees` does.
    """
    with open_member(source, _ARCHIVE) as stream:
        try:
            content = io.BytesIO(read_bounded(stream))
        except ValueError as error:
            raise InputError(f"{source}/{_ARCHIVE}: {error}") from None
    with open_zip(content, f"{source}/{_ARCHIVE}") as archive:
        articles = [name for name in archive.namelist() if fnmatch(name, _TREES)]
        if not articles:
            raise InputError(f"{source}/{_ARCHIVE}: found no member {_TREES}, expected at least one")
        for article in split_articles(articles, split):
            with open_zip_member(archive, article, f"{source}/{_ARCHIVE}/{article}") as lines:
                yield _article(lines, f"{source}/{_ARCHIVE}/{article}")


def split_articles(articles: Iterable[str], split: str) -> list[str]:
    """Return the articles of one split, `train`, `dev` or `test`, in the order of their names.

    The split is our own: of each ten articles in that order, the fifth and tenth are for testing, the fourth for
    development, the others for training.
    """
    places = {"test": {4, 9}, "dev": {3}, "train": {0, 1, 2, 5, 6, 7, 8}}[split]
    return [article for number, article in enumerate(sorted(articles)) if number % 10 in places]


def _article(lines: Iterable[bytes], name: str) -> Document:
    identifier = PurePosixPath(name).stem
    sentences = tuple(
        Sentence(f"{identifier}-{number}", tuple(map(_printed, tree.words)), tree.tags)
        for number, tree in enumerate(parse_trees(lines, name), 1)
    )
    return Document(identifier, sentences, metadata={"genre": "news"})


def _printed(word: str) -> str:
    """Return a word of a tree as the newspaper printed it."""
    return _BRACKETS.get(word) or word.replace("\\/", "/").replace("\\*", "*")
