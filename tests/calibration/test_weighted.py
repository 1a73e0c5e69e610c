"""A table that a plan annotated has the calibration of its corpus: weights stand for what was not read."""

import numpy as np
import pytest
from scipy.special import expit

import nlpcalib as nc
from nlpcalib.calibration.bias_corrected import squared_error
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.cox import score_test
from nlpcalib.calibration.weighted import weighted_bins, weighted_pairs
from nlpcalib.errors import InputError


def test_the_error_is_that_of_loops_over_bins_and_units():
    random = np.random.default_rng(0)
    q, weight, unit = random.random(60), random.uniform(1, 9, 60), random.integers(0, 25, 60)
    y = random.random(60) < q**1.3
    pairs = weighted_pairs(q, y, weight, unit)
    starts = pairs.half_information_starts(4)
    ends = np.append(starts[1:], 60)
    order, value = np.lexsort((y, q)), 0.0
    for first, last in zip(starts, ends, strict=True):
        rows = order[first:last]
        residual, mass = weight[rows] * (y[rows] - q[rows]), weight[rows]
        own = [unit[rows] == each for each in set(unit[rows])]
        products = residual.sum() ** 2 - sum(residual[each].sum() ** 2 for each in own)
        pairs_of_units = mass.sum() ** 2 - sum(mass[each].sum() ** 2 for each in own)
        value += mass.sum() / weight.sum() * products / pairs_of_units
    assert squared_error(pairs, starts).value[0] == pytest.approx(value)
    curve = weighted_bins(pairs, starts)
    rows = order[starts[1] : ends[1]]
    assert curve.label_frequency[1] == pytest.approx(np.average(y[rows], weights=weight[rows]))
    assert curve.mean_prediction[1] == pytest.approx(np.average(q[rows], weights=weight[rows]))


def test_equal_weights_are_pairs_that_are_units_of_their_own_whatever_they_weigh():
    random = np.random.default_rng(1)
    q = random.random(3000)
    y = random.random(3000) < q**1.2
    plain, units = SortedPairs(q, y), SortedPairs(q, y, np.arange(3000))
    starts = plain.half_information_starts(20)
    seven = squared_error(weighted_pairs(q, y, np.full(3000, 7.0)), starts)
    for same in (squared_error(plain, starts), squared_error(units, starts)):
        assert seven.value == pytest.approx(same.value)
        assert np.concatenate(seven.interval()) == pytest.approx(np.concatenate(same.interval()), rel=0.03)


def test_the_corpus_is_measured_and_not_the_sample():
    """What is hard is drawn more often, and overconfident there: the sample's error is larger than the corpus's."""
    random = np.random.default_rng(2)
    z = random.normal(-3, 2, 40_000)
    q, truth = expit(z), np.where(np.abs(z) < 1, 0.5, expit(z))
    y = random.random(40_000) < truth
    inclusion = np.where(np.abs(z) < 1, 0.3, 0.02)
    drawn = random.random(40_000) < inclusion
    error = np.sqrt(np.mean((truth - q) ** 2))
    corpus = nc.calibrate(nc.read(q[drawn], y=y[drawn], plan=inclusion[drawn]))
    sample = nc.calibrate(q[drawn], y[drawn])
    assert corpus.interval[0] <= error <= corpus.interval[1] < sample.interval[0]
    assert corpus.prevalence == pytest.approx(y.mean(), abs=0.02)
    assert corpus.brier == pytest.approx(np.mean((y - q) ** 2), abs=0.01)
    assert corpus.effective_labels < drawn.sum() / 2


@pytest.mark.slow
@pytest.mark.parametrize("model", ["overconfident", "blind", "calibrated"])
@pytest.mark.parametrize("even", [0.5, 0.1])
def test_intervals_of_active_designs_hold(model, even):
    """At the level .95. docs/explanation/method.md has 400 draws a cell."""
    held = []
    for draw in range(100):
        random = np.random.default_rng([3, draw])
        z = random.normal(-2.2, 2.2, 10_000)
        q = expit(z)
        truth = {"overconfident": expit(0.6 * z), "blind": np.where(q < 0.02, 0.03, q), "calibrated": q}[model]
        doubt = np.sqrt(q * (1 - q))
        inclusion = np.minimum(1, 300 * ((1 - even) * doubt / doubt.sum() + even / 10_000))
        drawn = random.random(10_000) < inclusion
        y = random.random(10_000)[drawn] < truth[drawn]
        low, high = nc.calibrate(nc.read(q[drawn], y=y, plan=inclusion[drawn])).interval
        held.append(low <= np.sqrt(np.mean((truth - q) ** 2)) <= high)
    assert np.mean(held) >= 0.9


@pytest.mark.parametrize(
    ("given", "asked", "message"),
    [
        ({"plan": np.ones(3)}, {}, r"plan: found an array of shape \(3,\), expected \(40,\)"),
        ({"plan": np.zeros(40)}, {}, "found numbers that no sample has, expected 0 to 1, and more than 0"),
        ({"plan": np.ones(40)}, {"bin_size": 5}, "bin_size: found 5 with yes or no drawn with probabilities"),
        ({"settled": "sheet.csv"}, {}, "settled: found 'sheet.csv'"),
    ],
)
def test_what_probabilities_of_drawing_cannot_be_is_refused(given, asked, message):
    q = np.linspace(0.01, 0.99, 40)
    with pytest.raises(InputError, match=message):
        nc.calibrate(nc.read(q, y=np.arange(40) % 2, **given), **asked)


def test_a_plan_has_the_weights(tmp_path):
    random = np.random.default_rng(4)
    q = random.beta(0.3, 2, 4000)
    y = (random.random(4000) < q).astype(float)
    plan = nc.plan_items(q, budget=300, design="stratified")
    labels = dict(zip(plan.rows.tolist(), y[plan.rows].tolist(), strict=True))
    table = nc.read(q, labels, plan=plan)
    found, same = nc.calibrate(table), table.sample
    weights = same.weights[same.stratum[same.rows]]
    assert found.n == 300
    assert weights.sum() == pytest.approx(4000)
    again = nc.calibrate(nc.read(q[same.rows], y=y[same.rows], plan=weights.min() / weights))
    assert found.error == pytest.approx(again.error, abs=1e-15)
    found.save(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir())[0] == "bins.csv"


def test_the_test_of_a_line_is_of_the_corpus():
    random = np.random.default_rng(6)
    q = np.repeat(random.beta(1, 2, 400), 5)
    kind = np.tile(np.arange(5) == 0, 400)  # a fifth of the corpus errs one way, and the others the other way
    y = random.random(2000) < np.where(kind, q + q * (1 - q), q - 0.25 * q * (1 - q))
    drawn = kind | (random.random(2000) < 0.25)
    weight = np.where(kind, 1.0, 4.0)[drawn]
    assert score_test(SortedPairs(q[drawn], y[drawn]))[1] < 0.001
    assert score_test(weighted_pairs(q[drawn], y[drawn], weight))[1] > 0.1


def test_a_planned_sample_names_an_error_that_only_the_test_of_a_line_shows():
    random = np.random.default_rng(5)
    odds = random.normal(-1.5, 2, 5000)
    q, y = expit(1.3 * odds), random.random(5000) < expit(odds)
    plan = nc.plan_items(nc.read(q), budget=300, design="stratified", seed=2)
    labels = {row: float(y[row]) for row in plan.rows.tolist()}
    report = nc.calibrate(nc.read(q, labels, plan=plan.plan))
    assert report.interval[0] == 0
    assert "; intercept and slope show an error (Cox's test, p = .002," in report.lines()[1]
    assert report.advice() == "recalibrate, then measure again"


def test_a_planned_sample_names_an_error_that_only_its_groups_show():
    random = np.random.default_rng(8)
    q, group = random.uniform(0.3, 0.7, 4000), random.choice(["high", "low"], 4000)
    y = random.random(4000) < np.where(group == "high", q + 0.25, q - 0.25)
    plan = nc.plan_items(nc.read(q, by={"group": group}), budget=400, by="group", design="stratified", seed=1)
    labels = {row: float(y[row]) for row in plan.rows.tolist()}
    report = nc.calibrate(nc.read(q, labels, plan=plan.plan, by={"group": group}), by="group")
    assert report.interval[0] == 0
    assert "an error is shown in high, low" in report.lines()
    assert report.advice() == "recalibrate, then measure again"
