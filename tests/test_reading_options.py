"""Each command offers the options of `nlpcalib.read` that it takes, and no option that its question always refuses."""

import csv
import shutil
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.cli import app
from nlpcalib.cli.reading import Reading

COMMANDS = ("calibrate", "compare", "recalibrate", "plan labels", "plan items", "estimate", "judge")
OPTIONS = {each.name for each in fields(Reading)}
CASES = [(command, option) for command in COMMANDS for option in sorted(app._options(command.split()).keys() & OPTIONS)]
RANDOM = np.random.default_rng(2)
Q = np.round(RANDOM.random(80) * 0.8 + 0.1, 3)
Y = np.where(RANDOM.random(80) < Q, "yes", "no")
OTHER = np.where(np.arange(80) == 3, np.where(Y == "yes", "no", "yes"), Y)
WORDS = {
    "q": ["--q", "q"], "y": ["--y", "y"], "predicted": ["--predicted", "predicted"], "id": ["--id", "id"],
    "unit": ["--unit", "unit"], "text": ["--text", "text"], "match": ["--match", "flood"],
    "date": ["--date", "date", "--by", "month(date)"], "dates": ["--dates", "day-first", "--by", "month(date)"],
    "drawn": ["--drawn", "random"], "base_rate": ["--drawn", "answer", "--base-rate", ".3"], "yes": ["--yes", "yes"],
    "question": ["--question", "mine"], "settled": ["--settled", "settled.csv"],
    "threshold": ["--threshold", "3", "--q", "rating", "--y", "right"],
    "values": ["--values", "1,5", "--q", "rating", "--y", "right"],
    "format": ["--format", "csv"], "plan": ["--plan", "plan/plan.json"],
}  # fmt: skip
TABLES = {"match": "texts.csv", "question": "items.csv", "settled": "items.csv", "plan": "items.csv"}
TABLES |= {"threshold": "rated.csv", "values": "rated.csv", "predicted": "tags.csv"}
LABELS = {"question": ["mine.csv"], "settled": ["ann.csv", "bob.csv"], "plan": ["ann.csv"]}


def written(path, **columns):
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Tables of 80 items, labels in files, and a plan whose pilot is all that they are of."""
    folder = tmp_path_factory.mktemp("options")
    ids, verdict = [f"r{n}" for n in range(80)], np.where(Q > 0.5, "yes", "no")
    texts = [f"item {n} {'flood' if q > 0.5 else 'sun'}" for n, q in enumerate(Q.tolist())]
    dates = [f"{1 + n % 28:02d}.03.2024" for n in range(80)]
    units = [f"u{n // 2}" for n in range(80)]
    rated = np.minimum(1 + Q * 5, 5).astype(int)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        written("all.csv", id=ids, q=Q, verdict=verdict, y=Y, unit=units, text=texts, date=dates)
        written("tags.csv", id=ids, q=Q, verdict=verdict, y=Y, predicted=["A", "B"] * 40)
        written("items.csv", id=ids, q=Q, verdict=verdict, text=texts)
        written("texts.csv", id=ids, text=texts, y=Y)
        written("rated.csv", id=ids, rating=rated, right=RANDOM.permutation(rated))
        words = ["plan", "items", "items.csv", "--q", "q", "--budget", "60", "--design", "two-phase", "--out", "plan"]
        assert app.main(words) == 0
        with Path("plan/sheet-1.csv").open(encoding="utf-8-sig") as sheet:
            items = [row["item"] for row in csv.DictReader(sheet)]
        rows = [int(item.removeprefix("item r")) for item in items]
        for name, labels in (("ann", Y), ("bob", OTHER)):
            written(f"{name}.csv", item=items, label=labels[rows])
        written("mine.csv", item=items, mine=Y[rows])
        written("settled.csv", item=items[:1], label=Y[rows[:1]])
    return folder


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("command", "option"), CASES)
def test_a_command_takes_each_option_that_it_offers(command, option, made, tmp_path, monkeypatch, capsys):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    table, labels, words = TABLES.get(option, "all.csv"), LABELS.get(option, []), WORDS[option]
    column = {"judge": "verdict"}.get(command, "q")
    if "--q" not in words and option != "match":
        words = [*words, "--q", column]
    elif option == "q":
        words = ["--q", column]
    files = [table, table, *(["--labels", *labels] if labels else [])] if command == "compare" else [table, *labels]
    more = {
        "plan labels": ["--detect", ".2"],
        "plan items": ["--budget", "70", "--out", "plan"] if labels else ["--budget", "30", "--out", "new"],
    }
    status = app.main([*command.split(), *files, *words, *more.get(command, [])])
    assert status == 0, capsys.readouterr().err


@pytest.mark.parametrize("command", sorted({command for command, option in CASES if option == "dates"}))
def test_options_for_dates_are_refused_where_nothing_is_grouped_by_time(command, made, monkeypatch, capsys):
    monkeypatch.chdir(made)
    files = ["all.csv", "all.csv"] if command == "compare" else ["all.csv"]
    more = ["--budget", "9", "--out", "new"] if command == "plan items" else []
    for option in ["--dates", "day-first"], ["--date", "date"]:
        assert app.main([*command.split(), *files, "--q", "q", *more, *option, "--by", "text"]) == 2
        assert f"found {' '.join(option)}, expected --by 'month(date)' or another period" in capsys.readouterr().err


def test_an_option_that_a_question_always_refuses_is_not_offered(capsys):
    absent = {command: OPTIONS - {option for of, option in CASES if of == command} for command in COMMANDS}
    assert {"predicted", "match", "values", "base_rate"} == absent["judge"]
    assert all(absent.values())
    with pytest.raises(SystemExit):
        app.main(["judge", "verdicts.csv", "--base-rate", ".3"])
    assert "Unknown option: --base-rate" in capsys.readouterr().err
