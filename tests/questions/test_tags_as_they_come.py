"""Tags as people have them, through every door: arrays, files of scores, and what pipelines return.

A text is written by its spans. Each way of writing its tags must give these spans back, or be refused in words.
"""

import json
from itertools import product

import numpy as np
import pytest
from tests.predictions.tool_records import read_predictions

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning
from nlpcalib.predictions.formats.tag_names import is_outside
from nlpcalib.systems.chains.readers import token_classification

WORDS = ["Ana", "Ruiz", "met", "Bo", "in", "Oslo", "Bergen"]
SPANS = [(0, 2, "PER"), (3, 4, "PER"), (5, 6, "LOC"), (6, 7, "LOC")]
SCHEMES = {
    "BIO": lambda first, last, beside: "B" if first else "I",
    "BIOES": lambda first, last, beside: "S" if first and last else "B" if first else "E" if last else "I",
    "BILOU": lambda first, last, beside: "U" if first and last else "B" if first else "L" if last else "I",
    "BMEWO": lambda first, last, beside: "W" if first and last else "B" if first else "E" if last else "M",
    "IOE2": lambda first, last, beside: "E" if last else "I",
    "IOB1": lambda first, last, beside: "B" if first and beside[0] else "I",
    "IOE1": lambda first, last, beside: "E" if last and beside[1] else "I",
}
FORMS = ("{role}-{type}", "{role}_{type}", "{type}-{role}", "{type}_{role}", "{role}:{type}", "{role} {type}")
TYPES = [("PER", "LOC"), ("per", "loc"), ("per-loc", "GPE_x"), ("B", "S"), ("e-mail", "I-O"), ("a.b", "a.c")]


def written(scheme, form, types):
    """Return the tag of each word."""
    tags = ["O"] * len(WORDS)
    name = dict(zip(("PER", "LOC"), types, strict=True))
    for start, end, kind in SPANS:
        before = any(stop == start and kind == other for _, stop, other in SPANS)
        after = any(begin == end and kind == other for begin, _, other in SPANS)
        for place in range(start, end):
            role = SCHEMES[scheme](place == start, place == end - 1, (before, after))
            tags[place] = form.format(role=role, type=name[kind])
    return tags


def scored(tags, extra=()):
    """Return the names of tags and logits that leave no doubt."""
    names = list(dict.fromkeys([*tags, "O", *extra]))
    return names, [[50.0 if name == tag else -50.0 for name in names] for tag in tags]


def found(report):
    return sorted((row["start"], row["end"], row["label"]) for row in report.spans(0.5))


def expected(types):
    name = dict(zip(("PER", "LOC"), types, strict=True))
    return sorted((start, end, name[kind]) for start, end, kind in SPANS)


def lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(("scheme", "types"), list(product(SCHEMES, TYPES)))
def test_every_way_of_writing_tags_gives_the_spans_back(scheme, types, tmp_path):
    named = scheme.lower() if scheme in ("IOB1", "IOE1") else None  # these need not show in the names of tags
    for form in FORMS:
        if types == ("B", "S") and form != FORMS[0]:
            continue  # B_S and S_B are words of both orders
        tags = written(scheme, form, types)
        names, logits = scored(tags, ["[CLS]", "<PAD>", "</s>"])
        report = nc.find_spans([logits, []], names, scheme=named)
        assert found(report) == expected(types), form
        assert report.marks.outside == ("[CLS]", "<PAD>", "</s>")
        numbered = {str(number): name for number, name in enumerate(names)}
        chain = token_classification([logits], [range(len(WORDS))], numbered)
        assert found(nc.find_spans(**chain, scheme=named)) == expected(types)
        for head in ({"labels": names}, {"id2label": numbered}):
            file = lines(tmp_path / "s.jsonl", head, {"logits": logits, "gold": tags}, {"logits": [], "gold": []})
            read = nc.find_spans(file, scheme=named)
            read.save(tmp_path / "spans.csv")
            assert found(read) == expected(types)
            assert read_predictions(tmp_path / "spans.csv").y.sum() == len(SPANS)


@pytest.mark.parametrize(("scheme", "form"), list(product(SCHEMES, FORMS)))
def test_tokens_of_a_pipeline_have_the_types_of_their_tags(scheme, form, tmp_path):
    starts = np.cumsum([0, *(len(word) + 1 for word in WORDS)]).tolist()
    ends = [start + len(word) for start, word in zip(starts, WORDS, strict=False)]
    gold = [{"start": starts[start], "end": ends[end - 1], "label": kind} for start, end, kind in SPANS]
    tags = [*written(scheme, form, ("PER", "LOC"))]
    entities = [
        {"entity": tag, "score": 0.9, "start": start, "end": end}
        for tag, start, end in zip(tags, starts, ends, strict=False)
    ]
    pairs = read_predictions(lines(tmp_path / "t.jsonl", {"entities": entities, "gold": gold}))
    assert pairs.y.all()
    assert {pairs.predicted.names[code] for code in pairs.predicted.codes} == {"O", "PER", "LOC"}


def test_bare_tags_of_a_pipeline_are_right_in_any_entity(tmp_path):
    tokens = [("B", 0, 3), ("I", 4, 8), ("I", 9, 12), ("O", 9, 12)]
    entities = [{"entity": tag, "score": 0.9, "start": start, "end": end} for tag, start, end in tokens]
    gold = [{"start": 0, "end": 8, "label": "name"}]
    pairs = read_predictions(lines(tmp_path / "t.jsonl", {"entities": entities, "gold": gold}))
    assert pairs.y.tolist() == [True, True, False, True]


def test_types_with_letters_of_roles_are_types_where_gold_has_them(tmp_path):
    gold = [{"start": 0, "end": 5, "label": "e-mail"}, {"start": 6, "end": 9, "label": "name"}]
    entities = [{"entity": row["label"], "score": 0.9, "start": row["start"], "end": row["end"]} for row in gold]
    assert read_predictions(lines(tmp_path / "t.jsonl", {"entities": entities, "gold": gold})).y.all()


def test_labels_that_gold_has_not_are_warned_of(tmp_path):
    """An aggregation that does not know PER-B returns it as an entity of its own."""
    entities = [{"entity_group": "PER-B", "score": 0.9, "start": 0, "end": 3}]
    rows = [{"entities": entities, "gold": [{"start": 0, "end": 3, "label": "PER"}]}] * 20
    with pytest.warns(InputWarning, match=r"no label of a prediction \(PER-B\) is one of gold \(PER\), where 18"):
        read_predictions(lines(tmp_path / "t.jsonl", *rows))


@pytest.mark.parametrize("stray", ["X", "PAD", "", "_", "-", "OUT", "NONE", "LABEL_7"])
def test_a_label_without_a_role_is_refused_until_the_scheme_is_named(stray, tmp_path):
    names, logits = scored(written("BIO", FORMS[0], ("PER", "LOC")), [stray])
    with pytest.raises(InputError, match=r"expected a role and a type in each, or scheme='bio'"):
        nc.find_spans([logits], names)
    report = nc.find_spans([logits], names, scheme="bio")
    assert (found(report), report.marks.outside) == (expected(("PER", "LOC")), (stray,))
    entities = [{"entity": tag, "score": 0.9, "start": 0, "end": 1} for tag in ("B-PER", stray)]
    with pytest.raises(InputError, match=r"line 1: found the label .* next to 'B-PER', expected a role and a type"):
        read_predictions(lines(tmp_path / "t.jsonl", {"entities": entities, "gold": []}))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["O", "BPER", "IPER"], "found 'BPER' and 'IPER', expected roles of one letter"),
        (["O", "MPER", "BPER", "EPER"], "found 'BPER' and 'MPER', expected roles of one letter"),
        (["EPER", "O", "IPER"], "found 'IPER' and 'EPER', expected roles of one letter"),
        (["O", "BEGIN-PER", "INSIDE-PER"], "found 'BEGIN-PER' and 'INSIDE-PER'"),
        (["O", "I-PER", "S-PER"], "found no B-PER, expected one for the spans of PER in the scheme bioes, or another"),
        (["O", "e-mail", "u-turn"], "found no B-mail"),
        (["O", "B-PER", None], "expected at least one name, each a text and there once"),
        ([0, 1, 2], "expected at least one name, each a text"),
        (["O", "B-PER", "B-PER"], "each a text and there once"),
    ],
)
def test_names_that_hide_roles_or_are_none_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        nc.find_spans([[[0.0, 1.0, 2.0]]], names)


@pytest.mark.parametrize("names", [["O", "first_name", "last_name"], ["O", "in-law", "boat"], ["O", "B", "BI"]])
def test_plain_names_stay_plain(names):
    if names[1] == "B":
        with pytest.raises(InputError, match="found 'BI' next to 'B'"):
            nc.find_spans([[[0.0, 1.0, 2.0]]], names)
    else:
        assert nc.find_spans([[[0.0, 1.0, 2.0]]], names).marks.scheme == "plain"


@pytest.mark.parametrize("rows", [[[0.1, 0.8, 0.1]], [[0.1, 0.8, 0.08], [0.0, 1.0, 0.0]]])
def test_probabilities_are_refused_in_arrays_and_files(rows, tmp_path):
    names = ["O", "B-PER", "I-PER"]
    file = lines(tmp_path / "s.jsonl", {"labels": names}, {"logits": rows})
    for scores in ([rows], file):
        with pytest.raises(InputError, match="probabilities: each row has a sum of about 1, expected logits"):
            nc.find_spans(scores, names)


@pytest.mark.parametrize("scores", [[[["a", "b", "c"]]], [[[0, 1, 2], [0, 1]]]])
def test_what_is_no_array_of_numbers_is_refused(scores):
    with pytest.raises(InputError, match="scores, sentence 1: found no array of numbers"):
        nc.find_spans(scores, ["O", "B-PER", "I-PER"])


def test_a_misspelt_key_of_the_first_line_is_refused(tmp_path):
    head = {"labels": ["O", "B-PER"], "transition": [[0, 0], [0, 0]]}
    with pytest.raises(InputError, match="line 1: found transition with a list, expected no other lists than labels"):
        nc.find_spans(lines(tmp_path / "s.jsonl", head, {"logits": [[0, 2]]}))


def test_only_o_and_brackets_are_outside():
    assert [tag for tag in ("O", "o", "[CLS]", "<s>", "0", "_", "X", "OUT") if is_outside(tag)] == [
        "O",
        "o",
        "[CLS]",
        "<s>",
    ]
