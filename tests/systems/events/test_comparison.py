"""Comparisons of two countries' counts against enumeration, and coverage against simulated truth."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import EventTable, count_events
from reproduction.events.comparison import (
    compare_countries,
    compare_differences,
    compare_independent,
    compare_samples,
    comparison_rows,
    of_period,
)
from reproduction.events.coverage import interval_coverage
from reproduction.events.series import count_series


def triple(comparison):
    return comparison.greater, comparison.equal, comparison.less


def table(rows, samples):
    """Return the rows (document, country, probability) of one day with their samples."""
    probabilities = np.array([row[2] for row in rows], dtype=float)
    return EventTable(
        documents=np.array([str(row[0]) for row in rows]),
        dates=np.full(len(rows), np.datetime64("1999-05-01")),
        countries=np.array([row[1] for row in rows]),
        probabilities=probabilities,
        map_event=probabilities >= 0.5,
        samples=samples,
    )


def test_samples_are_compared_pair_by_pair():
    result = compare_samples(np.array([3, 2, 2, 0]), np.array([1, 2, 1, 1]))
    assert triple(result) == (0.5, 0.25, 0.25)
    assert result.error == pytest.approx((0.5 * 0.5 / 8) ** 0.5)
    assert compare_samples(np.array([1, 1]), np.array([0, 0])).error > 0


def test_differences_match_enumeration():
    rng = np.random.default_rng(0)
    up, stay, down = rng.dirichlet([0.5, 0.5, 0.5], 7).T
    expected = np.zeros(3)
    for choice in product((1, 0, -1), repeat=7):
        probability = np.prod([{1: up, 0: stay, -1: down}[step][i] for i, step in enumerate(choice)])
        expected[1 - np.sign(sum(choice))] += probability
    np.testing.assert_allclose(triple(compare_differences(up, down)), expected, atol=1e-14)


def test_equal_independent_counts_are_those_of_two_binomials():
    result = compare_independent(np.full(300, 0.1), np.full(400, 0.08))
    first, second = stats.binom.pmf(np.arange(401), 300, 0.1), stats.binom.pmf(np.arange(401), 400, 0.08)
    joint = np.outer(first, second)
    assert result.equal == pytest.approx(np.trace(joint), abs=1e-12)
    assert result.greater == pytest.approx(np.tril(joint, -1).sum(), abs=1e-12)
    assert result.error is None


def test_no_documents_are_a_tie():
    assert triple(compare_independent(np.empty(0), np.empty(0))) == (0, 1, 0)
    assert triple(compare_independent(np.ones(2), np.empty(0))) == (1, 0, 0)


def test_one_attacker_for_two_countries_is_less_decisive_than_independence_says():
    # In each of 40 documents "they" are Yugoslavs with .55 and NATO's with .45, and never both.
    rng = np.random.default_rng(1)
    first = rng.random((40, 20_000)) < 0.55
    rows = [(document, country, p) for document in range(40) for country, p in (("YUG", 0.55), ("NATO", 0.45))]
    events = table(rows, np.stack([first, ~first], axis=1).reshape(80, -1))
    result = compare_countries(events, "YUG", "NATO")
    truth = stats.binom.sf(20, 40, 0.55), stats.binom.pmf(20, 40, 0.55), stats.binom.cdf(19, 40, 0.55)
    np.testing.assert_allclose(triple(result["documents"]), truth, atol=1e-12)
    assert abs(result["samples"].greater - truth[0]) < 4 * result["samples"].error
    assert result["independent"].greater > truth[0] + 0.05


def test_events_that_stand_or_fall_together_are_more_decisive():
    rng = np.random.default_rng(2)
    both = rng.random((30, 1000)) < 0.5
    rows = [(document, country, 0.5) for document in range(30) for country in ("YUG", "NATO")]
    rows.append((30, "YUG", 1.0))
    events = table(rows, np.concatenate([np.repeat(both, 2, axis=0), np.ones((1, 1000), dtype=bool)]))
    result = compare_countries(events, "YUG", "NATO")
    assert result["samples"].greater == 1
    assert result["independent"].greater < 0.7
    # The share of samples with both is known up to its Monte Carlo error only.
    assert result["documents"].greater > 0.8


def test_documents_of_one_country_each_are_independent():
    rng = np.random.default_rng(3)
    probabilities = rng.beta(0.5, 0.5, 60)
    rows = [(number, "AB"[number % 2], p) for number, p in enumerate(probabilities)]
    rows.append((0, "C", 0.9))
    samples = rng.random((61, 20_000)) < np.append(probabilities, 0.9)[:, None]
    result = compare_countries(table(rows, samples), "A", "B")
    assert result["documents"] == result["independent"]
    assert triple(result["independent"]) == triple(compare_independent(probabilities[::2], probabilities[1::2]))
    assert abs(result["samples"].greater - result["independent"].greater) < 4 * result["samples"].error


def test_a_country_without_rows_has_no_events():
    result = compare_countries(table([(0, "A", 1.0)], np.ones((1, 5), dtype=bool)), "A", "B")
    assert triple(result["documents"]) == (1, 0, 0)
    assert triple(result["samples"]) == (1, 0, 0)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match=r"shapes \(3,\) and \(2,\)"):
        compare_samples(np.zeros(3), np.zeros(2))
    with pytest.raises(InputError, match="at place 1"):
        compare_differences(np.array([0.5, 0.7]), np.array([0.5, 0.4]))
    with pytest.raises(InputError, match="nan"):
        compare_independent(np.array([np.nan]), np.array([0.1]))


def test_coverage_counts_ends_as_inside():
    countries, periods = np.array(list("AABB")), np.array([0, 1, 0, 1])
    result = interval_coverage(
        np.array([0, 3, 4, 2]), np.zeros(4), np.array([0, 3, 3, 5]), countries=countries, periods=periods
    )
    assert (result.cells, result.coverage, result.above, result.below, result.width) == (4, 0.75, 0.25, 0.0, 2.75)


def test_the_error_of_coverage_is_that_of_clusters_that_move_together():
    rng = np.random.default_rng(4)
    countries, periods = (labels.ravel() for labels in np.indices((30, 40)))
    shares, errors, naive = [], [], []
    for _ in range(300):
        effect = rng.normal(0, 1, 30)[countries] + rng.normal(0, 1, 40)[periods] + rng.normal(0, 1, 1200)
        held = effect < 1.0
        result = interval_coverage(~held, np.zeros(1200), np.zeros(1200), countries, periods)
        shares.append(result.coverage)
        errors.append(result.error)
        naive.append((held.mean() * (1 - held.mean()) / 1200) ** 0.5)
    assert np.mean(errors) == pytest.approx(np.std(shares), rel=0.15)
    assert np.mean(errors) > 3 * np.mean(naive)


def test_coverage_of_all_is_not_certain():
    countries, periods = (labels.ravel() for labels in np.indices((3, 5)))
    result = interval_coverage(np.zeros(15), np.zeros(15), np.ones(15), countries, periods)
    assert result.coverage == 1
    assert result.error > 0.05


def test_coverage_that_cannot_be_known_is_refused():
    one = np.zeros(3)
    with pytest.raises(InputError, match="two countries"):
        interval_coverage(one, one, one, one, np.arange(3))
    with pytest.raises(InputError, match="one shape"):
        interval_coverage(one, one[:2], one, one, np.arange(3))
    with pytest.raises(InputError, match="NaN"):
        interval_coverage(one, one * np.nan, one, np.arange(3), np.arange(3))


def test_exact_intervals_of_calibrated_probabilities_keep_their_level_and_normal_ones_of_rare_events_do_not():
    # A tenth of an event is expected in a cell: the normal interval mostly ends below 1, the exact one at 1.
    rng = np.random.default_rng(5)
    periods, countries, documents = 100, 40, 25
    dates = np.datetime64("1987-01") + np.repeat(3 * np.arange(periods), documents).astype("timedelta64[M]")
    size = dates.size * countries
    probabilities = rng.beta(0.1, 24.9, size)
    events = rng.random(size) < probabilities
    codes = np.array([f"C{number:02}" for number in range(countries)])
    parts = EventTable(
        documents=np.repeat(np.arange(dates.size), countries).astype(str),
        dates=np.repeat(dates, countries),
        countries=np.tile(codes, dates.size),
        probabilities=probabilities,
        map_event=probabilities >= 0.5,
        samples=rng.random((size, 100)) < probabilities[:, None],
    )
    rows = count_series(count_events([(dates, parts)], "quarter"), codes.tolist())
    truth = events.reshape(periods, documents, countries).sum(axis=1).T.ravel()
    label, period = (np.array([row[name] for row in rows]) for name in ("country", "period"))
    exact, normal = (
        interval_coverage(truth, *(np.array([row[name] for row in rows]) for name in ends), label, period)
        for ends in (("exact_low", "exact_high"), ("low", "high"))
    )
    assert exact.coverage >= 0.95
    assert normal.coverage < 0.95 - 2 * normal.error
    assert normal.above > 10 * normal.below
    assert np.mean([row["low"] < 0 for row in rows if row["sd"] > 0]) == 1


def test_parts_of_a_corpus_compare_as_the_whole_does():
    """Also where a part has no rows, and a period none of the two countries."""
    rng = np.random.default_rng(3)
    rows = [(document, country, rng.random()) for document in range(60) for country in "ABC" if rng.random() < 0.6]
    whole = table(rows, rng.random((len(rows), 8)) < 0.5)
    whole.dates[:] = np.array(["1999-05-01", "2000-05-01", "2002-05-01"], "datetime64[D]")[
        np.array([row[0] for row in rows]) % 3
    ]
    dates = np.array([f"{year}-01-01" for year in (1999, 2000, 2001, 2002) for _ in range(60)], "datetime64[D]")
    counts = count_events([(dates, whole)], "year")
    part = np.array([row[0] for row in rows]) % 7
    parts = [whole.rows(part == number) for number in (*range(7), 99)]
    expected = comparison_rows([whole], counts, ("A", "B"))
    assert [row["period"] for row in expected[::3]] == ["1999", "2000", "2001", "2002"]
    assert comparison_rows(iter(parts), counts, ("A", "B")) == expected
    for row in expected[:3]:
        found = compare_countries(of_period(whole, 1999, "year"), "A", "B")[row["method"]]
        assert (row["greater"], row["equal"], row["less"]) == triple(found)
