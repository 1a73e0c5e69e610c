"""The study of series from keywords: its two regimes, and what its rows are."""

import numpy as np

from nlpcalib.seeding import generator
from reproduction.simulation.keyword_series import REGIMES, YEARS, _drawn, frontier_rows


def pool():
    """Return made-up items: half of the positive ones have a keyword, the others a word that no other has."""
    return {
        (year, positive): [
            f"{'flood' if n % 2 else 'rain'} hits town {n}" if positive else f"a quiet day in town {n}"
            for n in range(600)
        ]
        for year in YEARS
        for positive in (False, True)
    }


def test_keywords_fail_in_the_later_years_of_one_regime_alone():
    shares = []
    for regime in REGIMES:
        texts, truth, year = _drawn(pool(), regime, generator(1))
        has = np.array(["flood" in text for text in texts])
        assert np.bincount(year - YEARS[0]).tolist() == [200] * 10
        shares += [has[truth & ((year < 2015) == early)].mean() for early in (True, False)]
    assert np.abs(np.array(shares) - [0.5, 0.5, 0.5, 0.23]).max() < 0.15


def test_a_word_that_labels_teach_and_labels_that_are_shared_narrow_the_years():
    rows = list(frontier_rows(pool(), REGIMES[0], replicates=2, seed=1))
    width = {(row["predictions"], row["borrow"]): row["width"] for row in rows}
    assert len(width) == 6
    assert width["keywords and words", "none"] < width["keywords", "none"]
    assert width["keywords", "changing-rates"] < width["keywords", "none"]
    assert all(0.8 < row["coverage"] <= 1 and row["worst_year"] <= row["coverage"] for row in rows)
