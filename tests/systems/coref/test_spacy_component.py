"""The component of spaCy pipelines, on documents made by hand: no pipeline is downloaded."""

import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.pipeline import merge_noun_chunks
from spacy.tokens import Doc, DocBin, Span
from spacy.vocab import Vocab

from nlpcalib.errors import InputError
from nlpcalib.systems.coref import resolve
from nlpcalib.systems.coref.answer import spacy_factory
from nlpcalib.systems.coref.answer.spacy_component import CorefComponent, document_of

WORDS = ["Ana", "Ruiz", "slept", ".", "\n\n", "She", "saw", "her", "dog", "in", "Oslo", "."]
TAGS = ["NNP", "NNP", "VBD", ".", "_SP", "PRP", "VBD", "PRP$", "NN", "IN", "NNP", "."]
SPACES = [True, True, False, False, False, True, True, True, True, True, False, False]
# The same trees, in Universal Dependencies and as spaCy's own English models label them.
SCHEMES = {
    "universal": (
        [2, 0, 2, 2, 3, 6, 6, 8, 6, 10, 6, 6],
        ["nsubj", "flat", "ROOT", "punct", "dep", "nsubj", "ROOT", "nmod:poss", "obj", "case", "obl", "punct"],
    ),
    "clearnlp": (
        [1, 2, 2, 2, 3, 6, 6, 8, 6, 6, 9, 6],
        ["compound", "nsubj", "ROOT", "punct", "dep", "nsubj", "ROOT", "poss", "dobj", "prep", "pobj", "punct"],
    ),
}


ATTRIBUTES = (
    *("coref_mentions", "coref_entities", "coref_marginals", "coref_antecedents"),
    "resolved_text",
)


def is_kept(doc, again, mentions=("Ana Ruiz", "She", "her", "her dog", "Oslo")):
    """Check that a document has what another has, its mentions where their characters are."""
    assert [span.text for span in again._.coref_mentions] == list(mentions)
    np.testing.assert_array_equal(again._.coref_marginals, doc._.coref_marginals)
    np.testing.assert_array_equal(again._.coref_antecedents, doc._.coref_antecedents)
    assert [(group.name, group.attrs) for group in again._.coref_entities] == [
        (group.name, group.attrs) for group in doc._.coref_entities
    ]
    assert again._.resolved_text == doc._.resolved_text
    assert [span.text for span in again.spans["coref_mentions"]] == list(mentions)


def assert_refused(doc, message):
    for name in ATTRIBUTES:
        with pytest.raises(InputError, match=message):
            getattr(doc._, name)


def made(nlp, scheme="universal"):
    heads, relations = SCHEMES[scheme]
    return Doc(nlp.vocab, words=WORDS, spaces=SPACES, tags=TAGS, heads=heads, deps=relations)


@pytest.fixture(scope="module")
def nlp():
    blank = spacy.blank("en")
    blank.add_pipe("nlpcalib_coref")
    return blank


@pytest.mark.parametrize("scheme", SCHEMES)
def test_mentions_and_entities_are_spans_of_the_document(nlp, scheme):
    doc = nlp(made(nlp, scheme))
    assert [(span.text, span.label_) for span in doc._.coref_mentions] == [
        *(("Ana Ruiz", "proper"), ("She", "pronoun"), ("her", "pronoun"), ("her dog", "nominal"), ("Oslo", "proper")),
    ]
    entity = doc._.coref_entities[0]
    assert (entity.name, [span.text for span in entity]) == ("Ana Ruiz", ["Ana Ruiz", "She", "her"])
    assert doc._.resolved_text == "Ana Ruiz slept.\n\nAna Ruiz saw Ana Ruiz's dog in Oslo."
    members = np.array(entity.attrs["mentions"])
    pairs = doc._.coref_marginals[np.ix_(members, members)][np.tril_indices(members.size, -1)]
    assert entity.attrs["coherence"] == pytest.approx(pairs.mean())


def test_a_word_below_white_space_has_the_word_above_as_its_head(nlp):
    words = ["Ana", "saw", "  ", "Ben"]
    doc = Doc(
        nlp.vocab,
        words=words,
        tags=["NNP", "VBD", "_SP", "NNP"],
        heads=[1, 1, 1, 2],
        deps=["nsubj", "ROOT", "dep", "obj"],
    )
    [sentence] = document_of(doc).sentences
    assert (sentence.heads, sentence.relations) == ((2, 0, 2), ("nsubj", "root", "obj"))


def test_the_component_says_what_the_library_says(nlp):
    doc = nlp(made(nlp))
    document = document_of(made(nlp))
    [found] = resolve([document])
    np.testing.assert_array_equal(doc._.coref_marginals, found.marginals)
    np.testing.assert_array_equal(doc._.coref_antecedents, found.conditionals)
    assert document.sentences[1].words == ("She", "saw", "her", "dog", "in", "Oslo", ".")


def through_doc_bin(doc):
    stored = DocBin(docs=[doc]).to_bytes()
    return next(DocBin().from_bytes(stored).get_docs(doc.vocab))


@pytest.mark.parametrize(
    "through",
    [
        lambda doc: Doc(doc.vocab).from_bytes(doc.to_bytes()),
        lambda doc: pickle.loads(pickle.dumps(doc)),
        through_doc_bin,
        lambda doc: doc.copy(),
    ],
    ids=["bytes", "pickle", "DocBin", "copy"],
)
def test_what_is_found_survives(nlp, through):
    doc = nlp(made(nlp))
    is_kept(doc, through(doc))


def test_mentions_keep_their_words_where_tokens_are_merged(nlp):
    doc, again = nlp(made(nlp)), nlp(made(nlp))
    with again.retokenize() as retokenizer:
        retokenizer.merge(again[0:2])
    is_kept(doc, again)
    is_kept(doc, Doc(nlp.vocab).from_bytes(again.to_bytes()))


def test_mentions_keep_their_words_where_tokens_are_split(nlp):
    doc, again = nlp(made(nlp)), nlp(made(nlp))
    with again.retokenize() as retokenizer:
        retokenizer.split(again[1], ["Ru", "iz"], heads=[(again[1], 1), again[0]])
    is_kept(doc, again)


def test_mentions_keep_their_words_after_merge_entities(nlp):
    doc, again = nlp(made(nlp)), nlp(made(nlp))
    again.ents = [Span(again, 0, 2, label="PERSON")]
    is_kept(doc, nlp.create_pipe("merge_entities")(again))


def test_a_mention_inside_of_a_merged_noun_chunk_is_in_no_entity(nlp):
    """*Her* of *her dog* is Ana, and the merged chunk is not."""
    doc, again = nlp(made(nlp)), nlp(made(nlp))
    again.noun_chunks_iterator = lambda doclike: iter([(0, 2, 0), (7, 9, 0), (10, 11, 0)])
    merged = merge_noun_chunks(again)
    assert [span.text for span in merged._.coref_mentions] == ["Ana Ruiz", "She", "her dog", "her dog", "Oslo"]
    np.testing.assert_array_equal(merged._.coref_marginals, doc._.coref_marginals)
    [ana] = merged._.coref_entities
    assert [span.text for span in ana] == ["Ana Ruiz", "She"]
    assert ana.attrs["mentions"] == [0, 1]


def test_noun_chunks_that_were_merged_before_are_refused_but_not_entities(nlp):
    merged = made(nlp)
    merged.noun_chunks_iterator = lambda doclike: iter([(7, 9, 0)])
    with pytest.raises(InputError, match="found the token 'her dog', expected single words"):
        nlp(merge_noun_chunks(merged))
    named = made(nlp)
    named.ents = [Span(named, 0, 2, label="PERSON")]
    assert nlp(nlp.create_pipe("merge_entities")(named))._.coref_mentions[0].text == "Ana Ruiz"


def test_a_part_of_a_document_and_documents_that_are_joined_are_refused(nlp):
    doc = nlp(made(nlp))
    joined = Doc.from_docs([doc, nlp(made(nlp))])
    assert [span.text for span in joined.spans["coref_mentions"]] == 2 * [m.text for m in doc._.coref_mentions]
    for other, message in (
        (doc[0:4].as_doc(), "drop its results"),
        (joined, "drop its results"),
    ):
        assert_refused(other, message)
        assert nlp(other)._.coref_mentions


def test_weights_of_the_component_are_those_of_the_library(nlp):
    doc = CorefComponent(temperature=2.0)(made(nlp))
    [found] = resolve([document_of(made(nlp))], temperature=2.0)
    np.testing.assert_array_equal(doc._.coref_marginals, found.marginals)


def test_a_long_document_has_sparse_arrays_that_survive_bytes(nlp, monkeypatch):
    long = Doc.from_docs([made(nlp)] * 30)
    windowed = CorefComponent(window=100)(long)
    again = Doc(nlp.vocab).from_bytes(windowed.to_bytes())
    assert windowed._.coref_marginals.shape == (150, 150)
    assert abs(again._.coref_marginals - windowed._.coref_marginals).max() == 0


def test_documents_without_annotation_and_other_documents(nlp):
    with pytest.raises(InputError, match="found no annotation TAG, expected a tagger and a parser to run first"):
        nlp("Ana slept.")
    empty = nlp("")
    assert (empty._.coref_entities, empty._.coref_mentions) == ([], [])
    untouched = spacy.blank("en")("Ana slept.")
    assert_refused(untouched, "found no entities, expected nlpcalib_coref to have run")


def test_the_package_offers_the_component():
    project = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    [entry] = re.findall(r'\[project\.entry-points\.spacy_factories\]\nnlpcalib_coref = "(.+):(.+)"\n', project)
    assert entry == (spacy_factory.__name__, spacy_factory.make_component.__name__)


def test_what_spacy_loads_in_every_pipeline_loads_nothing_that_is_slow():
    factory = "nlpcalib.systems.coref.answer.spacy_factory"
    code = f"import spacy, sys; old = {{*sys.modules}}; import {factory}; print(*{{*sys.modules}} - old)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert factory in loaded
    assert [name for name in loaded if name.partition(".")[0] == "scipy" or name.endswith(".posterior")] == []


@pytest.mark.parametrize(("object_relation", "clearnlp"), [("obj", False), ("dobj", True)])
def test_relations_of_clearnlp_are_recognised_and_universal_ones_are_kept(object_relation, clearnlp):
    columns = {"words": ["Ana", "saw", "Leo"], "tags": ["NNP", "VBD", "NNP"], "heads": [1, 1, 1]}
    doc = Doc(Vocab(), deps=["nsubj", "ROOT", object_relation], **columns)
    found = document_of(doc)
    assert found.metadata == ({"relations": "ClearNLP"} if clearnlp else {})
    assert [each.lower() for each in found.sentences[0].relations] == ["nsubj", "root", "obj"]
