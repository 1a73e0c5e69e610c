"""Answers of servers with log-probabilities of tokens, which `nlpcalib.predictions.server_replies` lists.

Users add the right answer as `gold`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from nlpcalib.predictions.answers import is_right, normalise
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.records import Record
from nlpcalib.predictions.server_replies import is_failed, read_reply
from nlpcalib.predictions.token_texts import UNREADABLE, spelled


def read_logprobs(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the possible answers to each question with their probabilities; the question is the unit.

    An answer of one token (`B`, `yes`) has as alternatives the likeliest tokens in its place; tokens that differ in
    case, space and punctuation are one answer, whose probability is their sum. For a longer answer the probabilities of
    its tokens are multiplied, and there are no alternatives.
    """
    for record in records:
        reply = read_reply(record)
        texts = spelled(record, reply)
        spoken = [index for index, text in enumerate(texts.tokens) if _key(text) or UNREADABLE in text]
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
            own_tokens = reply.tokens[: len(texts.tokens)]
            shares = {normalise(texts.text): math.prod(token.probability for token in own_tokens)}
        y = [is_right(record, answer) for answer in shares]
        unit = record.unit("unit", "custom_id", "id")
        compared = (max(shares, key=shares.__getitem__), str(record.values[record.keys["y"]]))
        yield Example(
            record.place, unit, list(shares.values()), y, record.labels(len(y)), exclusive=True, compared=compared
        )


is_unanswered = is_failed
"""Whether a record has no answer: its request failed."""


def _key(token: str) -> str:
    return normalise(token) if any(character.isalnum() for character in token) else ""
