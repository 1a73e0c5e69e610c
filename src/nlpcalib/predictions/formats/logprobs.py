"""Answers of language models with log-probabilities of tokens, as OpenAI's chat completions and servers like it have.

The reply `choices[0]` has the text as `message.content` and its tokens in `logprobs.content`, each with `token`,
`logprob`, perhaps `bytes`, and the likeliest tokens in its place, `top_logprobs`. It stands in the line itself, under
`response`, or under `response.body` as in batch results. Users add the right answer as `gold`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.answers import compared_answers, is_right, normalise
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record

MAX_LOGPROB_ROUNDING = 1e-4
"""Largest log-probability above 0 that counts as 0."""
_EXPECTED = 'a chat completion with "choices": [{"logprobs": {"content": …}}], asked for with logprobs'
_REPLY_KEYS = ("answer", "final_answer", "label", "choice")
"""Keys, in lower case, of the answer in an object of JSON."""
_MARKER = re.compile(r"<\|?[^<>\s]{1,40}>|\[[A-Z]{2,10}\]")
"""A token that ends a reply, which no reader sees."""
_Token = tuple[str, float]
"""The text of a token and its probability; a part of a character is `\N{REPLACEMENT CHARACTER}`."""


def read_logprobs(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the possible answers to each question with their probabilities; the question is the unit.

    An answer of one token (`B`, `yes`) has as alternatives the likeliest tokens in its place; tokens that differ in
    case, space and punctuation are one answer, whose probability is their sum. For a longer answer the probabilities of
    its tokens are multiplied, and there are no alternatives. Of a reply that is an object of JSON, the answer is the
    value of `answer`, or of its only key: `{"answer": "B"}`.
    """
    for record in records:
        answer, tokens, likeliest = _reply(record)
        texts = [text for text, _ in tokens]
        first, last, answer = _answer_in_object(texts) or (0, len(texts), answer)
        spoken = [place for place in range(first, last) if _key(texts[place]) or "\ufffd" in texts[place]]
        if not spoken:
            record.refuse("an answer without words", "at least one token")
        place = spoken[0]
        if len(spoken) == 1 and _key(texts[place]):
            alternatives = dict(likeliest[place]) | {texts[place]: tokens[place][1]}
            shares: dict[str, float] = {}
            for text, probability in alternatives.items():
                shares[_key(text)] = shares.get(_key(text), 0.0) + probability
            shares.pop("", None)
        else:
            shares = {normalise(answer): math.prod(probability for _, probability in tokens[first:last])}
        y = [is_right(record, each) for each in shares]
        unit = record.unit("unit", "custom_id", "id")
        compared = compared_answers(record, max(shares, key=shares.__getitem__))
        marks = record.marks(unit, len(y), answer=list(shares))
        yield Example(record.place, unit, list(shares.values()), y, record.labels(len(y)), True, compared, marks)


def is_failed(record: Record) -> bool:
    """Return whether a record is that of a request that failed: it has an error and no reply."""
    body = _body(record)
    inner = body.get("error") if isinstance(body, dict) else None
    error = record.values.get("error") if inner is None else inner
    return error is not None and not (isinstance(body, dict) and "choices" in body)


def _body(record: Record) -> Any:
    body: Any = record.values.get(record.keys["q"], record.values)
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    return body.get("body", body) if isinstance(body, dict) else body


def _reply(record: Record) -> tuple[str, list[_Token], list[list[_Token]]]:
    """Return the text of the reply, its tokens, which make it, and the likeliest tokens in the place of each."""
    try:
        choice = _body(record)["choices"][0]
        content = choice["logprobs"]["content"]
        tokens = [_token(record, each) for each in content]
        likeliest = [[_token(record, each) for each in each.get("top_logprobs") or ()] for each in content]
        said = (choice.get("message") or {}).get("content")
        spoken = _joined(content)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        record.refuse(shown(_body(record)), _EXPECTED)
    if not isinstance(said, str) or not said.strip():
        return spoken, tokens, likeliest
    while len(tokens) > 1 and not _is_same(spoken, said) and _MARKER.fullmatch(tokens[-1][0].strip()):
        tokens, likeliest = tokens[:-1], likeliest[:-1]
        spoken = _joined(content[: len(tokens)])
    if not _is_same(spoken, said):
        record.refuse(f"tokens {shown(spoken)} of the reply {shown(said)}", "tokens that make its text")
    return said, tokens, likeliest


def _is_same(one: str, other: str) -> bool:
    """Return whether texts are equal, blanks aside."""
    return "".join(one.split()) == "".join(other.split())


def _token(record: Record, written: Mapping[str, Any]) -> _Token:
    record.check(written["token"], str, _EXPECTED, "token")
    value = record.number_of(written["logprob"], "a log-probability of at most 0", "logprob")
    if value > MAX_LOGPROB_ROUNDING:
        record.refuse(f"logprob {value}", "a log-probability of at most 0")
    return _joined([written]), math.exp(min(value, 0.0))


def _joined(tokens: Sequence[Mapping[str, Any]]) -> str:
    """Return the text that tokens make: by their bytes, since one may be a part of a character, or as written."""
    data = [
        bytes(each["bytes"]) if each.get("bytes") is not None else each["token"].encode(errors="replace")
        for each in tokens
    ]
    return b"".join(data).decode(errors="replace")


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
