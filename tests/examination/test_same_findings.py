"""The same data have the same findings at every reader: arrays, frames, tables, JSON lines, archives, classes."""

import json
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.predictions.tool_records import read_predictions

import nlpcalib as nc
from nlpcalib.errors import InputWarning

N = 400


def sound():
    random = np.random.default_rng(5)
    q = np.round(1 / (1 + np.exp(-random.normal(-0.6, 1.6, N))), 6)
    return q, random.random(N) < q


def decisions():
    q, y = sound()
    return np.round(q), y


def of_the_other_class():
    q, y = sound()
    return 1 - q, y


def four_times():
    q, y = sound()
    return np.tile(q[:100], 4), np.tile(y[:100], 4)


def missing():
    q, y = sound()
    return np.where(np.arange(N) % 8 == 0, 0.0, q), y


def sorted_by_themselves():
    q, y = sound()
    return np.sort(q), y


KINDS = {
    sound: [],
    decisions: ["q has nothing but 0 and 1: decisions, where probabilities are expected"],
    of_the_other_class: ["positive labels are rarer where q is high: is it of the other class, or swapped?"],
    four_times: ["300 of 400 rows are equal to another in every column, more than chance allows: they are one unit"],
    missing: ["q is 0 in 50 rows, of which 28 % are positive, and 12 % next to it: are these missing?"],
    sorted_by_themselves: ["labels do not follow q, and one is sorted: was it sorted by itself?"],
}


def by_arrays(q, y, folder):
    return nc.calibrate(q, y)


def by_lists(q, y, folder):
    return nc.calibrate(q.tolist(), y.astype(int).tolist())


def by_recalibration(q, y, folder):
    nc.recalibrate(q, y, method="logistic")


def by_frame(q, y, folder):
    frame = pytest.importorskip("pandas").DataFrame({"q": q, "y": y})
    return nc.calibrate(frame["q"], frame["y"])


def by_csv(q, y, folder):
    lines = [f"{p},{int(label)}\n" for p, label in zip(q.tolist(), y, strict=True)]
    (folder / "t.csv").write_text("q,y\n" + "".join(lines))
    return nc.calibrate(folder / "t.csv")


def by_parquet(q, y, folder):
    pyarrow.parquet.write_table(pa.table({"q": q, "y": y}), folder / "t.parquet")
    return nc.calibrate(folder / "t.parquet")


def by_json_pairs(q, y, folder):
    rows = [json.dumps({"q": p, "y": int(label)}) for p, label in zip(q.tolist(), y, strict=True)]
    (folder / "t.jsonl").write_text("\n".join(rows))
    return nc.calibrate(folder / "t.jsonl")


def by_archive(q, y, folder):
    np.savez(folder / "t.npz", q=q, y=y)
    return nc.calibrate(folder / "t.npz")


READERS = (
    by_arrays,
    by_lists,
    by_recalibration,
    by_frame,
    by_csv,
    by_parquet,
    by_json_pairs,
    by_archive,
)


def sentences(reader, q, y, folder):
    """Return what a reader warns of, without the file that is named in front and the word column."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", InputWarning)
        reader(q, y, folder)
    return [str(each.message).rpartition(f"{folder}/")[2].partition(": ")[2].replace("column ", "")
            if str(folder) in str(each.message) else str(each.message) for each in caught]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_each_reader_has_the_same_findings(kind, reader, tmp_path):
    assert sentences(reader, *kind(), tmp_path) == KINDS[kind]


def units(found):
    return found.units if hasattr(found, "units") else np.unique(found.sampling_unit.codes).size


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader != by_recalibration])
@pytest.mark.filterwarnings("ignore::nlpcalib.InputWarning")
def test_rows_that_stand_four_times_are_one_unit_at_each_reader(reader, tmp_path):
    assert units(reader(*four_times(), tmp_path)) == 100


@pytest.mark.filterwarnings("ignore::nlpcalib.InputWarning")
def test_rows_that_stand_four_times_do_not_narrow_the_interval_of_arrays():
    """One draw may give .67 to 1.35 of the width, as the bins are of other rows; the mean must not be narrower."""
    once, four = [], []
    for seed in range(30):
        random = np.random.default_rng(seed)
        q = np.round(1 / (1 + np.exp(-random.normal(-0.6, 1.6, 100))), 6)
        y = random.random(100) < q
        once.append(np.ptp(nc.calibrate(q, y).interval))
        four.append(np.ptp(nc.calibrate(np.tile(q, 4), np.tile(y, 4)).interval))
    assert np.mean(four) > 0.9 * np.mean(once)


def test_named_units_are_kept_and_rows_may_repeat_in_them():
    q, y = four_times()
    with pytest.warns(InputWarning, match="300 of 400 rows .* they count as several"):
        assert nc.calibrate(nc.read(q, y=y, unit=np.arange(N))).units == N


def class_table(times):
    random = np.random.default_rng(6)
    q = np.round(random.dirichlet([1, 1, 1], N // times), 4)
    q[:, 2] = np.round(1 - q[:, :2].sum(axis=1), 4)
    gold = np.array([random.choice(3, p=row / row.sum()) for row in q])
    return np.tile(q, (times, 1)), np.tile(gold, times)


@pytest.mark.parametrize("times", [1, 4])
def test_classes_have_the_same_findings_as_arrays_and_in_a_table(times, tmp_path):
    q, gold = class_table(times)

    def table(*_):
        lines = [",".join([*map(str, row), str(label)]) for row, label in zip(q.tolist(), gold, strict=True)]
        (tmp_path / "t.csv").write_text("0,1,2,gold\n" + "\n".join(lines) + "\n")
        read_predictions(tmp_path / "t.csv")

    arrays = sentences(lambda *_: nc.calibrate(q, gold), None, None, tmp_path)
    assert arrays == sentences(table, None, None, tmp_path)
    assert len(arrays) == (times > 1)


def test_models_whose_rows_stand_several_times_are_compared_by_the_units_that_they_share():
    q, y = four_times()
    with pytest.warns(InputWarning, match="they are one unit"):
        report = nc.compare(nc.read(q, y=y), nc.read(np.clip(q + 0.01, 0, 1), y=y))
    assert {each.units for each in report.reports} == {100}
