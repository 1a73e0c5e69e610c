"""Directions, bars, noise floor, units and notices where the instrument once failed; each claim has a known truth."""

import json
import warnings

import numpy as np
import pytest
from scipy import special
from scipy.optimize import brentq

from nlpcalib.calibration import Categories, Pairs, SortedPairs, measure_calibration
from nlpcalib.calibration.bands import clustered_bins
from nlpcalib.calibration.direction import region_gaps
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.hypothesis_tests import TESTS
from nlpcalib.calibration.intervals import mean_square, noise_floor
from nlpcalib.calibration.items import UnitWarning, with_item_units
from nlpcalib.calibration.label_planning import LabelVariance, labels_needed
from nlpcalib.calibration.units import effective_freedom
from nlpcalib.errors import InputError
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import write_report
from reproduction.simulation.regimes import Regime
from reproduction.tagging.label_comparison import compare_labels
from studies.simulation.coverage import draws

SETTINGS = {"bin_size": 100, "samples": 50, "seed": 0}
FEW = pytest.mark.filterwarnings("ignore::nlpcalib.calibration.SmallSampleWarning")


def units_of(sizes, rng):
    """Return perfect predictions and labels of units that are wrong together, and their units."""
    unit = np.repeat(np.arange(sizes.size), sizes)

    def uniform():
        latent = np.sqrt(0.9) * rng.standard_normal(unit.size)
        return special.ndtr(latent + np.sqrt(0.1) * rng.standard_normal(sizes.size)[unit])

    q = uniform()
    return q, uniform() < q, unit


def log_normal_sizes(units, rng, n=3000):
    share = rng.lognormal(size=units)
    return np.maximum(np.round(share / share.sum() * n).astype(int), 1)


def giant_sizes(units, rng, n=3000):
    return np.append(np.full(units - 1, int(0.6 * n / units)), int(0.4 * n))


@pytest.mark.parametrize(("sizes", "units"), [(log_normal_sizes, 20), (log_normal_sizes, 200), (giant_sizes, 50)])
def test_a_perfect_model_is_given_no_direction_whatever_the_sizes_of_units(sizes, units):
    wrong, trials = 0, 150
    for trial in range(trials):
        rng = np.random.default_rng([units, trial])
        regions = region_gaps(*units_of(sizes(units, rng), rng))
        wrong += any(region.direction in ("underconfident", "overconfident") for region in regions)
    assert wrong / trials <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / trials)


@pytest.mark.parametrize(("density", "n"), [("verbalised", 50), ("uniform", 50), ("rare", 10_000)])
def test_a_perfect_model_is_given_no_direction_by_few_events_or_few_values(density, n):
    wrong, trials = 0, 200
    for pairs in draws(Regime("calibrated", density, "independent"), n, range(trials), seed=9):
        regions = region_gaps(pairs.q, pairs.y, None)
        wrong += any(region.direction in ("underconfident", "overconfident") for region in regions)
    assert wrong / trials <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / trials)


def test_directions_are_still_found():
    (pairs,) = draws(Regime("strong", "uniform", "independent"), 3000, [0], seed=1)
    directions = [region.direction for region in region_gaps(pairs.q, pairs.y, None)]
    assert (directions[0], directions[-1]) == ("underconfident", "overconfident")


@pytest.mark.parametrize("sizes", [log_normal_sizes, lambda units, rng: np.full(units, 60)])
@pytest.mark.parametrize("units", [10, 50])
def test_bars_cover_the_frequencies_of_bins_whatever_the_units(sizes, units):
    held, bars, plain = 0, 0, 0
    for trial in range(60):
        rng = np.random.default_rng([units, trial])
        pairs = SortedPairs(*units_of(sizes(units, rng), rng))
        starts = pairs.adaptive_starts(len(pairs) // 8)
        truth = np.add.reduceat(pairs.q, starts) / np.diff(starts, append=len(pairs))
        for used in (pairs, pairs.without_units()):
            low, high = clustered_bins(used, starts).frequency_interval()
            covered = np.count_nonzero((low <= truth) & (truth <= high))
            held, plain = (held + covered, plain) if used is pairs else (held, plain + covered)
        bars += starts.size
    assert held / bars >= 0.93
    assert plain < held


def test_the_noise_floor_of_verbalised_confidences_is_what_a_perfect_model_shows():
    rng = np.random.default_rng(0)
    q = rng.choice([0.5, 0.6, 0.7, 0.8, 0.9, 1.0], 5000)
    squares = []
    for _ in range(200):
        pairs = SortedPairs(q, rng.random(q.size) < q)
        starts = pairs.adaptive_starts(100)
        squares.append(mean_square(pairs.summarise(starts)))
    assert noise_floor(pairs, starts) == pytest.approx(np.mean(squares) ** 0.5, rel=0.1)
    whole = np.flatnonzero(np.diff(pairs.q, prepend=-1.0))
    alone = np.sum(np.add.reduceat(pairs.q * (1 - pairs.q), whole) / np.diff(whole, append=5000)) / 5000
    assert noise_floor(pairs, whole) == pytest.approx(alone**0.5, rel=1e-12)


def test_degrees_of_freedom_are_one_less_than_equal_units_and_few_if_one_is_giant():
    rng = np.random.default_rng(0)
    for count, least, most in ((np.full(30, 20.0), 28.99, 29.01), (np.append(np.full(200, 5.0), 700.0), 1, 8)):
        table = np.zeros(count.size, int)
        total = rng.normal(0, np.sqrt(count))
        (freedom,) = effective_freedom(table, count, total, count, 1)
        assert least <= freedom <= most


def test_degrees_of_freedom_are_satterthwaites_by_simulation():
    """The variance of independent residuals' mean, over units: its mean and variance give its freedom."""
    rng = np.random.default_rng(1)
    count = np.round(rng.lognormal(2, 1, 12)) + 1
    total = rng.normal(0, np.sqrt(count), (40_000, 12))
    share = count / count.sum()
    estimates = np.sum((total - share * total.sum(axis=1, keepdims=True)) ** 2 / (1 - share), axis=1)
    expected = 2 * estimates.mean() ** 2 / estimates.var()
    # Totals and squares that show no correlation within units.
    (freedom,) = effective_freedom(np.zeros(12, int), count, np.zeros(12), count, 1)
    assert freedom == pytest.approx(expected, rel=0.05)


def test_two_models_are_not_told_apart_by_a_few_large_units():
    rejected = tested = 0
    for trial in range(80):
        rng = np.random.default_rng(trial)
        sizes = log_normal_sizes(50, rng, 2000)
        unit = np.repeat(np.arange(50), sizes)
        logit = rng.normal(-0.5, 1.2, unit.size)
        y = rng.random(unit.size) < special.expit(logit + rng.normal(0, 0.5, 50)[unit])
        one, other = (special.expit(1.4 * logit + rng.normal(0, 0.7, 50)[unit]) for _ in range(2))
        (row,) = compare_labels([("", one, other, y)], unit, bin_size=200, samples=2, replicates=199, seed=0)
        tested += not np.isnan(row.p_value)
        rejected += row.p_value < 0.05
    assert tested > 40
    assert rejected / tested <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / tested)


@FEW
def test_the_document_decides_and_not_the_sentences_in_it(tmp_path):
    rng = np.random.default_rng(2)
    q, y, document = units_of(np.full(40, 50), rng)
    sentence = np.arange(q.size) // 5

    def column(codes):
        return Categories(codes.astype(np.int32), tuple(f"{code:04}" for code in range(codes.max() + 1)))

    nested = Pairs(q, y, unit=column(sentence), document=column(document))
    write_pairs(tmp_path / "pairs.parquet", nested)
    nested, outer = read(tmp_path / "pairs.parquet").pairs(), Pairs(q, y, unit=column(document))
    one, other = (measure_calibration(pairs, **SETTINGS).summary for pairs in (nested, outer))
    assert one["units"] == {**other["units"], "source": "document"}
    assert one["estimates"] == other["estimates"]
    inner = measure_calibration(Pairs(q, y, unit=column(sentence)), **SETTINGS).summary
    assert inner["units"]["number"] == 400


@FEW
def test_sentences_of_the_only_document_are_the_units():
    """One document shows nothing of what differs between documents."""
    q, y, sentence = units_of(np.full(100, 20), np.random.default_rng(3))
    unit = Categories(sentence.astype(np.int32), tuple(f"{code:04}" for code in range(100)))
    only = Categories(np.zeros(q.size, dtype=np.int32), ("all",))
    one, other = (
        measure_calibration(Pairs(q, y, unit=unit, document=document), **SETTINGS) for document in (only, None)
    )
    assert one.summary == other.summary


@FEW
def test_rows_of_one_item_are_recognised_if_no_unit_is_given(tmp_path):
    q, y, unit = Regime("calibrated", "classes", "items").draw(500, np.random.default_rng(0))
    label = Categories(np.tile(np.arange(5, dtype=np.int32), 100), tuple("ABCDE"))
    with pytest.warns(UnitWarning, match="rows of 5 labels add up to 1: each of the 100 items is a unit"):
        found = measure_calibration(Pairs(q, y, label), **SETTINGS).summary
    named = Categories(unit.astype(np.int32), tuple(f"{code:03}" for code in range(100)))
    assert found["estimates"] == measure_calibration(Pairs(q, y, label, named), **SETTINGS).summary["estimates"]
    assert found["units"]["source"] == "items"
    order = np.random.default_rng(1).permutation(500)
    shuffled = Pairs(q[order], y[order], Categories(label.codes[order], label.names))
    with pytest.warns(UnitWarning, match="if rows are of one item, expected a unit"):
        assert measure_calibration(shuffled, **SETTINGS).summary["units"]["source"] == "none"
    with warnings.catch_warnings():
        warnings.simplefilter("error", UnitWarning)
        measure_calibration(Pairs(np.random.default_rng(2).random(500), y, label), **SETTINGS)


@FEW
def test_every_summary_has_its_line_its_bins_and_what_is_infinite(tmp_path):
    q = np.array([0.0, 0.0, 1.0, 0.2, 0.4, 0.7] * 20)
    y = np.array([0, 1, 1, 0, 1, 1] * 20, bool)
    calibration = measure_calibration(Pairs(q, y), **SETTINGS)
    write_report(calibration, tmp_path)
    summary = json.loads((tmp_path / "calibration.json").read_text(encoding="utf-8"))
    assert (summary["log_loss"], summary["log_loss_is_infinite"]) == (None, True)
    assert all(estimate["bins"] >= 1 for estimate in summary["estimates"])
    assert summary["resolution"] == {"bins": 5, "values": 5, "at_least": False}
    large = summary["in_the_large"]
    assert large["gap"] == pytest.approx(q.mean() - y.mean())
    assert large["low"] < large["gap"] < large["high"] < 0
    assert set(summary["cox"]) == {f"{name}{end}" for name in ("intercept", "slope") for end in ("", "_low", "_high")}
    (row,) = calibration.by_class
    assert row["cox_slope"] == summary["cox"]["slope"]


@pytest.mark.parametrize(("excess", "recognised"), [(0.9e-4, True), (1.1e-4, False)])
def test_rows_of_one_item_add_up_to_one_within_a_ten_thousandth(excess, recognised):
    q = np.concatenate([np.full(5, 0.3), np.full(5, 0.7 + excess)])
    pairs = Pairs(q, np.arange(10) % 4 == 0, Categories(np.repeat([0, 1], 5).astype(np.int32), ("a", "b")))
    if recognised:
        with pytest.warns(UserWarning, match="rows of 2 labels add up to 1: each of the 5 items is a unit"):
            assert with_item_units(pairs).unit.codes.tolist() == [*range(5)] * 2
    else:
        assert with_item_units(pairs).unit is None


def test_sums_in_single_precision_may_exceed_one():
    q = np.array([0.3, 1.0000001], np.float32)
    assert SortedPairs(q, [0, 1]).q.max() == 1
    assert Pairs(q, np.array([0, 1])).q.max() == 1
    with pytest.raises(InputError, match=r"found prediction 1\.00001"):
        SortedPairs([0.3, 1.00001], [0, 1])


@pytest.mark.parametrize("curve", ["strong", "shifted"])
def test_as_many_labels_as_planned_detect_the_error(curve):
    regime = Regime(curve, "uniform", "independent")
    n = labels_needed(regime.squared_error() ** 0.5)
    found = np.mean([TESTS["binned"](pairs).p_value < 0.05 for pairs in draws(regime, n, range(100), seed=5)])
    assert found == pytest.approx(0.8, abs=0.15)


DENSITIES = {"even": lambda rng, n: rng.random(n), "skewed": lambda rng, n: rng.beta(0.3, 0.9, n)}
CURVES = {
    "slope": lambda logit, size: special.expit(logit / (1 + size)),
    "shift": lambda logit, size: special.expit(logit + size),
    "bend": lambda logit, size: special.expit(logit + size * np.sin(2 * np.pi * special.expit(logit))),
}


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.04, 0.07])
@pytest.mark.parametrize("density", DENSITIES.values(), ids=DENSITIES)
@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_the_labels_planned_for_given_predictions_have_the_power_asked_for(curve, density, error):
    rng = np.random.default_rng(9)

    def true(q, size):
        return curve(special.logit(np.clip(q, 1e-12, 1 - 1e-12)), size)

    many = density(rng, 100_000)
    size = brentq(lambda size: np.mean((true(many, size) - many) ** 2) - error**2, 0, 20)
    n = labels_needed(error, variance=LabelVariance.of(density(rng, 5000)))
    rejected = 0
    for _ in range(400):
        q = density(rng, n)
        rejected += TESTS["binned"](SortedPairs(q, rng.random(n) < true(q, size))).p_value < 0.05
    assert 0.78 - 2.5 * 0.02 <= rejected / 400 <= 0.9


@pytest.mark.parametrize("curve", ["calibrated", "doubled"])
def test_few_units_of_a_rare_event_leave_open_no_more_than_an_unseen_unit_may_hide(curve):
    regime = Regime(curve, "rare", "documents")
    truth, units, held, shown, widest = regime.squared_error() ** 0.5, 20, 0, 0, 0.0
    for pairs in draws(regime, 10_000, range(80), seed=4):
        estimate = METHODS["bias_corrected_rms/cluster_score"](pairs, Settings())
        if estimate.high is None:
            continue
        units = np.count_nonzero(np.bincount(pairs.unit))
        shown += 1
        held += estimate.low <= truth <= estimate.high
        widest = max(widest, estimate.high * units)
    assert shown >= 20
    assert held / shown >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / shown)
    assert widest <= -np.log(0.025) * 1.5


def rows_by_class(seed, labels, wrong=()):
    """Return rows by label of 300 pairs each; labels of the codes `wrong` happen less often than predicted."""
    rng = np.random.default_rng(seed)
    code = np.repeat(np.arange(labels, dtype=np.int32), 300)
    q = rng.beta(0.5, 0.8, code.size)
    y = rng.random(code.size) < np.where(np.isin(code, wrong), q**2, q)
    names = tuple(f"{number:02}" for number in range(labels))
    return measure_calibration(Pairs(q, y, Categories(code, names)), **SETTINGS).by_class


@FEW
def test_of_ten_perfect_labels_any_is_found_wanting_as_rarely_as_one_alone():
    rows = [rows_by_class(seed, 10) for seed in range(60)]
    alone, holm = ([min(row[name] for row in draw) < 0.05 for draw in rows] for name in ("p_value", "p_holm"))
    assert np.mean(alone) > 0.25
    assert np.mean(holm) <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / 60)


@FEW
def test_labels_that_are_wrong_have_small_p_values_and_intervals_that_exclude_0():
    rows = rows_by_class(0, 6, wrong=(1, 4))
    assert {row["predicted"] for row in rows if row["p_holm"] < 0.05} == {"01", "04"}
    assert all((row["p_value"] < 0.05) == (row["error_low"] > 0) for row in rows)
    assert all(row["p_value"] <= row["p_fdr"] <= row["p_holm"] for row in rows)
    (alone,) = rows_by_class(0, 1)
    assert alone["p_value"] == alone["p_fdr"] == alone["p_holm"]
