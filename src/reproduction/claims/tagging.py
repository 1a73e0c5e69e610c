"""What section 4.2 of the paper claims about taggers, and whether a dataset's results bear it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nlpcalib.calibration.comparison import columns_of_comparison
from nlpcalib.io.typed_csv import read_columns
from reproduction.claims.verdicts import (
    DIFFERS,
    NOT_APPLICABLE,
    REPRODUCED,
    UNDECIDED,
    Claim,
    Row,
    judge_all,
    p_text,
    verdict,
)

_MODELS = ("hmm", "crf")
_TAGGERS = {"model": str, "target": str, "directions": str, "accuracy": float, "calibration_error": float}
_RECALIBRATION = {
    **{"model": str, "recalibration": str, "chosen": bool, "accuracy": float, "error": float},
    **{"pair_error": float | None},  # flat recalibration has no pairs of tags
}
_TAG_COUNTS = {"model": str, "tag": str, "posterior": str, "documents": int, "held": float}
_COUNTS = {
    **{"target": str, "scope": str, "labels": int},
    **{f"{model}_error": float for model in _MODELS},
    **{f"{model}_{column}": int for model in _MODELS for column in ("better", "better_fdr", "better_holm")},
}


@dataclass(frozen=True, slots=True)
class TaggingResults:
    """Tables of one dataset, as the workflow writes them."""

    taggers: Mapping[tuple[str, str], Row]
    """Rows of `taggers.csv` by model and target."""
    counts: Mapping[tuple[str, str], Row]
    """Rows of `comparison.csv` by target and scope."""
    tags: Sequence[Row]
    """Rows of `comparison_tags.csv`."""
    bigrams: Sequence[Row]
    """Rows of `comparison_bigrams.csv`, as many as the paper has."""
    recalibration: Sequence[Row]
    """Rows of `recalibration.csv`."""
    tag_counts: Sequence[Row]
    """Rows of `tag_counts.csv`."""
    same_corpus: bool
    """Whether this is the paper's corpus, so that its numbers, not only its patterns, are to be expected."""


def read_results(
    taggers: str | Path,
    comparison: str | Path,
    comparison_tags: str | Path,
    comparison_bigrams: str | Path,
    recalibration: str | Path,
    tag_counts: str | Path,
    *,
    frequent: int,
    same_corpus: bool,
) -> TaggingResults:
    """Read the tables of a dataset, and of the comparison of bigrams as many rows as are `frequent`."""
    tags, bigrams = (
        read_columns(path, columns_of_comparison(_MODELS)) for path in (comparison_tags, comparison_bigrams)
    )
    return TaggingResults(
        taggers={(row["model"], row["target"]): row for row in read_columns(taggers, _TAGGERS)},
        counts={(row["target"], row["scope"]): row for row in read_columns(comparison, _COUNTS)},
        tags=tags,
        bigrams=bigrams[:frequent],
        recalibration=read_columns(recalibration, _RECALIBRATION),
        tag_counts=read_columns(tag_counts, _TAG_COUNTS),
        same_corpus=same_corpus,
    )


def check_tagging(results: TaggingResults) -> list[dict]:
    """Return one row per claim; see `reproduction.claims.verdicts.judge_all`."""
    return judge_all(CLAIMS, results)


def _number(results: TaggingResults, model: str, column: str, target: str = "tags") -> float:
    return results.taggers[model, target][column]


def _same_accuracy(results: TaggingResults) -> tuple[str, str]:
    hmm, crf = (_number(results, model, "accuracy") for model in ("hmm", "crf"))
    return f"HMM {hmm:.1%}, CRF {crf:.1%}", verdict(abs(hmm - crf) < 0.02)


def _accuracy(results: TaggingResults) -> tuple[str, str]:
    hmm, crf = (_number(results, model, "accuracy") for model in ("hmm", "crf"))
    near = max(abs(hmm - 0.887), abs(crf - 0.887)) < 0.01
    return f"HMM {hmm:.1%}, CRF {crf:.1%}", verdict(near) if results.same_corpus else NOT_APPLICABLE


def _direction(model: str, under: bool) -> Callable[[TaggingResults], tuple[str, str]]:
    def judge(results: TaggingResults) -> tuple[str, str]:
        row = results.taggers[model, "tags"]
        directions = row["directions"].split()[1:]  # below ¼ lie almost all pairs, and hardly any difference
        measured = f"{', '.join(directions)} in the upper three quarters of [0, 1]"
        found, contrary = (
            directions.count(f"{side}confident") for side in (("under", "over") if under else ("over", "under"))
        )
        return measured, UNDECIDED if found == contrary else verdict(found > contrary)

    return judge


def _lower_error(results: TaggingResults) -> tuple[str, str]:
    hmm, crf = (_number(results, model, "calibration_error") for model in ("hmm", "crf"))
    return f"HMM {hmm:.4f}, CRF {crf:.4f}", verdict(crf < hmm)


def _most_tags(results: TaggingResults) -> tuple[str, str]:
    row = results.counts["tags", "all"]
    counts = ", ".join(
        f"{row[f'crf_{column}']} and {row[f'hmm_{column}']} {how}"
        for column, how in (("better", "at p < .05"), ("better_fdr", "at an FDR of .05"), ("better_holm", "after Holm"))
    )
    return f"CRF and HMM better: {counts}, of {row['labels']}", verdict(2 * row["crf_better_fdr"] > row["labels"])


def _nouns_equal(results: TaggingResults) -> tuple[str, str]:
    row = next((row for row in results.tags if row["label"] == "NN"), None)
    if row is None or row["p_value"] is None:
        return "no tag NN, or too few", NOT_APPLICABLE
    hmm, crf, p = (row[column] for column in ("error_hmm", "error_crf", "p_value"))
    near = max(hmm, crf) < 1.5 * min(hmm, crf)
    return f"HMM {hmm:.4f}, CRF {crf:.4f}, {p_text(p)}", DIFFERS if p < 0.05 else REPRODUCED if near else UNDECIDED


def _bigrams_lower(results: TaggingResults) -> tuple[str, str]:
    row = results.counts["bigrams", "frequent"]
    hmm, crf = row["hmm_error"], row["crf_error"]
    return f"mean of {row['labels']}: HMM {hmm:.4f}, CRF {crf:.4f}", verdict(crf < hmm)


def _bigrams_won(results: TaggingResults) -> tuple[str, str]:
    rows = results.bigrams
    won = sum(row["error_hmm"] < row["error_crf"] for row in rows)
    sure = results.counts["bigrams", "frequent"]["hmm_better"]
    return f"{won} of {len(rows)}, {sure} of them at p < .05", verdict(0 < won < len(rows) / 2)


def _recalibrated(results: TaggingResults) -> dict[str, tuple[Row, Row]]:
    """Return the rows of each model without recalibration and with the one that the development set chose."""
    found: dict[str, list[Row]] = {}
    for row in results.recalibration:
        if row["recalibration"] == "none" or row["chosen"]:
            found.setdefault(row["model"], []).append(row)
    return {model: (rows[0], rows[-1]) for model, rows in found.items()}


def _falls(column: str, by: float) -> Callable[[TaggingResults], tuple[str, str]]:
    def judge(results: TaggingResults) -> tuple[str, str]:
        stages = {model: (before[column], after[column]) for model, (before, after) in _recalibrated(results).items()}
        measured = ", ".join(
            f"{model.upper()} {before:.2g} to {after:.2g}" for model, (before, after) in stages.items()
        )
        return measured, verdict(all(after <= (1 - by) * before for before, after in stages.values()))

    return judge


def _keeps_accuracy(results: TaggingResults) -> tuple[str, str]:
    stages = {
        model: (before["accuracy"], after["accuracy"]) for model, (before, after) in _recalibrated(results).items()
    }
    measured = ", ".join(f"{model.upper()} {before:.2%} to {after:.2%}" for model, (before, after) in stages.items())
    return measured, verdict(all(after >= before - 0.001 for before, after in stages.values()))


def _counts_held(results: TaggingResults) -> tuple[str, str]:
    shares = [row["held"] for row in results.tag_counts if row["posterior"] == "shared effect"]
    if not shares:
        return "none of the tags to count", NOT_APPLICABLE
    before = [row["held"] for row in results.tag_counts if row["posterior"] == "trained"]
    documents = results.tag_counts[0]["documents"]
    measured = (
        f"in {min(shares):.1%} to {max(shares):.1%} of {documents} documents, as trained "
        f"{min(before):.1%} to {max(before):.1%}"
    )
    away = max(0.92 - min(shares), max(shares) - 0.98)
    # By chance the share of so many documents is this far from what is expected.
    chance = 2 * (0.95 * 0.05 / documents) ** 0.5
    return measured, REPRODUCED if away <= 0 else UNDECIDED if away <= chance else DIFFERS


CLAIMS = (
    Claim(
        "4.2.1", "Trained on 3,000 sentences, the CRF is as accurate as the HMM (here: within 2 points)", _same_accuracy
    ),
    Claim("4.2.1", "Both are about 88.7 % accurate", _accuracy),
    Claim(
        "4.2.2, Figure 3(a)",
        "The HMM tends to be very underconfident (the direction is judged)",
        _direction("hmm", under=True),
    ),
    Claim("4.2.2, Figure 3(b)", "The CRF is overconfident", _direction("crf", under=False)),
    Claim("4.2.2, Figure 3", "The CRF has the lower overall calibration error", _lower_error),
    Claim(
        "4.2.2, Figure 4(a)",
        "The CRF is significantly better in most categories, 39 of 47 (here: at an FDR of .05)",
        _most_tags,
    ),
    Claim(
        "4.2.2, Figure 4(a)",
        "Both are about equally calibrated on NN (here: errors within a factor of 1.5)",
        _nouns_equal,
    ),
    Claim("4.2.3, Figure 4(b)", "The CRF is generally better on pairs of tags", _bigrams_lower),
    Claim("4.2.3, Figure 4(b)", "The HMM has the lower error in some pairs of tags (29 of 100)", _bigrams_won),
    Claim(
        "docs/results/recalibration",
        "Recalibrated on the development set, both have a lower error over all tags (bias-corrected)",
        _falls("error", 0.0),
    ),
    Claim(
        "docs/results/recalibration",
        "... and a mean squared error over pairs of tags that is at least 40 % lower",
        _falls("pair_error", 0.4),
    ),
    Claim("docs/results/recalibration", "... and lose at most 0.1 points of accuracy", _keeps_accuracy),
    Claim(
        "docs/results/recalibration",
        "With a shared effect, 95 % intervals for the number of a tag in a document hold it in 92 to 98 %",
        _counts_held,
    ),
)
