"""The component of spaCy pipelines, on documents made by hand: no pipeline is downloaded."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import spacy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from nlpcalib.coref import resolve
from nlpcalib.coref.answer import spacy_factory
from nlpcalib.coref.answer.spacy_component import CorefComponent, document_of
from nlpcalib.errors import InputError

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


def test_the_component_says_what_the_library_says(nlp):
    doc = nlp(made(nlp))
    document, _ = document_of(made(nlp))
    [found] = resolve([document])
    np.testing.assert_array_equal(doc._.coref_marginals, found.marginals)
    np.testing.assert_array_equal(doc._.coref_antecedents, found.conditionals)
    assert document.sentences[1].words == ("She", "saw", "her", "dog", "in", "Oslo", ".")


def test_what_is_found_survives_bytes(nlp):
    doc = nlp(made(nlp))
    again = Doc(nlp.vocab).from_bytes(doc.to_bytes())
    np.testing.assert_array_equal(again._.coref_marginals, doc._.coref_marginals)
    assert [group.name for group in again._.coref_entities] == [group.name for group in doc._.coref_entities]
    assert again._.resolved_text == doc._.resolved_text


def test_a_long_document_has_sparse_arrays_that_survive_bytes(nlp, monkeypatch):
    long = Doc.from_docs([made(nlp)] * 30)
    windowed = CorefComponent(None, None, 100, 0.5)(long)
    again = Doc(nlp.vocab).from_bytes(windowed.to_bytes())
    assert windowed._.coref_marginals.shape == (150, 150)
    assert abs(again._.coref_marginals - windowed._.coref_marginals).max() == 0


def test_documents_without_annotation_and_other_documents(nlp):
    with pytest.raises(InputError, match="found no annotation TAG, expected a tagger and a parser before"):
        nlp("Ana slept.")
    empty = nlp("")
    assert (empty._.coref_entities, empty._.coref_mentions) == ([], [])
    untouched = spacy.blank("en")("Ana slept.")
    assert (untouched._.coref_entities, untouched._.coref_marginals, untouched._.resolved_text) == (
        [],
        None,
        "Ana slept.",
    )


def test_the_package_offers_the_component():
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    [entry] = re.findall(r'\[project\.entry-points\.spacy_factories\]\nnlpcalib_coref = "(.+):(.+)"\n', project)
    assert entry == (spacy_factory.__name__, spacy_factory.make_component.__name__)


def test_what_spacy_loads_in_every_pipeline_loads_nothing_that_is_slow():
    factory = "nlpcalib.coref.answer.spacy_factory"
    code = f"import spacy, sys; old = {{*sys.modules}}; import {factory}; print(*{{*sys.modules}} - old)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert factory in loaded
    assert [name for name in loaded if name.partition(".")[0] == "scipy" or name.endswith(".posterior")] == []


@pytest.mark.parametrize(("object_relation", "clearnlp"), [("obj", False), ("dobj", True)])
def test_relations_of_clearnlp_are_recognised_and_universal_ones_are_kept(object_relation, clearnlp):
    columns = {"words": ["Ana", "saw", "Leo"], "tags": ["NNP", "VBD", "NNP"], "heads": [1, 1, 1]}
    doc = Doc(Vocab(), deps=["nsubj", "ROOT", object_relation], **columns)
    found, _ = document_of(doc)
    assert found.metadata == ({"relations": "ClearNLP"} if clearnlp else {})
    assert [each.lower() for each in found.sentences[0].relations] == ["nsubj", "root", "obj"]
