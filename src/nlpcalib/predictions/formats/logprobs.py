"""Answers of servers with log-probabilities of tokens, which `nlpcalib.predictions.formats.server_replies` lists.

Users add the right answer as `gold`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from nlpcalib.predictions.answers import compared_answers, is_right, normalise
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.formats.server_replies import is_failed, read_reply
from nlpcalib.predictions.formats.token_texts import UNREADABLE, spelled
from nlpcalib.predictions.records import Record

_REPLY_KEYS = ("answer", "final_answer", "label", "choice")
"""Keys, in lower case, of the answer in an object of JSON."""


def read_logprobs(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the possible answers to each question with their probabilities; the question is the unit.

    An answer of one token (`B`, `yes`) has as alternatives the likeliest tokens in its place; tokens that differ in
    case, space and punctuation are one answer, whose probability is their sum. For a longer answer the probabilities of
    its tokens are multiplied, and there are no alternatives. Of a reply that is an object of JSON, the answer is the
    value of `answer`, or of its only key: `{"answer": "B"}`.
    """
    for record in records:
        reply = read_reply(record)
        texts = spelled(record, reply)
        first, last, answer = _answer_in_object(texts.tokens) or (0, len(texts.tokens), texts.text)
        spoken = [
            index for index in range(first, last) if _key(texts.tokens[index]) or UNREADABLE in texts.tokens[index]
        ]
        if not spoken:
            record.refuse("an answer without words", "at least one token")
        place = spoken[0]
        if len(spoken) == 1 and _key(texts.tokens[place]):
            own, tops = texts.tokens[place], texts.likeliest[place]
            alternatives = list(zip(tops, (token.probability for token in reply.likeliest[place]), strict=True))
            if own not in tops:
                alternatives.append((own, reply.tokens[place].probability))
            shares: dict[str, float] = {}
            for text, probability in alternatives:  # two ids may have one text
                shares[_key(text)] = shares.get(_key(text), 0.0) + probability
            shares.pop("", None)
        else:
            shares = {normalise(answer): math.prod(token.probability for token in reply.tokens[first:last])}
        y = [is_right(record, answer) for answer in shares]
        unit = record.unit("unit", "custom_id", "id")
        compared = compared_answers(record, max(shares, key=shares.__getitem__))
        marks = record.marks(unit, len(y), answer=list(shares))
        yield Example(record.place, unit, list(shares.values()), y, record.labels(len(y)), True, compared, marks)


is_unanswered = is_failed
"""Whether a record has no answer: its request failed."""


def _answer_in_object(tokens: Sequence[str]) -> tuple[int, int, str] | None:
    """Return the first token of the answer in an object of JSON, the one after its last, and the answer."""
    text = "".join(tokens)
    if not text.lstrip().startswith("{"):
        return None
    try:
        fields = json.loads(text)
        named = next((key for key in fields if key.lower() in _REPLY_KEYS), None)
        key = next(iter(fields)) if named is None and len(fields) == 1 else named
        value = re.search(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:\s*", text)
        if key is None or value is None or not isinstance(fields[key], str | int | float):
            return None
        found, end = json.JSONDecoder().raw_decode(text, value.end())
    except (ValueError, RecursionError):
        return None
    if found != fields[key]:  # the key of an object inside
        return None
    ends = list(accumulate(map(len, tokens)))
    first = next(index for index, each in enumerate(ends) if each > value.end() + text[value.end()].count('"'))
    last = next(index for index, each in enumerate(ends, 1) if each >= end - text[end - 1].count('"'))
    return first, last, str(fields[key])


def _key(token: str) -> str:
    return normalise(token) if any(character.isalnum() for character in token) else ""
