"""The verdicts on the paper's claims of taggers: on tables that have its pattern, and on tables that have the other."""

import pytest

from reproduction.claims import tagging
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(tagging)

UNDER, OVER = ("underconfident " + " ".join([f"{side}confident"] * 3) for side in ("under", "over"))


def results(same_corpus=True, swap=False, **changes):
    """The paper's numbers, or with `swap` those of the HMM for the CRF's; `changes` by table."""
    hmm, crf = ("crf", "hmm") if swap else ("hmm", "crf")
    better = {f"{hmm}_better": 2, f"{hmm}_better_fdr": 1, f"{hmm}_better_holm": 0}
    counts = {f"{crf}_better": 40, f"{crf}_better_fdr": 39, f"{crf}_better_holm": 30, **better}
    bigrams = {**counts, "labels": 3, f"{hmm}_error": 0.03, f"{crf}_error": 0.02}
    tables = {
        "taggers": [tagger(hmm, 0.02, UNDER), tagger(crf, 0.01, OVER)],
        "comparison": [
            {"target": "tags", "scope": "all", "labels": 47, **counts},
            {"target": "bigrams", "scope": "frequent", **bigrams, "hmm_better_fdr": 1},
        ],
        "comparison_tags": [{"label": "NN", f"error_{hmm}": 0.014, f"error_{crf}": 0.01, "p_value": 0.2}],
        "comparison_bigrams": [
            {f"error_{hmm}": a, f"error_{crf}": b} for a, b in ((0.01, 0.02), (0.03, 0.01), (0.04, 0.02))
        ],
        "recalibration": [recalibrated(model, "none", 0.01, 0.002, 0.887) for model in ("hmm", "crf")]
        + [recalibrated(model, "temperature", 0.005, 0.001, 0.8865) for model in ("hmm", "crf")],
        "tag_counts": counted(0.93, 0.97),
    }
    return Results({**tables, **changes}, {"same_corpus": same_corpus, "frequent": 3})


def tagger(model, error, directions, accuracy=0.887):
    errors = {
        name: value
        for first, prefix in (("published_error", "published"), ("error", "error"))
        for name, value in ((first, error), (f"{prefix}_low", 0.9 * error), (f"{prefix}_high", 1.1 * error))
    }
    row = {
        "model": model,
        "target": "tags",
        "accuracy": accuracy,
        "directions": directions,
        "test_tokens": 33_306,
        "bin_size": 5000,
    }
    return {**row, **errors}


def recalibrated(model, how, error, pair_error, accuracy):
    row = {"model": model, "recalibration": how, "chosen": how != "none", "low": 0.9 * error, "high": 1.1 * error}
    return {**row, "error": error, "pair_error": pair_error, "accuracy": accuracy}


def counted(*held, documents=400):
    kinds = ("trained", 0.6), *(("shared effect", share) for share in held)
    return [{"posterior": kind, "held": share, "documents": documents} for kind, share in kinds]


def judged(given):
    return {name: outcome(judge(given)) for name, judge in JUDGES.items()}


def sure(given):
    return {name for name, judge in JUDGES.items() if getattr(judge(given), "sure", False)}


def test_the_papers_own_numbers_hold():
    assert set(judged(results()).values()) == {"holds"}


def test_only_point_estimates_leave_a_doubt():
    assert JUDGES.keys() - sure(results()) == {
        "nouns_equal", "bigrams_lower", "bigrams_won", "pairs_fall", "keeps_accuracy",
        "counts_held",
    }  # fmt: skip


def test_taggers_that_change_places_do_not_hold_where_the_claim_distinguishes_them():
    found = judged(results(swap=True))
    assert {name for name, each in found.items() if each == "does not hold"} == {
        "hmm_underconfident", "crf_overconfident", "lower_error_published", "lower_error_bias_corrected", "most_tags",
        "bigrams_lower", "bigrams_won",
    }  # fmt: skip


def test_the_two_estimates_of_the_overall_error_are_judged_apart():
    """The published estimate can favour the HMM where the one without bias favours the CRF, as on simulated text."""
    taggers = [tagger("hmm", 0.0029, UNDER), tagger("crf", 0.0038, OVER)]
    for row, error in zip(taggers, (0.0068, 0.0051), strict=True):
        row |= {"error": error, "error_low": 0.9 * error, "error_high": 1.1 * error}
    found = judged(results(taggers=taggers))
    assert (found["lower_error_published"], found["lower_error_bias_corrected"]) == ("does not hold", "holds")


def test_on_another_corpus_the_papers_accuracy_is_not_judged():
    assert judged(results(same_corpus=False))["accuracy"] == "not applicable"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"error_hmm": 0.014, "error_crf": 0.01, "p_value": 0.01}, "does not hold"),
        ({"error_hmm": 0.03, "error_crf": 0.01, "p_value": 0.2}, "does not hold"),
        ({"error_hmm": 0.03, "error_crf": 0.01, "p_value": None}, "not applicable"),
    ],
)
def test_equality_is_neither_a_difference_nor_a_test_that_was_not_possible(row, expected):
    given = results(comparison_tags=[{"label": "NN", **row}])
    assert judged(given)["nouns_equal"] == expected
    assert ("nouns_equal" in sure(given)) == (row["p_value"] == 0.01)


def test_recalibration_is_judged_by_both_models_and_the_chosen_map():
    before = [recalibrated(model, "none", 0.01, 0.002, 0.887) for model in ("hmm", "crf")]
    after = [recalibrated("hmm", "temperature", 0.005, 0.001, 0.887), recalibrated("crf", "vector", 0.02, 0.0015, 0.88)]
    other = recalibrated("crf", "isotonic", 0.001, None, 0.887) | {"chosen": False}
    found = judged(results(recalibration=[*before, other, *after]))
    assert {found[name] for name in ("falls", "pairs_fall", "keeps_accuracy")} == {"does not hold"}


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (counted(0.93, 0.99, documents=4000), "does not hold"),
        (counted(0.89, 0.95, documents=4000), "does not hold"),
        (counted(0.93, 0.99, documents=400), "unclear"),
        (counted(0.91, documents=150), "unclear"),
        (counted(0.93, 0.98, documents=300), "holds"),
        (counted(), "not applicable"),
    ],
)
def test_intervals_of_counts_are_judged_by_how_far_chance_takes_their_coverage(rows, expected):
    assert judged(results(tag_counts=rows))["counts_held"] == expected


def test_what_was_not_recalibrated_is_not_judged_and_one_that_surely_got_worse_is_enough():
    names = ("falls", "pairs_fall", "keeps_accuracy")
    assert {judged(results(recalibration=[]))[name] for name in names} == {"not applicable"}
    before = [recalibrated(model, "none", 0.01, 0.002, 0.887) for model in ("hmm", "crf")]
    after = [recalibrated("hmm", "vector", 0.03, 0.002, 0.887), recalibrated("crf", "vector", 0.0095, 0.002, 0.887)]
    given = results(recalibration=[*before, *after])
    assert judged(given)["falls"] == "does not hold"
    assert "falls" in sure(given)
