"""Names that a parser cut in two."""

from dataclasses import replace

from nlpcalib.coref.answer.whole_names import with_whole_names
from nlpcalib.text.document import Sentence

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
    common = replace(CUT, tags=("NN", "NNP", "VBD", "NNP"))
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
