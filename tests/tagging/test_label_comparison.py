"""The paired comparison of two models: it finds what is there, and nothing where there is nothing."""

import math

import numpy as np
import pytest
from scipy.special import ndtr

from nlpcalib.io.files import write_csv
from reproduction.tagging.label_comparison import (
    averaged_interval,
    columns_of_comparison,
    compare_labels,
    count_better,
    label_comparison_rows,
)
from reproduction.workflow.typed_csv import read_columns

SETTINGS = {"bin_size": 200, "samples": 20, "replicates": 499, "seed": 3}


def clustered_events(rng, sentences=300, words=10, spread=1.0):
    """Return log odds of events whose sentences share a random effect, whether they happened, and their sentences."""
    unit = np.repeat(np.arange(sentences), words)
    logit = rng.normal(-1, 1.2, unit.size)
    truth = logit + rng.normal(0, spread, sentences)[unit]
    return logit, rng.random(unit.size) < sigmoid(truth), unit


def sigmoid(logit):
    return 1 / (1 + np.exp(-logit))


def table(columns, unit, **changed):
    comparisons = compare_labels(columns, unit, **{**SETTINGS, **changed})
    return label_comparison_rows(comparisons, first="hmm", second="crf")


def test_identical_predictions_have_no_better_model():
    logit, y, unit = clustered_events(np.random.default_rng(0))
    q = sigmoid(logit)
    (row,) = table([("NN", q, q.copy(), y)], unit)
    assert row["p_value"] == row["p_fdr"] == row["p_holm"] == 1
    assert row["error_hmm"] == row["error_crf"]
    assert row["better"] == row["better_fdr"] == row["better_holm"] == row["better_published"] == ""


@pytest.mark.parametrize("worse", ["hmm", "crf"])
def test_a_clearly_worse_model_is_found(worse):
    logit, y, unit = clustered_events(np.random.default_rng(1), spread=0.0)
    good, bad = sigmoid(logit), sigmoid(3 * logit)
    (row,) = table([("NN", *((bad, good) if worse == "hmm" else (good, bad)), y)], unit)
    other = "crf" if worse == "hmm" else "hmm"
    assert row["p_value"] == pytest.approx(1 / 500, rel=0.15)  # of 300 units a little more, by Student's t
    assert row["better"] == row["better_fdr"] == row["better_holm"] == row["better_published"] == other
    assert row[f"squared_{worse}"] > row[f"squared_{other}"]


def test_swapping_the_models_swaps_the_columns_and_keeps_the_p_value():
    logit, y, unit = clustered_events(np.random.default_rng(2), spread=0.3)
    one, other = sigmoid(logit), sigmoid(1.3 * logit)
    (row,), (swapped,) = (table([("NN", *sides, y)], unit) for sides in ((one, other), (other, one)))
    assert row["p_value"] == swapped["p_value"]
    for column in ("error", "squared", "low", "high"):
        assert row[f"{column}_hmm"] == swapped[f"{column}_crf"]


def test_permuting_the_rows_changes_nothing():
    rng = np.random.default_rng(3)
    logit, y, unit = clustered_events(rng, sentences=20, words=150, spread=0.5)
    one, other = sigmoid(logit), np.round(sigmoid(logit + 0.2), 1)  # without ties, and with runs of ties over many cuts
    rows = table([("NN", one, other, y), ("VB", other, one, ~y)], unit)
    order = rng.permutation(y.size)
    one, other, y, unit = (column[order] for column in (one, other, y, unit))
    assert table([("NN", one, other, y), ("VB", other, one, ~y)], unit) == rows


def test_a_label_is_compared_alike_whatever_labels_come_with_it():
    rng = np.random.default_rng(4)
    columns, unit = [], None
    for number in range(20):  # more than are compared at a time
        logit, y, unit = clustered_events(rng, sentences=60)
        columns.append((f"{number:02}", sigmoid(logit), sigmoid(1.5 * logit), y))
    alone = [table([column], unit)[0]["p_value"] for column in columns]
    together = {row["label"]: row["p_value"] for row in table(columns, unit)}
    assert [together[label] for label, *_ in columns] == alone


def test_with_fewer_than_ten_events_of_a_kind_nothing_is_tested():
    q, unit = np.random.default_rng(5).random((2, 400)), np.arange(400)
    for number, tested in ((9, False), (10, True), (390, True), (391, False)):
        (row,) = table([("NN", *q, np.arange(400) < number)], unit)
        assert (row["p_value"] is not None) == tested
        assert row["squared_hmm"] != row["squared_crf"]


def test_rows_come_by_decreasing_frequency_then_name():
    q, unit = np.full(400, 0.5), np.arange(400)
    rare, common = np.arange(400) < 100, np.arange(400) < 200
    rows = table([("b", q, q, rare), ("c", q, q, common), ("a", q, q, rare)], unit)
    assert [(row["label"], row["positives"]) for row in rows] == [("c", 200), ("a", 100), ("b", 100)]


def test_the_test_holds_its_level_for_exchangeable_models_on_clustered_data():
    """Two models whose errors have the same law: each rejection is false, and at .05 there are not more than 5 %.

    They are wrong by whole sentences; a test that took the events for independent would reject in a quarter of trials.
    """
    trials, rejected = 300, 0
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        logit, y, unit = clustered_events(rng, sentences=60, words=30)
        one, other = (sigmoid(1.4 * logit + rng.normal(0, 0.7, 60)[unit]) for _ in range(2))
        (row,) = table([("NN", one, other, y)], unit, samples=2, replicates=199)
        rejected += row["p_value"] < 0.05
    assert rejected / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)


def counted(p_value, error_hmm=0.2, error_crf=0.1, published=""):
    """Return one row of a comparison."""
    values = {"p_value": p_value, "error_hmm": error_hmm, "error_crf": error_crf}
    values |= {"squared_hmm": error_hmm**2, "squared_crf": error_crf**2, "better_published": published}
    return values


def test_counts_by_hand():
    rows = [
        counted(0.001, published="crf"),
        counted(0.02, error_hmm=0.05, published="hmm"),
        counted(0.04),
        counted(0.6),
    ]
    counts = count_better(rows, ("hmm", "crf"))
    assert counts["labels"] == 4
    assert counts["by_chance"] == pytest.approx(0.2)
    assert counts["hmm_error"] == pytest.approx((0.2 * 3 + 0.05) / 4)
    assert (counts["crf_better_published"], counts["hmm_better_published"]) == (1, 1)
    assert (counts["crf_better"], counts["hmm_better"]) == (2, 1)
    assert (counts["crf_better_fdr"], counts["hmm_better_fdr"]) == (1, 1)  # .02 · 4 / 2 = .04, .04 · 4 / 3 = .053
    assert (counts["crf_better_holm"], counts["hmm_better_holm"]) == (1, 0)  # .02 · 3 = .06


def test_an_averaged_interval_is_that_of_a_mean_of_independent_errors():
    """Labels' errors vary by half a width each; their mean varies by the root of the sum of squares over the number."""
    rng = np.random.default_rng(0)
    half, estimates = np.array([0.01, 0.03, 0.02]), np.array([0.1, 0.2, 0.15])
    low = estimates + 0.005 - half  # Algorithm 2 centres intervals above the estimate
    rows = [
        {
            "error_crf": error,
            "low_crf": end,
            "high_crf": end + 2 * width,
            "error_hmm": 9.0,
            "low_hmm": 9.0,
            "high_hmm": 9.0,
        }
        for error, end, width in zip(estimates, low, half, strict=True)
    ]
    error, low_mean, high_mean = averaged_interval(rows, "crf")
    assert error == pytest.approx(0.15)
    assert (low_mean + high_mean) / 2 == pytest.approx(0.155)
    means = rng.normal(0, half / 1.96, (200_000, 3)).mean(axis=1)
    assert (high_mean - low_mean) / 2 == pytest.approx(1.96 * means.std(), rel=0.01)


def test_the_averaged_interval_of_one_label_is_its_own():
    rows = [{"error_crf": 0.1, "low_crf": 0.08, "high_crf": 0.14}]
    assert averaged_interval(rows, "crf") == pytest.approx((0.1, 0.08, 0.14))


def test_a_comparison_comes_back_from_its_table(tmp_path):
    logit, y, unit = clustered_events(np.random.default_rng(5), sentences=60)
    rows = table([("A", sigmoid(logit), sigmoid(logit / 2), y), ("B", sigmoid(logit), sigmoid(logit), y & False)], unit)
    write_csv(tmp_path / "t.csv", rows)
    assert read_columns(tmp_path / "t.csv", columns_of_comparison(("hmm", "crf"))) == rows


def test_p_values_are_adjusted_for_the_labels_in_question_alone():
    rows = [counted(0.01), *(counted(0.5) for _ in range(9))]
    assert count_better(rows, ("hmm", "crf"))["crf_better_holm"] == 0
    assert count_better(rows[:5], ("hmm", "crf"))["crf_better_holm"] == 0
    assert count_better(rows[:4], ("hmm", "crf"))["crf_better_holm"] == 1
    assert count_better(rows[:1], ("hmm", "crf"))["crf_better_fdr"] == 1


def test_a_small_difference_is_found_where_one_model_is_perfect():
    """Resamples alone vary three times as much as two almost calibrated models' difference: the test would see nothing.

    Each model knows one of two causes of the event. The first is perfectly calibrated, as is the second with `slope` 1,
    so that its rejections are false.
    """
    sentences, words, trials = 200, 20, 120
    unit = np.repeat(np.arange(sentences), words)
    rejected = {1.0: 0, 1.25: 0}
    for trial in range(trials):
        rng = np.random.default_rng(trial)
        causes, rest = rng.standard_normal((2, unit.size)), rng.standard_normal(unit.size)
        rest = np.sqrt(0.6) * rest + np.sqrt(0.4) * rng.standard_normal(sentences)[unit]
        y = causes.sum(axis=0) + rest > 1.5
        for slope in rejected:
            one, other = (
                ndtr(factor * (cause - 1.5) / np.sqrt(2)) for factor, cause in zip((1, slope), causes, strict=True)
            )
            (row,) = table([("NN", one, other, y)], unit, samples=2, replicates=199)
            rejected[slope] += row["p_value"] < 0.05
    assert rejected[1.0] / trials <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / trials)
    assert rejected[1.25] / trials > 0.4


def test_a_sharp_model_whose_mistakes_cancel_in_one_bin_has_its_error_in_the_bias_corrected_form():
    """Half of the rows say .05 and happen at .1, half .95 and at .9: in one bin the mean is right."""
    y = np.repeat([True, False, True, False], [100, 900, 900, 100])
    sharp, flat = np.repeat([0.05, 0.95], 1000), np.repeat([0.1, 0.9], 1000)
    [row] = compare_labels([("NN", sharp, flat, y)], np.arange(2000), bin_size=2000, samples=100, replicates=99, seed=1)
    assert row.error_first < 1e-9
    assert row.corrected_first == pytest.approx(0.05, abs=0.01)
    assert row.corrected_second < 0.01
    few = slice(1000)
    [rare] = compare_labels(
        [("NN", sharp[few], flat[few], y[few] & (np.arange(1000) < 99))],
        np.arange(1000),
        bin_size=1000,
        samples=100,
        replicates=99,
        seed=1,
    )
    assert np.isnan(rare.corrected_first)
