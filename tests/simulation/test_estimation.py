"""The coverage study draws what it promises, and the score interval holds where others do not."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.io.files import read_csv
from nlpcalib.seeding import generator
from nlpcalib.simulation.estimation import DESIGNS, ITEMS, Regime, coverage_rows, draw_corpus
from nlpcalib.simulation.estimation_series import series_rows


@pytest.mark.parametrize("prevalence", [0.3, 0.01])
@pytest.mark.parametrize("clustered", [False, True])
def test_corpora_have_their_prevalence_and_only_the_calibrated_model_reports_it(prevalence, clustered):
    means = {}
    for model in ("calibrated", "overconfident", "underconfident", "blind", "useless"):
        drawn = [draw_corpus(Regime(prevalence, model, clustered), generator(seed, "corpus")) for seed in range(30)]
        assert np.mean([y.mean() for _, y in drawn]) == pytest.approx(prevalence, rel=0.08)
        means[model] = np.mean([q.mean() for q, _ in drawn]) / prevalence
        correlation = np.mean([np.corrcoef(q, y)[0, 1] for q, y in drawn])
        assert (correlation > 0.3) == (model != "useless")
    assert means["calibrated"] == pytest.approx(1, rel=0.05)
    assert means["blind"] < 0.9
    assert means["underconfident"] > 1.05


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("design", DESIGNS)
def test_the_difference_estimator_is_unbiased_and_the_score_interval_holds(design, clustered):
    regime = Regime(0.05, "blind", clustered)
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
    carried, alone = rows["one change at most"], rows["score, each period"]
    assert min(carried["coverage_before"], carried["coverage_after"]) >= 0.93
    assert carried["width_after"] < 0.5 * alone["width_after"]
    assert rows["ppi++, each period"]["coverage_after"] < 0.8


def test_the_script_writes_a_row_for_each_regime_and_method(tmp_path):
    path = Path(__file__).parents[2] / "scripts/simulation/estimation_coverage.py"
    spec = importlib.util.spec_from_file_location("estimation_coverage", path)
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.PREVALENCES, script.MODELS, script.SERIES = (0.05,), ("blind",), [(0.05, 0.3)]
    script.main(str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), labels=[50], replicates=25, seed=0)
    rows = read_csv(tmp_path / "a.csv")
    assert len(rows) == 2 * len(DESIGNS) * 4
    assert {row["unit"] for row in rows} == {"item", "document"}
    assert len(read_csv(tmp_path / "b.csv")) == 3
