"""Our PPI++ next to that of ppi-python (`pip install ppi-python`), on the same draws.

python benchmarks/estimation.py
"""

import argparse
import time

import numpy as np

from nlpcalib.estimation.estimates import estimate_totals
from nlpcalib.sampling.cells import LOG_ODDS
from nlpcalib.sampling.samples import simple_random_sample


def main() -> None:
    """Print the largest differences, and coverage and width of both and of the score interval."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    random = np.random.default_rng(1)
    items, labels, draws = 10_000, 200, 300
    held, widths, difference, seconds = np.zeros(3), np.zeros(3), 0.0, np.zeros(2)
    for _ in range(draws):
        # Predictions at the middle of our levels, so that both see the same.
        q = 1 / (1 + np.exp(-LOG_ODDS[random.choice(len(LOG_ODDS), items, p=_shares())]))
        y = (random.random(items) < q).astype(float)
        rows = random.choice(items, labels, replace=False)
        others = np.setdiff1d(np.arange(items), rows)
        sample = simple_random_sample(items, rows, y[rows])
        start = time.process_time()
        ours = [estimate_totals(q, sample, method=name)[0] for name in ("ppi++", "score")]
        middle = time.process_time()
        low, high = ppi_mean_ci(y[rows], q[rows], q[others], alpha=0.05)
        point = ppi_mean_pointestimate(y[rows], q[rows], q[others])
        seconds += [middle - start, time.process_time() - middle]
        difference = max(difference, abs(point[0] - ours[0].total / items))
        ends = [ours[0].share[1:], (low[0], high[0]), ours[1].share[1:]]
        held += [end[0] <= y.mean() <= end[1] for end in ends]
        widths += [end[1] - end[0] for end in ends]
    for name, share, width in zip(
        ("PPI++ here", "ppi-python", "score interval"), held / draws, widths / draws, strict=True
    ):
        print(f"{name:15} covers {share:.3f}, width {width:.4f}")
    print(f"largest difference of the estimates {difference:.5f}; seconds {seconds[0]:.2f} and {seconds[1]:.2f}")


def _shares() -> np.ndarray:
    shares = np.exp(-0.9 * np.arange(len(LOG_ODDS)) / 4)
    return shares / shares.sum()


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    main()
