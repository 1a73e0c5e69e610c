"""Coverage and width of intervals for a corpus total, where every label is known.

A regime is a prevalence and a way in which predictions fail. Each block of replicates has a corpus of its own, so that
coverage is over corpora and samples. Corpora and samples derive from the seed and the regime alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, ndtri

from nlpcalib.estimation.methods import METHODS
from nlpcalib.estimation.score import Totals, cluster_effect, score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling import choices
from nlpcalib.sampling.allocation import after_pilot, by_prediction, pilot_size
from nlpcalib.sampling.cells import LEVELS, Cells, level_of
from nlpcalib.sampling.strata import STRATA, stratum_of_cluster, stratum_of_level
from nlpcalib.seeding import generator

PREVALENCES = (0.3, 0.05, 0.01, 0.002)
MODELS = ("calibrated", "overconfident", "underconfident", "blind", "useless")
DESIGNS = tuple(sorted(choices.DESIGNS))
ITEMS = 10_000
CLUSTER = 5
"""Items of a document, where documents are read."""
_SEPARATION = 3.0
"""Between the means of the two classes of the score that predictions are made of, in standard deviations."""
_BLIND = 0.3
"""Of the positive items: those whose score is one of a negative."""
_INTRACLUSTER = 0.3
"""Correlation of the latent variables of two items of a document."""
CORPORA = 25


@dataclass(frozen=True)
class Regime:
    """A prevalence, and how predictions fail."""

    prevalence: float
    model: str
    clustered: bool = False

    @property
    def name(self) -> str:
        """Its name, for seeds and tables."""
        return f"{self.prevalence}, {self.model}, {'documents' if self.clustered else 'items'}"


def draw_corpus(regime: Regime, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions float64 (ITEMS,) and labels bool (ITEMS,); items of a document follow each other."""
    latent = random.standard_normal(ITEMS)
    if regime.clustered:
        shared = np.repeat(random.standard_normal(ITEMS // CLUSTER), CLUSTER)
        latent = np.sqrt(_INTRACLUSTER) * shared + np.sqrt(1 - _INTRACLUSTER) * latent
    y = latent < ndtri(regime.prevalence)
    told = y & ~(random.random(ITEMS) < _BLIND) if regime.model == "blind" else y
    score = random.standard_normal(ITEMS) + _SEPARATION * (told - 0.5)
    odds = logit(regime.prevalence) + _SEPARATION * score
    if regime.model == "useless":
        odds = random.permutation(odds)
    return expit({"overconfident": 2.0, "underconfident": 0.5}.get(regime.model, 1.0) * odds), y


def coverage_rows(regime: Regime, labels: int, design: str, *, replicates: int, seed: int) -> list[dict]:
    """Return a row for each method: coverage of its 95 % interval with its standard error, mean width, bias of a share.

    Parameters
    ----------
    regime : Regime
        Where corpora come from.
    labels : int
        Items that are read.
    design : str
        One of `DESIGNS`.
    replicates : int
        Samples in all, of 25 corpora.
    seed : int
        Seed of everything.
    """
    made = [
        (_documents if regime.clustered else _items)(regime, labels, design, generator(seed, regime.name, corpus), size)
        for corpus, size in enumerate(np.bincount(np.arange(replicates) % CORPORA))
    ]
    results: dict[str, list[np.ndarray]] = {}
    for name in made[0]:
        results[name] = [np.concatenate([block[name][part] for block in made]) for part in range(3)]
    rows = []
    for name, (error, low, high) in results.items():
        rows.append(
            {
                "prevalence": regime.prevalence,
                "model": regime.model,
                "unit": "document" if regime.clustered else "item",
                "design": design,
                "labels": labels,
                "method": name,
                **judged(error, low, high),
            }
        )
    return rows


def judged(error: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, float]:
    """Return what estimates and intervals are worth, from their errors in R replicates, (R,) each."""
    replicates = len(error)
    coverage = float(np.mean((low <= 0) & (high >= 0)))
    shrunk = (coverage * replicates + 2) / (replicates + 4)
    return {
        "replicates": replicates,
        "coverage": coverage,
        "coverage_se": float(np.sqrt(shrunk * (1 - shrunk) / (replicates + 4))),
        "missed_above": float(np.mean(high < 0)),
        "missed_below": float(np.mean(low > 0)),
        "width": float(np.mean(high - low)),
        "bias": float(np.mean(error)),
        "rmse": float(np.sqrt(np.mean(error**2))),
    }


def _items(
    regime: Regime, labels: int, design: str, random: np.random.Generator, replicates: int
) -> dict[str, tuple[np.ndarray, ...]]:
    """Return the error of the share and of both ends of each method's interval, (replicates,) each."""
    q, y = draw_corpus(regime, random)
    cells, _ = sample_items(q, y, labels, design, random, replicates)
    made = {"score": score_interval(cells, fit_working_model(cells))}
    made |= {name: method(cells) for name, method in METHODS.items()}
    return errors(made, y)


def sample_items(
    q: np.ndarray, y: np.ndarray, labels: int, design: str, random: np.random.Generator, replicates: int,
    annotate: Callable[[np.ndarray], np.ndarray] | None = None,
) -> tuple[Cells, np.ndarray]:  # fmt: skip
    """Return the cells of samples of a corpus, and how many labels of each are open, (replicates, LEVELS).

    Items of a level are exchangeable, so that samples are drawn as counts. `annotate` takes those of positive and
    negative items, (R, 2, LEVELS), and returns those of the labels yes, no and open, (R, 3, LEVELS); without it all
    labels are right. An open label counts half.
    """
    level = level_of(q)
    size, positive, predicted = (np.bincount(level, part, minlength=LEVELS) for part in (np.ones(ITEMS), y, q))
    strata = np.zeros(LEVELS, dtype=np.int64) if design == "random" else stratum_of_level(size.copy())
    member = np.eye(STRATA)[strata]  # (LEVELS, S)
    sizes = (size @ member).astype(np.int64)
    spread = np.bincount(strata[level], np.sqrt(q * (1 - q)), minlength=STRATA) / np.maximum(sizes, 1)
    left = np.stack([positive, size - positive]).astype(np.int64)

    def labelled(drawn: np.ndarray) -> np.ndarray:
        if annotate is None:
            return np.concatenate([drawn, np.zeros_like(drawn[:, :1])], axis=1)
        return annotate(drawn)

    if design == "two-phase":
        pilot = by_prediction(sizes, spread, pilot_size(labels))
        first = _draw(left[None], strata, np.broadcast_to(pilot, (replicates, STRATA)), random)
        answers = labelled(first)
        found = (answers[:, 0] + answers[:, 2] / 2) @ member
        allocation = after_pilot(sizes, pilot, found * (1 - found / np.maximum(pilot, 1)), labels)
        answers = answers + labelled(_draw(left - first, strata, allocation - pilot, random))
    else:
        allocation = np.broadcast_to(by_prediction(sizes, spread, labels), (replicates, STRATA))
        answers = labelled(_draw(left[None], strata, allocation, random))
    weight = (sizes / np.maximum(allocation, 1))[:, strata]
    shape = weight.shape
    read, found = answers.sum(axis=1).astype(float), answers[:, 0] + answers[:, 2] / 2
    cells = Cells(
        np.arange(LEVELS), strata, np.broadcast_to(size, shape), np.broadcast_to(predicted, shape), weight, read, found,
        read * weight, found * weight,
    )  # fmt: skip
    return cells, answers[:, 2]


def _draw(left: np.ndarray, strata: np.ndarray, wanted: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Draw `wanted` (R, S) items without replacement of those that are `left`, (R or 1, 2, LEVELS) as the result."""
    left = np.broadcast_to(left, (len(wanted), 2, LEVELS))
    drawn = np.zeros_like(left)
    open_items = np.stack([left[:, :, strata == s].sum(axis=(1, 2)) for s in range(STRATA)], axis=1)
    wanted = wanted.copy()
    for level, stratum in enumerate(strata):
        for kind in (0, 1):
            here = left[:, kind, level]
            rest = open_items[:, stratum] - here
            drawn[:, kind, level] = random.hypergeometric(here, rest, wanted[:, stratum])
            wanted[:, stratum] -= drawn[:, kind, level]
            open_items[:, stratum] = rest
    return drawn


def _documents(
    regime: Regime, labels: int, design: str, random: np.random.Generator, replicates: int
) -> dict[str, tuple[np.ndarray, ...]]:
    """Return what `_items` does, for documents that are read whole."""
    q, y = draw_corpus(regime, random)
    document = np.repeat(np.arange(ITEMS // CLUSTER), CLUSTER)
    count, wanted = len(document) // CLUSTER, labels // CLUSTER
    strata = np.zeros(count, dtype=np.int64) if design == "random" else stratum_of_cluster(q, document, count)
    sizes = np.bincount(strata, minlength=STRATA)
    spread = np.bincount(strata[document], np.sqrt(q * (1 - q)), minlength=STRATA) / np.maximum(sizes, 1) / CLUSTER
    found = y.reshape(count, CLUSTER).sum(axis=1)
    number = random.random((replicates, count))
    # The rank of each document's random number within its stratum: the first of each stratum are read.
    order = np.lexsort((number, np.broadcast_to(strata, number.shape)), axis=-1)
    starts = np.cumsum(sizes) - sizes
    rank = np.empty((replicates, count), dtype=np.int64)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(count), rank.shape), axis=-1)
    rank -= starts[strata]
    if design == "two-phase":
        pilot = by_prediction(sizes, spread, pilot_size(wanted))
        first = rank < pilot[strata]
        member = np.eye(STRATA)[strata]
        squares = (first * found**2) @ member - ((first * found) @ member) ** 2 / np.maximum(pilot, 1)
        allocation = after_pilot(sizes, np.broadcast_to(pilot, squares.shape), squares, wanted)
    else:
        allocation = np.broadcast_to(by_prediction(sizes, spread, wanted), (replicates, STRATA))
    drawn = np.nonzero(rank < allocation[:, strata])[1].reshape(replicates, wanted)
    weights = sizes / np.maximum(allocation, 1)
    # Cells: a stratum of documents and a level of items.
    cell = strata[document] * LEVELS + level_of(q)
    kept, cell = np.unique(cell, return_inverse=True)
    of_document, labelled = cell.reshape(count, CLUSTER)[drawn], y.reshape(count, CLUSTER)[drawn]
    place = (np.arange(replicates)[:, None, None] * len(kept) + of_document).ravel()
    shape = (replicates, len(kept))
    read, positive = (
        np.bincount(place, part, minlength=replicates * len(kept)).reshape(shape)
        for part in (np.ones(place.size), labelled.ravel())
    )
    size, predicted = (np.broadcast_to(np.bincount(cell, part), shape) for part in (np.ones(ITEMS), q))
    weight = weights[:, kept // LEVELS]
    cells = Cells(
        kept % LEVELS, kept // LEVELS, size, predicted, weight, read, positive, read * weight, positive * weight
    )
    weight_of_drawn = np.take_along_axis(weights, strata[drawn], axis=1)
    df = wanted - np.count_nonzero(allocation, axis=1)

    def effect(p: np.ndarray) -> np.ndarray:
        each = np.take_along_axis(p, of_document.reshape(replicates, -1), axis=1).reshape(of_document.shape)
        independent = weight_of_drawn * (weight_of_drawn - 1) * (each * (1 - each)).sum(axis=2)
        return cluster_effect(weight_of_drawn, (labelled - each).sum(axis=2), independent.sum(axis=1), df)

    made = {"score": score_interval(cells, fit_working_model(cells), clustered=effect)}
    made |= {name: method(cells) for name, method in METHODS.items()}
    return errors(made, y)


def errors(made: dict[str, Totals], y: np.ndarray) -> dict[str, tuple[np.ndarray, ...]]:
    """Return the error of the share, and of both ends of its interval, of each method."""
    return {name: tuple((part - y.sum()) / ITEMS for part in (t.value, t.low, t.high)) for name, t in made.items()}
