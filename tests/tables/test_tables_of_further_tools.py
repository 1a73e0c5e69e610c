"""Tables and exports of further tools: `look` prints what runs as they are; others take the names of their columns."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError

N = 80
RANDOM = np.random.default_rng(11)
P = RANDOM.random(N).round(4).tolist()
Y = [int(RANDOM.random() < p) for p in P]
WORD = ["yes" if y else "no" for y in Y]
TOP = ["yes" if p > 0.5 else "no" for p in P]
OTHER = [f"{1 - p:.4f}" for p in P]
SURE = [max(p, 1 - p) for p in P]
PASSED = ["PASS" if p > 0.4 else "FAIL" for p in P]
ROWS = list(range(N))
TEXT = [f"Workers marched in protest in Kenya, and the {row}th speaker was heard." for row in ROWS]
DAYS = [f"2020-{1 + row % 12:02}-1{row % 9}" for row in ROWS]


def table(columns, separator=","):
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows([list(columns), *zip(*columns.values(), strict=True)])
    return text.getvalue()


def lines(columns):
    return "".join(json.dumps(row) + "\n" for row in records(columns))


def records(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


STUDIO = {"annotation_id": ROWS, "annotator": [1] * N, "created_at": DAYS, "id": ROWS, "lead_time": [2.1] * N}
MINIMAL = {"id": ROWS, "sentiment": WORD, "annotator": [1] * N, "annotation_id": ROWS}
TABLES = {
    "pandas, index": ("t.csv", table({"": ROWS, "y_true": Y, "y_prob": P}), "calibrate FILE --q y_prob --y y_true"),
    "scikit-learn": ("t.csv", table({"": ROWS, "0": OTHER, "1": P, "y": Y}), "calibrate FILE"),
    "R, row names": ("t.csv", table({"": ROWS, "truth": Y, "prob": P}), "calibrate FILE --q prob --y truth"),
    "tidymodels": (
        "t.csv", table({".pred_no": OTHER, ".pred_yes": P, ".pred_class": TOP, "outcome": WORD}),
        "calibrate FILE --q .pred_no,.pred_yes --y outcome",
    ),
    "caret": (
        "t.csv", table({"pred": TOP, "obs": WORD, "no": OTHER, "yes": P, "rowIndex": ROWS, "Resample": ["Fold1"] * N}),
        "calibrate FILE --q no,yes --y obs",
    ),
    "mlr3": (
        "t.csv", table({"row_ids": ROWS, "truth": WORD, "response": TOP, "prob.yes": P, "prob.no": OTHER}),
        "calibrate FILE --q prob.yes,prob.no --y truth",
    ),
    "RapidMiner": (
        "t.csv", table({"label": WORD, "prediction(label)": TOP, "confidence(no)": OTHER, "confidence(yes)": P}),
        "calibrate FILE --q 'confidence(no),confidence(yes)' --y label",
    ),
    "KNIME": (
        "t.csv", table({"Class": WORD, "P (Class=no)": OTHER, "P (Class=yes)": P, "Prediction (Class)": TOP}),
        "calibrate FILE --q 'P (Class=no),P (Class=yes)' --y Class",
    ),
    "AutoGluon": (
        "t.csv", table({"id": ROWS, "label": WORD, "no": OTHER, "yes": P}), "calibrate FILE",
    ),
    "SPSS, decimal commas": (
        "t.csv", table({"ID": ROWS, "Y": Y, "PRE_1": [str(p).replace(".", ",") for p in P]}, ";"),
        "calibrate FILE --q PRE_1 --y Y",
    ),
    "Stata, value labels": (
        "t.csv", table({"id": ROWS, "outcome": [("0 = no", "1 = yes")[y] for y in Y], "phat": P}),
        "calibrate FILE --q phat --y outcome --yes '1 = yes'",
    ),
    "no-break spaces": (
        "t.csv", table({"id": ROWS, "y": Y, "p": [f"{p}\u00a0" for p in P]}), "calibrate FILE --q p --y y",
    ),
    "spaCy": (
        "t.jsonl", lines({"cats": [{"yes": p, "no": 1 - p} for p in P], "gold": WORD}), "calibrate FILE",
    ),
    "unlabelled": (
        "t.csv", table({"doc": ROWS, "p_hat": P}), "plan items FILE --q p_hat --id doc --budget 40 --out own",
    ),
    "news": (
        "t.csv", table({"Nr": ROWS, "Headline": TEXT, "Published": DAYS}),
        "plan items FILE --match WORDS --text Headline --id Nr --budget 40 --out plan",
    ),
    "MAXQDA": (
        "t.csv", table({"Document name": [f"doc{n}" for n in ROWS], "Code": WORD, "Segment": TEXT}, ";"),
        "plan items FILE --match WORDS --text Segment --id 'Document name' --budget 40 --out plan",
    ),
    "promptfoo": (
        "t.csv", table({"text": TEXT, "label": WORD, "[openai:gpt] prompt": TOP, "Pass/Fail": PASSED}),
        "judge FILE --q Pass/Fail",
    ),
    "a viewer of verdicts": (
        "t.csv", table({"case": ROWS, "Status": PASSED}), "judge FILE LABELS --q Status --id case",
    ),
    "scores of tokens": (
        "t.jsonl", '{"labels": ["O", "B-X"]}\n{"logits": [[0.1, 2.0]]}\n', "spans FILE --out spans.csv",
    ),
    "Label Studio, CSV": ("t.csv", table({"text": TEXT, **MINIMAL}), "estimate ITEMS FILE --plan plan.json"),
    "Label Studio, sorted CSV": (
        "t.csv", table({**STUDIO, "sentiment": WORD, "text": TEXT}), "estimate ITEMS FILE --plan plan.json",
    ),
    "Label Studio, nested cells": (
        "t.csv", table({**STUDIO, "topics": [json.dumps({"choices": [w]}) for w in WORD]}),
        "estimate ITEMS FILE --plan plan.json",
    ),
    "Label Studio, JSON-MIN": (
        "t.json", json.dumps(records({"text": TEXT, **MINIMAL})), "estimate ITEMS FILE --plan plan.json",
    ),
    "doccano": ("t.jsonl", lines({"id": ROWS, "label": [[w] for w in WORD]}), "estimate ITEMS FILE --plan plan.json"),
    "LimeSurvey": ("t.csv", table({"Response ID": ROWS, "item": ROWS, "label": WORD}, ";"),
                   "estimate ITEMS FILE --plan plan.json"),
}  # fmt: skip
SENTENCES = {
    "Excel, totals": (
        table({"id": [*ROWS, "Total"], "y": [*Y, sum(Y)], "q": [*P, sum(P)]}),
        f"line {N + 2}: found prediction",
    ),
    "a title": (",Model A,\n" + table({"id": ROWS, "y": Y, "p": P}), "the first row is a title"),
    "logits": (table({"logit": [6 * p - 3 for p in P]}), "it is 1 / (1 + exp(-logit))"),
}
WAYS_OUT = (
    "nlpcalib look",
    "nlpcalib spans",
    "--q with its name",
    "jq -c",
    "--id names",
    "--id NAME",
    "--q names",
    "is a title",
)


@pytest.fixture
def saved(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "labels.csv").write_text("item,label\n" + "".join(f"{row},{word}\n" for row, word in enumerate(WORD)))

    def save(name, content):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return name

    return save


@pytest.mark.parametrize("tool", TABLES)
def test_look_prints_the_command_that_reads_a_table_as_it_is(tool, saved):
    name, content, command = TABLES[tool]
    words = tuple(shlex.split(command.replace("FILE", saved(name, content))))
    assert looked(name)[:1] == [words] or {"--q", "--text"} & set(words)


def looked(name):
    """Return the commands that `look` prints; none for a file that it refuses."""
    try:
        return list(nc.look(name).commands)
    except InputError:
        return []


@pytest.mark.parametrize("kind", SENTENCES)
def test_look_says_what_hinders_every_command(kind, saved):
    content, sentence = SENTENCES[kind]
    with pytest.raises(InputError, match=re.escape(sentence)) as refused:
        nc.look(saved("t.csv", content))
    assert "nlpcalib look" not in str(refused.value)


@pytest.mark.slow
@pytest.mark.parametrize("tool", TABLES)
def test_commands_of_look_and_those_that_name_columns_run(tool, saved, capfd):
    name, content, own = TABLES[tool]
    saved(name, content)
    for command in [*looked(name), shlex.split(own.replace("FILE", name))]:
        if {"ITEMS", "PREDICTIONS", "VERDICTS"} & set(command):  # there is more than one file to name
            continue
        words = {"OTHER": name, "LABELS": "labels.csv", "WORDS": "march"}
        if command[0] == "learn":
            saved("labels.csv", "item,label\n" + "".join(f"{row},{('none', 'KEN')[y]}\n" for row, y in enumerate(Y)))
        assert main([words.get(each, each) for each in command]) == 0, (command, capfd.readouterr().err)


def commands(name):
    return [
        ["calibrate", name], ["recalibrate", name], ["compare", name, name], ["calibrate", name, "--html", "page.html"],
        ["plan", "items", name, "--budget", "20", "--out", "sample"], ["judge", name], ["judge", name, "labels.csv"],
        ["events", name, "--category", "protest"], ["spans", name, "--out", "spans.csv"],
        ["learn", name, "labels.csv", "--category", "protest", "--out", "model.json"],
        ["estimate", name, "labels.csv"],
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("tool", TABLES)
def test_every_command_reads_a_table_or_ends_in_one_line_with_a_way_out(tool, saved, capfd):
    name, content, _ = TABLES[tool]
    saved(name, content)
    for words in commands(name):
        capfd.readouterr()
        status, printed = main(words), capfd.readouterr()
        if status:
            assert (status, printed.out, printed.err.count("\n")) == (2, "", 1), (words, printed)
            named = any(each in printed.err for each in WAYS_OUT) or re.search(r", (line|record) \d+", printed.err)
            assert named, (words, printed)
