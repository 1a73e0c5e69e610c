"""`samples_*.jsonl` of the Language Model Evaluation Harness (`lm_eval --log_samples`): multiple-choice tasks.

`resps` holds, for each choice, a list with one log-likelihood and whether greedy decoding gives that choice. `target`
is a text: the position of the right choice from 0 on, a list of such positions, or the choice itself. A choice's
probability is the softmax of the log-likelihoods, as in the harness's `brier_score`; `acc` judges the likeliest.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record

_EXPECTED_CHOICES = 'the log-likelihoods of at least two choices, [[["-1.5", "False"]], …]: a multiple-choice task'


def read_lm_eval(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the choices of each document with their probabilities; the unit is the document.

    `doc_id` is the number of a document in its task: in a file of several tasks it names another document in each.
    Filters repeat a document, with the same log-likelihoods: it counts once.
    """
    read = [(record, _log_likelihoods(record)) for record in _of_one_filter(records)]
    labelled = all(record.labelled for record, _ in read)
    reading = _common_reading(read) if labelled else None
    for record, scores in read:
        right = _right_choices(record, scores, reading) if labelled else set()
        q = np.exp(scores - scores.max())
        q /= q.sum()
        y = [index in right for index in range(len(q))]
        marks = {"choice": list(range(len(q)))}
        yield Example(record.place, _document(record), q.tolist(), y, record.labels(len(q)), True, marks=marks)


def _of_one_filter(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records without those that have the responses of an earlier one under another filter."""
    filter_of: dict[tuple[str | None, str], Any] = {}
    for record in records:
        name = record.values.get("filter")
        key = _document(record), json.dumps(record.values.get(record.keys["q"]))
        if filter_of.setdefault(key, name) == name:
            yield record


def _document(record: Record) -> str | None:
    """Return the unit that the user names, or the document's hash, or its number with a hash of what was asked."""
    unit = record.unit("doc_hash", "doc_id")
    asked = record.values.get("doc", record.values.get("arguments"))
    if (
        unit is None
        or asked is None
        or {"document", "unit"} & record.keys.keys()
        or {"document", "doc_hash"} & record.values.keys()
    ):
        return unit
    return f"{unit} {hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]}"


def _log_likelihoods(record: Record) -> np.ndarray:
    """Return those of the choices, float64 (K,), without the unconditional ones that mutual information needs."""
    scores = []
    for request in record.get("q", list, _EXPECTED_CHOICES):
        request = request[0] if isinstance(request, list) and len(request) == 1 else request
        if not isinstance(request, list) or len(request) != 2:
            record.refuse(f"{record.keys['q']} with {shown(request)}", _EXPECTED_CHOICES)
        try:
            scores.append(float(request[0]))
        except (TypeError, ValueError, OverflowError):
            scores.append(np.nan)
        if not scores[-1] < np.inf:
            record.refuse(f"{record.keys['q']} with {shown(request[0])}", "a log-likelihood")
    if "acc_mutual_info" in record.values:
        scores = scores[: len(scores) // 2]
    if len(scores) < 2 or max(scores) == -np.inf:
        record.refuse(f"{len(scores)} choices with the log-likelihoods {shown(scores)}", _EXPECTED_CHOICES)
    return np.array(scores)


def _common_reading(read: Sequence[tuple[Record, np.ndarray]]) -> int | None:
    """Return which reading of `target` holds in all records: 0 for positions, 1 for texts, None if none does."""
    holds = [True, True]
    differ = False
    for record, scores in read:
        readings = _readings(record, scores)
        holds = [one and _holds(record, scores, right) for one, right in zip(holds, readings, strict=True)]
        differ |= readings[0] != readings[1]
        if not any(holds):
            return None
    if all(holds) and differ:
        read[0][0].refuse(
            f"targets such as {shown(read[0][0].values[read[0][0].keys['y']])} that are positions and texts of choices",
            "acc, which decides it",
        )
    return holds.index(True) if read else None


def _readings(record: Record, scores: np.ndarray) -> tuple[set[int], set[int]]:
    """Return the right choices if `target` is their positions, and if it is their text."""
    target = str(record.get("y", (str, int, list), "the right choice"))
    texts = {place for place, text in enumerate(_choice_texts(record)) if text == target.strip()}
    return {place for place in _positions(target) if place < len(scores)}, texts


def _holds(record: Record, scores: np.ndarray, right: set[int]) -> bool:
    """Return whether some choices may be the right ones, by their number and the harness's verdict if there is one."""
    verdict = record.values.get("acc")
    agrees = not isinstance(verdict, int | float) or (int(np.argmax(scores)) in right) == (verdict != 0)
    return 0 < len(right) < len(scores) and agrees


def _right_choices(record: Record, scores: np.ndarray, reading: int | None) -> set[int]:
    """Return the positions of the right choices, which agree with the harness's own verdict if there is one.

    The reading of targets is that of the whole file, where one holds in all of it.
    """
    target = record.values.get(record.keys["y"])
    best, verdict = int(np.argmax(scores)), record.values.get("acc")
    judged = isinstance(verdict, int | float)
    found = _readings(record, scores)
    readings = [right for right in (found if reading is None else (found[reading],)) if 0 < len(right) < len(scores)]
    for right in readings:
        if _holds(record, scores, right):
            return right
    if not readings and judged and (verdict or len(scores) == 2):
        # Where choices differ in the question, as in Winogrande, `target` is what follows all of them.
        return {best if verdict else 1 - best}
    expected = f"a position below {len(scores)} or the text of a choice, in accord with acc"
    return record.refuse(f"target {shown(target)} and acc {shown(verdict)}", expected)


def _positions(target: str) -> list[int]:
    found = re.fullmatch(r"\[?(\d{1,9}(?:, \d{1,9})*)\]?", target)
    return [int(place) for place in found[1].split(", ")] if found else []


def _choice_texts(record: Record) -> list[str]:
    """Return the choices, each the continuation of one request."""
    requests = record.values.get("arguments")
    pairs = list(requests.values()) if isinstance(requests, dict) else requests if isinstance(requests, list) else []
    pairs = [list(pair.values()) if isinstance(pair, dict) else pair for pair in pairs]
    return [pair[1].strip() for pair in pairs if isinstance(pair, list) and len(pair) > 1 and isinstance(pair[1], str)]
