"""Who can be whom in ordinary text: links that are excluded, and names that are one."""

import pytest

import nlpcalib as nc


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
        ("Her brother met Tom.", "Her brother", "Her"),
        ("Capt. Hale met Capt. Dunn.", "Capt. Dunn", "Capt. Hale"),
    ],
)
def test_people_who_are_not_one_have_no_link(text, later, earlier):
    assert direct(text, later, earlier) == 0


@pytest.mark.parametrize(
    ("text", "later", "earlier"),
    [
        ("They met a woman whose sister admired her.", "her", "a woman whose sister admired her"),
        ("Silver was born Kerri Kenney in 1970.", "Kerri Kenney", "Silver"),
        ("In her youth, Adele Kerr , sailed.", "Adele Kerr", "her"),
        ("Rick Lane won. Rick Lane himself was surprised.", "Rick Lane himself", "Rick Lane"),
        ("Henry Wotton arrived. Basil liked Lord Henry.", "Lord Henry", "Henry Wotton"),
        ("Sir James Chettam rode home. Nobody saw Sir James.", "Sir James", "Sir James Chettam"),
    ],
)
def test_people_who_can_be_one_have_a_link(text, later, earlier):
    assert direct(text, later, earlier) > 0


@pytest.mark.parametrize("title", ["Mr", "Miss", "Dr"])
def test_no_sentence_ends_between_a_title_and_its_name(title):
    report = nc.find_entities(f"The clerk was instructed to write to the founder. {title} Boyce said that it was late.")
    assert f"{title} Boyce" in report.mentions


def test_a_place_does_not_belong_to_a_name():
    [paul, *_] = nc.find_entities("Mr. Paul Grant in Boston called. He was late.").entities
    assert paul["name"] == "Mr. Paul Grant"
