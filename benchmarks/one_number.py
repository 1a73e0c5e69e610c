"""One number for one model: characters to type, and time, next to the packages that people use.

Each call is written as its users would write it once the package is imported, and run as it stands here. The packages
do not all compute the same: this library returns an error with an interval that covers, the others a value alone, and
scikit-learn has a curve and no error, so that its call sums up the curve.

    python benchmarks/one_number.py [--repeats 5] [--pairs 1000000] [--out results.json]
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import json
from collections.abc import Callable
from functools import partial
from inspect import getsource
from pathlib import Path

import numpy as np
from calibration_error import simulate
from side_by_side import Calls, interleaved_seconds, print_table


def _interval(q, y):
    import nlpcalib as nc

    return nc.calibrate(q, y).interval


def _everything(q, y):
    import nlpcalib as nc

    return nc.calibrate(q, y).summary


def _scikit_learn(q, y):
    from sklearn.calibration import calibration_curve

    return np.abs(np.subtract(*calibration_curve(y, q))).mean()


def _netcal(q, y):
    from netcal.metrics import ECE

    return ECE(15).measure(q, y)


def _uncertainty_calibration(q, y):
    import calibration as cal

    return cal.get_calibration_error(q, y)


def _relplot(q, y):
    import relplot as rp

    return rp.smECE(q, y)


CALLS: dict[str, Callable] = {
    "nlpcalib, with interval": _interval,
    "nlpcalib, everything": _everything,
    "scikit-learn, curve": _scikit_learn,
    "netcal, ECE": _netcal,
    "uncertainty-calibration": _uncertainty_calibration,
    "relplot, smECE": _relplot,
}
"""By title: a function that imports the package and returns what the call does."""


def main(pairs: int, repeats: int, out: Path | None, seed: int) -> None:
    """Measure every call whose package is installed, and print a table."""
    q, y = simulate(pairs, 6, seed)
    labels = y.astype(np.int64)
    calls: Calls = {}
    results: dict[str, dict] = {}
    for title, call in CALLS.items():
        try:
            value = call(q, labels)
        except ImportError:
            print(f"{title}: not installed")
            continue
        code = getsource(call).partition("return ")[2].strip()
        calls[title] = partial(call, q, labels)
        results[title] = {"code": code, "characters": len(code), "value": str(value)[:60]}
    seconds = interleaved_seconds(calls, repeats)
    print_table(seconds, dict.fromkeys(calls, float("nan")))
    for title, found in results.items():
        found["seconds"] = seconds[title]
        print(f"{title:42}{found['characters']:4} characters   {found['code']}   {found['value']}")
    if out:
        out.write_text(json.dumps({"pairs": pairs, "repeats": repeats, "calls": results}, indent=2) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.pairs, arguments.repeats, arguments.out, arguments.seed)
