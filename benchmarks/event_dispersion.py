"""Whether events of a document, a quarter or a country are wrong together, in simulated reports with known truth.

    python benchmarks/event_dispersion.py RESULTS

RESULTS is the folder results of a default run. Printed is the dispersion Σ (Σ (y − q))² / Σ q (1 − q), with outer sums
over groups, of the probabilities as they are and recalibrated by labels of other documents. It is 1 where events are
independent and q is right. With it come its 95 % interval from resampled groups, the central 95 % of its values if all
events were independent, and the loading λ of `fit_shared_effect` with its posterior standard deviation.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from nlpcalib.estimation.shared_effect import fit_shared_effect
from nlpcalib.io.files import read_csv
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.questions.recalibrate import recalibrate_predictions
from nlpcalib.seeding import generator

DATASETS, QUERY, FOLDS, DRAWS = ("newswire", "newswire_parsed"), "attack", 5, 1000


def dispersion(q: np.ndarray, y: np.ndarray, group: np.ndarray, rng: np.random.Generator) -> str:
    """Return the dispersion with its interval and what independent events have, and the loading."""
    variance = np.bincount(group, q * (1 - q))
    certain = variance == 0

    def squares(happened: np.ndarray) -> np.ndarray:
        return np.bincount(group, happened - q)[~certain] ** 2

    variance = variance[~certain]
    own = squares(y)
    drawn = rng.integers(own.size, size=(DRAWS, own.size))
    low, high = np.quantile(own[drawn].sum(axis=1) / variance[drawn].sum(axis=1), (0.025, 0.975))
    independent = [squares(rng.random(q.size) < q).sum() / variance.sum() for _ in range(DRAWS)]
    least, most = np.quantile(independent, (0.025, 0.975))
    effect = fit_shared_effect(q, y, group)
    sd = np.sqrt(effect.weights @ (effect.loadings - effect.loading) ** 2)
    return (
        f"{own.sum() / variance.sum():.2f} ({low:.2f} to {high:.2f}), if independent {least:.2f} to {most:.2f}; "
        f"λ {effect.loading:.2f} ± {sd:.2f}"
    )


def main(results: Path) -> None:
    """Print a line for each dataset, stage and kind of group."""

    def codes(names: Iterable[str]) -> np.ndarray:
        return np.unique(list(names), return_inverse=True)[1]

    for dataset in DATASETS:
        folder = results / "events" / dataset
        quarters = {row["document"]: row["quarter"] for path in (folder / "truth").iterdir() for row in read_csv(path)}
        pairs = read_written_pairs(folder / QUERY / "probabilities/pairs.parquet")
        assert pairs.unit is not None
        assert pairs.predicted is not None
        documents, countries = pairs.unit.texts(), pairs.predicted.texts()
        quarter = [quarters[document] for document in documents]
        groups = {
            "document": codes(documents),
            "quarter": codes(quarter),
            "country": codes(countries),
            "country and quarter": codes(map("".join, zip(countries, quarter, strict=True))),
        }
        stages = {"as it is": pairs.q, "recalibrated": recalibrate_predictions(pairs, folds=FOLDS).q}
        for stage, q in stages.items():
            for name, group in groups.items():
                found = dispersion(q, pairs.y, group, generator(0, dataset, stage, name))
                print(f"{dataset}, {stage}, {name}: {found}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("results", type=Path, metavar="RESULTS")
    main(**vars(parser.parse_args()))
