"""Exact marginals, samples, entities and the page from a file of any model's antecedent scores."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, located, quoted
from nlpcalib.io.json_values import json_lines
from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import MAX_MENTIONS, Resolution, resolution_of
from nlpcalib.systems.coref.model.lexicon import CANONICAL_PRONOUNS
from nlpcalib.systems.coref.model.mentions import DEMONSTRATIVES, Span
from nlpcalib.systems.coref.model.posterior import softmax_with_new, tempered
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.tree import tree_of

_WORD_OR_SIGN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, eq=False)
class Scored:
    """A document with the antecedents that a model gives to its mentions."""

    id: str
    text: str
    spans: list[tuple[int, int]]
    """The first character of each mention, and the one after its last."""
    conditionals: np.ndarray
    """A, float64 (N, N)."""
    words: list[tuple[int, int]] | None = None
    """The characters of each word, where the file has words."""

    def __post_init__(self) -> None:
        """Raise `InputError` for spans that are outside the text, or without a word, or there twice."""
        for start, end in self.spans:
            if not (0 <= start < end <= len(self.text) and _WORD_OR_SIGN.search(self.text, start, end)):
                raise InputError(f"spans: found ({start}, {end}), expected characters of the text that include a word")
        if len(set(self.spans)) < len(self.spans):
            twice = next(span for span in self.spans if self.spans.count(span) > 1)
            raise InputError(f"spans: found {twice} twice, expected each once")

    def resolution(
        self, threshold: float | None = None, temperature: float = 1.0, parsed: Document | None = None
    ) -> Resolution:
        """Return what follows from the antecedents, flattened by a temperature; arguments as of `resolve`.

        With `parsed`, its mentions are those of `mentions_in`.
        """
        document, mentions = self._in_lines() if parsed is None else (parsed, self.mentions_in(parsed))
        threshold = 0.5 if threshold is None else threshold
        return resolution_of(
            document, mentions, tempered(self.conditionals, temperature), threshold, temperature=temperature
        )

    def mentions_in(self, document: Document) -> list[Span]:
        """Return the mentions in the document that a parser made of the text, with the heads in its trees.

        A mention takes whole words, and ends with the sentence in which it begins.
        """
        mentions = self._mentions(document, Offsets(replace(document, source=self.text)).places)
        heads = [tree_of(document.sentences[each.sentence]).span_head(each.start, each.end) for each in mentions]
        return [replace(each, head=head) for each, head in zip(mentions, heads, strict=True)]

    def _in_lines(self) -> tuple[Document, list[Span]]:
        """Return the text as a document with a sentence per line, and its mentions, which end with their last word."""
        cuts = {place for span in self.spans for place in span}
        places = list(self.words or ())
        for match in _WORD_OR_SIGN.finditer(self.text) if self.words is None else ():
            bounds = [match.start(), *(n for n in range(match.start() + 1, match.end()) if n in cuts), match.end()]
            places += pairwise(bounds)
        inside = np.zeros(len(self.text) + 1, np.int64)
        for start, end in self.spans:
            inside[start + 1] += 1
            inside[end] -= 1
        inside = np.cumsum(inside)
        lines: list[list[tuple[int, int]]] = []
        for start, end in places:
            if not lines or ("\n" in self.text[lines[-1][-1][1] : start] and not inside[start]):
                lines.append([])
            lines[-1].append((start, end))
        sentences = [
            Sentence(
                f"{self.id}-{number}",
                tuple(self.text[start:end] for start, end in line),
                space_after=tuple(self.text[end : end + 1].isspace() for _, end in line),
            )
            for number, line in enumerate(lines, 1)
        ]
        document = Document(self.id, tuple(sentences), source=self.text)
        return document, self._mentions(document, places)

    def _mentions(self, document: Document, places: list[tuple[int, int]]) -> list[Span]:
        """Return the mentions in a document whose words have these characters; the last word is the head."""
        starts, ends = np.array(places).reshape(-1, 2).T
        firsts = np.cumsum([0, *(len(sentence.words) for sentence in document.sentences)])
        mentions = []
        for start, end in self.spans:
            at = int(np.searchsorted(ends, start, "right"))
            number = int(np.searchsorted(firsts, at, "right")) - 1
            first, last = (int(each - firsts[number]) for each in (at, np.searchsorted(starts, end)))
            last = min(last, len(document.sentences[number].words))
            mentions.append(Span(number, first, last, last - 1, _kind(self.text[start:end].split())))
        return mentions


def read_antecedent_scores(path: str | Path) -> Iterator[Scored]:
    """Read the scores of any model: JSON lines with `text`, `spans` and `scores`.

    `text` is one text, or a list of its words. `spans` has the first character, or word, of each mention and the one
    after its last. `scores` has, for each mention, a list
    of [earlier mention, score]; mentions count from 0, and earlier ones that are not listed are excluded. The score of
    no antecedent is 0, as in models after Lee et al. (2017). `id` names the document; the file and the line do else.

    Raises `InputError`, naming the line, for anything else, and for a file without a line.
    """
    names: set[str] = set()
    with Path(path).open("rb") as lines:
        for number, record in json_lines(lines, f"{path}, line"):
            with located(f"{path}, line {number}"):
                scored = _scored(record, f"{Path(path).stem}-{number}")
                if scored.id in names:
                    raise InputError(f"found document {scored.id!r} again, expected each once")
            names.add(scored.id)
            yield scored
    if not names:
        raise InputError(f"{path}: found no line, expected JSON with text, spans and scores")


def _scored(record: dict[str, Any], name: str) -> Scored:
    text, spans, rows = (record.get(key, "") for key in ("text", "spans", "scores"))
    is_text = isinstance(text, str) or (isinstance(text, list) and all(isinstance(word, str) and word for word in text))
    if not (is_text and isinstance(spans, list) and isinstance(rows, list) and len(spans) == len(rows)):
        raise InputError("found other keys or lengths, expected a `text` or its words, and as many `spans` as `scores`")
    if len(rows) > MAX_MENTIONS:
        raise InputError(f"found {len(rows)} mentions, expected at most {MAX_MENTIONS}: memory grows with their square")
    name = record.get("id", name)
    if isinstance(name, bool) or not isinstance(name, str | int) or not str(name).strip():
        raise InputError(f"found id {quoted(name)}, expected a text or a whole number")
    scores = np.full((len(rows), len(rows)), -np.inf)
    for mention, row in enumerate(rows):
        try:
            for antecedent, score in row:
                if type(antecedent) is not int or not (0 <= antecedent < mention and math.isfinite(score)):
                    raise ValueError
                # Models that keep the best antecedents may pad with a mention that is listed.
                scores[mention, antecedent] = max(scores[mention, antecedent], score)
        except (TypeError, ValueError, IndexError):
            raise InputError(
                f"scores[{mention}]: found {quoted(row)}, expected pairs of an earlier mention and a score"
            ) from None
    conditionals, places = softmax_with_new(scores, np.zeros(len(rows))), [_place(span) for span in spans]
    if isinstance(text, str):
        return Scored(str(name), text, places, conditionals)
    ends = np.cumsum([len(word) + 1 for word in text], dtype=np.int64) - 1
    words = [(int(end) - len(word), int(end)) for word, end in zip(text, ends, strict=True)]
    for start, end in places:
        if not 0 <= start < end <= len(words):
            raise InputError(f"spans: found ({start}, {end}), expected a span within {len(words)} words")
    characters = [(words[start][0], words[end - 1][1]) for start, end in places]
    return Scored(str(name), " ".join(text), characters, conditionals, words)


def _place(span: Any) -> tuple[int, int]:
    if not (isinstance(span, list) and len(span) == 2 and all(type(place) is int for place in span)):
        raise InputError(f"spans: found {quoted(span)}, expected [start, end], two whole numbers")
    return span[0], span[1]


def _kind(words: list[str]) -> str:
    last = words[-1].lower()
    if len(words) == 1 and last in DEMONSTRATIVES:
        return "demonstrative"
    if len(words) == 1 and last in CANONICAL_PRONOUNS:
        return "pronoun"
    return "proper" if words[-1][:1].isupper() else "nominal"
