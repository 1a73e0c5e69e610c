import struct

import numpy as np
import pycrfsuite
import pytest

from nlpcalib.errors import InputError
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.crfsuite_model import read_crfsuite_model
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.hmm import HMMCounts
from reproduction.tagging.matching import MAX_APART, matched_model
from reproduction.tagging.selection import select_tagger, tagging_accuracy


def simulate(seed, sentences=60, tags=6, words=40):
    """Return (words, tags) per sentence, in which the word and the previous tag speak for a tag."""
    rng = np.random.default_rng(seed)
    made = []
    for length in rng.integers(1, 12, sentences):
        gold = np.cumsum(rng.integers(1, 3, length)) % tags
        observed = (gold * 5 + np.minimum(rng.geometric(0.3, length), words)) % words
        made.append(([f"w{word}" for word in observed], [f"T{tag}" for tag in gold]))
    return made


def corpus_of(sentences):
    tags = tuple(sorted({tag for _, gold in sentences for tag in gold}))
    return TaggedCorpus(
        tokens=Attributes.of_words(word for words, _ in sentences for word in words),
        tags=tags,
        gold=np.array([tags.index(tag) for _, gold in sentences for tag in gold], dtype=np.int64),
        lengths=np.array([len(words) for words, _ in sentences], dtype=np.int64),
        units=tuple(f"d/{number}" for number in range(len(sentences))),
    )


def train_crfsuite(path, sentences, **params):
    """Train CRFsuite on the sentences themselves."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params={"c1": 0.0, "c2": 0.1} | params, verbose=False)
    for words, tags in sentences:
        trainer.append(pycrfsuite.ItemSequence([[word] for word in words]), tags)
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    path = tmp_path_factory.mktemp("crf") / "model.crfsuite"
    sentences = simulate(0)
    return path, sentences, train_crfsuite(path, sentences)


def test_marginals_and_best_paths_equal_those_of_crfsuite(trained):
    path, _, tagger = trained
    chain = read_crfsuite_model(path)
    held_out = [*simulate(1, words=60), (["unheard", "never"], []), (["w3"], [])]
    lengths = np.array([len(words) for words, _ in held_out])
    tokens = Attributes.of_words(word for words, _ in held_out for word in words)
    single = chain.marginals(tokens, lengths).single
    best = [chain.tags[tag] for tag in chain.decode(tokens, lengths)]
    start = 0
    for words, _ in held_out:
        assert tagger.tag([[word] for word in words]) == best[start : start + len(words)]
        theirs = [[tagger.marginal(tag, t) for tag in chain.tags] for t in range(len(words))]
        np.testing.assert_allclose(single[start : start + len(words)], theirs, rtol=0, atol=1e-12)
        start += len(words)


def test_weights_equal_those_crfsuite_prints_to_its_six_digits(trained):
    path, _, tagger = trained
    chain, info = read_crfsuite_model(path), tagger.info()
    assert chain.tags == tuple(info.labels)
    assert chain.attributes == tuple(info.attributes)
    for (before, after), weight in info.transitions.items():
        found = chain.transition[chain.tags.index(before), chain.tags.index(after)]
        assert found == pytest.approx(weight, abs=5.1e-7)
    for (word, tag), weight in info.state_features.items():
        found = chain.state[chain.attributes.index(word), chain.tags.index(tag)]
        assert found == pytest.approx(weight, abs=5.1e-7)
    assert np.count_nonzero(chain.transition) == len(info.transitions)
    assert np.count_nonzero(chain.state) == len(info.state_features)
    assert not chain.state[-1].any()
    assert not chain.initial.any()


def test_training_on_numbers_gives_the_weights_of_training_on_words(trained):
    path, sentences, _ = trained
    by_words, by_numbers = read_crfsuite_model(path), fit_crf(corpus_of(sentences), c2=0.1)
    assert set(by_numbers.attributes) == set(by_words.attributes)
    tags = [by_numbers.tags.index(tag) for tag in by_words.tags]
    rows = [by_numbers.attributes.index(word) for word in by_words.attributes]
    np.testing.assert_array_equal(by_numbers.state[np.ix_(rows, tags)], by_words.state[:-1])
    np.testing.assert_array_equal(by_numbers.transition[np.ix_(tags, tags)], by_words.transition)


def test_weights_are_the_stationary_point_of_the_regularised_likelihood():
    # Where the gradient is zero, observed minus expected counts are 2 * c2 * weight for every feature.
    corpus, c2 = corpus_of(simulate(2)), 0.5
    chain = fit_crf(corpus, c2=c2)
    marginals = chain.marginals(corpus.tokens, corpus.lengths)
    tags = len(corpus.tags)
    second = corpus.second
    observed = np.zeros((tags, tags))
    np.add.at(observed, (corpus.gold[second - 1], corpus.gold[second]), 1)
    expected = np.array([[marginals.pair(i, j).sum() for j in range(tags)] for i in range(tags)])
    present = observed > 0
    np.testing.assert_allclose((observed - expected)[present], 2 * c2 * chain.transition[present], atol=0.05)

    emitted = np.zeros((len(corpus.tokens.names), tags))
    np.add.at(emitted, (corpus.tokens.indices, corpus.gold), 1)
    expected = np.zeros_like(emitted)
    np.add.at(expected, corpus.tokens.indices, marginals.single)
    present = emitted > 0
    np.testing.assert_allclose((emitted - expected)[present], 2 * c2 * chain.state[:-1][present], atol=0.05)
    assert chain.metadata["termination"] in (
        "L-BFGS resulted in convergence",
        "L-BFGS terminated with the stopping criteria",
    )


STRANGE = [
    "a:b",
    "a:b:2.5",
    "back\\slash",
    "\\",
    "tab\there",
    "new\nline",
    "",
    " ",
    "naïve",
    "日本",
    "a\0b",
    "a",
    "\ud800",
]


def test_any_token_and_tag_survives_training():
    sentences = [(STRANGE, [f"T{number}" for number in range(len(STRANGE))])] * 3
    sentences += [([word], [tag]) for word, tag in zip(*sentences[0], strict=True)]
    sentences += [(["x", "y", "z", "z"], ["A:B", "A\0", "A", ""])]
    corpus = corpus_of(sentences)
    chain = fit_crf(corpus, c2=0.01)
    assert set(STRANGE) < set(chain.attributes)
    assert tagging_accuracy(chain, corpus) == 1.0


def test_several_attributes_per_token_train_and_score_as_in_crfsuite(tmp_path):
    sentences = [([[word, word[-1], "bias"] for word in words], tags) for words, tags in simulate(3)]
    path = tmp_path / "model"
    trainer = pycrfsuite.Trainer(params={"c1": 0.0, "c2": 0.1}, verbose=False)
    for items, tags in sentences:
        trainer.append(pycrfsuite.ItemSequence(items), tags)
    trainer.train(str(path))
    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))

    flat = corpus_of([(["-"] * len(tags), tags) for _, tags in sentences])
    tokens = Attributes.of_lists(item for items, _ in sentences for item in items)
    chain = fit_crf(TaggedCorpus(tokens, flat.tags, flat.gold, flat.lengths, flat.units), c2=0.1)
    single = chain.marginals(tokens, flat.lengths).single
    start = 0
    for items, _ in sentences:
        tagger.set(pycrfsuite.ItemSequence(items))
        theirs = [[tagger.marginal(tag, t) for tag in chain.tags] for t in range(len(items))]
        np.testing.assert_allclose(single[start : start + len(items)], theirs, rtol=0, atol=1e-9)
        start += len(items)


def test_sentences_without_words_do_not_change_the_model():
    sentences = simulate(4, sentences=10)
    with_empty = [([], []), *sentences[:5], ([], []), *sentences[5:]]
    one, other = fit_crf(corpus_of(sentences), c2=1.0), fit_crf(corpus_of(with_empty), c2=1.0)
    np.testing.assert_array_equal(one.state, other.state)
    assert other.metadata["sentences"] == 10


def test_training_stops_when_told():
    chain = fit_crf(corpus_of(simulate(5)), c2=0.01, max_iterations=3)
    assert chain.metadata["iterations"] == 3
    assert chain.metadata["termination"] == "L-BFGS terminated with the maximum number of iterations"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"c2": -1.0}, "c2 is -1.0"), ({"c2": float("nan")}, "c2 is nan"), ({"c2": 1, "max_iterations": 0}, "at least 1")],
)
def test_unusable_settings_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        fit_crf(corpus_of(simulate(6)), **arguments)


def test_no_tokens_are_refused():
    with pytest.raises(InputError, match="no tokens"):
        fit_crf(corpus_of([([], [])]), c2=1.0)


def test_selection_takes_the_most_accurate_and_of_equals_the_most_regularised():
    train, dev = corpus_of(simulate(7)), corpus_of(simulate(8))
    chosen = select_tagger(((c2, fit_crf(train, c2=c2)) for c2 in (0.1, 1e4, 10.0)), dev)
    accuracies = {value: accuracy for value, accuracy, _ in chosen.candidates}
    assert {sentences for *_, sentences in chosen.candidates} == {train.lengths.size}
    assert chosen.value == max(accuracies, key=lambda value: (accuracies[value], value))
    assert chosen.chain.metadata["dev_accuracy"] == max(accuracies.values()) == tagging_accuracy(chosen.chain, dev)
    assert chosen.chain.metadata["c2"] == chosen.value

    model = chosen.chain
    assert select_tagger(((value, model) for value in (1.0, 3.0, 2.0)), dev).value == 3.0
    with pytest.raises(InputError, match="no models to choose from"):
        select_tagger([], dev)


def test_a_crf_of_fewer_sentences_is_as_accurate_as_the_hmm():
    train, dev = corpus_of(simulate(7, sentences=1000)), corpus_of(simulate(8, sentences=300))
    target = tagging_accuracy(HMMCounts.of(train.drawn(60, 1)).chain(1.0), dev)
    chain = matched_model(
        lambda size: fit_crf(train.drawn(size, 1), c2=0.1), lambda model: tagging_accuracy(model, dev), target, 1000
    )
    assert abs(tagging_accuracy(chain, dev) - target) <= MAX_APART
    assert chain.metadata["sentences"] < 1000


def test_a_file_of_another_version_is_refused(trained, tmp_path):
    path, _, _ = trained
    other = tmp_path / "other"
    other.write_bytes(path.read_bytes()[:12] + struct.pack("<I", 101) + path.read_bytes()[16:])
    with pytest.raises(InputError, match="101, expected a model of CRFsuite, version 100"):
        read_crfsuite_model(other)
