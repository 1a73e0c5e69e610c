"""What a verdict rests on: the interval of the run, and on simulated text nine of ten draws as well."""

import dataclasses
import inspect
import itertools
import math
import operator
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from nlpcalib.io.files import read_csv
from reproduction.claims.chapters import CHAPTERS
from reproduction.claims.draws import DRAW_SEEDS, DrawCounts, read_draws
from reproduction.claims.verdicts import (
    CalibrationError,
    Claim,
    Finding,
    Judged,
    Results,
    Unclear,
    below,
    correlation,
    judge_all,
    mean_of,
    positive_by_test,
    read_claims,
    share,
    within,
)

ROOT = Path(__file__).parents[2]
CONTRACT = ROOT / "docs/reference/contract.md"
DRAWN = ROOT / "workflow/draws.csv"
CLAIM = Claim("chapter", "rule", "4.1", "it holds", "It holds.")


def is_judge(value, module):
    """Whether something is a function of this module, or made by one, that takes results alone."""
    if not inspect.isfunction(value) or value.__module__ != module.__name__:
        return False
    return list(inspect.signature(value).parameters) == ["results"]


def verdict(finding, draws=None, simulated=True):
    """Return the verdict; `draws` are how many hold and how many do not, None for text that cannot be drawn."""
    known = None
    if draws is not None:
        known = {("data", "4.1", "it holds", "1"): DrawCounts(10, *draws)}
    [row] = judge_all(
        [CLAIM], {"rule": lambda _: finding}, Results({}), "data", paths={}, simulated=simulated, draws=known
    )
    return row["verdict"]


def found(value, low=-math.inf, high=math.inf):
    """Return a finding of a claim that holds where its number is above 0."""
    return Finding("", (Judged(value, low, high, least=0.0),))


SURE, SURELY_NOT, POINT = found(2, 1, 3), found(-2, -3, -1), found(2)


@pytest.mark.parametrize(
    ("finding", "draws", "expected"),
    [
        (SURE, (10, 0), "as in the paper, on simulated text"),
        (SURE, (9, 1), "as in the paper, on simulated text"),
        (SURE, (8, 0), "undecided"),
        (SURE, (0, 10), "undecided"),
        (POINT, (10, 0), "undecided"),
        (found(2, -1, 3), (10, 0), "undecided"),
        (SURELY_NOT, (0, 9), "differs"),
        (SURELY_NOT, (1, 8), "undecided"),
        (SURELY_NOT, (10, 0), "undecided"),
        (Unclear(""), (10, 0), "undecided"),
        (Finding(""), (10, 0), "not applicable"),
    ],
)
def test_on_text_that_can_be_drawn_a_verdict_needs_the_interval_and_nine_of_ten_draws(finding, draws, expected):
    assert verdict(finding, draws) == expected


def test_the_interval_decides_on_text_that_cannot_be_drawn():
    expected = {SURE: "reproduced", SURELY_NOT: "differs", POINT: "undecided"}
    assert {finding: verdict(finding, simulated=False) for finding in expected} == expected


@pytest.mark.parametrize("key", [("data", "4.1", "it holds", "2"), ("data", "4.1", "another", "1")])
def test_draws_of_another_version_of_a_judge_and_fewer_than_ten_do_not_count(key):
    def judged(draws):
        judges = {"rule": lambda _: SURE}
        [row] = judge_all([CLAIM], judges, Results({}), "data", paths={}, simulated=True, draws=draws)
        return row["verdict"], row["evidence"]

    assert judged({key: DrawCounts(10, 10, 0)}) == ("draws wanting", "interval; 0 of 10 draws made")
    assert judged({("data", "4.1", "it holds", "1"): DrawCounts(9, 9, 0)})[0] == "draws wanting"


def test_nothing_is_sure_without_an_interval():
    """No judge can say so: it follows from the numbers alone."""
    assert not POINT.sure
    assert "sure" not in {field.name for field in dataclasses.fields(Finding)}
    assert Finding("", (Judged(2, 1, 3, least=0.0), Judged(5, most=9.0))).sure is False
    assert Finding("", (Judged(2, least=0.0), Judged(5, 4, 6, most=1.0))).sure is True  # one that surely fails


@given(st.floats(-5, 5), st.floats(0, 5), st.floats(0, 5), st.floats(-5, 5), st.floats(0, 5))
def test_what_is_sure_holds_or_fails_anywhere_in_the_interval(value, below_it, above_it, least, width):
    number = Judged(value, value - below_it, value + above_it, least, least + width)
    if number.sure:
        for each in np.linspace(number.low, number.high, 7):
            assert Judged(each, least=number.least, most=number.most).holds == number.holds


@pytest.mark.parametrize(
    ("number", "times"),
    [
        (Judged(2, -1, 5, least=1.0), 9),
        (Judged(2, 1.5, 2.5, least=1.0), 1),
        (Judged(0.5, -1, 2, least=1.0), 9),
        (Judged(0.5, 0, 1, 0.3, 1.5), 6.25),
        (Judged(2, least=1.0), math.inf),
        (Judged(2, -1, 5, least=1.0, enough=math.inf), math.inf),
    ],
)
def test_so_many_times_the_text_would_decide(number, times):
    """An interval of three times less width is that of nine times the text."""
    assert number.text_to_decide == pytest.approx(times)
    if 1 < times < math.inf:
        ends = ((end - number.value) / (1.01 * times) ** 0.5 + number.value for end in (number.low, number.high))
        assert dataclasses.replace(number, **dict(zip(("low", "high"), ends, strict=True))).sure


def test_a_row_says_how_much_more_text_would_decide():
    [row] = judge_all(
        [CLAIM], {"rule": lambda _: found(2, -1, 3)}, Results({}), "", paths={}, simulated=False, draws=None
    )
    assert row["evidence"] == "no interval decides: 2.2 times the text would, if numbers stay"


def test_the_number_that_decides_is_the_surest_one_outside_of_its_range():
    inside, outside, surely = Judged(1, least=0.0), Judged(1, least=2.0), Judged(1, 0, 1.5, least=2.0)
    assert Finding("", (inside, outside, surely)).deciding is surely
    assert Finding("", (Judged(1, 0.5, 2, least=0.0), inside)).deciding is inside


def error(value, low, high, bin_size=5000):
    return CalibrationError(value, low, high, bin_size)


def test_errors_of_other_bins_cannot_be_compared():
    one, other, corrected = error(0.005, 0.004, 0.006, 500), error(0.003, 0.002, 0.004), error(0.001, 0, 0.002, None)
    for first, second in itertools.permutations((one, other, corrected), 2):
        for compare in (operator.sub, below):
            with pytest.raises(TypeError, match="expected one bin size"):
                compare(first, second)
        with pytest.raises(TypeError):
            assert first < second


def test_no_judge_takes_an_error_without_its_bins():
    with pytest.raises(TypeError):
        CalibrationError(0.1, 0.0, 0.2)


@given(st.floats(0.001, 0.1), st.floats(0.001, 0.1))
def test_the_interval_of_a_difference_is_that_of_two_independent_normal_estimates(one, other):
    number = error(0.5, 0.5 - 1.96 * one, 0.5 + 1.96 * one) - error(0.2, 0.2 - 1.96 * other, 0.2 + 1.96 * other)
    assert (number.low, number.high) == pytest.approx([0.3 + sign * 1.96 * math.hypot(one, other) for sign in (-1, 1)])


def test_one_error_is_below_another_if_their_difference_surely_is():
    one, other = error(0.3, 0.2, 0.4), error(0.5, 0.37, 0.6)
    outcomes = [
        (below(one, other), True, True),
        (below(other, one), False, True),
        (below(one, error(0.5, 0.32, 0.6)), True, False),
        (below(one, other, 0.5), False, False),
        (within(one, 0.5), True, True),
        (within(one, 0.35), True, False),
        (within(one, 0.1), False, True),
    ]
    assert [(number.holds, number.sure) for number, *_ in outcomes] == [tuple(rest) for _, *rest in outcomes]


def test_an_interval_that_could_not_be_estimated_decides_nothing():
    unknown = CalibrationError.of({"value": 0.1, "low": None, "high": None}, "value", "low", "high", bin_size=5000)
    assert (unknown.low, unknown.high) == (-math.inf, math.inf)
    number = below(unknown, error(9.0, 8.0, 10.0))
    assert (number.holds, number.sure) == (True, False)


@pytest.mark.parametrize(("part", "whole"), [(0, 10), (3, 10), (10, 10), (39, 47)])
def test_the_interval_of_a_share_is_that_of_clopper_and_pearson(part, whole):
    expected = stats.binomtest(part, whole).proportion_ci(0.95, method="exact")
    assert (share(part, whole).low, share(part, whole).high) == pytest.approx((expected.low, expected.high), rel=1e-9)


@pytest.mark.parametrize("p", [0.2, 0.06, 0.04, 0.001, 1e-200])
def test_the_interval_of_a_test_excludes_0_where_p_is_below_05(p):
    number = positive_by_test(0.3, p)
    assert number.sure == (p < 0.05)
    assert stats.norm.sf(0.3, scale=(number.high - 0.3) / stats.norm.ppf(0.975)) == pytest.approx(p / 2)


def test_every_claim_has_a_judge_and_every_judge_a_claim():
    claims = read_claims()
    asked = {(claim.chapter, claim.judge) for claim in claims}
    assert {(chapter, judge) for chapter, judge in asked if judge not in vars(CHAPTERS[chapter])} == set()
    for module in set(CHAPTERS.values()):
        judges = {name for name, judge in vars(module).items() if name[0] != "_" and is_judge(judge, module)}
        assert judges == {judge for chapter, judge in asked if CHAPTERS[chapter] is module}
    assert all(re.match(r"\d|appendix|thesis|L&K", claim.place) for claim in claims if claim.quote)
    assert all(claim.place.startswith("docs/") for claim in claims if not claim.quote)


def test_every_sentence_that_claims_something_has_verdicts_or_a_reason():
    """The list is made by hand from the texts; the claims are compared with it, and a page has a link to it."""
    lines = (ROOT / "src/reproduction/claims/sentences.tsv").read_text(encoding="utf-8").splitlines()[1:]
    sentences = [line.split("\t") for line in lines]
    assert [int(number) for number, *_ in sentences] == list(range(1, len(sentences) + 1))
    claims = {f"{claim.chapter}.{claim.judge}" for claim in read_claims() if claim.quote}
    assert all(answer.removeprefix("none: ") for *_, answer in sentences)
    judged = [answer.split(", ") for *_, answer in sentences if not answer.startswith("none: ")]
    assert {name for names in judged for name in names} == claims
    page = CONTRACT.read_text(encoding="utf-8")
    assert f"(../../src/reproduction/claims/sentences.tsv) lists all {len(sentences)} sentences" in page


def test_the_draws_are_of_claims_that_there_are_and_complete():
    rows = read_csv(DRAWN)
    assert {row["outcome"] for row in rows} <= {"holds", "does not hold", "unclear", "not applicable"}
    by_claim = {}
    for row in rows:
        by_claim.setdefault((row["dataset"], row["place"], row["claim"], row["version"]), []).append(row["seed"])
    assert {tuple(seeds) for seeds in by_claim.values()} == {DRAW_SEEDS}
    counts = [draws for made in read_draws(DRAWN).values() for draws in made.values()]
    assert all(draws.made == 10 >= draws.hold + draws.fail for draws in counts)


def test_numbers_of_draws_agree_with_their_words():
    """A draw has a number or, from before they were kept, words alone; the interval of a number holds it."""
    for row in read_csv(DRAWN):
        value, low, high = (float(row[name]) if row[name] else None for name in ("value", "low", "high"))
        assert value is not None or (low is None and high is None)
        assert value is None or ((low is None or low <= value) and (high is None or value <= high))


def test_an_interval_of_a_correlation_is_fishers():
    x, noise = np.random.default_rng(0).normal(size=(2, 28))
    found = stats.pearsonr(x, x + noise)
    judged = correlation(float(found.statistic), 28, least=0.1)
    assert (judged.low, judged.high) == pytest.approx(tuple(found.confidence_interval(0.95)))
    assert judged.sure
    assert not correlation(float(found.statistic), 28, least=judged.low + 0.01).sure


def test_a_mean_of_numbers_has_students_interval():
    numbers = [-3.0, -1.0, -2.0, -4.0]
    expected = stats.t.interval(0.95, 3, loc=-2.5, scale=stats.sem(numbers))
    judged = mean_of(numbers, most=0.0)
    assert (judged.low, judged.high) == pytest.approx(expected)
    assert judged.sure
