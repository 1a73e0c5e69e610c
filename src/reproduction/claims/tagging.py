"""What section 4.2 of the paper claims about taggers, and what this project claims about their recalibration.

Facts: `same_corpus`, whether this is the paper's corpus, whose numbers are to be expected; `frequent`, how many pairs
of tags the paper has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reproduction.claims.verdicts import (
    Finding,
    ReportedValue,
    ResultRow,
    Results,
    Unclear,
    all_hold,
    below,
    mostly,
    p_text,
)
from reproduction.tagging.label_comparison import columns_of_comparison

_TAGGERS = ("hmm", "crf")
TABLES: Mapping[str, Mapping[str, Any]] = {
    "taggers": {
        **{"model": str, "target": str, "directions": str, "test_tokens": int},
        **dict.fromkeys(("accuracy", "published_error", "error"), float),
        **dict.fromkeys(("published_low", "published_high", "error_low", "error_high"), float | None),
    },
    "recalibration": {
        **{"model": str, "recalibration": str, "chosen": bool, "accuracy": float},
        **{"error": float, "low": float | None, "high": float | None},
        **{"pair_error": float | None},  # flat recalibration has no pairs of tags
    },
    "tag_counts": {"model": str, "tag": str, "posterior": str, "documents": int, "held": float},
    "comparison": {
        **{"target": str, "scope": str, "labels": int},
        **{f"{model}_error": float for model in _TAGGERS},
        **{f"{model}_{column}": int for model in _TAGGERS for column in ("better", "better_fdr", "better_holm")},
    },
    "comparison_tags": columns_of_comparison(_TAGGERS),
    "comparison_bigrams": columns_of_comparison(_TAGGERS),
}


def _taggers(results: Results) -> list[ResultRow]:
    return [results.row("taggers", model=model, target="tags") for model in _TAGGERS]


def same_accuracy(results: Results) -> Finding:
    hmm, crf = _taggers(results)
    first, second = hmm["accuracy"], crf["accuracy"]
    # At most so much, since both tag the same tokens and agree on most.
    variance = sum(row["accuracy"] * (1 - row["accuracy"]) / row["test_tokens"] for row in (hmm, crf))
    sure = abs(abs(first - second) - 0.02) > 1.96 * variance**0.5
    return Finding(f"HMM {first:.1%}, CRF {second:.1%}", abs(first - second) < 0.02, sure)


def accuracy(results: Results) -> Finding:
    hmm, crf = (row["accuracy"] for row in _taggers(results))
    near = max(abs(hmm - 0.887), abs(crf - 0.887)) < 0.01
    return Finding(f"HMM {hmm:.1%}, CRF {crf:.1%}", near if results.facts["same_corpus"] else None, sure=True)


def hmm_underconfident(results: Results) -> Finding | Unclear:
    return mostly("underconfident", _taggers(results)[0])


def crf_overconfident(results: Results) -> Finding | Unclear:
    return mostly("overconfident", _taggers(results)[1])


def lower_error_published(results: Results) -> Finding:
    return _lower_error(results, "published_error", "published_low", "published_high")


def lower_error_bias_corrected(results: Results) -> Finding:
    return _lower_error(results, "error", "error_low", "error_high")


def _lower_error(results: Results, *columns: str) -> Finding:
    hmm, crf = (ReportedValue.of(row, *columns) for row in _taggers(results))
    measured = ", ".join(
        f"{name} {each.value:.4f} ({each.low:.4f} to {each.high:.4f})" for name, each in (("HMM", hmm), ("CRF", crf))
    )
    return Finding(measured, *below(crf, hmm))


def most_tags(results: Results) -> Finding:
    row = results.row("comparison", target="tags", scope="all")
    counts = ", ".join(
        f"{row[f'crf_{column}']} and {row[f'hmm_{column}']} {how}"
        for column, how in (("better", "at p < .05"), ("better_fdr", "at an FDR of .05"), ("better_holm", "after Holm"))
    )
    measured = f"CRF and HMM better: {counts}, of {row['labels']}"
    return Finding(measured, 2 * row["crf_better_fdr"] > row["labels"], sure=True)


def nouns_equal(results: Results) -> Finding:
    row = next(iter(results.rows("comparison_tags", label="NN")), None)
    if row is None or row["p_value"] is None:
        return Finding("no tag NN, or too few")
    hmm, crf, p = (row[column] for column in ("error_hmm", "error_crf", "p_value"))
    near = max(hmm, crf) < 1.5 * min(hmm, crf)
    return Finding(f"HMM {hmm:.4f}, CRF {crf:.4f}, {p_text(p)}", near and p >= 0.05, sure=p < 0.05)


def bigrams_lower(results: Results) -> Finding:
    row = results.row("comparison", target="bigrams", scope="frequent")
    hmm, crf = row["hmm_error"], row["crf_error"]
    counts = f"{row['crf_better_fdr']} and {row['hmm_better_fdr']} significantly lower at an FDR of .05"
    measured = f"mean of {row['labels']}: HMM {hmm:.4f}, CRF {crf:.4f}; CRF and HMM {counts}"
    # "Generally" as a count of pairs that differ: most of all pairs.
    sure = max(row["crf_better_fdr"], row["hmm_better_fdr"]) * 2 > row["labels"]
    return Finding(measured, crf < hmm, sure)


def bigrams_won(results: Results) -> Finding:
    rows = results.rows("comparison_bigrams")[: results.facts["frequent"]]
    won = sum(row["error_hmm"] < row["error_crf"] for row in rows)
    counts = results.row("comparison", target="bigrams", scope="frequent")
    better, fdr = counts["hmm_better"], counts["hmm_better_fdr"]
    measured = f"{won} of {len(rows)}, {better} of them at p < .05, {fdr} at an FDR of .05"
    return Finding(measured, 0 < won < len(rows) / 2, sure=fdr > 0)


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
    errors = [[ReportedValue.of(row, "error", "low", "high") for row in both] for both in stages.values()]
    apart = [below(after, before) for before, after in errors]
    return all_hold(measured, apart)


def pairs_fall(results: Results) -> Finding:
    stages = {model: [row["pair_error"] for row in rows] for model, rows in _recalibrated(results).items()}
    if not stages:
        return Finding("nothing was recalibrated")
    measured = ", ".join(f"{model.upper()} {before:.2g} to {after:.2g}" for model, (before, after) in stages.items())
    return Finding(measured, all(after <= 0.6 * before for before, after in stages.values()))


def keeps_accuracy(results: Results) -> Finding:
    stages = {model: [row["accuracy"] for row in rows] for model, rows in _recalibrated(results).items()}
    if not stages:
        return Finding("nothing was recalibrated")
    measured = ", ".join(f"{model.upper()} {before:.2%} to {after:.2%}" for model, (before, after) in stages.items())
    return Finding(measured, all(after >= before - 0.001 for before, after in stages.values()))


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
    return Unclear(measured) if 0 < away <= chance else Finding(measured, away <= 0, sure=True)
