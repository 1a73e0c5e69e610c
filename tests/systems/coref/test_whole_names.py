"""Names that a parser cut in two."""

from dataclasses import replace

import pytest

from nlpcalib.systems.coref.answer.whole_names import with_whole_names
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.text.document import Document, Sentence

CUT = Sentence(
    "1",
    ("Mr", "Cole", "met", "Ana"),
    tags=("NNP", "NNP", "VBD", "NNP"),
    heads=(3, 3, 0, 3),
    relations=("nsubj", "nsubj", "root", "obj"),
)


def test_two_names_that_are_subjects_of_one_verb_are_one():
    whole = with_whole_names(CUT)
    assert (whole.heads, whole.relations) == ((3, 1, 0, 3), ("nsubj", "flat", "root", "obj"))


def test_a_name_that_is_whole_and_a_common_noun_stay():
    assert with_whole_names(with_whole_names(CUT)) == with_whole_names(CUT)
    common = replace(CUT, words=("Clerk", *CUT.words[1:]), tags=("NN", "NNP", "VBD", "NNP"))
    assert with_whole_names(common) is common


def test_a_proper_noun_before_a_family_name_is_part_of_it_and_before_a_thing_is_not():
    def relation(first, second):
        sentence = Sentence(
            "1",
            ("She", "met", first, second),
            tags=("PRP", "VBD", "NNP", "NNP"),
            heads=(2, 0, 4, 2),
            relations=("nsubj", "root", "compound", "obj"),
        )
        return with_whole_names(sentence).relations[2]

    assert [relation(*name) for name in (("Elsa", "Thorne"), ("Mrs.", "Quayle"))] == ["flat", "flat"]
    assert [relation(*name) for name in (("Mill", "Road"), ("Oslo", "Reds"))] == ["compound", "compound"]


def _listed(*names, relation="appos"):
    """Return the sentence *Present: …* with names of two words, each of which describes the one before."""
    words, tags, heads, relations = ["Present", ":"], ["JJ", ":"], [0, 1], ["root", "punct"]
    for number, name in enumerate(names):
        if number:
            words, tags, heads, relations = [*words, ","], [*tags, ","], [*heads, len(words) + 2], [*relations, "punct"]
        first = len(words) + 1
        words, tags = [*words, *name.split()], [*tags, "NNP", "NNP"]
        heads = [*heads, first - 3 if number else 1, first]
        relations = [*relations, relation if number else "obj", "flat"]
    return Sentence("1", tuple(words), tags=tuple(tags), heads=tuple(heads), relations=tuple(relations))


@pytest.mark.parametrize("relation", ["appos", "flat", "nmod:unmarked"])
@pytest.mark.parametrize(
    "names",
    [
        ("Mr Boyce", "Mr Hart", "Dr Penrose"),
        ("Ms. Abara", "Mr. Cole", "Captain Morrow"),
        ("Mrs Lyle", "Miss Lyle", "Mr Lyle"),
        ("Anna Berg", "Thomas Hale", "Maria Costa"),
    ],
)
def test_people_in_a_list_are_conjuncts_of_the_first(names, relation):
    whole = with_whole_names(_listed(*names, relation=relation))
    assert [whole.relations[place] for place in (2, 5, 8)] == ["obj", "conj", "conj"]
    assert [whole.heads[place] for place in (5, 8)] == [3, 3]
    spans = candidate_mentions(Document("d", (whole,)))
    assert [(span.start, span.end) for span in spans] == [(2, 4), (5, 7), (8, 10)]


@pytest.mark.parametrize("names", [("Mr Boyce", "Mr Boyce"), ("Mr Boyce", "Henry Boyce"), ("Oslo Reds", "Mill Road")])
def test_a_second_name_of_one_person_still_describes_the_first(names):
    sentence = _listed(*names)
    assert with_whole_names(sentence) is sentence


def test_a_title_belongs_to_the_name_after_it():
    words = ("Has", "Mr", "Hart", "'s", "brother", "come", "?")
    sentence = Sentence(
        "1", words,
        tags=("VBZ", "NNP", "NNP", "POS", "NN", "VBN", "."),
        heads=(6, 5, 5, 3, 6, 0, 6),
        relations=("aux", "compound", "nmod:poss", "case", "nsubj", "root", "punct"),
    )  # fmt: skip
    whole = with_whole_names(sentence)
    assert (whole.heads[1], whole.relations[1]) == (3, "flat")
