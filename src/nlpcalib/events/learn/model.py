"""A model of events: how probable it is that an item reports an event of a country that it names, learnt from labels.

The log odds are a sum of weights of the candidate's features. A model may start from another: labels then change the
other's log odds, by weights of features and by a slope, and since all are sums, so is the result. The packaged models
start from silver labels, which rules gave to unlabelled items, and a user's model may start from a packaged one.

No map of probabilities is fitted afterwards: a logistic regression whose penalty is chosen by cross-fitted loss is
calibrated on items like those that were labelled, and `card` has the numbers that show it.
"""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import brentq
from scipy.special import expit, logit

from nlpcalib.errors import InputError
from nlpcalib.events.learn.candidates import Candidate, forms_of
from nlpcalib.events.learn.logistic import best_strength, fit_l2
from nlpcalib.io.files import atomic_open
from nlpcalib.recalibration.fitting import fold_of_rows
from nlpcalib.tables.delimited import unpacked

PACKAGED_EVENT_MODELS = Path(__file__).with_name("weights")
"""The folder of models in the box, each called by its category; `card.md` is about all of them."""
LEARNING_FOLDS = 10
MIN_ITEMS_PER_CLASS = 5
"""Items that name a country with an event, and that name one without, that are needed to learn."""
_FEATURE_SCALES = {"item": 0.4, "sentence": 0.7}
"""Of the features of whole items and sentences, of which there are many, next to 1 of all others."""
_CARD_BIN_EDGES = (0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99)
"""Of the bins of a card."""
_NO_KEYWORD_FEATURE = "triggers 0"
"""The feature of candidates without a word of the category."""
_MAX_PRIOR_RATE_WITHOUT_KEYWORDS = 0.02
"""The largest rate of events that is expected of these before labels."""
_MAX_ABS_INTERCEPT = 50.0
"""Log odds beyond which no intercept is."""
_MISSED_PER_KEYWORD_EVENT = 0.2
"""Events without any of a category's words, for one with them: 0 to .5 in seven kinds that were read."""
_MAX_MODEL_BYTES = 1 << 26
"""Of a model's file, unpacked."""
_MIN_CANDIDATES_PER_FEATURE = 2
"""Candidates that need to have a feature before it gets a weight."""


@dataclass(frozen=True, eq=False)
class EventModel:
    """A category of events, and what labels taught of it."""

    name: str
    definition: str
    """What annotators were asked to mark."""
    words: tuple[str, ...]
    """Lemmas of verbs and nouns that often report such an event: its triggers. There may be none."""
    intercept: float = 0.0
    weights: Mapping[str, float] = field(default_factory=dict)
    """By feature; those that it does not have weigh nothing."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """Which labels it was fitted to, and its cross-fitted scores; `items` is 0 if silver labels alone taught it.

    `weights` has where they come from: labels, another model that labels changed, or another model alone."""
    pairs: EventModel | None = None
    """The weights of sources and targets; none if nothing has taught them."""
    acts: EventModel | None = None
    """Those of acts among events: of what an item reports of these days, and does not only mention; or none."""

    @cached_property
    def triggers(self) -> dict[str, str]:
        """The forms of its words."""
        return forms_of(self.words)

    def log_odds(self, found: Iterable[Candidate]) -> np.ndarray:
        """Return the log odds of an event of each candidate, float64 (N,)."""
        weight = self.weights.get
        return np.array([self.intercept + sum(weight(each, 0.0) for each in one.features) for one in found])

    def probabilities(self, found: Iterable[Candidate]) -> np.ndarray:
        """Return the probability of an event of each candidate, float64 (N,)."""
        return expit(self.log_odds(found))


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
    """Return a model of a category, and the cross-fitted probability of each of N candidates, float64 (N,).

    Parameters
    ----------
    category : EventModel
        Its name, definition and words; its weights are not used.
    found : sequence of N Candidate
    y : ndarray of float64, shape (N,)
        Whether the item reports an event of the country, NaN where it has no label.
    unit : ndarray of int, shape (N,)
        The item of each candidate, one number for near copies: they are in one fold. Items without a label are too, so
        that their probabilities are made as those of the others.
    start : EventModel, optional
        A model whose log odds the labels change.
    share : float, optional
        The share of items with one of the category's words in the text that is to be counted. Without `start`, events
        that lack the words are taken to be as rare as the words, up to what labels of such items show.
    seed : int
        Of the folds.

    Raises `InputError` for fewer than `MIN_ITEMS_PER_CLASS` items with a candidate of either kind.
    """
    known = ~np.isnan(y)
    has, lacks = items_of_either_kind(y, unit)
    if min(has, lacks) < MIN_ITEMS_PER_CLASS:
        raise InputError(
            f"{category.name}: found {has} labelled items that name a country with an event, and {lacks} that name one "
            f"without, expected at least {MIN_ITEMS_PER_CLASS} of each"
        )
    without = np.array([_NO_KEYWORD_FEATURE in one.features for one in found])
    guess = None
    if start is None and category.words and share is not None:
        guess = _guess(share, y[known & ~without])
        start = replace(category, weights={_NO_KEYWORD_FEATURE: float(logit(guess))})
    design, names, scale, offset = design_of(found, start, _MIN_CANDIDATES_PER_FEATURE, known)
    codes = np.unique(unit, return_inverse=True)[1]
    fold = fold_of_rows(codes, min(LEARNING_FOLDS, int(codes.max()) + 1), seed)
    strength, scores = best_strength(design, y, fold, offset)
    fitted = fit_l2(design[known], y[known], strength, offset[known])
    model = model_of(category, fitted, names, scale, start)
    own = known & without
    if guess is not None and own.any():
        # The rate is exponential before labels, with the mean `guess`; the intercept is that of items with the words.
        rate = (y[own].sum() + 1) / (own.sum() + 1 / guess)
        shift = brentq(lambda each: expit(scores[own] + each).mean() - rate, -_MAX_ABS_INTERCEPT, _MAX_ABS_INTERCEPT)
        scores[without] += shift
        model = replace(
            model, weights={**model.weights, _NO_KEYWORD_FEATURE: model.weights.get(_NO_KEYWORD_FEATURE, 0.0) + shift}
        )
    return model, expit(scores)


def _guess(share: float, y: np.ndarray) -> float:
    """Return the rate of events that is expected of candidates without the words; `y` are labels of those with them."""
    events = float(y.mean()) if len(y) else 1.0
    return (
        min(_MISSED_PER_KEYWORD_EVENT * events * share / (1 - share), _MAX_PRIOR_RATE_WITHOUT_KEYWORDS)
        if 0 < share < 1 and events
        else _MAX_PRIOR_RATE_WITHOUT_KEYWORDS
    )


def items_of_either_kind(y: np.ndarray, unit: np.ndarray) -> tuple[int, int]:
    """Return how many items have a candidate with an event, and how many one without; `y` and `unit` as in `learn`."""
    return len(np.unique(unit[y == 1])), len(np.unique(unit[y == 0]))


def design_of(
    found: Sequence[Candidate], start: EventModel | None, least: int, known: np.ndarray
) -> tuple[sparse.csr_array, list[str], np.ndarray, np.ndarray]:
    """Return the design (N, P), the features, the scale of each, and the log odds of `start`.

    Features are those of `least` candidates that are `known`, bool (N,). With `start`, the design has its log odds as
    the last column.
    """
    number = Counter(
        feature for one, labelled in zip(found, known.tolist(), strict=True) if labelled for feature in one.features
    )
    names = sorted(feature for feature, times in number.items() if times >= least)
    column = {feature: place for place, feature in enumerate(names)}
    places = [[column[feature] for feature in one.features if feature in column] for one in found]
    ends = np.concatenate([[0], np.cumsum([len(each) for each in places])])
    indices = np.array([place for each in places for place in each], dtype=np.int64)
    scale = np.array([_FEATURE_SCALES.get(feature.partition(" ")[0], 1.0) for feature in names])
    design = sparse.csr_array((scale[indices], indices, ends), shape=(len(found), len(names)))
    offset = np.zeros(len(found))
    if start is not None:
        offset = start.log_odds(found)
        design = sparse.hstack([design, sparse.csr_array(offset[:, None])]).tocsr()
    return design, names, scale, offset


def model_of(
    category: EventModel, fitted: np.ndarray, names: Sequence[str], scale: np.ndarray, start: EventModel | None
) -> EventModel:
    """Return a model of a category with the `fitted` weights of the features of `design_of`, and the intercept."""
    slopes = fitted[: len(names)] * scale
    weights, intercept = dict(zip(names, slopes.tolist(), strict=True)), float(fitted[-1])
    if start is not None:
        slope = 1 + float(fitted[len(names)])
        intercept += slope * start.intercept
        for feature, weight in start.weights.items():
            weights[feature] = weights.get(feature, 0.0) + slope * weight
    return replace(category, intercept=intercept, weights=weights)


def write_model(path: Path | str, model: EventModel, *, least: float = 0.0, digits: int = 6) -> None:
    """Write a model as JSON, compressed if the name ends in `.gz`; weights up to `least` are left out."""
    content: dict[str, Any] = {
        "name": model.name,
        "definition": model.definition,
        "words": list(model.words),
        "card": dict(model.card),
        **_rounded(model, least, digits),
    }
    for name, part in (("pairs", model.pairs), ("acts", model.acts)):
        if part is not None:
            content[name] = {"card": dict(part.card), **_rounded(part, least, digits)}
    text = json.dumps(content, ensure_ascii=False, indent=0).encode()
    with atomic_open(path, "wb") as file:
        # Without a time in it, so that the same model is the same file.
        file.write(gzip.compress(text, mtime=0) if str(path).endswith(".gz") else text)


def _rounded(model: EventModel, least: float, digits: int) -> dict[str, Any]:
    kept = {name: round(weight, digits) for name, weight in sorted(model.weights.items()) if abs(weight) > least}
    return {"intercept": round(model.intercept, digits), "weights": kept}


def read_model(source: Path | str) -> EventModel:
    """Return the model of a file, or the packaged model of a category; raises `InputError` if it is none."""
    packaged = PACKAGED_EVENT_MODELS / f"{source}.json.gz"
    path = packaged if packaged.is_file() else Path(source)
    if not path.is_file():
        raise InputError(f"{path}: no such file, and none of the packaged models {', '.join(packaged_models())}")
    with unpacked(path, str(path)) as stream:
        data = stream.read(_MAX_MODEL_BYTES + 1)
    if len(data) > _MAX_MODEL_BYTES:
        raise InputError(
            f"{path}: found more than {_MAX_MODEL_BYTES:,} bytes, expected a model that `nlpcalib learn` wrote"
        )
    try:
        content = json.loads(data)
        texts = (str(content["name"]), str(content["definition"]), tuple(map(str, content["words"])))
        model, pairs, acts = (
            EventModel(*texts, *_weights(part), dict(part["card"])) if part else None
            for part in (content, content.get("pairs"), content.get("acts"))
        )
    except KeyError as error:
        raise InputError(f"{path}: found no key {error}, expected a model that `nlpcalib learn` wrote") from None
    except (OSError, EOFError, ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path}: found another file, expected a model that `nlpcalib learn` wrote") from None
    numbers = [number for each in (model, pairs, acts) if each for number in (each.intercept, *each.weights.values())]
    if model is None or not np.isfinite(numbers).all():
        raise InputError(f"{path}: found weights that are no numbers, expected finite ones")
    return replace(model, pairs=pairs, acts=acts)


def _weights(part: Mapping[str, Any]) -> tuple[float, dict[str, float]]:
    return float(part["intercept"]), {str(name): float(weight) for name, weight in part["weights"].items()}


def packaged_models() -> tuple[str, ...]:
    """Return the categories that have a model in the box."""
    return tuple(sorted(path.name.removesuffix(".json.gz") for path in PACKAGED_EVENT_MODELS.glob("*.json.gz")))


def card_of(p: np.ndarray, y: np.ndarray, unit: np.ndarray, unnamed: int) -> dict[str, Any]:
    """Return the scores of N cross-fitted probabilities, for a model's card.

    Returns
    -------
    dict
        `items`, `candidates`, `events`, and `unnamed`, events of countries that their item does not name; `log_loss`,
        in nats for each event; `brier`, the sum of squared errors; `precision` and `recall` of p ≥ .5, None where they
        have no denominator; `expected`, the sum of probabilities by the number of events; and `bins`, each the mean
        probability, the share of events, and the number of candidates.
    """
    said, place = p >= 0.5, np.digitize(p, _CARD_BIN_EDGES)
    loss = -np.log(np.where(y > 0, p, 1 - p)).sum()
    hits, events = float(y[said].sum()), float(y.sum())
    own = [place == number for number in np.unique(place)]
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
        "bins": [[round(float(p[at].mean()), 4), round(float(y[at].mean()), 4), int(at.sum())] for at in own],
    }
