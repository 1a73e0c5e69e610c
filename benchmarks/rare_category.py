"""A rare category on known truth: how often the intervals of a plan by words hold.

    python benchmarks/rare_category.py

Made-up corpora: 2,000 texts of which one in 70 has the word, and 4,000 of which one in 20 has it, more than a budget of
150 reads. With the word .6 are positive; without it .0008 and .003. Printed are coverage and mean width in 60 draws.
"""

import argparse
import warnings

import numpy as np

import nlpcalib as nc

CORPORA = ((2_000, 1 / 70, 0.0008), (4_000, 1 / 20, 0.003))
DRAWN_CORPORA = 60
LABELS = 150


def corpus(seed: int, n: int, share: float, missed: float) -> tuple[list[str], np.ndarray, np.ndarray, np.ndarray]:
    """Return texts, whether each has the word, whether each is positive, and its year."""
    rng = np.random.default_rng(seed)
    has = rng.random(n) < share
    y = np.where(has, rng.random(n) < 0.6, rng.random(n) < missed)
    year = (2001 + rng.integers(0, 4, n)).astype(str)
    words = [f"w{number}" for number in range(300)]
    texts = [
        " ".join(rng.choice(words, 6)) + " flood" * int(word) + " river" * int(positive and rng.random() < 0.7)
        for word, positive in zip(has, y, strict=True)
    ]
    return texts, has, y, year


def main() -> None:
    """Print coverage and width of each part."""
    warnings.simplefilter("ignore")
    for n, share, missed in CORPORA:
        held: dict[str, list[tuple[bool, float]]] = {}
        for seed in range(DRAWN_CORPORA):
            texts, has, y, year = corpus(seed, n, share, missed)
            plan = nc.plan_items(texts=texts, match="flood", budget=LABELS, seed=seed)
            labels = {int(row): int(y[row]) for row in plan.rows}
            report = nc.estimate(None, labels, plan=plan, texts=texts, by=year)
            parts = [(has, "with the word"), (~has, "others")]
            found = [(name, part, y[own].sum()) for (own, name), part in zip(parts, report.parts, strict=True)]
            found.append(("sum", report.whole, y.sum()))
            found += [("each year", part, y[has & (year == name)].sum()) for name, part in report.groups.items()]
            for name, part, true in found:
                held.setdefault(name, []).append((part.low - 1e-6 <= true <= part.high + 1e-6, part.high - part.low))
        for name, values in held.items():
            coverage, width = np.mean(values, axis=0)
            print(
                f"{n:,} texts, {name:13} coverage {coverage:.3f} of {len(values)}, mean width {width:.1f}", flush=True
            )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    main()
