"""What a verdict rests on: intervals and tests decide, and point estimates only over ten draws of the text."""

import inspect
import math
import re
from pathlib import Path

import pytest

from nlpcalib.io.files import read_csv
from reproduction.claims import coref, events, extraction_eval, sentiment, simulation, tagging, thesis
from reproduction.claims.verdicts import (
    DRAW_SEEDS,
    Claim,
    Finding,
    ReportedValue,
    Results,
    Unclear,
    below,
    judge_all,
    read_claims,
    read_draws,
    within,
)

ROOT = Path(__file__).parents[2]
DRAWN = ROOT / "workflow/draws.csv"
JUDGES = {
    "sentiment": sentiment, "tagging": tagging, "thesis": thesis, "tweets": thesis, "coref": coref, "events": events,
    "extraction_eval": extraction_eval, "synthetic": simulation,
}  # fmt: skip
CLAIM = Claim("chapter", "rule", "4.1", "it holds", "It holds.")


def is_judge(value, module):
    """Whether something is a function of this module, or made by one, that takes results alone."""
    if not inspect.isfunction(value) or value.__module__ != module.__name__:
        return False
    return list(inspect.signature(value).parameters) == ["results"]


def verdict(finding, draws=None, simulated=False):
    known = {} if draws is None else {("data", "4.1", "it holds"): draws}
    [row] = judge_all(
        [CLAIM], {"rule": lambda _: finding}, Results({}), "data", paths={}, simulated=simulated, draws=known
    )
    return row["verdict"]


@pytest.mark.parametrize(
    ("finding", "draws", "expected"),
    [
        (Finding("", True, sure=True), None, "reproduced"),
        (Finding("", True, sure=True), 0, "reproduced"),
        (Finding("", False, sure=True), None, "differs"),
        (Finding("", True), None, "undecided"),
        (Finding("", False), None, "undecided"),
        (Finding("", True), 9, "reproduced"),
        (Finding("", False), 9, "reproduced"),
        (Finding("", True), 8, "undecided"),
        (Finding("", True), 2, "undecided"),
        (Finding("", True), 1, "differs"),
        (Unclear(""), 10, "undecided"),
        (Finding(""), 10, "not applicable"),
    ],
)
def test_a_verdict_needs_an_interval_or_nine_of_ten_draws(finding, draws, expected):
    assert verdict(finding, draws) == expected


def test_on_simulated_text_nothing_is_reproduced():
    assert verdict(Finding("", True, sure=True), simulated=True) == "as in the paper, on simulated text"
    assert verdict(Finding("", False, sure=True), simulated=True) == "differs"


def test_estimates_are_apart_if_their_intervals_are():
    one, other = ReportedValue(0.3, 0.2, 0.4), ReportedValue(0.5, 0.41, 0.6)
    assert below(one, other) == (True, True)
    assert below(other, one) == (False, True)
    assert below(one, ReportedValue(0.5, 0.39, 0.6)) == (True, False)
    assert below(one, other, 0.5) == (False, False)
    assert within(one, 0.5) == (True, True)
    assert within(one, 0.35) == (True, False)
    assert within(one, 0.1) == (False, True)


def test_an_interval_that_could_not_be_estimated_decides_nothing():
    unknown = ReportedValue.of({"value": 0.1, "low": None, "high": None}, "value", "low", "high")
    assert (unknown.low, unknown.high) == (-math.inf, math.inf)
    assert below(unknown, ReportedValue(9.0, 8.0, 10.0)) == (True, False)


def test_every_claim_has_a_judge_and_every_judge_a_claim():
    claims = read_claims()
    asked = {(claim.chapter, claim.judge) for claim in claims}
    assert {(chapter, judge) for chapter, judge in asked if judge not in vars(JUDGES[chapter])} == set()
    for module in set(JUDGES.values()):
        judges = {name for name, judge in vars(module).items() if name[0] != "_" and is_judge(judge, module)}
        assert judges == {judge for chapter, judge in asked if JUDGES[chapter] is module}
    assert all(re.match(r"4|5|6|thesis|L&K", claim.place) for claim in claims if claim.quote)
    assert all(claim.place.startswith("docs/") for claim in claims if not claim.quote)


def test_the_draws_are_of_claims_that_there_are_and_complete():
    known = {(claim.place, claim.claim) for claim in read_claims()}
    rows = read_csv(DRAWN)
    assert {(row["place"], row["claim"]) for row in rows} <= known
    outcomes = {"holds", "does not hold", "unclear", "not applicable"}
    assert all(row[seed] in outcomes for row in rows for seed in DRAW_SEEDS)
    assert set(read_draws(DRAWN).values()) <= set(range(len(DRAW_SEEDS) + 1))
