"""Measure how often intervals hold the true calibration error and how often tests reject."""

from nlpcalib.calibration.estimates import METHODS
from nlpcalib.io.files import write_json
from reproduction.simulation.coverage import coverage_rows, rejection_rows
from reproduction.simulation.regimes import HARD_REGIMES, REGIMES
from reproduction.workflow.run_script import run_script

BINS = 100
"""Adaptive bins of the published methods."""
SMALLEST_BIN = 10
"""Pairs to a bin of theirs, at least."""
SAMPLES = 2000
"""Draws of Algorithm 2: its width is then known to 2 %, and it does not take most of the time."""
LARGEST_RESAMPLED = 20_000
"""Pairs up to which the bootstrap is tried; it would take most of the time."""


def main(path_coverage: str, dependence: str, n: int, replicates: int, seed: int) -> None:
    """Write rows of methods (`coverage`) and of tests (`tests`) in every regime of `dependence` as JSON."""
    # On the squared scale the bootstrap's interval is the same.
    resampled = [] if n > LARGEST_RESAMPLED else ["debiased_rms/cluster_bootstrap"]
    names = [name for name in METHODS if name in resampled or "bootstrap" not in name]
    found: dict[str, list[dict]] = {"coverage": [], "tests": []}
    for regime in (*REGIMES, *HARD_REGIMES):
        if regime.dependence == dependence:
            found["coverage"] += coverage_rows(
                regime,
                n,
                names,
                replicates=replicates,
                bin_size=max(n // BINS, SMALLEST_BIN),
                samples=SAMPLES,
                seed=seed,
            )
            found["tests"] += rejection_rows(regime, n, replicates=replicates, seed=seed)
    write_json(path_coverage, found)


if "snakemake" in globals():
    run_script(main, snakemake, n=int(snakemake.wildcards.n))
