"""Coverage is measured on independent draws, and regimes drawn at random are as they promise."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.seeding import generator
from reproduction.simulation.regimes import Regime
from studies.simulation.coverage import draws, error_coverage_rows
from studies.simulation.generated import TableRegime
from studies.simulation.intervals import REGIMES, interval_rows

N = 200_000


def test_replicates_do_not_depend_on_which_others_are_drawn():
    regime = Regime("mild", "skewed", "sentences")
    alone = [next(iter(draws(regime, 500, [number], seed=4))) for number in range(3)]
    for one, other in itertools.zip_longest(alone, draws(regime, 500, range(3), seed=4)):
        np.testing.assert_array_equal(one.q, other.q)
        np.testing.assert_array_equal(one.y, other.y)
        np.testing.assert_array_equal(one.unit, other.unit)


def test_rows_of_coverage_add_up():
    regime = Regime("strong", "uniform", "sentences")
    names = ["adaptive_rms/algorithm2", "bias_corrected_rms/cluster_score", "cox_rms"]
    rows = error_coverage_rows(regime, 3000, names, replicates=40, bin_size=100, samples=20, seed=0)
    assert [row["estimator"] for row in rows] == ["adaptive_rms", "bias_corrected_rms", "cox_rms"]
    for row in rows[:2]:
        assert row["coverage"] + row["below"] + row["above"] == pytest.approx(1)
        assert row["rmse"] >= abs(row["bias"])
        assert row["truth"] == regime.squared_error() ** 0.5
    assert rows[1]["coverage"] >= 0.85
    assert rows[2]["coverage"] is rows[2]["width"] is None


def test_methods_for_units_are_left_out_where_pairs_are_independent():
    rows = error_coverage_rows(
        Regime("mild", "uniform", "independent"),
        500,
        ["bias_corrected_rms/score", "bias_corrected_rms/cluster_score"],
        replicates=3,
        bin_size=100,
        samples=2,
        seed=0,
    )
    assert [row["interval"] for row in rows] == ["score"]


@pytest.mark.parametrize("number", range(12))
def test_labels_of_a_regime_drawn_at_random_follow_its_curve_and_its_error_is_the_true_one(number):
    """The curve is a mean over phases of the season, where each is as likely as it is to make the prediction."""
    drawn = TableRegime.drawn(3, number)
    assert drawn == TableRegime.drawn(3, number) != TableRegime.drawn(4, number)
    regime = replace(drawn, units=0)
    q, y, _ = regime.draw(N, generator(0, "pairs", number))
    frequency = regime.frequency(q)
    assert np.mean((q - frequency) ** 2) == pytest.approx(regime.squared_error(), rel=0.03, abs=1e-12)
    for part in np.array_split(np.argsort(q, kind="stable"), 10):
        error = np.sqrt(np.sum(frequency[part] * (1 - frequency[part]))) / part.size
        assert np.mean(y[part]) == pytest.approx(np.mean(frequency[part]), abs=4.5 * error)


def test_pairs_of_a_unit_err_together_and_units_are_unequal():
    regime = replace(
        TableRegime.drawn(3, 0), units=200, unequal=1.2, shared_labels=0.4, shared_predictions=0.4, values=0
    )
    q, y, unit = regime.draw(20_000, generator(0, "units"))
    totals, sizes = np.bincount(unit, y - regime.frequency(q)), np.bincount(unit)
    assert np.var(totals) > 5 * np.sum(q * (1 - q)) / len(sizes)
    assert sizes.max() > 8 * np.median(sizes)


def test_three_intervals_are_measured_on_the_same_tables_each_with_its_units():
    rows = list(interval_rows("overconfident, unequal units", 500, 20, seed=1))
    assert [row["interval"] for row in rows] == ["score", "bootstrap", "Algorithm 2"]
    assert {row["truth"] for row in rows} == {REGIMES["overconfident, unequal units"].squared_error() ** 0.5}
    perfect = {row["interval"]: row["coverage"] for row in interval_rows("perfect", 500, 20, seed=1)}
    assert perfect["Algorithm 2"] == 0  # it never holds a perfect model
    assert min(perfect["score"], perfect["bootstrap"]) >= 0.75
