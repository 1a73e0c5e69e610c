"""Chat completions with log-probabilities: tokens make the answer that was written."""

import json
import math

import pytest
from tests.predictions.tool_records import read_predictions

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning

HALF = math.log(0.5)


def chat(tokens, content=None, **fields):
    """Return a chat completion of (token, bytes) pairs, each with probability .5."""
    written = [
        {"token": token, "logprob": HALF, "top_logprobs": [], **({} if data is None else {"bytes": list(data)})}
        for token, data in tokens
    ]
    message = {} if content is None else {"message": {"content": content}}
    return {"id": "a", "choices": [{"logprobs": {"content": written}, **message}], **fields}


def pairs_of(tmp_path, *records, **options):
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return read_predictions(path, **options)


@pytest.mark.parametrize(
    "reply", ["naïve Łódź", "是的", "Ġużeppi", "the tag [PER]", "bold </b>", "😀 yes", "a <0xC3> b"]
)
@pytest.mark.parametrize("as_bytes", [False, True])
@pytest.mark.parametrize("end", [[], [("<|im_end|>", None)], [("</s>", None)], [("[EOS]", None)]])
def test_letters_or_their_bytes_make_the_reply_without_a_marker_at_its_end(reply, as_bytes, end, tmp_path):
    data = [("\ufffd", bytes([byte])) for byte in reply.encode()] if as_bytes else [(letter, None) for letter in reply]
    pairs = pairs_of(tmp_path, chat([*data, *end], reply, gold=reply))
    assert pairs.y.tolist() == [True]
    assert pairs.q[0] == pytest.approx(0.5 ** len(data))


def test_without_its_text_a_reply_is_what_its_tokens_make(tmp_path):
    for tokens, gold in (
        ([("New", None), (" York", None)], "New York"),
        ([("x", b"\xc3"), ("y", b"\xa9")], "é"),
        ([("the", None), (" tag", None), (" [PER]", None)], "the tag [PER]"),
    ):
        assert pairs_of(tmp_path, chat(tokens, gold=gold)).y.tolist() == [True], gold


def test_tokens_of_another_reply_are_refused(tmp_path):
    for tokens in ([("Paris", None)], [("Ly", None), ("on", None), ("!?", None)], [("Ly\ufffd", None), ("n", None)]):
        with pytest.raises(InputError, match="expected tokens that make its text"):
            pairs_of(tmp_path, chat(tokens, "Lyon", gold="Lyon"))


@pytest.mark.parametrize(
    ("tokens", "gold", "expected"),
    [
        (['{"', "answer", '":', ' "', "B", '"}'], "B", 0.5),
        (['{"answer":', ' "B', '"}'], "B", 0.5),
        (['{"', "reason", '": "', "answer", '", "', "Answer", '": "', "New", " York", '"', "}"], "New York", 0.25),
        (["{", '"x"', ":", " 4", "2", "}"], "42", 0.25),
        (['{"ok": true, "n', '": 1}'], '{"ok": true, "n": 1}', 0.25),
    ],
)
def test_the_answer_of_an_object_has_the_probability_of_its_own_tokens(tokens, gold, expected, tmp_path):
    pairs = pairs_of(tmp_path, chat([(token, None) for token in tokens], "".join(tokens), gold=gold))
    assert (pairs.q.tolist(), pairs.y.tolist()) == ([expected], [True])


@pytest.mark.parametrize(
    "failed",
    [
        {"custom_id": "b", "response": None, "error": {"code": "batch_expired", "message": "late"}, "gold": "B"},
        {"custom_id": "b", "response": {"status_code": 429, "body": {"error": {"message": "busy"}}}, "gold": "B"},
    ],
)
def test_a_failed_line_of_a_batch_is_left_out_with_its_number(failed, tmp_path):
    good = {"custom_id": "a", "response": {"status_code": 200, "body": chat([("B", None)], "B")}, "error": None}
    records = {**good, "gold": "B"}, failed
    assert pairs_of(tmp_path, *records).q.tolist() == [0.5]
    with pytest.warns(InputWarning, match="1 record left out, without an answer"):
        nc.read(tmp_path / "r.jsonl")
