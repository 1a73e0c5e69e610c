"""A folder of texts, an article, a frame's index and a pipeline's output: read, or told what to do, in one line."""

import csv
import json
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.tables.table import Table


@pytest.fixture(params=["news", 'Lea\'s $(touch spoilt) "news" \\n'])
def folder(tmp_path, request):
    folder = tmp_path / request.param
    folder.mkdir()
    for day in (1, 2, 3):
        (folder / f"2019-01-0{day}_guardian.txt").write_text(f"Kenya protested, number {day}.", encoding="utf-8")
    return folder


PLAN = ["plan", "items", "FOLDER", "--match", "protest", "--budget", "2", "--out", "plan"]
FOUR = [["events", "FOLDER", "--category", "protest"], ["look", "FOLDER"], PLAN, ["calibrate", "FOLDER"]]


@pytest.mark.parametrize("command", FOUR, ids=lambda command: command[0])
def test_a_folder_of_texts_is_told_how_it_becomes_a_table(folder, command, capsys, monkeypatch):
    monkeypatch.chdir(folder.parent)
    assert main([str(folder) if word == "FOLDER" else word for word in command]) == 2
    message = capsys.readouterr().err
    assert "found a folder, expected a file with a row for each of 3 texts; coref reads the folder as it is" in message
    python, option, code = shlex.split(message[message.index("python -c") :])
    assert (python, option) == ("python", "-c")
    subprocess.run([sys.executable, "-c", code], check=True)
    table = Table("texts.csv")
    assert (table.names, table.rows) == (("id", "date", "text"), 3)
    subprocess.run(message[message.index("python -c") :].replace("python", sys.executable, 1), shell=True, check=True)
    assert not Path("spoilt").exists(), "a name is no command"


def test_an_article_is_told_to_be_a_text(tmp_path):
    article = tmp_path / "novel.txt"
    article.write_text("CHAPTER 1\n\nDr Venn came home. He was tired.\n", encoding="utf-8")
    assert nc.look(article).commands == (("coref", str(article)),)


def test_a_category_that_is_not_packaged_is_learnt(tmp_path, capsys):
    (tmp_path / "texts.csv").write_text("id,date,text\n1,2019-01-01,Kenya\n", encoding="utf-8")
    assert main(["events", str(tmp_path / "texts.csv"), "--category", "border closures"]) == 2
    message = capsys.readouterr().err
    assert "expected assault," in message
    assert "nlpcalib learn makes a model of any other" in message


def test_the_index_of_a_frame_is_no_prediction(tmp_path):
    rng = np.random.default_rng(0)
    p = rng.dirichlet([2, 1, 1], 90)
    frame = pd.DataFrame(p, columns=["a", "b", "c"])
    frame["gold"] = [rng.choice(["a", "b", "c"], p=row) for row in p]
    frame = frame.drop(index=[1, 5, 6, 40])
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_csv(tmp_path / "p.csv")
    frame.reset_index(names="Unnamed: 0").to_csv(tmp_path / "twice.csv", index=False)
    assert "__index_level_0__" in Table(tmp_path / "p.parquet").names
    expected = nc.calibrate(frame[["a", "b", "c"]], frame.gold).error
    for name in ("p.parquet", "p.csv", "twice.csv"):
        assert nc.calibrate(nc.read(tmp_path / name)).error == pytest.approx(expected, abs=1e-12)


def test_what_a_pipeline_returns_is_called_so(tmp_path):
    found = [[{"entity_group": "ORG", "score": 0.8, "word": "Acme", "start": 0, "end": 4}], []]
    (tmp_path / "ner.json").write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(nc.InputError, match=r'found what a pipeline returns .* in each line, to measure, "gold": \[\{'):
        nc.calibrate(nc.read(tmp_path / "ner.json"))


def test_look_knows_what_predict_proba_gives(tmp_path):
    rng = np.random.default_rng(1)
    path = tmp_path / "p.csv"
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["a", "b", "message_id", "text", "gold"])
        for row in range(60):
            p = rng.random()
            rows.writerow([p, 1 - p, f"m{row}", "some text", "a" if row % 3 else ""])
    report = nc.look(path)
    assert "of 2 classes" in repr(report)
    assert ("calibrate", str(path)) in report.commands


def test_xml_is_refused_with_a_command_that_makes_a_text_of_its_paragraphs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paragraphs = "<p>Ana met\n<i>Ben</i>.</p><p>She left.</p>"
    tei = f'<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"><text>{paragraphs}</text></TEI>'
    Path("novel.xml").write_text(tei, encoding="utf-8")
    Path("novel.txt").write_text(tei.partition("\n")[2], encoding="utf-8")
    doors = (
        lambda: nc.resolve_files(["novel.xml"]),
        lambda: nc.find_events("novel.xml", "protest"),
        lambda: nc.look("novel.xml"),
        lambda: nc.look("novel.txt"),
        lambda: nc.plan_items(nc.read("novel.xml", match="Ana"), budget=1),
        lambda: nc.calibrate(nc.read("novel.xml")),
    )  # fmt: skip
    for door in doors:
        with pytest.raises(nc.InputError, match="found XML, whose tags would become words") as error:
            door()
    command = shlex.split(str(error.value).partition("python -c ")[2])
    made = subprocess.run([sys.executable, "-c", *command[:2]], check=True, capture_output=True, text=True)
    assert made.stdout == "Ana met Ben.\n\nShe left.\n"


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.csv", "a.tsv", "a.txt", "a.conllu", "a.parquet", "a.npz"])
@pytest.mark.parametrize("content", ["", " \n\n", "[]", "[ ]\n", "{}"])
def test_look_calls_an_empty_file_empty(name, content, tmp_path):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(nc.InputError, match=f"{name}: found nothing, expected rows of a table, records or a text"):
        nc.look(tmp_path / name)


def test_a_label_for_a_map_without_labels_is_refused(tmp_path):
    random = np.random.default_rng(2)
    q = random.random(400)
    fitted = nc.recalibrate(q, random.random(400) < q**2)
    with pytest.raises(nc.InputError, match="predicted: found what predictions are of, expected none"):
        fitted.predict(q, predicted=["a"] * 400)


def test_look_reads_past_a_long_beginning_of_blanks(tmp_path):
    (tmp_path / "a.csv").write_text(" " * 70_000 + "\nid,q\na,.3\n", encoding="utf-8")
    with pytest.raises(nc.InputError) as error:
        nc.look(tmp_path / "a.csv")
    assert "found nothing" not in str(error.value)


@pytest.mark.parametrize("hold", [np.asarray, pd.DataFrame, list], ids=["array", "frame", "list"])
def test_features_are_values_however_they_are_held_and_refused_where_none_are_used(hold):
    random = np.random.default_rng(3)
    q, shares = random.random(200), random.dirichlet([1, 1, 1], 200)
    features = hold([[each, 1 - each] for each in q])
    assert nc.estimate(nc.read(q, y=random.random(200) < q), features=features).total > 0
    with pytest.raises(nc.InputError, match=r"features: found .* with 3 classes, which takes only by, level"):
        nc.estimate(nc.read(shares, y=random.integers(3, size=200)), features=features)
