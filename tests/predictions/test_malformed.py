"""Files that nobody vouches for: each is refused with its line, what was found and what was expected, and soon."""

import json
import re
import time

import pytest
from tests.predictions.tool_records import read_predictions

from nlpcalib.errors import InputError
from nlpcalib.predictions import FORMATS

GOOD = {
    "lm-eval": {"doc_id": 0, "resps": [[["-1", "True"]], [["-2", "False"]]], "target": "0", "acc": 1.0},
    "hf-text": {"scores": [{"label": "a", "score": 0.9}, {"label": "b", "score": 0.1}], "gold": "a"},
    "hf-tokens": {
        "entities": [{"entity_group": "PER", "score": 0.5, "start": 0, "end": 3}],
        "gold": [{"start": 0, "end": 3, "label": "PER"}],
    },
    "spacy-cats": {"cats": {"a": 0.9, "b": 0.1}, "gold": {"a": 1, "b": 0}},
    "logprobs": {
        "choices": [
            {
                "logprobs": {
                    "content": [{"token": "A", "logprob": -0.5, "top_logprobs": [{"token": "B", "logprob": -1}]}]
                }
            }
        ],
        "gold": "A",
    },
    "classes": {"probabilities": [0.5, 0.5], "gold": 1},
    "pairs": {"q": 0.5, "y": 1, "label": "a", "unit": "d"},
}
ONE = "expected one JSON object a line"


def refused(path, name, content, **options):
    """Return the message, without the file's name, with which a second line is refused."""
    content = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
    path.write_bytes(json.dumps(GOOD[name]).encode() + b"\n" + content)
    with pytest.raises(InputError) as caught:
        read_predictions(path, file_format=name, **options)
    place, message = str(caught.value).split(": ", 1)
    assert place in (f"{path}, line 2", f"{path}, line 2, column y")
    return message


def outcome(path, name, view="top"):
    """Return the pairs of a file and no message, or none and the message with which it is refused."""
    try:
        return read_predictions(path, file_format=name, view=view), ""
    except InputError as error:
        return None, str(error)


@pytest.mark.parametrize("name", GOOD)
def test_every_format_in_the_table_is_recognised_by_its_signs(name, tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(GOOD[name]))
    named, recognised = (read_predictions(path, file_format=form) for form in (name, None))
    assert named.q.tolist() == recognised.q.tolist()
    assert set(GOOD) | {"conllu"} == {"pairs", *FORMATS}


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[1]", f"found [1], {ONE}"),
        ("{", "found no JSON ("),
        (b'{"q": "\xff"}', "found bytes that are not UTF-8 (byte 8 is 0xff), expected a JSON object in UTF-8"),
        ("[" * 100_000, "found no JSON (brackets nested too deeply), " + ONE),
        ('{"a":' * 100_000, "found no JSON (brackets nested too deeply), " + ONE),
        ('{"q": ' + "1" * 5000 + "}", "found no JSON ("),
        ("{}", "found "),
    ],
    ids=["list", "cut", "latin", "deep", "deep-objects", "long-number", "empty"],
)
def test_what_is_no_object_is_refused_by_every_reader(name, content, message, tmp_path):
    if name == "pairs" and content == "{}":  # a row without a prediction
        pytest.skip("a table may have rows without a prediction, which are left out")
    assert refused(tmp_path / "p.jsonl", name, content).startswith((message, "found no label", "found prediction 111"))


def values(document, path=()):
    """Yield the places of all values of a JSON document."""
    items = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in items:
        yield (*path, key)
        yield from values(value, (*path, key))


def changed(document, path, value):
    copy = json.loads(json.dumps(document))
    place = copy
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return copy


HOSTILE = [None, True, -1, 2.5, float("nan"), float("inf"), 10**400, "", " ", "\ud800", "x", [], {}, [[]], [{}], [None]]


@pytest.mark.parametrize("name", GOOD)
def test_no_value_in_any_place_raises_anything_but_an_input_error_or_leaves_the_unit_interval(name, tmp_path):
    path = tmp_path / "p.jsonl"
    accepted = 0
    for place in values(GOOD[name]):
        for value in HOSTILE:
            path.write_text(json.dumps(changed(GOOD[name], place, value)))
            for view in ("top", "classes"):
                pairs, message = outcome(path, name, view)
                if pairs:
                    accepted += 1
                    assert ((pairs.q >= 0) & (pairs.q <= 1)).all()
                else:
                    where = rf"{re.escape(str(path))}(, line 1)?(, column [qy])?"
                    assert re.match(f"{where}: found .*expected ", message, re.DOTALL)
                    message.encode()
    assert accepted < len(HOSTILE) * len(list(values(GOOD[name])))


@pytest.mark.parametrize(
    ("name", "record", "message"),
    [
        ("lm-eval", {"resps": [["a"]]}, 'found resps with "a", expected the log-likelihoods of at least two choices'),
        ("lm-eval", {"resps": [[["-1", "True"]]]}, "found 1 choices with the log-likelihoods [-1.0], expected"),
        ("lm-eval", {"resps": [[["nan", "True"]], [["-1", "True"]]]}, 'found resps with "nan", expected a log-lik'),
        ("lm-eval", {"target": "7", "acc": None}, 'found target "7" and acc null, expected a position below 2 or the'),
        ("hf-text", {"scores": [{"label": "a"}]}, 'found scores with {"label": "a"}, expected what the pipeline'),
        ("hf-text", {"gold": "c"}, 'found gold "c", expected one of ["a", "b"]'),
        ("hf-text", {"scores": [{"label": "a", "score": 1.5}], "gold": "a"}, "found prediction 1.5, expected a prob"),
        (
            "hf-tokens",
            {"gold": [{"start": 3, "end": 3, "label": "X"}]},
            "found an entity from 3 to 3, expected a start",
        ),
        (
            "hf-tokens",
            {"entities": [{"entity": "X", "score": 1, "start": None, "end": 1}]},
            "found start null, expected",
        ),
        ("spacy-cats", {"gold": {"a": 1}}, 'found gold ["a"], expected the categories ["a", "b"]'),
        ("spacy-cats", {"cats": {"a": float("nan")}}, 'found category "a" NaN, expected a probability in [0, 1]'),
        ("logprobs", {"choices": [{"logprobs": None}]}, "found {"),
        ("logprobs", {"gold": True}, "found gold true, expected the right answer"),
        ("classes", {"probabilities": [1.0]}, "found probabilities with 1 classes, expected at least two"),
        ("classes", {"gold": 2}, 'found gold "2", expected one of ["0", "1"]'),
        ("pairs", {"q": True}, "found prediction 'true', expected a probability in [0, 1]"),
        ("pairs", {"y": 2}, "found the label '2', expected yes or no; yes= names the one that counts: 1, 2"),
        ("pairs", {"label": None}, "found no label, expected a text in column label"),
    ],
)
def test_what_a_reader_cannot_use_is_named(name, record, message, tmp_path):
    record = GOOD[name] | record
    assert refused(tmp_path / "p.jsonl", name, json.dumps(record)).startswith(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1\ta\n", "found 2 columns, expected 10 separated by tabs"),
        ("1\ta\t_\tX\t_\t_\t_\t_\t_\tProb=x|Gold=X\n", "found Prob 'x', expected a probability in [0, 1]"),
        ("1\ta\t_\tX\t_\t_\t_\t_\t_\tProb=.5\n", "found Prob without Gold, expected both"),
    ],
)
def test_malformed_conllu_is_refused_with_its_line(tmp_path, line, message):
    path = tmp_path / "p.conllu"
    path.write_text("1\ta\t_\tX\t_\t_\t_\t_\t_\tProb=.5|Gold=X\n\n" + line)
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}, line 3: {message}')}$"):
        read_predictions(path)


@pytest.mark.parametrize("probability", ["nan", "1.5", "-1", "inf"])
def test_a_sentence_with_what_is_no_probability_is_refused(tmp_path, probability):
    path = tmp_path / "p.conllu"
    path.write_text(f"1\ta\t_\tX\t_\t_\t_\t_\t_\tProb={probability}|Gold=X\n")
    with pytest.raises(InputError, match=r"line 1: found prediction .*, expected a probability"):
        read_predictions(path)


@pytest.mark.parametrize("content", ["", "\n\n", "[]", "[\n", "words only", '{"a": 1}', '{"text": "x", "gold": "y"}'])
def test_an_unknown_format_is_refused(tmp_path, content):
    path = tmp_path / "file.json"
    path.write_text(content)
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}.*: found .*expected"):
        read_predictions(path)


def test_an_unknown_name_of_a_format_is_refused(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps(GOOD["pairs"]))
    with pytest.raises(InputError, match="format: found 'excel', expected one of parquet, csv, tsv, pairs, lm-eval"):
        read_predictions(path, file_format="excel")
    with pytest.raises(InputError, match="no such file"):
        read_predictions(tmp_path / "missing.jsonl")


PATTERNS = ["[", "{", '{"a":', '"', "\\", "1", "-", "\t", ",", "\n", "Confidence: ", "answer: ", "a b ", ".", "0."]
PATTERNS += ["[[1,", "\0"]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FORMATS, "csv", "tsv", None])
def test_200_kb_of_any_pattern_is_read_or_refused_within_two_seconds(name, tmp_path):
    path = tmp_path / "p.jsonl"
    for pattern in PATTERNS:
        text = pattern * (200_000 // len(pattern))
        records = [text]
        if name in GOOD:
            records += [
                json.dumps(changed(GOOD[name], place, text))
                for place in values(GOOD[name])
                if isinstance(place[-1], str)
            ]
            records.append(json.dumps({"response": text, "answer": text, "gold": text}))
        for record in records:
            path.write_text(record)
            start = time.process_time()
            assert len(outcome(path, name)[1]) < 2000
            assert time.process_time() - start < 2, (pattern, record[:80])
