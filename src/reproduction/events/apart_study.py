"""What keeping countries apart does to events and pairs of mentions, on simulated reports, whose truth is known."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.intervals import calibration_error
from nlpcalib.coref.model.attributes import mention_table
from nlpcalib.coref.model.kinds import KINDS, kinds_of
from nlpcalib.coref.model.mentions import Span, candidate_mentions, corefer, entities_of
from nlpcalib.coref.model.model import AntecedentModel
from nlpcalib.coref.model.posterior import tempered, weigh_new
from nlpcalib.coref.model.recalibration import GoldAntecedents, fit_temperature_and_new
from nlpcalib.events.read.extraction import affiliations, find_evidence
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.probability import candidate_countries
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.roles import Affiliation, Candidate
from nlpcalib.seeding import generator
from nlpcalib.text.document import Document
from reproduction.events.apart import country_labels, links_apart, sample_apart

PAIRS_OF = 6
"""Pairs are measured in every sixth report: a report has thousands."""
PERFECT = 100
"""Samples that stand for the labels of a perfect model."""

_Weights = tuple[np.ndarray, np.ndarray]
"""A temperature and a weight of NEW for each kind of mention."""


@dataclass(frozen=True, eq=False)
class _Mentions:
    """What is known of a document's mentions before links are weighted."""

    conditionals: np.ndarray
    kinds: np.ndarray
    countries: np.ndarray
    entities: list[str | None]

    @classmethod
    def of(
        cls, document: Document, spans: Sequence[Span], model: AntecedentModel, described: Sequence[Affiliation]
    ) -> _Mentions:
        table = mention_table(document, spans)
        countries = country_labels(described, len(spans))
        return cls(model.conditionals(table), kinds_of(table), countries, entities_of(spans, document))

    def weighted(self, weights: _Weights) -> np.ndarray:
        temperatures, new = weights
        return weigh_new(tempered(self.conditionals, temperatures[self.kinds]), new[self.kinds])


@dataclass(frozen=True, eq=False)
class _Report:
    name: str
    mentions: _Mentions
    found: Sequence[Candidate]
    described: Sequence[Affiliation]


def apart_rows(
    dev: Iterable[Document],
    reports: Iterable[Document],
    truth: Collection[tuple[str, str]],
    model: AntecedentModel,
    query: Query,
    lexicon: CountryLexicon,
    *,
    samples: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Yield a row of the model as trained, with weights of antecedents, and with countries kept apart as well.

    Parameters
    ----------
    dev : iterable of Document
        With gold entities: a temperature and a weight of NEW are fitted to them for each kind of mention.
    reports : iterable of Document
        With gold entities; errors are measured on these.
    truth : collection of (document, country)
        Where the query's event is reported.

    Returns
    -------
    iterator of dict
        _Weights; bias-corrected errors of events and of pairs with intervals, and what they expect next to what there
        is; and Algorithm 1's error of pairs with that of a perfect model, whose labels are the model's own samples.
    """
    known = []
    for document in dev:
        spans = candidate_mentions(document)
        known.append(_Mentions.of(document, spans, model, affiliations(document, spans, lexicon)))
    asked = []
    for document in reports:
        evidence = find_evidence(document, [query], lexicon)
        if evidence.suffices:
            found, described = evidence.candidates[query.name], evidence.affiliations[query.name]
            mentions = _Mentions.of(document, evidence.mentions, model, described)
            asked.append(_Report(document.id, mentions, found, described))
    logging.info("%d reports", len(asked))
    ones = np.ones(len(KINDS))
    weights = _fit(known, lambda one: one.conditionals)
    weights_apart = _fit(known, lambda one: links_apart(one.conditionals, one.countries, one.entities))
    yield _row("none", (ones, ones), asked, truth, False, samples, seed)
    yield _row("temperature and new", weights, asked, truth, False, samples, seed)
    yield _row("temperature and new, countries apart", weights_apart, asked, truth, True, samples, seed)


def _fit(dev: Sequence[_Mentions], rows: Callable[[_Mentions], np.ndarray]) -> _Weights:
    documents = [(rows(one), one.entities) for one in dev]
    found = [
        fit_temperature_and_new(GoldAntecedents.of(documents, [one.kinds == kind for one in dev]))
        for kind in range(len(KINDS))
    ]
    temperatures, new = np.array(found).T
    return temperatures, new


class _Predictions:
    """Probabilities, labels, units, and samples that stand for the labels of a perfect model."""

    def __init__(self) -> None:
        self.parts: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, drawn: np.ndarray, y: np.ndarray, unit: int) -> None:
        self.parts.append((drawn.mean(axis=1), y, np.full(len(drawn), unit), drawn[:, :PERFECT]))

    @property
    def columns(self) -> Iterator[np.ndarray]:
        return map(np.concatenate, zip(*self.parts, strict=True))


def _row(
    name: str,
    weights: _Weights,
    reports: Sequence[_Report],
    truth: Collection[tuple[str, str]],
    apart: bool,
    samples: int,
    seed: int,
) -> dict[str, Any]:
    events, pairs = _Predictions(), _Predictions()
    for number, report in enumerate(reports):
        mentions = report.mentions
        labels = mentions.countries if apart else np.zeros_like(mentions.countries)
        rng = generator(seed, "entities apart", report.name)
        entities = sample_apart(mentions.weighted(weights), labels, samples, rng)
        codes, present = candidate_countries(report.found, report.described, entities)
        drawn = np.asarray(present.any(axis=0))
        events.add(drawn, np.array([(report.name, code) in truth for code in codes]), number)
        if not number % PAIRS_OF:
            i, j = np.tril_indices(len(entities), -1)
            pairs.add(entities[i] == entities[j], corefer(mentions.entities), number)
    row: dict[str, Any] = {"recalibration": name}
    for kind, temperature, new in zip(KINDS, *weights, strict=True):
        row |= {f"temperature_{kind}": float(temperature), f"new_{kind}": float(new)}
    for what, predictions in (("event", events), ("pair", pairs)):
        q, y, unit, drawn = predictions.columns
        estimate = METHODS["debiased_rms/cluster_score"](SortedPairs(q, y, unit), Settings())
        row |= {f"{what}s": int(y.sum()), f"expected_{what}s": float(q.sum()), f"{what}_error": estimate.value}
        row |= {f"{what}_low": estimate.low, f"{what}_high": estimate.high}
    error = partial(calibration_error, q, bin_size=500)
    perfect = [error(drawn[:, sample]) for sample in range(drawn.shape[1])]
    return row | {"pair_algorithm_1": error(y), "pair_algorithm_1_perfect": float(np.mean(perfect))}
