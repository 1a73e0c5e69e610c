"""Scores of tokens in JSON lines: the tags and their transitions first, then a sentence a line."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import shown
from nlpcalib.predictions.records import Record, read_records

_NUMBERS = "a list of numbers"
MAX_SUM_ROUNDING = 1e-3
"""Largest difference from 1 of a row's sum by which numbers are taken for probabilities, and not for logits."""


def read_scores(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """Return what `nlpcalib.find_spans` takes, and the record of each sentence.

    Raises `InputError`, naming the line, for labels, logits, transitions, tokens and gold tags that are none or do not
    fit, and for tokens or gold tags that some sentences have and others have not.
    """
    if str(path) == "-":
        raise InputError("-: standard input is not read, expected a file")
    check_file(path)
    with path.open("rb") as stream:
        records = read_records(stream, str(path), {})
        head = next(records, None)
        sentences = list(records)
    if head is None:
        raise InputError(f"{path}: found no line, expected the labels in the first")
    labels = [head.check(label, str, "texts", "labels") for label in head.get("labels", list, "the names of all tags")]
    chain = {"tags": labels, "scores": [_matrix(record, "logits", len(labels)) for record in sentences]}
    if sentences and _are_probabilities(chain["scores"], len(labels)):
        sentences[0].refuse(
            "logits that are probabilities: all rows have a sum of 1", "logits, such as their logarithms"
        )
    for record, rows in zip(sentences, chain["scores"], strict=True):
        for row in rows:
            if not -math.inf < max(row) < math.inf:
                record.refuse(f"logits {shown(row)}", "numbers or -Infinity, one of them a number")
    for name in ("tokens", "gold"):
        if any(name in record.values for record in sentences):
            for record, scores in zip(sentences, chain["scores"], strict=True):
                texts = _texts(record, name, len(scores))
                if name == "gold" and not set(texts) <= set(labels):
                    record.refuse(f"gold {shown(texts)}", f"one of {', '.join(labels)} for each token")
    if "transitions" in head.values:
        chain["transition"] = _matrix(head, "transitions", len(labels))
    if "initial" in head.values:
        chain["initial"] = _row(head, head.values["initial"], "initial", len(labels))
    return chain, sentences


def _are_probabilities(scores: list[list[list[float]]], columns: int) -> bool:
    rows = [row for matrix in scores for row in matrix]
    return columns > 1 and bool(rows) and all(min(row) >= 0 and abs(sum(row) - 1) < MAX_SUM_ROUNDING for row in rows)


def _texts(record: Record, name: str, size: int) -> list[str]:
    expected = f"a list of {counted(size, 'text')}, one for each token"
    found = [record.check(text, str, expected, name) for text in record.get(name, list, expected)]
    if len(found) != size:
        record.refuse(f"{name} with a list of {len(found)}", expected)
    return found


def _matrix(record: Record, name: str, columns: int) -> list[list[float]]:
    rows = record.get(name, list, f"lists of {columns} numbers")
    return [_row(record, row, name, columns) for row in rows]


def _row(record: Record, values: Any, name: str, columns: int) -> list[float]:
    if len(record.check(values, list, _NUMBERS, name)) != columns:
        record.refuse(f"{name} with a list of {len(values)}", f"{columns} numbers, one for each label")
    return [record.number_of(value, _NUMBERS, name) for value in values]
