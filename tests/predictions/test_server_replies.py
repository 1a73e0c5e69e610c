"""Replies of servers: every spelling of a token and every server's form gives the answer that was written."""

import json
import math

import pytest

from nlpcalib.errors import InputError
from nlpcalib.predictions import read_predictions
from nlpcalib.predictions.unanswered import UnansweredWarning

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


def as_vocabulary(text):
    """Spell a text as vocabularies of bytes do: 188 bytes stand for themselves, and others for U+0100 and following."""
    own = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in own]
    return "".join(chr(byte) if byte in own else chr(256 + others.index(byte)) for byte in text.encode())


@pytest.mark.parametrize(
    "reply", ["naïve Łódź", "是的", "Ġużeppi", "the tag [PER]", "bold </b>", "😀 yes", "a <0xC3> b"]
)
@pytest.mark.parametrize("spelling", ["text", "bytes", "pieces", "escaped", "vocabulary", "unreadable"])
@pytest.mark.parametrize("end", [[], [("<|im_end|>", None)], [("</s>", None), ("", None)], [("[EOS]", None)]])
def test_tokens_of_one_byte_make_the_reply_in_every_spelling(reply, spelling, end, tmp_path):
    data = [bytes([byte]) for byte in reply.encode()]
    ascii_or = {
        "text": [(letter, None) for letter in reply],
        "bytes": [("\ufffd", each) for each in data],
        "pieces": [(chr(each[0]) if each[0] < 128 else f"<0x{each.hex().upper()}>", None) for each in data],
        "escaped": [(chr(each[0]) if each[0] < 128 else f"bytes:\\x{each.hex()}", None) for each in data],
        "vocabulary": [(letter, None) for letter in as_vocabulary(reply)],
        "unreadable": [(chr(each[0]) if each[0] < 128 else "\ufffd", None) for each in data],
    }
    tokens = ascii_or[spelling]
    pairs = pairs_of(tmp_path, chat([*tokens, *end], reply, gold=reply))
    assert pairs.y.tolist() == [True]
    assert pairs.q[0] == pytest.approx(0.5 ** len(tokens))


def test_without_its_text_a_reply_is_what_its_tokens_make(tmp_path):
    for tokens, gold in (
        ([("ĠNew", None), ("ĠYork", None), ("<|eot_id|>", None)], "New York"),
        ([("▁Mün", None), ("chen", None)], "München"),
        ([("Mï", None), ("ller", None)], "Mïller"),
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


def responses(gold):
    items = [
        {"token": "B", "logprob": math.log(0.7), "bytes": [66], "top_logprobs": [{"token": " b", "logprob": -3.0}]}
    ]
    part = {"type": "output_text", "text": "B", "annotations": [], "logprobs": items}
    output = [
        {"type": "reasoning", "summary": []},
        {"type": "message", "role": "assistant", "content": [part]},
    ]
    return {"id": "resp_1", "object": "response", "output": output, "error": None, "gold": gold}


def llama(new, gold):
    tops = [{"token": "B", "logprob": math.log(0.7)}, {"token": " b", "logprob": -3.0}]
    if new == "logprobs":
        found = {"id": 1, "token": "B", "bytes": [66], "logprob": math.log(0.7), "top_logprobs": tops}
    elif new == "sampled":
        tops = [{"token": "B", "prob": 0.7}, {"token": " b", "prob": math.exp(-3)}]
        found = {"id": 1, "token": "B", "bytes": [66], "prob": 0.7, "top_probs": tops}
    else:
        probs = [{"tok_str": "B", "prob": 0.7}, {"tok_str": " b", "prob": math.exp(-3)}]
        found = {"content": "B", "probs": probs}
    return {"content": "B", "completion_probabilities": [found], "gold": gold}


def tgi(gold):
    own = {"id": 3, "text": "B", "logprob": math.log(0.7), "special": False}
    end = {"id": 2, "text": "</s>", "logprob": -0.1, "special": True}
    tops = [[own, {"id": 4, "text": " b", "logprob": -3.0, "special": False}], [end]]
    details = {"finish_reason": "eos_token", "generated_tokens": 2, "tokens": [own, end], "top_tokens": tops}
    return {"generated_text": "B", "details": details, "gold": gold}


@pytest.mark.parametrize(
    "reply",
    [responses, tgi, *(lambda gold, new=new: llama(new, gold) for new in ("logprobs", "sampled", "old"))],
)
@pytest.mark.parametrize("nested", [False, True])
def test_every_servers_reply_is_recognised_and_gives_the_same_pair(reply, nested, tmp_path):
    record = reply("B")
    if nested:
        record = {"custom_id": "q", "response": {"status_code": 200, "body": record}, "gold": record.pop("gold")}
    pairs = pairs_of(tmp_path, record)
    assert pairs.q == pytest.approx([0.7 + math.exp(-3)])
    assert pairs.y.tolist() == [True]


@pytest.mark.parametrize(
    "failed",
    [
        {"custom_id": "b", "response": None, "error": {"code": "batch_expired", "message": "late"}, "gold": "B"},
        {"custom_id": "b", "response": {"status_code": 429, "body": {"error": {"message": "busy"}}}, "gold": "B"},
    ],
)
def test_a_failed_line_of_a_batch_is_refused_or_left_out_with_its_number(failed, tmp_path):
    good = {"custom_id": "a", "response": {"status_code": 200, "body": chat([("B", None)], "B")}, "error": None}
    records = {**good, "gold": "B"}, failed
    with pytest.raises(InputError, match=r"line 2: found the failed request .*skip_unanswered= leaves"):
        pairs_of(tmp_path, *records)
    with pytest.warns(UnansweredWarning, match="1 of 2 answers"):
        assert pairs_of(tmp_path, *records, skip_unanswered=True).q.tolist() == [0.5]
