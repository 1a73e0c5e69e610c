"""`nlpcalib recalibrate` gives a table back with all it had, and its map recalibrates new tables to the bit."""

import csv
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy.special import expit, logit

import nlpcalib as nc
from nlpcalib.calibration.recalibration import CLASS_RECALIBRATIONS, RECALIBRATIONS
from nlpcalib.calibration.recalibration_map import read_map, write_map
from nlpcalib.cli import main
from nlpcalib.errors import InputError


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


@pytest.mark.parametrize("method", RECALIBRATIONS)
def test_a_saved_map_recalibrates_as_the_one_that_was_fitted(tmp_path, method):
    report = nc.recalibrate(*sharp(), method=method)
    write_map(tmp_path / "map.json", report.map, method)
    new = np.concatenate([[0, 1], np.random.default_rng(1).random(500)])
    np.testing.assert_array_equal(read_map(tmp_path / "map.json")(new), report.predict(new))


@pytest.mark.parametrize("method", CLASS_RECALIBRATIONS)
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


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda content: content.pop("form"), "found no key 'form', expected map.json"),
        (lambda content: content["parameters"].update(floor=0.9), "found the floor 0.9, expected one above 0"),
        (lambda content: content.update(form="cubic"), "expected map.json"),
        (lambda content: content["parameters"].pop("slope"), "found the parameters"),
        (lambda content: content["parameters"].update(slope=[1, 2]), "another slope, expected a finite number"),
        (lambda content: content["parameters"].update(slope=float("nan")), "another slope, expected a finite number"),
        (lambda content: content["parameters"].update(slope="steep"), "expected map.json"),
        (
            lambda content: content.update(form="curve", parameters={"values": [0.2, 0.1], "fitted": [0, 1]}),
            "found a curve",
        ),
        (
            lambda content: content.update(form="curve", parameters={"values": [0.1, 0.2], "fitted": [0, 2]}),
            "found a curve",
        ),
        (lambda content: content.update(form="steps", parameters={"values": [0.1], "merged": [0, 1]}), "found a curve"),
    ],
)
def test_another_map_is_refused(tmp_path, change, message):
    content = {"method": "logistic", "form": "linear", "parameters": {"intercept": 0, "slope": 1, "floor": 0.01}}
    change(content)
    (tmp_path / "map.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_map(tmp_path / "map.json")


@pytest.mark.parametrize(
    ("cell", "message"), [("1.2", "row 1: found '1.2'"), ("", "row 1: found ''"), ("high", "row 1: found 'high'")]
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
    assert "found --map and --method beta" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
