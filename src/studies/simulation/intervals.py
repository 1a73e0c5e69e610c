"""The default, the bootstrap and the paper's interval of the calibration error side by side, in regimes with names.

Bins are those that `nlpcalib calibrate` gives so many pairs and positive labels. What counts is the true error, which
contains what bins average away.
"""

from __future__ import annotations

from collections.abc import Iterator

from nlpcalib.calibration.estimates import DEFAULT_ESTIMATORS, INTERVALS, METHODS, PUBLISHED
from nlpcalib.questions.report import suitable_bin_size
from reproduction.simulation.regimes import Regime
from reproduction.workflow.table_files import TitledRows
from studies.simulation.coverage import draws, error_coverage_rows

REGIMES = {
    "perfect": Regime("calibrated", "uniform", "independent"),
    "overconfident": Regime("mild", "uniform", "independent"),
    "underconfident": Regime("timid", "uniform", "independent"),
    "perfect, skewed": Regime("calibrated", "skewed", "independent"),
    "overconfident, skewed": Regime("strong", "skewed", "independent"),
    "perfect, unequal units": Regime("calibrated", "uniform", "unequal"),
    "overconfident, unequal units": Regime("strong", "uniform", "unequal"),
}
"""What is drawn, by what the table calls it."""
NAMES = {DEFAULT_ESTIMATORS["rms"]: "score", INTERVALS["bootstrap"]: "bootstrap", PUBLISHED.estimator: "Algorithm 2"}
"""What the table calls the interval of an estimator."""
PAIRS = {500: 1, 5_000: 2, 100_000: 4}
"""Sizes of tables, and by what the number of draws is divided: large tables take most of the time."""
_ALGORITHM_2_DRAWS = 1000


def interval_table(*, seed: int, draws: int) -> list[TitledRows]:
    """Return a row for each regime, size and interval, from so many tables of pairs."""
    rows = [
        row
        for name in REGIMES
        for n, divisor in PAIRS.items()
        for row in interval_rows(name, n, max(draws // divisor, 2), seed)
    ]
    return [("Coverage of three intervals of the calibration error", rows)]


def interval_rows(name: str, n: int, replicates: int, seed: int) -> Iterator[dict]:
    """Yield a row for each interval in one of `REGIMES`: coverage of the true error, and mean width."""
    regime = REGIMES[name]
    first = next(iter(draws(regime, n, [0], seed)))
    methods = [
        method.name
        for method in METHODS.values()
        if method.estimator in NAMES and (method is PUBLISHED or method.clustered == regime.has_units)
    ]
    found = error_coverage_rows(
        regime, n, methods, replicates=replicates, bin_size=suitable_bin_size(first.y), samples=_ALGORITHM_2_DRAWS,
        seed=seed,
    )  # fmt: skip
    for row in sorted(found, key=lambda row: list(NAMES).index(row["estimator"])):
        measured = ("n", "truth", "replicates", "coverage", "coverage_se", "below", "above", "width", "bias", "rmse")
        yield {"regime": name, "interval": NAMES[row["estimator"]], **{key: row[key] for key in measured}}
