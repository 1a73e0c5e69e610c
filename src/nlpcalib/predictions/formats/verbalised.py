"""Confidence in words: a model that is asked how sure it is.

One answer a line: `confidence`, a number or a text such as `85%`, and `answer`; or both in the model's reply,
`response`, as prompts ask for them: `Guess: …` and `Probability: 0.85` (Tian et al. 2023), `Answer: …` and
`Confidence: 85%` (Xiong et al. 2024). `gold` is the right answer, a list of them, or whether the answer is right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.answers import compared_answers, is_right, normalise
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.records import Record

_CONFIDENCE_LINE = re.compile(
    r"(?:confidence|probability)(?: level| score)?(?:[ *_]{0,9}\([^()\n]{0,99}\))?[^\w\n.]{0,20}"
    r"(\d{0,9}[.,]?\d{1,18}(?:e[+-]?\d{1,3})?(?!\d|[.,]\d|e[+-]?\d|\s?(?:/|[-–]\s?\d|out of))\s?%?)",
    # A number is read whole or not at all: neither 8/10 nor 80-90.
    re.IGNORECASE,
)
_ANSWER_LINE = re.compile(
    r"^[\s>#*_]{0,20}(?:(?:final|exact) )?(?:answer|guess)[*_ ]{0,9}:(.{1,2000})$", re.IGNORECASE | re.MULTILINE
)
_STATED_NUMBER = re.compile(r"\s*(\d{0,9}[.,]?\d{1,18}(?:e[+-]?\d{1,3})?)\s?(%?)\s*", re.IGNORECASE)
_CONFIDENCE_WORD = re.compile("confidence|probability", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_EXPECTED_CONFIDENCE = "a probability in [0, 1], or a percentage"
_OR_SKIP = "; skip_unanswered= leaves out answers without one"


def read_verbalised(records: Iterable[Record]) -> Iterator[Example]:
    """Yield each answer with its confidence; the question is the unit.

    Numbers without a percent sign are percentages if one of the file exceeds 1. One strictly between 0 and 1 in such a
    file is refused, since it could be either.
    """
    stated = []
    large: Record | None = None
    for record in map(_with_fields_of_reply, records):
        confidence, percent = _stated_confidence(record)
        if not percent and confidence > 1:
            large = large or record
        stated.append((record, confidence, percent))
    for record, confidence, percent in stated:
        if large and not percent and 0 < confidence < 1:
            record.refuse(f"confidence {confidence:g} and a percentage in {large.place}", "one scale")
        q = confidence / 100 if percent or large else confidence
        if not 0 <= q <= 1:
            record.refuse(f"confidence {confidence:g}", _EXPECTED_CONFIDENCE)
        gold = record.values.get(record.keys["y"]) if record.labelled else None
        unit, judged = record.unit("unit", "id"), isinstance(gold, bool) or not record.labelled
        stated_answer = "" if judged else _stated_answer(record)
        y = bool(gold) if judged else is_right(record, stated_answer)
        compared = None if judged else compared_answers(record, stated_answer)
        yield Example(record.place, unit, [q], [y], record.labels(1), compared=compared, marks=record.marks(unit, 1))


def _with_fields_of_reply(record: Record) -> Record:
    """Return a record with `answer` and `confidence` of a reply that is an object of JSON."""
    reply = record.values.get("response")
    if not isinstance(reply, str):
        return record
    try:
        fields = json.loads(reply.strip().removeprefix("```").removeprefix("json").removesuffix("```"))
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict):
        return record
    named = {key.lower().replace("final_", ""): value for key, value in fields.items()}
    confidence = named.get("confidence", named.get("probability"))
    answer = named.get("answer", named.get("guess"))
    if confidence is None or answer is None:
        return record
    return replace(record, values={record.keys["q"]: confidence, "answer": answer} | dict(record.values))


def is_unanswered(record: Record) -> bool:
    """Return whether the confidence is null or a text without a digit, or no number follows it in the reply."""
    record = _with_fields_of_reply(record)
    key = record.keys["q"]
    value, response = record.values.get(key), record.values.get("response")
    if isinstance(value, str):
        return not any(map(str.isdigit, value))
    if value is not None:
        return False
    if isinstance(response, str):
        return not any(map(_gives_a_number, response.splitlines()))
    return response is None and (key in record.values or "response" in record.values)


def _gives_a_number(line: str) -> bool:
    word = _CONFIDENCE_WORD.search(line)
    return bool(word and _DIGIT.search(line, word.end()))


def _stated_confidence(record: Record) -> tuple[float, bool]:
    """Return the number stated last, and whether it is a percentage."""
    key = record.keys["q"]
    value = record.values.get(key)
    if value is None and isinstance(record.values.get("response"), str):
        found = _CONFIDENCE_LINE.findall(record.values["response"])
        if not found:
            record.refuse(
                f"response {shown(record.values['response'])}", f"a line 'Confidence: …' or 'Probability: …'{_OR_SKIP}"
            )
        value = found[-1]
    elif value is None:
        record.refuse(f"keys {shown(list(record.values))}", f"'{key}', or 'response' with the model's reply{_OR_SKIP}")
    if isinstance(value, str):
        match = _STATED_NUMBER.fullmatch(value)
        if not match:
            record.refuse(f"{key} {shown(value)}", _EXPECTED_CONFIDENCE + (_OR_SKIP if is_unanswered(record) else ""))
        return float(match[1].replace(",", ".")), bool(match[2])
    return record.number_of(value, _EXPECTED_CONFIDENCE, key), False


def _stated_answer(record: Record) -> str:
    if "answer" in record.values or "response" not in record.values:
        return normalise(str(record.get("answer", (str, int, float), "the model's answer")))
    found = _ANSWER_LINE.findall(record.get("response", str, "the model's reply"))
    if not found:
        record.refuse(f"response {shown(record.values['response'])}", "a line 'Answer: …' or 'Guess: …'")
    return normalise(found[-1])
