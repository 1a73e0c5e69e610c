"""Calibration error and its published interval: this library beside other packages, and beside its own floors.

Pairs are simulated after a tagger's: most predictions near 0, and 44 % of them exactly 0 once rounded to 6 decimals as
a file of predictions has them. One case keeps all digits, so that hardly anything is tied.

Algorithm 1 is measured beside a bare `np.sort(q)`, its floor, and beside three packages, each asked for as many bins of
equal mass as Algorithm 1 has. They do not all compute the same thing:

* scikit-learn's `calibration_curve` returns the points of the curve without their weights, so no error; bins between
  whose quantiles there is nothing but ties are dropped.
* calibre's `binned_calibration_error` is a root mean square over bins that counts every non-empty bin alike.
* uncertainty-calibration's `lower_bound_scaling_ce(p=2, debias=False)` is Algorithm 1's error, except that tied
  predictions share a bin.

Algorithm 2 is measured beside the bare generator drawing as many standard normals in the same blocks.

NumPy sorts with AVX-512 where it can, which is slow on AMD's Zen 4. So all is measured in a process with NumPy's
default dispatch and, where the CPU has AVX-512, in a second one with that switched off. All run on one thread. Labels
are bool for this library and int8 for the packages, scikit-learn's fastest type. Repeats are interleaved; those beside
the sort, which are short, are three times as many and apart from the packages'. Peak memory is the growth of the
maximum resident set over one call, in a forked process of its own, before any other call.

    python benchmarks/calibration_error.py [--repeats 7] [--out results.json]
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
from scipy.special import expit
from side_by_side import interleaved_seconds, peak_memory, print_table, ratio, versions
from sklearn.calibration import calibration_curve

from nlpcalib.calibration import adaptive_bins, calibration_error, error_interval
from nlpcalib.seeding import generator

BIN_SIZE = 5_000
CASES = {
    "1,570,000 pairs, 6 decimals": (1_570_000, 6),
    "4,300,000 pairs, 6 decimals": (4_300_000, 6),
    "1,570,000 pairs, all digits": (1_570_000, None),
}
SAMPLES, BINS, BLOCK = 10_000, 860, 256

OURS, SORT = "nlpcalib, calibration_error", "np.sort(q) alone"
SCIKIT, CALIBRE, UNCERTAINTY = "scikit-learn, calibration_curve", "calibre", "uncertainty-calibration"
PEERS = (SCIKIT, CALIBRE, UNCERTAINTY)
INTERVAL, GENERATOR = "nlpcalib, error_interval", "generator alone"
AT_LEAST_FASTER, AT_MOST_SORTS = 7.0, 1.6

DISABLE = "NPY_DISABLE_CPU_FEATURES"


def simulate(size: int, decimals: int | None, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return predictions of an overconfident model, float64 `(size,)`, and labels, bool `(size,)`."""
    rng = generator(seed, "calibration benchmark", size)
    logit = rng.normal(-13.53, 6.5, size)  # 44 % below 5e-7, a mean of 1 in 45
    y = rng.random(size) < expit(logit / 1.4)
    q = expit(logit)
    return (q if decimals is None else q.round(decimals)), y


def measure_error(size: int, decimals: int | None, repeats: int, seed: int) -> dict:
    """Measure Algorithm 1 and its peers on one case."""
    import calibration
    from calibre.metrics import binned_calibration_error

    q, y = simulate(size, decimals, seed)
    labels = y.astype(np.int8)
    bins = size // BIN_SIZE
    calls = {
        OURS: lambda: calibration_error(q, y, bin_size=BIN_SIZE),
        SORT: lambda: np.sort(q),
        SCIKIT: lambda: calibration_curve(labels, q, n_bins=bins, strategy="quantile"),
        CALIBRE: lambda: binned_calibration_error(labels, q, n_bins=bins, strategy="quantile"),
        UNCERTAINTY: lambda: calibration.lower_bound_scaling_ce(
            q, labels, p=2, debias=False, num_bins=bins, binning_scheme=calibration.get_equal_bins
        ),
    }
    memory = {name: peak_memory(call) for name, call in calls.items()}
    values = {name: float(calls[name]()) for name in (OURS, CALIBRE, UNCERTAINTY)}
    return {
        "bins": bins,
        "points_of_curve": len(calls[SCIKIT]()[0]),
        "share_tied_at_zero": float(np.mean(q == 0)),
        "input_mb": (q.nbytes + y.nbytes) / 2**20,
        "values": values,
        "peak_memory_mb": memory,
        "seconds": {
            # Apart from the packages, which leave caches cold for whoever comes next, and take seconds.
            "floor": interleaved_seconds({name: calls[name] for name in (OURS, SORT)}, 3 * repeats),
            "packages": interleaved_seconds({name: calls[name] for name in (OURS, *PEERS)}, repeats),
        },
    }


def measure_interval(repeats: int, seed: int) -> dict:
    """Measure Algorithm 2 and the generator that it draws from."""
    q, y = simulate(BINS * BIN_SIZE, 6, seed)
    bins = adaptive_bins(q, y, bin_size=BIN_SIZE)
    del q, y
    rng = generator(seed, "calibration benchmark", "interval")

    def draw() -> None:
        for start in range(0, SAMPLES, BLOCK):
            rng.standard_normal((min(BLOCK, SAMPLES - start), BINS), dtype=np.float32)

    calls = {INTERVAL: lambda: error_interval(bins, samples=SAMPLES, rng=rng), GENERATOR: draw}
    memory = {name: peak_memory(call) for name, call in calls.items()}
    return {"peak_memory_mb": memory, "seconds": interleaved_seconds(calls, repeats)}


def measure(repeats: int, seed: int) -> dict:
    """Measure everything under the dispatch that this process has."""
    return {
        "simd": np.show_config(mode="dicts")["SIMD Extensions"]["found"],
        "error": {name: measure_error(size, decimals, repeats, seed) for name, (size, decimals) in CASES.items()},
        "interval": measure_interval(3 * repeats, seed),
    }


def measure_in_child(repeats: int, seed: int, disabled: list[str]) -> dict:
    """Return what `measure` finds in a new process in which NumPy does without the CPU features `disabled`."""
    environment = {name: value for name, value in os.environ.items() if name != DISABLE}
    if disabled:
        environment[DISABLE] = " ".join(disabled)
    command = [sys.executable, __file__, "--child", "--repeats", str(repeats), "--seed", str(seed)]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)


def times(found: dict[str, float]) -> str:
    """Return a ratio as text, its extremes in brackets."""
    return f"{found['median']:.2f} times ({found['min']:.2f} to {found['max']:.2f})"


def report_error(result: dict) -> None:
    """Print one case of Algorithm 1, add its ratios to `result` and say which of the two aims it meets."""
    floor, packages = result["seconds"]["floor"], result["seconds"]["packages"]
    ratios = {name: ratio(packages[name], packages[OURS]) for name in PEERS}
    to_sort = ratio(floor[OURS], floor[SORT])
    result["ratios"] = ratios | {SORT: to_sort}
    print_table(floor, result["peak_memory_mb"])
    print(f"  nlpcalib takes {times(to_sort)} as long as np.sort; error {result['values'][OURS]:.6f}")
    print_table(packages, result["peak_memory_mb"])
    for name in PEERS:
        value = result["values"].get(name)
        computed = f"{result['points_of_curve']} points, no error" if value is None else f"error {value:.6f}"
        print(f"  {name} takes {times(ratios[name])} as long as nlpcalib; {computed}")
    fastest = min(PEERS, key=lambda name: statistics.median(packages[name]))
    faster, sorts = ratios[fastest]["median"], to_sort["median"]
    for aim, found, met in (
        (f"{AT_LEAST_FASTER:g} times faster than the fastest package", faster, faster >= AT_LEAST_FASTER),
        (f"within {AT_MOST_SORTS:g} times a sort", sorts, sorts <= AT_MOST_SORTS),
    ):
        print(f"  {aim}: {'met' if met else 'MISSED'}, {found:.2f}")


def report_interval(result: dict) -> None:
    """Print Algorithm 2 and add its ratio to `result`."""
    result["ratio"] = ratio(result["seconds"][INTERVAL], result["seconds"][GENERATOR])
    print_table(result["seconds"], result["peak_memory_mb"])
    print(f"  nlpcalib takes {times(result['ratio'])} as long as the generator")


def main(repeats: int, out: Path | None, seed: int) -> None:
    """Measure under both dispatches, print the tables and write them as JSON."""
    default = measure_in_child(repeats, seed, [])
    results = {"NumPy's default dispatch": default}
    wide = [feature for feature in default["simd"] if feature == "X86_V4" or feature.startswith("AVX512")]
    if wide:
        results[f'{DISABLE}="{" ".join(wide)}"'] = measure_in_child(repeats, seed, wide)
    for dispatch, result in results.items():
        print(f"\n== {dispatch}; {repeats} interleaved repeats, one thread ==")
        for case, found in result["error"].items():
            tied = f"{found['share_tied_at_zero']:.0%} exactly 0"
            print(f"\nAlgorithm 1: {case} ({tied}, {found['input_mb']:.0f} MB), {found['bins']} bins")
            report_error(found)
        print(f"\nAlgorithm 2: {SAMPLES:,} samples on {BINS} bins")
        report_interval(result["interval"])
    if out:
        result = {
            "bin_size": BIN_SIZE,
            "repeats": repeats,
            "seed": seed,
            "threads": 1,
            "dispatch": results,
            "peak_memory_method": "growth of ru_maxrss over one call in a forked process, after malloc_trim",
            "versions": versions(("numpy", "scikit-learn", "calibre", "uncertainty-calibration")),
            "machine": platform.machine(),
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        json.dump(measure(arguments.repeats, arguments.seed), sys.stdout)
    else:
        main(arguments.repeats, arguments.out, arguments.seed)
