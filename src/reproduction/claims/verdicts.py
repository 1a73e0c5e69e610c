"""Published claims, and one judge for all of them.

A claim holds on a dataset by an interval or a test, or by a point estimate alone. An interval decides. A point estimate
decides on simulated text, if the claim holds in nine of ten draws of the text with other seeds, or in one at most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from nlpcalib.io.files import read_csv

REPRODUCED, DIFFERS = "reproduced", "differs"
AS_IN_THE_PAPER = "as in the paper, on simulated text"
UNDECIDED = "undecided"
"""Neither an interval nor enough draws decide."""
NOT_APPLICABLE = "not applicable"
"""The claim is about something that this corpus does not have, such as the paper's own numbers."""

DRAW_SEEDS = tuple(str(seed) for seed in range(1, 11))
"""The seeds of `workflow/draws.csv`."""
_MIN_AGREEING_DRAWS = 9
"""Draws that have to agree for a claim without an interval to be decided."""

ResultRow = Mapping[str, Any]
"""A row of a table that the workflow wrote, whose columns have types; see `reproduction.workflow.typed_csv`."""


@dataclass(frozen=True, slots=True)
class Results:
    """What a claim is judged by: tables of one dataset, and facts about it."""

    tables: Mapping[str, Sequence[ResultRow]]
    """Rows by the table's name; a table that the dataset does not have is absent."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    read: list[str] = field(default_factory=list)
    """The names of the tables that were read, in this order."""

    def rows(self, table: str, **values: object) -> list[ResultRow]:
        """Return the rows of a table that have these values in these columns; none if there is no such table."""
        rows = self.tables.get(table, ())
        if table in self.tables and table not in self.read:
            self.read.append(table)
        return [row for row in rows if all(row[column] == value for column, value in values.items())]

    def row(self, table: str, **values: object) -> ResultRow:
        """Return the first of those rows."""
        return self.rows(table, **values)[0]


class Finding(NamedTuple):
    """What was measured, and whether the claim holds."""

    measured: str
    holds: bool | None = None
    """`None` if the claim does not apply."""
    sure: bool = False
    """Whether an interval or a test supports this, and not a point estimate alone."""


class Unclear(NamedTuple):
    """What was measured, where intervals or tests leave the claim open."""

    measured: str


Judge = Callable[[Results], Finding | Unclear]


@dataclass(frozen=True, slots=True)
class Claim:
    """A row of `verdicts.tsv`."""

    chapter: str
    judge: str
    """The function of the chapter's module that judges it."""
    place: str
    claim: str
    """What is judged; what was made definite in the text's words follows `here:`."""
    quote: str
    """The sentence of the text, or the part of it that is judged; empty for claims of this project."""


def read_claims() -> list[Claim]:
    """Return all claims, in the order in which they are reported."""
    rows = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Claim(*row.split("\t")) for row in rows]


def judges_of(module: ModuleType) -> dict[str, Judge]:
    """Return the judges in a chapter's module, by name, in the order of their claims."""
    return {claim.judge: vars(module)[claim.judge] for claim in read_claims() if claim.judge in vars(module)}


class ReportedValue(NamedTuple):
    """A value with its interval, which is unbounded where it could not be estimated."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, row: ResultRow, value: str, low: str, high: str) -> ReportedValue:
        """Read an estimate from three columns of a row."""
        return cls(
            row[value], -math.inf if row[low] is None else row[low], math.inf if row[high] is None else row[high]
        )


def below(first: ReportedValue, second: ReportedValue, factor: float = 1.0) -> tuple[bool, bool]:
    """Return whether the first is less than `factor` times the second, and whether their intervals are apart."""
    holds = first.value < factor * second.value
    return holds, first.high < factor * second.low or first.low > factor * second.high


def all_hold(measured: str, compared: Sequence[tuple[bool, bool]]) -> Finding:
    """Return the finding of several comparisons, of which all have to hold: one that surely does not is enough."""
    holds = all(found for found, _ in compared)
    sure = all(sure for _, sure in compared) if holds else any(sure and not found for found, sure in compared)
    return Finding(measured, holds, sure)


def within(estimate: ReportedValue, bound: float) -> tuple[bool, bool]:
    """Return whether an estimate is less than a bound, and whether its interval is on one side of it."""
    return estimate.value < bound, estimate.high < bound or estimate.low >= bound


def mostly(direction: str, row: ResultRow) -> Finding | Unclear:
    """Return whether a table's `directions` above ¼ are more often `direction` than the contrary.

    Below ¼ lie almost all pairs, and hardly any difference.
    """
    directions = row["directions"].split()[1:]
    found, both = directions.count(direction), sum(each.endswith("confident") for each in directions)
    measured = f"{', '.join(directions)} in the upper three quarters of [0, 1]"
    return Unclear(measured) if 2 * found == both else Finding(measured, 2 * found > both, sure=True)


def p_text(p_value: float) -> str:
    """Return a p-value as it is printed; NaN is that of a test with too few units."""
    return "too few units for a test" if math.isnan(p_value) else f"p = {p_value:.2g}"


def read_draws(path: str | Path) -> dict[tuple[str, str, str], int]:
    """Return in how many of the ten draws each claim holds, by dataset, place and text."""
    return {
        (row["dataset"], row["place"], row["claim"]): sum(row[seed] == "holds" for seed in DRAW_SEEDS)
        for row in read_csv(path)
    }


def judge_all(
    claims: Iterable[Claim],
    judges: Mapping[str, Judge],
    results: Results,
    dataset: str,
    *,
    paths: Mapping[str, str],
    simulated: bool,
    draws: Mapping[tuple[str, str, str], int],
) -> list[dict[str, str]]:
    """Return one row per claim: its place and words, what was measured, the evidence, the verdict, and the sources.

    The sources are the files that the judge read, whose `paths` are known by the names of the tables, and the judge as
    `module:function`. `draws` has the number of draws in which a claim holds, by dataset, place and text.
    """
    rows = []
    for claim in claims:
        judge, given = judges[claim.judge], Results(results.tables, results.facts)
        finding = judge(given)
        evidence, verdict = _verdict(finding, draws.get((dataset, claim.place, claim.claim)))
        if simulated and verdict == REPRODUCED:
            verdict = AS_IN_THE_PAPER
        row = {"dataset": dataset, "place": claim.place, "claim": claim.claim, "quote": claim.quote}
        row |= {"measured": finding.measured, "holds": outcome(finding), "evidence": evidence, "verdict": verdict}
        row |= {"table": ", ".join(paths[table] for table in given.read), "judge": f"{judge.__module__}:{claim.judge}"}
        rows.append(row)
    return rows


def _verdict(finding: Finding | Unclear, draws: int | None) -> tuple[str, str]:
    """Return what a verdict rests on, and the verdict."""
    if isinstance(finding, Unclear):
        return "interval", UNDECIDED
    if finding.holds is None:
        return "", NOT_APPLICABLE
    if finding.sure:
        return "interval", REPRODUCED if finding.holds else DIFFERS
    if draws is None:
        return f"one draw: {outcome(finding)}", UNDECIDED
    decided = (
        REPRODUCED
        if draws >= _MIN_AGREEING_DRAWS
        else DIFFERS
        if draws <= len(DRAW_SEEDS) - _MIN_AGREEING_DRAWS
        else UNDECIDED
    )
    return f"holds in {draws} of {len(DRAW_SEEDS)} draws", decided


def outcome(finding: Finding | Unclear) -> str:
    """Return how a claim came out in one draw."""
    if isinstance(finding, Unclear):
        return "unclear"
    return "not applicable" if finding.holds is None else "holds" if finding.holds else "does not hold"


def side_by_side(tiers: Mapping[str, Iterable[Mapping[str, str]]]) -> list[dict[str, str]]:
    """Return one row per claim with the verdicts of each tier, by dataset, in the order in which claims first come.

    `tiers` has the rows of `check.csv`, by the name of the tier.
    """
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for tier, claims in tiers.items():
        for claim in claims:
            key = claim["place"], claim["claim"]
            row = rows.setdefault(key, {"place": key[0], "claim": key[1], **dict.fromkeys(tiers, "")})
            judged = f"{claim['dataset']}: {claim['verdict']}"
            row[tier] = f"{row[tier]}; {judged}" if row[tier] else judged
    return list(rows.values())
