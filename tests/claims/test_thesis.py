"""The verdicts on the thesis' claims of taggers."""

import math

import numpy as np
import pytest

from reproduction.claims import thesis
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.tagging.templates import TEMPLATES
from reproduction.tagging.variants import comparisons, nested_variants

JUDGES = judges_of(thesis)

ORDER = list(TEMPLATES)
OF_THE_CORPUS = {"scores", "accuracy_96", "accuracy_87"}
"""Claims about numbers of the thesis' own corpora."""


def results(*, same_corpus, hmm, basic, advanced, p=0.01, spread=0.01):
    """Return results in which every measure of a model is `hmm`, `basic` or `advanced`, and nested lie between."""
    nested = nested_variants(ORDER)
    values = {"hmm_ml": hmm, "hmm_map": hmm, "crf_basic_adagrad": basic, "crf_advanced_adagrad": advanced}
    values |= dict(zip(nested, np.linspace(basic, advanced, len(nested)), strict=True))
    rows = []
    for model, value in values.items():
        row = {"model": model, "target": "one_tag", "mse": value**2, "accuracy": 0.866, "bin_size": 500}
        row |= dict.fromkeys(("published_error", "error", "refinement"), value)
        low, high = (1 - spread) * value, (1 + spread) * value
        rows.append(row | {"mse_low": low**2, "mse_high": high**2, "error_low": low, "error_high": high})
    compared = []
    for first, second in comparisons(ORDER):
        apart = values[second] - values[first]
        ends = {"refinement_difference": apart, "refinement_low": apart - 0.001, "refinement_high": apart + 0.001}
        compared.append({"first": first, "second": second, "p_value": p, **ends})
    facts = {"nested": nested, "same_corpus": same_corpus}
    return Results({"ablation": rows, "ablation_comparisons": compared}, facts)


def judged(given):
    return {name: outcome(judge(given)) for name, judge in JUDGES.items()}


def test_what_the_thesis_says_holds_where_it_is_so():
    found = judged(results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015))
    assert {name for name, each in found.items() if each == "not applicable"} == OF_THE_CORPUS
    assert set(found.values()) == {"holds", "not applicable"}


def test_what_is_the_other_way_round_does_not():
    found = judged(results(same_corpus=True, hmm=0.02, basic=0.03, advanced=0.04))
    assert {name for name, each in found.items() if each == "holds"} == {"accuracy_87"}


@pytest.mark.parametrize(("spread", "sure"), [(0.01, True), (0.3, False)])
def test_a_half_is_sure_where_the_intervals_lie_between_a_third_and_two_thirds(spread, sure):
    given = results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, spread=spread)
    assert JUDGES["basic_halves_hmm"](given).sure == sure
    assert JUDGES["near_diagonal"](given).sure == (0.015 * (1 + spread) < 0.02)


def test_a_lower_score_that_is_not_significant_does_not_hold():
    found = JUDGES["lower_score"](results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, p=0.2))
    assert outcome(found) == "does not hold"
    assert "p = 0.2" in found.measured


def test_a_lower_score_that_cannot_be_tested_decides_nothing():
    found = JUDGES["lower_score"](results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, p=math.nan))
    assert outcome(found) == "unclear"
    assert "too few units for a test" in found.measured


def test_accuracies_are_those_of_all_templates_by_each_optimiser():
    """The last of the nested variants has all templates, as the model that AdaGrad trains."""
    given = results(same_corpus=True, hmm=0.06, basic=0.03, advanced=0.015)
    given.row("ablation", model=given.facts["nested"][-1])["accuracy"] = 0.871
    assert JUDGES["accuracy_87"](given).measured == "86.6% by AdaGrad, 87.1% by L-BFGS"
