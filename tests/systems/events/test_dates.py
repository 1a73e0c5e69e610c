"""The own dates of events, against a calendar."""

import datetime

import pytest

from nlpcalib.systems.events.learn.candidates import dates_of, forms_of
from nlpcalib.systems.events.read.dates import date_expressions
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.text.dated import DatedText

WEDNESDAY = datetime.date(2014, 5, 14)


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
        ("Israel bombed Syria on Tuesday. Iran met Syria on Wednesday.", {"ISR": "2014-05-13", "SYR": "2014-05-13"}),
        ("Iran condemned on Wednesday that Israel bombed Syria on Tuesday.", {}),
        ("Israel bombed Syria. On Tuesday, Israel bombed Iran.", {"IRN": "2014-05-13"}),
        ("Israel visited Syria on Tuesday.", {}),
    ],
)
def test_an_events_date_is_that_of_the_first_sentence_with_its_country_and_a_trigger(
    text: str, days: dict[str, str]
) -> None:
    found = dates_of(DatedText("d", WEDNESDAY, text, {}), load_lexicon(["packaged"]), forms_of(["bomb"]))
    assert found == {code: (datetime.date.fromisoformat(day),) * 2 for code, day in days.items()}
