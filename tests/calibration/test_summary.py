"""What is written about a table of pairs: the contract of its files, and that the order of rows leaves no trace."""

import csv
import json
import math
import warnings
from dataclasses import asdict

import numpy as np
import pytest

from nlpcalib import calibration
from nlpcalib.calibration import (
    Categories,
    Pairs,
    SmallSampleWarning,
    SortedPairs,
    calibration_error,
    measure_calibration,
)
from nlpcalib.calibration.hypothesis_tests import reported_tests
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from nlpcalib.questions.report import measure, write_report

SETTINGS = {"bin_size": 100, "samples": 300, "seed": 7}
N = 4000
FEW = "ignore::nlpcalib.calibration.SmallSampleWarning"


@pytest.fixture(scope="module")
def pairs():
    """Predictions with runs of ties that go through many cuts, clustered in units and labels of unequal frequency."""
    rng = np.random.default_rng(4)
    unit = np.sort(rng.integers(0, 300, N)).astype(np.int32)
    label = rng.choice(5, N, p=[0.5, 0.3, 0.15, 0.04, 0.01]).astype(np.int32)
    q = np.round(rng.beta(0.4, 0.8, N), 2).clip(0.01, 0.99)
    y = rng.random(N) < np.clip(q + 0.1 * np.sin(unit), 0, 1)
    return Pairs(q, y, Categories(label, tuple("ABCDE")), Categories(unit, tuple(f"{i:03}" for i in range(300))))


@pytest.fixture(scope="module")
def folder(pairs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_report(measure(pairs, **SETTINGS), folder)
    return folder


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def refuse(constant):
    raise AssertionError(f"found {constant}, expected strict JSON")


def strict(path):
    return json.loads(path.read_text(encoding="utf-8"), parse_constant=refuse)


def test_calibration_json_keeps_its_contract(folder, pairs):
    summary = strict(folder / "calibration.json")
    promised = "n prevalence bin_size bins mse brier log_loss decomposition direction seed versions estimates"
    assert set(promised.split()) <= set(summary)
    assert summary["n"] == N
    assert summary["prevalence"] == np.mean(pairs.y)
    assert (summary["bin_size"], summary["bins"], summary["seed"]) == (100, 40, 7)
    assert summary["brier"] == pytest.approx(np.mean((pairs.q - pairs.y) ** 2), rel=1e-12)
    assert summary["log_loss"] == pytest.approx(-np.mean(np.log(np.where(pairs.y, pairs.q, 1 - pairs.q))), rel=1e-12)
    assert summary["log_loss_is_infinite"] is False
    assert sum(summary["decomposition"].values()) == pytest.approx(summary["brier"], rel=1e-12)
    assert [region["n"] for region in summary["direction"]["regions"]] == np.histogram(pairs.q, 4, (0, 1))[0].tolist()


def test_estimates_have_the_papers_among_them(folder, pairs):
    estimates = strict(folder / "calibration.json")["estimates"]
    for estimate in estimates:
        assert set(estimate) == {"estimator", "interval", "value", "low", "high", "level", "bins"}
        assert estimate["low"] < estimate["high"]
    assert (estimates[0]["estimator"], estimates[0]["interval"]) == ("adaptive_rms", "algorithm2")
    assert estimates[0]["value"] == calibration_error(pairs.q, pairs.y, bin_size=100)


def test_the_tests_of_calibration_are_those_to_report(folder, pairs):
    sorted_pairs = SortedPairs(pairs.q, pairs.y, pairs.unit.codes)
    expected = [{"test": name, **asdict(test(sorted_pairs))} for name, test in reported_tests(sorted_pairs).items()]
    assert strict(folder / "calibration.json")["tests"] == [pytest.approx(row) for row in expected]


def test_what_is_measured_cannot_be_changed(all_frozen):
    assert all_frozen(calibration)


def test_rows_of_bins_add_up(folder, pairs):
    bins = rows_of(folder / "bins.csv")
    size = np.array([int(row["n"]) for row in bins])
    assert size.sum() == N
    assert size @ [float(row["mean_q"]) for row in bins] == pytest.approx(pairs.q.sum())
    assert size @ [float(row["frequency"]) for row in bins] == pytest.approx(pairs.y.sum())
    assert all(float(row["low"]) <= float(row["frequency"]) <= float(row["high"]) for row in bins)
    assert all(float(row["q_min"]) <= float(row["mean_q"]) <= float(row["q_max"]) for row in bins)


@pytest.mark.filterwarnings(FEW)
def test_each_label_is_measured_as_if_it_were_alone(folder, pairs):
    rows = rows_of(folder / "by_class.csv")
    assert sorted(row["predicted"] for row in rows) == list("ABCDE")
    positives = [int(row["positives"]) for row in rows]
    assert positives == sorted(positives, reverse=True)
    for row in rows:
        own = pairs.predicted.codes == pairs.predicted.names.index(row["predicted"])
        q, y = pairs.q[own], pairs.y[own]
        assert (int(row["n"]), int(row["positives"])) == (q.size, y.sum())
        assert int(row["bins"]) == max(q.size // 100, 1)
        assert float(row["published_error"]) == calibration_error(q, y, bin_size=100)
        assert float(row["brier"]) == pytest.approx(np.mean((q - y) ** 2), rel=1e-12)


def test_pairs_without_labels_have_one_row_that_is_the_whole(pairs, tmp_path):
    write_report(measure(Pairs(pairs.q, pairs.y), **SETTINGS), tmp_path)
    (row,) = rows_of(tmp_path / "by_class.csv")
    assert row["predicted"] == "all"
    assert "calibration_error" not in row
    assert float(row["published_error"]) == strict(tmp_path / "calibration.json")["estimates"][0]["value"]


@pytest.mark.filterwarnings(FEW)
@pytest.mark.parametrize("events", [5, 200])
def test_a_table_without_labels_has_the_row_of_a_table_with_one_label(pairs, events):
    y = np.arange(N) < events
    one = Categories(np.zeros(N, np.int32), ("all",))
    (row,), (expected,) = (measure_calibration(Pairs(pairs.q, y, label), **SETTINGS).by_class for label in (None, one))
    assert list(row) == list(expected)
    drawn = {"published_low", "published_high"}  # from another stream
    for name in row.keys() - drawn:
        assert row[name] == (pytest.approx(expected[name]) if isinstance(row[name], float) else expected[name]), name
    assert (row["p_value"] is None) == (events < 10)


def test_what_is_drawn_is_written(folder):
    drawn = rows_of(folder / "reliability.csv")
    curve = [{key: value for key, value in row.items() if key != "series"} for row in drawn if row["series"] == "curve"]
    assert curve == rows_of(folder / "bins.csv")
    assert sum(int(row["n"]) for row in drawn if row["series"] == "distribution") == N


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_permuting_the_rows_changes_no_byte_of_any_file(folder, pairs, tmp_path, suffix):
    order = np.random.default_rng(9).permutation(N)
    label, unit = (Categories(column.codes[order], column.names) for column in (pairs.predicted, pairs.unit))
    path = tmp_path / f"shuffled{suffix}"
    if suffix == ".parquet":
        write_pairs(path, Pairs(pairs.q[order], pairs.y[order], label, unit))
    else:
        names = (np.array(column.names)[column.codes] for column in (label, unit))
        lines = zip(pairs.q[order].tolist(), pairs.y[order].astype(int).tolist(), *names, strict=True)
        text = "q,y,label,unit\n" + "".join(f"{q!r},{y},{name},{group}\n" for q, y, name, group in lines)
        path.write_text(text, encoding="utf-8")
    write_report(measure(read(path).pairs(), **SETTINGS), tmp_path / "out")
    written = sorted(file.name for file in folder.iterdir())
    assert len(written) == 7
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == written
    changed = [name for name in written if (folder / name).read_bytes() != (tmp_path / "out" / name).read_bytes()]
    assert changed == ["calibration.json"]  # for the checksum of the table alone
    before, after = (strict(place / "calibration.json") for place in (folder, tmp_path / "out"))
    assert after == {**before, "input": checksum(path), "table": after["table"]}


def test_another_seed_moves_intervals_and_no_estimate(pairs):
    one, other = (measure_calibration(pairs, bin_size=100, samples=300, seed=seed).summary for seed in (1, 2))
    assert one["mse"] == other["mse"]
    assert one["estimates"][0]["value"] == other["estimates"][0]["value"]
    assert one["estimates"][0]["low"] != other["estimates"][0]["low"]


def test_fewer_than_ten_bins_are_a_warning_once(pairs):
    expected = f"{N:,} pairs make 9 bins at bin size 430, .* try bin_size=200"
    with pytest.warns(SmallSampleWarning, match=expected) as warned:
        measure_calibration(pairs, bin_size=430, samples=10, seed=0)
    assert [warning.filename for warning in warned] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", SmallSampleWarning)
        measure_calibration(pairs, bin_size=400, samples=10, seed=0)


@pytest.mark.parametrize(("size", "bin_size"), [(1500, 200), (1000, 150), (300, 5000)])
def test_a_bin_size_is_suggested_only_where_it_makes_more_bins(pairs, size, bin_size):
    few = Pairs(pairs.q[:size], pairs.y[:size])
    with pytest.warns(SmallSampleWarning, match=r"expected twenty or so, which take 4,000 pairs at 200"):
        measure_calibration(few, bin_size=bin_size, samples=10, seed=0)


@pytest.mark.filterwarnings(FEW)
def test_what_was_impossible_and_happened_is_counted_and_not_infinite(tmp_path):
    q, y = np.array([0.0, 0.0, 1.0, 1.0, 0.5, 0.5]), np.array([1, 0, 0, 1, 1, 0], bool)
    write_report(measure(Pairs(q, y), bin_size=2, samples=10, seed=0), tmp_path)
    summary = strict(tmp_path / "calibration.json")
    assert summary["zero_probability"] == 2
    assert summary["log_loss"] is None
    assert summary["proper_scores"]["logarithmic"]["total"] is None
    assert math.isfinite(summary["proper_scores"]["quadratic"]["total"])


@pytest.mark.filterwarnings(FEW)
@pytest.mark.parametrize(("q", "y"), [([0.0, 0.0], [0, 0]), ([1.0, 1.0], [1, 1]), ([0.3, 0.3], [1, 1]), ([0.5], [0])])
def test_tables_that_leave_quantities_undefined_are_written_all_the_same(tmp_path, q, y):
    write_report(measure(Pairs(np.array(q), np.array(y, bool)), bin_size=1, samples=10, seed=0), tmp_path)
    assert strict(tmp_path / "calibration.json")["n"] == len(q)
    assert (tmp_path / "reliability.png").read_bytes().startswith(b"\x89PNG")
