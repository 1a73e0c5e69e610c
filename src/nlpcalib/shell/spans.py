"""`nlpcalib spans`: the probability of each span that a tagger sees, from its scores of tokens."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.errors import InputError, counted
from nlpcalib.io.files import check_file

if TYPE_CHECKING:
    from nlpcalib.api.spans import SpanReport
    from nlpcalib.predictions.records import Record

_NUMBERS = "a list of numbers"
_ROUNDING = 1e-3
"""By how much the sum of a row of probabilities differs from 1 at most."""


def run(options: argparse.Namespace) -> None:
    """Print the counts and, if a file is named, write the spans."""
    if str(options.file) == "-":
        raise InputError("-: standard input is not read, expected a file")
    check_file(options.file)
    from nlpcalib.api.spans import find_spans
    from nlpcalib.io.files import write_csv

    chain, sentences = read_scores(options.file)
    report = find_spans(**chain, scheme=options.scheme)
    if options.out is not None:
        write_csv(options.out, list(_rows(report, sentences, options.at_least)))
    where = "no file written: name one with --out" if options.out is None else f"file: {options.out}"
    first, *counts = report.lines(options.seed)
    print(f"{options.file}: {first}", *counts, where, sep="\n")


def read_scores(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """Return what `nlpcalib.find_spans` takes, and the record of each sentence.

    Raises `InputError`, naming the line, for labels, logits, transitions, tokens and gold tags that are none or do not
    fit, and for tokens or gold tags that some sentences have and others have not.
    """
    from nlpcalib.io.json_values import shown
    from nlpcalib.predictions.records import read_records

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
    return columns > 1 and bool(rows) and all(min(row) >= 0 and abs(sum(row) - 1) < _ROUNDING for row in rows)


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


def _rows(report: SpanReport, sentences: list[Record], least: float) -> Iterator[dict]:
    """Yield the spans of all sentences; y is whether a span is one of the gold tags."""
    gold = _gold(report, sentences)
    for row in report.spans(least):
        record = sentences[row["sentence"]]
        words = record.values.get("tokens", [])[row["start"] : row["end"]]
        place = {"unit": record.unit("id"), "start": row["start"], "end": row["end"], "label": row["label"]}
        text = {"text": " ".join(words)} if words else {}
        key = (row["sentence"], row["start"], row["end"], row["label"])
        yield place | text | {"q": row["probability"]} | ({"y": int(key in gold)} if gold is not None else {})


def _gold(report: SpanReport, sentences: list[Record]) -> set[tuple] | None:
    """Return the spans of the gold tags, None if no sentence has any."""
    if not any("gold" in record.values for record in sentences):
        return None
    path = [report.tags.index(tag) for record in sentences for tag in record.values["gold"]]
    return {(row["sentence"], row["start"], row["end"], row["label"]) for row in report.spans_of(path)}
