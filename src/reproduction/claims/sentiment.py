"""What section 4.1.2 of the paper claims about sentiment, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from nlpcalib.io.typed_csv import read_columns
from reproduction.claims.verdicts import NOT_APPLICABLE, Claim, Row, judge_all, verdict

Results = Mapping[str, Row]
"""Rows of `sentiment.csv` by model."""

_LOW, _HIGH = ("0_0.25", "0.25_0.5"), ("0.5_0.75", "0.75_1")
_COLUMNS = {
    **{"model": str, "f1": float, "calibration_error": float},
    **{f"n_{region}": int for region in (*_LOW, *_HIGH)},
    **{f"gap_{region}": float | None for region in (*_LOW, *_HIGH)},
}


def read_results(path: str | Path) -> Results:
    """Read a dataset's `sentiment.csv`."""
    return {row["model"]: row for row in read_columns(path, _COLUMNS)}


def check_sentiment(results: Results) -> list[dict]:
    """Return one row per claim; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS, results)


def range_gap(row: Row, regions: tuple[str, ...]) -> float | None:
    """Return label frequency minus mean prediction over some quarters of [0, 1]; None if no prediction lies there."""
    known = [(row[f"n_{region}"], row[f"gap_{region}"]) for region in regions if row[f"n_{region}"]]
    return sum(n * gap for n, gap in known) / sum(n for n, _ in known) if known else None


def _both(results: Results, column: str) -> tuple[float, float]:
    return results["naive_bayes"][column], results["logistic_regression"][column]


def _higher_f1(results: Results) -> tuple[str, str]:
    nb, lr = _both(results, "f1")
    return f"NB {nb:.1%}, LR {lr:.1%}: {100 * (nb - lr):+.1f} points", verdict(0 < nb - lr < 0.03)


def _f1(results: Results) -> tuple[str, str]:
    nb, lr = _both(results, "f1")
    return f"NB {nb:.1%} ({100 * (nb - 0.738):+.1f} points), LR {lr:.1%} ({100 * (lr - 0.729):+.1f})", NOT_APPLICABLE


def _less_than_half(results: Results) -> tuple[str, str]:
    nb, lr = _both(results, "calibration_error")
    return f"NB {nb:.4f}, LR {lr:.4f}: {lr / nb:.0%} of it", verdict(lr < nb / 2)


def _errors(results: Results) -> tuple[str, str]:
    nb, lr = _both(results, "calibration_error")
    return f"NB {nb:.4f} ({nb - 0.105:+.4f}), LR {lr:.4f} ({lr - 0.041:+.4f})", NOT_APPLICABLE


def _direction(model: str) -> Callable[[Results], tuple[str, str]]:
    def judge(results: Results) -> tuple[str, str]:
        low, high = (range_gap(results[model], regions) for regions in (_LOW, _HIGH))
        if low is None or high is None:
            return "no predictions in one of the ranges", NOT_APPLICABLE
        return f"frequency − prediction: {low:+.4f} below ½, {high:+.4f} above", verdict(low > 0 > high)

    return judge


def _more_pronounced(results: Results) -> tuple[str, str]:
    nb_low, nb_high, lr_low, lr_high = (
        range_gap(results[model], regions)
        for model in ("naive_bayes", "logistic_regression")
        for regions in (_LOW, _HIGH)
    )
    if nb_low is None or nb_high is None or lr_low is None or lr_high is None:
        return "no predictions in one of the ranges", NOT_APPLICABLE
    return (
        f"below ½ NB {nb_low:+.4f}, LR {lr_low:+.4f}; above NB {nb_high:+.4f}, LR {lr_high:+.4f}",
        verdict(nb_low > lr_low and nb_high < lr_high),
    )


CLAIMS = (
    Claim("4.1.2", "Naive Bayes has a slightly higher F1 (here: by less than 3 points)", _higher_f1),
    Claim("4.1.2", "F1 is 73.8 % for Naive Bayes and 72.9 % for logistic regression", _f1),
    Claim(
        "4.1.2, Figure 2",
        "Logistic regression has less than half the calibration error of Naive Bayes",
        _less_than_half,
    ),
    Claim("4.1.2, Figure 2", "The errors are .105 and .041", _errors),
    Claim(
        "4.1.2, Figure 2(a)",
        "Naive Bayes is underconfident in the lower range and overconfident in the higher",
        _direction("naive_bayes"),
    ),
    Claim(
        "4.1.2, Figure 2(b)",
        "Logistic regression is underconfident in the lower range and overconfident in the higher",
        _direction("logistic_regression"),
    ),
    Claim("4.1.2, Figure 2", "Naive Bayes more so", _more_pronounced),
)
