"""What the texts state of methods: intervals, expectations, samples; judged where the truth is known.

Tables: `statements`, of `reproduction.simulation.known_truth`, and `sampling_time`, which tools/sampling_time.py
measures once, since no run repeats a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

from reproduction.claims.verdicts import Finding, Judged, ResultRow, Results, exactly, share
from reproduction.simulation.known_truth import Quantity

TABLES: Mapping[str, Mapping[str, Any]] = {
    "statements": get_type_hints(Quantity),
    "sampling_time": {"part": str, "ratio": float, "low": float, "high": float},
}
_MIN_COVERAGE = 0.93
"""Intervals at .95 hold the truth if the interval of their coverage does not begin below this."""
_UNBIASED = 0.002
"""A mean prediction that is off the prevalence by less counts as unbiased."""
_SLIGHTLY = 1.5
"""Times the duration that counts as only slightly slower."""


def _row(results: Results, start: str) -> ResultRow:
    return [row for row in results.rows("statements") if row["quantity"].startswith(start)][0]  # noqa: RUF015


def _coverage(row: ResultRow, **bounds: float) -> tuple[str, Judged]:
    return f"{row['part']:,} of {row['whole']:,} ({row['value']:.1%})", share(row["part"], row["whole"], **bounds)


def published_interval_covers(results: Results) -> Finding:
    words, number = _coverage(_row(results, "intervals of Algorithm 2"), least=_MIN_COVERAGE)
    return Finding(f"it holds the true error in {words} tables", (number,))


def bin_intervals_work(results: Results) -> Finding:
    words, number = _coverage(_row(results, "intervals p̂"), least=_MIN_COVERAGE)
    return Finding(f"they hold a bin's true frequency in {words} bins", (number,))


_CURVES = ("calibrated", "shifted")
_MODELS = ("calibrated", "overconfident")
_PRIORS = ("skewed", "uniform")


def calibrated_is_unbiased(results: Results) -> Finding:
    calibrated, shifted = (_row(results, f"mean prediction minus prevalence, {name}") for name in _CURVES)
    measured = (
        f"mean prediction minus prevalence: calibrated {calibrated['value']:+.4f}, shifted {shifted['value']:+.4f}"
    )
    number = Judged(calibrated["value"], calibrated["low"], calibrated["high"], -_UNBIASED, _UNBIASED)
    return Finding(measured, (number,))


def overconfident_is_too_narrow(results: Results) -> Finding:
    """Judge by counts of independent pairs, whose log odds are right or twice as large."""
    calibrated, sharpened = (_row(results, f"intervals of a count that hold it, {name}") for name in _MODELS)
    (words, right), (fewer, narrow) = _coverage(calibrated, least=0.93), _coverage(sharpened, most=0.93)
    return Finding(f"calibrated {words} intervals of a count hold it, overconfident {fewer}", (right, narrow))


def mean_error_is_a_tenth(results: Results) -> Finding:
    row = _row(results, "standard error of a mean")
    measured = f"{row['value']:.4f} ({row['low']:.4f} to {row['high']:.4f}) of the standard deviation"
    return Finding(measured, (Judged(row["value"], row["low"], row["high"], 0.095, 0.105),))


def only_if_uniform(results: Results) -> Finding:
    """Judge by two joint distributions: the sentence holds if neither contradicts it."""
    skewed, uniform = (_row(results, f"P(M = i ∣ T = i) against P(T = i ∣ M = i), P(M) {name}") for name in _PRIORS)
    measured = (
        f"with P(M) = P(T) = (.7, .3) they are equal (apart by {skewed['value']:.2g}); with a uniform P(M) and "
        f"P(T) = (.7, .3) they differ by {uniform['value']:.2f}"
    )
    return Finding(measured, (exactly(skewed["value"], least=1e-12),))


def sampling_is_slightly_slower(results: Results) -> Finding:
    whole, choice = (results.row("sampling_time", part=part) for part in ("all", "choice"))
    measured = (
        f"a sample takes {whole['ratio']:.2f} times as long as the MAP assignment ({whole['low']:.2f} to "
        f"{whole['high']:.2f}); the choice of antecedents alone {choice['ratio']:.2f} times"
    )
    return Finding(measured, (Judged(whole["ratio"], whole["low"], whole["high"], most=_SLIGHTLY),))
