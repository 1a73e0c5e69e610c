"""Rates of a judge are those of their definitions, and their intervals hold: exactly in small tables."""

from itertools import product
from math import factorial, prod

import numpy as np
import pytest
from scipy.stats import binomtest

from nlpcalib.errors import InputError
from nlpcalib.estimation import judges
from nlpcalib.estimation.judges import MEASURES, Verdicts, forecast_labels, judge_consistency, judge_rates
from nlpcalib.sampling.agreement import cohen_kappa


def verdicts_of(cells, repeats=1):
    """Return verdicts of a table: positive by judge and label, by the judge alone, by the label alone, by neither."""
    verdict, label = np.repeat([1.0, 1, 0, 0], cells), np.repeat([1.0, 0, 1, 0], cells)
    items = repeats * len(verdict)
    unit = None if repeats == 1 else np.tile(np.arange(len(verdict)), repeats)
    return Verdicts(np.tile(verdict, repeats), np.arange(items), np.tile(label, repeats), np.ones(items), unit)


def rates_of(verdicts, **named):
    return {each.measure: each for each in judge_rates(verdicts, **named)}


def true_rates(p, sensitivity, specificity):
    """Return the measures by their definitions, from the four cells."""
    both, judge, label, neither = (
        p * sensitivity, (1 - p) * (1 - specificity), p * (1 - sensitivity), (1 - p) * specificity,
    )  # fmt: skip
    chance = (both + judge) * (both + label) + (neither + judge) * (neither + label)
    agreed = both + neither
    values = (agreed, sensitivity, specificity, (agreed - chance) / (1 - chance), p)
    return (both, judge, label, neither), dict(zip((*MEASURES, "rate"), values, strict=True))


@pytest.mark.parametrize("cells", [(45, 5, 10, 40), (3, 1, 2, 80), (20, 0, 0, 20), (1, 30, 2, 5)])
def test_values_are_those_of_scikit_learn(cells):
    metrics = pytest.importorskip("sklearn.metrics")
    found = verdicts_of(cells)
    y, v = found.y.astype(int), found.share.astype(int)
    rates = rates_of(found)
    assert rates["accuracy"].value == pytest.approx(metrics.accuracy_score(y, v))
    assert rates["sensitivity"].value == pytest.approx(metrics.recall_score(y, v))
    assert rates["specificity"].value == pytest.approx(metrics.recall_score(y, v, pos_label=0))
    assert rates["kappa"].value == pytest.approx(metrics.cohen_kappa_score(y, v))
    assert all(each.low <= each.value <= each.high for each in rates.values())


@pytest.mark.parametrize("truth", [(0.5, 0.9, 0.9), (0.2, 0.8, 0.95), (0.05, 0.9, 0.6)])
def test_intervals_hold_exactly_in_all_tables_of_ten_items(truth, monkeypatch):
    """The probability of each table is the multinomial one; what is not defined states nothing that could be wrong."""
    monkeypatch.setattr(judges, "_LATTICE_POINTS", 128)
    cells, values = true_rates(*truth)
    held = dict.fromkeys(values, 0.0)
    for table in product(range(11), repeat=4):
        if sum(table) != 10:
            continue
        probability = factorial(10) * prod(p**n / factorial(n) for p, n in zip(cells, table, strict=True))
        if probability < 1e-5:
            held = {name: share + probability for name, share in held.items()}
            continue
        for name, rate in rates_of(verdicts_of(table)).items():
            held[name] += probability * (rate.low is None or rate.low <= values[name] <= rate.high)
    assert min(held.values()) > 0.94


def test_the_consistency_of_independent_items_has_the_interval_of_clopper_and_pearson():
    found = judge_consistency(np.repeat([1.0, 0.0], [34, 6]), None)
    exact = binomtest(34, 40).proportion_ci(0.95)
    assert (found.value, found.items) == (0.85, 40)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=0.002)


def test_items_that_stand_three_times_count_once():
    once, thrice = (rates_of(verdicts_of((45, 5, 10, 40), repeats)) for repeats in (1, 3))
    for name in once:
        assert thrice[name].value == pytest.approx(once[name].value)
        assert thrice[name].low == pytest.approx(once[name].low, abs=0.01)
        assert thrice[name].high == pytest.approx(once[name].high, abs=0.01)


def test_labels_may_be_more_frequent_under_one_verdict():
    """All of 200 positive verdicts have a label, and a twentieth of the others: rates are those of all items."""
    rng = np.random.default_rng(0)
    verdict = np.repeat([1.0, 0.0], [200, 4000])
    y = (rng.random(4200) < np.where(verdict == 1, 0.7, 0.02)).astype(float)
    rows = np.arange(400)
    rates = rates_of(Verdicts(verdict, rows, y[rows], np.ones(400)))
    assert rates["sensitivity"].low < (y[:200].sum() / y.sum()) < rates["sensitivity"].high
    assert rates["sensitivity"].high - rates["sensitivity"].low > 0.2
    naive = y[:200].sum() / y[:400].sum()
    assert naive > rates["sensitivity"].high


def test_a_missed_item_that_stands_for_many_lowers_the_sensitivity():
    verdict, y = np.repeat([1.0, 0.0], 60), np.r_[np.ones(50), np.zeros(10), 1.0, np.zeros(59)]
    heavy, light = (
        rates_of(Verdicts(verdict, np.arange(120), y, np.r_[np.ones(60), first, rest]))["sensitivity"]
        for first, rest in ((20.0, np.ones(59)), (1.0, np.full(59, 20.0)))
    )
    assert heavy.value < 0.9 < light.value
    assert heavy.low < light.low


def test_verdicts_of_a_sample_have_the_weights_of_their_labels():
    """As the labels of two people on a sample: the interval of kappa is about the bootstrap's, and no narrower."""
    rng = np.random.default_rng(4)
    weight = np.repeat([2.0, 20.0], 200)
    one = rng.random(400) < np.repeat([0.6, 0.2], 200)
    other = np.where(rng.random(400) < 0.1, ~one, one)

    def kappa(rows):
        joint = np.zeros((2, 2))
        np.add.at(joint, (one[rows].astype(int), other[rows].astype(int)), weight[rows])
        return float(cohen_kappa(joint))

    def sampled(weights):
        verdict, label = one.astype(float), other.astype(float)
        return rates_of(Verdicts(verdict, np.arange(400), label, weights, sampled=weights))["kappa"]

    found = sampled(weight)
    assert found.value == pytest.approx(kappa(np.arange(400)))
    strata = np.arange(400).reshape(2, 200)
    spread = np.std([kappa(np.concatenate([rng.choice(part, 200) for part in strata])) for _ in range(400)])
    assert 1 < (found.high - found.low) / (2 * 1.96 * spread) < 1.4
    assert (
        sampled(np.full(400, 7.0))
        == rates_of(Verdicts(one.astype(float), np.arange(400), other, np.ones(400)))["kappa"]
    )
    agreed = (one == other).astype(float)
    share = judge_consistency(agreed, None, weight=weight)
    assert share.value == pytest.approx(np.average(agreed, weights=weight))
    alike = judge_consistency(agreed, None)
    assert share.high - share.low > alike.high - alike.low


@pytest.mark.parametrize(
    ("cells", "measure", "note"),
    [
        ((0, 3, 0, 20), "sensitivity", "no labelled item is positive"),
        ((9, 0, 2, 0), "specificity", "no labelled item is negative"),
        ((0, 3, 0, 20), "kappa", "all labels are negative: agreement beyond chance cannot be seen"),
    ],
)
def test_what_is_not_defined_is_named(cells, measure, note):
    rate = rates_of(verdicts_of(cells))[measure]
    assert (rate.value, rate.low, rate.high, rate.note) == (None, None, None, note)


def test_a_verdict_without_labels_is_named_and_leaves_accuracy_open():
    found = rates_of(Verdicts(np.repeat([1.0, 0.0], 20), np.arange(20), np.ones(20), np.ones(20)))
    assert found["sensitivity"].note == "no item that the judge calls negative has a label"
    assert found["accuracy"].value == pytest.approx(0.75)
    assert found["accuracy"].high == pytest.approx(found["rate"].high)
    assert found["accuracy"].low < 0.5


def test_thirty_right_labels_show_the_accuracy_of_a_judge_that_hardly_ever_says_yes():
    verdict = np.repeat([1.0, 0.0], [20, 1980])
    found = rates_of(Verdicts(verdict, np.arange(1000, 1030), np.zeros(30), np.ones(30)))["accuracy"]
    assert found.low > binomtest(30, 30).proportion_ci().low - 0.02
    assert found.high > 0.99


def test_an_open_label_widens_the_interval_to_both_answers():
    label = np.repeat([1.0, 0, 1, 0], (45, 5, 10, 40))
    found = verdicts_of((45, 5, 10, 40))
    with_open = Verdicts(found.share, found.rows, np.r_[np.nan, label[1:]], found.weight)
    for name, rate in rates_of(with_open).items():
        for answer in (0.0, 1.0):
            other = rates_of(Verdicts(found.share, found.rows, np.r_[answer, label[1:]], found.weight))[name]
            assert rate.low <= other.low + 1e-9
            assert rate.high >= other.high - 1e-9


def test_the_forecast_reaches_its_width():
    found = verdicts_of((45, 5, 10, 40))
    labels = forecast_labels(found, "accuracy", 0.1)
    rate = rates_of(verdicts_of([round(cell * labels / 100) for cell in (45, 5, 10, 40)]))["accuracy"]
    assert rate.high - rate.low == pytest.approx(0.1, abs=0.01)
    assert forecast_labels(found, "kappa", 1e-4) is None


def test_few_units_have_wider_intervals():
    found = verdicts_of((45, 5, 10, 40))
    order = np.random.default_rng(1).permutation(100)
    few, many = (
        rates_of(Verdicts(found.share, found.rows, found.y, found.weight, order % units))["kappa"] for units in (4, 50)
    )
    assert few.high - few.low > 1.3 * (many.high - many.low)


def test_labels_that_are_none_are_refused():
    with pytest.raises(InputError, match="labels: found none"):
        judge_rates(Verdicts(np.ones(3), np.arange(0), np.ones(0), np.ones(0)))
    with pytest.raises(InputError, match="other than 0 and 1"):
        judge_rates(Verdicts(np.ones(3), np.arange(3), np.full(3, 2.0), np.ones(3)))


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.2, 0.5])
def test_intervals_hold_where_errors_of_a_document_are_alike(correlation, monkeypatch):
    monkeypatch.setattr(judges, "_LATTICE_POINTS", 128)
    rng = np.random.default_rng(2)
    _, values = true_rates(0.3, 0.9, 0.9)
    unit, kept = np.repeat(np.arange(30), 5), (1 - correlation) / correlation
    held = dict.fromkeys(values, 0)
    for _ in range(100):
        positive, missed, false = (rng.beta(p * kept, (1 - p) * kept, 30)[unit] for p in (0.3, 0.1, 0.1))
        y = rng.random(150) < positive
        verdict = y ^ (rng.random(150) < np.where(y, missed, false))
        found = rates_of(Verdicts(verdict.astype(float), np.arange(150), y.astype(float), np.ones(150), unit))
        for name, rate in found.items():
            held[name] += rate.low is None or rate.low <= values[name] <= rate.high
    assert min(held.values()) >= 88
