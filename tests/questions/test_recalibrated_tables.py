"""`nlpcalib recalibrate` gives a table back with all it had, and its map recalibrates new tables to the bit."""

import csv
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy.special import expit, logit, softmax

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.recalibration.fitting import CLASS_RECALIBRATIONS, RECALIBRATIONS
from nlpcalib.recalibration.saved_map import fingerprint_of_labels, made, read_map, write_map

METHODS = ("shrinkage", *RECALIBRATIONS)
CLASS_METHODS = ("shrinkage", *CLASS_RECALIBRATIONS)


def sharp(n=600, seed=0):
    rng = np.random.default_rng(seed)
    truth = expit(rng.normal(-0.5, 1.5, n))
    return expit(2 * logit(truth)), rng.random(n) < truth


def write_table(path, q, y=None):
    rows = [[f"0{row}", f'"a", b\n{row}', value] for row, value in enumerate(q.tolist())]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "text", "score"] + ["y"] * (y is not None))
        writer.writerows(rows if y is None else [[*row, int(label)] for row, label in zip(rows, y, strict=True)])


def read_table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("method", METHODS)
def test_a_saved_map_recalibrates_as_the_one_that_was_fitted(tmp_path, method):
    report = nc.recalibrate(*sharp(), method=method)
    write_map(tmp_path / "map.json", report.map, method)
    new = np.concatenate([[0, 1], np.random.default_rng(1).random(500)])
    np.testing.assert_array_equal(read_map(tmp_path / "map.json")(new), report.predict(new))


@pytest.mark.parametrize("method", CLASS_METHODS)
def test_so_does_a_map_of_classes(tmp_path, method):
    rng = np.random.default_rng(2)
    q = rng.dirichlet(np.ones(3), 400)
    report = nc.recalibrate(q, (q.cumsum(axis=1) > rng.random(400)[:, None]).argmax(axis=1), method=method)
    write_map(tmp_path / "map.json", report.map, method)
    np.testing.assert_array_equal(read_map(tmp_path / "map.json")(q), report.predict(q))


def test_a_table_keeps_its_columns_and_order_and_new_ones_need_no_labels(tmp_path, capsys):
    q, y = sharp()
    pairs, new = tmp_path / "pairs.csv", tmp_path / "new.csv"
    with pairs.open("w", encoding="utf-8") as file:
        file.write("id,score,y\n")
        file.writelines(
            f"0{row},{value},{int(label)}\n" for row, (value, label) in enumerate(zip(q.tolist(), y, strict=True))
        )
    out = tmp_path / "out"
    assert main(["recalibrate", str(pairs), "--q", "score", "--out", str(out)]) == 0
    rows = read_table(out / "recalibrated.csv")
    report = nc.recalibrate(q, y)
    assert list(rows[0]) == ["id", "score", "y"]
    assert [row["id"] for row in rows] == [f"0{row}" for row in range(q.size)]
    np.testing.assert_array_equal([float(row["score"]) for row in rows], report.q)

    write_table(new, q[:50])
    capsys.readouterr()
    command = [
        "recalibrate",
        str(new),
        "--map",
        str(out / "map.json"),
        "--q",
        "score",
        "--out",
        str(tmp_path / "again"),
    ]
    assert main(command) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{new}: 50 predictions recalibrated",
        f"files: {tmp_path / 'again'}",
    ]
    rows = read_table(tmp_path / "again" / "recalibrated.csv")
    assert [row["text"] for row in rows] == [f'"a", b\n{row}' for row in range(50)]
    np.testing.assert_array_equal([float(row["score"]) for row in rows], report.predict(q[:50]))


def test_parquet_keeps_the_types_of_columns(tmp_path):
    q, y = sharp()
    table = pa.table(
        {"id": pa.array(range(q.size), pa.int32()), "q": q, "y": y, "when": pa.array([None] * q.size, pa.date32())}
    )
    pa.parquet.write_table(table, tmp_path / "pairs.parquet")
    assert main(["recalibrate", str(tmp_path / "pairs.parquet"), "--out", str(tmp_path / "out")]) == 0
    found = pa.parquet.read_table(tmp_path / "out" / "recalibrated.parquet")
    assert found.schema.equals(table.schema)
    assert found.drop(["q"]).equals(table.drop(["q"]))


def test_a_map_is_not_applied_to_what_it_was_fitted_to_without_a_warning(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"{i},{i % 10 / 10},{i % 7 < 3:d}" for i in range(200)]
    for name, part in (("old", rows), ("new", rows[1:])):
        Path(f"{name}.csv").write_text("\n".join(["id,q,y", *part]), encoding="utf-8")
    assert main(["recalibrate", "old.csv", "--out", "fitted"]) == 0
    for name, warned in (("new", False), ("old", True)):
        assert main(["recalibrate", f"{name}.csv", "--map", "fitted/map.json", "--out", name]) == 0
        assert ("has seen their labels" in capsys.readouterr().out) is warned


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore:positive labels are rarer:nlpcalib.InputWarning")
def test_every_map_that_is_fitted_can_be_read_also_where_labels_contradict_predictions(tmp_path, method, seed):
    draw = np.random.default_rng(seed)
    q = np.round(draw.random(400), 2)
    y = draw.random(400) < (1 - q if seed else 0.5)
    report = nc.recalibrate(q, y, method=method)
    write_map(tmp_path / "map.json", report.map, method)
    read = read_map(tmp_path / "map.json")
    np.testing.assert_array_equal(read(q), report.predict(q))
    assert read.fitted_to == fingerprint_of_labels(q, y)
    assert read.fitted_to["n"] == 400


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1.2", "line 2: found prediction 1.2"),
        ("high", "line 2, column q: found the verdict 'high', expected yes or no"),
    ],
)
def test_predictions_that_are_none_are_refused(tmp_path, capsys, cell, message):
    (tmp_path / "map.json").write_text(
        json.dumps({"method": "logistic", "form": "linear", "parameters": {"intercept": 0, "slope": 1, "floor": 0.01}}),
        encoding="utf-8",
    )
    (tmp_path / "new.csv").write_text(f"id,q\na,{cell}\n", encoding="utf-8")
    command = ["recalibrate", str(tmp_path / "new.csv"), "--map", str(tmp_path / "map.json")]
    assert main([*command, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert main(command) == 2
    assert "expected a folder" in capsys.readouterr().err
    assert main([*command, "--out", str(tmp_path / "out"), "--method", "beta"]) == 2
    assert "method: found 'beta' with a map, which takes only keep_classes" in capsys.readouterr().err
    for name, value in (("by", "topic"), ("level", ".8"), ("seed", "3"), ("style", "paper")):
        assert main([*command, "--out", str(tmp_path / "x"), f"--{name}", value]) == 2
        assert f"{name}: found" in capsys.readouterr().err, "an option without effect is refused"
    assert not (tmp_path / "out").exists()


CLASSES = ("up", "down", "none", "=x")


def sharp_classes(n=1200, seed=3):
    """Softmax probabilities of logits twice too large, and classes drawn from the right ones."""
    rng = np.random.default_rng(seed)
    z = rng.normal(0, 1.2, (n, len(CLASSES)))
    truth, q = softmax(z, axis=1), softmax(2 * z, axis=1)
    return q, (truth.cumsum(axis=1) > rng.random(n)[:, None]).argmax(axis=1)


def write_classes(path, q, gold=None, names=("up", "down", "none", "'=x"), order=(0, 1, 2, 3)):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["document", *(names[k] for k in order)] + ["gold"] * (gold is not None))
        for row, values in enumerate(q.tolist()):
            found = [] if gold is None else [names[gold[row]]]
            writer.writerow([f"d{row:04}", *(repr(values[k]) for k in order), *found])


def probabilities_in(path, names=("up", "down", "none", "'=x")):
    return np.array([[float(row[name]) for name in names] for row in read_table(path)])


# Without a method it is shrinkage.
@pytest.mark.parametrize("method", [None, *CLASS_RECALIBRATIONS, pytest.param("shrinkage", marks=pytest.mark.slow)])
def test_the_shell_recalibrates_classes_together_as_the_library_does(tmp_path, capsys, method):
    q, gold = sharp_classes()
    write_classes(tmp_path / "table.csv", q, gold)
    chosen = [] if method is None else ["--method", method]
    assert main(["recalibrate", str(tmp_path / "table.csv"), "--out", str(tmp_path / "out"), *chosen]) == 0
    printed = capsys.readouterr().out.splitlines()
    unit = [f"d{row:04}" for row in range(len(q))]
    report = nc.recalibrate(nc.read(q, y=gold, unit=unit, classes=CLASSES), method=method)
    assert printed[0] == f"{tmp_path / 'table.csv'}: {report.lines()[0]}"
    assert printed[1:-1] == report.lines()[1:]
    assert report.after.error < 0.2 * report.before.error

    rows = read_table(tmp_path / "out/recalibrated.csv")
    assert list(rows[0]) == ["document", "up", "down", "none", "'=x", "gold"]
    assert [row["document"] for row in rows] == unit
    np.testing.assert_array_equal(probabilities_in(tmp_path / "out/recalibrated.csv"), report.q)

    new, _ = sharp_classes(50, seed=4)
    write_classes(tmp_path / "new.csv", new, order=(2, 0, 3, 1))
    command = ["recalibrate", str(tmp_path / "new.csv"), "--map", str(tmp_path / "out/map.json")]
    assert main([*command, "--out", str(tmp_path / "again")]) == 0
    assert list(read_table(tmp_path / "again/recalibrated.csv")[0]) == ["document", "none", "up", "'=x", "down"]
    np.testing.assert_array_equal(probabilities_in(tmp_path / "again/recalibrated.csv"), report.predict(new))


@pytest.mark.parametrize("of_classes", [False, True])
def test_measuring_the_repaired_table_advises_what_the_recalibration_did_and_new_labels_are_measured_anew(
    tmp_path, capsys, of_classes
):
    table, out = tmp_path / "table.csv", tmp_path / "out"
    if of_classes:
        q, gold = sharp_classes()
        write_classes(table, q, gold)
    else:
        write_table(table, *sharp())
    reading = [] if of_classes else ["--q", "score"]

    def said(*arguments):
        main([*map(str, arguments), *reading])
        return [line for line in capsys.readouterr().out.splitlines() if line.startswith("next: ")]

    repaired = said("recalibrate", table, "--out", out)
    assert said("calibrate", out / "recalibrated.csv") == repaired
    assert "no other method does better on held-out labels" in repaired[0]
    assert said("calibrate", out / "recalibrated.csv", "--level", ".9") == repaired
    fresh = read_table(out / "recalibrated.csv")[1:]
    with (out / "fresh.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, fresh[0])
        writer.writeheader()
        writer.writerows(fresh)
    assert said("calibrate", out / "fresh.csv") != repaired


def test_classes_are_recalibrated_under_other_names_and_in_lists(tmp_path):
    q, gold = sharp_classes(300)
    report = nc.recalibrate(q, gold)
    table = pa.table({"probabilities": list(q), "gold": gold, "id": range(300)})
    pa.parquet.write_table(table, tmp_path / "lists.parquet")
    assert main(["recalibrate", str(tmp_path / "lists.parquet"), "--out", str(tmp_path / "lists")]) == 0
    found = pa.parquet.read_table(tmp_path / "lists/recalibrated.parquet")
    assert found.schema.equals(table.schema)
    np.testing.assert_array_equal(found["probabilities"].to_pylist(), report.q)

    write_classes(tmp_path / "other.csv", q, names=("p0", "p1", "p2", "p3"))
    command = ["recalibrate", str(tmp_path / "other.csv"), "--map", str(tmp_path / "lists/map.json")]
    assert main([*command, "--q", "p0,p1,p2,p3", "--out", str(tmp_path / "other")]) == 0
    np.testing.assert_array_equal(probabilities_in(tmp_path / "other/recalibrated.csv", ("p0", "p1", "p2", "p3")),
                                  report.predict(q))  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (
            "up,down\n.5,.5\n",
            "new.csv: found the classes up, down; expected up, down, none, =x: --q names their columns",
        ),
        ("up,down,none,'=x\n.5,.5,.5,.5\n", "line 2: found probabilities that sum to 2, expected a sum of 1"),
    ],
)
def test_tables_that_a_map_of_classes_does_not_fit_are_refused(tmp_path, capsys, cells, message):
    q, gold = sharp_classes(300)
    write_map(tmp_path / "map.json", nc.recalibrate(nc.read(q, y=gold, classes=CLASSES)).map, "temperature")
    (tmp_path / "new.csv").write_text(cells, encoding="utf-8")
    command = ["recalibrate", str(tmp_path / "new.csv"), "--map", str(tmp_path / "map.json")]
    assert main([*command, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
    assert main([*command, "--out", str(tmp_path / "out"), "--q", "up,down"]) == 2
    assert "found the classes up, down; expected up, down, none, =x" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("method", sorted(set(RECALIBRATIONS) - set(CLASS_RECALIBRATIONS)))
def test_maps_of_one_probability_are_refused_for_classes(tmp_path, capsys, method):
    write_classes(tmp_path / "table.csv", *sharp_classes(300))
    assert main(["recalibrate", str(tmp_path / "table.csv"), "--method", method]) == 2
    message = "expected one of shrinkage, temperature, which have a form for several"
    assert f"found '{method}', {message}" in capsys.readouterr().err


def test_a_map_that_changes_classes_names_the_column_of_old_ones_and_is_refused_where_classes_are_to_stay(
    tmp_path, monkeypatch, capsys
):
    """A bias of one class: `predicted` has the model's own decision, which some recalibrated rows no longer support."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(5)
    logits = rng.normal(0, 1, (600, 3))
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    gold = (rng.random((600, 1)) > true.cumsum(axis=1)).sum(axis=1)
    stated = np.exp(2 * logits + [1.5, 0, 0])
    stated /= stated.sum(axis=1, keepdims=True)
    names, decided = np.array(["a", "b", "c"]), stated.argmax(axis=1)
    # A column that differs from the decision in one row is somebody else's.
    other = np.where(np.arange(600) == 7, (decided + 1) % 3, decided)
    rows = zip(names[decided], names[other], *stated.T.tolist(), names[gold], strict=True)
    lines = ["predicted,other,a,b,c,gold", *(",".join(map(str, row)) for row in rows)]
    Path("old.csv").write_text("\n".join(lines) + "\n")
    Path("new.csv").write_text("\n".join(line.rpartition(",")[0] for line in lines) + "\n")
    report = nc.recalibrate(nc.read("old.csv"))
    report.save("fitted")
    applied = nc.apply_map("new.csv", "fitted/map.json")
    for found in (report, applied):
        changed = int((found.q.argmax(axis=1) != decided).sum())
        assert changed > 30
        assert found.old_classes == ("predicted",)
        expected = f"column predicted is written as before: in {changed} of 600 rows the class there is no longer"
        assert expected in str(found)
        assert found.record()["changed_classes"] == pytest.approx(changed / 600)
    assert nc.apply_map(stated, report.map).changed == applied.changed
    assert main(["recalibrate", "new.csv", "--map", "fitted/map.json", "--keep-classes", "--out", "kept"]) == 2
    message = "fitted/map.json: found a map that may change classes, expected one that was fitted with --keep-classes"
    assert message in capsys.readouterr().err
    assert not Path("kept").exists()
    kept = nc.recalibrate(nc.read("old.csv"), keep_classes=True)
    assert kept.map.keeps_classes
    assert kept.old_classes == ()
    stays = nc.apply_map("new.csv", kept.map, keep_classes=True)
    assert (stays.changed, stays.old_classes) == (0, ())
    assert "class" not in str(stays)
    of_pairs = nc.recalibrate(stated[:, 0], gold == 0).map
    with pytest.raises(nc.InputError, match="map: found a map that has one prediction in each row, expected one"):
        nc.apply_map([0.5], of_pairs, keep_classes=True)


def test_maps_that_keep_the_likeliest_class_are_those_whose_classes_have_the_same_parameters():
    rng = np.random.default_rng(1)
    q = rng.dirichlet(np.full(3, 0.5), 400)
    shifts = {"heat": 0.8, "slope": 0.7, "soft": 0.01, "floor": 1e-9, "matrix": np.zeros(9), "values": [0.0, 1.0]}
    for keeps, found in (
        (True, made("softmax", weight=[0.5] * 3, bias=[0.0] * 3, floor=1e-9)),
        (False, made("softmax", weight=[0.5] * 3, bias=[1.0, 0.0, 0.0], floor=1e-9)),
        (True, made("shifts", **shifts, bias=[0.1] * 3, bend=[0.2] * 3, fitted=[0.3, 0.6])),
        (False, made("shifts", **shifts, bias=[0.1] * 3, bend=[0.9, 0.0, 0.0], fitted=[0.0, 1.0])),
        (False, made("linear_by_class", intercept=[1.0, 0, 0], slope=[1.0] * 3, floor=1e-9)),
    ):
        assert found.keeps_classes is keeps
        assert (nc.apply_map(q, found).changed == 0) is keeps
