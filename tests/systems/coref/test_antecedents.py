"""Any model's antecedents, with nothing of this library's model."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from nlpcalib.errors import InputError
from nlpcalib.systems.coref import from_antecedents, read_antecedent_scores, write_coref_page
from nlpcalib.systems.coref.answer.answer import answer

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
    found = from_antecedents(A)
    np.testing.assert_allclose(found.marginals, expected, atol=1e-14)
    drawn = found.samples(20_000)
    assert np.abs((drawn[:, None] == drawn).mean(axis=2) - expected).max() < 4 * np.sqrt(0.25 / 20_000)
    assert found.entities.tolist() == [0, 1, 0, 0, 2]


def test_sparse_antecedents_mean_the_same():
    whole, listed = from_antecedents(A, TEXT, SPANS), from_antecedents(sparse.csr_array(A), TEXT, SPANS)
    for mention in range(5):
        np.testing.assert_allclose(listed.marginals_of(mention), whole.marginals[mention], atol=1e-14)
    for name in ("entities", "membership", "coherence", "probabilities", "new"):
        np.testing.assert_allclose(getattr(listed, name), getattr(whole, name), atol=1e-12)
    assert listed.expected_pairs == pytest.approx(whole.expected_pairs)


def test_mentions_are_the_users_characters(tmp_path):
    found = from_antecedents(A, TEXT, SPANS, id="d")
    content = answer(found, samples=2, seed=0, at_least=0.0)
    assert [(m["start_char"], m["end_char"]) for m in content["mentions"]] == SPANS
    assert [m["text"] for m in content["mentions"]] == [TEXT[slice(*span)] for span in SPANS]
    assert [m["kind"] for m in content["mentions"]] == ["proper", "proper", "pronoun", "proper", "nominal"]
    assert [entity["name"] for entity in content["entities"]] == ["Ana Ruiz", "Leila", "Ruiz's dog"]
    assert [sentence["break"] for sentence in content["sentences"]] == ["", "line", "paragraph", "line"]
    write_coref_page(tmp_path / "page.html", [found])
    assert json.dumps("Ana Ruiz") in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_mention_may_go_over_lines_and_begin_inside_of_a_word():
    [found] = answer(from_antecedents(np.zeros((1, 1)), TEXT, [(41, 51)]), samples=0, seed=0, at_least=0)["mentions"]
    assert found["text"] == TEXT[41:51] == "which\nbark"


def test_names_of_speakers_may_be_mentions():
    text = "Ana: I am here.\nBo: You are.\nAna: Bye, Bo."
    spans = [(0, 3), (5, 6), (16, 18), (29, 32), (39, 41)]
    found = answer(from_antecedents(np.zeros((5, 5)), text, spans), samples=0, seed=0, at_least=0)["mentions"]
    assert [(mention["start_char"], mention["end_char"]) for mention in found] == spans


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_a_softmax_in_float32_is_a_distribution(storage):
    scores = np.random.default_rng(0).normal(size=(300, 300))
    scores[np.triu_indices(300)] = -np.inf
    powers = np.exp(scores[1:])
    rounded = np.tril(np.vstack([np.zeros(300), powers / powers.sum(axis=1, keepdims=True)]), -1).astype(np.float32)
    assert rounded.sum(axis=1, dtype=np.float64).max() > 1 + 1e-9
    found = from_antecedents(storage(rounded))
    np.testing.assert_allclose(found.conditionals.sum(axis=1)[1:], 1, atol=1e-6)
    assert found.conditionals.sum(axis=1).max() <= 1 + 1e-12


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("change", [(1, 0, 1.1), (0, 1, 0.1), (2, 2, 0.1), (2, 0, -0.1), (2, 0, np.nan)])
def test_rows_that_are_no_distributions_are_refused(storage, change):
    wrong = A.copy()
    wrong[change[:2]] = change[2]
    with pytest.raises(
        InputError, match=rf"antecedents\[{change[0]}\]: .* a distribution over earlier mentions and NEW"
    ):
        from_antecedents(storage(wrong))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((TEXT,), "found only one of text and spans"),
        ((TEXT, SPANS[:4]), "found 4, expected one for each of 5"),
        ((TEXT, [*SPANS[:4], (50, 90)]), r"found \(50, 90\)"),
        ((TEXT, [*SPANS[:4], (19, 21)]), r"found \(19, 21\)"),
        ((TEXT, [*SPANS[:4], (19, 21, 22)]), r"found \(19, 21, 22\)"),
        ((TEXT, [*SPANS[:4], 19]), "found 19, expected"),
    ],
)
def test_spans_that_are_no_mentions_of_the_text_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        from_antecedents(A, *arguments)


def test_no_mentions_are_an_answer():
    none = np.zeros((0, 0))
    for found in (from_antecedents(none), *(from_antecedents(none, text, []) for text in ("Go!", " ", ""))):
        assert answer(found, samples=1, seed=0, at_least=0)["mentions"] == []


def test_without_a_text_mentions_are_called_by_their_numbers():
    mentions = answer(from_antecedents(A), samples=0, seed=0, at_least=0)["mentions"]
    assert [mention["text"] for mention in mentions] == ["1", "2", "3", "4", "5"]


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
    assert found.resolution().clusters() == [["Ana", "She"]]
    assert found.resolution(threshold=0.9).clusters() == []
    assert found.resolution(temperature=100).marginals[2, 0] < found.resolution().marginals[2, 0]


def test_words_and_spans_in_words_mean_the_same(tmp_path):
    words = {"id": "w", "text": ["Ana", "met", "Leila", ".", "She", "did", "n't"], "spans": [[0, 1], [2, 3], [4, 5]]}
    by_text, by_words = read_antecedent_scores(
        written(tmp_path / "s.jsonl", {**RECORD, "scores": SCORES}, {**words, "scores": SCORES})
    )
    assert by_words.resolution().clusters() == by_text.resolution().clusters()
    np.testing.assert_array_equal(by_words.resolution().marginals, by_text.resolution().marginals)
    [sentence] = by_words.resolution().document.sentences
    assert sentence.words == tuple(words["text"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": 1}, "expected a `text`"),
        ({"text": ["Ana", ""]}, "expected a `text`"),
        ({"spans": [[0, 3]]}, "as many `spans` as `scores`"),
        ({"spans": [[0, 3], [8, 13], [15]]}, "expected \\(start, end\\)"),
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
    assert first.resolution().clusters(as_strings=False) == [[(0, 3), (15, 18)], [(8, 13), (25, 28)]]
    for other in others:
        np.testing.assert_allclose(other.conditionals, first.conditionals, atol=1e-7)
