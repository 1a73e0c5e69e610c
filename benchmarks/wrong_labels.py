"""How often intervals hold where labels are wrong, in regimes that they were not designed on.

    python benchmarks/wrong_labels.py [--draws 20] [--prevalences .05 .01 .3] [--shares .05 .02 .1]
    python benchmarks/wrong_labels.py --bound-draws 100 [--cells 0 17 …]

400 judgements of 10,000 items: one reader labels 400 items, with a stated bound on wrong labels; or two readers label
the same 200, by the model of readers' errors, and with disputes left open. Items are drawn at random, or as many in
each of five strata of predictions. A share of labels is wrong: of both classes, of positive items alone, of both on a
fifth of the items that is hard for all readers, or half as many of one reader and half as many more of the other.
Models are calibrated, overconfident, or blind to 30 % of the positive items.

A row has what held in the worst of these six cells (three models, two designs): one reader as the truth, the bound, the
model of readers, and of this also in all six and how often it was refused. Widths are means over the cells, and for the
model relative to disputes open too. The last column has the cells of the model below .93.

With `--bound-draws` the stated bound alone is tried, a row for each of the 216 cells, or for those of some numbers.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import warnings
from collections.abc import Sequence
from itertools import product

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.label_errors import with_label_errors
from nlpcalib.estimation.readers import PatternCounts, Readings, strata_of
from nlpcalib.sampling.samples import Sample, simple_random_sample
from studies.simulation.generated import CorpusRegime

ITEMS, LABELS = 10_000, 400
MODELS = {"calibrated": {}, "overconfident": {"slope": 2.0}, "blind": {"blind": 0.3}}
DESIGNS = ("random", "stratified")
PREVALENCES, SHARES = (0.05, 0.01, 0.3), (0.05, 0.02, 0.1)
KINDS = ("both ways", "misses", "hard fifth", "readers differ")
BATCH = 20
"""Corpora whose posteriors are drawn at once."""
OTHER_DRAWS, OPEN_DRAWS = 20, 5
"""Draws of one reader, and of disputes left open: enough for a comparison, and most of the time otherwise."""
MIN_COVERAGE = 0.93
"""Cells of the model of readers below this are listed."""


def wrong_labels(y: np.ndarray, share: float, kind: str, random: np.random.Generator) -> np.ndarray:
    """Return which labels of two readers are wrong, bool (2, N): `share` of each class, unless `kind` says less."""
    found = np.zeros((2, len(y)), dtype=bool)
    for label in (True, False)[: 1 if kind == "misses" else 2]:
        rows = random.permutation(np.flatnonzero(y == label))
        hard = rows[: len(rows) // 5] if kind == "hard fifth" else rows
        for reader, factor in enumerate((0.5, 1.5) if kind == "readers differ" else (1, 1)):
            found[reader, random.choice(hard, min(int(factor * share * len(rows)), len(hard)), replace=False)] = True
    return found


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


def measured(
    regime: CorpusRegime, design: str, share: float, kind: str, draws: int, seed: int
) -> dict[str, list[tuple[float, float]]]:
    """Return whether each interval held, and its width as a share of the corpus, NaN where it was refused."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in ("one", "bound", "open", "model")}
    corpora, truths = [], []

    def noted(name: str, low: float, high: float, truth: float) -> None:
        found[name].append((float(low <= truth <= high), (high - low) / ITEMS))

    for draw in range(draws):
        random = np.random.default_rng([seed, draw])
        q, y, *_ = regime.draw(random)
        stratum, wrong, truth = strata_of(q), wrong_labels(y, share, kind, random), float(y.sum())
        sample = read_once(y, wrong, stratum, design, random)
        if draw < OTHER_DRAWS:
            [one] = estimate_totals(q, sample)
            noted("one", one.low, one.high, truth)
            noted("bound", *with_label_errors(one.low, one.high, one.items, (share, share)), truth)
        rows = drawn(stratum, design, LABELS // 2, random)
        labels = (y ^ wrong)[:, rows].T.astype(np.float64)
        if draw < OPEN_DRAWS:
            settled = np.where(labels[:, 0] == labels[:, 1], labels[:, 0], np.nan)
            [both] = estimate_totals(q, sample_of(stratum, design, rows, settled))
            noted("open", both.low, both.high, truth)
        corpora.append(Readings(q, stratum, rows, labels))
        truths.append(truth)
    for start in range(0, draws, BATCH):
        counts = PatternCounts.of(corpora[start : start + BATCH])
        points = counts.draws(start)
        for corpus, truth in enumerate(truths[start : start + BATCH]):
            try:
                total = counts.found(corpus, points)
                noted("model", total.low, total.high, truth)
            except InputError:
                found["model"].append((np.nan, np.nan))
    return found


def main(draws: int, prevalences: Sequence[float], shares: Sequence[float], kinds: Sequence[str], seed: int) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    columns = "prevalence share errors one bound width model all refused width relative below"
    print(f"| {' | '.join(columns.split())} |")
    print("| --- " * len(columns.split()) + "|")
    for share, prevalence, kind in product(shares, prevalences, kinds):
        cells, below = {}, []
        for (model, changes), design in product(MODELS.items(), DESIGNS):
            regime = CorpusRegime(prevalence, items=ITEMS, **changes)
            each = {k: np.array(v) for k, v in measured(regime, design, share, kind, draws, seed).items()}
            cells[model, design] = each
            held = float(np.nanmean(each["model"][:, 0]))
            if held < MIN_COVERAGE:
                known = int((~np.isnan(each["model"][:, 0])).sum())
                below.append(f"{model}, {design}: {held:.3f} of {known}")
        held = {name: [np.nanmean(each[name][:, 0]) for each in cells.values()] for name in ("one", "bound", "model")}
        width = {name: [np.nanmean(each[name][:, 1]) for each in cells.values()] for name in ("bound", "model", "open")}
        refused = np.mean([np.isnan(each["model"][:, 0]).mean() for each in cells.values()])
        ratio = np.nanmean(width["model"]) / np.mean(width["open"])
        print(
            f"| {prevalence:g} | {share:g} | {kind} | {min(held['one']):.3f} | {min(held['bound']):.3f} | "
            f"{np.mean(width['bound']):.3f} | {np.nanmin(held['model']):.3f} | {np.nanmean(held['model']):.3f} | "
            f"{refused:.3f} | {np.nanmean(width['model']):.3f} | {ratio:.2f} | {'; '.join(below)} |",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--prevalences", type=float, nargs="+", default=PREVALENCES)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--kinds", nargs="+", default=KINDS, choices=KINDS)
    parser.add_argument("--seed", type=int, default=414)
    parser.add_argument("--bound-draws", type=int)
    parser.add_argument("--cells", type=int, nargs="+", default=range(216))
    options = vars(parser.parse_args())
    bound_draws, cells = options.pop("bound_draws"), options.pop("cells")
    if bound_draws:
        warnings.simplefilter("ignore")
        for cell in cells:
            print(bound_row(cell, bound_draws, options["seed"]), flush=True)
    else:
        main(**options)
