"""A model of events from a language model's answers per text and country, which labels then correct.

The answers a of all texts that have some are soft labels of the candidates' features,

    log P / (1 − P) = b + Σ_f w_f x_f,    with the loss Σ −[a log P + (1 − a) log(1 − P)] + |w|² / (2 C),

as rules' output taught the packaged models. So the model reads texts without answers too, and labels correct what the
answers get wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.systems.events.learn.candidates import UNNAMED, country_candidates
from nlpcalib.systems.events.learn.logistic import fit_l2
from nlpcalib.systems.events.learn.model import EventModel, design_of, model_of
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.text.dated import DatedText

MIN_ANSWERED_TEXTS = 50
"""Texts with answers that are needed: fewer teach less than the labels."""
_ANSWERS_STRENGTH = 0.1
"""The strength C of the penalty."""
_MIN_ANSWERED_CANDIDATES = 5
"""Candidates with answers that a feature needs before it gets a weight."""

CountryAnswers = Mapping[str, Mapping[str, float]]
"""Probabilities by country, by the id of a text; countries that are left out have 0."""


def model_of_answers(
    category: EventModel,
    texts: Sequence[DatedText],
    answers: CountryAnswers,
    lexicon: CountryLexicon,
    known: Collection[str],
) -> EventModel:
    """Return the model of a category trained on answers alone.

    Its card has how many `texts` have answers. It also counts `not named`: countries with an answer of .5 or more that
    the lexicon does not find in their text. The model has no candidate for these.

    Raises `InputError` for answers on other texts, codes that are not `known`, and fewer than `MIN_ANSWERED_TEXTS`.
    """
    if strangers := sorted(set(answers) - {text.id for text in texts}):
        raise InputError(f"answers: found {some(strangers)}, expected ids of the texts")
    if unknown := sorted(set(chain.from_iterable(answers.values())) - {UNNAMED, *known}):
        raise InputError(f"answers: found the country {some(unknown)}, expected known codes, or {UNNAMED}")
    if len(answers) < MIN_ANSWERED_TEXTS:
        raise InputError(f"answers: found {len(answers)} texts, expected at least {MIN_ANSWERED_TEXTS}")
    found, y, not_named = [], [], 0
    for text in texts:
        if text.id not in answers:
            continue
        own = list(country_candidates(text, lexicon, category.triggers, unnamed=True))
        said = answers[text.id]
        found += own
        y += [said.get(one.country, 0.0) for one in own]
        not_named += sum(p >= 0.5 for code, p in said.items() if code not in {one.country for one in own})
    if not found:
        raise InputError(f"answers: found {len(answers)} texts without a country, expected texts that name some")
    every = np.ones(len(found), dtype=bool)
    design, names, scale, _ = design_of(found, None, _MIN_ANSWERED_CANDIDATES, every)
    model = model_of(category, fit_l2(design, np.array(y), _ANSWERS_STRENGTH), names, scale, None)
    card = {"items": 0, "answers": {"texts": len(answers), "not named": int(not_named)}}
    return EventModel("answers", category.definition, category.words, model.intercept, model.weights, card)
