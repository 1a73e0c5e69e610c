"""A category of which few texts have the words: a plan by words reads them all, and an estimate states both parts."""

import numpy as np
import pytest
from scipy.stats import hypergeom

import nlpcalib as nc

N = 1500
RANDOM = np.random.default_rng(3)
HAS = RANDOM.random(N) < 1 / 50
Y = np.where(HAS, RANDOM.random(N) < 0.6, RANDOM.random(N) < 0.001)
YEAR = [str(2001 + row % 3) for row in range(N)]
TEXTS = [f"number {row} {'flood' if has else 'day'}" for row, has in enumerate(HAS)]


def drawn(budget, **options):
    plan = nc.plan_items(nc.read(TEXTS, match="flood"), budget=budget, **options)
    return plan, {int(row): int(Y[row]) for row in plan.rows}


def test_all_texts_with_a_word_are_read_if_three_quarters_of_the_budget_allow_it():
    matched = int(HAS.sum())
    plan, _ = drawn(120)
    assert HAS[plan.rows].sum() == matched
    assert (len(plan.rows), plan.complete) == (120, True)
    assert f"{matched} texts with a word: all of them in the sample, and {120 - matched} of the" in str(plan)
    few, _ = drawn(20)
    assert HAS[few.rows].sum() == 15
    assert few.inclusion[HAS] == pytest.approx(15 / matched)
    assert few.inclusion[~HAS] == pytest.approx(5 / (N - matched))
    every = nc.plan_items(nc.read(TEXTS, match="flood|day"), budget=30)
    assert len(every.rows) == 30, "words of every text leave one stratum"


def test_both_parts_are_stated_and_the_years_of_texts_with_a_word_are_counted():
    plan, labels = drawn(150, seed=1)
    report = nc.estimate(nc.read(TEXTS, labels, plan=plan, match="flood", by={"year": YEAR}), by="year")
    matched, others = report.parts
    assert (matched.total, matched.low, matched.high) == (Y[HAS].sum(),) * 3
    for year, estimate in report.groups.items():
        own = HAS & (np.array(YEAR) == year)
        assert (estimate.items, estimate.total, estimate.high) == (own.sum(), Y[own].sum(), Y[own].sum())
    size = (~HAS).sum()
    most = max(k for k in range(200) if hypergeom(size, k, others.read).cdf(others.positive) > 0.025)
    assert others.high == pytest.approx(most, rel=0.1)
    assert others.low <= Y[~HAS].sum() <= others.high
    assert report.low == pytest.approx(matched.total + others.low)
    assert report.high == pytest.approx(matched.total + others.high, abs=1)
    lines = report.lines()
    assert lines[1].startswith(f"texts with a word: {Y[HAS].sum()} of {HAS.sum()} items are positive")
    assert lines[2].startswith(f"other texts: at most {others.high:,.0f} of {size:,} items are positive")
    assert "\nby year of the texts with a word  items" in str(report)
    assert not report.changes, "a share of the texts with a word is no rate of the corpus"


def test_a_larger_budget_reads_on_and_keeps_the_labels():
    plan, labels = drawn(60)
    more = nc.plan_items(nc.read(TEXTS, labels, match="flood", plan=plan), budget=100)
    assert len(more.rows) == 40
    assert not set(more.rows) & set(plan.rows)
    whole = nc.estimate(nc.read(TEXTS, labels | {int(row): int(Y[row]) for row in more.rows}, plan=more, match="flood"))
    assert whole.low <= Y.sum() <= whole.high


def test_a_design_by_words_needs_words():
    with pytest.raises(nc.InputError, match="found words, expected match="):
        nc.plan_items(np.full(20, 0.5), design="words", budget=5)


def test_sentences_have_verbs_in_the_right_number_and_a_census_no_interval():
    lines = nc.estimate(nc.read([0.5, 0.5], {0: 1, 1: 0})).lines()
    assert lines[0].startswith("1 of 2 items is positive (50.0 %); all were read")
    plan, labels = drawn(150, seed=1)
    matched, others = nc.estimate(nc.read(TEXTS, labels, plan=plan, match="flood")).lines()[1:3]
    assert f"items are positive ({100 * Y[HAS].mean():.1f} %); all were read" in matched
    assert others.endswith("that were read are positive.")
