"""The coverage study draws what it promises, and the score interval holds where others do not."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.io.files import read_csv
from nlpcalib.seeding import generator
from reproduction.simulation import estimation_labels, estimation_series
from reproduction.simulation.estimation import (
    DESIGNS,
    ITEMS,
    CorpusRegime,
    coverage_rows,
    draw_corpus,
    draw_documents,
    judged,
)
from reproduction.simulation.estimation_labels import PROCEDURES, Annotators, wrong_label_rows
from reproduction.simulation.estimation_series import series_rows


@pytest.mark.parametrize("prevalence", [0.3, 0.01])
@pytest.mark.parametrize("clustered", [False, True])
def test_corpora_have_their_prevalence_and_only_the_calibrated_model_reports_it(prevalence, clustered):
    means = {}
    for model in ("calibrated", "overconfident", "underconfident", "blind", "useless"):
        drawn = []
        for seed in range(30):
            random = generator(seed, "corpus")
            drawn.append(
                draw_corpus(CorpusRegime(prevalence, model), random, draw_documents(random) if clustered else None)
            )
        assert np.mean([y.mean() for _, y in drawn]) == pytest.approx(prevalence, rel=0.15 if clustered else 0.08)
        means[model] = np.mean([q.mean() for q, _ in drawn]) / prevalence
        correlation = np.mean([np.corrcoef(q, y)[0, 1] for q, y in drawn])
        assert (correlation > 0.3) == (model != "useless")
    assert means["calibrated"] == pytest.approx(1, rel=0.05)
    assert means["blind"] < 0.9
    assert means["underconfident"] > 1.05


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("design", DESIGNS)
def test_the_difference_estimator_is_unbiased_and_the_score_interval_holds(design, clustered):
    regime = CorpusRegime(0.05, "blind", clustered)
    rows = {row["method"]: row for row in coverage_rows(regime, 100, design, replicates=200, seed=3)}
    # Choosing the second phase by the pilot's labels biases all estimators a little.
    tolerance = 4 * rows["active"]["rmse"] / np.sqrt(200) + (0.002 if design == "two-phase" else 0)
    assert abs(rows["active"]["bias"]) < tolerance
    assert rows["score"]["coverage"] >= 0.93
    assert rows["score"]["coverage"] > rows["ppi++"]["coverage"]
    assert coverage_rows(regime, 100, design, replicates=20, seed=4) == coverage_rows(
        regime, 100, design, replicates=20, seed=4
    )
    assert ITEMS * rows["score"]["width"] > 1


@pytest.mark.slow
def test_intervals_that_carry_a_change_hold_before_and_after_it():
    rows = {row["method"]: row for row in series_rows(0.05, 0.3, 400, replicates=60, seed=1)}
    carried, alone = rows["changing rates"], rows["score, each period"]
    assert min(carried["coverage_before"], carried["coverage_after"]) >= 0.93
    assert carried["width_after"] < 0.5 * alone["width_after"]
    assert rows["ppi++, each period"]["coverage_after"] < 0.8


def test_the_script_writes_a_row_for_each_regime_and_method(tmp_path, monkeypatch):
    path = Path(__file__).parents[2] / "scripts/simulation/estimation_coverage.py"
    spec = importlib.util.spec_from_file_location("estimation_coverage", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.PREVALENCES, script.MODELS, script.SERIES = (0.05,), ("blind",), [(0.05, 0.3)]
    monkeypatch.setattr(estimation_labels, "PREVALENCES", (0.05,))
    paths = [str(tmp_path / name) for name in ("a.csv", "b.csv", "c.csv")]
    script.main(*paths, labels=[50], replicates=25, seed=0)
    rows = read_csv(tmp_path / "a.csv")
    assert len(rows) == 2 * len(DESIGNS) * 4
    assert {row["unit"] for row in rows} == {"item", "document"}
    assert len(read_csv(tmp_path / "b.csv")) == 3
    assert len(read_csv(tmp_path / "c.csv")) == 1 + 4 * len(PROCEDURES)


@pytest.mark.parametrize("procedure", PROCEDURES)
@pytest.mark.parametrize("kind", ["both ways", "misses"])
def test_annotators_err_as_often_as_is_asked_and_each_item_has_one_label(procedure, kind):
    """Of items with the answers of three annotators, counted one by one."""
    random = np.random.default_rng(8)
    annotators = Annotators(procedure, kind, 0.1)
    drawn = np.zeros((1, 2, 40), dtype=np.int64)
    drawn[0, :, 7] = 400_000, 200_000
    answers = annotators.annotate(drawn, random)[0, :, 7]
    assert answers.sum() == 600_000
    right = np.repeat([True, False], (400_000, 200_000))
    flips = random.random((3, 600_000)) < np.where(right | (kind == "both ways"), 0.1, 0)
    votes = right ^ flips
    disputed = votes[0] != votes[1]
    if procedure == "one":
        expected = [votes[0].sum(), (~votes[0]).sum(), 0]
    elif "open" in procedure:
        agreed = votes[0][~disputed]
        expected = [agreed.sum(), (~agreed).sum(), disputed.sum()]
    else:
        majority = votes.sum(axis=0) >= 2
        expected = [majority.sum(), (~majority).sum(), 0]
    assert answers == pytest.approx(np.array(expected), abs=5 * np.sqrt(600_000 * 0.25))


def test_wrong_labels_move_the_estimate_as_far_as_they_must_and_a_third_annotator_brings_it_back():
    """If labels are turned with probability e, the estimate aims at p + e (1 − 2p)."""
    rows = {row["annotators"]: row for row in wrong_label_rows(0.05, "both ways", 0.05, 400, replicates=200, seed=2)}
    for name, wrong in (("one", 0.05), ("two and a third", 3 * 0.05**2 - 2 * 0.05**3)):
        row = rows[name]
        assert row["bias"] == pytest.approx(wrong * 0.9, abs=4 * row["rmse"] / np.sqrt(200) + 0.003)
    assert rows["one"]["coverage"] < 0.2 < 0.5 < rows["two and a third"]["coverage"]
    assert rows["two, disputes open"]["coverage"] > 0.95
    assert rows["two and a third, same cost"]["items"] == 191
    [right] = wrong_label_rows(0.05, "misses", 0.0, 100, replicates=100, seed=2)
    assert right["coverage"] >= 0.93


def test_items_with_higher_predictions_are_positive_more_often_in_every_period():
    cells, truth = estimation_series._draw(0.1, 0.0, 2000, generator(1, "series"))
    predicted = cells.predicted / np.maximum(cells.size, 1)
    assert cells.size.sum(axis=1) == pytest.approx(estimation_series.ITEMS)
    assert np.abs(cells.predicted.sum(axis=1) / truth - 1).max() < 0.2
    often = cells.positive.sum(axis=0) / np.maximum(cells.read.sum(axis=0), 1)
    assert np.corrcoef(predicted.mean(axis=0), often)[0, 1] > 0.5


def test_the_error_of_a_coverage_is_that_of_two_more_replicates_that_hold_and_two_that_do_not():
    """So that it is not 0 where all intervals hold (Agresti and Coull 1998)."""
    low = np.r_[np.full(9, -1.0), 0.5]
    found = judged(np.zeros(10), low, np.ones(10))
    assert found["coverage"] == 0.9
    assert found["coverage_se"] == pytest.approx(np.sqrt(11 / 14 * 3 / 14 / 14))
