"""One question, one path: Python, the command and the script of the workflow give the same numbers and findings."""

import csv
import inspect
import json
import re
import runpy
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.io.files import read_csv
from nlpcalib.questions.calibrate import calibrate
from nlpcalib.questions.page import write_page
from nlpcalib.questions.report import RECALIBRATE

ROOT = Path(__file__).parents[2]
TAGS = ["B-PER", "I-PER", "O"]
STORY = "Anna Meier saw a dog. She called it, and the dog came to her. Peter laughed at them.\n"


def write_rows(path: str, rows: list[dict]) -> None:
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def item_of(row: dict) -> str:
    """Return the id of an item in a sheet, which has it in the first column."""
    return next(iter(row.values())).removeprefix("item ")


def write_tables() -> None:
    """Write predictions of two models, of classes, and with 1 − q in the place of q."""
    rng = np.random.default_rng(1)
    z, unit = rng.normal(size=600), np.arange(600) // 3
    y = rng.random(600) < 1 / (1 + np.exp(-z))
    models = {"pairs": 1 / (1 + np.exp(-2 * z)), "other": 1 / (1 + np.exp(-z - 0.3))}
    for name, q in {**models, "reversed": 1 - models["pairs"]}.items():
        rows = zip(q, y, unit, strict=True)
        kinds = [("news", "mail")[row % 2] for row in range(600)]
        write_rows(
            f"{name}.csv",
            [
                {"id": f"r{row}", "q": f"{q:.4f}", "y": int(y), "unit": f"u{unit}", "label": kinds[row]}
                for row, (q, y, unit) in enumerate(rows)
            ],
        )


def write_items() -> None:
    """Write 600 items with texts whose words say more than the predictions, and what an annotator would answer."""
    rng = np.random.default_rng(2)
    truth = rng.random(600) < 0.2
    rows, labels = [], []
    for row, positive in enumerate(truth):
        words = rng.choice(["riot", "crowd", "march"] if positive else ["match", "market", "rain"], 4)
        q = np.clip(0.2 + 0.15 * positive + 0.1 * rng.normal(), 0.01, 0.99)
        date = f"{2001 + row % 3}-0{1 + row % 9}-01"
        rows.append({"id": f"d{row}", "q": f"{q:.4f}", "date": date, "text": f"{' '.join(words)} in town {row % 7}"})
        labels.append({"id": f"d{row}", "label": "yes" if positive else "no"})
    write_rows("items.csv", rows)
    write_rows("answers.csv", labels)
    np.save("items.npy", np.column_stack([truth + 0.3 * rng.normal(size=600), rng.normal(size=600)]))
    verdicts = [
        {
            "id": f"d{row // 2}",
            "system": "AB"[row % 2],
            "verdict": int(yes ^ (row % 9 == 0)),
            "label": "" if row % 4 > 1 else int(yes),
        }
        for row, yes in enumerate(truth.tolist())
    ]
    write_rows("verdicts.csv", verdicts)


def write_documents() -> None:
    """Write dated documents with labels, a tagger's scores, a story, and two answers of coreference."""
    names = ["Japan", "Peru", "Italy", "Turkey", "Iran", "Mexico"]
    codes = ["JPN", "PER", "ITA", "TUR", "IRN", "MEX"]
    documents, labels = [], []
    for row in range(24):
        first, second = row % 6, (row + 2) % 6
        event = row % 4 != 0
        text = f"An earthquake shook {names[first]}." if event else f"{names[first]} built a bridge."
        text += f" {names[second]} sent help. Protesters attacked police in {names[(row + 1) % 6]}."
        documents.append({"id": f"n{row}", "date": f"2014-0{1 + row % 6}-02", "text": text})
        labels.append({"id": f"n{row}", "label": codes[first] if event else "none"})
    write_rows("news.csv", documents)
    write_rows("marks.csv", labels)
    lines = [
        {"labels": TAGS, "transitions": [[0, 0, -20], [0, 0, 1], [0, 0, 1]], "initial": [0, -20, 0]},
        {"id": "a", "tokens": ["Ana", "Ruiz", "ran"], "logits": [[2, 0, 0], [0, 2, 0], [0, 0, 3]]},
        {"id": "b", "tokens": ["Oslo"], "logits": [[0.5, 0, 0]]},
    ]
    Path("scores.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    Path("story.txt").write_text(STORY, encoding="utf-8")
    for name, cells in (("key", ["(0)", "-", "(0)", "(1)"]), ("response", ["(0)", "(0)", "-", "(1)"])):
        rows = "".join(f"test\t0\t{number}\tw{number}\t{cell}\n" for number, cell in enumerate(cells))
        text = f"#begin document (test);\n{rows}\n#end document\n"
        Path(f"{name}.conll").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    """A folder with the files of all questions, a pilot and its labels."""
    folder = tmp_path_factory.mktemp("one_path")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_tables()
        write_items()
        write_documents()
        nc.plan_items("items.csv", budget=200, seed=3).save("pilot")
        answers = {row["id"]: row["label"] for row in read_csv(Path("answers.csv"))}
        sheet = read_csv(Path("pilot/sheet-1.csv"))
        write_rows("labels.csv", [{**row, "label": answers[item_of(row)]} for row in sheet])
    return folder


def saved(report, out):
    report.save(out)
    return report


def resolve_story(out):
    counts = nc.resolve_files(["story.txt"], out=f"{out}.jsonl", seed=4)
    return [f"{counts['documents']} document, {counts['mentions']} mentions"]


QUESTIONS: dict[str, tuple[Callable, str]] = {
    "calibrate": (
        lambda out: saved(nc.calibrate(nc.read("pairs.csv"), seed=4), out),
        "calibrate pairs.csv --seed 4 --out {out}",
    ),
    "calibrate as published": (
        lambda out: saved(nc.calibrate(nc.read("pairs.csv"), method="paper", bin_size=60, samples=200, seed=4), out),
        "calibrate pairs.csv --method paper --bin-size 60 --samples 200 --seed 4 --out {out}",
    ),
    "calibrate 1 - q": (
        lambda out: saved(nc.calibrate(nc.read("reversed.csv")), out),
        "calibrate reversed.csv --out {out}",
    ),
    "compare": (
        lambda out: saved(nc.compare(nc.read("pairs.csv"), nc.read("other.csv"), level=0.9), out),
        "compare pairs.csv other.csv --level .9 --out {out}",
    ),
    "compare 1 - q": (
        lambda out: saved(nc.compare(nc.read("pairs.csv"), nc.read("reversed.csv")), out),
        "compare pairs.csv reversed.csv --out {out}",
    ),
    "recalibrate": (
        lambda out: saved(nc.recalibrate("pairs.csv", seed=4), out),
        "recalibrate pairs.csv --seed 4 --out {out}",
    ),
    "recalibrate 1 - q": (
        lambda out: saved(nc.recalibrate("reversed.csv", method="logistic"), out),
        "recalibrate reversed.csv --method logistic --out {out}",
    ),
    "plan labels": (
        lambda out: nc.plan_labels(nc.read("pairs.csv"), detect=0.05),
        "plan labels pairs.csv --detect .05",
    ),
    "plan items": (
        lambda out: saved(nc.plan_items("items.csv", budget=200, by="year(date)", seed=3), out),
        "plan items items.csv --budget 200 --by year(date) --seed 3 --out {out}",
    ),
    "plan items by words": (
        lambda out: saved(nc.plan_items(nc.read("items.csv", match="riot|crowd"), width=0.1, by="year(date)"), out),
        "plan items items.csv --match riot|crowd --width .1 --by year(date) --out {out}",
    ),
    "estimate": (
        lambda out: saved(nc.estimate(nc.read("items.csv", ["labels.csv"], plan="pilot/plan.json")), out),
        "estimate items.csv labels.csv --plan pilot/plan.json --out {out}",
    ),
    "estimate by year": (
        lambda out: saved(
            nc.estimate(
                nc.read("items.csv", ["labels.csv"], plan="pilot/plan.json"),
                by="year(date)",
                level=0.9,
            ),
            out,
        ),
        "estimate items.csv labels.csv --plan pilot/plan.json --by year(date) --level .9 --out {out}",
    ),
    "estimate with vectors": (
        lambda out: saved(
            nc.estimate(nc.read("items.csv", ["labels.csv"], plan="pilot/plan.json"), features="items.npy"), out
        ),
        "estimate items.csv labels.csv --plan pilot/plan.json --features items.npy --out {out}",
    ),
    "judge": (
        lambda out: saved(nc.judge(nc.read("verdicts.csv"), by="system", width=0.2, rubric=["story.txt"]), out),
        "judge verdicts.csv --by system --width .2 --rubric story.txt --out {out}",
    ),
    "spans": (
        lambda out: saved(nc.find_spans("scores.jsonl"), f"{out}.csv"),
        "spans scores.jsonl --out {out}.csv",
    ),
    "coref": (
        resolve_story,
        "coref story.txt --out {out}.jsonl --seed 4",
    ),
    "score": (
        lambda out: nc.score_entities("key.conll", "response.conll", singletons=False),
        "score key.conll response.conll --no-singletons",
    ),
    "events of a category": (
        lambda out: saved(nc.find_events("news.csv", "protest", period="quarter"), out),
        "events news.csv --category protest --period quarter --out {out}",
    ),
    "events of verbs": (
        lambda out: saved(nc.find_events("news.csv", "attack", seed=4), out),
        "events news.csv --verbs attack --seed 4 --out {out}",
    ),
    "learn": (
        lambda out: saved(nc.learn_events("news.csv", ["marks.csv"], words=["earthquake", "shake"]), f"{out}.json"),
        "learn news.csv marks.csv --words earthquake,shake --out {out}.json",
    ),
}
"""What Python asks, with the name of a file or folder for the answer, and the same in words of the shell."""


def files(out: str) -> dict[str, bytes]:
    """Return the bytes of a file or folder whose name begins with `out`, by what follows in their paths."""
    paths = [path for path in Path.cwd().rglob("*") if path.is_file()]
    return {
        name.removeprefix(out): path.read_bytes()
        for path in paths
        if (name := path.relative_to(Path.cwd()).as_posix()).startswith(out)
    }


def in_words(message: str) -> str:
    """Return a message with arguments (`by=`) and options (`--by`) by their mere names."""
    named = re.sub(r"--([a-z][a-z-]*)", lambda found: found[1].replace("-", "_") + " ", message)
    return " ".join(re.sub(r"(?<![\w-])([a-z][a-z_]*)=", r"\1 ", named).split())


def by_python(ask: Callable, out: str) -> tuple[list[str], list[str]]:
    """Return the lines of a report, and what was found to be wrong with its input."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        report = ask(out)
    lines = report if isinstance(report, list) else str(report).splitlines()
    return [in_words(line) for line in lines], [
        in_words(str(each.message)) for each in caught if issubclass(each.category, nc.InputWarning)
    ]


def by_command(words: str, out: str, capsys) -> tuple[list[str], list[str]]:
    """Return what the command prints, and which of its warnings are of its input."""
    capsys.readouterr()
    with warnings.catch_warnings():
        assert main(words.format(out=out).split(" ")) == 0
    printed = capsys.readouterr()
    front = "nlpcalib: warning: "
    found = [in_words(line.removeprefix(front)) for line in printed.err.splitlines() if line.startswith(front)]
    # What Python states in words is here a command.
    lines = [
        re.sub("^next: nlpcalib recalibrate .*", f"next: {RECALIBRATE}", line) for line in printed.out.splitlines()
    ]
    return [in_words(line) for line in lines], found


VARIANTS = {
    "calibrate as published", "compare 1 - q", "recalibrate 1 - q", "plan items by words",
    "estimate by year", "estimate with vectors", "events of verbs", "learn with vectors",
}  # fmt: skip
"""What asks a command again with other options."""


@pytest.mark.parametrize(
    "question",
    [pytest.param(name, marks=pytest.mark.slow) if name in VARIANTS else name for name in QUESTIONS],
)
def test_python_and_the_command_give_the_same_files_lines_and_findings(question, inputs, monkeypatch, capsys):
    monkeypatch.chdir(inputs)
    ask, words = QUESTIONS[question]
    name = re.sub(r"\W+", "_", question)
    lines, findings = by_python(ask, f"python_{name}")
    printed, warned = by_command(words, f"command_{name}", capsys)
    ours, theirs = files(f"python_{name}"), files(f"command_{name}")
    assert ours.keys() == theirs.keys()
    assert bool(ours) == ("{out}" in words)
    assert [path for path in ours if ours[path] != theirs[path]] == []
    assert [line for line in lines if not any(line in each for each in printed)] == []
    assert findings == warned
    assert bool(findings) == ("1 - q" in question)


@pytest.mark.parametrize("command", ["calibrate", "compare", "recalibrate", "estimate"])
def test_what_is_refused_is_refused_in_the_same_words(command, inputs, monkeypatch, capsys):
    monkeypatch.chdir(inputs)
    write_rows("refused.csv", [{"id": f"r{row}", "q": 1.5, "y": row % 2} for row in range(20)])
    ask, words = {
        "calibrate": (lambda: nc.calibrate(nc.read("refused.csv")), "calibrate refused.csv"),
        "compare": (lambda: nc.compare(nc.read("refused.csv"), nc.read("pairs.csv")), "compare refused.csv pairs.csv"),
        "recalibrate": (lambda: nc.recalibrate("refused.csv"), "recalibrate refused.csv"),
        "estimate": (
            lambda: nc.estimate(nc.read("refused.csv", ["labels.csv"], plan="pilot/plan.json")),
            "estimate refused.csv labels.csv --plan pilot/plan.json",
        ),
    }[command]
    with pytest.raises(nc.InputError) as refused:
        ask()
    assert main(words.split()) == 2
    assert in_words(capsys.readouterr().err.strip()) == in_words(f"nlpcalib: {refused.value}")


def columns(path: str) -> dict[str, np.ndarray]:
    """Return the columns of a table, with numbers where all cells are numbers."""
    rows = read_csv(Path(path))
    found = {}
    for name in rows[0]:
        values = [row[name] for row in rows]
        numeric = name in ("q", "y")
        found[name] = np.array(values, dtype=float) if numeric else np.array(values)
    return found


def test_arrays_give_the_numbers_of_the_file(inputs, monkeypatch):
    """Ids of rows are the file's alone."""
    monkeypatch.chdir(inputs)
    table, other = columns("pairs.csv"), columns("other.csv")
    q, y = table["q"], table["y"].astype(int)
    named = {"unit": table["unit"], "predicted": table["label"]}
    of_file, of_arrays = nc.calibrate(nc.read("pairs.csv")), nc.calibrate(nc.read(q, y=y, **named))
    assert (of_file.error, of_file.interval, of_file.lines()) == (
        of_arrays.error,
        of_arrays.interval,
        of_arrays.lines(),
    )
    of_file = nc.compare(nc.read("pairs.csv"), nc.read("other.csv"), names="AB")
    assert of_file.rows() == nc.compare(nc.read(q, y=y, **named), nc.read(other["q"], y=y, **named)).rows()
    of_file, of_arrays = nc.recalibrate("pairs.csv"), nc.recalibrate(nc.read(q, y=y, **named))
    assert of_file.q.tolist() == of_arrays.q.tolist()
    assert of_file.rows() == of_arrays.rows()
    assert nc.plan_labels(nc.read("pairs.csv"), detect=0.05).labels > 0


def test_the_front_door_reads_what_a_question_takes():
    rng = np.random.default_rng(3)
    q = rng.random(200)
    y = rng.random(200) < q
    data = nc.read(q, y=y)
    assert nc.calibrate(q, y).lines() == calibrate(data).lines() == nc.calibrate(data).lines()
    assert inspect.signature(nc.calibrate) == inspect.signature(calibrate)
    for question in (nc.calibrate, calibrate):
        with pytest.raises(nc.InputError, match="y: found labels beside predictions that are read"):
            question(data, y)
    with pytest.raises(TypeError, match="positional"):
        nc.estimate(q, y)
    with pytest.raises(TypeError, match="bin_sise"):  # before a file is looked for
        nc.calibrate("no such file.csv", bin_sise=5)


def test_arrays_give_the_plan_and_the_estimate_of_the_file(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    items = columns("items.csv")
    labels = {item_of(row): int(row["label"] == "yes") for row in read_csv(Path("labels.csv"))}
    texts, ids = items["text"].tolist(), items["id"].tolist()
    years = [date[:4] for date in items["date"]]
    planned = nc.plan_items(nc.read(items["q"], text=texts, id=ids), budget=200, seed=3)
    assert planned.plan == nc.plan_items("items.csv", budget=200, seed=3).plan
    of_arrays = nc.estimate(nc.read(items["q"], labels, plan=planned, text=texts, id=ids), by=years)
    of_file = nc.estimate(nc.read("items.csv", ["labels.csv"], plan="pilot/plan.json"), by="year(date)")
    for ours, theirs in zip(of_arrays.estimates, of_file.estimates, strict=True):
        assert (ours.total, ours.low, ours.high) == (theirs.total, theirs.low, theirs.high)
    assert of_arrays.changes == of_file.changes


@pytest.mark.filterwarnings("ignore:.* of rows that the plan did not choose:nlpcalib.InputWarning")
def test_the_next_part_of_a_plan_is_the_same_by_python_and_by_the_command(inputs, monkeypatch, capsys):
    monkeypatch.chdir(inputs)
    for out in ("python_next", "command_next"):
        nc.plan_items("items.csv", budget=200, seed=3, design="two-phase").save(out)
    following = nc.plan_items(nc.read("items.csv", ["labels.csv"], plan="python_next/plan.json"))
    following.save("python_next")
    assert (
        main(["plan", "items", "items.csv", "labels.csv", "--plan", "command_next/plan.json", "--out", "command_next"])
        == 0
    )
    assert str(following) in capsys.readouterr().out
    ours, theirs = files("python_next"), files("command_next")
    assert "/sheet-2.csv" in ours
    assert ours == {name: content.replace(b"command_next", b"python_next") for name, content in theirs.items()}


def test_a_map_is_applied_the_same_by_python_and_by_the_command(inputs, monkeypatch, capsys):
    monkeypatch.chdir(inputs)
    nc.recalibrate("pairs.csv").save("fitted")
    report = nc.apply_map("other.csv", "fitted/map.json")
    report.save("python_map")
    assert main(["recalibrate", "other.csv", "--map", "fitted/map.json", "--out", "command_map"]) == 0
    assert str(report) in capsys.readouterr().out
    assert files("python_map") == files("command_map")


def test_a_page_to_explore_is_the_same_by_python_and_by_the_command(inputs, monkeypatch, capsys):
    pytest.importorskip("vl_convert")
    monkeypatch.chdir(inputs)
    data = nc.read("pairs.csv")
    write_page("python_page.html", data, nc.calibrate(data, seed=4), seed=4)
    assert main(["calibrate", "pairs.csv", "--seed", "4", "--html", "command_page.html"]) == 0
    assert files("python_page") == files("command_page")


def test_entities_of_a_text_are_those_of_its_file(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    assert main(["coref", "story.txt", "--out", "answer.jsonl"]) == 0
    answer = json.loads(Path("answer.jsonl").read_text(encoding="utf-8"))
    report = nc.find_entities(STORY)
    assert [mention["text"] for mention in answer["mentions"]] == report.mentions
    assert sorted(p for *_, p in answer["pairs"]) == sorted(round(row["probability"], 6) for row in report.pairs(0.01))


# Of the workflow's questions of a table, one is a script; tests/questions/test_events.py has those of events.
def test_the_script_of_the_workflow_writes_what_python_writes(inputs, monkeypatch):
    monkeypatch.chdir(inputs)
    script = runpy.run_path(str(ROOT / "scripts/calibration/calibrate.py"))["main"]
    Path("script").mkdir(exist_ok=True)
    script("pairs.csv", "script", bin_size=60, samples=200, seed=4, pdf=True)
    nc.calibrate(nc.read("pairs.csv"), bin_size=60, samples=200, seed=4).save("python_script")
    ours, theirs = files("python_script/"), files("script/")
    numbers = {name for name in ours.keys() & theirs if name.endswith(".csv")}
    assert numbers >= {"bins.csv", "by_class.csv", "reliability.csv"}
    assert [name for name in numbers if ours[name] != theirs[name]] == []
    one, other = (json.loads(each["calibration.json"]) for each in (ours, theirs))
    same = one.keys() & other.keys() - {"inputs", "files", "created"}
    assert {"n", "brier", "estimates", "bin_size", "table"} <= same
    assert {name: one[name] for name in same} == {name: other[name] for name in same}
