"""The own dates of events, against a calendar."""

import datetime

import pytest
from tests.events.test_acts import WIDE, parsed

from nlpcalib.events.read.dates import date_expressions
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.query import Query

WEDNESDAY = datetime.date(2014, 5, 14)
FORCE = Query.from_mapping({"name": "force", "category": ["assault"]})


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on Tuesday", "2014-05-13"),
        ("on Wednesday", "2014-05-14"),
        ("last Wednesday", "2014-05-07"),
        ("on Thursday", None),  # six days ago, or tomorrow
        ("next Monday", None),
        ("on Good Friday", None),
        ("since Monday", None),
        ("yesterday 's attack", "2014-05-13"),
        ("Today", "2014-05-14"),
        ("three days ago", "2014-05-11"),
        ("on 3 May", "2014-05-03"),
        ("on May 3 ,", "2014-05-03"),
        ("on the 3rd of May , 2012", "2012-05-03"),
        ("ON 11 NOVEMBER", "2013-11-11"),
        ("on 20 May", None),  # next week, or a year ago
        ("on 31 June", None),
        ("on 2014-05-02", "2014-05-02"),
        ("on June 30 , 2014", None),
        ("in May 2013", "2013-05-01 2013-05-31"),
        ("in February", "2014-02-01 2014-02-28"),
        ("In May", "2014-05-01 2014-05-14"),
        ("in 2012", "2012-01-01 2012-12-31"),
        ("in 2015", None),
        ("since 2012", None),
        ("(December 2013 – March 2014)", None),
        ("December 2013 – March 2014", "2014-03-01 2014-03-31"),
        ("last week", "2014-05-05 2014-05-11"),
        ("earlier this week", "2014-05-12 2014-05-14"),
        ("last month", "2014-04-01 2014-04-30"),
        ("last year", "2013-01-01 2013-12-31"),
        ("they may march on Sun City", None),
        ("2012 people", None),
    ],
)
def test_a_date_is_relative_to_the_documents(text: str, days: str | None) -> None:
    found = date_expressions(text.split(), WEDNESDAY)
    expected = [datetime.date.fromisoformat(day) for day in days.split()] if days else []
    assert [each.days for each in found] == ([(expected[0], expected[-1])] if days else [])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Israel bombed Syria on Tuesday.", {"bomb": "2014-05-13"}),
        ("On Tuesday, Israel bombed Syria and attacked Iran.", {"bomb": "2014-05-13", "attack": "2014-05-13"}),
        ("Iran condemned on Wednesday that Israel bombed Syria.", {"bomb": None}),
        ("Israel may attack Iran on Wednesday.", {"attack": None}),
        ("Israel bombed Syria.", {"bomb": None}),
        ("Russia's attack on Ukraine on 3 May 2014 killed ten people.", {"attack": "2014-05-03"}),
    ],
)
def test_a_date_is_that_of_the_verb_or_noun_it_stands_with(text: str, days: dict[str, str | None]) -> None:
    evidence = find_evidence(parsed(text, WEDNESDAY), [FORCE], WIDE)
    found = {each.lemma: each.days for each in evidence.candidates["force"]}
    for lemma, day in days.items():
        assert found[lemma] == ((datetime.date.fromisoformat(day),) * 2 if day else None)
