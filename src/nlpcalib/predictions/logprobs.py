"""Answers of OpenAI-style servers with `logprobs`: chat completions, completions, and lines of batch results.

A chat completion has a list `choices[0].logprobs.content` of tokens, each with `token`, `logprob` and `top_logprobs`,
the likeliest tokens in its place. A completion has `tokens`, `token_logprobs` and `top_logprobs` as parallel lists.
Either may stand under `response`, or under `response.body` as in batch results. Users add the right answer as `gold`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from typing import Any

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.answers import is_right, normalise
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.records import Record

_EXPECTED_COMPLETION = 'a completion with "choices": [{"logprobs": …}], asked for with logprobs'
_EXPECTED_LOGPROB = "a log-probability of at most 0"


def read_logprobs(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the possible answers to each question with their probabilities; the question is the unit.

    An answer of one token (`B`, `yes`) has as alternatives the likeliest tokens in its place; tokens that differ in
    case, space and punctuation are one answer, whose probability is their sum. For a longer answer the probabilities of
    its tokens are multiplied, and there are no alternatives.
    """
    for record in records:
        tokens = _of_reply(record, _tokens(record))
        spoken = [index for index, (token, _, _) in enumerate(tokens) if _key(token)]
        if not spoken:
            record.refuse("an answer without words", "at least one token")
        if len(spoken) == 1:
            token, own, alternatives = tokens[spoken[0]]
            shares: dict[str, float] = {}
            if all(text != token for text, _ in alternatives):
                alternatives = [*alternatives, (token, own)]
            for text, score in alternatives:  # two ids may have one text
                shares[_key(text)] = shares.get(_key(text), 0.0) + _probability(record, score)
            shares.pop("", None)
        else:
            text = "".join(token for token, _, _ in tokens)
            shares = {normalise(text): math.prod(_probability(record, own) for _, own, _ in tokens)}
        y = [is_right(record, answer) for answer in shares]
        unit = record.unit("unit", "custom_id", "id")
        compared = (max(shares, key=shares.__getitem__), str(record.values[record.keys["y"]]))
        yield Example(
            record.place, unit, list(shares.values()), y, record.labels(len(y)), exclusive=True, compared=compared
        )


_Token = tuple[str, Any, list[tuple[str, Any]]]
_WRITTEN_BLANKS = str.maketrans({"\u0120": " ", "\u2581": " ", "\u010a": "\n"})
"""What vocabularies write for a blank and for the end of a line."""
_MARKER = re.compile(r"<\|?[^<>\s|]{1,40}\|?>|\[[A-Z]{2,10}\]")
"""A token that no reader sees, such as `<|im_end|>` and `</s>`."""


def _of_reply(record: Record, tokens: list[_Token]) -> list[_Token]:
    """Return the tokens that make the reply, as it reads; `InputError` if they are not those of its text."""
    plain = [
        (own.translate(_WRITTEN_BLANKS), score, [(top.translate(_WRITTEN_BLANKS), each) for top, each in tops])
        for own, score, tops in tokens
    ]
    while len(plain) > 1 and _MARKER.fullmatch(plain[-1][0].strip()):
        plain.pop()
    reply = _reply(record)
    if reply is not None and "".join("".join(own for own, _, _ in plain).split()) != "".join(reply.split()):
        spelled = "".join(own for own, _, _ in tokens)
        record.refuse(f"tokens {shown(spelled)} of the reply {shown(reply)}", "tokens that make its text")
    return plain


def _reply(record: Record) -> str | None:
    """Return the text of the reply, None where the record does not have it."""
    body: Any = record.values.get(record.keys["q"], record.values)
    body = body.get("body", body) if isinstance(body, dict) else body
    choice = body["choices"][0]
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else choice.get("text")
    return text if isinstance(text, str) and text.strip() else None


def _key(token: str) -> str:
    return normalise(token) if any(character.isalnum() for character in token) else ""


def _probability(record: Record, logprob: Any) -> float:
    value = record.number_of(logprob, _EXPECTED_LOGPROB, "logprob")
    if value > 1e-4:
        record.refuse(f"logprob {value}", _EXPECTED_LOGPROB)
    return math.exp(min(value, 0.0))


def _tokens(record: Record) -> list[_Token]:
    """Return each token of the answer with its log-probability and those of the likeliest tokens in its place."""
    body: Any = record.values.get(record.keys["q"], record.values)
    body = body.get("body", body) if isinstance(body, dict) else body
    try:
        logprobs = body["choices"][0]["logprobs"]
        if "content" in logprobs:
            found = [
                (item["token"], item["logprob"], [(top["token"], top["logprob"]) for top in item["top_logprobs"]])
                for item in logprobs["content"]
            ]
        else:
            tops = logprobs.get("top_logprobs") or [{}] * len(logprobs["tokens"])
            tops = [list((top or {}).items()) for top in tops]
            found = list(zip(logprobs["tokens"], logprobs["token_logprobs"], tops, strict=True))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        record.refuse(shown(body), _EXPECTED_COMPLETION)
    for token in (token for own, _, tops in found for token in (own, *(text for text, _ in tops))):
        record.check(token, str, _EXPECTED_COMPLETION, "token")
    return found
