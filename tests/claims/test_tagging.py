"""Where the verdicts on the paper's claims of taggers turn."""

import pytest

from reproduction.claims import tagging
from reproduction.claims.verdicts import Results, judges_of, outcome

JUDGES = judges_of(tagging)

UNDER, OVER = ("underconfident " + " ".join([f"{side}confident"] * 3) for side in ("under", "over"))


def results(same_corpus=True, **changes):
    """The paper's numbers; `changes` by table."""
    hmm, crf = "hmm", "crf"
    better = {f"{hmm}_better": 2, f"{hmm}_better_fdr": 1, f"{hmm}_better_holm": 0}
    counts = {f"{crf}_better": 40, f"{crf}_better_fdr": 39, f"{crf}_better_holm": 30, "tested": 47, **better}
    bigrams = {**counts, "labels": 3, f"{hmm}_error": 0.03, f"{crf}_error": 0.02}
    tables = {
        "taggers": [tagger(hmm, 0.02, UNDER), tagger(crf, 0.01, OVER)],
        "comparison": [
            {"target": "tags", "scope": "all", "labels": 47, **counts},
            {"target": "bigrams", "scope": "frequent", **bigrams, "hmm_better_fdr": 1},
        ],
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
    return {"label": "NN", "p_value": p_value, **sides}


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
        (nouns(0.01, 0.017), ("does not hold", False)),
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
    counts = {f"{model}_{how}": n for model, n in (("crf", crf), ("hmm", hmm)) for how in ("better", "better_holm")}
    row = {"target": "tags", "scope": "all", "labels": 45, "tested": tested, **counts}
    given = results(comparison=[row | {"crf_better_fdr": crf, "hmm_better_fdr": hmm}])
    found = JUDGES["most_tags"](given)
    assert (outcome(found), getattr(found, "sure", False)) == expected


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
