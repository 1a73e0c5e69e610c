"""Links that cannot be: by gender, number, speakers and distance."""

import numpy as np
import pytest
from tests.systems.coref.test_templates import document, said

from nlpcalib.systems.coref.model.attributes import mention_table
from nlpcalib.systems.coref.model.constraints import Constraints
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.coref.model.templates import History


def numbered(table):
    history = History(table)
    return history.numbers, history.stems


def apart(*rows, speakers=(), people=False):
    """Return a function of two mentions, by their words, the later first: whether they cannot be one."""
    one = document(*rows, speakers=speakers)
    spans = candidate_mentions(one)
    table = mention_table(one, spans)
    names = [" ".join(one.sentences[span.sentence].words[span.start : span.end]) for span in spans]
    constraints = Constraints(table, people=people)
    found, allowed = constraints.apart(slice(None), slice(None)), constraints.allowed(*numbered(table), 0, len(table))
    np.testing.assert_array_equal(allowed, np.tri(len(table), k=-1, dtype=bool) & ~found)

    def between(later, earlier):
        return bool(found[len(names) - 1 - names[::-1].index(later), names.index(earlier)])

    return between


def test_he_is_neither_she_nor_a_day_a_city_or_several():
    cannot = apart(
        "July/NNP/2/nsubj came/VBD/0/root",
        "Lincolnshire/NNP/2/nsubj came/VBD/0/root",
        "films/NNS/2/nsubj came/VBD/0/root",
        said("Ana Leo she he they it sat"),
    )
    for pronoun in ("she", "he"):
        assert all(cannot(pronoun, other) for other in ("July", "Lincolnshire", "films"))
        assert not any(cannot(pronoun, other) for other in ("Ana", "Leo"))
        assert cannot("it", pronoun)
        assert not cannot("they", pronoun)
    assert cannot("he", "she")
    assert cannot("she", "he")
    assert not cannot("they", "films")


def test_i_is_who_speaks():
    rows = list(map(said, ("I you sat", "I you Ana Ben Leo sat")))
    cannot = apart(*rows, speakers=("Ana Ruiz", "Ben"))
    assert not cannot("I", "I")
    assert apart(*rows, speakers=("Ana Ruiz", "Ben"), people=True)("I", "I")
    assert cannot("you", "you")
    assert not cannot("you", "I")
    assert not cannot("I", "you")
    assert not cannot("Ana", "I")
    assert cannot("Ben", "I")
    assert not cannot("Leo", "I")


def test_i_of_unnamed_speakers_and_in_quotations_is_free():
    assert not apart(*map(said, ("I sat", "I sat")))("I", "I")
    quoted = "I/PRP/2/nsubj said/VBD/0/root ``/``/5/punct I/PRP/5/nsubj sat/VBD/2/ccomp"
    assert not apart(quoted, said("I sat"), speakers=("Ana", "Ana"))("I", "I")


@pytest.mark.parametrize(("word", "reach"), [("he", 100), ("Ana", None)])
def test_a_pronoun_has_its_antecedent_near(word, reach):
    one = document(*[said(f"{word} sat")] * 400)
    table = mention_table(one, candidate_mentions(one))
    allowed = Constraints(table).allowed(*numbered(table), 399, 400)[0]
    assert allowed.sum() == (399 if reach is None else reach)


def test_a_name_has_its_antecedent_of_another_name_within_250_mentions():
    one = document(*[said("Ana sat")] * 399, said("Leo sat"))
    table = mention_table(one, candidate_mentions(one))
    assert Constraints(table).allowed(*numbered(table), 399, 400)[0].sum() == 250


def test_i_and_you_of_one_writer_are_two():
    """A text that names no speakers has one writer; in quotations others speak, each of them one person."""
    cannot = apart(*map(said, ("I you sat", "you I sat")))
    assert cannot("I", "you")
    assert cannot("you", "I")
    assert not cannot("I", "I")
    quoted = "``/``/4/punct I/PRP/4/nsubj you/PRP/4/nsubj sat/VBD/0/root ''/''/4/punct"
    assert apart(said("he sat"), quoted)("you", "I")
    assert not apart(said("he I sat"), quoted)("you", "I")


def test_people_of_other_surnames_are_two():
    cannot = apart(
        "Ana/NNP/3/nsubj Ruiz/NNP/1/flat slept/VBD/0/root",
        "Dr./NNP/2/compound Hale/NNP/3/nsubj slept/VBD/0/root",
        "Mrs./NNP/2/compound Ruiz/NNP/3/nsubj slept/VBD/0/root",
        people=True,
    )
    assert cannot("Dr. Hale", "Ana Ruiz")
    assert not cannot("Mrs. Ruiz", "Ana Ruiz")


def test_people_of_the_other_sex_by_title_or_given_name_are_two():
    cannot = apart(
        "Mrs./NNP/2/compound Carver/NNP/3/nsubj left/VBD/0/root",
        "Mr./NNP/2/compound Carver/NNP/3/nsubj left/VBD/0/root",
        "Anna/NNP/2/nsubj left/VBD/0/root",
        "Kelly/NNP/2/nsubj left/VBD/0/root",
        said("my uncle he left"),
        people=True,
    )
    assert cannot("Mr. Carver", "Mrs. Carver")
    assert all(cannot("he", name) for name in ("Mrs. Carver", "Anna"))
    assert not any(cannot("he", name) for name in ("Mr. Carver", "Kelly"))


def test_full_names_of_one_surname_with_other_initials_are_two():
    names = ("Julia Winter", "Paul Winter", "Peter Winter")
    rows = (f"{one}/NNP/3/nsubj {two}/NNP/1/flat left/VBD/0/root" for one, two in map(str.split, names))
    cannot = apart(*rows, "Winter/NNP/2/nsubj left/VBD/0/root", people=True)
    assert cannot("Paul Winter", "Julia Winter")
    assert not cannot("Peter Winter", "Paul Winter")
    assert not cannot("Winter", "Paul Winter")


def test_subject_and_object_of_one_verb_are_two():
    cannot = apart(
        "Leo/NNP/2/nsubj called/VBD/0/root him/PRP/2/obj",
        "Ben/NNP/2/nsubj hurt/VBD/0/root himself/PRP/2/obj",
        "they/PRP/2/nsubj know/VBP/0/root each/DT/4/det other/JJ/2/obj",
        people=True,
    )
    assert cannot("him", "Leo")
    assert not cannot("each other", "they")
    assert not cannot("himself", "Ben")
    assert not cannot("Ben", "him")


def test_who_is_spoken_of_in_a_quotation_is_not_its_teller():
    quoted = "``/``/4/punct he/PRP/4/nsubj has/VBZ/4/aux left/VBN/6/ccomp ''/''/6/punct said/VBD/0/root Leo/NNP/6/nsubj"
    assert apart(quoted, people=True)("Leo", "he")
    assert not apart(quoted)("Leo", "he")
    assert not apart(quoted, said("he left"), people=True)("he", "Leo")


def test_i_is_not_he_of_the_same_speaker():
    cannot = apart(said("I he sat"), said("you she sat"), people=True)
    assert cannot("he", "I")
    assert cannot("she", "you")
    assert not apart(said("I sat"), said("he sat"), speakers=("Ana", "Ben"), people=True)("he", "I")
    quoted = "``/``/4/punct I/PRP/4/nsubj you/PRP/4/nsubj sat/VBD/0/root ''/''/4/punct"
    assert apart(quoted, said("Leo sat"), speakers=("Ana", "Ben"), people=True)("you", "I")
    assert not apart(quoted, said("Leo sat"), speakers=("Ana", "Ben"))("you", "I")


def test_i_and_you_are_no_things():
    cannot = apart(said("it sat"), said("I sat"), said("you sat"), people=True)
    assert cannot("I", "it")
    assert cannot("you", "it")
    assert not apart(said("it sat"), said("I sat"))("I", "it")


def test_one_word_names_that_differ_are_two_unless_one_can_be_the_surname():
    cannot = apart(said("Anna Tom Jarosz sat"), said("Anna sat"), said("Tom sat"), people=True)
    assert cannot("Tom", "Anna")
    assert not cannot("Anna", "Anna")
    assert not cannot("Tom", "Jarosz")
