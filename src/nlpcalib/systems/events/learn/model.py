"""A model of events, learnt from labels: the probability that an item reports an event of a country that it names.

The log odds are linear in the candidate's features x_f, which are 0 or 1,

    log P / (1 − P) = b + Σ_f w_f x_f,

with an intercept b and weights w_f from `systems.events.learn.logistic`. A model may start from another one with the
log odds o. Then they are (1 + a) o + b + Σ_f w_f x_f with a fitted slope a, which is linear in the features again. The
packaged models start from silver labels, which rules gave to unlabelled items.

Without a start, items without keywords have a level of their own. If a share s of the items has a keyword, and a rate r
of these an event, one without a keyword meets e = r s / (1 − s) events of others. Its rate has the prior of
`nlpcalib.estimation.levels`, and labels of such items the likelihood. Its probabilities have the posterior median, and
without such labels, where items without one are there, the prior's. Labels count by their design effect, since an item
that names several countries is one reading.

The intercept is not that of the fit. Fitted probabilities sum to the labelled events, but those of new items to fewer
where events are few and features many: to .8 of the events with 100 labels of long articles. So b is shifted until
cross-fitted probabilities sum to the labelled events (van Houwelingen and le Cessie 1990). No other map follows:
with a cross-fitted penalty slopes are right on items like the labelled ones, and `card` has the evidence.

With b = −2 and weights 1.5 and .5 for two present features, P = .5. A shift of 1 in log odds raises probabilities of
.2689 to one half:

    >>> model = EventModel("attack", "", ("attack",), -2.0, {"+1 attacked": 1.5, "item attacked": 0.5})
    >>> model.probabilities([Candidate("1", "IRQ", ("+1 attacked", "item attacked"))]).tolist()
    [0.5]
    >>> round(_shift(np.array([-1.0, -1.0]), np.array([0.0, 1.0])), 4)
    1.0
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import expit, logit

from nlpcalib.errors import InputError
from nlpcalib.estimation.levels import LevelPosterior, Levels, level_posterior
from nlpcalib.estimation.shared_effect import INDEPENDENT, level_effect
from nlpcalib.recalibration.fitting import fold_of_rows
from nlpcalib.systems.events.learn.candidates import Candidate, country_candidates, forms_of, text_candidate
from nlpcalib.systems.events.learn.logistic import best_strength, fit_l2
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.text.dated import DatedText

LEARNING_FOLDS = 10
"""Folds of items for cross-fitting: each model sees nine tenths of the labels."""
MIN_ITEMS_PER_CLASS = 5
"""Labelled items needed of each class: with an event of a country that they name, and without one."""
SCALES_OF_BAGS = {"item": 0.4, "sentence": 0.7}
"""Scales of the words of items and sentences next to what rules or a start teach; of other features 1.

Labels alone learn them at the scale 1: these words show the sense of a keyword, as in *hunger strike*. Log loss is then
lower in seven of nine comparisons on strikes, convictions and resignations, and higher by .01 in two."""
_CARD_BIN_EDGES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
"""Inner edges of the bins on a model's card."""
NO_KEYWORD_FEATURE = "triggers 0"
"""The feature of candidates in items without a keyword."""
_NO_COUNTRY_FEATURE = "countries 0"
"""The feature of candidates in items that name no country."""
_MAX_ABS_CENTRED = 50.0
"""Largest log odds that a shift of the intercept leads to: the bracket of a root search, beyond any rate of labels."""
_LEVEL_DIGITS = 8
"""Decimals of a level's bins: probabilities of items without keywords are small."""
_MIN_CANDIDATES_PER_FEATURE = 2
"""Labelled candidates that a feature needs before it gets a weight: one candidate alone is noise."""


@dataclass(frozen=True, eq=False)
class EventModel:
    """A category of events and its fitted weights."""

    name: str
    definition: str
    """The definition that annotators were given."""
    words: tuple[str, ...]
    """Keywords: lemmas of verbs and nouns that often report such an event, its triggers. They are optional."""
    intercept: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    """Weights by feature; other features have the weight 0."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """The labels that it was fitted to, and its cross-fitted scores; `items` is 0 for silver labels alone.

    Its key `levels`, if items without keywords have a level of their own, has the bins of items with and `without`
    keywords, and the events of the first `expected` for each of the others, and their `design_effects`. Elsewhere that
    of all labels is the `design_effect` of the card."""
    targets: EventModel | None = None
    """The model of targets given a source, P(pair) = P(source) · P(target | source); None if it was not fitted."""
    acts: EventModel | None = None
    """The model of acts, events that an item reports and does not only mention; None if it was not fitted."""
    forms: Mapping[str, str] | None = None
    """The inflected forms of its keywords that labels taught it by; None for all of `forms_of`."""
    of_texts: bool = False
    """Whether it reads whole texts, since labels were yes or no, and not the countries that they name."""

    @cached_property
    def triggers(self) -> dict[str, str]:
        """The inflected forms of its keywords, each with its keyword."""
        return forms_of(self.words) if self.forms is None else dict(self.forms)

    @property
    def reads_unnamed(self) -> bool:
        """Whether labels of items that name no country taught it, so that it reads such items."""
        return not self.of_texts and _NO_COUNTRY_FEATURE in self.weights

    def levels(self, *, only_acts: bool = False) -> Levels:
        """Return the sampling errors of the levels that labels set, which documents share; none without a label.

        The bins of the card have the cross-fitted probabilities. Of acts, the level of their own labels errs too.
        """
        own = self.card.get("levels")
        taught = [self, self.acts] if only_acts and self.acts is not None else [self]
        if own is None:
            bins = [(_bins(part.card.get("bins", ())), part.card.get("design_effect", 1.0)) for part in taught]
        else:
            effect, effect_without = own.get("design_effects", (1.0, 1.0))
            bins = [(_bins(own["with"]), effect)]
        known = [(each[:, 0], each[:, 2] / effect) for each, effect in bins if len(each)]
        shared = level_effect(*known) if known else INDEPENDENT
        return Levels(shared, None if own is None else _level_without(own["without"], own["expected"], effect_without))

    def candidates(self, text: DatedText, lexicon: CountryLexicon) -> list[Candidate]:
        """Return what the model gives a probability of an event: countries that a text names, or the text itself."""
        if self.of_texts:
            return list(text_candidate(text, lexicon, self.triggers))
        return list(country_candidates(text, lexicon, self.triggers, unnamed=self.reads_unnamed))

    def log_odds(self, found: Sequence[Candidate]) -> np.ndarray:
        """Return the log odds of each candidate's event, float64 (N,)."""
        weight = self.weights.get
        return np.array([self.intercept + sum(weight(each, 0.0) for each in one.features) for one in found])

    def probabilities(self, found: Sequence[Candidate]) -> np.ndarray:
        """Return the probability of each candidate's event, float64 (N,)."""
        return expit(self.log_odds(found))


def _bins(bins: Sequence[Sequence[float]]) -> np.ndarray:
    """Return bins of a card, float64 (B, 3): mean probability, share of events and number of candidates."""
    return np.array(bins, dtype=np.float64).reshape(-1, 3)


def _level_without(bins: Sequence[Sequence[float]], expected: float, design_effect: float) -> LevelPosterior:
    """Return what labels leave open of the level of items without keywords; see `EventModel.card`."""
    p, share, number = (_bins(bins) if len(bins) else np.array([[0.5, 0.0, 0.0]])).T
    return level_posterior(logit(p), share, number / design_effect, expected=expected).around_median()


def learn(
    category: EventModel,
    found: Sequence[Candidate],
    y: np.ndarray,
    unit: np.ndarray,
    *,
    start: EventModel | None = None,
    share: float | None = None,
    seed: int = 0,
) -> tuple[EventModel, np.ndarray]:
    """Fit the model of a category, and return it with cross-fitted probabilities of N candidates, float64 (N,).

    Parameters
    ----------
    category : EventModel
        Its name, definition and words; its weights are not used.
    found : sequence of N Candidate
    y : ndarray of float64, shape (N,)
        Whether the item reports an event of the country, NaN without a label.
    unit : ndarray of int, shape (N,)
        The item of each candidate; equal texts share a number, and a fold. Unlabelled items have folds too, so that
        their probabilities are cross-fitted as well.
    start : EventModel, optional
        A model whose log odds the labels correct.
    share : float, optional
        The share of items with a keyword in the texts to be counted. Without `start`, it gives items without keywords a
        level of their own, see the module; the card of the model then has both levels.
    seed : int
        Seeds the folds.

    Raises `InputError` for fewer than `MIN_ITEMS_PER_CLASS` labelled items of either class.
    """
    known = ~np.isnan(y)
    has, lacks = items_of_either_kind(y, unit)
    if min(has, lacks) < MIN_ITEMS_PER_CLASS:
        short = {"with an event": MIN_ITEMS_PER_CLASS - has, "without one": MIN_ITEMS_PER_CLASS - lacks}
        more = " and ".join(f"{number} more {kind}" for kind, number in short.items() if number > 0)
        of = "texts" if category.of_texts else "items that name a country"
        rare = ""
        if 0 < has < lacks:
            labels = ceil(MIN_ITEMS_PER_CLASS * (has + lacks) / has)
            rare = (
                f"; {labels:,} random labels have about {MIN_ITEMS_PER_CLASS} at this rate, and nlpcalib plan items "
                "--match WORDS draws texts in which events are frequent"
            )
        raise InputError(
            f"{category.name}: of the labelled {of}, found {has} with an event and {lacks} without one (copies of a "
            f"text count once), expected at least {MIN_ITEMS_PER_CLASS} of each: label {more}{rare}"
        )
    without = np.array([NO_KEYWORD_FEATURE in one.features for one in found])
    scales = {} if start is None else SCALES_OF_BAGS
    expected = None
    if start is None and category.words and share is not None and 0 < share < 1:
        expected = float(_rate(y[known & ~without])) * share / (1 - share)
        level = _shift_without(
            np.zeros(max(int(without.sum()), 1)), y[without], known[without], expected, unit[without]
        )
        start = replace(category, weights={NO_KEYWORD_FEATURE: level})
    design, names, scale, offset = design_of(found, start, _MIN_CANDIDATES_PER_FEATURE, known, scales)
    codes = np.unique(unit, return_inverse=True)[1]
    fold = fold_of_rows(codes, min(LEARNING_FOLDS, int(codes.max()) + 1), seed)
    strength, scores = best_strength(design, y, fold, offset)
    fitted = fit_l2(design[known], y[known], strength, offset[known])
    model = model_of(category, fitted, names, scale, start)
    apart = without & (expected is not None)
    crossed, shift = scores.copy(), _shift(scores[known & ~apart], y[known & ~apart])
    model = replace(model, intercept=model.intercept + shift)
    for each in np.unique(fold):
        # Each fold is shifted by the labels of the others, so that no label is in its own probability.
        own, others = fold == each, known & (fold != each)
        crossed[own & ~apart] += _shift(scores[others & ~apart], y[others & ~apart])
        if expected is not None:
            crossed[own & apart] += _shift_without(scores[apart], y[apart], others[apart], expected, unit[apart])
    if expected is None:
        return model, expit(crossed)
    weight = model.weights.get(NO_KEYWORD_FEATURE, 0.0)
    if apart.any():
        weight += _shift_without(scores[apart], y[apart], known[apart], expected, unit[apart]) - shift
    card = {
        "with": _binned(expit(crossed[known & ~apart]), y[known & ~apart], _LEVEL_DIGITS),
        "without": _binned(expit(crossed[known & apart]), y[known & apart], _LEVEL_DIGITS),
        "expected": expected,
        "design_effects": [
            _design_effect(y[each] - expit(crossed[each]), unit[each]) for each in (known & ~apart, known & apart)
        ],
    }
    weights = {**model.weights, NO_KEYWORD_FEATURE: weight}
    return replace(model, weights=weights, card={"levels": card}), expit(crossed)


def _shift(score: np.ndarray, y: np.ndarray) -> float:
    """Return the change of N log odds with which their probabilities sum to the events; 0 if these are 0 or N."""
    events = y.sum()
    if not 0 < events < len(score):
        return 0.0
    bound = _MAX_ABS_CENTRED + float(np.abs(score).max())
    return float(brentq(lambda each: expit(score + each).sum() - events, -bound, bound))


def _shift_without(score: np.ndarray, y: np.ndarray, taught: np.ndarray, expected: float, unit: np.ndarray) -> float:
    """Return the median shift of the log odds (M,) of candidates without keywords, by those `taught`, bool (M,).

    Without any of these it leads to the prior's median rate, as the mean of all M; see `learn`.
    """
    if not taught.any():
        labels = number = np.zeros(len(score))
        return float(level_posterior(score, labels, number, expected=expected).quantile(0.5))
    labels = y[taught]
    number = np.ones(len(labels)) / _design_effect(labels - _rate(labels), unit[taught])
    return float(level_posterior(score[taught], labels, number, expected=expected).quantile(0.5))


def _design_effect(residual: np.ndarray, unit: np.ndarray) -> float:
    """Return how many candidates count as one label, at least 1, from residuals y − p, float64 (N,), and their items.

    It is Σ (Σ r)² / Σ r², over items and over candidates, of these and one more item of mean size m, all of whose
    candidates have an event. So without events it is about m, and where items have one candidate it is 1.
    """
    items, counts = np.unique(unit, return_inverse=True, return_counts=True)[1:]
    size = len(residual) / max(len(counts), 1)
    together, apart = float((np.bincount(items, residual) ** 2).sum()), float(residual @ residual)
    return max((together + size**2) / (apart + size), 1.0) if size else 1.0


def _rate(y: np.ndarray) -> float:
    """Return the rate of events among labels, by Jeffreys's prior."""
    return float((y.sum() + 0.5) / (len(y) + 1))


def items_of_either_kind(y: np.ndarray, unit: np.ndarray) -> tuple[int, int]:
    """Return the number of items with a positive candidate, and with a negative one; see `learn` for `y` and `unit`."""
    return len(np.unique(unit[y == 1])), len(np.unique(unit[y == 0]))


def design_of(
    found: Sequence[Candidate],
    start: EventModel | None,
    least: int,
    known: np.ndarray,
    scales: Mapping[str, float] = SCALES_OF_BAGS,
) -> tuple[sparse.csr_array, list[str], np.ndarray, np.ndarray]:
    """Return the design (N, P), the features, their scales, and the log odds of `start`.

    Features are those of at least `least` candidates that are `known`, bool (N,). With `start`, its log odds are
    the last column of the design. `scales` has the scale of features by first word.
    """
    number = Counter(
        feature for one, labelled in zip(found, known.tolist(), strict=True) if labelled for feature in one.features
    )
    names = sorted(feature for feature, times in number.items() if times >= least)
    column = {feature: place for place, feature in enumerate(names)}
    places = [[column[feature] for feature in one.features if feature in column] for one in found]
    ends = np.concatenate([[0], np.cumsum([len(each) for each in places])])
    indices = np.array([place for each in places for place in each], dtype=np.int64)
    scale = np.array([scales.get(feature.partition(" ")[0], 1.0) for feature in names])
    design = sparse.csr_array((scale[indices], indices, ends), shape=(len(found), len(names)))
    offset = np.zeros(len(found))
    if start is not None:
        offset = start.log_odds(found)
        design = sparse.hstack([design, sparse.csr_array(offset[:, None])]).tocsr()
    return design, names, scale, offset


def model_of(
    category: EventModel,
    fitted: np.ndarray,
    names: Sequence[str],
    scale: np.ndarray,
    start: EventModel | None,
) -> EventModel:
    """Return the model of a category from the `fitted` weights of the features of `design_of`, and the intercept."""
    slopes = fitted[: len(names)] * scale
    weights, intercept = dict(zip(names, slopes.tolist(), strict=True)), float(fitted[-1])
    if start is not None:
        slope = 1 + float(fitted[len(names)])
        intercept += slope * start.intercept
        for feature, weight in start.weights.items():
            weights[feature] = weights.get(feature, 0.0) + slope * weight
    return replace(category, intercept=intercept, weights=weights)


def card_of(p: np.ndarray, y: np.ndarray, unit: np.ndarray, unnamed: int) -> dict[str, Any]:
    """Return the scores of N cross-fitted probabilities, for a model's card.

    Returns
    -------
    dict
        `items`, `candidates`, `events`, and `unnamed`, the events of countries that their item does not name.
        `log_loss`, in nats per event; `brier`, the sum of squared errors; `precision` and `recall` at p ≥ .5, with a
        precision of None if nothing is predicted. `expected`, the sum of probabilities divided by the number of events.
        `bins`, each with the mean probability, the share of events, and the number of candidates. `design_effect`,
        by which these count.
    """
    said = p >= 0.5
    loss = -np.log(np.where(y > 0, p, 1 - p)).sum()
    hits, events = float(y[said].sum()), float(y.sum())
    return {
        "items": len(np.unique(unit)),
        "candidates": len(y),
        "events": int(events),
        "unnamed": unnamed,
        "log_loss": round(float(loss / events), 4),
        "brier": round(float(((p - y) ** 2).sum()), 2),
        "precision": round(hits / float(said.sum()), 4) if said.any() else None,
        "recall": round(hits / events, 4),
        "expected": round(float(p.sum() / events), 4),
        "bins": _binned(p, y, 4),
        "design_effect": round(_design_effect(y - p, unit), 4),
    }


def _binned(p: np.ndarray, y: np.ndarray, digits: int) -> list[list[float]]:
    """Return bins of N probabilities with labels: mean probability, share of events, and number of candidates."""
    place = np.digitize(p, _CARD_BIN_EDGES)
    own = [place == number for number in np.unique(place)]
    return [[round(float(p[at].mean()), digits), round(float(y[at].mean()), digits), int(at.sum())] for at in own]
