"""Events that a learnt model finds in a document, in the same form as those of the paper's extraction.

A pair is a source with a target, and one model gives both:

    P(s > t) = P(s) · P(t | s),

with P(s) the probability that country s is the source of an event, and P(t | s) that t is a target if it is. So a pair
is never likelier than its source. A source may have several targets, or one that the document does not name.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.events.learn.candidates import ARROW, Candidate, pair_candidates
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.text.dated import DatedText


def learnt_events(
    text: DatedText,
    model: EventModel,
    lexicon: CountryLexicon,
    countries: Collection[str] = (),
    *,
    only_acts: bool = False,
    samples: int = 100,
    seed: int = 0,
) -> tuple[list[EventProbability], list[EventProbability]]:
    """Return the probability of an event for each country that a document names, or for those among `countries`.

    The second list has that of each pair, such as ISR>PSE; it is empty of a model without targets. A document that
    names no country has an event for the code `UNNAMED`, if the model reads such documents. A model of texts gives each
    document one for the code `TEXT`.

    With `only_acts` it is the probability of an act, an event that the document reports and does not only mention. A
    model without weights for acts raises `InputError`.

    An event with probability p is in a share p of S samples, rounded to 1 / S. Events are independent given the model,
    and samples depend only on the document and the seed.
    """
    found = model.candidates(text, lexicon)
    stated = model.probabilities(found)
    if only_acts:
        if model.acts is None:
            raise InputError(f"only: found acts with the model {model.name}, expected a packaged one")
        stated = stated * model.acts.probabilities(found)
    events = [
        event
        for event in _drawn(text, found, stated, generator(seed, "learnt events", text.id), samples)
        if not countries or event.country in countries
    ]
    if model.targets is None:
        return events, []
    pairs = list(pair_candidates(text, lexicon, model.triggers))
    of_source = dict(zip((one.country for one in found), stated.tolist(), strict=True))
    sources = np.array([of_source[one.country.partition(ARROW)[0]] for one in pairs])
    both = sources * model.targets.probabilities(pairs)
    return events, list(_drawn(text, pairs, both, generator(seed, "learnt dyads", text.id), samples))


def _drawn(
    text: DatedText, found: list[Candidate], stated: np.ndarray, rng: np.random.Generator, samples: int
) -> Iterator[EventProbability]:
    for one, probability in zip(found, stated.tolist(), strict=True):
        level = (rng.permutation(samples) + rng.random()) / samples
        drawn = (level < probability).astype(np.int16)
        yield EventProbability(text.id, text.date, one.country, int(probability >= 0.5), drawn, stated=probability)
