"""Estimators, intervals and tests of calibration on 4,300,000 pairs: this library beside the packages that have them.

Pairs are those of `calibration_error.py`: a tagger's, 44 % of them exactly 0, with 6 decimals; units hold 25 of them.
Every call begins with arrays in any order, so this library's with the sort. What stands side by side answers the same
question, not always by the same formula:

* Debiased squared error: uncertainty-calibration's `lower_bound_scaling_ce(p=2, debias=True)` returns a value, its
  `bootstrap_uncertainty` an interval. The bootstrap is timed with two resamples, on pairs and bins that are ready; two
  is not a number that anyone would use, and its time grows in proportion.
* Fifteen bins of equal width: scikit-learn's `calibration_curve` has no error; netcal, MAPIE and calibre return the
  mean absolute error, torchmetrics the root mean square, as this library.
* Spiegelhalter's test: MAPIE's and calzone's.

All run on one thread. Peak memory is the growth of the maximum resident set over one call, in a forked process.

    python benchmarks/estimators.py [--repeats 3] [--pairs 4300000] [--out results.json]
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"), "1")

import argparse
import json
import platform
import warnings
from pathlib import Path

import numpy as np
from calibration_error import simulate
from side_by_side import Calls, interleaved_seconds, peak_memory, print_table, ratio, versions
from sklearn.calibration import calibration_curve

from nlpcalib.calibration.binning import EQUAL_WIDTH_BINS, SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings, recommended_bins
from nlpcalib.calibration.hypothesis_tests import TESTS
from nlpcalib.calibration.intervals import root_mean_square

UNIT = 25
"""Pairs of a simulated unit."""
PACKAGES = (
    *("numpy", "scipy", "scikit-learn", "calibre", "calzone-tool", "MAPIE", "netcal"),
    *("torch", "torchmetrics", "uncertainty-calibration"),
)


def groups(q: np.ndarray, y: np.ndarray) -> dict[str, Calls]:
    """Return the calls to be compared by what they compute, this library's first."""
    import calibration
    import torch
    from calibre.metrics import expected_calibration_error as calibre_error
    from calzone.metrics import spiegelhalter_z_test
    from mapie.metrics.calibration import expected_calibration_error as mapie_error
    from mapie.metrics.calibration import spiegelhalter_p_value
    from netcal.metrics import ECE
    from torchmetrics.functional.classification import binary_calibration_error

    labels = y.astype(np.int8)
    tensors = torch.from_numpy(q), torch.from_numpy(y.astype(np.int64))
    both = np.column_stack([1 - q, q])
    unit = np.arange(q.size) // UNIT
    bins = recommended_bins(q.size)

    def bias_corrected() -> float:
        return calibration.lower_bound_scaling_ce(
            q, labels, p=2, debias=True, num_bins=bins, binning_scheme=calibration.get_equal_bins
        )

    return {
        "bias-corrected error with score interval": {
            "nlpcalib": lambda: METHODS["bias_corrected_rms/score"](SortedPairs(q, y), Settings()),
            "nlpcalib, clustered": lambda: METHODS["bias_corrected_rms/cluster_score"](
                SortedPairs(q, y, unit), Settings()
            ),
            "uncertainty-calibration, no interval": bias_corrected,
        },
        f"root mean square over {EQUAL_WIDTH_BINS} bins of equal width": {
            "nlpcalib": lambda: root_mean_square(SortedPairs(q, y).equal_width(EQUAL_WIDTH_BINS)),
            "torchmetrics": lambda: float(binary_calibration_error(*tensors, n_bins=EQUAL_WIDTH_BINS, norm="l2")),
            "netcal, absolute": lambda: ECE(EQUAL_WIDTH_BINS).measure(q, labels),
            "MAPIE, absolute": lambda: mapie_error(labels, q, num_bins=EQUAL_WIDTH_BINS),
            "calibre, absolute": lambda: calibre_error(labels, q, n_bins=EQUAL_WIDTH_BINS),
            "scikit-learn, curve alone": lambda: calibration_curve(labels, q, n_bins=EQUAL_WIDTH_BINS)[0].size,
        },
        "Spiegelhalter's test": {
            "nlpcalib": lambda: TESTS["spiegelhalter"](SortedPairs(q, y)).p_value,
            "nlpcalib, clustered": lambda: TESTS["cluster_spiegelhalter"](SortedPairs(q, y, unit)).p_value,
            "MAPIE": lambda: spiegelhalter_p_value(labels, q),
            "calzone": lambda: spiegelhalter_z_test(labels, both)[1],
        },
    }


def bootstrap(q: np.ndarray, y: np.ndarray) -> Calls:
    """Return uncertainty-calibration's bootstrap of the bias-corrected squared error, on binned lists."""
    import calibration
    from calibration import utils as uncertainty

    data = list(zip(q.tolist(), y.astype(int).tolist(), strict=True))
    edges = calibration.get_equal_bins(q, num_bins=recommended_bins(q.size))

    def plug_in(sample: list) -> float:
        return uncertainty.plugin_ce(uncertainty.bin(sample, edges)) ** 2

    def bias_corrected(sample: list) -> float:
        return uncertainty.unbiased_square_ce(uncertainty.bin(sample, edges))

    return {
        "uncertainty-calibration, two resamples": lambda: uncertainty.bootstrap_uncertainty(
            data, plug_in, estimator=bias_corrected, num_samples=2
        )
    }


def main(pairs: int, repeats: int, out: Path | None, seed: int) -> None:
    """Measure every group, print tables and ratios and write them as JSON."""
    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    q, y = simulate(pairs, 6, seed)
    results = {}
    for title, calls in groups(q, y).items():
        memory = {name: peak_memory(call) for name, call in calls.items()}
        values = {name: str(call()) for name, call in calls.items()}
        seconds = interleaved_seconds(calls, repeats)
        ratios = {name: ratio(seconds[name], seconds["nlpcalib"]) for name in calls}
        results[title] = {"seconds": seconds, "peak_memory_mb": memory, "ratios": ratios, "values": values}
        print(f"\n== {title}: {pairs:,} pairs, {repeats} interleaved repeats, one thread ==")
        print_table(seconds, memory)
        for name in calls:
            print(f"  {name}: {ratios[name]['median']:.2f} times nlpcalib; {values[name]}")
    slow = bootstrap(q, y)
    seconds = interleaved_seconds(slow, 1)
    memory = {name: peak_memory(call) for name, call in slow.items()}
    print("\n== bootstrap interval of the bias-corrected error, one repeat ==")
    print_table(seconds, memory)
    results["bootstrap"] = {"seconds": seconds, "peak_memory_mb": memory}
    if out:
        result = {"pairs": pairs, "repeats": repeats, "seed": seed, "groups": results, "machine": platform.machine()}
        result["versions"] = versions(PACKAGES)
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=4_300_000)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.pairs, arguments.repeats, arguments.out, arguments.seed)
