"""Tables whose columns have the names of other tools are read, or the message has the options that read them."""

import csv
import json
import re
import shlex

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.tables.roles import CONFIDENCE, PREDICTED, RIGHT

CLASSES = ("refund", "login", "other")
N = 300
RANDOM = np.random.default_rng(2)
P = RANDOM.dirichlet([1, 1, 1], N).round(4)
P[:, 2] = (1 - P[:, 0] - P[:, 1]).round(4)
GOLD = [CLASSES[RANDOM.choice(3, p=row / row.sum())] for row in np.abs(P)]
TOP = [CLASSES[row.argmax()] for row in P]
SPAM = RANDOM.random(N).round(3)
IS_SPAM = RANDOM.random(N) < SPAM**2


def saved(path, columns):
    """Write a table of columns by name, as CSV or, by its name, as JSON lines."""
    rows = zip(*columns.values(), strict=True)
    if path.suffix == ".jsonl":
        lines = (json.dumps(dict(zip(columns, map(plain, row), strict=True))) for row in rows)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([columns, *rows])
    return path


def plain(cell):
    return cell.item() if isinstance(cell, np.generic) else cell


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
@pytest.mark.parametrize("right", RIGHT)
def test_a_predicted_class_and_its_confidence_are_read_under_every_name(right, ending, tmp_path):
    top, correct = P.max(axis=1), np.array(TOP) == np.array(GOLD)
    expected = nc.calibrate(nc.read(top, y=correct, predicted=TOP))
    for number, predicted in enumerate((*PREDICTED, *(name.title() for name in PREDICTED[:2]))):
        confidence = CONFIDENCE[number % len(CONFIDENCE)]
        columns = {"ticket": range(N), right: GOLD, predicted: TOP, confidence: top}
        found = nc.calibrate(saved(tmp_path / f"t.{ending}", columns))
        assert (found.error, found.interval) == (expected.error, expected.interval), (predicted, confidence)


@pytest.mark.parametrize("right", RIGHT)
@pytest.mark.parametrize("prefix", ["", "q_", "q."])
def test_a_column_for_each_class_is_read_under_every_name_of_the_right_class(right, prefix, tmp_path):
    columns = {"": range(N), "text": ["…"] * N, right: GOLD, "y_pred": TOP}
    columns |= {f"{prefix}{name}": P[:, place] for place, name in enumerate(CLASSES)}
    found = nc.calibrate(saved(tmp_path / "t.csv", columns))
    assert found.error == nc.calibrate(nc.read(P, y=GOLD, classes=CLASSES)).error


def test_options_name_what_is_called_otherwise(tmp_path):
    path = saved(tmp_path / "t.csv", {"truth": GOLD, "guess": TOP, "certainty": P.max(axis=1)})
    found = nc.calibrate(nc.read(path, q="certainty", y="truth", predicted="guess"))
    assert found.error == nc.calibrate(P.max(axis=1), np.array(TOP) == np.array(GOLD)).error


@pytest.mark.parametrize("words", [("ham", "spam"), ("neg", "pos"), ("A", "B"), ("0", "1"), ("False", "True")])
def test_the_message_for_two_classes_names_options_that_read_the_table(words, tmp_path, capfd):
    named = [words[int(each)] for each in IS_SPAM]
    path = saved(tmp_path / "t.csv", {"id": range(N), "is_spam": named, "spam_score": SPAM})
    assert main(["calibrate", str(path)]) == 2
    options = shlex.split(re.search(r"Perhaps (.*)$", capfd.readouterr().err.strip())[1])
    assert main(["calibrate", str(path), *options, "--json"]) == 0
    printed = json.loads(capfd.readouterr().out)
    assert printed["n"] == N
    assert printed["prevalence"] == IS_SPAM.mean()
    looked = nc.look(path).commands
    assert main([*looked[0], "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["prevalence"] == IS_SPAM.mean()


def test_each_class_may_be_the_positive_one_and_others_are_refused(tmp_path):
    path = saved(tmp_path / "t.csv", {"q": SPAM, "kind": [("ham", "spam")[int(each)] for each in IS_SPAM]})
    found = nc.calibrate(nc.read(path, y="kind", yes="spam"))
    np.testing.assert_array_equal(found.pairs.y, IS_SPAM)
    with pytest.warns(nc.InputWarning, match="is it of the other class"):
        found = nc.calibrate(nc.read(path, y="kind", yes="ham"))
    np.testing.assert_array_equal(found.pairs.y, ~IS_SPAM)
    spelt = nc.calibrate(nc.read(path, y="kind", yes="Spam "))
    np.testing.assert_array_equal(spelt.pairs.y, IS_SPAM)
    with pytest.raises(InputError, match="column kind: found the labels ham, spam, expected 'spat' among them"):
        nc.read(path, y="kind", yes="spat")
    with pytest.raises(
        InputError, match=r"column kind: found the label 'ham', expected yes or no; yes= names the one .*: ham, spam"
    ):
        nc.read(path, y="kind")


@pytest.mark.parametrize("words", [("ham", "spam"), ("0", "1")])
def test_the_probability_of_one_of_two_classes_is_not_taken_for_the_confidence_in_the_predicted_one(words, tmp_path):
    gold, predicted = ([words[int(each)] for each in values] for values in (IS_SPAM, SPAM > 0.5))
    path = saved(tmp_path / "t.csv", {"gold": gold, "predicted": predicted, "score": SPAM})
    with pytest.raises(InputError, match=r"expected at least \.5") as refused:
        nc.calibrate(path)
    q, y, yes = re.search(r"q=(\S+) y=(\S+) yes=(\S+)$", str(refused.value)).groups()
    found = nc.calibrate(nc.read(path, q=q, y=y, yes=yes))
    np.testing.assert_array_equal(found.pairs.y, IS_SPAM)


def test_texts_under_other_names_are_looked_at_with_commands_that_read_them(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = [f"Thousands of people marched through the streets of Lima, Peru, on day {row} of May." for row in range(60)]
    days = [f"2020-05-{row % 28 + 1:02}" for row in range(60)]
    path = saved(tmp_path / "t.csv", {"No.": range(60), "Published on": days, "Full Text": text})
    plan, events = nc.look(path).commands
    assert main(["march" if word == "WORDS" else word for word in plan]) == 0
    assert main(list(events)) == 0
    assert "60 documents" in capfd.readouterr().out


OWN_NAMES = {
    "classes.csv": {"nr": range(N), **dict(zip(CLASSES, P.T, strict=True)), "true": GOLD},
    "prefixed.csv": {"nr": range(N), **{f"p_{name}": p for name, p in zip(CLASSES, P.T, strict=True)}, "label": GOLD},
    "decided.csv": {"nr": range(N), "prediction": TOP, "confidence": P.max(axis=1), "label": GOLD},
}


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("name", OWN_NAMES)
def test_look_and_the_error_print_options_that_read_classes_of_own_names(name, text, tmp_path, capsys):
    path = saved(tmp_path / name, OWN_NAMES[name] | ({"text": [f"message {row}" for row in range(N)]} if text else {}))
    command = next(each for each in nc.look(path).commands if each[0] == "calibrate")
    assert main(["calibrate", str(path)]) == 2
    _, _, options = capsys.readouterr().err.partition("Perhaps ")
    assert list(command[2:]) == shlex.split(options)
    assert main(list(command)) == 0
    error = f"{nc.calibrate(nc.read(P, y=GOLD, classes=CLASSES)).error:.4f}".removeprefix("0")
    assert error in capsys.readouterr().out


def test_decimal_commas_are_numbers_under_other_names_too(tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text("nr;Wert;wahr\n1;0,25;1\n2;0,5;0\n3;0,75;1\n", encoding="utf-8")
    assert nc.look(path).commands[0] == ("calibrate", str(path), "--q", "Wert", "--y", "wahr")
    with pytest.raises(InputError, match="Perhaps q='Wert', y='wahr'"):
        nc.calibrate(path)


CONFIDENT = np.maximum(SPAM, 1 - SPAM)
SAID = (SPAM > 0.5).astype(int)
RIGHT_CLASS = (RANDOM.random(N) < SPAM).astype(int)


@pytest.mark.parametrize(("zero", "one"), [("0", "1"), ("false", "true"), ("False", "True")])
@pytest.mark.parametrize(("said", "q", "y"), [("prediction", "q", "y"), ("predicted_class", "certainty", "target")])
def test_the_option_that_is_printed_reads_the_confidence_in_classes_0_and_1(said, q, y, zero, one, tmp_path, capfd):
    words = np.array([zero, one])
    path = saved(tmp_path / "t.csv", {said: words[SAID], q: CONFIDENT, y: words[RIGHT_CLASS]})
    assert main(["calibrate", str(path), "--q", q, "--y", y]) == 0
    [warning] = [line for line in capfd.readouterr().err.splitlines() if "warning" in line]
    [way_out] = re.findall(r"--predicted \S+", warning)
    assert main(["calibrate", str(path), "--q", q, "--y", y, *way_out.split()]) == 0
    output = capfd.readouterr()
    assert "warning" not in output.err
    expected = nc.calibrate(CONFIDENT, SAID == RIGHT_CLASS)
    found = nc.calibrate(nc.read(path, q=q, y=y, predicted=said))
    assert found.error == pytest.approx(expected.error)


@pytest.mark.parametrize("label", ["correctness", "a high threshold", "probability of 1"])
def test_classes_0_and_1_next_to_other_predictions_pass_in_silence(label, tmp_path, capfd):
    tables = {
        "correctness": (SAID, CONFIDENT, (SAID == RIGHT_CLASS).astype(int)),
        "a high threshold": ((CONFIDENT > 0.9).astype(int), CONFIDENT, (RANDOM.random(N) < CONFIDENT).astype(int)),
        "probability of 1": (SAID, SPAM, RIGHT_CLASS),
    }
    said, q, y = tables[label]
    path = saved(tmp_path / "t.csv", {"prediction": said, "q": q, "y": y})
    assert main(["calibrate", str(path)]) == 0
    assert "warning" not in capfd.readouterr().err


@pytest.mark.parametrize("q", [CONFIDENT, SPAM])
def test_look_names_the_options_for_classes_0_and_1(q, tmp_path):
    path = saved(tmp_path / "t.csv", {"predicted": SAID, "score": q, "gold": RIGHT_CLASS})
    command = nc.look(path).commands[0]
    assert command[2:] == (() if q is CONFIDENT else ("--q", "score", "--y", "gold"))
    assert main(list(command)) == 0
