"""spaCy's convolutional tagger as a third model: what it learns, and that its files are those of a user's tagger."""

import json

import numpy as np
import pytest
from scripts.tagging.train_cnn import main

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.tagging.cnn import accuracy, train_cnn
from reproduction.tagging.other_taggers import read_tagger


def sentences(seed, number):
    """Return sentences in which a word's tag follows from its suffix."""
    rng = np.random.default_rng(seed)
    made = []
    for sentence in range(number):
        tags = [("NN", "VBD", "JJ")[code] for code in rng.integers(0, 3, rng.integers(2, 8))]
        suffix = {"NN": "tion", "VBD": "ked", "JJ": "ous"}
        words = tuple("".join(rng.choice(list("abcde"), 3)) + suffix[tag] for tag in tags)
        made.append(Sentence(str(sentence), words, tuple(tags)))
    return made


@pytest.fixture(scope="module")
def trained():
    return train_cnn(sentences(1, 200), sentences(2, 50), sentences=150, epochs=3, seed=1)


def test_it_learns_suffixes_and_is_that_of_its_best_epoch(trained):
    assert accuracy(trained, sentences(2, 50)) == max(trained.accuracies) > 0.9
    assert trained.parameters > 10_000


def test_the_same_seed_gives_the_same_logits(trained):
    again = train_cnn(sentences(1, 200), sentences(2, 50), sentences=150, epochs=3, seed=1)
    first, second = (np.concatenate(list(each.logits(sentences(3, 9)))) for each in (trained, again))
    assert (first == second).all()


def test_its_files_are_read_as_those_of_a_users_tagger(tmp_path):
    paths = {}
    for number, name in enumerate(("train", "dev", "test")):
        paths[name] = tmp_path / f"{name}.conllu"
        write_conllu(paths[name], [Document("d", tuple(sentences(number, 60)))])
    made = [tmp_path / name for name in ("scores.jsonl", "recalibrated.jsonl", "card.json")]
    main(*paths.values(), *made, sentences=40, seed=1)
    model, marginals = read_tagger(tmp_path / "scores.jsonl", read_conllu(paths["test"]))
    assert set(model.tags) == {"NN", "VBD", "JJ"}
    np.testing.assert_allclose(marginals.single.sum(axis=1), 1)
    card = json.loads((tmp_path / "card.json").read_text())
    assert card["training_sentences"] == 40
    gold = np.concatenate([[model.tags.index(tag) for tag in each.tags] for each in sentences(2, 60)])
    assert np.mean(marginals.single.argmax(axis=1) == gold) == pytest.approx(card["test_accuracy"])
    recalibrated = read_tagger(tmp_path / "recalibrated.jsonl", read_conllu(paths["test"]))[1].single
    tempered = marginals.single ** (1 / card["temperature"])
    np.testing.assert_allclose(recalibrated, tempered / tempered.sum(axis=1, keepdims=True), atol=1e-3)


def test_no_sentences_are_refused(trained):
    with pytest.raises(InputError, match="no sentences"):
        train_cnn([], sentences(2, 5), sentences=3, epochs=1, seed=1)
