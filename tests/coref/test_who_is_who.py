"""Who can be whom in ordinary text: links that are excluded, names that are one, and singular they."""

import pytest

import nlpcalib as nc
from nlpcalib.coref.answer.people import person_mentions


def direct(text, later, earlier):
    """Return the probability that the last mention with these words has the first one with those as antecedent."""
    report = nc.find_entities(text)
    words = report.mentions
    rows = report.resolution.conditionals
    return float(rows[len(words) - 1 - words[::-1].index(later), words.index(earlier)])


@pytest.mark.parametrize(
    ("text", "later", "earlier"),
    [
        ("Brigitte asked for tea. Wen made it. Wen sat.", "Wen", "Brigitte"),
        ("Mr. Abbott sold a horse. It was lame.", "It", "Mr. Abbott"),
        ("My mother is late. I am not.", "I", "My mother"),
        ("Edmund landed. Nobody saw Edmund.", "Nobody", "Edmund"),
        ("Her brother met Tom.", "Her brother", "Her"),
        ("Lola plays. Grandma laughs.", "Grandma", "Lola"),
    ],
)
def test_people_who_are_not_one_have_no_link(text, later, earlier):
    assert direct(text, later, earlier) == 0


def test_a_short_form_is_the_long_name_that_the_text_has():
    several = {row["name"] for row in nc.find_entities("Robert left early. Bob was tired.").entities}
    assert len(several & {"Robert", "Bob"}) == 1
    apart = {row["name"] for row in nc.find_entities("Richard left early. Bob was tired.").entities}
    assert {"Richard", "Bob"} <= apart


def test_who_is_called_by_a_name_has_it():
    report = nc.find_entities("The youngest was called Hob.")
    assert report.resolution.marginals[report.mentions.index("Hob"), report.mentions.index("The youngest")] == 1


def test_they_is_likelier_one_person_where_nothing_plural_precedes():
    alone = direct("Robin opened the door. Then they sat down.", "they", "Robin")
    several = direct("The guests came. Robin opened the door. Then they sat down.", "they", "Robin")
    assert alone > 2 * several


def test_the_teller_may_follow_its_verb_and_goes_on_in_one_paragraph():
    text = '"It is my chair," said the cook. A boy laughed. "It spoils the soup," he said. "I told her."'
    report = nc.find_entities(text)
    entities = dict(zip(report.mentions, report.resolution.entities.tolist(), strict=True))
    assert entities["my"] == entities["the cook"]
    assert entities["I"] == entities["he"] != entities["the cook"]


@pytest.mark.parametrize(
    "text",
    ["She came on Sunday.", "She left in May.", "She lives in Elm Street.", "She comes by June.", "Nobody saw her."],
)
def test_dates_streets_and_nobody_are_no_people(text):
    resolution = nc.find_entities(text).resolution
    people = [resolution.mentions[each].text(resolution.document).lower() for each in person_mentions(resolution)]
    assert people in (["she"], ["her"])


def test_the_only_name_that_begins_a_mail_is_you():
    report = nc.find_entities("Tim, I spoke to Farid. Could you take his place?")
    entities = dict(zip(report.mentions, report.resolution.entities.tolist(), strict=True))
    assert entities["you"] == entities["Tim"] != entities["his"]
