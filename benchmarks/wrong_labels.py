"""How often intervals with a stated bound on wrong labels hold, in regimes that they were not designed on.

    python benchmarks/wrong_labels.py [--draws 100] [--cells 0 17 …]

400 of 10,000 items are labelled, drawn at random, or as many in each of five strata of predictions. A share of labels
is wrong: of both classes, of positive items only, of both on a fifth of the items that is hard, or half as many of one
reader and half as many more of another, who each read about half. Models are calibrated, overconfident, or blind to
30 % of the positive items. A row has how often the interval held in one of 216 cells, and its mean width as a share of
the corpus.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import warnings
from itertools import product

import numpy as np

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.label_errors import with_label_errors
from nlpcalib.sampling.samples import Sample, simple_random_sample
from studies.simulation.generated import CorpusRegime

ITEMS, LABELS = 10_000, 400
MODELS = {"calibrated": {}, "overconfident": {"slope": 2.0}, "blind": {"blind": 0.3}}
DESIGNS = ("random", "stratified")
PREVALENCES, SHARES = (0.05, 0.01, 0.3), (0.05, 0.02, 0.1)
KINDS = ("both ways", "misses", "hard fifth", "readers differ")
CELLS = len(PREVALENCES) * len(SHARES) * len(KINDS) * len(MODELS) * len(DESIGNS)
STRATA = 5


def wrong_labels(y: np.ndarray, share: float, kind: str, random: np.random.Generator) -> np.ndarray:
    """Return which labels of two readers are wrong, bool (2, N): `share` of each class, unless `kind` says less."""
    found = np.zeros((2, len(y)), dtype=bool)
    for label in (True, False)[: 1 if kind == "misses" else 2]:
        rows = random.permutation(np.flatnonzero(y == label))
        hard = rows[: len(rows) // 5] if kind == "hard fifth" else rows
        for reader, factor in enumerate((0.5, 1.5) if kind == "readers differ" else (1, 1)):
            found[reader, random.choice(hard, min(int(factor * share * len(rows)), len(hard)), replace=False)] = True
    return found


def strata_of(q: np.ndarray) -> np.ndarray:
    """Return strata of predictions, int64 (N,): parts with about equal sums of √(q(1 − q))."""
    order = np.argsort(q, kind="stable")
    share = np.cumsum(np.sqrt(q[order] * (1 - q[order])) + 1e-9)
    cuts = q[order][np.searchsorted(share / share[-1], np.arange(1, STRATA) / STRATA)]
    return np.unique(np.searchsorted(cuts, q, side="right"), return_inverse=True)[1]


def drawn(stratum: np.ndarray, design: str, items: int, random: np.random.Generator) -> np.ndarray:
    """Return the rows of about so many items, drawn at random or as many in each stratum, in order."""
    if design == "random":
        return np.sort(random.choice(len(stratum), items, replace=False))
    parts = [np.flatnonzero(stratum == k) for k in range(stratum.max() + 1)]
    each = items // len(parts)
    return np.sort(np.concatenate([random.choice(rows, min(each, len(rows)), replace=False) for rows in parts]))


def sample_of(stratum: np.ndarray, design: str, rows: np.ndarray, labels: np.ndarray) -> Sample:
    """Return labels, float64 (n,), as a sample of the design."""
    if design == "random":
        return simple_random_sample(len(stratum), rows, labels)
    weights = np.bincount(stratum) / np.maximum(np.bincount(stratum[rows], minlength=stratum.max() + 1), 1)
    return Sample(stratum, weights, rows, labels)


def read_once(
    y: np.ndarray, wrong: np.ndarray, stratum: np.ndarray, design: str, random: np.random.Generator
) -> Sample:
    """Return a sample of labels of one reader; where two differ, each reads about half of its items."""
    rows = drawn(stratum, design, LABELS, random)
    said = np.where(random.random(len(y)) < 0.5, y ^ wrong[0], y ^ wrong[1])[rows].astype(np.float64)
    return sample_of(stratum, design, rows, said)


def bound_row(cell: int, draws: int, seed: int) -> str:
    """Return how often the stated bound held in a cell, by its number, and its mean width."""
    prevalence, share, kind, model, design = list(product(PREVALENCES, SHARES, KINDS, MODELS, DESIGNS))[cell]
    regime = CorpusRegime(prevalence, items=ITEMS, **MODELS[model])
    held, width = np.zeros(draws), np.zeros(draws)
    for draw in range(draws):
        random = np.random.default_rng([seed, cell, draw])
        q, y, *_ = regime.draw(random)
        [one] = estimate_totals(q, read_once(y, wrong_labels(y, share, kind, random), strata_of(q), design, random))
        low, high = with_label_errors(one.low, one.high, one.items, (share, share))
        held[draw], width[draw] = low <= y.sum() <= high, (high - low) / ITEMS
    named = f"| {cell} | {prevalence:g} | {share:g} | {kind} | {model} | {design} "
    return f"{named}| {draws} | {held.mean():.3f} | {width.mean():.3f} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--seed", type=int, default=414)
    parser.add_argument("--cells", type=int, nargs="+", default=range(CELLS))
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| cell | prevalence | errors | kind | model | design | draws | held | width |")
    print("| --- " * 9 + "|")
    for cell in options.cells:
        print(bound_row(cell, options.draws, options.seed), flush=True)
