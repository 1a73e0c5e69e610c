"""A language model's answers per text and country: its probability that the text reports an event.

A table has a row for each text, with its `id` and `countries`: an object {"ISR": 0.9, "SYR": 0.05} in JSON lines, or
the model's reply with such an object, perhaps between ``` marks. A value is a probability, or true, false, yes or no.
Countries that are left out have the answer 0, and `unnamed` is an event of no country.

>>> parsed_answer('```json\\n{"ISR": 0.9, "SYR": "no"}\\n```')
{'ISR': 0.9, 'SYR': 0.0}
"""

from __future__ import annotations

import json
import re
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.io.json_values import each_once, shown
from nlpcalib.tables.columns import texts
from nlpcalib.tables.table import Table

ANSWERS_COLUMN = "countries"
_ANSWERS_EXPECTED = 'an object with a probability for each country, such as {"ISR": 0.9}, and {} for none'
_FENCED = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL)
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


def read_country_answers(table: Table) -> list[dict[str, float]]:
    """Return the probability of each country in each row of a table, in their order.

    Raises `InputError`, naming the row, for anything but an object of probabilities.
    """
    found: list[dict[str, float]] = []
    for value in texts(table.read({ANSWERS_COLUMN: "text"})[ANSWERS_COLUMN]):
        try:
            found.append(parsed_answer(value))
        except InputError as error:
            raise InputError(f"{table.place(len(found))}: {error}") from None
    return found


def parsed_answer(value: str) -> dict[str, float]:
    """Return the probability of each country in an answer; `InputError` for another."""
    fenced = _FENCED.fullmatch(value)
    try:
        answer = json.loads(fenced[1] if fenced else value, object_pairs_hook=each_once)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise InputError(f"{ANSWERS_COLUMN}: found {shown(value)}, expected {_ANSWERS_EXPECTED}")
    return {str(country): _probability(country, stated) for country, stated in answer.items()}


def _probability(country: str, stated: Any) -> float:
    try:
        number = _WORDS.get(str(stated).strip().lower())
        number = float(stated) if number is None else number
    except (TypeError, ValueError):
        number = -1.0
    if not 0 <= number <= 1:
        raise InputError(f"{ANSWERS_COLUMN}: found {shown(stated)} of {country}, expected a probability in [0, 1]")
    return number
