"""Numbers of different people against annotated entities, by the model in the package."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain

import numpy as np

from nlpcalib.systems.coref.answer.people import newly_mentioned, person_mentions
from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.mentions import Span, entities_of, gold_mentions
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document
from reproduction.estimation.count_rows import UncertainUnits, count_rows
from reproduction.workflow.table_files import TitledRows

PEOPLE_FOLDS = 5


@dataclass(frozen=True, eq=False)
class People:
    """The mentions of people in an annotated document."""

    new: np.ndarray
    """float64 (P,): the probability that each is somebody not mentioned before."""
    is_new: np.ndarray
    """bool (P,): whether it is; a mention that no annotated entity has is somebody of its own."""
    clusters: int
    """Entities of people in the decoded clustering."""


def people_table(documents: Sequence[str], *, seed: int) -> list[TitledRows]:
    """Return how intervals of the number do, for predicted and for annotated mentions."""
    rows = []
    for mentions in ("predicted", "gold"):
        found = people_count_rows(people_of(chain.from_iterable(map(read_conllu, documents)), mentions, seed))
        rows += [{"mentions": mentions, **row} for row in found]
    return [("The number of different people in a document: intervals that promise 95 %", rows)]


def people_of(documents: Iterable[Document], mentions: str, seed: int) -> list[People]:
    """Return the mentions of people in each document that has any, in the order of the documents' ids."""
    found = []
    for resolution in resolve(sorted(documents, key=lambda document: document.id), mentions=mentions):
        rows = person_mentions(resolution)
        if rows.size:
            names = entities_by_head(resolution.mentions, resolution.document)
            gold = [names[row] or row for row in rows.tolist()]
            is_new = np.array([name not in gold[:place] for place, name in enumerate(gold)])
            clusters = np.unique(resolution.entities[rows]).size
            found.append(People(newly_mentioned(resolution, seed=seed), is_new, clusters))
    return found


def entities_by_head(spans: Sequence[Span], document: Document) -> list[str | None]:
    """Return the annotated entity of each span: of its words, else of the shortest mention with its head, or `None`.

    Corpora differ in whether *Dorothea's* or *Dorothea* is the mention.
    """
    annotated = sorted(gold_mentions(document), key=lambda span: span.start - span.end)
    names = entities_of(annotated, document)
    heads = {(span.sentence, span.head): name for span, name in zip(annotated, names, strict=True)}
    exact = entities_of(spans, document)
    return [name or heads.get((span.sentence, span.head)) for span, name in zip(spans, exact, strict=True)]


def people_count_rows(people: Sequence[People]) -> Iterator[dict]:
    """Yield the rows of `count_rows` in PEOPLE_FOLDS folds, and one of counting the clusters of the decoded clustering.

    A map and an effect are fitted to the documents of the other folds.
    """
    folds = [people[fold::PEOPLE_FOLDS] for fold in range(PEOPLE_FOLDS)]
    parts = [_units(part) for part in folds]
    others = [_units([each for other in folds if other is not part for each in other]) for part in folds]
    rows = list(count_rows(parts, parts, others))
    yield from (asdict(row) for row in rows if row.posterior != "recalibrated")
    true, clusters = (
        np.array(counts) for counts in zip(*((one.is_new.sum(), one.clusters) for one in people), strict=True)
    )
    yield asdict(rows[0]) | {
        "posterior": "clusters",
        "bias": float(np.mean(clusters - true)),
        "promised": None,
        "held": float(np.mean(clusters == true)),
        "width": 0.0,
        "quantiles": None,
    }


def _units(people: Sequence[People]) -> UncertainUnits:
    return UncertainUnits(
        np.concatenate([one.new for one in people]),
        np.concatenate([one.is_new for one in people]),
        np.repeat(np.arange(len(people)), [one.new.size for one in people]),
    )
