"""Events that a learnt model finds in a document, in the same form as those of the paper's extraction."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.events.learn.candidates import Candidate, dates_of, pair_candidates
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.dates import Days
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.vectors import TextVectors


def learnt_events(
    text: DatedText,
    model: EventModel,
    lexicon: CountryLexicon,
    countries: Collection[str] = (),
    *,
    only_acts: bool = False,
    vectors: TextVectors | None = None,
    samples: int = 100,
    seed: int = 0,
) -> Iterator[EventProbability]:
    """Yield the probability of an event for each country that a document names, or for those among `countries`.

    A document that names none has one for the code `UNNAMED`, if the model reads such documents. A model of texts gives
    each document one for the code `TEXT`.

    With `only_acts` it is the probability of an act, an event that the document reports and does not only mention. A
    model without weights for acts raises `InputError`, and so does a model of vectors without its own.

    An event with probability p is in a share p of S samples, rounded to 1 / S. Events are independent given the model,
    and samples depend only on the document and the seed.
    """
    found = model.candidates(text, lexicon)
    days = dates_of(text, lexicon, model.triggers)
    rng = generator(seed, "learnt events", text.id)
    stated = model.probabilities(found, vectors)
    if only_acts:
        stated = stated * _acts(model).probabilities(found, vectors)
    for event in _drawn(text, found, stated, rng, samples, days):
        if not countries or event.country in countries:
            yield event


def learnt_dyads(
    text: DatedText,
    model: EventModel,
    lexicon: CountryLexicon,
    *,
    vectors: TextVectors | None = None,
    samples: int = 100,
    seed: int = 0,
) -> Iterator[EventProbability]:
    """Yield the probability of each dyad of a document, such as ISR>PSE; a model without dyads yields none."""
    if model.pairs is None:
        return
    found = list(pair_candidates(text, lexicon, model.triggers))
    rng = generator(seed, "learnt dyads", text.id)
    yield from _drawn(text, found, model.pairs.probabilities(found, vectors), rng, samples, {})


def _acts(model: EventModel) -> EventModel:
    if model.acts is None:
        raise InputError(f"only: found acts with the model {model.name}, expected a model that learnt acts from labels")
    return model.acts


def _drawn(
    text: DatedText,
    found: list[Candidate],
    stated: np.ndarray,
    rng: np.random.Generator,
    samples: int,
    days: dict[str, Days],
) -> Iterator[EventProbability]:
    for one, probability in zip(found, stated.tolist(), strict=True):
        level = (rng.permutation(samples) + rng.random()) / samples
        drawn = (level < probability).astype(np.int16)
        own = days.get(one.country)
        yield EventProbability(
            text.id, text.date, one.country, int(probability >= 0.5), drawn, stated=probability, days=own
        )
