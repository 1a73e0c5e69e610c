"""Tables whose columns have the names of other tools are read, or the message has the options that read them."""

import csv
import json
import re

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
        InputError, match=r"column kind: found the label 'ham', expected yes or no; yes='ham' or yes='spam' names"
    ):
        nc.read(path, y="kind")


@pytest.mark.parametrize("words", [("ham", "spam"), ("0", "1")])
def test_the_probability_of_one_of_two_classes_is_not_taken_for_the_confidence_in_the_predicted_one(
    words, tmp_path, capsys
):
    gold, predicted = ([words[int(each)] for each in values] for values in (IS_SPAM, SPAM > 0.5))
    path = saved(tmp_path / "t.csv", {"gold": gold, "predicted": predicted, "score": SPAM})
    options = f"q='score', y='gold', yes='{words[1]}'"
    with pytest.raises(InputError, match=rf"expected at least \.5; for the probability of {words[1]}: {options}$"):
        nc.calibrate(path)
    assert main(["calibrate", str(path)]) == 2
    way_out = capsys.readouterr().err.partition(f"of {words[1]}: ")[2].split()
    assert main(["calibrate", str(path), *way_out]) == 0
    found = nc.calibrate(nc.read(path, q="score", y="gold", yes=words[1]))
    np.testing.assert_array_equal(found.pairs.y, IS_SPAM)


OWN_NAMES = {
    "spam.csv": {"is_spam": IS_SPAM.astype(int), "spam_score": SPAM},
    "classes.csv": {"nr": range(N), **dict(zip(CLASSES, P.T, strict=True)), "true": GOLD},
    "texts.csv": {"No.": range(N), "Full Text": ["Thousands marched in Lima on a day of May."] * N},
}


@pytest.mark.parametrize("name", OWN_NAMES)
def test_nothing_guesses_what_other_names_mean(name, tmp_path, capsys):
    """`look` tries columns of probabilities; no other command guesses."""
    path = saved(tmp_path / name, OWN_NAMES[name])
    columns = ", ".join(OWN_NAMES[name])
    assert main(["look", str(path)]) == (2 if name == "texts.csv" else 0)  # numbers from 0 to 1 are no guess
    assert ("--q" in capsys.readouterr().out) == (name != "texts.csv")
    for command in ("calibrate", "judge"):
        assert main([command, str(path)]) == 2
        assert capsys.readouterr().err.strip() == (
            f"nlpcalib: {path}: found the columns {columns}; expected one named 'q', or --q with its name, or a column "
            f"for each class{', or --match with keywords' * (command == 'calibrate')}"
        )


def test_columns_that_are_named_are_read(tmp_path):
    classes = saved(tmp_path / "classes.csv", OWN_NAMES["classes.csv"])
    found = nc.calibrate(nc.read(classes, q=",".join(CLASSES), y="true"))
    assert found.error == nc.calibrate(nc.read(P, y=GOLD, classes=CLASSES)).error
    texts = nc.read(saved(tmp_path / "texts.csv", OWN_NAMES["texts.csv"]), id="No.", text="Full Text", match="march")
    assert texts.ids[N - 1] == str(N - 1)


def test_decimal_commas_are_numbers_under_other_names_too(tmp_path):
    path = tmp_path / "comma.csv"
    path.write_text("nr;Wert;wahr\n1;0,25;1\n2;0,5;0\n3;0,75;1\n", encoding="utf-8")
    assert nc.read(path, q="Wert", y="wahr").q.tolist() == [0.25, 0.5, 0.75]


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


def test_look_reads_classes_0_and_1_or_has_the_words_that_refuse_them(tmp_path):
    path = saved(tmp_path / "t.csv", {"predicted": SAID, "score": CONFIDENT, "gold": RIGHT_CLASS})
    assert nc.look(path).commands[0] == ("calibrate", str(path))
    path = saved(tmp_path / "t.csv", {"predicted": SAID, "score": SPAM, "gold": RIGHT_CLASS})
    with pytest.raises(InputError, match=r"expected at least \.5"):
        nc.look(path)
