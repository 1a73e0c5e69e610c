"""The verdicts on the paper's claims of taggers: on tables that have its pattern, and on tables that have the other."""

import pytest

from reproduction.claims.tagging import TaggingResults, check_tagging

UNDER, OVER = ("underconfident " + " ".join([f"{side}confident"] * 3) for side in ("under", "over"))


def results(same_corpus=True, swap=False, **changes):
    """The paper's numbers, or with `swap` those of the HMM for the CRF's; `changes` by field."""
    hmm, crf = ("crf", "hmm") if swap else ("hmm", "crf")
    tables = {
        "taggers": {
            (hmm, "tags"): {"accuracy": 0.887, "calibration_error": 0.02, "directions": UNDER},
            (crf, "tags"): {"accuracy": 0.887, "calibration_error": 0.01, "directions": OVER},
        },
        "counts": {
            ("tags", "all"): {
                "labels": 47, f"{crf}_better": 40, f"{crf}_better_fdr": 39, f"{crf}_better_holm": 30,
                f"{hmm}_better": 2, f"{hmm}_better_fdr": 1, f"{hmm}_better_holm": 0,
            },
            ("bigrams", "frequent"): {"labels": 3, f"{hmm}_error": 0.03, f"{crf}_error": 0.02, f"{hmm}_better": 1},
        },
        "tags": [{"label": "NN", f"error_{hmm}": 0.014, f"error_{crf}": 0.01, "p_value": 0.2}],
        "bigrams": [{f"error_{hmm}": a, f"error_{crf}": b} for a, b in ((0.01, 0.02), (0.03, 0.01), (0.04, 0.02))],
        "recalibration": [recalibrated(model, "none", 0.01, 0.002, 0.887) for model in ("hmm", "crf")]
        + [recalibrated(model, "temperature", 0.005, 0.001, 0.8865) for model in ("hmm", "crf")],
        "tag_counts": counted(0.93, 0.97),
    }  # fmt: skip
    tables["counts"]["bigrams", "frequent"].setdefault("hmm_better", 1)
    return TaggingResults(**{**tables, **changes}, same_corpus=same_corpus)


def recalibrated(model, how, error, pair_error, accuracy):
    row = {"model": model, "recalibration": how, "chosen": how != "none"}
    return {**row, "error": error, "pair_error": pair_error, "accuracy": accuracy}


def counted(*held, documents=400):
    kinds = ("trained", 0.6), *(("shared effect", share) for share in held)
    return [{"posterior": kind, "held": share, "documents": documents} for kind, share in kinds]


def verdicts(given):
    return [row["verdict"] for row in check_tagging(given)]


def test_the_papers_own_numbers_reproduce():
    assert verdicts(results()) == ["reproduced"] * 13


def test_taggers_that_change_places_differ_where_the_claim_tells_them_apart():
    found = verdicts(results(swap=True))
    assert [place for place, each in enumerate(found) if each == "differs"] == [2, 3, 4, 5, 7, 8]


def test_on_another_corpus_the_papers_accuracy_is_not_judged():
    assert verdicts(results(same_corpus=False))[1] == "not applicable"


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        ({"error_hmm": 0.014, "error_crf": 0.01, "p_value": 0.01}, "differs"),
        ({"error_hmm": 0.03, "error_crf": 0.01, "p_value": 0.2}, "undecided"),
        ({"error_hmm": 0.03, "error_crf": 0.01, "p_value": None}, "not applicable"),
    ],
)
def test_equality_is_neither_a_difference_nor_a_test_that_was_not_possible(row, verdict):
    assert verdicts(results(tags=[{"label": "NN", **row}]))[6] == verdict


def test_recalibration_is_judged_by_both_models_and_the_chosen_map():
    before = [recalibrated(model, "none", 0.01, 0.002, 0.887) for model in ("hmm", "crf")]
    after = [recalibrated("hmm", "temperature", 0.005, 0.001, 0.887), recalibrated("crf", "vector", 0.02, 0.0015, 0.88)]
    other = recalibrated("crf", "isotonic", 0.001, None, 0.887) | {"chosen": False}
    assert verdicts(results(recalibration=[*before, other, *after]))[9:12] == ["differs"] * 3


@pytest.mark.parametrize(
    ("rows", "verdict"),
    [
        (counted(0.93, 0.99, documents=4000), "differs"),
        (counted(0.89, 0.95, documents=4000), "differs"),
        (counted(0.93, 0.99, documents=400), "undecided"),
        (counted(), "not applicable"),
    ],
)
def test_intervals_of_counts_are_judged_by_how_far_chance_takes_their_coverage(rows, verdict):
    assert verdicts(results(tag_counts=rows))[12] == verdict
