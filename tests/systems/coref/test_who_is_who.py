"""Who can be whom in ordinary text: links that are excluded, names that are one, and singular they."""

import pytest

import nlpcalib as nc
from nlpcalib.systems.coref.answer.people import person_mentions


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
        ("They knew Anna, who admired her.", "her", "Anna, who admired her"),
        ("Tom waited for her sister Lisa.", "Lisa", "her"),
        ("Capt. Hale met Capt. Dunn.", "Capt. Dunn", "Capt. Hale"),
        ("Henry Wotton knew Basil Hallward. Lord Henry left.", "Lord Henry", "Basil Hallward"),
        ("Henry James knew Lord Wotton. Mr. James left.", "Mr. James", "Lord Wotton"),
    ],
)
def test_people_who_are_not_one_have_no_link(text, later, earlier):
    assert direct(text, later, earlier) == 0


@pytest.mark.parametrize(
    ("text", "later", "earlier"),
    [
        ("They met a woman whose sister admired her.", "her", "a woman whose sister admired her"),
        ("Sarah began to record in May. Jarosz sang on it.", "Jarosz", "Sarah"),
        ("Silver was born Kerri Kenney in 1970.", "Kerri Kenney", "Silver"),
        ("In her youth, Adele Kerr , sailed.", "Adele Kerr", "her"),
        ("Rick Lane won. Rick Lane himself was surprised.", "Rick Lane himself", "Rick Lane"),
        ("Henry Wotton arrived. Basil liked Lord Henry.", "Lord Henry", "Henry Wotton"),
        ("Sir James Chettam rode home. Nobody saw Sir James.", "Sir James", "Sir James Chettam"),
    ],
)
def test_people_who_can_be_one_have_a_link(text, later, earlier):
    assert direct(text, later, earlier) > 0


@pytest.mark.parametrize("text", ["Mary likes Styles, and he smiles.", "Robins has sung. She is glad."])
def test_a_surname_that_is_a_plural_can_be_he_or_she(text):
    report = nc.find_entities(text)
    name = next(each for each in ("Styles", "Robins") if each in report.mentions)
    pronoun = next(each for each in ("he", "She") if each in report.mentions)
    assert direct(text, pronoun, name) > 0


@pytest.mark.parametrize(
    "text", ["Everyone has left.", "Flowers Have Names", "The Greens have won.", "Robins have sung."]
)
def test_what_is_no_name_stays_a_noun(text):
    [sentence] = nc.find_entities(text).resolution.document.sentences
    assert "NNP" not in sentence.tags


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


LETTER = """Exeter, 20 March 1817

{greeting},

I thank you for your letter. I shall call tomorrow.

I remain, {again}, your obedient servant,
Thomas Penrose
"""


@pytest.mark.parametrize(("greeting", "again"), [("Madam", "Madam"), ("Sir", "Sir"), ("Dear Sir", "Sir")])
def test_whom_a_letter_greets_reads_it_and_did_not_write_it(greeting, again):
    report = nc.find_entities(LETTER.format(greeting=greeting, again=again))
    marginals, words = report.resolution.marginals, report.mentions
    reader, writer = words.index(greeting), words.index("I")
    assert marginals[writer, reader] == 0
    assert marginals[words.index("you"), reader] == 1
    assert report.resolution.entities[words.index("Thomas Penrose")] == report.resolution.entities[writer]


def test_a_dateline_is_nobody():
    text = "Marston Farm, 2 May 1817\n\nDear Harry,\n\nDawkins and his son mended the roof.\n\nYour brother,\nGeorge\n"
    report = nc.find_entities(text)
    [place] = [number for number, words in enumerate(report.mentions) if words.startswith("Marston")]
    assert report.resolution.marginals[place, report.mentions.index("his")] == 0
    assert place not in person_mentions(report.resolution)


def test_miss_and_mrs_of_one_surname_are_two():
    assert direct("Mrs Lyle spoke. Miss Lyle listened.", "Miss Lyle", "Mrs Lyle") == 0


@pytest.mark.parametrize("title", ["Mr", "Miss", "Dr"])
def test_no_sentence_ends_between_a_title_and_its_name(title):
    report = nc.find_entities(f"The clerk was instructed to write to the founder. {title} Boyce said that it was late.")
    assert f"{title} Boyce" in report.mentions
