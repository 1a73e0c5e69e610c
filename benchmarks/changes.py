"""Mean changes a period and differences of periods, where the truth is known: how often their intervals hold.

    python benchmarks/changes.py [--draws 20] [--corpora 20] [--only TEXT]

Corpora have 2,400 items, as many in each period, and in each period exactly the share of positive items that a regime
has. 300 items are read, or 60 documents of 2 to 40 items whose labels are correlated by .3. A blind model gives 40 % of
the positive items scores of negative ones; a useless one has the scores of other items.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from nlpcalib.estimation.changes import Change, estimate_changes
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.plan import draw_plan, extend_plan
from nlpcalib.sampling.samples import Sample

ITEMS = 2400
LABELS, DOCUMENTS = 300, 60
CORRELATION = 0.3
_ODDS = 2.0
"""Distance of the two classes' scores, in standard deviations."""


@dataclass(frozen=True)
class Series:
    """A kind of corpora."""

    name: str
    rates: np.ndarray
    blind: float = 0.0
    useless: bool = False
    documents: bool = False

    @property
    def truth(self) -> np.ndarray:
        """The share of positive items in each period."""
        each = ITEMS // len(self.rates)
        return np.round(each * self.rates) / each

    @property
    def slope(self) -> float:
        """The mean change a period."""
        return float(np.polyfit(np.arange(len(self.rates)), self.truth, 1)[0])

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray | None, np.ndarray]:
        """Return predictions, labels, documents (or None) and periods, all (items,)."""
        each = ITEMS // len(self.rates)
        period = np.repeat(np.arange(len(self.rates)), each)
        size = np.ones(ITEMS) if not self.documents else np.minimum(2 * random.random(ITEMS) ** (-1 / 1.4), 40)
        ends = np.union1d(np.cumsum(size.astype(int)), each * np.arange(1, len(self.rates) + 1))
        unit = np.searchsorted(ends, np.arange(ITEMS), side="right")
        shared = CORRELATION if self.documents else 0.0
        latent = np.sqrt(shared) * random.standard_normal(ITEMS)[unit]
        latent += np.sqrt(1 - shared) * random.standard_normal(ITEMS)
        rank = np.argsort(np.argsort(latent.reshape(-1, each), axis=1), axis=1)
        y = (rank < each * self.truth[:, None]).ravel()
        seen = y & (random.random(ITEMS) >= self.blind)
        odds = logit(self.rates.mean()) + _ODDS * (random.standard_normal(ITEMS) + _ODDS * (seen - 0.5))
        q = expit(random.permutation(odds) if self.useless else odds)
        return q, y.astype(np.float64), unit if self.documents else None, period


def sampled(q: np.ndarray, y: np.ndarray, unit: np.ndarray | None, design: str, seed: int) -> Sample:
    """Return the labels of a plan of one or two phases."""
    of = np.arange(len(q)) if unit is None else unit
    frame = Frame([str(number) for number in range(of.max() + 1)], q, unit)
    plan = draw_plan(frame, LABELS if unit is None else DOCUMENTS, seed, design)
    queue = plan.queue(frame)
    if not plan.complete:
        plan = extend_plan(plan, frame, queue, np.bincount(of, y)[queue.first(plan.read[-1])])
    rows = frame.rows_of(queue.first(plan.read[-1]))
    weights = None if unit is None else plan.unit_weights(queue)[of[rows]]
    return Sample(queue.strata[of], plan.weights, rows, y[rows], unit, weights)


SERIES = (
    Series("flat, 4 %", np.full(6, 0.04)),
    Series("flat, 2 %", np.full(6, 0.02)),
    Series("flat, 5 %, useless model", np.full(6, 0.05), useless=True),
    Series("2 to 12 %", np.linspace(0.02, 0.12, 6)),
    Series("2 to 12 %, blind model", np.linspace(0.02, 0.12, 6), blind=0.4),
    Series("24 periods, 2 to 8 %", np.linspace(0.02, 0.08, 24)),
    Series("documents, flat, 20 %", np.full(6, 0.2), documents=True),
    Series("documents, flat, 6 %", np.full(6, 0.06), documents=True),
    Series("documents, 10 to 30 %, blind model", np.linspace(0.1, 0.3, 6), blind=0.4, documents=True),
)


def held(changes: list[Change], series: Series) -> tuple[float, ...]:
    """Return whether the slope's interval holds and is not 0, its width and value, and whether all differences hold."""
    slope, *others = changes
    gaps = [series.truth[[int(each.first), int(each.last)]] for each in others if not np.isnan(each.value)]
    ends = [(each.low, each.high) for each in others if not np.isnan(each.value)]
    together = all(low <= last - first <= high for (first, last), (low, high) in zip(gaps, ends, strict=True))
    return slope.low <= series.slope <= slope.high, slope.shown, slope.high - slope.low, slope.value, together


def main(draws: int, corpora: int, only: str) -> None:
    """Print a line for each kind of corpora and design."""
    columns = ("series", "design", "slope held", "shown", "width", "3.92 · RMSE", "all differences held")
    print(f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}")
    for series in SERIES:
        for design in ("random", "stratified", "two-phase"):
            if only not in f"{series.name}, {design}":
                continue
            found = []
            for corpus in range(corpora):
                q, y, unit, period = series.draw(np.random.default_rng([11, corpus]))
                keys = [(f"{number:04}",) for number in period]
                for draw in range(draws):
                    sample = sampled(q, y, unit, design, 1000 * corpus + draw)
                    found.append(held(estimate_changes(q, sample, keys), series))
            covered, shown, width, value, together = np.array(found, dtype=float).T
            error = 392 * np.sqrt(np.mean((value - series.slope) ** 2))
            print(
                f"| {series.name} | {design} | {covered.mean():.3f} | {shown.mean():.3f} | {100 * width.mean():.2f} | "
                f"{error:.2f} | {together.mean():.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--corpora", type=int, default=20)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    main(options.draws, options.corpora, options.only)
