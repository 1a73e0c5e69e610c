"""What is this file? Each kind has its name, and every command that `look` prints runs as it is printed."""

import json
import random
import shlex
import warnings

import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError

OVER_LIMIT = 3
"""Status of a command that ran and found a limit exceeded."""
CLASSES = ("sport", "politics", "tech")


def binary(names, delimiter=",", labelled=1.0, number=str, yes="1", no="0"):
    rng = random.Random(1)
    lines = [delimiter.join(names)]
    for row in range(300):
        q = rng.random()
        y = f'"{yes}"' if rng.random() < q else no
        cells = {
            "id": str(100_000 + row),
            "q": number(f"{q:.3f}"),
            "y": y if rng.random() < labelled else "",
            "by": "DE",
        }
        lines.append(delimiter.join(cells[kind] for kind in ("id", "q", "y", "by")[: len(names)]))
    return "\n".join([*lines, ""])


def wide(names=CLASSES, gold="gold", labelled=1.0):
    rng = random.Random(2)
    lines = [",".join(["doc_id", *names, "market", gold])]
    for row in range(300):
        p = [rng.random() ** 3 + 0.01 for _ in names]
        p = [round(each / sum(p), 6) for each in p]
        p[-1] = round(1 - sum(p[:-1]), 6)
        right = rng.choices(range(len(names)), p)[0] if rng.random() < labelled else None
        name = "" if right is None else names[right].removeprefix("q_")
        lines.append(",".join([str(100_000 + row), *map(str, p), "DE" if row % 2 else "FR", name]))
    return "\n".join([*lines, ""])


def verdicts(system=False, words=("pass", "fail")):
    rng = random.Random(3)
    head = ["id", "verdict", "label", *["system"] * system]
    rows = [[f"c{n % 100}", rng.choice(words), words[n % 100 % 3 > 1]] for n in range(200)]
    return "\n".join(
        [",".join(head), *(",".join([*row, *["ab"[n // 100]] * system]) for n, row in enumerate(rows)), ""]
    )


TABLES = {
    "pairs": ("pairs.csv", binary(("id", "q", "y"))),
    "some labels": ("some.csv", binary(("id", "q", "y"), labelled=0.3)),
    "a name with blanks, commas for decimals": (
        "two words.csv",
        binary(("id", "q", "y"), ";", number=lambda q: q.replace(".", ",")),
    ),
    "names of the user": ("own.csv", binary(("nr", "sure of it", "right?", "level=high"))),
    "items with names of the user": (
        "mine.csv",
        "nr,sure,Land\n" + "".join(f"{n},.{n % 9 + 1},{'DF'[n % 2]}\n" for n in range(60)),
    ),
    "classes in per cent": (
        "prozent.csv",
        "nr;sport;kultur;richtig\n"
        + "".join(f"{n};{n % 9 + 1},0 %;{99 - n % 9},0 %;{('kultur', 'sport')[n % 9 > 7]}\n" for n in range(99)),
    ),
    "groups": ("groups.csv", binary(("id", "q", "y", "level=high"))),
    "integers beside classes": ("wide.csv", wide()),
    "classes, some labels": ("wide some.csv", wide(labelled=0.3)),
    "classes called like options": ("options.csv", wide(("q_--yes", "q_level=high", "q_a b"))),
    "label as what is right": ("label.csv", wide(gold="label")),
    "items": ("items.csv", "id,q\n" + "".join(f"a{n},.{n % 9 + 1}\n" for n in range(60))),
    "verdicts": ("verdicts.csv", verdicts()),
    "verdicts of systems": ("systems.csv", verdicts(system=True)),
    "ja and nein": ("ja.csv", binary(("id", "q", "y", "level=high"), yes="ja", no="nein")),
    "letters": ("letters.csv", binary(("id", "q", "label"), yes="A, a bit", no="B")),
    "letters and ties": (
        "ties.csv",
        "id,q,label\n" + "".join(f"{n},.{n % 9 + 1},{('A', 'tie', 'B')[n % 9 // 3]}\n" for n in range(300)),
    ),
    "yes in a column of the user": ("human.csv", binary(("id", "q", "verdict by hand", "land"), yes="yes", no="no")),
    "labels in cells": (
        "cells.csv",
        "id,q,y,who else\n"
        + "".join(f"{n},.{n % 9 + 1},{('visa', 'remote;visa', 'remote')[n % 9 // 3]},{n % 2}\n" for n in range(300)),
    ),
    "verdicts in letters": ("ab.csv", verdicts(words=("A", "B"))),
    "verdicts in letters, of systems": ("ab systems.csv", verdicts(system=True, words=("A", "B"))),
    "texts": (
        "texts.csv",
        "id,text,date\n" + "".join(f"{n},Troops met {n},2004-01-{n % 28 + 1:02}\n" for n in range(60)),
    ),
    "JSON lines": (
        "lines.jsonl",
        "".join(json.dumps({"id": n, "q": n % 10 / 10 + 0.05, "y": int(n % 10 > 4)}) + "\n" for n in range(200)),
    ),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_command_that_is_printed_runs(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name, content = TABLES[kind]
    (tmp_path / name).write_text(content, encoding="utf-8")
    commands = nc.look(name).commands
    assert commands
    assert main(["look", name]) == 0
    printed = [line.strip() for line in capsys.readouterr().out.splitlines() if line.startswith("  nlpcalib ")]
    assert [tuple(shlex.split(line)[1:]) for line in printed] == list(commands)
    for command in commands:
        if not any(word.isupper() and word.isalpha() and len(word) > 2 for word in command):  # a file of the user's
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", nc.InputWarning)
                assert main(list(command)) in (0, OVER_LIMIT), (command, capsys.readouterr().err)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "found nothing"),
        ("[]", "found nothing"),
        ("<?xml version='1.0'?><a/>", "found"),
        ("a,b\n1,2\n", "expected one named 'q', or q= with its name"),
        (
            "id,verdict\na,A\nb,maybe\nc,?\n",
            r"found the verdict '\?', expected yes or no; yes= names the one that counts",
        ),
    ],
)
def test_a_file_of_no_kind_is_refused(tmp_path, content, message):
    path = tmp_path / "file.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        nc.look(path)


def test_a_table_without_predictions_is_described_by_what_would_be_some(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,logit\na,2\nb,-1\n", encoding="utf-8")
    found = nc.look(path)
    assert found.lines()[0] == f"{path}: a table without predictions"
    assert "expected one named 'q'" in found.lines()[2]
    assert found.lines()[2].endswith("of logit it is 1 / (1 + exp(-logit))")
    with pytest.raises(InputError, match=r"; nlpcalib look .* describes it"):
        nc.calibrate(path)


def test_probabilities_are_found_whatever_they_are_called_and_groups_are_offered(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLES["items with names of the user"][1], encoding="utf-8")
    found = nc.look(path)
    way = "columns of groups, or of labels: Land (2 values); --q sure --y Land --yes F reads labels in Land"
    assert way in found.sentences
    assert not any("LABELS" in command for command in found.commands)  # which name rows by an id, which is missing
    path.write_text(binary(("nr", "sure of it", "right?")), encoding="utf-8")
    assert ("calibrate", str(path), "--q", "sure of it", "--y", "right?") in nc.look(path).commands


def test_labels_that_need_it_have_a_yes_and_are_no_groups(tmp_path):
    path = tmp_path / "t.csv"
    for kind, option, first in (
        ("ja and nein", ("--yes", "ja"), "calibrate"),
        ("letters", ("--yes", '"A, a bit"'), "calibrate"),
        ("letters and ties", ("--yes", "B,A,tie"), "calibrate"),
        ("yes in a column of the user", ("--y", "verdict by hand"), "calibrate"),
        ("labels in cells", ("--yes", "remote"), "calibrate"),
        ("verdicts in letters", ("--yes", "A"), "judge"),
        ("verdicts in letters, of systems", ("--by", "system", "--yes", "A"), "judge"),
    ):
        path.write_text(TABLES[kind][1], encoding="utf-8")
        found = nc.look(path)
        assert found.commands[0] == (first, str(path), *option), kind
        assert found.data is not None
        assert found.data.labelled.size == len(found.data)
        assert {"label", "y", "verdict by hand", "who else"}.isdisjoint(
            each[each.index("--by") + 1] for each in found.commands if "--by" in each
        )


def test_empty_cells_hide_no_column_and_rows_without_a_prediction_are_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,verdict\nc1,1\nc2,\nc3,0\nc4,1\nc5,\n", encoding="utf-8")
    found = nc.look(path)
    assert found.data is not None
    assert (len(found.data), found.data.gaps[0].names) == (3, ("c2", "c5"))
    rows = "".join(f"t{n};{'' if n == 4 else f'{n},5 %'}\n" for n in range(30))
    path.write_text("id;Anteil der Wut\n" + rows, encoding="utf-8")
    assert ("estimate", str(path), "LABELS", "--q", "Anteil der Wut") in nc.look(path).commands


def test_what_is_read_is_what_look_prints(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(wide(), encoding="utf-8")
    found = nc.look(path)
    assert found.data is not None
    assert found.data.classes == nc.read(path).classes == CLASSES
    assert found.record()["commands"] == [list(each) for each in found.commands]


@pytest.mark.parametrize("names", [("Nr", "Zustimmung"), ("id", "label"), ("id", "tags")])
def test_a_column_that_is_filled_in_some_rows_has_labels_whatever_it_is_called(tmp_path, names):
    words = ("ja", "nein") if names[1] != "tags" else ("econ", "war", "econ;war")
    cells = [words[row % len(words)] if row % 5 == 0 else "" for row in range(300)]
    rows = "".join(f"{row},{(row % 97 + 1) / 100},{cell}\n" for row, cell in enumerate(cells))
    (tmp_path / "survey.csv").write_text(f"{names[0]},Sicherheit,{names[1]}\n{rows}")
    found = nc.look(tmp_path / "survey.csv")
    assert found.sentences[0] == "300 rows, 60 with a label"
    assert {command[0] for command in found.commands} == {"calibrate", "recalibrate", "estimate"}


def test_predictions_that_are_missing_are_reported_before_labels_and_found_by_cells(tmp_path, capsys):
    tags = ("B-PER", "O", "I-PER")
    rows = "".join(f"{tags[row % 3]},{(row % 50 + 50) / 100},{tags[row % 3 * (row % 7 > 0)]}\n" for row in range(300))
    (tmp_path / "tokens.csv").write_text(f"tag,probability,y\n{rows}")
    assert main(["calibrate", str(tmp_path / "tokens.csv"), "--predicted", "tag"]) == 2
    assert "found the columns tag, probability, y; expected one named 'q', or --q" in capsys.readouterr().err
    command = nc.look(tmp_path / "tokens.csv").commands[0]
    assert command[2:] == ("--q", "probability", "--predicted", "tag")
    assert main(list(command)) == 0


def test_files_of_coref_are_known_by_their_keys(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    line = {"text": "Ana slept. She snored.", "spans": [[0, 3], [11, 14]], "scores": [[], [[0, 2]]]}
    (tmp_path / "scores.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert nc.look("scores.jsonl").lines() == [
        "scores.jsonl: scores of antecedents",
        "  nlpcalib coref --scores scores.jsonl",
    ]
    assert main(["coref", "--scores", "scores.jsonl", "--out", "found.jsonl"]) == 0
    found = ["found.jsonl: entities that nlpcalib coref found", "  nlpcalib score KEY found.jsonl"]
    assert nc.look("found.jsonl").lines() == found


@pytest.mark.parametrize("scores", [[0.98, 0.71], {"PER": 0.9}])
def test_scores_of_a_recogniser_are_no_scores_of_antecedents(scores, tmp_path):
    line = {"id": "a", "text": "Ana met Ben.", "q": 0.3, "spans": [[0, 3], [8, 11]], "scores": scores}
    (tmp_path / "names.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert "antecedents" not in "".join(nc.look(tmp_path / "names.jsonl").lines())
