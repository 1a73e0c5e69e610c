"""`nlpcalib spans`: the probability of each span that a tagger sees, from its scores of tokens."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nlpcalib.shell.arguments import at_least, check_files, probability

if TYPE_CHECKING:
    from nlpcalib.api.spans import SpanReport
    from nlpcalib.predictions.records import Record

_NUMBERS = "a list of numbers"


def add(commands) -> None:
    """Add the subcommand."""
    command = commands.add_parser(
        "spans",
        help="give each span that a tagger sees its exact probability, from its scores of tokens",
        description="Print the expected number of spans of each type, from JSON lines with a sentence each. With "
        "--out, write a row for each span with its probability q and, where FILE has gold tags, with y.",
    )
    command.add_argument(
        "file", type=Path, metavar="FILE",
        help="JSON lines: {labels, transitions?, initial?} first, then {logits, tokens?, gold?, id?} for each sentence",
    )  # fmt: skip
    command.add_argument("--out", type=Path, metavar="FILE", help="CSV for the spans (default: nothing is written)")
    command.add_argument(
        "--scheme", choices=("bio", "bioes", "plain"), help="how labels mark spans (default: by their names)"
    )
    command.add_argument(
        "--at-least", type=probability, default=0.01, metavar="P", help="least probability written (default .01)"
    )
    command.add_argument("--seed", type=at_least(0), default=0, metavar="K", help="seed of the intervals (default 0)")
    command.set_defaults(run=run, command=command)


def run(options: argparse.Namespace) -> None:
    """Print the counts and, if a file is named, write the spans."""
    check_files(options.file)
    from nlpcalib.api.spans import find_spans
    from nlpcalib.io.files import write_csv

    chain, sentences = read_scores(options.file)
    report = find_spans(**chain, scheme=options.scheme)
    if options.out is not None:
        write_csv(options.out, list(_rows(report, sentences, options.at_least)))
    where = "no file written: name one with --out" if options.out is None else f"file: {options.out}"
    print(f"{options.file}: {report}", where, sep="\n")


def read_scores(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """Return what `nlpcalib.find_spans` takes, and the record of each sentence.

    Raises `InputError`, naming the line, for labels, logits and transitions that are none or do not fit.
    """
    from nlpcalib.errors import InputError
    from nlpcalib.predictions.records import read_records

    with path.open("rb") as stream:
        records = read_records(stream, str(path), {})
        head = next(records, None)
        sentences = list(records)
    if head is None:
        raise InputError(f"{path}: found no line, expected the labels in the first")
    labels = [head.check(label, str, "texts", "labels") for label in head.get("labels", list, "the names of all tags")]
    chain = {"tags": labels, "scores": [_matrix(record, "logits", len(labels)) for record in sentences]}
    if "transitions" in head.values:
        chain["transition"] = _matrix(head, "transitions", len(labels))
    if "initial" in head.values:
        chain["initial"] = _row(head, head.values["initial"], "initial", len(labels))
    return chain, sentences


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
        text = {"text": " ".join(map(str, words))} if words else {}
        key = (row["sentence"], row["start"], row["end"], row["label"])
        yield place | text | {"q": row["probability"]} | ({"y": int(key in gold)} if gold is not None else {})


def _gold(report: SpanReport, sentences: list[Record]) -> set[tuple] | None:
    """Return the spans of the gold tags, None if no sentence has any; `InputError` if some have and others have not."""
    if not any("gold" in record.values for record in sentences):
        return None
    path = []
    for record, length in zip(sentences, report.lengths.tolist(), strict=True):
        tags = record.get("gold", list, "the right tag of each token")
        if len(tags) != length or not set(tags) <= set(report.tags):
            record.refuse(f"{len(tags)} gold tags", f"one of {', '.join(report.tags)} for each of {length} tokens")
        path += [report.tags.index(tag) for tag in tags]
    return {(row["sentence"], row["start"], row["end"], row["label"]) for row in report.spans_of(path)}
