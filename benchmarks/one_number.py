"""One number for one model: characters to type, and time, next to the packages that people use.

Each call is written as its users would write it once the package is imported, and run as it stands here. The packages
do not all compute the same: this library returns an error with an interval that covers, the others a value alone, and
scikit-learn has a curve and no error, so that its call sums up the curve.

    python benchmarks/one_number.py [--repeats 5] [--pairs 1000000] [--out results.json]
"""

import os

os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")

import argparse
import importlib
import json
from pathlib import Path

import numpy as np
from calibration_error import simulate
from side_by_side import Calls, interleaved_seconds, print_table

CALLS = {
    "nlpcalib, with interval": ("nlpcalib", "nc.calibrate(q, y).interval", {"nc": "nlpcalib"}),
    "nlpcalib, everything": ("nlpcalib", "nc.calibrate(q, y).summary", {"nc": "nlpcalib"}),
    "scikit-learn, curve": (
        "scikit-learn",
        "np.abs(np.subtract(*calibration_curve(y, q))).mean()",
        {"calibration_curve": "sklearn.calibration:calibration_curve"},
    ),
    "netcal, ECE": ("netcal", "ECE(15).measure(q, y)", {"ECE": "netcal.metrics:ECE"}),
    "uncertainty-calibration": (
        "uncertainty-calibration",
        "cal.get_calibration_error(q, y)",
        {"cal": "calibration"},
    ),
    "relplot, smECE": ("relplot", "rp.smECE(q, y)", {"rp": "relplot"}),
}
"""By title: the package, the call, and what its names are (a module, or `module:name`)."""


def available(names: dict[str, str]) -> dict[str, object] | None:
    """Return the values of names, or None if the package is not installed."""
    scope: dict[str, object] = {}
    for name, place in names.items():
        module, _, attribute = place.partition(":")
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            return None
        scope[name] = getattr(loaded, attribute) if attribute else loaded
    return scope


def main(pairs: int, repeats: int, out: Path | None, seed: int) -> None:
    """Measure every call whose package is installed, and print a table."""
    q, y = simulate(pairs, 6, seed)
    labels = y.astype(np.int64)
    calls: Calls = {}
    results: dict[str, dict] = {}
    for title, (_, code, names) in CALLS.items():
        scope = available(names)
        if scope is None:
            print(f"{title}: not installed")
            continue
        compiled = compile(code, title, "eval")
        scope |= {"q": q, "y": labels, "np": np}
        calls[title] = lambda compiled=compiled, scope=scope: eval(compiled, scope)
        results[title] = {"code": code, "characters": len(code), "value": str(calls[title]())[:60]}
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
