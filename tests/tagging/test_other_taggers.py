"""A user's tagger, of which a file has the scores, is drawn as ours are."""

import json

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.figures.tagging import figure_4
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import fit_hmm
from reproduction.tagging.label_comparison import compare_labels, label_comparison_rows
from reproduction.tagging.other_taggers import read_tagger
from reproduction.tagging.paired import TaggerOutput, paired_bigrams, paired_tags
from reproduction.workflow.table_files import write_table

TEST = [
    Document(name, (Sentence("1", ("the", "dog", "runs"), ("D", "N", "V")), Sentence("2", ("dogs", "run"), ("N", "V"))))
    for name in "ab"
]
HMM = fit_hmm(tagged_corpus(TEST[:1]), pseudocount=1.0)


def scores(transitions=True):
    """Return the lines of a file with the scores of `HMM`."""
    corpus = tagged_corpus(TEST)
    model = {"labels": HMM.tags}
    if transitions:
        model |= {"transitions": HMM.transition.tolist(), "initial": HMM.initial.tolist()}
    each = np.split(HMM.scores(corpus.tokens), np.cumsum(corpus.lengths)[:-1])
    sentences = (sentence for document in TEST for sentence in document.sentences)
    lines = ({"tokens": s.words, "logits": rows.tolist()} for s, rows in zip(sentences, each, strict=True))
    return [json.dumps(line) for line in (model, *lines)]


def written(path, lines):
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_the_potentials_of_our_hmm_as_a_file_have_its_marginals(tmp_path):
    corpus = tagged_corpus(TEST)
    model, marginals = read_tagger(written(tmp_path / "s.jsonl", scores()), TEST)
    own = HMM.marginals(corpus.tokens, corpus.lengths)
    assert model.tags == HMM.tags
    assert np.array_equal(marginals.single, own.single)
    assert np.array_equal(marginals.pair(0, 1), own.pair(0, 1))


def test_without_transitions_pairs_of_tags_are_products(tmp_path):
    _, marginals = read_tagger(written(tmp_path / "s.jsonl", scores(transitions=False)), TEST)
    second = marginals.second
    assert marginals.pair(0, 1) == pytest.approx(marginals.single[second - 1, 0] * marginals.single[second, 1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda lines: lines[:-1], "found 3 sentences, expected 4"),
        (lambda lines: [*lines[:2], lines[1].replace("dog", "cat"), *lines[3:]], "line 3: found the cat runs"),
        (lambda lines: [*lines[:2], lines[1], *lines[3:]], "line 3: found the dog runs, expected the 2 tokens"),
        (lambda lines: [lines[0].replace('"D", "N", "V"', '"x", "y", "z"'), *lines[1:]], "found the tags x, y, z"),
        (lambda lines: [lines[0], lines[1].replace("[[", "[[1e999, "), *lines[2:]], "line 2: "),
    ],
)
def test_scores_of_another_test_set_are_refused(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        read_tagger(written(tmp_path / "s.jsonl", change(scores())), TEST)


def test_figure_4_has_bars_of_each_tagger_as_its_own_comparison_has_them(tmp_path):
    corpus = tagged_corpus(TEST)
    hmm = TaggerOutput(HMM.marginals(corpus.tokens, corpus.lengths), HMM.tags)
    model, marginals = read_tagger(written(tmp_path / "s.jsonl", scores(transitions=False)), TEST)
    mine, files = TaggerOutput(marginals, model.tags), {}
    for target, paired in (("tags", paired_tags), ("bigrams", paired_bigrams)):
        for prefix, second, name in (("", hmm, "crf"), ("other_", mine, "mine")):
            compared = compare_labels(*paired(hmm, second, corpus), bin_size=4, samples=20, replicates=99, seed=0)
            files[prefix + target] = str(tmp_path / f"{prefix}{target}.csv")
            write_table(files[prefix + target], "", label_comparison_rows(compared, first="hmm", second=name))
    _, rows = figure_4(**files, frequent=5, names=["mine"])
    error = {(row["label"], row["model"]): row["error"] for row in rows if row["panel"] == "b"}
    assert {model for _, model in error} == {"hmm", "crf", "mine"}
    assert error["N–V", "hmm"] == error["N–V", "crf"] != error["N–V", "mine"]


def test_probabilities_in_the_place_of_logits_are_refused(tmp_path):
    model, *lines = map(json.loads, scores())
    for each in lines:
        odds = np.exp(each["logits"])
        each["logits"] = (odds / odds.sum(axis=1, keepdims=True)).tolist()
    path = written(tmp_path / "scores.jsonl", map(json.dumps, (model, *lines)))
    with pytest.raises(InputError, match=r"line 2: found logits that are probabilities.*, expected logits"):
        read_tagger(path, TEST)
