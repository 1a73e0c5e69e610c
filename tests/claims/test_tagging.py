"""Where the verdicts on the paper's claims of taggers turn."""

import math

import pytest
from scipy import special

from reproduction.claims import tagging
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(tagging)

UNDER, OVER = "9 9 9 9", "9 -9 -9 -9"


def results(same_corpus=True, **changes):
    """The paper's numbers; `changes` by table."""
    hmm, crf = "hmm", "crf"
    counts = {f"{hmm}_error": 0.03, f"{crf}_error": 0.02, f"{hmm}_better_fdr": 1, f"{crf}_better_fdr": 39}
    tables = {
        "taggers": [tagger(hmm, 0.02, UNDER), tagger(crf, 0.01, OVER)],
        "comparison": [{"target": "bigrams", "scope": "frequent", **counts}],
        "comparison_tags": [nouns(0.011, 0.01)],
        "comparison_bigrams": [
            {f"error_{hmm}": a, f"error_{crf}": b} for a, b in ((0.01, 0.02), (0.03, 0.01), (0.04, 0.02))
        ],
        "recalibration": [recalibrated(model, "none", 0.01) for model in ("hmm", "crf")]
        + [recalibrated(model, "temperature", 0.005) for model in ("hmm", "crf")],
        "tag_counts": counted(0.93, 0.97),
        "figure_1": [
            {"panel": panel, "low": 0.0, "high": high} for panel, high in zip("bcd", (0.1, 0.06, 0.01), strict=True)
        ],
    }
    return Results({**tables, **changes}, {"same_corpus": same_corpus, "frequent": 3})


def nouns(hmm, crf, p_value=0.2):
    ends = (("error", 1), ("low", 0.9), ("high", 1.1))
    sides = {f"{name}_{model}": by * each for model, each in (("hmm", hmm), ("crf", crf)) for name, by in ends}
    squared = {"squared_hmm": hmm**2, "squared_crf": crf**2}
    return {"label": "NN", **dict.fromkeys(("p_value", "p_fdr", "p_holm"), p_value), **squared, **sides}


def tagger(model, error, scores, accuracy=0.887):
    errors = {
        name: value
        for first, prefix in (("published_error", "published"), ("error", "error"))
        for name, value in ((first, error), (f"{prefix}_low", 0.9 * error), (f"{prefix}_high", 1.1 * error))
    }
    row = {
        "model": model,
        "target": "tags",
        "accuracy": accuracy,
        "direction_scores": scores,
        "test_tokens": 33_306,
        "training_sentences": 3000,
        "bin_size": 5000,
    }
    return {**row, **errors}


def recalibrated(model, how, error):
    row = {"model": model, "recalibration": how, "chosen": how != "none", "low": 0.9 * error, "high": 1.1 * error}
    return {**row, "error": error}


def counted(*held, documents=400):
    kinds = ("trained", 0.6), *(("shared effect", share) for share in held)
    return [{"posterior": kind, "held": share, "documents": documents} for kind, share in kinds]


def judged(given):
    return {name: outcome(judge(given)) for name, judge in JUDGES.items()}


def sure(given):
    return {name for name, judge in JUDGES.items() if getattr(judge(given), "sure", False)}


def test_the_two_estimates_of_the_overall_error_are_judged_apart():
    """The published estimate can favour the HMM where the one without bias favours the CRF, as on simulated text."""
    taggers = [tagger("hmm", 0.0029, UNDER), tagger("crf", 0.0038, OVER)]
    for row, error in zip(taggers, (0.0068, 0.0051), strict=True):
        row |= {"error": error, "error_low": 0.9 * error, "error_high": 1.1 * error}
    found = judged(results(taggers=taggers))
    assert (found["lower_error_published"], found["lower_error_bias_corrected"]) == ("does not hold", "holds")


def test_on_another_corpus_the_papers_accuracy_is_not_judged():
    found = judged(results(same_corpus=False))
    assert (found["accuracy"], found["same_accuracy"]) == ("not applicable", "not applicable")


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (nouns(0.011, 0.01), ("holds", True)),
        (nouns(0.014, 0.01), ("holds", False)),
        (nouns(0.01, 0.0165), ("does not hold", False)),
        (nouns(0.01, 0.03), ("does not hold", True)),
        (nouns(0.03, 0.01, None), ("not applicable", False)),
    ],
)
def test_two_errors_are_equal_if_their_intervals_leave_less_than_half_more_of_either(row, expected):
    given = results(comparison_tags=[row])
    assert (judged(given)["nouns_equal"], "nouns_equal" in sure(given)) == expected


@pytest.mark.parametrize(
    ("crf", "hmm", "tested", "expected"),
    [
        (26, 0, 37, ("holds", True)),
        (19, 0, 37, ("holds", False)),
        (13, 0, 37, ("does not hold", False)),
        (13, 24, 37, ("does not hold", True)),
        (0, 0, 0, ("unclear", False)),
    ],
)
def test_a_tag_whose_difference_no_test_sees_may_be_either_taggers(crf, hmm, tested, expected):
    """WSJ's 26 of 37 tested tags decide; 13 of 37 do not, though 32 of 45 tags are not significantly the CRF's."""
    p_values = [0.0001] * (crf + hmm) + [0.5] * (tested - crf - hmm) + [None] * (45 - tested)
    rows = [nouns(2.0 * (number < crf), 1.0, p_value) for number, p_value in enumerate(p_values)]
    found = JUDGES["most_tags"](results(comparison_tags=rows))
    assert (outcome(found), getattr(found, "sure", False)) == expected


@pytest.mark.parametrize(("p_value", "times"), [(0.04, 1.0), (0.06, 1.1), (0.3, 3.6), (0.9999, math.inf)])
def test_a_row_of_tags_and_one_of_directions_say_how_much_text_would_decide(p_value, times):
    """Where all have one p-value, its normal score has to reach 1.96: (1.96 / 1.88)² of .06, (1.96 / 1.04)² of .3."""
    found = JUDGES["most_tags"](results(comparison_tags=[nouns(0.03, 0.01, p_value)] * 9))
    assert found.text_to_decide == pytest.approx(times, abs=0.05)
    score = special.ndtri(1 - p_value / 2) / 1.96
    taggers = [tagger(model, 0.02, f"9 {score} {score} 0.001") for model in ("hmm", "crf")]
    found = JUDGES["hmm_underconfident"](results(taggers=taggers))
    assert found.text_to_decide == pytest.approx(times, abs=0.05)


def test_recalibration_is_judged_by_both_models_and_the_chosen_map():
    before = [recalibrated(model, "none", 0.01) for model in ("hmm", "crf")]
    after = [recalibrated("hmm", "temperature", 0.005), recalibrated("crf", "vector", 0.02)]
    other = recalibrated("crf", "isotonic", 0.001) | {"chosen": False}
    assert judged(results(recalibration=[*before, other, *after]))["falls"] == "does not hold"


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
    assert judged(results(recalibration=[]))["falls"] == "not applicable"
    before = [recalibrated(model, "none", 0.01) for model in ("hmm", "crf")]
    after = [recalibrated("hmm", "vector", 0.03), recalibrated("crf", "vector", 0.0095)]
    given = results(recalibration=[*before, *after])
    assert judged(given)["falls"] == "does not hold"
    assert "falls" in sure(given)
