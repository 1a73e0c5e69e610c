"""What section 4.2 of the paper claims about taggers, and what this project claims about their recalibration.

Facts: `same_corpus`, whether this is the paper's corpus, whose numbers are to be expected; `frequent`, how many pairs
of tags the paper has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from statistics import mean
from typing import Any

import numpy as np
from scipy import special

from nlpcalib.calibration.multiple_tests import benjamini_hochberg
from reproduction.claims.verdicts import (
    CalibrationError,
    Finding,
    Judged,
    ResultRow,
    Results,
    Unclear,
    below,
    exactly,
    least_text,
    mean_of,
    mostly,
    near_accuracy,
    p_text,
)
from reproduction.tagging.label_comparison import columns_of_comparison

_TAGGERS = ("hmm", "crf")
TABLES: Mapping[str, Mapping[str, Any]] = {
    "taggers": {
        **{"model": str, "target": str, "direction_scores": str, "bin_size": int},
        **{"training_sentences": int, "test_tokens": int},
        **dict.fromkeys(("accuracy", "published_error", "error"), float),
        **dict.fromkeys(("published_low", "published_high", "error_low", "error_high"), float | None),
    },
    "recalibration": {
        **{"model": str, "recalibration": str, "chosen": bool},
        **{"error": float, "low": float | None, "high": float | None},
    },
    "tag_counts": {"model": str, "tag": str, "posterior": str, "documents": int, "held": float},
    "comparison": {
        **{"target": str, "scope": str},
        **{f"{model}_error": float for model in _TAGGERS},
        **{f"{model}_better_fdr": int for model in _TAGGERS},
    },
    "figure_1": {"panel": str, "low": float | None, "high": float | None},
    "comparison_tags": columns_of_comparison(_TAGGERS),
    "comparison_bigrams": columns_of_comparison(_TAGGERS),
}


_EQUAL = 1.5
"""Factor within which two errors count as about equal."""
_HELD = math.nextafter(0.92, 0), math.nextafter(0.98, 1)
"""Range of coverage, ends included, that counts as that of 95 % intervals."""


def _taggers(results: Results) -> list[ResultRow]:
    return [results.row("taggers", model=model, target="tags") for model in _TAGGERS]


def adaptive_is_narrow(results: Results) -> Finding:
    """Judge by the mean width of bins' intervals: 50 and 10 bins of equal width, and adaptive ones."""
    if not results.rows("figure_1"):
        return Finding("the figure is not drawn")
    by_panel = (results.rows("figure_1", panel=panel) for panel in "bcd")
    fifty, ten, adaptive = (mean(row["high"] - row["low"] for row in rows) for rows in by_panel)
    measured = f"bins of width .02 {fifty:.3f}, of width .1 {ten:.3f}, adaptive {adaptive:.3f}"
    return Finding(measured, tuple(exactly(adaptive - other, most=0.0) for other in (fifty, ten)))


def same_accuracy(results: Results) -> Finding:
    hmm, crf = _taggers(results)
    first, second = hmm["accuracy"], crf["accuracy"]
    # At most so much, since both tag the same tokens and agree on most.
    margin = 1.96 * sum(row["accuracy"] * (1 - row["accuracy"]) / row["test_tokens"] for row in (hmm, crf)) ** 0.5
    apart = Judged(abs(first - second), abs(first - second) - margin, abs(first - second) + margin, most=0.02)
    sizes = " and ".join(f"{row['training_sentences']:,}" for row in (hmm, crf))
    measured = f"HMM {first:.1%}, CRF {second:.1%}, trained on {sizes} sentences"
    # Elsewhere the CRF's sentences are chosen for an accuracy like the HMM's, or are as many as there are.
    return Finding(measured, (apart,) if results.facts["same_corpus"] else ())


def accuracy(results: Results) -> Finding:
    hmm, crf = _taggers(results)
    measured = f"HMM {hmm['accuracy']:.1%}, CRF {crf['accuracy']:.1%}"
    near = tuple(near_accuracy(row, 0.887) for row in (hmm, crf))
    return Finding(measured, near if results.facts["same_corpus"] else ())


def hmm_underconfident(results: Results) -> Finding | Unclear:
    return mostly("underconfident", _taggers(results)[0])


def crf_overconfident(results: Results) -> Finding | Unclear:
    return mostly("overconfident", _taggers(results)[1])


def lower_error_published(results: Results) -> Finding:
    return _lower_error(CalibrationError.published, results)


def lower_error_bias_corrected(results: Results) -> Finding:
    return _lower_error(CalibrationError.bias_corrected, results)


def _lower_error(read: Callable[[ResultRow], CalibrationError], results: Results) -> Finding:
    hmm, crf = map(read, _taggers(results))
    measured = ", ".join(
        f"{name} {each.value:.4f} ({each.low:.4f} to {each.high:.4f})" for name, each in (("HMM", hmm), ("CRF", crf))
    )
    return Finding(measured, (below(crf, hmm),))


def most_tags(results: Results) -> Finding | Unclear:
    rows = results.rows("comparison_tags")
    tested = [row for row in rows if row["p_value"] is not None]
    lower = np.array([row["squared_crf"] <= row["squared_hmm"] for row in tested], bool)
    counts = []
    for column, how in (("p_value", "at p < .05"), ("p_fdr", "at an FDR of .05"), ("p_holm", "after Holm")):
        shown = np.array([row[column] < 0.05 for row in tested], bool)
        counts.append(f"{np.count_nonzero(shown & lower)} and {np.count_nonzero(shown & ~lower)} {how}")
    measured = f"CRF and HMM better: {', '.join(counts)}, of {len(tested)} tested tags of {len(rows)}"
    if not tested:
        return Unclear(measured)
    scores = special.ndtri(np.array([row["p_value"] / 2 for row in tested]))

    def better(times: float) -> tuple[float, float]:
        """Return the share of tags with a significantly lower error of each tagger, with so many times the text."""
        shown = benjamini_hochberg(2 * special.ndtr(scores * times**0.5)) < 0.05
        return float(np.mean(shown & lower)), float(np.mean(shown & ~lower))

    crf, hmm = better(1.0)
    enough = least_text(lambda times: 0.95 * max(better(times)) > 0.5)
    # .05 of what is significant may err, and a tag without significant difference may be either tagger's.
    return Finding(measured, (Judged(crf, 0.95 * crf, 1 - 0.95 * hmm, least=0.5, enough=enough),))


def nouns_equal(results: Results) -> Finding:
    row = next(iter(results.rows("comparison_tags", label="NN")), None)
    if row is None or row["p_value"] is None:
        return Finding("no tag NN, or too few")
    bin_size = results.row("taggers")["bin_size"]
    hmm, crf = (
        CalibrationError.of(row, *(f"{name}_{model}" for name in ("error", "low", "high")), bin_size=bin_size)
        for model in _TAGGERS
    )
    measured = f"HMM {hmm.value:.4f}, CRF {crf.value:.4f}, {p_text(row['p_value'])}"
    return Finding(measured, (below(crf, hmm, _EQUAL), below(hmm, crf, _EQUAL)))


def bigrams_lower(results: Results) -> Finding:
    row = results.row("comparison", target="bigrams", scope="frequent")
    hmm, crf = row["hmm_error"], row["crf_error"]
    counts = f"{row['crf_better_fdr']} and {row['hmm_better_fdr']} significantly lower at an FDR of .05"
    each = results.rows("comparison_bigrams")[: results.facts["frequent"]]
    if not each:
        return Finding("no pairs of tags")
    won = sum(pair["error_hmm"] < pair["error_crf"] for pair in each)
    measured = f"mean of {len(each)}: HMM {hmm:.4f}, CRF {crf:.4f}, the HMM lower in {won}; CRF and HMM {counts}"
    return Finding(measured, (mean_of([pair["error_crf"] - pair["error_hmm"] for pair in each], most=0.0),))


def _recalibrated(results: Results) -> dict[str, tuple[ResultRow, ResultRow]]:
    """Return the rows of each model without recalibration and with the one that the development set chose."""
    found: dict[str, list[ResultRow]] = {}
    for row in results.rows("recalibration"):
        if row["recalibration"] == "none" or row["chosen"]:
            found.setdefault(row["model"], []).append(row)
    return {model: (rows[0], rows[-1]) for model, rows in found.items()}


def falls(results: Results) -> Finding:
    stages = _recalibrated(results)
    if not stages:
        return Finding("nothing was recalibrated")
    measured = ", ".join(
        f"{model.upper()} {before['error']:.2g} to {after['error']:.2g}" for model, (before, after) in stages.items()
    )
    errors = (
        [CalibrationError.of(row, "error", "low", "high", bin_size=None) for row in both] for both in stages.values()
    )
    return Finding(measured, tuple(below(after, before) for before, after in errors))


def counts_held(results: Results) -> Finding | Unclear:
    shares = [row["held"] for row in results.rows("tag_counts", posterior="shared effect")]
    if not shares:
        return Finding("none of the tags to count")
    before = [row["held"] for row in results.rows("tag_counts", posterior="trained")]
    documents = results.row("tag_counts")["documents"]
    measured = (
        f"in {min(shares):.1%} to {max(shares):.1%} of {documents} documents, as trained "
        f"{min(before):.1%} to {max(before):.1%}"
    )
    away = max(0.92 - min(shares), max(shares) - 0.98)
    # By chance the share of so many documents is this far from what is expected.
    chance = 2 * (0.95 * 0.05 / documents) ** 0.5
    few, many = (Judged(held, held - chance, held + chance, *_HELD) for held in (min(shares), max(shares)))
    return Unclear(measured) if 0 < away <= chance else Finding(measured, (few, many))
