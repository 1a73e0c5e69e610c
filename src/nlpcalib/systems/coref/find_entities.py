"""`nlpcalib.find_entities`: who is who in a text, and how sure is that?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, counted
from nlpcalib.questions.answer import InWords
from nlpcalib.systems.coref.answer.names import entity_names
from nlpcalib.systems.coref.answer.reading import parsed_texts
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, Resolution, resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.model import load_parser

WINDOW_MENTIONS = 1000
"""Mentions of a document beyond which it is resolved in windows of as many."""
WRONG_JOINS = (0.398, 0.325, 0.472)
"""Share of wrong pairs among the pairs of people's mentions that the packaged model joins, and its 95 % interval.

24 texts of 24 kinds (tests/data/twenty_four_kinds.txt) were annotated before any model read them. The interval
resamples texts. A test measures the share again.
"""


@dataclass(frozen=True, eq=False, repr=False)
class EntityReport(InWords):
    """The entities of a document, with probabilities."""

    resolution: Resolution
    """All that the model gives: antecedents, marginals of pairs, samples of clusterings."""
    packaged: bool = True
    """Whether the model is the packaged one, whose wrong joins are known."""

    @cached_property
    def mentions(self) -> list[str]:
        """The words of each mention, in order."""
        return [span.text(self.resolution.document) for span in self.resolution.mentions]

    @cached_property
    def entities(self) -> list[dict[str, Any]]:
        """A row for each entity: `name`, `mentions`, `coherence` (the mean of its pairs) and its own `probability`."""
        found = self.resolution
        return [
            {
                "name": name,
                "mentions": [self.mentions[number] for number in members],
                "coherence": float(coherence),
                "probability": float(probability),
            }
            for name, members, coherence, probability in zip(
                entity_names(found), found.members, found.coherence, found.probabilities, strict=True
            )
        ]

    def pairs(self, at_least: float = 0.01) -> list[dict[str, Any]]:
        """Return pairs of mentions from a probability on to share an entity, likeliest first.

        Each has its `first` and `second` mention, and the `probability`.
        """
        found = zip(*(each.tolist() for each in self.resolution.pairs(at_least)), strict=True)
        rows = sorted(found, key=lambda pair: -pair[2])
        return [{"first": self.mentions[j], "second": self.mentions[i], "probability": q} for i, j, q in rows]

    def lines(self) -> list[str]:
        """Return the entities of several mentions in words."""
        several = [row for row in self.entities if len(row["mentions"]) > 1]
        counts = f"{counted(len(self.mentions), 'mention')}, {counted(len(self.entities), 'entity')}"
        return [
            f"{self.resolution.document.id}: {counts}, {len(several):,} of several mentions",
            *(f"{row['name']}: {', '.join(row['mentions'])} (coherence {row['coherence']:.2f})" for row in several),
            *([wrong_joins_line()] if self.packaged else []),
        ]


def wrong_joins_line() -> str:
    """Return in words how often joined mentions are two people, on texts that no model was trained on."""
    share, low, high = (f"{100 * each:.0f}" for each in WRONG_JOINS)
    return (
        f"With default settings, {share} % of the joined pairs of people are wrong on unseen ordinary text "
        f"({low} to {high} %)."
    )


def find_entities(
    documents: str | Document | Iterable[str | Document],
    *,
    parser: str | Path | None = None,
    model: str | Path | None = None,
    threshold: float | None = None,
    temperature: float = 1.0,
    window: int | None = WINDOW_MENTIONS,
) -> EntityReport | list[EntityReport]:
    """Find the entities in English texts, with probabilities (paper, section 5).

    On unseen ordinary text, 40 % (32 to 47) of the joined pairs of people are wrong.

    Parameters
    ----------
    documents : str, Document, or several of them
        Plain texts, or documents with tags and trees. One document returns a report; several return a list.
    parser, model : str or Path, optional
        Another spaCy model for texts, and another coreference model.
    threshold, temperature, window
        As `nlpcalib.systems.coref.resolve` takes them.

    Raises
    ------
    InputError
        If a text has no words, and as in `nlpcalib.systems.coref.resolve`.
    """
    several = [documents] if isinstance(documents, str | Document) else list(documents)
    texts = [(f"text {number}", text) for number, text in enumerate(several, 1) if isinstance(text, str)]
    parsed = parsed_texts(texts, load_parser(parser)) if texts else iter(())
    ready = (next(parsed) if isinstance(each, str) else each for each in several)
    resolutions = resolve(
        ready,
        load_model(PACKAGED_MODEL if model is None else model),
        threshold=threshold,
        temperature=temperature,
        window=window,
    )
    reports = []
    for resolution in resolutions:
        if not resolution.document.sentences:
            raise InputError(f"{resolution.document.id}: found no words, expected English text")
        reports.append(EntityReport(resolution, model is None))
    return reports[0] if isinstance(documents, str | Document) else reports
