"""A language model's answers per text and country are predictions of items."""

import json

import numpy as np
import pytest
from tests.systems.events.test_learn import NAMES, SHAKEN

import nlpcalib as nc
from nlpcalib.cli.app import main

N = 160


def news():
    """Return texts of two countries, and the country of each in which the earth shook."""
    rng, items, true = np.random.default_rng(5), [], {}
    for number in range(N):
        first, second = (SHAKEN[(number + step) % len(SHAKEN)] for step in (0, 3))
        what = ("The ground shook in {0}, {1} sends help", "{1} says help goes to {0} after a shock",
                "Talks of {0} with {1} go on", "{1} and {0} sign a treaty")[rng.integers(4)]  # fmt: skip
        text = f"{what.format(NAMES[first], NAMES[second])}, paper {number}."
        items.append({"id": f"d{number}", "date": f"20{number % 20:02d}-05-01", "text": text})
        true[f"d{number}"] = {first} if "shook" in what or "shock" in what else set()
    return items, true


ITEMS, TRUE = news()


def answered(right=0.85, seed=1):
    """Return answers that are right with a probability, and sure of themselves."""
    rng = np.random.default_rng(seed)
    found = {}
    for item in ITEMS:
        named = [code for code in SHAKEN if NAMES[code] in item["text"]]
        found[item["id"]] = {
            code: 0.95 if (code in TRUE[item["id"]]) == (rng.random() < right) else 0.05 for code in named
        }
    return found


def written(path, answers):
    lines = [json.dumps({**item, "countries": answers[item["id"]]}) for item in ITEMS if item["id"] in answers]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_likeliest_answer_is_the_prediction_of_an_item(tmp_path, capsys):
    path = written(tmp_path / "answers.jsonl", answers := answered())
    report = nc.estimate(nc.read(path, {name: int(bool(TRUE[name])) for name in list(TRUE)[:60]}), by="year(date)")
    assert report.data.frame.q.tolist() == [max(answers[item["id"]].values()) for item in ITEMS]
    assert report.low <= sum(map(bool, TRUE.values())) <= report.high
    assert len(report.groups) == 20
    assert main(["plan", "items", str(path), "--budget", "20", "--out", str(tmp_path / "plan")]) == 0
    assert (tmp_path / "plan" / "plan.json").is_file()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "d0", "countries": ["ISR"]}', r"line 1: countries: found .*, expected an object with a probability"),
        ('{"id": "d0", "countries": "Israel did."}', "line 1: countries: found .*, expected an object"),
        ('{"id": "d0", "countries": {"JPN": 90}}', r"line 1: countries: found \"90\" of JPN, expected a probability"),
        ('{"id": "d0", "countries": {"JPN": "likely"}}', 'found "likely" of JPN, expected a probability'),
    ],
)
def test_other_answers_are_refused(tmp_path, line, message):
    path = tmp_path / "answers.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match=message):
        nc.read(path)


def test_a_reply_in_words_and_one_between_marks_are_read(tmp_path):
    replies = {name: f"```json\n{json.dumps(said)}\n```" for name, said in answered().items()}
    path = written(tmp_path / "answers.jsonl", replies)
    assert nc.read(path).q.tolist() == nc.read(written(tmp_path / "same.jsonl", answered())).q.tolist()
