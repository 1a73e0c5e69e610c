"""Is the rise real: the slope of documents' rates against least squares and against simulated levels."""

import numpy as np
import pytest
from scipy.special import expit, logit, ndtr, ndtri

import nlpcalib as nc
from nlpcalib.estimation.changes import change_sentences
from nlpcalib.estimation.levels import CERTAIN, LevelPosterior, Levels
from nlpcalib.estimation.shared_effect import SharedEffect
from nlpcalib.systems.events.count.counts import Cell, EventCounts
from nlpcalib.systems.events.count.trend import trend
from nlpcalib.systems.events.learn.model import EventModel


def counts(q: list[np.ndarray], wordless: list[np.ndarray] | None = None, levels: Levels = CERTAIN) -> EventCounts:
    """One period for each array of probabilities; documents in all are as many."""
    of = wordless or [np.zeros(len(each), bool) for each in q]
    cells = {("A", 2000 + t): Cell(np.zeros(2), 0, each, of[t]) for t, each in enumerate(q)}
    return EventCounts("year", {2000 + t: len(each) for t, each in enumerate(q)}, cells, levels)


def other_documents(rng: np.random.Generator, q: list[np.ndarray]) -> np.ndarray:
    """By how much the labels of other documents of the same process differ from their rate."""
    rates = np.repeat([each.mean() for each in q], [len(each) for each in q])
    return (rng.random(len(rates)) < rates) - rates


def test_the_slope_is_that_of_least_squares_and_its_interval_that_of_simulated_labels() -> None:
    rng = np.random.default_rng(0)
    q = [rng.beta(1, 3 - 0.4 * t, n) for t, n in enumerate((40, 90, 60, 30))]
    time = np.repeat(np.arange(4.0), [len(each) for each in q])
    found = trend(counts(q))
    every = np.concatenate(q)
    assert found.value == pytest.approx(np.polyfit(time, every, 1)[0])
    slopes = [np.polyfit(time, (rng.random(len(every)) < every) + other_documents(rng, q), 1)[0] for _ in range(4000)]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slopes, [0.025, 0.975])), abs=0.004)
    assert (found.first, found.last, found.per) == ("2000", "2003", "year")


def test_levels_that_err_widen_the_interval_as_in_simulation() -> None:
    rng = np.random.default_rng(1)
    q = [rng.beta(1, 4 - t, 80) for t in range(3)]
    wordless = [rng.random(80) < 0.4 for _ in q]
    loading, shifts, weights = 0.3, np.array([-1.5, 0.0, 1.5]), np.array([0.3, 0.4, 0.3])
    levels = Levels(SharedEffect(np.array([loading]), np.ones(1)), LevelPosterior(shifts, weights))
    every, other, time = np.concatenate(q), np.concatenate(wordless), np.repeat(np.arange(3.0), 80)
    slopes = []
    for _ in range(6000):
        shared, shift = rng.normal(), rng.choice(shifts, p=weights)
        p = ndtr((ndtri(every) - loading * shared) / np.sqrt(1 - loading**2))
        p = np.where(other, expit(logit(every) + shift), p)
        slopes.append(np.polyfit(time, (rng.random(len(p)) < p) + other_documents(rng, q), 1)[0])
    found, certain = trend(counts(q, wordless, levels)), trend(counts(q, wordless))
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slopes, [0.025, 0.975])), abs=0.005)
    assert found.high - found.low > certain.high - certain.low
    assert found.p_value == pytest.approx(2 * np.mean(np.array(slopes) < 0), abs=0.01)


def test_one_period_has_no_trend() -> None:
    assert trend(counts([np.array([0.5])])) is None


def test_events_prints_the_trend() -> None:
    certain = EventModel("quake", "", ("quake",), -50.0, {"item quake": 100.0}, {"items": 40})
    texts = [
        {
            "id": f"{year} {number}", "date": f"{year}-01-{1 + number:02d}",
            "text": "A quake hits Peru." if number < 2 * (year - 2000) else "Peru votes.",
        }
        for year in range(2000, 2004)
        for number in range(10)
    ]  # fmt: skip
    report = nc.find_events(texts, certain, period="year")
    assert report.trend.value == pytest.approx(0.2)
    assert "The rate rises by 20.0 points a year (95 % interval 10.1 to 29.9) from 2000 to 2003." in str(report)


def far_year(rates: list[float]) -> EventCounts:
    """Ten documents a year from 2000 on, with certain events, and three documents of 1907, all with one."""
    cells = {("A", 1907): Cell(np.zeros(2), 0, np.ones(3), np.zeros(3, bool))}
    for t, rate in enumerate(rates):
        cells["A", 2000 + t] = Cell(np.zeros(2), 0, np.full(10, rate), np.zeros(10, bool))
    return EventCounts("year", {1907: 3} | {2000 + t: 10 for t in range(len(rates))}, cells)


def test_a_wrong_year_that_decides_the_sentence_is_named() -> None:
    rates = [0.05, 0.2, 0.4, 0.6, 0.8, 0.95]
    found = trend(far_year(rates))
    near = trend(counts([np.full(10, rate) for rate in rates]))
    assert found.high < 0 < near.low
    assert (found.deciding, found.without) == ("1907", (near.value, near.low, near.high))
    [sentence] = change_sentences([found], 0.95)
    assert "1907 alone decides this: without it there is a significant rise, 18.6 points" in sentence
    assert found.row()["deciding"] == "1907"


def test_a_far_year_that_decides_nothing_is_not_named() -> None:
    assert trend(far_year([0.95, 0.8, 0.6, 0.4, 0.2, 0.05])).deciding == ""
    assert trend(counts([np.full(30, 0.1), np.full(30, 0.5), np.full(30, 0.9)])).deciding == ""
