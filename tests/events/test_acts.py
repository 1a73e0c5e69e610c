"""The wide reading: who does what to whom and where, in verbs and nouns, read by the parser in the box."""

import csv
import dataclasses
import datetime
from functools import cache
from pathlib import Path

import pytest

from nlpcalib.corpora.document import Document
from nlpcalib.events.extraction import find_evidence
from nlpcalib.events.lexicon import CountryLexicon, load_lexicon
from nlpcalib.events.query import Query, categories
from nlpcalib.events.status import STATUSES
from nlpcalib.parsing.model import load_parser
from nlpcalib.parsing.parser import Parser

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
    ],
)
def test_what_is_not_asserted_is_flagged(text: str, flags: set[str]) -> None:
    assert found(text, "assault")["flags"] == flags


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
