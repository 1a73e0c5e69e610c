"""What a learnt model finds in a document, in the form of what the other readings find."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from nlpcalib.events.learn.candidates import candidates
from nlpcalib.events.learn.model import EventModel
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.probability import EventProbability
from nlpcalib.seeding import generator
from nlpcalib.text.dated import DatedText


def learnt_events(
    text: DatedText,
    model: EventModel,
    lexicon: CountryLexicon,
    countries: Collection[str] = (),
    *,
    samples: int = 100,
    seed: int = 0,
) -> Iterator[EventProbability]:
    """Yield each country that a document names, of `countries` if there are any, with the probability of an event.

    Of S samples a share p, rounded to 1 in S, has an event of probability p. Events are independent given the model,
    and samples depend on the document and the seed alone.
    """
    found = list(candidates(text, lexicon, model.triggers))
    stated = model.probabilities(found)
    rng = generator(seed, "learnt events", text.id)
    for one, probability in zip(found, stated.tolist(), strict=True):
        level = (rng.permutation(samples) + rng.random()) / samples
        if not countries or one.country in countries:
            drawn = (level < probability).astype(np.int16)
            yield EventProbability(text.id, text.date, one.country, int(probability >= 0.5), drawn, stated=probability)
