"""The default recalibration next to other maps, where the truth is drawn and on news that it was not fitted to.

    python benchmarks/recalibration.py pairs classes [--draws .2]
    python benchmarks/recalibration.py news --corpus FOLDER

Peers that are not installed (`pip install probmetrics`) are passed over. The tables are Markdown, as in
docs/results/recalibration.md: means over draws, and standard errors after ±.
"""

import argparse
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import special
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.recalibration.fitting import RECALIBRATIONS, check_support, fit_class_temperature
from nlpcalib.recalibration.shrinkage import fit_shrinkage
from nlpcalib.seeding import generator
from reproduction.corpora.readers.current_events import read_current_events

Predict = Callable[[np.ndarray], np.ndarray]
DRAWS = {60: 200, 200: 200, 500: 100, 1000: 100, 5000: 40}
POPULATION = 20_000
PAIRS = {
    "calibrated": (0, lambda z: z),
    "slope .6": (0, lambda z: 0.6 * z),
    "shift −.8": (0, lambda z: z - 0.8),
    "S": (0, lambda z: z - 0.8 * np.sin(z)),
    "rare, calibrated": (-4.5, lambda z: z),
    "rare, shift .7": (-4.5, lambda z: z + 0.7),
}
PAIR_MAPS = ("raw", "shrinkage", "temperature", "logistic", "beta", "isotonic")
CLASS_MAPS = ("raw", "shrinkage", "temperature", "multinomial", "ts-mix", "svs", "sms")
"""Multinomial regression on log p, C = .03, is scikit-learn's; the last three are probmetrics'."""
CLASSES = ("calibrated", "slope .6", "shift", "S", "rare", "confusion")


def main(parts: list[str], share: float, corpus: Path | None) -> None:
    """Print a table of each part."""
    warnings.simplefilter("ignore")
    for part in parts:
        if part == "news":
            news(corpus)
        else:
            table(*{"pairs": (pair_cells, PAIR_MAPS), "classes": (class_cells, CLASS_MAPS)}[part], share)


def table(cells: Callable, names: tuple[str, ...], share: float) -> None:
    """Print the excess of each method over the truth, its standard error, and how often shrinkage ended."""
    print(f"| regime, labels, draws | {' | '.join(names)} | finished: raw, repaired; advice to repeat |")
    print("|" + " --- |" * (len(names) + 2))
    for regime, n, draw in cells():
        found: dict[str, list[float]] = {}
        ended = []
        draws = max(int(DRAWS[n] * share), 2)
        for number in range(draws):
            excess, facts = draw(generator(7, "recalibration benchmark", regime, n, number))
            for name, value in excess.items():
                found.setdefault(name, []).append(value)
            ended.append(facts)
        row = []
        for name in names:  # a method that refuses the labels of a draw has no mean
            v = found.get(name, [])
            row.append(f"{np.mean(v):.1f} ± {np.std(v) / np.sqrt(draws):.1f}" if len(v) == draws else "–")
        raw, repaired, advice = np.mean(ended, axis=0)
        print(f"| {regime}, {n:,}, {draws} | {' | '.join(row)} | {raw:.2f}, {repaired:.2f}; {advice:.2f} |", flush=True)


def ends(q: np.ndarray, y: np.ndarray, fitted) -> tuple[bool, bool, bool]:
    """Return whether labels show nothing of raw and of repaired predictions, and if measuring advises to repeat."""
    repaired = fitted if fitted.left_as_it_is else fit_shrinkage(fitted.q, y)
    return fitted.finished, repaired.finished, nc.calibrate(fitted.q, y).advice().startswith("recalibrate")


def pair_cells():
    """Yield the regimes of one probability: excess Brier score over the truth, × 10⁴."""
    for regime, (middle, truth) in PAIRS.items():
        for n in (60, 200, 1000, 5000):

            def draw(rng, middle=middle, truth=truth, n=n):
                z, new = (rng.normal(middle, 1.2 if middle else 2, size) for size in (n, POPULATION))
                q, y = special.expit(z), rng.random(n) < special.expit(truth(z))
                fitted = fit_shrinkage(q, y)
                maps: dict[str, Predict] = {"raw": lambda p: p, "shrinkage": fitted.map}
                for name in ("temperature", "logistic", "beta", "isotonic"):
                    try:
                        check_support(name, y, None)
                        maps[name] = RECALIBRATIONS[name].fit(q, y)
                    except InputError:
                        pass
                right = special.expit(truth(new))
                excess = {k: 1e4 * np.mean((m(special.expit(new)) - right) ** 2) for k, m in maps.items()}
                return excess, ends(q, y, fitted)

            yield regime, n, draw


def class_cells():
    """Yield the regimes of six classes: Kullback–Leibler divergence from the truth, × 10⁴."""
    for regime in CLASSES:
        for n in (60, 200, 500, 5000):

            def draw(rng, regime=regime, n=n):
                sizes = np.linspace(0, -4, 6) if regime == "rare" else np.zeros(6)
                z = rng.normal(0, 1.5, (n + POPULATION, 6)) + sizes
                score = np.log(special.softmax(z, axis=1))
                if regime in ("slope .6", "rare", "confusion"):
                    score = 0.6 * score
                if regime in ("shift", "rare", "confusion"):
                    score = score + rng.normal(0, 0.7, 6)
                if regime == "S":
                    score = z - 0.8 * np.sin(z)
                right = special.softmax(score, axis=1)
                if regime == "confusion":
                    lost = 0.5 * right[:, 0]
                    right[:, 0], right[:, 1] = right[:, 0] - lost, right[:, 1] + lost
                q = special.softmax(z, axis=1)
                y = (right[:n].cumsum(axis=1) < rng.random((n, 1))).sum(axis=1)
                fitted = fit_shrinkage(q[:n], y)
                maps = {"raw": lambda p: p, "shrinkage": fitted.map} | class_peers(q[:n], y)
                kept, new = right[n:], q[n:]
                excess = {
                    k: 1e4 * float(np.mean(np.sum(kept * np.log(kept / np.maximum(m(new), 1e-12)), axis=1)))
                    for k, m in maps.items()
                }
                return excess, ends(q[:n], y, fitted)

            yield regime, n, draw


def class_peers(q: np.ndarray, y: np.ndarray) -> dict[str, Predict]:
    """Return other maps of classes that the labels allow."""
    floor = q[q > 0].min() / 2

    def logs(p: np.ndarray) -> np.ndarray:
        return np.log(np.maximum(p, floor))

    maps: dict[str, Predict] = {"temperature": fit_class_temperature(q, y)}
    regression = LogisticRegression(C=0.03, max_iter=2000).fit(logs(q), y)

    def multinomial(p: np.ndarray) -> np.ndarray:
        found = np.full(p.shape, 1e-9)
        found[:, regression.classes_] = regression.predict_proba(logs(p))
        return found / found.sum(axis=1, keepdims=True)

    maps["multinomial"] = multinomial
    try:
        from probmetrics.calibrators import get_calibrator
    except ImportError:
        return maps
    for name in ("ts-mix", "svs", "sms"):
        peer = get_calibrator(name)
        peer.fit(np.maximum(q, floor) / np.maximum(q, floor).sum(axis=1, keepdims=True), y)
        maps[name] = peer.predict_proba
    return maps


def news(corpus: Path) -> None:
    """Print top-label and class-wise error, log loss and accuracy of two classifiers of twenty categories of news."""
    items = [(t.metadata["category"], t.text) for t in read_current_events(corpus, 0.01)]
    counts = Counter(category for category, _ in items if category != "Uncategorized")
    names = sorted(name for name, _ in counts.most_common(20))
    items = [item for item in items if item[0] in names]
    random.Random(1).shuffle(items)
    items = items[:16_000]
    words = CountVectorizer(min_df=3, ngram_range=(1, 2)).fit_transform(text for _, text in items)
    y = np.array([names.index(category) for category, _ in items])
    train, fit, rest = slice(0, 8000), slice(8000, 12_000), slice(12_000, 16_000)
    weighed = TfidfTransformer().fit_transform(words)
    models = {
        "naive Bayes": MultinomialNB(alpha=0.1).fit(words[train], y[train]).predict_proba(words),
        "logistic regression": LogisticRegression(max_iter=500).fit(weighed[train], y[train]).predict_proba(weighed),
    }
    print("| map | top class | class-wise | log loss | accuracy | CPU s |\n|" + " --- |" * 6)
    for model, q in models.items():
        start = time.process_time()
        fitted = fit_shrinkage(q[fit], y[fit])
        seconds = time.process_time() - start
        maps: dict[str, Predict] = {"raw": lambda p: p, "**shrinkage**": fitted.map} | class_peers(q[fit], y[fit])
        for name, apply in maps.items():
            new = apply(q[rest])
            report = nc.calibrate(new / new.sum(axis=1, keepdims=True), y[rest])
            low, high = report.interval
            loss = -np.mean(np.log(np.maximum(new[np.arange(4000), y[rest]], 1e-12)))
            print(
                f"| {model}, {name} | {report.error:.3f} ({low:.3f}–{high:.3f}) | {report.class_wise.error:.4f} | "
                f"{loss:.3f} | {np.mean(new.argmax(axis=1) == y[rest]):.4f} | {seconds if 'shr' in name else 0:.1f} |",
                flush=True,
            )
        weights = ", ".join(f"{name} {share:.2f}" for name, share in fitted.weights.items())
        again = fit_shrinkage(fitted.q, y[fit])
        print(f"{model}: {weights}; finished {again.finished}, sharpens {again.sharpens}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="+", choices=("pairs", "classes", "news"))
    parser.add_argument("--draws", type=float, default=1.0, help="share of the draws")
    parser.add_argument("--corpus", type=Path, help="folder of Wikipedia's current events in YAML")
    given = parser.parse_args()
    main(given.parts, given.draws, given.corpus)
