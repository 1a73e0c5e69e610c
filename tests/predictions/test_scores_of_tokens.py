"""Scores of tokens are no table: the message names the command that makes one, and it runs as it is printed."""

import json
import shlex

import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main

LINES = [
    {"id": name, "tokens": ["Ana", "ran"], "logits": [[0, 3, 1], [4, 0, 0]], "gold": ["B-PER", "O"]} for name in "abc"
]


def write(path, rows):
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def test_a_hint_at_spans_runs_and_what_it_writes_is_measured(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "ner tags.jsonl", [{"labels": ["O", "B-PER", "I-PER"]}, *LINES])
    with pytest.raises(nc.InputError, match="found scores of tokens; nlpcalib spans") as error:
        nc.read("ner tags.jsonl")
    command = str(error.value).partition("; nlpcalib ")[2].partition(" makes")[0]
    assert main(shlex.split(command)) == 0
    assert nc.read("spans.csv").y.sum() == 3


def test_logits_of_tokens_without_their_tags_are_no_column_of_logits(tmp_path):
    write(
        tmp_path / "t.jsonl",
        [{"ner_tags" if name == "gold" else name: each for name, each in line.items()} for line in LINES],
    )
    with pytest.raises(nc.InputError, match=r'logits of tokens are read by nlpcalib spans, below a line .*"labels"'):
        nc.calibrate(nc.read(tmp_path / "t.jsonl"))
    rows = [{"labels": ["a"], "q": 0.5, "y": 1}] * 3
    write(tmp_path / "t.jsonl", rows)
    assert len(nc.read(tmp_path / "t.jsonl")) == 3
