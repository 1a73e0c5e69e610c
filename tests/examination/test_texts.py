"""Programs leave signs in dated documents; sound documents of many shapes leave none."""

import datetime
from dataclasses import dataclass

import numpy as np
import pytest

from nlpcalib.examination.texts import TextSigns, first_of_equal

TODAY = datetime.date(2026, 11, 27)
WORDS = ("police", "said", "farmers", "met", "in", "the", "town", "after", "rain", "and", "sold", "maize", "to")


@dataclass(frozen=True)
class Document:
    date: datetime.date
    text: str


def documents(seed=1, n=100):
    random = np.random.default_rng(seed)
    day = datetime.date(2015, 1, 1)
    return [
        Document(
            day + datetime.timedelta(int(random.integers(0, 400))),
            " ".join(random.choice(WORDS, random.integers(8, 40)).tolist()).capitalize() + "." * (number % 4 > 0),
        )
        for number in range(n)
    ]


def signs(found, counted=True, today=TODAY):
    noted = TextSigns()
    assert list(noted.noting(found)) == found
    return [each.sentence for each in noted.findings(today, counted=counted)]


@pytest.mark.parametrize("seed", range(20))
def test_sound_documents_leave_no_sign(seed):
    assert signs(documents(seed)) == []
    assert signs([Document(each.date, f"{each.text} <3 R&D a < b > c") for each in documents(seed)]) == []


SPOILT = {
    "100 of 200 documents are equal to another under a new id": lambda found: found + found[::-1],
    "characters: were they cut": lambda found: [Document(each.date, each.text[:60]) for each in found],
    "100 texts have markup of HTML": lambda found: [Document(each.date, f"<p>{each.text}</p>") for each in found],
    "have markup": lambda found: [Document(each.date, each.text.replace(" ", "&nbsp;")) for each in found],
    "all 100 documents are of 2026-03-01": lambda found: [
        Document(datetime.date(2026, 3, 1), each.text) for each in found
    ],
    "days after today": lambda found: [Document(each.date.replace(year=2105, day=1), each.text) for each in found],
    "of 1970-01-01, which programs write": lambda found: [
        Document(datetime.date(1970, 1, 1) if row % 9 == 0 else each.date, each.text) for row, each in enumerate(found)
    ],
}  # fmt: skip


@pytest.mark.parametrize("sign", SPOILT)
def test_what_programs_leave_is_named(sign):
    [sentence] = signs(SPOILT[sign](documents()))
    assert sign in sentence


def test_short_reports_may_be_alike_and_long_ones_are_copies():
    found = documents()
    again = [Document(each.date, found[row % 10].text if row % 2 else each.text) for row, each in enumerate(found)]
    assert signs(again) == []
    long = [Document(each.date, f"{each.text} {'It rained all day in the hills. ' * 10}") for each in again]
    assert "documents are equal to another" in " ".join(signs(long))


def test_reprints_of_a_wire_are_counted_whatever_their_case_lines_and_quotes():
    """Simulated papers print a wire's reports again: wrapped, in capitals, with other quotation marks."""
    found, random = documents(3, 200), np.random.default_rng(3)
    of_paper = (
        lambda text: text,
        lambda text: text.upper(),
        lambda text: text.replace(" ", "\n", 3),
        lambda text: f"“{text}”",
        lambda text: text.replace(" said", ", said,").rstrip("."),
    )
    again = [
        Document(each.date, of_paper[int(random.integers(len(of_paper)))](each.text))
        for each in found
        for _ in range(int(random.poisson(0.4)))
    ]
    noted = TextSigns()
    list(noted.noting([*found, *again]))
    assert noted.repeats == len(again) > 50
    assert (first_of_equal(each.text for each in [*found, *again]) < 200).all()
    updated = [Document(each.date, f"{each.text} Update {number}.") for number, each in enumerate(found)]
    noted = TextSigns()
    list(noted.noting([*found, *updated]))
    assert noted.repeats == 0


def test_copies_are_no_sign_where_they_count_once():
    assert signs(documents() * 2, counted=False) == []


def test_documents_of_1970_are_no_sign():
    days = [datetime.date(1970, 1, 1) + datetime.timedelta(each // 2) for each in range(100)]
    assert signs([Document(day, each.text) for day, each in zip(days, documents(), strict=True)]) == []
