"""Scores of tokens in JSON lines: the tags and their transitions first, then a sentence a line."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, counted, other_readers, report_findings
from nlpcalib.examination.spans import examine_copies
from nlpcalib.io.files import check_file
from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.records import Record, read_records
from nlpcalib.predictions.formats.tag_names import numbered_labels
from nlpcalib.tables.delimited import file_kind
from nlpcalib.tables.sources import lines_of, unpacked

MIN_ROWS_OF_ONE_SUM = 20
"""Rows from which on one sum other than 1 is no chance."""
MAX_SPREAD_OF_SUMS = 1e-3
"""Largest difference of such sums, in sums."""
MAX_SUM_ROUNDING = 0.05
"""Largest difference from 1 of a row's sum by which numbers are probabilities, rounded to a few decimals."""
_NUMBERS = "a list of numbers"
_TAGS = "the names of all tags, in a list or as id2label has them"
_OF_CHAINS = ("labels", "transitions", "initial")
"""Keys of the first line; other lists of numbers in it are refused."""


def read_scores(path: Path) -> tuple[dict[str, Any], list[Record]]:
    """Return what `nlpcalib.find_spans` takes, and the record of each sentence.

    Raises `InputError`, naming the line, for labels, logits, transitions, tokens and gold tags that are none or do not
    fit, and for tokens or gold tags that some sentences have and others have not.
    """
    if str(path) == "-":
        raise InputError("-: standard input is not read, expected a file")
    check_file(path)
    if file_kind(path, str(path)) != "json":
        raise InputError(f"{path}: found a table, expected scores of tokens in JSON lines{other_readers(path)}")
    with unpacked(path, str(path)) as stream:
        records = read_records(stream, lines_of(path, str(path)), {})
        head = next(records, None)
        sentences = list(records)
    if head is None:
        raise InputError(f"{path}: found no line, expected the labels in the first")
    if not {"labels", "id2label"} & head.values.keys():
        from nlpcalib.predictions.formats.registry import record_format  # for this message alone

        if (form := record_format(path, None, {})) is not None:
            head.refuse(f"predictions in the format {form}, which nlpcalib calibrate reads", f"'labels', {_TAGS}")
        head.refuse(f"keys {shown(list(head.values))}", f"'labels' or 'id2label', {_TAGS}{other_readers(path)}")
    labels = _labels(head)
    chain: dict[str, Any] = {"tags": labels, "scores": [_matrix(record, "logits", len(labels)) for record in sentences]}
    for record, rows in zip(sentences, chain["scores"], strict=True):
        for row in rows:
            if not -math.inf < max(row) < math.inf:
                record.refuse(f"logits {shown(row)}", "numbers or -Infinity, one of them a number")
    if are_probabilities([row for rows in chain["scores"] for row in rows]):
        sentences[0].refuse(
            "logits that are probabilities: each row has a sum of about 1", "logits, such as their logarithms"
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
    named = [
        (str(record.values["id"]), json.dumps(rows)) if "id" in record.values else None
        for record, rows in zip(sentences, chain["scores"], strict=True)
    ]
    report_findings(examine_copies(named, "sentences"), path)
    return chain, sentences


def are_probabilities(scores: Any) -> bool:
    """Return whether all rows of scores, (N, K), are probabilities, which a chain would take for log-potentials.

    They have the sum 1, or another one that all rows have, such as 100.
    """
    rows = np.asarray(scores, dtype=np.float64)
    if not rows.size or rows.shape[1] < 2 or not rows.min() >= 0 or not np.isfinite(rows).all():
        return False
    sums = rows.sum(axis=1)
    of_one = np.abs(sums - 1).max() < MAX_SUM_ROUNDING
    return bool(of_one or (len(rows) >= MIN_ROWS_OF_ONE_SUM and np.ptp(sums) < MAX_SPREAD_OF_SUMS * sums.max()))


def _labels(head: Record) -> list[str]:
    """Return the tags, from a list or a mapping of numbers."""
    found = head.get("labels" if "labels" in head.values else "id2label", (list, dict), _TAGS)
    for name, value in head.values.items():
        if name not in _OF_CHAINS and isinstance(value, list):
            head.refuse(f"{name} with a list", f"no other lists than {', '.join(_OF_CHAINS)}")
    if isinstance(found, dict):
        try:
            return numbered_labels(found)
        except InputError as error:
            raise InputError(f"{head.place}: {error}") from None
    return [head.check(label, str, "texts", "labels") for label in found]


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
