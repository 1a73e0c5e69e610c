"""The report on a judge: how right its verdicts are, and the rates of systems that labels correct."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import argument, counted, decimals, in_short, some, some_of
from nlpcalib.estimation.answer_sample import rates_by_answer
from nlpcalib.estimation.changes import change_sentences
from nlpcalib.estimation.judge_pairs import AccuracyDifference
from nlpcalib.estimation.judges import MEASURES, Rate, Verdicts, forecast_labels, judge_rates
from nlpcalib.io.files import write_csv
from nlpcalib.io.sets import file_fingerprint
from nlpcalib.questions.agreement import AgreementRates, agreement_rates
from nlpcalib.questions.answer import DISAGREEMENTS, MAX_PRINTED_GROUPS, QuestionReport, lines_on_one_group, table_lines
from nlpcalib.questions.estimation_report import EstimationReport, in_dispute, sheet_of_report
from nlpcalib.questions.kinds import drawn_equally
from nlpcalib.sampling.answers import CANNOT_TELL, Labels
from nlpcalib.sampling.settling import Settled
from nlpcalib.sampling.sheet import disagreement_rows
from nlpcalib.tables.names import joined_names


@dataclass(frozen=True, eq=False, repr=False)
class JudgeReport(QuestionReport):
    """How right a judge's verdicts are, and the rates of its systems that labels correct."""

    RECORD = "judge.json"

    verdicts: Verdicts
    estimation: EstimationReport
    """The corrected number of positive items: `whole` of these items, `groups` of items like those of each system."""
    consistency: Rate | None
    """How often two verdicts on one item agree; None where no item was judged twice."""
    level: float
    width: float | None = None
    rubric: tuple[Path, ...] = ()
    """The files that define the judge: rubric, prompt, settings."""
    labels_checksum: str = ""
    """SHA-256 of the labelled items and their labels."""
    annotators: Mapping[str, Labels] = field(default_factory=dict, repr=False)
    """The labels of each annotator, by item; empty unless labels are in files."""
    agreed: Settled = field(default_factory=lambda: Settled({}, ()), repr=False)
    """The labels that annotators agree on, and the items in dispute."""
    settled: Path | None = None
    """The sheet that settled disagreements."""
    yes: str = "yes"
    inputs: tuple[Path, ...] = field(default=(), repr=False)
    differences: tuple[AccuracyDifference, ...] = ()
    """Differences of accuracy between judges, with `judges`."""
    negative: tuple[str, ...] = ()
    """The labels that count as negative if `yes` names the positive one."""
    unjudged: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)
    """By system, the labels of items without a verdict, NaN if an item has none."""
    equal_labels: bool = False
    """Whether as many labels are positive as negative, and nobody stated how they were drawn."""

    @property
    def facts(self):
        """How the file was read: its format, columns and rows."""
        return self.estimation.data.facts

    @cached_property
    def rates(self) -> dict[str, Rate]:
        """Accuracy, sensitivity, specificity, kappa and the rate of positive items, by name."""
        return self._rates_of(self.verdicts)

    def _rates_of(self, verdicts: Verdicts) -> dict[str, Rate]:
        found = rates_by_answer if self.estimation.data.design.drawn == "answer" else judge_rates
        return {each.measure: each for each in found(verdicts, level=self.level)}

    @property
    def disputed(self) -> tuple[str, ...]:
        """Items on which no label has a majority: the intervals hold both answers."""
        return self.agreed.disputed

    @cached_property
    def agreement(self) -> list[AgreementRates]:
        """How far each two annotators agree, weighted by the plan if there is one."""
        if self.estimation.data.design.plan is not None:
            return self.estimation.agreement
        return agreement_rates(self.annotators, None, level=self.level)

    @cached_property
    def systems(self) -> dict[str, dict[str, Rate]]:
        """The judge's rates on each system that has labels, by its name."""
        keys = np.array([joined_names(key) for key in self.estimation.grouping.keys])
        found = {}
        for name in self.estimation.groups:
            part = self.verdicts.of(keys == name)
            if len(part.rows):
                found[name] = self._rates_of(part)
        return found

    @cached_property
    def best(self) -> list[str]:
        """The systems that may have the highest rate, or the judges that may be the most accurate.

        No other one is shown higher. Intervals hold together. Periods have a trend and no ranking: the list is empty.
        """
        if self.differences:
            less = {each.first if (each.value or 0) < 0 else each.last for each in self.differences if each.shown}
            return [name for name in self.systems if name not in less]
        changes = self.estimation.changes
        if any(each.per for each in changes):
            return []
        lower = {each.first if each.low > 0 else each.last for each in changes if each.shown}
        return [name for name in self.estimation.groups if name not in lower] if changes else []

    @cached_property
    def labels_needed(self) -> dict[str, int | None]:
        """How many labels make the interval of each measure as narrow as `width`; None if it cannot be forecast."""
        if self.width is None:
            return {}
        return {
            measure: forecast_labels(self.verdicts, measure, self.width, level=self.level)
            for measure in MEASURES
            if self.rates[measure].value is not None and not self.differences
        }

    def below(self, limit: float) -> list[str]:
        """Return which of both measures has an interval that does not lie above a limit, or none at all, in words."""
        measures = ("sensitivity", "specificity")
        judges = self.systems if self.differences else {"": self.rates}
        found = [(f"{name}: " * bool(name), rates[measure]) for name, rates in judges.items() for measure in measures]
        return [
            f"{name}{each.measure} is not defined: {each.note}" if each.low is None else
            f"{name}{each.measure} may be as low as {decimals(each.low, 3)}"
            for name, each in found
            if each.low is None or each.low < limit
        ]  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each measure of all items, and of each system."""
        parts = [*([] if self.differences else [("", self.rates)]), *self.systems.items()]
        rows = [{"group": name, **asdict(rate)} for name, rates in parts for rate in rates.values()]
        return [*rows, *([{"group": "", **asdict(self.consistency)}] if self.consistency else [])]

    def verdict(self) -> list[str]:
        """Return what the judge can be trusted with, in sentences that say no more than the intervals."""
        accuracy, missed, accepted, base = (self.rates[measure] for measure in (*MEASURES[:3], "rate"))
        found = []
        if not self._all_labelled:
            whole, alone = self.estimation.whole, float(self.verdicts.share.mean())
            share, low, high = whole.share
            place = "below" if alone < low else "above" if alone > high else "inside"
            found.append(
                f"Corrected by the labels, {some_of(whole.total, whole.items)} {self.yes}: {100 * share:.1f} % "
                f"({100 * self.level:g} % interval {_percent(low, high)}); the judge alone reports "
                f"{100 * alone:.1f} %, {place} it."
            )
        if accuracy.low is not None and accuracy.high is not None:
            trusted = f"You can trust {_percent(accuracy.low, accuracy.high)} of the verdicts on items like these."
            wrong = [
                f"{verb} {_percent(1 - rate.high, 1 - rate.low)} of those labelled {name}"
                for verb, rate, name in (("misses", missed, self.yes), ("accepts", accepted, f"not {self.yes}"))
                if rate.low is not None and rate.high is not None
            ]
            found.append(trusted + (f" The judge {' and '.join(wrong)}." if wrong else ""))
            if base.low is not None and base.high is not None and accuracy.low <= max(base.high, 1 - base.low):
                found.append("It is not shown to be right more often than a judge that always gives the same answer.")
            found += self._beside_errors(1 - accuracy.high, 1 - accuracy.low)
        return found

    @property
    def _all_labelled(self) -> bool:
        """Whether there is nothing to correct: each item has a label."""
        return len(self.verdicts.rows) == len(self.verdicts.share)

    def _beside_errors(self, low: float, high: float) -> list[str]:
        """Return whether systems differ by more than the judge errs, a share of verdicts between both ends."""
        if not self.best:
            return []
        own = self._by_the_judge
        least, *_, most = sorted(own, key=lambda name: own[name])
        difference = own[most] - own[least]
        if difference == 0:
            return []
        beside = "less than" if difference < low else "more than" if difference > high else "about as much as"
        return [
            f"By the judge alone {most} has {100 * difference:.1f} points more than {least}, {beside} the share of its "
            f"verdicts that are wrong ({_percent(low, high)})."
        ]

    @cached_property
    def _by_the_judge(self) -> dict[str, float]:
        """The share of verdicts that are yes for each system, by its name."""
        keys = np.array([joined_names(key) for key in self.estimation.grouping.keys])
        return {name: float(self.verdicts.of(keys == name).share.mean()) for name in self.estimation.groups}

    def lines(self) -> list[str]:
        """Return the answer in words."""
        items, labelled = len(self.verdicts.share), len(self.verdicts.rows)
        said = f"verdicts are {self.yes} for {100 * self.verdicts.share.mean():.1f} % of them"
        left = int(np.isnan(self.verdicts.y).sum())
        open_labels = f", {left:,} of them neither yes nor no: intervals hold for either" if left else ""
        about = f"{labelled:,} of {counted(items, 'item')} have a label{open_labels}; {said}."
        # Without labels for some, the corrected rate above is of these items, and narrower than the labels' own rate.
        measures = (*MEASURES, "rate") if self._all_labelled else MEASURES
        lines = [*self.verdict(), about, *(self._line(self.rates[measure]) for measure in measures)]
        if self.differences:
            lines = self._lines_on_judges()
        if len(self.negative) > 1:
            lines.insert(1, f"{some(self.negative)} count as not {self.yes}.")
        if self.equal_labels:
            lines.insert(1, f"{drawn_equally()}; {argument('drawn', 'verdict')}, if half are of each verdict.")
        if self.consistency:
            lines.append(
                f"consistency: two verdicts on one item agree in {self._number(self.consistency)} of "
                f"{counted(self.consistency.items, 'item')} that were judged again"
            )
        if (missing := self._without_verdict()) and self.estimation.groups:
            lines.append(missing)
        if self.estimation.label_error is not None:
            lines.append(
                f"{self.estimation.if_labels_are_wrong} They are those of corrected rates: accuracy, sensitivity, "
                "specificity and kappa take labels for the truth."
            )
        lines += self._lines_on_systems()
        if self.labels_needed:
            lines.append("Labels that make intervals narrower, drawn as those here:")
        for measure, labels in self.labels_needed.items():
            found = f"about {labels:,} labels in all" if labels else "more labels than can be forecast"
            if labels and labels > items:
                found += f", more than there are ({counted(items, 'item')})"
            lines.append(f"{measure}: an interval of width {self.width:g} takes {found}")
        lines += [f"{each.sentence('the items that both labelled')}." for each in self.agreement]
        if self.disputed:
            lines.append(
                in_dispute(self.disputed, "The intervals hold both answers", self.settled or sheet_of_report())
            )
        return [*self._ranking(), *lines]

    def _lines_on_systems(self) -> list[str]:
        """Return a table of the systems, and what can be said of their differences; none where they are compared."""
        lines: list[str] = []
        groups = {} if self.differences else self.estimation.groups
        # A plan's groups add up to its corpus, and with labels by their answer all verdicts are known.
        design = self.estimation.data.design
        if groups and not (design.plan or design.drawn == "answer"):
            lines.append(
                "The rate of a system is that of items like its own, not only of these, so its interval is wider."
            )
        lines += [] if design.plan else lines_on_one_group({name: group.read for name, group in groups.items()})
        shown = list(groups.items())[:MAX_PRINTED_GROUPS]
        rows = [
            (in_short(name), f"{group.items:,}", f"{group.read:,}", decimals(self._by_the_judge[name], 3),
             _with_ends(*group.share), *(_of_rate(self.systems.get(name, {}).get(each)) for each in MEASURES[1:3]))
            for name, group in shown
        ]  # fmt: skip
        by = ", ".join(self.estimation.grouping.names) or "group"
        head = (f"by {by}", "items", "labels", "judge alone", "corrected rate", *MEASURES[1:3])
        lines += table_lines([head, *rows]) if rows else []
        if len(groups) > MAX_PRINTED_GROUPS:
            more = len(groups) - MAX_PRINTED_GROUPS
            lines.append(f"… and {more:,} more, which judge.json and rates.csv list.")
        if groups:
            lines += change_sentences(self.estimation.changes, self.level)
        if groups and design.drawn == "answer":
            lines.append("Labels that were chosen by their answer cannot rank systems: label a random sample.")
        return lines

    def _without_verdict(self) -> str:
        """Return how many items of each system have no verdict, the largest share first; empty for none."""
        judged = Counter(joined_names(key) for key in self.estimation.grouping.keys)
        shares = {name: own.size / (own.size + judged[name]) for name, own in self.unjudged.items()}
        found = [
            f"{self.unjudged[name].size:,} of {self.unjudged[name].size + judged[name]:,} of {name} "
            f"({np.isfinite(self.unjudged[name]).sum():,} labelled)"
            for name in sorted(shares, key=lambda name: -shares[name])
        ]
        return f"Items without a verdict, left out: {some(found)}." if found else ""

    def _ranking(self) -> list[str]:
        """Return which system or judge is first, and whether the judge alone would choose another; none of one."""
        if not self.best:
            return []
        of = "accuracy" if self.differences else "rate"
        if len(self.best) == len(self.systems if self.differences else self.estimation.groups):
            labels = counted(len(self.verdicts.rows), "label")
            found = [f"It is open which has the highest {of}: {some(self.best)}. {labels} show no difference."]
        else:
            names = f"{'one of ' * (len(self.best) > 1)}{some(self.best)}"
            found = [f"highest {of}: {names} ({100 * self.level:g} % confidence)"]
        if self.differences:
            return found
        own = self._by_the_judge
        chosen = max(own, key=lambda name: own[name])
        if chosen not in self.best:
            corrected = self._interval(*self.estimation.groups[chosen].share)
            found.append(
                f"the judge alone would choose {chosen} ({decimals(own[chosen], 3)}): its corrected rate is {corrected}"
            )
        return found

    def drawn_rows(self) -> list[dict[str, Any]]:
        """Return a row for all items and for each system, with the numbers of the figure."""
        keys = np.array([joined_names(key) for key in self.estimation.grouping.keys])
        found = []
        whole = {} if self.differences else {"": self.estimation.whole}
        for name, corrected in {**whole, **self.estimation.groups}.items():
            part = self.verdicts.of(keys == name) if name else self.verdicts
            rates = self.systems.get(name, {}) if name else self.rates
            rate, low, high = corrected.share
            row = {
                "group": name,
                "items": len(part.share),
                "labels": len(part.rows),
                "corrected": rate,
                "low": low,
                "high": high,
                "judge_alone": float(part.share.mean()),
                "labels_alone": None if np.isnan(part.y).all() else float(np.nanmean(part.y)),
            }
            for measure in MEASURES[1:3]:
                each = rates.get(measure)
                for end in ("value", "low", "high"):
                    row[f"{measure}_{end}".removesuffix("_value")] = None if each is None else getattr(each, end)
            found.append(row)
        return found

    def record(self) -> dict[str, Any]:
        """Return the content of `judge.json`: the corrected rate first."""
        rate, low, high = self.estimation.whole.share
        changes = [] if self.differences else [each.row() for each in self.estimation.changes]
        return {
            "rate": rate,
            "low": low,
            "high": high,
            "judge_alone": float(self.verdicts.share.mean()),
            "rubric": {path.as_posix(): file_fingerprint(path)["sha256"] for path in self.rubric},
            "labels": {"items": len(self.verdicts.rows), "sha256": self.labels_checksum},
            "items": len(self.verdicts.share),
            "level": self.level,
            "label_error": self.estimation.label_error,
            "rates": self.rows(),
            "corrected": [
                {"group": each.group, "items": each.items, "total": each.total, "low": each.low, "high": each.high}
                for each in self.estimation.estimates
            ],
            "changes": changes,
            "accuracy_differences": [asdict(each) for each in self.differences],
            "highest": self.best,
            "labels_needed": self.labels_needed,
            "agreement": [each.row() for each in self.agreement],
        }

    def write(self, folder: Path, *, style: str) -> None:
        """Write `rates.csv`, `judge.{png,pdf,csv}` and, with systems, `changes.csv`.

        Where several people labelled the same items, `agreement.csv` has how far they agree, and `disagreements.csv`
        is a sheet that settles the rest.
        """
        # Matplotlib takes half a second to import.
        from nlpcalib.figures.judge import draw_judge
        from nlpcalib.figures.style import house_style

        write_csv(folder / "rates.csv", self.rows())
        if changes := self.record()["changes"]:
            write_csv(folder / "changes.csv", changes)
        if self.agreement:
            write_csv(folder / "agreement.csv", [each.row() for each in self.agreement])
            write_csv(folder / DISAGREEMENTS, self._disagreements())
        with house_style(style) as save_figure:
            save_figure(folder / "judge", *draw_judge(self.drawn_rows(), self.level, self.yes))

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.lines()[0] if self.differences else self._line(self.rates['accuracy'])}>"

    def _lines_on_judges(self) -> list[str]:
        """Return how right each judge is, and which of them is more accurate."""
        labels, items = (max(getattr(each, name) for each in self.differences) for name in ("labels", "items"))
        lines = [
            f"{labels:,} of {counted(items, 'item')} have a label, which counts for each of "
            f"{len(self.estimation.groups)} judges; labels correct the rate of {self.yes} to "
            f"{self._interval(*self.estimation.whole.share)}."
        ]
        for name, rates in list(self.systems.items())[:MAX_PRINTED_GROUPS]:
            lines.append(f"{name}: {'; '.join(f'{each} {self._number(rates[each])}' for each in MEASURES)}")
        together = "joint " if len(self.differences) > 1 else ""
        for pair in self.differences[:MAX_PRINTED_GROUPS]:
            if pair.value is None or pair.low is None or pair.high is None:
                lines.append(f"{pair.first} and {pair.last} are not compared: {pair.note}")
                continue
            first, last = (pair.first, pair.last) if pair.value >= 0 else (pair.last, pair.first)
            ends = (pair.low, pair.high) if pair.value >= 0 else (-pair.high, -pair.low)
            is_more = f"{first} is more accurate than {last} by"
            if not pair.shown:
                is_more = f"It is open whether {first} is more accurate than {last}: the difference is"
            low, high = (decimals(end, 3) for end in ends)
            lines.append(
                f"{is_more} {decimals(abs(pair.value), 3)} ({together}{100 * self.level:g} % interval {low} to "
                f"{high}), from {counted(pair.differ, 'labelled item')} on which they differ."
            )
        return lines

    def _line(self, rate: Rate) -> str:
        if rate.value is None:
            return f"{rate.measure}: not defined: {rate.note}"
        number = f"{rate.measure}: {self._number(rate)}"
        if rate.measure == "rate":
            all_known = self.estimation.data.design.drawn == "answer"
            return f"base {number} of {'these items' if all_known else 'items like these'} are {self.yes}"
        if rate.measure == "accuracy":
            rate_of_yes = self.rates["rate"].value or 0.0
            answer, right = (self.yes, rate_of_yes) if rate_of_yes > 0.5 else (f"not {self.yes}", 1 - rate_of_yes)
            return f"{number}; a judge that always answers {answer} would have {decimals(right, 3)}"
        of = {
            "sensitivity": f" labelled {self.yes}",
            "specificity": f" labelled not {self.yes}",
            "kappa": " with a label",
        }
        return f"{number}, from {counted(rate.items, 'item')}{of[rate.measure]}"

    def _number(self, rate: Rate) -> str:
        if rate.value is None or rate.low is None or rate.high is None:
            return f"not defined ({rate.note})"
        return self._interval(rate.value, rate.low, rate.high)

    def _interval(self, value: float, low: float, high: float) -> str:
        return f"{decimals(value, 3)} ({100 * self.level:g} % interval {decimals(low, 3)} to {decimals(high, 3)})"

    def _disagreements(self) -> list[dict[str, str]]:
        words: dict[float | None, str] = {None: CANNOT_TELL, 1: self.yes, 0: "no"}
        return disagreement_rows(self.annotators, self.agreed, lambda _: "", lambda label: words[label])


def _with_ends(value: float, low: float, high: float) -> str:
    return f"{decimals(value, 3)} ({decimals(low, 3)} to {decimals(high, 3)})"


def _of_rate(rate: Rate | None) -> str:
    if rate is None or rate.value is None or rate.low is None or rate.high is None:
        return "–"
    return _with_ends(rate.value, rate.low, rate.high)


def _percent(low: float, high: float) -> str:
    return f"{max(100 * low, 0):.1f} to {100 * high:.1f} %"  # 1 less an end of 1 may be just below 0
