"""`interval=` chooses between two intervals that cover; Algorithm 2's is a parametric bootstrap, and called so."""

import json
import warnings

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError

BOOTSTRAP = "bias_corrected_adaptive_rms"


@pytest.fixture(scope="module")
def table():
    """Predictions that are too extreme, in documents whose labels are alike."""
    rng = np.random.default_rng(3)
    unit = rng.integers(60, size=3000)
    z = rng.normal(size=3000)
    y = rng.random(3000) < 1 / (1 + np.exp(-0.7 * z - rng.normal(0, 0.5, 60)[unit]))
    return 1 / (1 + np.exp(-z)), y, unit


def test_a_bootstrap_resamples_units_where_there_are_some(table):
    q, y, unit = table
    clustered, alone = (
        nc.calibrate(nc.read(q, y=y, unit=unit), method="bootstrap"),
        nc.calibrate(q, y, method="bootstrap"),
    )
    assert (clustered.estimate.method, alone.estimate.method) == (
        f"{BOOTSTRAP}/cluster_bootstrap", f"{BOOTSTRAP}/bootstrap",
    )  # fmt: skip
    expected = METHODS[clustered.estimate.method](clustered._sorted, Settings(bin_size=clustered.settings.bin_size))
    assert clustered.estimate == expected
    assert clustered.interval[1] - clustered.interval[0] > alone.interval[1] - alone.interval[0]
    assert "(95 % bootstrap interval" in clustered.answer()


def test_the_score_interval_is_the_default(table):
    q, y, unit = table
    assert (
        nc.calibrate(nc.read(q, y=y, unit=unit), method="score").estimate
        == nc.calibrate(nc.read(q, y=y, unit=unit)).estimate
    )


def test_its_value_is_over_the_bins_that_are_named(table):
    q, y, _ = table
    report = nc.calibrate(q, y, method="bootstrap", bin_size=150)
    assert report.bins == 20
    assert not any("bin_size=" in line for line in report.lines())


def test_algorithm_2_is_called_a_parametric_bootstrap(table):
    assert "(95 % parametric bootstrap interval" in nc.calibrate(*table[:2], method="paper", bin_size=100).answer()


def test_calibration_json_has_it_next_to_algorithm_2_over_the_same_bins(table):
    q, y, unit = table
    published, bootstrap = nc.calibrate(nc.read(q, y=y, unit=unit), bin_size=150).summary["estimates"][:2]
    assert (published["interval"], bootstrap["interval"]) == ("algorithm2", "cluster_bootstrap")
    assert published["bins"] == bootstrap["bins"] == 20
    again = nc.calibrate(nc.read(q, y=y, unit=unit), method="bootstrap", bin_size=150)
    assert (bootstrap["value"], bootstrap["low"], bootstrap["high"]) == (again.error, *again.interval)


def test_the_shell_gives_the_same(table, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    q, y, unit = table
    rows = [f"{a!r},{int(b)},{c}" for a, b, c in zip(q.tolist(), y, unit, strict=True)]
    (tmp_path / "pairs.csv").write_text("q,y,unit\n" + "\n".join(rows) + "\n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        main(["calibrate", "pairs.csv", "--method", "bootstrap", "--out", "out"])
    report = nc.calibrate(nc.read("pairs.csv"), method="bootstrap")
    assert report.lines()[1] in capsys.readouterr().out
    found = json.loads((tmp_path / "out/calibration.json").read_text())["estimates"][1]
    assert (found["value"], found["low"], found["high"]) == (report.error, *report.interval)


def test_a_method_that_there_is_not_is_refused(table):
    q, y, _ = table
    with pytest.raises(InputError, match="method: found 'percentile', expected"):
        nc.calibrate(q, y, method="percentile")
