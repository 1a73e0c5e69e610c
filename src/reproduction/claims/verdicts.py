"""Published claims, and one judge for all of them.

A judge names the numbers that decide a claim, each with its interval and the range in which the claim holds. It has no
other way to be sure: a claim surely holds where every interval lies inside its range, and surely does not where one
lies outside. Calibration errors carry their bins, and those of different bins cannot be compared.

*Reproduced* takes the interval of this run and, on simulated text, nine of ten draws of the text with other seeds. A
draw that an earlier version of a judge, of the text or of a model made does not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from scipy import special

from reproduction.claims.draws import DOES_NOT_HOLD, DRAW_SEEDS, HOLDS, NO_DRAWS, NOT_APPLICABLE, DrawCounts, DrawKey

REPRODUCED, DIFFERS = "reproduced", "differs"
AS_IN_THE_PAPER = "as in the paper, on simulated text"
UNDECIDED = "undecided"
"""The interval holds both answers, or draws disagree with it or with each other."""
DRAWS_WANTING = "draws wanting"
"""Simulated text decides, and it was not drawn ten times with this code, this configuration and this judge."""

SYNTHETIC = "synthetic"
"""The dataset of the chapters whose pairs every run draws."""
MIN_AGREEING_DRAWS = 9
"""Draws that have to agree with the run."""

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


@dataclass(frozen=True, slots=True)
class Judged:
    """A number that decides a claim, its interval, and the open range in which the claim holds."""

    value: float
    low: float = -math.inf
    """Lower end of the interval; unbounded where there is none."""
    high: float = math.inf
    least: float = -math.inf
    """Lower end of the range."""
    most: float = math.inf
    enough: float | None = None
    """How many times the text would make this sure; None if the interval narrows with the root of the text's size."""

    @property
    def holds(self) -> bool:
        """Whether the number lies in the range."""
        return self.least < self.value < self.most

    @property
    def sure(self) -> bool:
        """Whether the whole interval lies in the range, or outside."""
        inside = (self.least < self.low or self.least == -math.inf) and (self.high < self.most or self.most == math.inf)
        return inside if self.holds else self.high <= self.least or self.low >= self.most

    @property
    def text_to_decide(self) -> float:
        """How many times the text would make this sure, if the number stayed as it is; infinite where none would."""
        if self.sure or self.enough is not None:
            return 1.0 if self.sure else self.enough or math.inf
        below, above = self.value - self.low, self.high - self.value
        sides = [(below, self.value - self.least), (above, self.most - self.value)]
        if not self.holds:
            sides = [(above, self.least - self.value) if self.value <= self.least else (below, self.value - self.most)]
        bounded = [(margin, room) for margin, room in sides if math.isfinite(room)]
        return max((margin / room) ** 2 if room else math.inf for margin, room in bounded)


@dataclass(frozen=True, slots=True)
class Finding:
    """What was measured, and the numbers that decide; none if the claim does not apply."""

    measured: str
    numbers: tuple[Judged, ...] = ()

    @property
    def holds(self) -> bool | None:
        """Whether every number lies in its range; None if the claim does not apply."""
        return all(number.holds for number in self.numbers) if self.numbers else None

    @property
    def sure(self) -> bool:
        """Whether intervals support this: one number that surely lies outside of its range is enough."""
        if self.holds:
            return all(number.sure for number in self.numbers)
        return any(number.sure and not number.holds for number in self.numbers)

    @property
    def text_to_decide(self) -> float:
        """How many times the text would make this sure, if the numbers stayed as they are."""
        if self.holds:
            return max(number.text_to_decide for number in self.numbers)
        return min(number.text_to_decide for number in self.numbers if not number.holds)

    @property
    def deciding(self) -> Judged:
        """The first number outside of its range, the surest before others; else the first without a sure interval."""
        return min(self.numbers, key=lambda number: (number.holds, number.sure == number.holds))


class Unclear(NamedTuple):
    """What was measured, where intervals or tests leave the claim open."""

    measured: str
    text_to_decide: float = math.inf
    """How many times the text would decide, as that of a `Finding`."""


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
    version: str = "1"
    """Version of the judge: a new one where it judges otherwise, so that earlier draws no longer count."""


def read_claims() -> list[Claim]:
    """Return all claims, in the order in which they are reported."""
    rows = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [Claim(*row.split("\t")) for row in rows]


def judges_of(module: ModuleType) -> dict[str, Judge]:
    """Return the judges in a chapter's module, by name, in the order of their claims."""
    return {claim.judge: vars(module)[claim.judge] for claim in read_claims() if claim.judge in vars(module)}


@dataclass(frozen=True, slots=True)
class CalibrationError:
    """A calibration error, or its square, with its interval and its bins, without which it means nothing."""

    value: float
    low: float
    """Lower end of the interval; unbounded where it could not be estimated."""
    high: float
    bin_size: int | None
    """Algorithm 1's β; None for the bias-corrected error, whose bins follow from the pairs by one rule."""

    @classmethod
    def of(cls, row: ResultRow, value: str, low: str, high: str, *, bin_size: int | None) -> CalibrationError:
        """Read an error from three columns of a row."""
        ends = (-math.inf if row[low] is None else row[low], math.inf if row[high] is None else row[high])
        return cls(row[value], *ends, bin_size)

    @classmethod
    def published(cls, row: ResultRow) -> CalibrationError:
        """Read the error of Algorithm 1 with Algorithm 2's interval, over bins of the row's `bin_size`."""
        return cls.of(row, "published_error", "published_low", "published_high", bin_size=row["bin_size"])

    @classmethod
    def bias_corrected(cls, row: ResultRow) -> CalibrationError:
        """Read the bias-corrected error."""
        return cls.of(row, "error", "error_low", "error_high", bin_size=None)

    def __mul__(self, factor: float) -> CalibrationError:
        """Return a multiple of the error."""
        return CalibrationError(factor * self.value, factor * self.low, factor * self.high, self.bin_size)

    def __sub__(self, other: CalibrationError) -> Judged:
        """Return the difference, with the interval that both leave if they are independent (Zou & Donner 2008).

        Errors of two models on one text rise and fall together, so that theirs is narrower.
        """
        if self.bin_size != other.bin_size:
            raise TypeError(
                f"found errors in bins of {self.bin_size} and {other.bin_size} pairs, expected one bin size"
            )
        difference = self.value - other.value
        below = math.hypot(self.value - self.low, other.high - other.value)
        above = math.hypot(self.high - self.value, other.value - other.low)
        return Judged(difference, difference - below, difference + above)


def below(first: CalibrationError, second: CalibrationError, factor: float = 1.0) -> Judged:
    """Return the first error minus `factor` times the second, which is to be negative."""
    return replace(first - second * factor, most=0.0)


def within(error: CalibrationError, bound: float) -> Judged:
    """Return an error that is to be less than a bound."""
    return Judged(error.value, error.low, error.high, most=bound)


def share(part: int, whole: int, *, least: float = -math.inf, most: float = math.inf) -> Judged:
    """Return a share with the 95 % interval of Clopper and Pearson, as if what is counted were drawn by itself."""
    low = float(special.betaincinv(part, whole - part + 1, 0.025)) if part else 0.0
    high = float(special.betaincinv(part + 1, whole - part, 0.975)) if part < whole else 1.0
    return Judged(part / whole, low, high, least, most)


def exactly(number: float, *, least: float = -math.inf, most: float = math.inf) -> Judged:
    """Return a number that was computed and not estimated: its interval is the number itself."""
    return Judged(number, number, number, least, most)


def near_accuracy(row: ResultRow, published: float) -> Judged:
    """Return the accuracy over a row's `test_tokens`, which is to be within a point of the published one."""
    found = row["accuracy"]
    margin = 1.96 * (found * (1 - found) / row["test_tokens"]) ** 0.5
    return Judged(found, found - margin, found + margin, published - 0.01, published + 0.01)


def positive_by_test(difference: float, p_value: float) -> Judged:
    """Return a difference that is to be above 0, with the normal 95 % interval that its test of 0 leaves."""
    deviations = -float(special.ndtri(p_value / 2))
    margin = abs(difference) * float(special.ndtri(0.975)) / deviations if deviations > 0 else math.inf
    return Judged(difference, difference - margin, difference + margin, least=0.0)


def mean_of(numbers: Sequence[float], *, least: float = -math.inf, most: float = math.inf) -> Judged:
    """Return a mean with Student's 95 % interval, as if numbers were drawn by themselves."""
    mean, count = math.fsum(numbers) / len(numbers), len(numbers)
    if count < 2:
        return Judged(mean, least=least, most=most)
    variance = math.fsum((number - mean) ** 2 for number in numbers) / (count - 1)
    margin = float(special.stdtrit(count - 1, 0.975)) * (variance / count) ** 0.5
    return Judged(mean, mean - margin, mean + margin, least, most)


def correlation(value: float, count: int, *, least: float) -> Judged:
    """Return a correlation over `count` cells with Fisher's 95 % interval, which is to exceed `least`."""
    if count <= 3 or abs(value) >= 1:
        return Judged(value, least=least)
    margin = float(special.ndtri(0.975)) / (count - 3) ** 0.5
    low, high = (math.tanh(math.atanh(value) + sign * margin) for sign in (-1, 1))
    return Judged(value, low, high, least=least)


def mostly(direction: str, row: ResultRow) -> Finding | Unclear:
    """Return whether more regions above ¼ have this direction than the contrary one; unclear ones may have either.

    Below ¼ lie almost all pairs, and hardly any difference. A region's score is its gap in halves of its interval: it
    has a direction beyond 1. Scores grow with the root of the size of the text.
    """
    scores = [float(score) for score in row["direction_scores"].split()[1:]]
    names = [("underconfident" if score > 0 else "overconfident") if abs(score) > 1 else "unclear" for score in scores]
    measured = f"{', '.join(names[:1] if len(set(names)) == 1 else names)} in the upper three quarters of [0, 1]"

    def lead(times: float) -> tuple[int, int]:
        """Return the lead of this direction with so many times the text, and how many regions are unclear then."""
        clear = [(score > 0) == (direction == "underconfident") for score in scores if score**2 * times > 1]
        return 2 * sum(clear) - len(clear), len(scores) - len(clear)

    enough = least_text(lambda times: abs(lead(times)[0]) > lead(times)[1])
    (found, unclear) = lead(1.0)
    number = Judged(found, found - unclear, found + unclear, least=0.0, enough=enough)
    return Finding(measured, (number,)) if found else Unclear(measured, enough)


def least_text(decides: Callable[[float], bool]) -> float:
    """Return how many times the text, up to 1,000 and in steps of 1 %, first decide; infinite if none does."""
    return next((times for times in (1.01**step for step in range(696)) if decides(times)), math.inf)


def p_text(p_value: float) -> str:
    """Return a p-value as it is printed; NaN is that of a test with too few units."""
    return "too few units for a test" if math.isnan(p_value) else f"p = {p_value:.2g}"


def judge_all(
    claims: Iterable[Claim],
    judges: Mapping[str, Judge],
    results: Results,
    dataset: str,
    *,
    paths: Mapping[str, str],
    simulated: bool,
    draws: Mapping[DrawKey, DrawCounts] | None,
) -> list[dict[str, str]]:
    """Return one row per claim: its place and words, what was measured, the evidence, the verdict, and the sources.

    `value`, `low` and `high` are the number that decides, with its interval; empty where there is none.

    The sources are the files that the judge read, whose `paths` are known by the names of the tables, and the judge as
    `module:function`. `draws` is None for text that cannot be drawn; `simulated` names the verdict.
    """
    rows = []
    for claim in claims:
        judge, given = judges[claim.judge], Results(results.tables, results.facts)
        finding = judge(given)
        key = dataset, claim.place, claim.claim, claim.version
        drawn = None if draws is None else draws.get(key, NO_DRAWS)
        evidence, verdict = _verdict(finding, drawn)
        if simulated and verdict == REPRODUCED:
            verdict = AS_IN_THE_PAPER
        row = {
            "chapter": claim.chapter,
            "dataset": dataset,
            "place": claim.place,
            "claim": claim.claim,
            "quote": claim.quote,
        }
        row |= {"measured": finding.measured, "holds": outcome(finding), **_number(finding), "evidence": evidence}
        row |= {"verdict": verdict, "version": claim.version}
        row |= {"table": ", ".join(paths[table] for table in given.read), "judge": f"{judge.__module__}:{claim.judge}"}
        rows.append(row)
    return rows


def _number(finding: Finding | Unclear) -> dict[str, str]:
    """Return the number that decides, with the ends of its interval; empty where they are unbounded."""
    if isinstance(finding, Unclear) or not finding.numbers:
        return dict.fromkeys(("value", "low", "high"), "")
    number = finding.deciding
    ends = {"value": number.value, "low": number.low, "high": number.high}
    return {name: repr(float(each)) if math.isfinite(each) else "" for name, each in ends.items()}


def _verdict(finding: Finding | Unclear, draws: DrawCounts | None) -> tuple[str, str]:
    """Return what a verdict rests on, and the verdict; `draws` is None on text that cannot be drawn."""
    if isinstance(finding, Finding) and not finding.numbers:
        return "", NOT_APPLICABLE
    rests_on, decided = "no interval decides", UNDECIDED
    if isinstance(finding, Finding) and finding.sure:
        rests_on, decided = "interval", REPRODUCED if finding.holds else DIFFERS
    elif math.isfinite(more := finding.text_to_decide):
        rests_on += f": {_times(more)} the text would, if numbers stay"
    if draws is None or isinstance(finding, Unclear):
        return rests_on, decided
    if draws.made < len(DRAW_SEEDS):
        return f"{rests_on}; {draws.made} of {len(DRAW_SEEDS)} draws made", DRAWS_WANTING
    evidence = f"{rests_on}; holds in {draws.hold} of {draws.made} draws, does not in {draws.fail}"
    if decided == REPRODUCED and draws.hold >= MIN_AGREEING_DRAWS:
        return evidence, REPRODUCED
    if decided == DIFFERS and draws.fail >= MIN_AGREEING_DRAWS:
        return evidence, DIFFERS
    return evidence, UNDECIDED


def _times(more: float) -> str:
    """Return a factor in words, with two digits; an interval that just reaches a bound needs a little more."""
    return f"{max(more, 1.1):.1f} times" if more < 9.95 else f"{more:,.0f} times"


def outcome(finding: Finding | Unclear) -> str:
    """Return how a claim came out in one draw."""
    if isinstance(finding, Unclear):
        return "unclear"
    return NOT_APPLICABLE if finding.holds is None else HOLDS if finding.holds else DOES_NOT_HOLD


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
