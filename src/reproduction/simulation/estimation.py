"""Coverage and width of intervals for a corpus total, where every label is known.

A regime is a prevalence and a way in which predictions fail. Each block of replicates has a corpus of its own, so that
coverage is over corpora and samples. Corpora and samples derive from the seed and the regime alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit, ndtri

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.methods import METHODS
from nlpcalib.estimation.score import Totals, score_interval
from nlpcalib.estimation.working_model import fit_working_model
from nlpcalib.sampling import choices
from nlpcalib.sampling.allocation import after_pilot, by_prediction, pilot_size
from nlpcalib.sampling.cells import LEVELS, Cells, level_of
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample
from nlpcalib.sampling.strata import STRATA, stratum_of_level
from nlpcalib.seeding import generator

PREVALENCES = (0.3, 0.05, 0.01, 0.002)
MODELS = ("calibrated", "overconfident", "underconfident", "blind", "useless")
DESIGNS = tuple(sorted(choices.DESIGNS))
ITEMS = 10_000
_SMALLEST, _LARGEST, _TAIL = 2, 150, 1.4
"""Items of a document, and the exponent of their Pareto distribution."""
_SEPARATION = 3.0
"""Between the means of the two classes of the score that predictions are made of, in standard deviations."""
_BLIND = 0.3
"""Of the positive items: those whose score is one of a negative."""
_INTRACLUSTER = 0.3
"""Correlation of the latent variables of two items of a document."""
CORPORA = 25


@dataclass(frozen=True)
class CorpusRegime:
    """A prevalence, and how predictions fail."""

    prevalence: float
    model: str
    clustered: bool = False
    """Whether documents are read whole."""

    @property
    def name(self) -> str:
        """Its name, for seeds and tables."""
        return f"{self.prevalence}, {self.model}, {'documents' if self.clustered else 'items'}"


def draw_documents(random: np.random.Generator) -> np.ndarray:
    """Return the document of each item, int64 (ITEMS,), in order: most have two items, and few have many."""
    size = _SMALLEST * random.random(ITEMS) ** (-1 / _TAIL)
    return np.repeat(np.arange(ITEMS), np.minimum(size, _LARGEST).astype(np.int64))[:ITEMS]


def draw_corpus(
    regime: CorpusRegime, random: np.random.Generator, unit: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions float64 (ITEMS,) and labels bool (ITEMS,), for items of documents `unit` if there are some."""
    latent = random.standard_normal(ITEMS)
    if unit is not None:
        shared = random.standard_normal(unit[-1] + 1)[unit]
        latent = np.sqrt(_INTRACLUSTER) * shared + np.sqrt(1 - _INTRACLUSTER) * latent
    y = latent < ndtri(regime.prevalence)
    told = y & ~(random.random(ITEMS) < _BLIND) if regime.model == "blind" else y
    score = random.standard_normal(ITEMS) + _SEPARATION * (told - 0.5)
    odds = logit(regime.prevalence) + _SEPARATION * score
    if regime.model == "useless":
        odds = random.permutation(odds)
    return expit({"overconfident": 2.0, "underconfident": 0.5}.get(regime.model, 1.0) * odds), y


def coverage_rows(regime: CorpusRegime, labels: int, design: str, *, replicates: int, seed: int) -> list[dict]:
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
    regime: CorpusRegime, labels: int, design: str, random: np.random.Generator, replicates: int
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
    regime: CorpusRegime, labels: int, design: str, random: np.random.Generator, replicates: int
) -> dict[str, tuple[np.ndarray, ...]]:
    """Return what `_items` does, for documents of unequal length that are read whole: as many as hold the labels."""
    unit = draw_documents(random)
    q, y = draw_corpus(regime, random, unit)
    frame, found = Frame([str(number) for number in range(unit[-1] + 1)], q, unit), np.bincount(unit, y)
    budget = round(labels * len(found) / ITEMS)
    made: dict[str, list[tuple[float, ...]]] = {name: [] for name in choices.METHODS}
    for _ in range(replicates):
        plan = draw_plan(frame, budget, int(random.integers(1 << 31)), design)
        queue = plan.queue(frame)
        if not plan.complete:
            plan = extend_plan(plan, frame, queue, found[queue.first(plan.read[-1])])
        rows = frame.rows_of(queue.first(plan.read[-1]))
        weights = plan.unit_weights(queue)[unit[rows]]
        sample = Sample(queue.strata[unit], plan.weights, rows, y[rows].astype(float), unit, weights)
        for name, each in made.items():
            estimate = estimate_totals(q, sample, method=name)[0]
            each.append((estimate.total, estimate.low, estimate.high))
    return errors({name: Totals(*np.transpose(each)) for name, each in made.items()}, y)


def errors(made: dict[str, Totals], y: np.ndarray) -> dict[str, tuple[np.ndarray, ...]]:
    """Return the error of the share, and of both ends of its interval, of each method."""
    return {name: tuple((part - y.sum()) / ITEMS for part in (t.value, t.low, t.high)) for name, t in made.items()}
