"""The paper's own sentences (section 6), read by the packaged parser, model and lexicon, with bounds from its text."""

import csv
import itertools
from collections import Counter
from pathlib import Path

import pytest
from tests.systems.events.queries import ATTACK

from nlpcalib.systems.coref import resolve
from nlpcalib.systems.coref.model.mentions import candidate_mentions
from nlpcalib.systems.events.read.extraction import affiliations, candidate_events, find_evidence
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.probability import document_events
from nlpcalib.systems.text.parsing import load_parser
from reproduction.events.country_dependencies import country_dependencies

LEXICON = load_lexicon(["packaged"])
SENTENCES = Path(__file__).parents[2] / "data/events/attackers.tsv"
HUSSEIN = "But some political leaders said that they feared that Mr. Hussein might attack Saudi Arabia."


@pytest.fixture(scope="module")
def parser():
    return load_parser()


def probabilities(parser, text):
    """Return the probability of an attack by each country, over samples of entities."""
    [resolution] = resolve(parser.parse_texts([("text", text)]))
    evidence = find_evidence(resolution.document, [ATTACK], LEXICON, resolution.mentions)
    events = document_events(resolution, ATTACK, evidence, samples=2000)
    return {event.country: float((event.samples > 0).mean()) for event in events.probabilities}


def test_the_attack_that_mr_hussein_might_begin_is_iraqs_in_about_half_of_the_samples(parser):
    found = probabilities(parser, f"President Saddam Hussein of Iraq met ministers in Baghdad on Friday. {HUSSEIN}")
    assert 0.3 < found["IRQ"] < 0.8


def test_some_hussein_mentions_are_clustered_with_presidents_of_other_countries(parser):
    envoys = "President Saddam Hussein of Iraq received envoys from Egypt on Friday."
    bush = "President Bush of the United States spoke with the king of Jordan. The talks lasted two days."
    found = probabilities(parser, f"{envoys} {bush} {HUSSEIN}")
    assert 0 < found["USA"] < found["IRQ"] < 0.8


@pytest.mark.parametrize(
    ("text", "country", "least"),
    [
        ("Americans attacked the port.", "USA", 1),
        ("American forces attacked the port.", "USA", 1),
        ("The president of the U.S. attacked the port.", "USA", 1),
        ("American forces crossed the river. The port was attacked by them.", "USA", 0.5),
        ("Russian troops were sighted near the border, and they attacked a village.", "RUS", 0.5),
    ],
)
def test_who_is_described_as_a_country_in_section_6_attacks(parser, text, country, least):
    """What no pronoun stands between is certain; a pronoun is more probably the only group of people than not."""
    assert probabilities(parser, text)[country] >= least


def test_ranks_and_nouns_in_front_leave_an_attacker_its_country(parser):
    """Sixty sentences with the countries that their attackers are meant to have, and those that are found."""
    with SENTENCES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert len(rows) == 60
    found = {}
    for document in parser.parse_texts(((row["sentence"], row["sentence"]) for row in rows), edited=True):
        evidence = find_evidence(document, [ATTACK], LEXICON)
        agents = {each.mention for each in evidence.candidates["attack"] if each.role == "agent"}
        found[document.id] = sorted({e.country for e in evidence.affiliations if e.mention in agents})
    assert {row["sentence"]: row["after"].split() for row in rows} == found
    right = {stage: Counter(row["kind"] for row in rows if row[stage] == row["meant"]) for stage in ("before", "after")}
    assert right["after"] == {"rank": 25, "modifier": 20, "control": 9}
    assert right["before"] == {"rank": 14, "modifier": 6, "control": 9}


def test_a_title_ends_no_sentence_and_the_end_of_a_sentence_does(parser):
    text = "They saw Maj. Gen. Omar Bakr. Col. Karim Haddad and Lt. Ivan Petrov met. He was a major. It ended."
    for edited in (False, True):
        [document] = parser.parse_texts([("text", text)], edited=edited)
        assert [" ".join(sentence.words[:3]) for sentence in document.sentences] == [
            "They saw Maj.", "Col. Karim Haddad", "He was a", "It ended ."
        ]  # fmt: skip
        assert document.sentences[0].words == ("They", "saw", "Maj.", "Gen.", "Omar", "Bakr", ".")


PLACES = ("Iraq", "Peru", "Kenya", "Bolivia", "Sudan", "Norway", "Egypt", "Chile")
ADJECTIVES = ("Iraqi", "Peruvian", "Kenyan", "Bolivian", "Sudanese", "Norwegian", "Egyptian", "Chilean")
NAMES = (
    "Karim Haddad", "Rosa Quintana", "Joseph Mwangi", "Elena Vargas", "Omar Siddiq", "Ingrid Solberg", "Nadia Farouk",
    "Pablo Araya",
)  # fmt: skip
TITLES = ("President", "General", "Colonel")
TARGETS = ("the port", "a village", "the radar station", "the rebels", "two ships", "the airfield", "the camp", "a dam")
FORMS = (
    "{title} {name} of {place}",
    "{title} {last} of {place}",
    "{adjective} {title} {name}",
    "{place}'s {title_lower}, {name},",
    "{name}, the {title_lower} of {place},",
    "{adjective} forces",
    "troops of {place}",
    "soldiers from {place}",
    "the {adjective} {title_lower}",
)
"""The forms in which news names an agent with its country."""


def sentences(form):
    """Yield each country with a sentence in which it attacks."""
    people = zip(PLACES, ADJECTIVES, NAMES, strict=True)
    for number, (title, (place, adjective, name)) in enumerate(itertools.product(TITLES, people)):
        agent = form.format(
            title=title, title_lower=title.lower(), name=name, last=name.split()[-1], place=place, adjective=adjective
        )
        yield place, f"{agent} attacked {TARGETS[number % 8]} {('on Tuesday', 'at dawn')[number % 2]}."


def finds(document, place):
    """Return whether the agent of the sentence is affiliated with the place."""
    spans = candidate_mentions(document)
    agents = {candidate.mention for candidate in candidate_events(document, spans, ATTACK) if candidate.role == "agent"}
    [(_, _, code)] = LEXICON.find([place])
    return any(each.country == code for each in affiliations(document, spans, LEXICON) if each.mention in agents)


def test_the_agents_country_is_found_in_nine_forms(parser):
    cases = [each for form in FORMS for each in sentences(form)]
    documents = parser.parse_texts((str(number), text) for number, (_, text) in enumerate(cases))
    found = [finds(document, place) for (place, _), document in zip(cases, documents, strict=True)]
    assert len(found) == 9 * 24
    assert sum(found) >= 0.95 * len(found)


def test_relations_of_a_countrys_entities_are_counted_with_what_governs_them(parser):
    """Appendix 3; they are the troops, and the village is nobody's."""
    [resolution] = resolve(
        parser.parse_texts([("text", "American troops landed on Friday. They attacked the village.")])
    )
    found = country_dependencies(resolution, LEXICON)
    assert found == {("nsubj", "land"): 1, ("nsubj", "attack"): 1}
