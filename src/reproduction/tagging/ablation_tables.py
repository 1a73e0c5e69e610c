"""The tables of the thesis' taggers: how good each is, and whether one is better calibrated than another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import THESIS
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import summary_errors
from nlpcalib.errors import InputError
from reproduction.estimation.paired import RatioTerms, ratio_difference
from reproduction.tagging.label_comparison import compare_labels


class ModelRow(TypedDict):
    """A row of `model_row`, as far as its figure needs it."""

    model: str
    title: str
    target: str
    tag: str
    accuracy: float
    published_error: float
    published_low: float
    published_high: float
    error: float | None
    error_low: float | None
    error_high: float | None
    noise_floor: float
    refinement: float


def thesis_estimate(summary: Mapping) -> Mapping:
    """Return the thesis' mean square of a `calibration.json`, as it stands there."""
    return next(estimate for estimate in summary["estimates"] if estimate["estimator"] == THESIS.estimator)


def model_row(evaluation: Mapping[str, Any], calibration: Mapping[str, Any]) -> dict:
    """Return what a tagger's `evaluation.json` and the `calibration.json` of one target have for the table."""
    training, mse = evaluation["training"], thesis_estimate(calibration)
    return {
        "hyperparameter": training.get("pseudocount", training.get("c2")),
        "training_sentences": training["sentences"],
        "attributes": evaluation["attributes"],
        "test_tokens": evaluation["tokens"],
        "unknown_words": evaluation["unknown_words"],
        "accuracy": evaluation["accuracy"],
        "bin_size": calibration["bin_size"],
        "bins": calibration["bins"],
        **summary_errors(calibration),
        "mse": mse["value"],
        "mse_low": mse["low"],
        "mse_high": mse["high"],
        "noise_floor": calibration["noise_floor"],
        "refinement": calibration["decomposition"]["refinement"],
        "brier": calibration["brier"],
        "underconfident_share": calibration["direction"]["underconfident_share"],
    }


def variant_comparison_rows(
    pairs: Mapping[str, Pairs], comparisons: Sequence[tuple[str, str]], *, bin_size: int, samples: int,
    replicates: int, seed: int,
) -> list[dict]:  # fmt: skip
    """Return a row for every two models of `comparisons`: how far their errors and their refinements are apart.

    Parameters
    ----------
    pairs : mapping from str to Pairs
        Each model's pairs of the same events, with sentences as units.
    comparisons : sequence of pairs of str
        Models to compare.
    bin_size, samples, replicates, seed : int
        As for `reproduction.tagging.label_comparison.compare_labels`.

    Raises
    ------
    InputError
        For pairs without units.
    """
    name, reference = next(iter(pairs.items()))
    units = reference.sampling_unit
    if units is None:
        raise InputError(f"pairs of {name}: found no units, expected sentences")
    compared = compare_labels(
        ((f"{first} {second}", pairs[first].q, pairs[second].q, reference.y) for first, second in comparisons),
        np.asarray(units.codes, dtype=np.int64),
        bin_size=bin_size,
        samples=samples,
        replicates=replicates,
        seed=seed,
    )
    left = {model: _variance_left(each, bin_size) for model, each in pairs.items()}
    return [
        {
            "first": first,
            "second": second,
            "error_first": row.error_first,
            "error_second": row.error_second,
            "squared_first": row.squared_first,
            "squared_second": row.squared_second,
            "p_value": row.p_value,
            **_refinement_difference(left[first], left[second], units.codes),
        }
        for (first, second), row in zip(comparisons, compared, strict=True)
    ]


def _variance_left(pairs: Pairs, bin_size: int) -> RatioTerms:
    """Return the refinement as a mean over pairs: each label's squared distance from the frequency of its bin."""
    bins = SortedPairs(pairs.q, pairs.y).adaptive(bin_size)
    frequency = bins.label_frequency[np.searchsorted(bins.largest[:-1], pairs.q)]
    return RatioTerms((pairs.y - frequency) ** 2, np.ones(pairs.q.size))


def _refinement_difference(first: RatioTerms, second: RatioTerms, unit: np.ndarray) -> dict[str, float]:
    names = ("refinement_difference", "refinement_low", "refinement_high")
    return dict(zip(names, ratio_difference(first, second, unit), strict=True))
