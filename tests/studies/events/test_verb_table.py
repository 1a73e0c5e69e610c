"""The table of what samples miss counts true events, and biases, as one counts by hand."""

import numpy as np
import pytest

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from studies.events.verb_table import verb_row

PERIODS = {"a": "1999Q1", "b": "1999Q1", "c": "1999Q2"}
SERIES = [
    {"country": "IRQ", "period": "1999Q1", "exact_sd": 0.4},
    {"country": "IRQ", "period": "1999Q2", "exact_sd": 0.0},
    {"country": "ISR", "period": "1999Q1", "exact_sd": 0.3},
]
TRUTH = {("IRQ", "1999Q1"): 2, ("IRQ", "1999Q2"): 1, ("USA", "1999Q2"): 1}


def pairs(q, y, countries, documents):
    def column(texts):
        names = tuple(sorted(set(texts)))
        return Categories(np.array([names.index(text) for text in texts], dtype=np.int32), names)

    return Pairs(np.array(q), np.array(y), column(countries), column(documents))


def test_events_without_a_sample_are_missed_whether_they_have_a_row_or_not():
    found = pairs([0.6, 0.0, 1.0, 0.3], [True, True, True, False], ["IRQ", "IRQ", "IRQ", "ISR"], ["a", "b", "c", "a"])
    row = verb_row(found, PERIODS, SERIES, TRUTH, seed=1)
    assert (row["true_events"], row["never_seen"]) == (4, 2)
    # Two uncertain cells: IRQ has .6 of 2 events in its first quarter, ISR .3 of none.
    assert row["bias"] == pytest.approx((0.6 + 0.3 - 2) / 2)
    assert row["recalibrated_bias"] is None


def test_recalibration_takes_the_bias_of_underconfident_probabilities_away():
    rng = np.random.default_rng(1)
    truth = rng.random(2000)
    documents = [f"{place:04}" for place in range(2000)]
    y = rng.random(2000) < truth
    found = pairs(truth**2, y, ["IRQ"] * 2000, documents)
    periods = dict.fromkeys(documents, "1999Q1")
    row = verb_row(found, periods, SERIES[:1], {("IRQ", "1999Q1"): int(y.sum())}, seed=1)
    assert row["bias"] == pytest.approx((truth**2).sum() - y.sum())
    assert row["bias"] < -250
    assert abs(row["recalibrated_bias"]) < 25


def test_pairs_without_documents_are_refused():
    with pytest.raises(InputError, match="found no label or no unit"):
        verb_row(Pairs(np.array([0.5]), np.array([True])), PERIODS, SERIES, TRUTH, seed=1)
