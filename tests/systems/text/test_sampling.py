"""Sampled trees are draws from the parser's distribution, each by itself, and at temperature 0 the best tree."""

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing import load_parser
from nlpcalib.systems.text.parsing.model import PACKAGED_PARSER, load_pipeline
from nlpcalib.systems.text.parsing.readings import Sampling, readings
from nlpcalib.systems.text.parsing.sampling import sample_trees
from reproduction.events.extraction import read_readings

EVERY_WORD = re.compile("")


@pytest.fixture(scope="module")
def parser():
    return load_parser()


@pytest.fixture(scope="module")
def pipeline():
    return load_pipeline(PACKAGED_PARSER)


def single(pipeline, text):
    """Return a sentence as the parser's vectors and words, without a tree."""
    parsed = pipeline(text)
    starts = [place == 0 for place in range(len(parsed))]
    doc = type(parsed)(parsed.vocab, words=[token.text for token in parsed], sent_starts=starts)
    doc.tensor = parsed.tensor
    return doc


def enumerated(pipeline, doc, temperature):
    """Return the probability of every tree: the sum over its sequences of actions of the product of their softmax."""
    parser = pipeline.get_pipe("parser")
    model = parser.model.predict([doc])
    names = parser.move_names
    found = Counter()

    def follow(state, probability):
        if state.is_final():
            found[frozenset((arc["head"], arc["child"], arc["label"]) for arc in state.arcs)] += probability
            return
        valid = [place for place, name in enumerate(names) if parser.moves.is_valid(state, name)]
        scores = model.predict([state])[0][valid].astype(float) / temperature
        shares = np.exp(scores - scores.max())
        for place, share in zip(valid, shares / shares.sum(), strict=True):
            if probability * share > 1e-6:
                after = state.copy()
                parser.moves.apply_transition(after, names[place])
                follow(after, probability * share)

    (state,) = parser.moves.init_batch([doc])
    follow(state, 1.0)
    return found


@pytest.mark.parametrize(("text", "temperature"), [("They attacked.", 1.0), ("They attacked", 2.5), ("Go", 1.0)])
def test_trees_are_as_frequent_as_products_of_their_actions_probabilities(pipeline, text, temperature):
    doc, draws = single(pipeline, text), 2000
    exact = enumerated(pipeline, doc, temperature)
    assert sum(exact.values()) == pytest.approx(1, abs=0.02)
    streams = [[generator(1, "trees", tree) for tree in range(draws)]]
    (trees,) = sample_trees(pipeline.get_pipe("parser"), [doc], streams, temperature)
    strings = pipeline.vocab.strings
    shares = Counter((tree.heads, tree.relations) for tree in trees)
    by_tree = Counter()
    for arcs, probability in exact.items():
        heads, relations = [0] * len(doc), ["root"] * len(doc)
        for head, child, label in arcs:
            if head != child:
                heads[child], relations[child] = head + 1, strings[label]
        by_tree[tuple(heads), tuple(relations)] += probability
    for tree in by_tree | shares:
        expected = by_tree[tree] * draws
        assert abs(shares[tree] - expected) < 5 * np.sqrt(expected + 1)


def sampled(parser, documents, temperature=1.25, **settings):
    """Return the words, heads and relations of all trees, and how often each sentence was asked for."""
    pairs = list(parser.with_temperature(temperature).sample_dated(documents, Sampling(EVERY_WORD, **settings)))
    return [pair[1] for pair in pairs], [readings(*pair) for pair in pairs]


def test_a_document_has_the_same_trees_alone_and_among_others(parser, reports):
    together, _ = sampled(parser, reports[:3], trees=3)
    alone, _ = sampled(parser, reports[1:2], trees=3)
    more, _ = sampled(parser, reports[1:2], trees=4)
    assert alone == [together[1]]
    assert [tree for place, tree in enumerate(more[0].sentences) if place % 4 < 3] == list(alone[0].sentences)
    other, _ = sampled(parser, reports[1:2], trees=3, seed=1)
    assert other != alone


def test_at_a_temperature_near_0_trees_are_the_best_ones(parser, reports):
    _, ((best, *trees),) = sampled(parser, reports[:1], 1e-4, trees=2)
    pairs = [(one, other) for tree in trees for one, other in zip(tree.sentences, best.sentences, strict=True)]
    equal = sum(one == other for one, other in pairs)
    assert len(trees) == 2
    # A sentence alone has no state of the one before it: of 600, 595 had the tree of their paragraph.
    assert equal >= 0.95 * len(pairs)
    _, (hot,) = sampled(parser, reports[:1], 2.0, trees=2)
    assert hot[1] != best


def test_only_sentences_with_a_word_are_sampled_and_one_tree_is_the_best(parser, reports):
    word = re.compile(r"\bsaid\b")
    document, trees = next(parser.sample_dated(reports[:1], Sampling(word, 5)))
    asked = [sentence.id for sentence in document.sentences if word.search(sentence.text())]
    assert [sentence.id for sentence in trees.sentences] == [name for name in asked for _ in range(5)]
    assert len(readings(document, trees)) == 6
    assert next(parser.sample_dated(reports[:1], Sampling(word, 1))) == (
        document,
        Document(document.id, (), date=document.date),
    )


def test_readings_of_files_are_those_that_were_written(parser, reports, tmp_path):
    pairs = list(parser.sample_dated(islice(reports, 3), Sampling(re.compile("the"), 2)))
    kept = [replace(trees, sentences=()) if place == 1 else trees for place, (_, trees) in enumerate(pairs)]
    write_conllu(tmp_path / "a.conllu", [document for document, _ in pairs])
    write_conllu(tmp_path / "trees.conllu", [trees for trees in kept if trees.sentences])
    expected = [readings(document, trees) for (document, _), trees in zip(pairs, kept, strict=True)]
    assert list(read_readings(tmp_path / "a.conllu", tmp_path / "trees.conllu")) == expected
    assert [len(each) for each in expected] == [3, 1, 3]
    assert [len(each) for each in read_readings(tmp_path / "a.conllu", None)] == [1, 1, 1]
    write_conllu(tmp_path / "one.conllu", [pairs[0][0]])
    with pytest.raises(InputError, match=f"found trees of document {pairs[2][0].id!r}, expected one that follows"):
        list(read_readings(tmp_path / "one.conllu", tmp_path / "trees.conllu"))


def test_a_parser_that_listens_to_a_transformer_is_refused(parser, reports, monkeypatch):
    for node in parser._nlp.get_pipe("parser").model.walk():
        monkeypatch.setattr(node, "name", node.name.replace("tok2vec-listener", "transformer-listener"))
    with pytest.raises(InputError, match=r"transformer-listener.*, expected 1 as the number of trees"):
        next(parser.sample_dated(reports[:1], Sampling(EVERY_WORD)))


@pytest.mark.parametrize(
    ("content", "found"), [("[]", r"\[\] as the temperature"), ("{", "expected JSON"), ('{"temperature": 0}', "0")]
)
def test_the_temperature_of_a_card_is_checked(tmp_path, content, found):
    (tmp_path / "parser.zip").write_bytes(PACKAGED_PARSER.read_bytes())
    assert load_parser(tmp_path / "parser.zip")._temperature == 1
    assert load_parser()._temperature == 1.25
    (tmp_path / "card.json").write_text(content)
    with pytest.raises(InputError, match=f"card.json: .*{found}"):
        load_parser(tmp_path / "parser.zip")
