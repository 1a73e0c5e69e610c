"""How often intervals with a stated bound on wrong labels hold, in regimes that the bound was not designed on.

    python benchmarks/wrong_labels.py [--draws 400] [--shares .02 .05 .1]

400 of 10,000 items are read at random by one reader, whose errors are at most the stated share of either class. They
go both ways, or are misses alone, or stand on the fifth of each class that the model finds hardest. Models are
calibrated, overconfident, or blind to 30 % of the positive items. A row has the worst of the three models: coverage
with the bound, its mean width, and coverage if labels are taken for the truth.
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import warnings
from collections.abc import Sequence

import numpy as np

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.estimation.label_errors import with_label_errors
from nlpcalib.sampling.samples import simple_random_sample
from studies.simulation.generated import CorpusRegime

ITEMS, LABELS = 10_000, 400
MODELS = {"calibrated": {}, "overconfident": {"slope": 2.0}, "blind": {"blind": 0.3}}
KINDS = ("both ways", "misses", "hardest fifth")
PREVALENCES = (0.3, 0.05, 0.01)


def wrong(y: np.ndarray, q: np.ndarray, share: float, kind: str, random: np.random.Generator) -> np.ndarray:
    """Return which labels are wrong, bool (N,): `share` of the positive items, and of the others unless only misses."""
    found = np.zeros(len(y), dtype=bool)
    for label in (True, False)[: 1 if kind == "misses" else 2]:
        rows = np.flatnonzero(y == label)
        if kind == "hardest fifth":
            surprise = np.where(label, -q[rows], q[rows])
            rows, of = rows[np.argsort(-surprise)[: max(len(rows) // 5, 1)]], len(rows)
        else:
            of = len(rows)
        found[random.choice(rows, min(int(share * of), len(rows)), replace=False)] = True
    return found


def main(draws: int, shares: Sequence[float]) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    print("| prevalence | stated and true share | errors | held, worst model | width | held without the bound |")
    print("| --- " * 6 + "|")
    for prevalence in PREVALENCES:
        found: dict[tuple[float, str, str], list[tuple[float, float, float]]] = {}
        for model, changes in MODELS.items():
            for draw in range(draws):
                random = np.random.default_rng([41, 4, draw])
                q, y, *_ = CorpusRegime(prevalence, items=ITEMS, **changes).draw(random)
                rows = np.sort(random.choice(len(q), LABELS, replace=False))
                for share in shares:
                    for kind in KINDS:
                        said = (y ^ wrong(y, q, share, kind, random))[rows].astype(np.float64)
                        [one] = estimate_totals(q, simple_random_sample(len(q), rows, said))
                        low, high = with_label_errors(one.low, one.high, one.items, (share, share))
                        truth = y.sum()
                        numbers = low <= truth <= high, (high - low) / one.items, one.low <= truth <= one.high
                        found.setdefault((share, kind, model), []).append(numbers)
        for share in shares:
            for kind in KINDS:
                each = np.array([np.mean(found[share, kind, model], axis=0) for model in MODELS])
                held, width, bare = each[:, 0].min(), each[:, 1].max(), each[:, 2].min()
                print(f"| {prevalence:g} | {share:g} | {kind} | {held:.3f} | {width:.3f} | {bare:.3f} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--shares", type=float, nargs="+", default=[0.02, 0.05, 0.1])
    main(**vars(parser.parse_args()))
