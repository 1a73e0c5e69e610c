"""Every model's module opens with its formula and a worked number: the number is what the code computes."""

from __future__ import annotations

import ast
import doctest
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, special, stats

MODELS = (
    *(f"calibration.{name}" for name in ("bands", "bias_corrected", "bootstrap", "cox", "label_planning")),
    *(f"calibration.{name}" for name in ("mean_gap", "units")),
    *(f"systems.chains.{name}" for name in ("forward_backward", "spans")),
    *(f"estimation.{name}" for name in ("group_totals", "poisson_binomial", "score")),
    *(f"estimation.{name}" for name in ("shared_effect", "unequal", "judges", "values", "classes")),
    *(f"recalibration.{name}" for name in ("fitting", "shrinkage")),
)


@pytest.mark.parametrize("model", MODELS)
def test_the_worked_number_of_a_model_is_what_its_code_computes(model):
    module = import_module(f"nlpcalib.{model}")
    parsed = doctest.DocTestParser().get_doctest(module.__doc__, vars(module).copy(), model, module.__file__, 0)
    assert parsed.examples[-1].want
    found = doctest.DocTestRunner(verbose=False).run(parsed)
    assert (found.attempted, found.failed) == (len(parsed.examples), 0)


@pytest.mark.parametrize("model", MODELS)
def test_a_model_opens_with_its_formula(model):
    path = Path(import_module(f"nlpcalib.{model}").__file__)
    first, blank, formula, *_ = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))).split("\n")
    assert first.endswith(".")
    assert not blank
    assert formula.startswith("    ")


def test_the_worked_numbers_are_those_of_independent_computations():
    """What the docstrings state, by SciPy's distributions and by hand."""
    logit = special.logit
    assert logit(0.6) / logit(0.8) == pytest.approx(0.2925, abs=5e-5)
    assert (logit(0.6) - logit(0.3)) / (logit(0.8) - logit(0.2)) == pytest.approx(0.4518, abs=5e-5)
    assert (logit(0.6) + logit(0.3)) / 2 == pytest.approx(-0.2209, abs=5e-5)
    assert stats.binom(100, 0.2).ppf([0.025, 0.975]).tolist() == [12, 28]
    exact = stats.binomtest(15, 20).proportion_ci(0.95)
    assert (exact.low - 0.5, exact.high - 0.5) == pytest.approx((0.009, 0.413), abs=5e-4)
    totals = np.arange(1001)
    kept = (stats.hypergeom(1000, totals, 100).sf(4) >= 0.025) & (stats.hypergeom(1000, totals, 100).cdf(5) >= 0.025)
    assert totals[kept][[0, -1]].tolist() == [18, 109]
    both = stats.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]]).cdf([0, 0])
    assert both == pytest.approx(1 / 3, abs=1e-6)
    assert (9 + stats.betabinom(90, 9.5, 1.5).ppf([0.025, 0.975])).tolist() == [63, 99]
    step = optimize.brentq(lambda w: 100 * np.log(3) * (0.75 - special.expit(w * np.log(3))) - 1, 0, 1)
    assert step == pytest.approx(0.9563, abs=5e-5)


def test_the_labels_that_a_plan_needs_solve_its_equation():
    """Variances of evenly spread predictions: E v² = 1/30, E v³ = 1/140, and 3/14 where an error moves labels."""
    theta, null = 0.1**2, (2 * 10 / 30) ** 0.5
    freedom = 10 * (1 / 30) ** 3 / (1 / 140) ** 2
    critical = (stats.chi2(freedom).isf(0.05) - freedom) / (2 * freedom) ** 0.5
    power = stats.norm.ppf(0.8)
    needed = optimize.brentq(
        lambda n: n * theta - critical * null - power * (null**2 + 4 * n * (3 / 14) * theta) ** 0.5, 1, 1e5
    )
    assert np.ceil(needed) + 10 == 317
