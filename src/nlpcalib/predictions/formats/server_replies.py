"""Replies of servers of language models: the text, its tokens and the likeliest tokens in the place of each.

* OpenAI-style chat completions: a list `choices[0].logprobs.content`, each token with `token`, `logprob`, perhaps
  `bytes`, and `top_logprobs`. Completions have `tokens`, `token_logprobs` and `top_logprobs` as parallel lists.
* The Responses API: the parts `output_text` of the messages in `output`, each with `text` and `logprobs`.
* llama.cpp's server: `content` and `completion_probabilities`, with log-probabilities, or with probabilities after
  sampling (`prob`, `top_probs`; in older versions `content`, `probs` and `tok_str`).
* Text Generation Inference: `generated_text` and, in `details`, `tokens` and `top_tokens`.

Each may stand under `response`, or under `response.body` as in batch results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.records import Record

_EXPECTED_COMPLETION = 'a completion with "choices": [{"logprobs": …}], asked for with logprobs'
_EXPECTED_LOGPROB = "a log-probability of at most 0"
MAX_LOGPROB_ROUNDING = 1e-4
"""Largest log-probability above 0 that counts as 0."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token as a server writes it."""

    text: str
    data: bytes | None
    """Its bytes, where the server names them: a token may be a part of a character."""
    probability: float


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered."""

    text: str | None
    """None where the server wrote the tokens alone."""
    tokens: Sequence[Token]
    likeliest: Sequence[Sequence[Token]]
    """The likeliest tokens in the place of each."""


def read_reply(record: Record) -> Reply:
    """Return the reply in a record; raises `InputError` for one without log-probabilities, and for failed requests."""
    body = _body(record)
    if is_failed(record):
        error = body.get("error") if isinstance(body, dict) else None
        found = record.values.get("error") if error is None else error
        record.refuse(f"the failed request {shown(found)}", "a completion; skip_unanswered= leaves failed requests out")
    try:
        text, found = _text_and_tokens(body)
        tokens = [_token(record, each) for each, _ in found]
        likeliest = [[_token(record, each) for each in tops] for _, tops in found]
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        record.refuse(shown(body), _EXPECTED_COMPLETION)
    return Reply(text if isinstance(text, str) and text.strip() else None, tokens, likeliest)


def is_failed(record: Record) -> bool:
    """Return whether a record is that of a request that failed: it has an error and no reply."""
    body = _body(record)
    inner = body.get("error") if isinstance(body, dict) else None
    error = record.values.get("error") if inner is None else inner
    replied = isinstance(body, dict) and body.keys() & {"choices", "output", "completion_probabilities", "details"}
    return error is not None and not replied


def _body(record: Record) -> Any:
    body: Any = record.values.get(record.keys["q"], record.values)
    body = body[0] if isinstance(body, list) and len(body) == 1 else body
    return body.get("body", body) if isinstance(body, dict) else body


_Written = Mapping[str, Any]
"""A token in one of the servers' spellings."""


def _text_and_tokens(body: Mapping[str, Any]) -> tuple[Any, list[tuple[_Written, Sequence[_Written]]]]:
    """Return the text of a reply, and its tokens, each with the likeliest in its place."""
    if "completion_probabilities" in body:
        return body.get("content"), [_of_llama_cpp(each) for each in body["completion_probabilities"]]
    if "details" in body:
        tokens = [each for each in body["details"]["tokens"] if not each.get("special", False)]
        tops = body["details"].get("top_tokens", None) or [[]] * len(body["details"]["tokens"])
        kept = [
            top for top, each in zip(tops, body["details"]["tokens"], strict=True) if not each.get("special", False)
        ]
        return body.get("generated_text"), list(zip(tokens, kept, strict=True))
    if "output" in body:
        messages = [item for item in body["output"] if item.get("type", "message") == "message"]
        parts = [part for item in messages for part in item["content"] if part.get("type") == "output_text"]
        items = [item for part in parts for item in part["logprobs"]]
        return "".join(part["text"] for part in parts), [(item, item.get("top_logprobs") or []) for item in items]
    choice = body["choices"][0]
    message, logprobs = choice.get("message"), choice["logprobs"]
    text = message.get("content") if isinstance(message, dict) else choice.get("text")
    if "content" in logprobs:
        return text, [(item, item["top_logprobs"]) for item in logprobs["content"]]
    tops = logprobs.get("top_logprobs", None) or [{}] * len(logprobs["tokens"])
    columns = zip(logprobs["tokens"], logprobs["token_logprobs"], tops, strict=True)
    return text, [
        ({"token": token, "logprob": own}, [{"token": each, "logprob": score} for each, score in (top or {}).items()])
        for token, own, top in columns
    ]


def _of_llama_cpp(written: _Written) -> tuple[_Written, Sequence[_Written]]:
    if "probs" not in written:
        tops = written.get("top_logprobs", written.get("top_probs"))
        return written, tops or []
    tops = [{"token": each["tok_str"], "prob": each["prob"]} for each in written["probs"]]
    return next(each for each in tops if each["token"] == written["content"]), tops


def _token(record: Record, written: _Written) -> Token:
    name = "token" if "token" in written else "text"
    text = record.check(written[name], str, _EXPECTED_COMPLETION, name)
    data = written.get("bytes")
    data = bytes(data) if isinstance(data, list) and data else None
    if "prob" in written:
        value = record.number_of(written["prob"], "a probability in [0, 1]", "prob")
        if not 0 <= value <= 1 + MAX_LOGPROB_ROUNDING:
            record.refuse(f"prob {value}", "a probability in [0, 1]")
        return Token(text, data, min(value, 1.0))
    value = record.number_of(written["logprob"], _EXPECTED_LOGPROB, "logprob")
    if value > MAX_LOGPROB_ROUNDING:
        record.refuse(f"logprob {value}", _EXPECTED_LOGPROB)
    return Token(text, data, math.exp(min(value, 0.0)))
