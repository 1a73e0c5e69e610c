"""Any model's antecedents, with nothing of this library's model."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.coref import read_antecedent_scores
from nlpcalib.systems.coref.answer.answer import answer
from nlpcalib.systems.coref.answer.antecedents import Scored
from nlpcalib.systems.text.document import Document, Sentence

TEXT = "Ana Ruiz met\nLeila.\n\nShe saw Ruiz's dog, which\nbarked."
SPANS = [(0, 8), (13, 18), (21, 24), (29, 35), (29, 39)]
A = np.array(
    [
        [0, 0, 0, 0, 0],
        [0.1, 0, 0, 0, 0],
        [0.5, 0.3, 0, 0, 0],
        [0.6, 0, 0.2, 0, 0],
        [0, 0, 0, 0, 0],
    ]
)


def test_marginals_and_samples_are_those_of_the_choices():
    expected, new = np.zeros((5, 5)), 1 - A.sum(axis=1)
    for choice in itertools.product(*(range(i + 1) for i in range(5))):
        entities, probability = [], 1.0
        for i, j in enumerate(choice):
            entities.append(entities[j] if j < i else i)
            probability *= A[i, j] if j < i else new[i]
        expected += probability * (np.array(entities)[:, None] == entities)
    found = Scored("d", TEXT, SPANS, A).resolution()
    np.testing.assert_allclose(found.marginals, expected, atol=1e-14)
    drawn = found.samples(20_000)
    assert np.abs((drawn[:, None] == drawn).mean(axis=2) - expected).max() < 4 * np.sqrt(0.25 / 20_000)
    assert found.entities.tolist() == [0, 1, 0, 0, 2]


def test_mentions_are_the_users_characters():
    found = Scored("d", TEXT, SPANS, A).resolution()
    content = answer(found, samples=2, seed=0, at_least=0.0)
    assert [(m["start_char"], m["end_char"]) for m in content["mentions"]] == SPANS
    assert [m["text"] for m in content["mentions"]] == [TEXT[slice(*span)] for span in SPANS]
    assert [m["kind"] for m in content["mentions"]] == ["proper", "proper", "pronoun", "proper", "nominal"]
    assert [entity["name"] for entity in content["entities"]] == ["Ana Ruiz", "Leila", "Ruiz's dog"]
    assert [sentence["break"] for sentence in content["sentences"]] == ["", "line", "paragraph", "line"]


def test_a_mention_may_go_over_lines_and_begin_inside_of_a_word():
    one = Scored("d", TEXT, [(41, 51)], np.zeros((1, 1))).resolution()
    [found] = answer(one, samples=0, seed=0, at_least=0)["mentions"]
    assert found["text"] == TEXT[41:51] == "which\nbark"


def test_names_of_speakers_may_be_mentions():
    text = "Ana: I am here.\nBo: You are.\nAna: Bye, Bo."
    spans = [(0, 3), (5, 6), (16, 18), (29, 32), (39, 41)]
    five = Scored("d", text, spans, np.zeros((5, 5))).resolution()
    found = answer(five, samples=0, seed=0, at_least=0)["mentions"]
    assert [(mention["start_char"], mention["end_char"]) for mention in found] == spans


def test_mentions_in_trees_take_whole_words_and_end_with_their_sentence():
    rows = (
        (
            ("Ana", "NNP", 2, "compound"),
            ("Ruiz", "NNP", 3, "nsubj"),
            ("met", "VBD", 0, "root"),
            ("Leila", "NNP", 3, "obj"),
        ),
        (("She", "PRP", 2, "nsubj"), ("slept", "VBD", 0, "root")),
    )
    sentences = [
        Sentence(str(number), words, tags=tags, heads=heads, relations=relations)
        for number, (words, tags, heads, relations) in enumerate(zip(*row, strict=True) for row in rows)
    ]
    scored = Scored("d", "Ana Ruiz met\nLeila.\n\nShe slept", [(0, 8), (14, 24), (22, 24)], A[:3, :3])
    parsed = Document("d", tuple(sentences))
    found = scored.mentions_in(parsed)
    assert [each.text(parsed) for each in found] == ["Ana Ruiz", "Leila", "She"]
    assert [(each.head, each.kind) for each in found] == [(1, "proper"), (3, "proper"), (0, "pronoun")]
    np.testing.assert_array_equal(scored.resolution(parsed=parsed).marginals, scored.resolution().marginals)
    with pytest.raises(InputError, match="found no 'Ana' after character 0"):
        Scored("d", "Bo met Leila.", [(0, 2)], A[:1, :1]).mentions_in(parsed)


@pytest.mark.parametrize("span", [(50, 90), (19, 21)])
def test_spans_that_are_no_mentions_of_the_text_are_refused(span):
    with pytest.raises(InputError, match=re.escape(f"found {span}")):
        Scored("d", TEXT, [*SPANS[:4], span], A).resolution()


def test_no_mentions_are_an_answer():
    none = np.zeros((0, 0))
    for text in ("Go!", " ", ""):
        found = Scored("d", text, [], none).resolution()
        assert answer(found, samples=1, seed=0, at_least=0)["mentions"] == []


def written(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


RECORD = {"text": "Ana met Leila. She left.", "spans": [[0, 3], [8, 13], [15, 18]]}
SCORES = [[], [[0, -5]], [[0, 2], [1, 1.5]]]


def test_scores_become_the_softmax_with_new(tmp_path):
    [found] = read_antecedent_scores(written(tmp_path / "s.jsonl", {**RECORD, "scores": SCORES}))
    below = 1 + np.exp(2) + np.exp(1.5)
    expected = [[0, 0, 0], [np.exp(-5) / (1 + np.exp(-5)), 0, 0], [np.exp(2) / below, np.exp(1.5) / below, 0]]
    np.testing.assert_allclose(found.conditionals, expected)
    assert found.id == "s-1"
    assert found.resolution().entities.tolist() == [0, 1, 0]
    assert found.resolution(threshold=0.9).entities.tolist() == [0, 1, 2]
    assert found.resolution(temperature=100).marginals[2, 0] < found.resolution().marginals[2, 0]


def test_words_and_spans_in_words_mean_the_same(tmp_path):
    words = {"id": "w", "text": ["Ana", "met", "Leila", ".", "She", "did", "n't"], "spans": [[0, 1], [2, 3], [4, 5]]}
    by_text, by_words = read_antecedent_scores(
        written(tmp_path / "s.jsonl", {**RECORD, "scores": SCORES}, {**words, "scores": SCORES})
    )
    np.testing.assert_array_equal(by_words.resolution().marginals, by_text.resolution().marginals)
    [sentence] = by_words.resolution().document.sentences
    assert sentence.words == tuple(words["text"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": 1}, "expected a `text`"),
        ({"text": ["Ana", ""]}, "expected a `text`"),
        ({"spans": [[0, 3]]}, "as many `spans` as `scores`"),
        ({"spans": [[0, 3], [8, 13], [15]]}, r"expected \[start, end\]"),
        ({"spans": [[0.5, 3], [8, 13], [15, 18]]}, r"expected \[start, end\]"),
        ({"spans": [[0, 3], [8, 13], [15, 90]]}, r"spans: found \(15, 90\)"),
        ({"spans": [[0, 3], [8, 13], [8, 13]]}, r"spans: found \(8, 13\) twice"),
        ({"id": None}, "found id None"),
        ({"id": "s-1"}, "found document 's-1' again"),
        ({"scores": [[], [[1, 0.5]], []]}, r"scores\[1\]: found"),
        ({"scores": [[], [0.5], []]}, r"scores\[1\]: found"),
        ({"scores": [[], [[0, "high"]], []]}, r"scores\[1\]: found"),
        ({"scores": [[], [[0.5, 1]], []]}, r"scores\[1\]: found"),
    ],
)
def test_a_line_that_has_no_scores_is_refused_with_its_number(tmp_path, change, message):
    path = written(tmp_path / "s.jsonl", {**RECORD, "scores": SCORES}, {**RECORD, "scores": SCORES, **change})
    with pytest.raises(InputError, match=rf"s\.jsonl, line 2.*{message}"):
        [each.resolution() for each in read_antecedent_scores(path)]


def test_a_file_without_a_line_is_refused(tmp_path):
    with pytest.raises(InputError, match="found no line"):
        list(read_antecedent_scores(written(tmp_path / "s.jsonl")))


RECIPES = re.findall(
    r"```python\n(import json.*?)```",
    (Path(__file__).parents[3] / "docs/how-to/coref.md").read_text("utf-8"),
    re.DOTALL,
)


class CorefResult:
    """What fastcoref hands out for a text of a batch, whose other texts have more spans."""

    text = "Ana met Leila. She liked her."
    reverse_char_map = {(0, 3): (0, (0, 0)), (8, 13): (1, (2, 2)), (15, 18): (2, (4, 4)), (25, 28): (3, (6, 6))}  # noqa: RUF012
    coref_logit = np.full((6, 7), -1e4, np.float32)
    coref_logit[:, -1] = 1
    coref_logit[1, 0], coref_logit[2, :2], coref_logit[3, :3] = -4, (3, 2.5), (2.2, 3.1, -3)


def test_each_recipe_of_the_page_writes_the_same_file(tmp_path):
    """Lee et al. with NEW last (fastcoref) or first and the best k antecedents (AllenNLP, stanza)."""
    exec(compile(RECIPES[0], "docs/how-to/coref.md", "exec"), recipes := {})
    fake = CorefResult()
    spans = sorted(fake.reverse_char_map)
    new = np.ones((4, 1))
    scores = fake.coref_logit[:4, :4].astype(float)
    order = np.argsort(np.random.default_rng(0).random((4, 4)), axis=1)
    best = np.hstack([new, np.take_along_axis(scores, order, axis=1)])
    # stanza with singletons has two columns for what has no antecedent: an entity's first word, and no mention.
    two = np.hstack([new - np.log(2), new - np.log(2), best[:, 1:]])
    lines = [
        recipes["of_fastcoref"](fake),
        recipes["of_best_antecedents"](fake.text, spans, best, order),
        recipes["of_best_antecedents"](fake.text, spans, two, order, new=2),
    ]
    path = tmp_path / "scores.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    first, *others = read_antecedent_scores(path)
    assert first.spans == [(0, 3), (8, 13), (15, 18), (25, 28)]
    assert first.resolution().entities.tolist() == [0, 1, 0, 1]
    for other in others:
        np.testing.assert_allclose(other.conditionals, first.conditionals, atol=1e-7)
