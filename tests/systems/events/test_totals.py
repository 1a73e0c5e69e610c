"""Totals over countries count a document with events of several countries once."""

from itertools import product

import numpy as np
import pytest

from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.count.series import WHOLE, any_country, total_rows
from reproduction.events.comparison import of_countries

ROWS = [
    ("a", "2014-01-05", "USA", "1100"),
    ("a", "2014-01-05", "IRQ", "0110"),
    ("b", "2014-01-20", "IRQ", "1000"),
    ("c", "2014-03-02", "USA", "1111"),
    ("c", "2014-03-02", "IRQ", "0001"),
    ("c", "2014-03-02", "FRA", "0011"),
    ("d", "2014-03-02", "FRA", "0100"),
]
"""Document, date, country, and in which of four clusterings the document has the event."""
DATES = np.array(["2014-01-05", "2014-01-20", "2014-03-02", "2014-03-02", "2014-02-01"], "datetime64[D]")


def table(order=range(7)):
    documents, dates, countries, samples = zip(*(ROWS[row] for row in order), strict=True)
    drawn = np.array([[mark == "1" for mark in row] for row in samples])
    return EventTable(
        np.array(documents),
        np.array(dates, "datetime64[D]"),
        np.array(countries),
        drawn.mean(axis=1),
        drawn[:, 0],
        drawn,
    )


def enumerated(joint, months=(), by_day=False):
    """Return the distribution of the number of documents, or days, with an event, from all possible outcomes."""
    rows = [row for row in ROWS if not months or row[1][:7] in months]
    documents = sorted({row[0] for row in rows})
    pmf: dict[int, float] = {}
    outcomes = product(range(4), repeat=len(documents)) if joint else product((0, 1), repeat=len(rows))
    for outcome in outcomes:
        if joint:
            sample = dict(zip(documents, outcome, strict=True))
            has = [row[3][sample[row[0]]] == "1" for row in rows]
            chance = 1 / 4 ** len(documents)
        else:
            has = [bool(each) for each in outcome]
            p = [row[3].count("1") / 4 for row in rows]
            chance = np.prod([one if there else 1 - one for one, there in zip(p, has, strict=True)])
        counted = {row[1] if by_day else row[0] for row, there in zip(rows, has, strict=True) if there}
        pmf[len(counted)] = pmf.get(len(counted), 0) + chance
    return pmf


def check(row, pmf):
    assert row["mean"] == pytest.approx(sum(n * p for n, p in pmf.items()))
    cumulative = np.cumsum([pmf.get(n, 0) for n in range(8)])
    assert (row["low"], row["high"]) == tuple(int(np.argmax(cumulative >= each - 1e-12)) for each in (0.025, 0.975))


@pytest.mark.parametrize("joint", [True, False])
@pytest.mark.parametrize("order", [range(7), range(6, -1, -1)])
def test_totals_are_those_of_all_possible_outcomes(joint, order):
    counts = count_events([(DATES, any_country(table(order), joint=joint))], "month")
    whole, *months = total_rows(counts)
    assert (whole["period"], whole["documents"]) == (WHOLE, 5)
    check(whole, enumerated(joint))
    assert [(row["period"], row["documents"]) for row in months] == [("2014-01", 2), ("2014-02", 1), ("2014-03", 2)]
    check(months[0], enumerated(joint, {"2014-01"}))
    assert (months[1]["mean"], months[1]["high"]) == (0, 0)
    check(months[2], enumerated(joint, {"2014-03"}))


def test_the_total_is_less_than_the_sum_of_countries_and_at_least_the_largest():
    of_any = any_country(table(), joint=True)
    sums = {country: of_countries(table(), [country]).probabilities.sum() for country in ("USA", "IRQ", "FRA")}
    assert max(sums.values()) <= of_any.probabilities.sum() < sum(sums.values())


def test_a_corpus_without_events_has_totals_of_zero():
    nothing = any_country(table().rows(np.zeros(7, bool)), joint=True)
    whole, *months = total_rows(count_events([(DATES, nothing)], "month"))
    assert (whole["mean"], whole["low"], whole["high"], len(months)) == (0, 0, 0, 3)
