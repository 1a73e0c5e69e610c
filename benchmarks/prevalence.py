"""How many positive items has a group? The sum of probabilities, freq-e's implicit likelihood, and labels.

A classifier is trained where half of the items are positive, and calibrated there. Groups of 1,000 items differ from
training in their prevalence alone (prior shift), in what they are about (covariate shift: P(y | q) stays), or in that
a third of the positive items look like negative ones (missed). The implicit likelihood (Keith & O'Connor 2018) takes
P(x | y) to be P(y | x) / P(y) of training; its interval is that of the posterior under a flat prior.

python benchmarks/prevalence.py
"""

import argparse

import numpy as np
from scipy.special import expit, logit

import nlpcalib as nc

ITEMS, LABELS, DRAWS, TRAINED = 1000, 100, 200, 0.5
PREVALENCES = (0.05, 0.2, 0.5, 0.8)
GRID = np.linspace(0, 1, 501)[1:-1]
SHIFTS = ("prior", "covariate", "missed")


def group(shift: str, prevalence: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions and labels; evidence is normal with the mean ±1 by the label, so that q is exact."""
    if shift == "covariate":  # items near the boundary: the prevalence moves with the evidence
        evidence = rng.normal(logit(prevalence) / 2, 0.5, ITEMS)
        q = expit(2 * evidence + logit(TRAINED))
        return q, rng.random(ITEMS) < q
    y = rng.random(ITEMS) < prevalence
    seen = y & (rng.random(ITEMS) > 1 / 3) if shift == "missed" else y
    return expit(2 * (rng.normal(size=ITEMS) + np.where(seen, 1, -1)) + logit(TRAINED)), y


def implicit_likelihood(q: np.ndarray) -> tuple[float, float, float]:
    """Return the mode and the central 95 % of the posterior of the prevalence."""
    odds = np.outer(q / TRAINED - (1 - q) / (1 - TRAINED), GRID) + ((1 - q) / (1 - TRAINED))[:, None]
    log = np.log(odds).sum(axis=0)
    posterior = np.cumsum(np.exp(log - log.max()))
    low, high = np.interp((0.025, 0.975), posterior / posterior[-1], GRID)
    return float(GRID[log.argmax()]), float(low), float(high)


def labelled(q: np.ndarray, y: np.ndarray, seed: int) -> tuple[float, float, float]:
    """Return the estimate of the share from LABELS items that are read, and its interval."""
    plan = nc.plan_items(q, budget=LABELS, design="stratified", seed=seed)
    read = dict(zip(plan.rows.tolist(), y[plan.rows].astype(float).tolist(), strict=True))
    return nc.estimate(q, read, inclusion=plan.inclusion).share


def summed(q: np.ndarray) -> tuple[float, float, float]:
    """Return the mean probability, with the interval of independent items."""
    sd = np.sqrt(np.sum(q * (1 - q))) / q.size
    return float(q.mean()), float(q.mean() - 1.96 * sd), float(q.mean() + 1.96 * sd)


def main() -> None:
    """Print bias, root mean squared error, coverage and width of each, by shift and prevalence."""
    print(f"{'shift':10}{'truth':>6}  {'method':20}{'bias':>7}{'rmse':>7}{'covers':>8}{'width':>7}")
    for shift in SHIFTS:
        for prevalence in PREVALENCES:
            found: dict[str, list] = {"sum of probabilities": [], "implicit likelihood": [], "labels": []}
            truth = []
            for draw in range(DRAWS):
                q, y = group(shift, prevalence, np.random.default_rng([draw, int(100 * prevalence)]))
                truth.append(y.mean())
                for rows, row in zip(
                    found.values(), (summed(q), implicit_likelihood(q), labelled(q, y, draw)), strict=True
                ):
                    rows.append(row)
            for name, rows in found.items():
                value, low, high = np.array(rows).T
                error = value - truth
                held = np.mean((low <= truth) & (truth <= high))
                rmse, width = np.sqrt(np.mean(error**2)), np.mean(high - low)
                print(
                    f"{shift:10}{np.mean(truth):6.3f}  {name:20}{error.mean():7.3f}{rmse:7.3f}{held:8.2f}{width:7.3f}"
                )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    main()
