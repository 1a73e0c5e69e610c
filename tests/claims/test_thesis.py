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


def results(*, same_corpus, hmm, basic, advanced, p=0.01, spread=0.01):
    """Return results in which every measure of a model is `hmm`, `basic` or `advanced`, and nested lie between."""
    nested = nested_variants(ORDER)
    values = {"hmm_ml": hmm, "hmm_map": hmm, "crf_basic_adagrad": basic, "crf_advanced_adagrad": advanced}
    values |= dict(zip(nested, np.linspace(basic, advanced, len(nested)), strict=True))
    rows = []
    for model, value in values.items():
        row = {
            "model": model,
            "target": "one_tag",
            "mse": value**2,
            "accuracy": 0.866,
            "bin_size": 500,
            "test_tokens": 7124,
        }
        row |= dict.fromkeys(("published_error", "error", "refinement"), value)
        low, high = (1 - spread) * value, (1 + spread) * value
        rows.append(row | {"mse_low": low**2, "mse_high": high**2, "error_low": low, "error_high": high})
    compared = []
    for first, second in comparisons(ORDER):
        apart = values[second] - values[first]
        ends = {"refinement_difference": apart, "refinement_low": apart - 0.001, "refinement_high": apart + 0.001}
        squares = {"squared_first": values[first] ** 2, "squared_second": values[second] ** 2}
        compared.append({"first": first, "second": second, "p_value": p, **squares, **ends})
    facts = {"nested": nested, "same_corpus": same_corpus}
    return Results({"ablation": rows, "ablation_comparisons": compared}, facts)


@pytest.mark.parametrize(("spread", "sure"), [(0.01, True), (0.4, False)])
def test_a_half_is_sure_where_the_intervals_are_nearer_to_it_than_to_none_or_all(spread, sure):
    given = results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, spread=spread)
    assert JUDGES["basic_halves_hmm"](given).sure == sure
    assert JUDGES["near_diagonal"](given).sure == (0.015 * (1 + spread) < 0.02)


def test_a_lower_score_that_is_not_significant_decides_nothing():
    found = JUDGES["lower_score"](results(same_corpus=False, hmm=0.06, basic=0.03, advanced=0.015, p=0.2))
    assert not found.sure
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
