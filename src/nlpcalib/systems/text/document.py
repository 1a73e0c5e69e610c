"""Annotated text: the one representation that every reader returns and every analysis takes."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence in columns of the same length.

    Columns that a format lacks are empty tuples, so `if sentence.heads` asks whether the sentence is parsed.
    """

    id: str
    words: tuple[str, ...]
    tags: tuple[str, ...] = ()
    """Language-specific part-of-speech tags (XPOS in CoNLL-U)."""
    lemmas: tuple[str, ...] = ()
    universal_tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    """1-based index of each word's syntactic head in the sentence, 0 for the root."""
    relations: tuple[str, ...] = ()
    """Dependency relation of each word to its head."""
    space_after: tuple[bool, ...] = ()
    """Whether white space follows each word; empty means always."""
    speaker: str | None = None

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return the words from `start` to `end`, by default the last, with the white space after each."""
        spaces = self.space_after or (True,) * len(self.words)
        return "".join(word + " " * space for word, space in zip(self.words[start:end], spaces[start:end], strict=True))


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """Words `start` to `end` (0-based, end exclusive) of sentence number `sentence` (0-based) refer to `entity`."""

    sentence: int
    start: int
    end: int
    entity: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its sentences in order and, where annotated, its mentions of entities."""

    id: str
    sentences: tuple[Sentence, ...]
    mentions: tuple[Mention, ...] = ()
    """Sorted by sentence, start, end and entity."""
    date: datetime.date | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    """The corpus's own document metadata (`genre`, `headline`, …), without `newdoc id` and the date."""
    source: str = field(default="", compare=False, repr=False)
    """The plain text that the words come from, if there is one. Equality of documents ignores it."""

    @property
    def text(self) -> str:
        """The words with the original white space between them."""
        return "".join(sentence.text() for sentence in self.sentences)
