"""What a path reads, a data frame and arrays read too; ids that a spreadsheet made numbers are joined everywhere."""

import json
import re
import warnings

import numpy as np
import pandas as pd
import pytest
from tests.predictions.test_labelled import write

import nlpcalib as nc
from nlpcalib.cli import app

N = 200
TAGS = np.array(["O", "PER", "LOC"])


def tagged():
    rng = np.random.default_rng(7)
    predicted, q = rng.integers(3, size=N), 1 / 3 + 2 * rng.random(N) / 3
    right = np.where(rng.random(N) < q, predicted, (predicted + 1) % 3)
    return q.round(4), TAGS[predicted], TAGS[right]


@pytest.mark.parametrize("numbered", [False, True])
def test_labels_of_arrays_are_compared_with_what_is_predicted(numbered, tmp_path):
    q, predicted, right = tagged()
    if numbered:
        predicted, right = (np.searchsorted(np.sort(TAGS), each) for each in (predicted, right))
    write(tmp_path / "tags.csv", ["q", "predicted", "y"], list(zip(q, predicted, right, strict=True)))
    of_file = nc.calibrate(nc.read(tmp_path / "tags.csv"))
    of_arrays = nc.calibrate(nc.read(q, right, predicted=predicted))
    assert of_file.error == of_arrays.error
    assert of_arrays.brier == pytest.approx(np.mean((q - (predicted == right)) ** 2))
    by_row = nc.read(q, dict(enumerate(right.tolist())), predicted=predicted)
    assert nc.calibrate(by_row).error == of_arrays.error
    one = nc.read(q, right, predicted=predicted, yes=str(right[0]))
    assert one.y.tolist() == [float(each == right[0]) for each in right]


def test_a_data_frame_names_columns_as_a_file_does():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(8)
    q = rng.dirichlet([1, 1, 1], N)
    y = [str(name) for name in TAGS[(rng.random((N, 1)) > q.cumsum(axis=1)[:, :2]).sum(axis=1)]]
    days = [f"{1 + row % 28:02}.12.{2021 + row % 3}" for row in range(N)]
    shares = {f"q_{name}": q[:, k] for k, name in enumerate(TAGS)}
    frame = pandas.DataFrame({"id": range(N), **shares, "gold": y, "on": days})
    expected = nc.calibrate(nc.read(q, y, classes=TAGS.tolist())).error
    assert nc.calibrate(nc.read(frame)).error == nc.calibrate(nc.read(frame, q="q_O,q_PER,q_LOC")).error == expected
    by_year = nc.estimate(nc.read(frame, date="on"), by="year(date)")
    assert set(by_year.groups) == {"2021", "2022", "2023"}
    with pytest.raises(nc.InputError, match=r"data frame: found the columns id, .*; expected one named 'sure'"):
        nc.read(frame, q="sure")
    with pytest.raises(nc.InputError, match="expected one named 'q', or q="):
        nc.read(frame[["id", "gold"]])


def test_a_data_frame_has_numbers_of_classes_and_labels_in_some_rows_as_its_file_has(tmp_path):
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(12)
    q = rng.dirichlet([1, 1], N)
    y = (rng.random(N) < q[:, 1]).astype(int)
    for number, labels in enumerate((y, np.where(rng.random(N) < 0.7, y, np.nan))):
        frame = pandas.DataFrame({"cat": q[:, 0], "dog": q[:, 1], "gold": labels})
        frame.to_csv(tmp_path / f"{number}.csv", index=False)
        assert nc.calibrate(nc.read(frame)).error == pytest.approx(nc.calibrate(tmp_path / f"{number}.csv").error)
    dated = nc.read(frame.assign(q=q[:, 1], on="2024-01-31"), date="on", by={"half": ["a", "b"] * (N // 2)})
    assert set(dated.column("year(date)")) == {"2024"}


def test_labels_that_do_not_exclude_each_other_take_no_option_that_has_no_effect():
    q, y = np.random.default_rng(13).random((N, 2)), np.arange(2 * N).reshape(N, 2) % 3 == 0
    groups = {"half": ["a", "b"] * (N // 2)}
    for data in (nc.read(q, y, by=groups), nc.read(q, y=y, by=groups)):
        assert data.column("half") == ["a", "a", "b", "b"] * (N // 2)
    for option in ({"id": range(N)}, {"text": ["a"] * N}, {"predicted": ["a"] * N}, {"yes": "0"}, {"values": (0, 1)},
                   {"threshold": 0.5}, {"drawn": "random"}):  # fmt: skip
        with pytest.raises(nc.InputError, match="with labels that do not exclude each other, expected none"):
            nc.read(q, y=y, **option)
    with pytest.raises(nc.InputError, match="found labels twice"):
        nc.read(q, y, y=y)


def test_columns_of_classes_that_are_named_have_the_classes_of_a_sheet_and_of_a_map(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(15)
    q = rng.dirichlet([1, 1, 1], N)
    right = [TAGS[rng.choice(3, p=each)] for each in q]
    write(
        tmp_path / "wide.csv",
        ["id", *(f"P_{tag}" for tag in TAGS)],
        [[row, *each] for row, each in enumerate(q.tolist())],
    )
    write(tmp_path / "labels.csv", ["id", "label"], list(enumerate(right)))
    named = ["--q", ",".join(f"P_{tag}" for tag in TAGS)]
    assert nc.read("wide.csv", "labels.csv", q=named[1]).classes == tuple(TAGS)
    assert app.main(["recalibrate", "wide.csv", "labels.csv", *named, "--out", "first"]) == 0
    assert app.main(["recalibrate", "wide.csv", "--map", "first/map.json", *named, "--out", "again"]) == 0
    assert nc.read("again/recalibrated.csv", "labels.csv", q=named[1]).classes == tuple(TAGS)


def test_several_columns_are_named_as_groups_are(tmp_path):
    rng = np.random.default_rng(14)
    rows = [[row // 20, row // 5, q.round(3), int(rng.random() < q), q.round(1)] for row, q in enumerate(rng.random(N))]
    write(tmp_path / "t.csv", ["book", "page, or leaf", "q", "y", "size, mm"], rows)
    data = nc.read(tmp_path / "t.csv", unit='book, "page, or leaf"')
    assert [len(each.names) for each in data.units] == [10, 40]
    assert nc.estimate(data, features='q, "size, mm"').low > 0


def test_dates_of_arrays_have_one_format_that_may_be_given():
    q, y = np.linspace(0.1, 0.9, 60), np.arange(60) % 2
    days = [f"0{1 + row % 9}/0{1 + row % 7}/202{row % 2}" for row in range(60)]
    assert set(nc.estimate(nc.read(q, y, by={"day": days}, dates="day-first"), by="month(day)").groups) >= {"2020-07"}
    with pytest.raises(nc.InputError, match=r"day: found dates such as .*expected dates='day-first'"):
        nc.estimate(nc.read(q, y, by={"day": days}), by="year(day)")
    with pytest.raises(nc.InputError, match=r"day, row 7: found no date, here and in 1 row in all"):
        nc.estimate(nc.read(q, y, by={"day": [*days[:7], None, *days[8:]]}, dates="day-first"), by="year(day)")


def test_ratings_are_numbers_in_every_file(tmp_path):
    rng = np.random.default_rng(9)
    q, y = rng.uniform(1, 5, N).round(2).tolist(), rng.integers(1, 6, N).tolist()
    mean = nc.estimate(nc.read(np.array(q), y, values=(1, 5))).record()["estimates"]
    lines = [json.dumps({"id": f"a{row}", "q": q[row], "y": y[row]}) for row in range(N)]
    (tmp_path / "ratings.jsonl").write_text("\n".join(lines), encoding="utf-8")
    german = [[f"a{row}", str(q[row]).replace(".", ","), f"{y[row]},0"] for row in range(N)]
    (tmp_path / "ratings.csv").write_text("\n".join(map(";".join, [["id", "q", "y"], *german])), encoding="utf-8")
    with pytest.raises(nc.InputError, match=r"yes: found 'ja' with threshold=4\.0, expected one of the two"):
        nc.read(tmp_path / "ratings.csv", threshold=4.0, yes="ja")
    for name in ("ratings.jsonl", "ratings.csv"):
        assert nc.estimate(nc.read(tmp_path / name, values=(1, 5))).record()["estimates"] == mean


def test_models_and_records_are_joined_by_ids_that_lost_their_zeros(tmp_path):
    rng = np.random.default_rng(10)
    q, y = rng.random(N).round(4), rng.integers(2, size=N)
    ids = [f"{row:05}" for row in range(N)]
    write(tmp_path / "a.csv", ["id", "q", "y"], list(zip(ids, q, y, strict=True)))
    write(tmp_path / "b.csv", ["id", "q", "y"], [[row, (q[row] ** 2).round(6), y[row]] for row in range(N)][::-1])
    with pytest.warns(nc.InputWarning, match="200 ids joined as numbers, such as '199' with '00199'"):
        found = nc.compare(nc.read(tmp_path / "a.csv"), nc.read(tmp_path / "b.csv"))
    in_order = nc.compare(nc.read(q, y), nc.read((q**2).round(6), y))
    of_ids, of_rows = ([each["value"] for each in report.record()["models"]] for report in (found, in_order))
    assert of_ids == of_rows


def test_records_are_joined_by_ids_that_lost_their_zeros(tmp_path):
    rng = np.random.default_rng(11)
    q, y = rng.random(N).round(4), rng.integers(2, size=N)
    lines = [json.dumps({"id": f"{row:05}", "cats": {"ham": 1 - q[row], "spam": q[row]}}) for row in range(N)]
    (tmp_path / "texts.jsonl").write_text("\n".join(lines), encoding="utf-8")
    write(tmp_path / "labels.csv", ["id", "label"], [[row, ("ham", "spam")[y[row]]] for row in range(N)])
    with pytest.warns(nc.InputWarning, match="200 ids joined as numbers, such as '0' with '00000'"):
        found = nc.read(tmp_path / "texts.jsonl", tmp_path / "labels.csv", format="spacy-cats")
    assert (found.classes, found.y.tolist()) == (("ham", "spam"), y.tolist())


def test_a_way_out_names_each_label_that_counts_as_no():
    q, y = np.linspace(0.1, 0.9, 60), ["ja", "nein", "?"] * 20
    with pytest.raises(nc.InputError, match=r"yes='ja,\?,nein' counts \?, nein as no"):
        nc.read(q, y, yes="ja")
    assert nc.read(q, y, yes="ja,?,nein").y.sum() == 20


def test_look_plans_no_more_units_than_there_are(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "t.csv", ["id", "q", "unit"], [[f"a{row}", row / N, row // 10] for row in range(N)])
    assert ("plan", "items", "t.csv", "--budget", "10", "--out", "plan") in nc.look("t.csv").commands
    assert app.main(["plan", "items", "t.csv", "--budget", "10", "--out", "plan"]) == 0


def test_a_frame_is_read_as_a_file_is(tmp_path):
    y = [row % 3 == 0 for row in range(60)]
    fractions = {"q": [f"0,{row % 9 + 1}" for row in range(58)] + ["n/a", None], "y": y}
    verdicts = {"verdict": ["error" if row == 5 else ("fail", "pass")[row % 2] for row in range(60)], "y": y}
    classes = {"q_a": [None, *[0.25, 0.5, 0.75] * 19, 0.5, 0.5], "q_b": [None, *[0.75, 0.5, 0.25] * 19, 0.5, 0.5],
               "gold": ["ab"[row % 2] for row in range(60)]}  # fmt: skip
    for columns, rows in ((fractions, 58), (verdicts, 59), (classes, 59)):
        frame = pd.DataFrame({"id": [f"i{row}" for row in range(60)], **columns})
        frame.to_csv(tmp_path / "t.csv", sep=";", index=False)
        with pytest.warns(nc.InputWarning, match="left out"):
            framed, filed = nc.read(frame), nc.read(tmp_path / "t.csv")
        assert len(framed) == len(filed) == rows
        assert (framed.q == filed.q).all()
        assert (framed.y == filed.y).all()
        assert framed.gaps[0].names == filed.gaps[0].names
    low = pd.DataFrame({"predicted": ["a", "b"] * 30, "q": [0.4, 0.9] * 30, "y": ["a", "a", "b"] * 20})
    with pytest.raises(nc.InputError, match=r"found the confidence 0\.4 in one of two classes"):
        nc.read(low)


K = ("ant", "bee", "cat")
ROWS = 120


def spellings():
    """Yield columns that people have in a file, in a frame and in arrays alike."""
    rng = np.random.default_rng(16)
    q, shares = rng.random(ROWS).round(4), rng.dirichlet([1, 1, 1], ROWS).round(4)
    y = (rng.random(ROWS) < q).astype(int)
    shares[:, 2] = (1 - shares[:, 0] - shares[:, 1]).round(4)
    best = np.array(K)[shares.argmax(axis=1)]
    right = np.where(rng.random(ROWS) < shares.max(axis=1), best, "cat")
    ids, some_rows = [f"i{row:03}" for row in range(ROWS)], np.arange(ROWS) % 7 == 3
    words = np.where(some_rows, "n/a", q.astype(str))
    again = [f"i{row // 2}" for row in range(ROWS)]
    yield "sound", {"id": ids, "q": q, "y": y}
    yield "no prediction", {"id": ids, "q": np.where(some_rows, np.nan, q), "y": y}
    yield "no prediction in words", {"id": ids, "q": words, "y": y}
    yield "no label", {"id": ids, "q": q, "y": np.where(some_rows, np.nan, y)}
    yield "open labels", {"id": ids, "q": q, "y": np.where(some_rows, "cannot tell", np.where(y, "yes", "no"))}
    yield "unclear labels", {"id": ids, "q": q, "y": np.where(some_rows, "vielleicht", np.where(y, "yes", "no"))}
    yield "ids again", {"id": again, "q": q, "y": y}
    yield "ids again, some labels", {"id": again, "q": q, "y": np.where(some_rows, np.nan, y)}
    yield "two labels of one item", {"id": again, "q": np.repeat(q[:60], 2), "y": y}
    yield "ids with blanks", {"id": [f" {name} " for name in ids], "q": q, "y": y}
    yield "an id is missing", {"id": ["", *ids[1:]], "q": q, "y": y}
    yield (
        "a class that nobody predicts",
        {"predicted": best, "q": shares.max(axis=1), "y": np.where(some_rows, "dog", right)},
    )
    yield "capitals", {"predicted": best, "q": shares.max(axis=1), "y": np.char.upper(right)}
    yield "classes", {**dict(zip(K, shares.T, strict=True)), "y": right}
    yield "classes, no prediction", {**dict(zip(K, np.where(some_rows, np.nan, shares.T), strict=True)), "y": right}
    yield "classes by number", {**dict(zip(K, shares.T, strict=True)), "y": [K.index(each) for each in right]}
    yield "inverted", {"id": ids, "q": q, "y": 1 - y}
    yield "per cent", {"id": ids, "q": (100 * q).round(2), "y": y}
    yield "pasted", {"q": np.tile(q[:60], 2), "y": np.tile(y[:60], 2)}


def read_and_heard(*given, **named):
    """Return predictions or None, what is warned of or refused, and notes, all without places."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            data = nc.read(*given, **named)
        except nc.InputError as error:
            return None, [re.sub(r"^.*?: found", "found", str(error)).partition(",")[0]], []
    places = r"^(t\.csv|data frame|predictions|labels): |, without a prediction.*|(line|row) \d+|column "
    notes = [re.sub(places, "", each).strip() for each in data.facts.notes]
    return data, sorted(re.sub(places, "", str(each.message)) for each in heard), notes


@pytest.mark.parametrize(
    ("spelling", "columns"), list(spellings()), ids=lambda each: each if isinstance(each, str) else ""
)
def test_a_file_a_frame_and_arrays_are_one_table(spelling, columns, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame(columns)
    frame.to_csv("t.csv", index=False)
    rest = {name: list(each) for name, each in columns.items() if name not in ("q", "y", *K)}
    shares = frame[list(K)].to_numpy() if "ant" in frame else frame["q"].to_numpy()
    classes = {"classes": K} if "ant" in frame else {}
    readers = [read_and_heard("t.csv"), read_and_heard(frame), read_and_heard(shares, columns["y"], **rest, **classes)]
    of_file, *others = readers
    for data, heard, notes in others:
        assert (heard, notes) == of_file[1:]
        assert (data is None) == (of_file[0] is None)
        if data is not None:
            assert np.array_equal(data.q, of_file[0].q)
            assert np.array_equal(data.y, of_file[0].y, equal_nan=True)
            assert (list(data.ids), data.answer.tolist()) == (list(of_file[0].ids), of_file[0].answer.tolist())
            assert [each.names for each in data.units] == [each.names for each in of_file[0].units]
            assert [len(each.names) for each in data.gaps] == [len(each.names) for each in of_file[0].gaps]
            assert [np.count_nonzero(~np.isnan(each.y)) for each in data.gaps] == [
                np.count_nonzero(~np.isnan(each.y)) for each in of_file[0].gaps
            ]


def test_days_of_a_frame_are_days(tmp_path):
    frame = pd.DataFrame({"q": np.linspace(0.1, 0.9, 60), "y": [0, 1, 1] * 20})
    frame["date"] = pd.Timestamp("2023-11-01") + pd.to_timedelta(np.arange(60), unit="D")
    for data in (nc.read(frame), nc.read(frame["q"], frame["y"], by={"date": frame["date"]})):
        assert set(nc.estimate(data, by="year(date)").groups) == {"2023"}


def test_a_frame_is_written_with_its_own_columns(tmp_path):
    rng = np.random.default_rng(17)
    q = rng.random(200)
    frame = pd.DataFrame({"note": ["a", "b"] * 100, "q": q, "y": rng.random(200) < q**2})
    nc.recalibrate(frame).save(tmp_path)
    written = pd.read_parquet(tmp_path / "recalibrated.parquet")
    assert written.columns.tolist() == ["note", "q", "y"]
    assert (written["note"] == frame["note"]).all()


def test_two_models_of_different_kinds_are_named_with_what_they_are():
    q, y = np.linspace(0.1, 0.9, 60), np.arange(60) % 2
    with pytest.raises(nc.InputError, match="found yes or no in predictions A and 2 classes in predictions B"):
        nc.compare(nc.read(q, y), nc.read(np.column_stack([q, 1 - q]), y))


def test_no_option_of_records_is_dropped(tmp_path):
    scores = [{"label": name, "score": 0.5} for name in ("POS", "NEG")]
    lines = [{"id": f"a{row}", "scores": scores, "gold": "POS"} for row in range(30)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert nc.read(tmp_path / "t.jsonl", drawn="random").design.drawn == "random"
    for option in ({"text": "text"}, {"date": "day"}, {"values": (0, 1)}, {"match": "riot"}, {"dates": "day-first"}):
        with pytest.raises(nc.InputError, match="expected none with 2 classes"):
            nc.read(tmp_path / "t.jsonl", **option)
    with pytest.raises(nc.InputError, match="format: found 'csv', expected none"):
        nc.read([0.5], [1], format="csv")


def test_a_list_that_is_missing_is_no_prediction(tmp_path):
    rows = [None if row % 9 == 0 else [0.25, 0.75] for row in range(60)]
    frame = pd.DataFrame({"id": [f"a{row}" for row in range(60)], "q": rows, "y": [row % 2 for row in range(60)]})
    frame.to_parquet(tmp_path / "t.parquet")
    for source in (tmp_path / "t.parquet", frame):
        with pytest.warns(nc.InputWarning, match="7 rows left out, without a prediction in q: a0, a9"):
            assert nc.read(source).q.shape == (53, 2)


def test_look_offers_no_map_of_one_row(tmp_path):
    (tmp_path / "t.csv").write_text("id,q,y\na,.7,1\n", encoding="utf-8")
    assert [command[0] for command in nc.look(tmp_path / "t.csv").commands] == ["calibrate", "compare"]


def test_a_data_frame_has_groups_of_numbers_as_its_file_has_and_columns_that_nobody_reads(tmp_path):
    q, _, _ = tagged()
    frame = pd.DataFrame({"q": q, "y": np.arange(N) % 2, "group": np.where(np.arange(N) % 3, 1.0, np.nan)})
    frame.to_csv(tmp_path / "groups.csv", index=False)
    odd = frame.assign(mixed=[["a"] if row % 2 else "b" for row in range(N)], pair=[(1, "a")] * N)
    rows = [nc.calibrate(nc.read(each), by="group").by_class for each in (odd, tmp_path / "groups.csv")]
    assert {row["predicted"] for row in rows[0]} >= {"(empty)"}
    assert [row["error"] for row in rows[0]] == [row["error"] for row in rows[1]]
    with pytest.raises(nc.InputError, match="row 0: found no id"):
        nc.read(frame.rename(columns={"group": "id"}))
    with pytest.raises(nc.InputError, match="found the column 'q' again"):
        nc.read(pd.concat([frame, frame], axis=1))
    with pytest.raises(TypeError, match=r"calibrate takes no id: give it to nlpcalib\.read"):
        nc.calibrate(frame, id="group")
