"""A series by year from texts, keywords and 300 labels: how narrow it can be, and what each choice assumes.

The texts are items of Wikipedia's current events from ten years, the category in question is disasters, and the first
predictions are four keywords. Each draw has 2,000 texts, 6 % of them positive, and all labels are known.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from nlpcalib.estimation.borrowing import BORROWING, estimate_groups
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.estimation.planning import first_part, next_part
from nlpcalib.recalibration.layer import layered
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.samples import Sample, labelled_sample
from nlpcalib.seeding import generator
from nlpcalib.text.keywords import keyword_predictions
from nlpcalib.text.words import word_features
from reproduction.corpora.readers.current_events import read_current_events
from reproduction.tables.files import TitledRows

KEYWORDS = "earthquake|flood|crash|storm"
YEARS = range(2010, 2020)
REGIMES = ("as found", "keywords fail later")
"""In the second, most positive texts of the last five years that have a keyword are left out."""
_CATEGORY, _OPEN = "Disaster", "Uncategorized"
_A_YEAR, _SHARES, _BUDGET = 200, (0.03, 0.09), 300
_KEPT = 0.3

Pool = Mapping[tuple[int, bool], Sequence[str]]
"""The texts of each year, with and without the category."""


def keyword_series_table(archive: str, *, replicates: int, seed: int) -> list[TitledRows]:
    """Return a row for each regime, first prediction and way to share labels."""
    pool = read_pool(archive)
    rows = [row for regime in REGIMES for row in frontier_rows(pool, regime, replicates=replicates, seed=seed)]
    return [("Series by year from keywords and 300 labels", rows)]


def read_pool(path: str | Path) -> Pool:
    """Return the texts of an archive of current events that have a category, by year and whether it is the one."""
    pool = defaultdict(list)
    for item in read_current_events(path, share=0.01):
        if item.date.year in YEARS and item.metadata["category"] != _OPEN:
            pool[item.date.year, item.metadata["category"].startswith(_CATEGORY)].append(item.text)
    return pool


def frontier_rows(pool: Pool, regime: str, *, replicates: int, seed: int) -> Iterator[dict]:
    """Yield a row for each first prediction and each way to share labels: width, in points, and coverage by year."""
    found = defaultdict(list)
    for draw in range(replicates):
        random = generator(seed, "keyword series", regime, draw)
        texts, truth, year = _drawn(pool, regime, random)
        q = keyword_predictions(texts, KEYWORDS)
        sample = _sample(q, truth, draw)
        learnt, _ = layered(q, word_features(texts), sample.rows, sample.y, seed=draw)
        for name, predictions in (("keywords", q), ("keywords and words", learnt)):
            for borrow in BORROWING:
                estimates = estimate_groups(predictions, sample, [(str(each),) for each in year], borrow=borrow)
                true = np.bincount(year - YEARS[0], truth)
                found[name, borrow].append([_of_year(*each) for each in zip(estimates, true, strict=True)])
    for (name, borrow), each in found.items():
        width, held, error = np.moveaxis(np.array(each, dtype=float), 2, 0)
        yield {
            "regime": regime, "predictions": name, "borrow": borrow, "replicates": replicates,
            "width": width.mean(), "widest_year": width.mean(axis=0).max(), "coverage": held.mean(),
            "worst_year": held.mean(axis=0).min(), "rmse": np.sqrt((error**2).mean()),
        }  # fmt: skip


def _of_year(estimate: Estimate, true: float) -> tuple[float, bool, float]:
    width, error = (100 * part / estimate.items for part in (estimate.high - estimate.low, estimate.total - true))
    return width, estimate.low <= true <= estimate.high, error


def _drawn(pool: Pool, regime: str, random: np.random.Generator) -> tuple[list[str], np.ndarray, np.ndarray]:
    texts: list[str] = []
    truth, year = [], []
    keyword = re.compile(rf"\b(?:{KEYWORDS})", re.IGNORECASE)
    for each in YEARS:
        positive = round(_A_YEAR * random.uniform(*_SHARES))
        for is_positive, number in ((False, _A_YEAR - positive), (True, positive)):
            some = pool[each, is_positive]
            weight = np.ones(len(some))
            if is_positive and regime == REGIMES[1] and each >= YEARS[len(YEARS) // 2]:
                weight = np.where([keyword.search(text) is None for text in some], 1, _KEPT)
            rows = random.choice(len(some), number, replace=False, p=weight / weight.sum())
            texts += [some[row] for row in rows]
            truth += [is_positive] * number
            year += [each] * number
    return texts, np.array(truth), np.array(year)


def _sample(q: np.ndarray, truth: np.ndarray, seed: int) -> Sample:
    """Return the labels of a two-phase design."""
    ids = [str(row) for row in range(len(q))]
    label_of = dict(zip(ids, truth.astype(float).tolist(), strict=True))
    frame = Frame(ids, q)
    part = first_part(frame, budget=_BUDGET, seed=seed)
    queue = part.plan.queue(frame)
    pilot = {ids[row]: label_of[ids[row]] for row in part.rows}
    whole = next_part(frame, part.plan, queue, labelled_sample(part.plan, queue, frame, ids, pilot)).plan
    return labelled_sample(whole, queue, frame, ids, label_of)
