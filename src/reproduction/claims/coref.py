"""What section 5 of the paper claims about coreference, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.io.typed_csv import read_columns
from reproduction.claims.verdicts import NOT_APPLICABLE, UNDECIDED, Claim, Row, judge_all, verdict

_TAGGERS = {"model": str, "target": str, "calibration_error": float}
_MODELS = {"model": str, "directions": str, "calibration_error": float, "perfect_mean": float, "p_value": float}


@dataclass(frozen=True, slots=True)
class CorefResults:
    """Tables of one dataset, as the workflow writes them."""

    model: Row
    """The row of `coref_models.csv` of the model that is measured."""
    others: Mapping[str, float]
    """Calibration errors of the same dataset's taggers."""


def read_results(models: str | Path, taggers: str | Path | None) -> CorefResults:
    """Read a dataset's `coref_models.csv` and, if taggers were trained on it, its `taggers.csv`."""
    return coref_results(read_columns(models, _MODELS), read_columns(taggers, _TAGGERS) if taggers else [])


def coref_results(models: Sequence[Row], taggers: Iterable[Row]) -> CorefResults:
    """Return what the claims are judged by, from the rows of `coref_models.csv` and of the dataset's `taggers.csv`.

    That is cross-validation, which is measured on the most documents, where it was made, else the first model.
    """
    model = next((row for row in models if row["model"] == "cross_validation"), models[0])
    others = {row["model"]: row["calibration_error"] for row in taggers if row["target"] == "tags"}
    return CorefResults(model, others)


def check_coref(results: CorefResults) -> list[dict]:
    """Return one row per claim; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS, results)


def _below_one_percent(results: CorefResults) -> tuple[str, str]:
    error, perfect, p = (results.model[name] for name in ("calibration_error", "perfect_mean", "p_value"))
    measured = f"{error:.2%}; a perfect model would show {perfect:.2%} on these documents (p = {p:.2g})"
    return measured, verdict(error < 0.01)


def _overconfident(results: CorefResults) -> tuple[str, str]:
    directions = results.model["directions"].split()[1:]
    over, under = (directions.count(f"{side}confident") for side in ("over", "under"))
    measured = f"{', '.join(directions)} in the upper three quarters of [0, 1]"
    return measured, UNDECIDED if over == under else verdict(over > under)


def _best_calibrated(results: CorefResults) -> tuple[str, str]:
    if not results.others:
        return "no tagger was trained on this dataset", NOT_APPLICABLE
    error = results.model["calibration_error"]
    others = ", ".join(f"{model.upper()} {other:.2%}" for model, other in results.others.items())
    return f"coreference {error:.2%}, {others}", verdict(error < min(results.others.values()))


CLAIMS = (
    Claim("5.3, Figure 5", "The calibration error over pairs of mentions is below 1 %", _below_one_percent),
    Claim("5.3, Figure 5", "The model is slightly overconfident on middle to high predictions", _overconfident),
    Claim(
        "5.3",
        "It is the best calibrated model of the paper (here: compared with the dataset's taggers)",
        _best_calibrated,
    ),
)
