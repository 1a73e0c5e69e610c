"""The wide reading: who does what to whom and where, in verbs and nouns, read by the parser in the box."""

import csv
import dataclasses
import datetime
from functools import cache
from pathlib import Path

import pytest

from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import CountryLexicon, load_lexicon
from nlpcalib.events.read.query import Query, categories
from nlpcalib.events.read.status import STATUSES
from nlpcalib.text.document import Document
from nlpcalib.text.parsing.model import load_parser
from nlpcalib.text.parsing.parser import Parser

EXAMPLES = Path(__file__).parents[1] / "data" / "events" / "category_examples.tsv"
WIDE = load_lexicon(["packaged", "cities", "actors"])

parser = cache(load_parser)


def examples() -> list[dict[str, str]]:
    with EXAMPLES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def parsed(text: str, date: datetime.date | None = None) -> Document:
    model: Parser = parser()
    return dataclasses.replace(next(iter(model.parse_texts([("d", text)]))), date=date)


def found(text: str, category: str, lexicon: CountryLexicon = WIDE, date: datetime.date | None = None) -> dict:
    """Return the countries of each role and the flags of what a category finds in a text."""
    query = Query.from_mapping({"name": "q", "category": [category], "roles": ["agent", "patient", "location"]})
    candidates = find_evidence(parsed(text, date), [query], lexicon, actors=lexicon).candidates["q"]
    codes: dict[str, set[str]] = {"agent": set(), "patient": set(), "location": set()}
    for candidate in candidates:
        codes[candidate.role].update(candidate.countries)
    flags = {status for each in candidates for status in STATUSES if getattr(each, status)}
    return {**codes, "flags": flags, "parts": {each.part for each in candidates if each.part}}


@pytest.mark.parametrize("example", examples(), ids=lambda row: row["text"])
def test_each_category_finds_its_examples(example: dict[str, str]) -> None:
    result = found(example["text"], example["category"])
    source, target = set(filter(None, example["source"].split(","))), example["target"]
    assert result["agent"] == source
    if target.endswith("@"):
        assert result["location"] == {target[:-1]}
    elif target:
        assert target in result["patient"]
    assert result["flags"] == set(filter(None, [example["status"]]))


def test_each_category_has_three_examples() -> None:
    named = [row["category"] for row in examples()]
    assert set(named) == set(categories())
    assert min(map(named.count, categories())) >= 3


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("Russian Navy warships attacked a port.", {"RUS"}),
        ("French Foreign Minister Le Drian attacked the town.", {"FRA"}),
        ("The head of Iran's Quds Force attacked the town.", {"IRN"}),
        ("Soldiers in the West Bank attacked the town.", set()),
        ("A US-backed militia attacked the town.", set()),
        ("A Saudi-led coalition attacked the town.", {"SAU"}),
        ("A Kabul bombing killed twenty people.", set()),
        ("The invasion of Kuwait killed many people.", set()),
        ("The American invasion of Iraq killed many people.", {"USA"}),
        ("Moscow attacked the town.", {"RUS"}),
        ("Kharkiv attacked the town.", set()),
    ],
)
def test_whose_an_actor_is_by_its_own_words(text: str, agents: set[str]) -> None:
    assert found(text, "assault")["agent"] == agents


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("A Syrian stabs a settler in the city.", {"SYR"}),
        ("North and South Korean soldiers exchange gunfire across the border.", {"PRK", "KOR"}),
        ("Two Hezbollah militants and a civilian killed in Israeli strikes in southern Lebanon.", {"ISR"}),
        ("A girl was hit by gunfire from Israeli forces.", {"ISR"}),
        ("The clashes between Sudan and Chad continued.", {"SDN", "TCD"}),
        ("Ten people die in fighting between the Sudanese army and farmers.", {"SDN"}),
        ("The Russian Air Force uses a base near the border to launch airstrikes.", {"RUS"}),
        ("The talks follow recent Russian drone incursions into the airspace.", {"RUS"}),
        ("The union announces sanctions against Russia for the invasion of the peninsula.", {"RUS"}),
        ("Men were killed by police in Jamaica.", {"JAM"}),
        ("Ten people were wounded in a police raid in Jamaica.", {"JAM"}),
        ("A small plane crashes in Brazil, killing all seven people on board.", set()),
        ("North Korea test fires a ballistic missile over the sea.", set()),
        ("The coach was fired by Italy.", set()),
        ("A trade war between China and the United States continues.", set()),
        ("Its forces captured the village in Chad.", set()),
    ],
)
def test_who_acts_is_found_in_what_news_leave_out(text: str, agents: set[str]) -> None:
    query = Query.from_mapping({"name": "q", "category": ["assault"], "only": ["asserted"]})
    candidates = find_evidence(parsed(text), [query], WIDE, actors=WIDE).candidates["q"]
    assert {code for each in candidates for code in each.countries} == agents


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("Ethiopian students demonstrate against the plan.", {"ETH"}),
        ("The Algerian president spoke of the demonstrations.", {"DZA"}),
        ("Dozens of patients protest in Guatemala.", {"GTM"}),
        ("People protest outside the Italian embassy in Libya.", {"LBY"}),
        ("Japan protested to Iran on Monday.", set()),
        ("Stock prices in Japan rally.", set()),
        ("Police may use weapons against protesters, Belarus says.", set()),
    ],
)
def test_where_people_protest(text: str, countries: set[str]) -> None:
    assert found(text, "protest")["location"] == countries


def test_a_group_is_whose_it_is_on_the_day() -> None:
    text = "The Taliban attacked the town."
    assert found(text, "assault", date=datetime.date(2010, 1, 1))["parts"] == {"REB"}
    assert found(text, "assault", date=datetime.date(2022, 1, 1))["parts"] == {"GOV"}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("Israel may launch an attack on Iran.", {"modal"}),
        ("Israel threatens an attack on Iran.", {"modal"}),
        ("Iran denies responsibility for the attack.", {"negated"}),
        ("The alleged Russian attack on the bank was reported.", {"reported"}),
        ("Russia was accused of an attack on the bank.", {"reported"}),
        ("The anniversary of the Japanese attack on the harbor was marked.", {"past"}),
        ("Israel launched an attack on Iran.", set()),
        ("Israel claims to have attacked the base.", set()),
        ("Israel is said to have attacked the base.", {"reported"}),
        ("Lebanon warns that Israel will attack the base.", {"modal"}),
        ("The president was accused of silence after the Russian attack.", set()),
    ],
)
def test_what_is_not_asserted_is_flagged(text: str, flags: set[str]) -> None:
    assert found(text, "assault")["flags"] == flags


def test_what_is_promised_to_be_lifted_is_in_force() -> None:
    for text, flags in (
        ("Iran has promised to end US sanctions.", set()),
        ("The United States ends its sanctions against Iran.", {"negated"}),
        ("The company has been the subject of United States sanctions since 2011.", set()),
    ):
        assert found(text, "sanction", date=datetime.date(2020, 1, 1))["flags"] == flags


def test_a_document_is_about_the_country_of_most_names_however_many_words_they_have() -> None:
    text = "The United Arab Emirates met {} on Monday. Guerrillas attacked the town."
    query = Query.from_mapping({"name": "q", "nouns": ["raid"], "verbs": ["attack"], "unnamed": "place"})
    for other, expected in (("Iraq", set()), ("Iraq about Iraq", {"IRQ"})):
        candidates = find_evidence(parsed(text.format(other)), [query], WIDE, actors=WIDE).candidates["q"]
        assert {code for each in candidates for code in each.countries} == expected


def test_only_asserted_events_can_be_asked_for() -> None:
    query = Query.from_mapping({"name": "q", "nouns": ["attack"], "only": ["asserted"]})
    for text, number in (("Israel launched an attack.", 1), ("Israel may launch an attack.", 0)):
        assert len(find_evidence(parsed(text), [query], WIDE).candidates["q"]) == number


def test_the_papers_reading_does_not_see_nouns() -> None:
    paper = Query("q", ("attack",))
    assert not find_evidence(parsed("An Israeli attack on Gaza began."), [paper], WIDE).candidates["q"]
