"""What the tools wrote becomes the pairs that a reader with a pocket calculator would make of it."""

import io
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.predictions.tool_records import read_predictions

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning

FIXTURES = Path(__file__).parent / "fixtures"


def rows(name):
    return [json.loads(line) for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def units(pairs):
    return [pairs.unit.names[code] for code in pairs.unit.codes]


def labels(pairs):
    return [pairs.predicted.names[code] for code in pairs.predicted.codes]


def lines(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("task", ["questions", "yes_no", "winogrande"])
def test_the_likeliest_choice_is_right_where_the_harness_scored_it_so(task):
    name = f"samples_tiny_{task}.jsonl"
    pairs = read_predictions(FIXTURES / name)
    assert pairs.y.tolist() == [row["acc"] == 1 for row in rows(name)]
    assert units(pairs) == [row["doc_hash"] for row in rows(name)]


def test_choices_have_the_softmax_of_the_log_likelihoods_and_one_is_right():
    name = "samples_tiny_questions.jsonl"
    pairs = read_predictions(FIXTURES / name, view="classes")
    start = 0
    for row in rows(name):
        scores = [float(request[0][0]) for request in row["resps"]]
        total = sum(math.exp(score) for score in scores)
        stop = start + len(scores)
        np.testing.assert_allclose(pairs.q[start:stop], [math.exp(score) / total for score in scores], rtol=1e-12)
        assert pairs.y[start:stop].tolist() == [place == row["doc"]["gold"] for place in range(len(scores))]
        start = stop
    assert start == pairs.q.size


def test_in_winogrande_the_right_choice_is_the_answer_of_the_document():
    pairs = read_predictions(FIXTURES / "samples_tiny_winogrande.jsonl", view="classes")
    answers = [int(row["doc"]["answer"]) - 1 for row in rows("samples_tiny_winogrande.jsonl")]
    assert pairs.y.reshape(-1, 2).argmax(axis=1).tolist() == answers
    assert pairs.y.sum() == len(answers)


def test_a_choice_that_is_a_number_is_taken_as_text_if_no_position_agrees_with_the_score(tmp_path):
    arguments = {f"gen_args_{place}": {"arg_0": "1 + 1 =", "arg_1": f" {text}"} for place, text in enumerate("321")}
    row = {"doc_id": 3, "resps": [[[-2, False]], [[-1, True]], [[-3, False]]], "arguments": arguments, "target": "2"}
    assert read_predictions(lines(tmp_path / "s.jsonl", row | {"acc": 1.0})).y.tolist() == [True]
    assert read_predictions(lines(tmp_path / "s.jsonl", row | {"acc": 0.0})).y.tolist() == [False]
    row["target"] = "[0, 1]"
    assert read_predictions(lines(tmp_path / "s.jsonl", row), view="classes").y.tolist() == [True, True, False]


def test_unconditional_log_likelihoods_are_no_choices(tmp_path):
    resps = [[["-1", "False"]], [["-2", "False"]], [["-9", "False"]], [["-0.1", "False"]]]
    row = {"doc_id": 0, "resps": resps, "target": "0", "acc": 1.0, "acc_mutual_info": 0.0}
    pairs = read_predictions(lines(tmp_path / "s.jsonl", row), view="classes")
    np.testing.assert_allclose(pairs.q, [1 / (1 + math.exp(-1)), 1 / (1 + math.e)])


def test_documents_of_two_tasks_with_the_same_numbers_are_units_of_their_own(tmp_path):
    row = {"resps": [[["-1", "False"]], [["-2", "False"]]], "target": "0", "acc": 1.0}
    found = [
        row | {"doc_id": number, "doc": {"question": f"{task} {number}"}, "filter": name}
        for task in ("arc", "piqa") for number in range(3) for name in ("none", "strict")
    ]  # fmt: skip
    assert len(set(units(read_predictions(lines(tmp_path / "s.jsonl", *found))))) == 6
    assert len(set(units(read_predictions(lines(tmp_path / "s.jsonl", *found[:6]))))) == 3


@pytest.mark.parametrize("scores", [("-1", "-2"), ("-1", "-2", "-3")])
def test_a_target_that_contradicts_the_score_is_named(tmp_path, scores):
    row = {"doc_id": 0, "resps": [[[score, "False"]] for score in scores], "target": "1", "acc": 1.0}
    with pytest.raises(InputError, match=r's.jsonl, line 1: found target "1" and acc 1.0, expected .* in accord with'):
        read_predictions(lines(tmp_path / "s.jsonl", row))


def test_scores_of_texts_give_the_top_label_or_every_label():
    expected = rows("hf_text.jsonl")
    top = read_predictions(FIXTURES / "hf_text.jsonl")
    assert top.q.tolist() == [max(entry["score"] for entry in row["scores"]) for row in expected]
    assert top.y.tolist() == [row["scores"][0]["label"] == row["gold"] for row in expected]
    assert set(labels(top)) == {"POSITIVE"}
    every = read_predictions(FIXTURES / "hf_text.jsonl", view="classes")
    assert every.q.size == 3 * len(expected)
    assert every.y.sum() == len(expected)
    assert units(every) == [f"line {number}" for number in (1, 2, 3, 4) for _ in range(3)]
    only_top = read_predictions(FIXTURES / "hf_text_top.jsonl")
    np.testing.assert_array_equal(only_top.q, top.q)
    np.testing.assert_array_equal(only_top.y, top.y)


def test_labels_that_do_not_exclude_each_other_are_all_predictions():
    pairs = read_predictions(FIXTURES / "hf_multi.jsonl")
    expected = [
        (entry["score"], entry["label"] in row["gold"]) for row in rows("hf_multi.jsonl") for entry in row["scores"]
    ]
    assert list(zip(pairs.q.tolist(), pairs.y.tolist(), strict=True)) == expected


def test_zero_shot_labels_and_scores_are_parallel():
    pairs = read_predictions(FIXTURES / "hf_zero.jsonl", view="classes")
    row = rows("hf_zero.jsonl")[2]
    assert labels(pairs)[4:6] == row["labels"]
    assert pairs.q[4:6].tolist() == row["scores"]
    assert pairs.y[4:6].tolist() == [label == row["gold"] for label in row["labels"]]


@pytest.mark.parametrize("kind", ["none", "default", "simple"])
def test_every_token_or_entity_that_the_pipeline_returns_is_a_prediction_of_its_text(kind):
    name = f"hf_tokens_{kind}.jsonl"
    pairs = read_predictions(FIXTURES / name)
    assert pairs.q.tolist() == [entity["score"] for row in rows(name) for entity in row["entities"]]
    assert units(pairs) == [f"line {number}" for number, row in enumerate(rows(name), 1) for _ in row["entities"]]


def test_an_entity_is_right_with_its_characters_and_label_and_a_token_inside_of_one(tmp_path):
    gold = [{"start": 0, "end": 10, "label": "PER"}]
    places = [("PER", 0, 10), ("LOC", 0, 10), ("PER", 0, 3)]
    entities = [{"entity_group": kind, "score": 0.5, "start": a, "end": b} for kind, a, b in places]
    pairs = read_predictions(lines(tmp_path / "e.jsonl", {"entities": entities, "gold": gold}))
    assert pairs.y.tolist() == [True, False, False]
    places = [("B-PER", 0, 3), ("B-PER", 4, 10), ("I-LOC", 4, 10), ("O", 4, 10), ("O", 11, 15), ("I-PER", 11, 15)]
    entities = [{"entity": kind, "score": 0.5, "start": a, "end": b} for kind, a, b in places]
    pairs = read_predictions(lines(tmp_path / "e.jsonl", {"entities": entities, "gold": gold}))
    assert pairs.y.tolist() == [True, True, False, False, True, False]


def test_a_text_without_predicted_entities_has_no_pairs(tmp_path):
    one = {"entity_group": "PER", "score": 0.5, "start": 0, "end": 3}
    path = lines(tmp_path / "e.jsonl", {"entities": [], "gold": []}, {"entities": [one], "gold": []})
    assert units(read_predictions(path)) == ["line 2"]


def test_exclusive_categories_of_spacy_give_the_top_one_and_others_all():
    top = read_predictions(FIXTURES / "spacy_textcat.jsonl")
    expected = rows("spacy_textcat.jsonl")
    assert labels(top) == [max(row["cats"], key=row["cats"].get) for row in expected]
    assert top.y.tolist() == [max(row["cats"], key=row["cats"].get) == row["gold"] for row in expected]
    every = read_predictions(FIXTURES / "spacy_textcat_multilabel.jsonl")
    assert every.y.tolist() == [
        bool(row["gold"][name]) for row in rows("spacy_textcat_multilabel.jsonl") for name in row["cats"]
    ]


def test_tokens_that_are_one_answer_share_their_probability():
    pairs = read_predictions(FIXTURES / "logprobs.jsonl", view="classes")
    expected = [
        (0.7 + 0.1 + 0.01, True),  # "B", " B" and "b"
        (0.1, False),
        (math.exp(-5), False),
        (math.exp(-0.5), False),  # " A", after which "." is no answer
        (math.exp(-1.2), True),
        (math.exp(-0.2 - 0.1), True),  # "New York"
    ]
    np.testing.assert_allclose(pairs.q, [q for q, _ in expected], rtol=1e-9)
    assert pairs.y.tolist() == [y for _, y in expected]
    assert list(dict.fromkeys(units(pairs))) == ["chatcmpl-1", "question-2", "q3"]


@pytest.mark.filterwarnings("ignore:.*others are expected. are they missing")
@pytest.mark.parametrize(
    ("answers", "gold", "certain"),
    [(14, "b", False), (180, "b", False), (240, "b", True), (14, "1", True), (14, "incorrect", True)],
)
def test_answers_that_never_equal_their_gold_are_refused_if_many_or_if_gold_is_a_verdict(
    answers, gold, certain, tmp_path
):
    records = [
        {"choices": [{"logprobs": {"content": [{"token": f"a{row}", "logprob": -0.1 + row / 1e5}]}}], "gold": gold}
        for row in range(answers)
    ]
    message = f"no answer of {answers} equals its gold, .*'a0' and '{gold}'"
    if certain:
        with pytest.raises(InputError, match=message):
            read_predictions(lines(tmp_path / "v.jsonl", *records))
    else:
        with pytest.warns(InputWarning, match=message):
            assert not read_predictions(lines(tmp_path / "v.jsonl", *records)).y.any()


def test_probabilities_in_misc_go_with_the_tag_and_units_are_documents_or_sentences():
    pairs = read_predictions(FIXTURES / "tagged.conllu")
    assert pairs.q.tolist() == [0.98, 0.55, 0.9, 1]
    assert pairs.y.tolist() == [True, False, True, True]
    assert labels(pairs) == ["NOUN", "NOUN", "VERB", "VERB"]
    assert units(pairs) == ["a", "a", "a", "b"]
    pairs = read_predictions(FIXTURES / "tagged.conllu", columns={"unit": "sent_id", "label": "XPOS", "y": "XPOS"})
    assert units(pairs) == ["a-1", "a-1", "a-2", "b-1"]
    assert labels(pairs) == ["NNS", "NN", "VB", "VB"]
    assert pairs.y.all()


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.*l*")))
def test_standard_input_gives_the_pairs_of_the_file(name, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((FIXTURES / name).read_bytes())))
    piped, read = read_predictions("-"), read_predictions(FIXTURES / name)
    np.testing.assert_array_equal(piped.q, read.q)
    np.testing.assert_array_equal(piped.y, read.y)
    assert units(piped) == units(read)


@pytest.mark.parametrize(("name", "suffix"), [("csv", "csv"), ("tsv", "tsv"), ("parquet", "parquet")])
def test_tables_without_a_suffix_are_recognised(tmp_path, name, suffix):
    import pyarrow as pa
    import pyarrow.parquet

    path = tmp_path / "table"
    if name == "parquet":
        pyarrow.parquet.write_table(pa.table({"q": [0.25], "y": [1]}), path)
    else:
        path.write_text("q,y\n0.25,1\n".replace(",", "," if name == "csv" else "\t"))
    assert read_predictions(path).q.tolist() == [0.25]
    assert read_predictions(path, file_format=suffix).y.tolist() == [True]


def test_columns_and_keys_may_have_other_names(tmp_path):
    (tmp_path / "t.csv").write_text("prob,hit,doc,tag,text\n0.25,1,d1,NN,x\n0.5,0,d1,VB,\n")
    columns = {"q": "prob", "y": "hit", "unit": "doc", "predicted": "tag"}
    record = {"prob": 0.25, "hit": True, "doc": "d1", "tag": "NN"}
    for path in (tmp_path / "t.csv", lines(tmp_path / "t.jsonl", record, record | {"tag": "VB"})):
        pairs = read_predictions(path, columns=columns)
        assert (units(pairs), labels(pairs)) == (["d1", "d1"], ["NN", "VB"])
    renamed = [{"p": row["cats"], "truth": row["gold"], "part": "x"} for row in rows("spacy_textcat.jsonl")]
    path = lines(tmp_path / "c.jsonl", *renamed)
    pairs = nc.read(path, format="spacy-cats", q="p", y="truth", predicted="part").pairs()
    np.testing.assert_array_equal(pairs.q, read_predictions(FIXTURES / "spacy_textcat.jsonl").q)
    assert set(labels(pairs)) == {"x"}


WIDE = "neg,neu,pos,gold\n.2,.3,.5,pos\n.6,.3,.1,neu\n"
LISTS = [
    {"probabilities": [0.2, 0.3, 0.5], "classes": ["neg", "neu", "pos"], "gold": "pos"},
    {"probabilities": {"neg": 0.6, "neu": 0.3, "pos": 0.1}, "gold": "neu"},
]


@pytest.mark.parametrize("written", ["csv", "jsonl"])
def test_a_row_of_class_probabilities_is_a_unit_of_top_label_and_class_wise_pairs(tmp_path, written):
    path = tmp_path / f"classes.{written}"
    path.write_text(WIDE) if written == "csv" else lines(path, *LISTS)
    top = read_predictions(path)
    assert (top.q.tolist(), top.y.tolist(), labels(top)) == ([0.5, 0.6], [True, False], ["pos", "neg"])
    every = read_predictions(path, view="classes")
    assert every.q.tolist() == [0.2, 0.3, 0.5, 0.6, 0.3, 0.1]
    assert every.y.tolist() == [False, False, True, False, True, False]
    assert every.unit.codes.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_parquet_column_of_lists_with_positions_is_a_table_of_classes(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet

    table = pa.table({"probabilities": [[0.2, 0.8], [0.6, 0.4]], "gold": [1, 1], "text": ["a", "b"]})
    pyarrow.parquet.write_table(table, tmp_path / "p.parquet")
    pairs = read_predictions(tmp_path / "p.parquet", view="classes")
    assert pairs.q.tolist() == [0.2, 0.8, 0.6, 0.4]
    assert pairs.y.tolist() == [False, True, False, True]
    assert labels(pairs) == ["0", "1", "0", "1"]


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("a,b,gold\n.5,.5,a\n.5,.5,c\n", {}, ", line 3, column gold: found class 'c', expected one of a, b"),
        ("a,b,gold\n.5,.5,a\n.5,.6,a\n", {}, ", line 3: found probabilities that sum to 1.1, expected a sum of 1"),
        ("a,b,gold\n.5,.5,a\n", {"q": "a,c"}, ": found the columns a, b, gold; expected one named 'c'"),
        ("q,y\n.5,1\n", {"unit": "z"}, ": found the columns q, y; expected one named 'z'"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tmp_path, text, columns, message):
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError) as caught:
        read_predictions(tmp_path / "t.csv", columns=columns)
    assert str(caught.value).removeprefix(str(tmp_path / "t.csv")).startswith(message)


def test_what_single_precision_leaves_above_one_is_one(tmp_path):
    path = lines(tmp_path / "p.jsonl", {"q": 1.0000001, "y": 1})
    assert read_predictions(path).q.tolist() == [1.0]
    (tmp_path / "p.csv").write_text("q,y\n1.0000001,1\n0.5,0\n")
    assert read_predictions(tmp_path / "p.csv").q.tolist() == [1.0, 0.5]
