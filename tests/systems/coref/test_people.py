"""Who is counted as a person of a text, and who is only described."""

import pytest

import nlpcalib as nc
from nlpcalib.systems.coref.answer.people import person_mentions


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("It was the doctor who called.", ["the doctor who called"]),
        ("He was with a nurse.", ["He", "a nurse"]),
        ("This is my brother.", ["my", "my brother"]),
        ("Our only hope was Tom.", ["Tom"]),
        ("The car is Anna's.", ["Anna's"]),
        ("She is a doctor.", ["She"]),
        ("The winner was Tom.", ["The winner"]),
    ],
)
def test_a_predicate_is_a_person_where_its_subject_is_none(text, people):
    resolution = nc.find_entities(text).resolution
    assert [resolution.mentions[each].text(resolution.document) for each in person_mentions(resolution)] == people
