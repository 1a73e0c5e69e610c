"""Who *I* is not: whoever has *me* as object, or is the object of *I*, of one verb or of verbs that share a subject."""

import pytest

import nlpcalib as nc
from nlpcalib.systems.coref.model.attributes import mention_table


def entities(text, *words):
    """Return the entities of the mentions with these words."""
    report = nc.find_entities(text)
    return [
        {
            int(entity)
            for entity, found in zip(report.resolution.entities, report.mentions, strict=True)
            if found in each
        }
        for each in words
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Uncle William came to tea and teased me. I was cross, and I went to bed.", "Uncle William"),
        ("Mr. Harker called after dinner and scolded me because I had not been to church.", "Mr. Harker"),
        ("Captain Ross wrote to me. My mother read it to us and I cried.", "Captain Ross"),
        ("Kate wanted to see me. I was ill, and I slept.", "Kate"),
        ("Kate gave me a book. I was glad. Kate left. I read it.", "Kate"),
        ("Mrs. Pell came. I was ill. I told Mrs. Pell to go.", "Mrs. Pell"),
    ],
)
def test_who_acts_on_me_is_not_i_anywhere(text, name):
    named, first_persons = entities(text, {name}, {"I", "me", "My"})
    assert named
    assert len(first_persons) == 1
    assert named.isdisjoint(first_persons)


def test_i_of_a_quotation_is_another_voice():
    text = 'Kate teased me. "I am sorry," said Kate.'
    report = nc.find_entities(text)
    words, marginals = report.mentions, report.resolution.marginals
    last = len(words) - 1 - words[::-1].index("Kate")
    assert marginals[last, words.index("I")] == 1
    assert report.resolution.conditionals[words.index("I"), words.index("me")] == 0


@pytest.mark.parametrize(
    "text",
    [
        "I hurt myself. Kate hurt herself.",
        "I am Kate. Kate is my name.",
        'Ruth looked at the doctor. "Tell me the truth," she said. "I have rested for a month," said Ruth.',
    ],
)
def test_reflexives_predicates_and_tellers_of_quotations_exclude_nothing(text):
    table = nc.find_entities(text).resolution
    assert (mention_table(table.document, table.mentions).other_voice < 0).all()
