"""`nlpcalib.judge`: can I trust my judge, and which rate do its verdicts report once human labels correct them?"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from html import escape
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.annotations import are_paths, in_dispute, paths_of, refuse_options_of_files
from nlpcalib.api.estimate import estimate
from nlpcalib.api.estimation_report import EstimationReport
from nlpcalib.api.verdict_rows import (
    ItemLabels,
    VerdictRows,
    item_names,
    labels_of_files,
    labels_of_rows,
    numbered_items,
    positive_verdicts,
    rows_of_arrays,
    rows_of_log,
    rows_of_table,
    units_of_items,
)
from nlpcalib.errors import InputError, counted, decimals, some
from nlpcalib.estimation.changes import change_sentences
from nlpcalib.estimation.judges import (
    MEASURES,
    Rate,
    Verdicts,
    forecast_labels,
    judge_consistency,
    judge_rates,
)
from nlpcalib.io.files import check_file, write_csv, write_json
from nlpcalib.io.frames import frame_of
from nlpcalib.io.sets import atomic_set, file_fingerprint
from nlpcalib.sampling.plan import Plan
from nlpcalib.tables.names import joined_names
from nlpcalib.tables.table import Table

if TYPE_CHECKING:
    from pandas import DataFrame

MAX_PRINTED_SYSTEMS = 20
_PREDICTION_MARGIN = 0.05
"""Distance from 0 and 1 of the prediction that a verdict is to the working model, which learns the rest from labels."""


@dataclass(frozen=True, eq=False)
class JudgeReport:
    """How right a judge's verdicts are, and the rates of its systems that labels correct."""

    verdicts: Verdicts
    estimation: EstimationReport
    """The corrected number of positive items, of all and of each system, and `changes` between systems."""
    consistency: Rate | None
    """How often two verdicts on one item agree; None where no item was judged twice."""
    level: float
    width: float | None = None
    name: str = ""
    """The judge's name and version."""
    rubric: tuple[Path, ...] = ()
    """The files that define the judge: rubric, prompt, settings."""
    labels_checksum: str = ""
    """SHA-256 of the labelled items and their labels."""
    disputed: tuple[str, ...] = ()
    yes: str = "yes"
    inputs: tuple[Path, ...] = field(default=(), repr=False)

    @cached_property
    def rates(self) -> dict[str, Rate]:
        """Accuracy, sensitivity, specificity, kappa and the rate of positive items, by name."""
        return {each.measure: each for each in judge_rates(self.verdicts, level=self.level)}

    @cached_property
    def systems(self) -> dict[str, dict[str, Rate]]:
        """The rates of each system, or group of items, that has labels, by its name."""
        keys = np.array([joined_names(key) for key in self.estimation.grouping.keys])
        found = {}
        for name in self.estimation.groups:
            part = self.verdicts.of(keys == name)
            if len(part.rows):
                found[name] = {each.measure: each for each in judge_rates(part, level=self.level)}
        return found

    @cached_property
    def best(self) -> list[str]:
        """The systems that may have the highest rate: no other one is shown higher. Intervals hold together."""
        changes = [each for each in self.estimation.changes if not each.per]
        lower = {each.first if each.low > 0 else each.last for each in changes if each.shown}
        return [name for name in self.estimation.groups if name not in lower] if changes else []

    @cached_property
    def labels_needed(self) -> dict[str, int | None]:
        """How many labels in all make the interval of each defined measure as narrow as `width`."""
        if self.width is None:
            return {}
        return {
            measure: forecast_labels(self.verdicts, measure, self.width, level=self.level)
            for measure in MEASURES
            if self.rates[measure].value is not None
        }

    def below(self, limit: float, measures: Sequence[str] = ("sensitivity", "specificity")) -> list[str]:
        """Return the measures whose interval does not lie above a limit, in words; an undefined one is among them."""
        for measure in measures:
            if measure not in MEASURES:
                raise InputError(f"measures: found {measure!r}, expected some of {', '.join(MEASURES)}")
        found = [self.rates[measure] for measure in measures]
        return [
            f"{each.measure} is not defined: {each.note}" if each.low is None else
            f"{each.measure} may be as low as {decimals(each.low, 3)}"
            for each in found
            if each.low is None or each.low < limit
        ]  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each measure of all items, and of each system."""
        parts = [("", self.rates), *self.systems.items()]
        rows = [{"group": name, **asdict(rate)} for name, rates in parts for rate in rates.values()]
        return [*rows, *([{"group": "", **asdict(self.consistency)}] if self.consistency else [])]

    def lines(self) -> list[str]:
        """Return the answer in words."""
        items, labelled = len(self.verdicts.share), len(self.verdicts.rows)
        said = f"verdicts are {self.yes} for {100 * self.verdicts.share.mean():.1f} % of them"
        lines = [f"{labelled:,} of {counted(items, 'item')} have a label; {said}."]
        lines += [self._line(self.rates[measure]) for measure in (*MEASURES, "rate")]
        if self.consistency:
            lines.append(
                f"consistency: two verdicts on one item agree in {self._number(self.consistency)} of "
                f"{counted(self.consistency.items, 'item')} that were judged again"
            )
        if labelled < items:
            lines.append(f"corrected: {self._corrected()}")
        if self.estimation.label_error is not None:
            lines.append(
                f"{self.estimation.if_labels_are_wrong} They are those of corrected rates: accuracy, sensitivity, "
                "specificity and kappa take labels for the truth."
            )
        for name, group in list(self.estimation.groups.items())[:MAX_PRINTED_SYSTEMS]:
            rates, alone = self.systems.get(name), f"none of its {counted(group.items, 'item')} has a label"
            numbers = [alone] if rates is None else [f"{each} {self._number(rates[each])}" for each in MEASURES[1:3]]
            lines.append(f"{name}: corrected rate {self._interval(*group.share)}; {'; '.join(numbers)}")
        if len(self.estimation.groups) > MAX_PRINTED_SYSTEMS:
            more = len(self.estimation.groups) - MAX_PRINTED_SYSTEMS
            lines.append(f"… and {more:,} more, which judge.json and rates.csv list.")
        if self.estimation.groups:
            lines += change_sentences(self.estimation.changes, self.level)
        if self.best:
            chosen = f"{'one of ' if len(self.best) > 1 else ''}{some(self.best)}"
            lines.append(f"highest rate: {chosen} ({100 * self.level:g} % confidence)")
        if self.labels_needed:
            lines.append(
                "Labels that make intervals of the judge's measures narrower; corrected rates are not forecast:"
            )
        for measure, labels in self.labels_needed.items():
            found = f"about {labels:,} labels in all" if labels else "more labels than can be forecast"
            lines.append(f"{measure}: an interval of width {self.width:g} takes {found}")
        if self.disputed:
            lines.append(in_dispute(self.disputed, "The intervals hold both answers", None))
        return lines

    def to_frame(self) -> DataFrame:
        """Return a data frame with a row for each rate, as `rates.csv` has them; needs pandas."""
        return frame_of(self.rows())

    def record(self) -> dict[str, Any]:
        """Return the content of `judge.json`."""
        changes = [_without_nan(asdict(each)) for each in self.estimation.changes]
        return {
            "judge": self.name,
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
            "highest": self.best,
            "labels_needed": self.labels_needed,
        }

    def save(self, folder: str | Path) -> None:
        """Write `judge.json`, `rates.csv` and, with systems, `changes.csv`, or none of them.

        `judge.json` has the checksums of the files that were read, so that `nlpcalib verify` notices a stale report.
        """
        changes = [_without_nan(asdict(each)) for each in self.estimation.changes]
        with atomic_set(folder, "judge.json", [*self.inputs, *self.rubric]) as temporary:
            write_csv(temporary / "rates.csv", self.rows())
            if changes:
                write_csv(temporary / "changes.csv", changes)
            write_json(temporary / "judge.json", self.record())

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self._line(self.rates['accuracy'])}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def _line(self, rate: Rate) -> str:
        if rate.value is None:
            return f"{rate.measure}: not defined: {rate.note}"
        number = f"{rate.measure}: {self._number(rate)}"
        if rate.measure == "rate":
            return f"base {number} of items like these are {self.yes}"
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

    def _corrected(self) -> str:
        whole = self.estimation.whole
        alone = float(self.verdicts.share.sum())
        return (
            f"{whole.total:,.0f} of {counted(whole.items, 'item')} are {self.yes} ({100 * self.level:g} % interval "
            f"{whole.low:,.0f} to {whole.high:,.0f}); the judge alone reports {alone:,.0f}"
        )


def judge(
    verdicts: Any,
    labels: Any = None,
    *,
    plan: str | Path | Plan | None = None,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    ids: Any = None,
    unit: Any = None,
    by: Any = None,
    yes: str | None = None,
    label_question: str | None = None,
    threshold: float | None = None,
    name: str = "",
    rubric: Sequence[str | Path] = (),
    width: float | None = None,
    label_error: float | Sequence[float] | None = None,
    level: float = 0.95,
) -> JudgeReport:
    """Measure a judge, such as a language model, against human labels of some of the items that it judged.

    Accuracy, sensitivity, specificity and kappa are those of items like these, next to the rate of positive items.
    Labels correct the rate that the verdicts report, of all items and of each system. Labels are taken to be a
    random sample of the items with one verdict: they may be more frequent under one verdict than under the other.

    Parameters
    ----------
    verdicts : path, or array_like of shape (M,)
        The verdicts, a table with a column `verdict`, or results of Inspect, promptfoo or DeepEval in JSON. The table
        may have `id`, `unit`, `label` and columns to group by. Verdicts are yes or no, pass or fail, 1 or 0. Rows with
        one id, and one group, are verdicts on one item.
    labels : path, sequence of paths, or array_like of shape (M,), optional
        Annotated sheets or exports of annotation tools, by id, with the system in front where systems share ids. Or the
        labels as 0, 1, and NaN where there is none. By default those of the column `label`, empty where there is none.
    plan : path or Plan, optional
        What `plan_items` drew the labelled items by: each was judged once, and verdicts are 0, 1 or a column `q`.
    columns : mapping, optional
        What `verdict`, `id`, `unit`, `label` and `q` are called in the table: `{"verdict": "passed"}`.
    dates : str, optional
        How the table writes dates that `by` groups, as `estimate` takes it.
    ids : array_like, shape (M,), optional
        What was judged in each row.
    unit : array_like, shape (M,), optional
        What items come from together, such as a document. With `by`, it is by default the case that all systems share.
    by : str, sequence of str, or array_like of shape (M,), optional
        The system or prompt that was judged: columns of the table, or the group of each row.
    yes, label_question : str, optional
        The verdict and label that counts as positive; and, in files of labels, the question whose answers are labels.
    threshold : float, optional
        Verdicts are numbers, such as ratings from 1 to 5, and this is the lowest that counts as yes. Labels in rows or
        arrays have the same threshold if they are numbers other than 0 and 1.
    name : str
        The judge's name and version, for the report.
    rubric : sequence of paths
        Files that define the judge, such as its rubric and prompt. The report has their checksums.
    width : float, optional
        A width of the intervals of accuracy, sensitivity, specificity and kappa. The report forecasts the labels that
        it takes, not those of corrected rates and their differences.
    label_error : float, or two, optional
        The largest share of human labels that may be wrong, see `nlpcalib.estimate`: intervals of corrected rates hold
        whatever errors there are up to it. The judge's own rates take labels for the truth.
    level : float
        Level of the intervals.

    Raises
    ------
    InputError
        For verdicts and labels that are neither yes nor no, two labels of one item, and a table without any label.
    """
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1")
    if width is not None and not 0 < width < 1:
        raise InputError(f"width: found {width}, expected a number between 0 and 1")
    files = tuple(Path(path) for path in ([rubric] if isinstance(rubric, str | Path) else rubric))
    for path in files:
        check_file(path)
    of_file = isinstance(verdicts, str | Path)
    if of_file:
        for argument, value in (("ids", ids), ("unit", unit)):
            if value is not None:
                raise InputError(f"found {argument}= with a table, expected a column of {verdicts}")
        read = rows_of_log(verdicts, columns, by) or rows_of_table(verdicts, columns, by, dates)
    else:
        read = rows_of_arrays(verdicts, ids, unit, by)
    number, rows = numbered_items(read)
    yeses = positive_verdicts(read, yes, threshold)
    share = np.bincount(number, yeses) / np.bincount(number)
    paths = paths_of(labels) if are_paths(labels) else []
    named: dict[str, Any] = {"yes": yes, "label_question": label_question, "dates": dates}
    if plan is not None:
        if not of_file or not paths:
            raise InputError("expected plan= with a table of verdicts and files of labels")
        found, estimation = _by_plan(
            verdicts, share, paths, plan=plan, columns=columns, by=by, level=level, label_error=label_error, **named
        )
        disputed = estimation.annotations.disputed
    else:
        if paths:
            given, disputed = labels_of_files(paths, item_names(read, rows), yes, label_question)
        else:
            refuse_options_of_files(label_question=label_question)
            given, disputed = labels_of_rows(read, number, labels, yes, threshold), ()
        if not given:
            place = verdicts if of_file else "labels"
            raise InputError(
                f"{place}: found no label, expected a column label, or its name: columns=label=NAME, or files"
            )
        found, estimation = _by_verdict(share, given, units_of_items(read, rows), read, rows, level, label_error)
    names = item_names(read, rows)
    lines = sorted(f"{names[item]}\t{label:g}\n" for item, label in zip(found.rows.tolist(), found.y, strict=True))
    inputs = [Path(each) for each in (verdicts, *paths, plan) if isinstance(each, str | Path)]
    return JudgeReport(
        found, estimation, _consistency(number, yeses, found.unit, level), level, width, name, files,
        hashlib.sha256("".join(lines).encode()).hexdigest(), disputed, "yes" if yes is None else yes, tuple(inputs),
    )  # fmt: skip


def _by_plan(
    path: str | Path, share: np.ndarray, labels: Sequence[Path], *, columns: Mapping[str, str] | None, **named: Any
) -> tuple[Verdicts, EstimationReport]:
    """Return verdicts with labels that have the weights of a plan, and the estimate from them."""
    of_items = {key: column for key, column in (columns or {}).items() if key not in ("verdict", "label")}
    if "q" not in of_items and not Table(path).has("q"):
        of_items["q"] = (columns or {}).get("verdict", "verdict")
    with warnings.catch_warnings():
        # Verdicts are decisions, which the plan took for predictions.
        warnings.filterwarnings("ignore", ".*nothing but 0 and 1")
        estimation = estimate(path, labels, columns=of_items, **named)
    sample = estimation.annotations.sample
    weight = sample.label_weights
    return Verdicts(share, sample.rows, sample.y, weight, sample.unit), estimation


def _by_verdict(
    share: np.ndarray,
    labels: ItemLabels,
    unit: np.ndarray | None,
    read: VerdictRows,
    rows: Sequence[int],
    level: float,
    label_error: float | Sequence[float] | None,
) -> tuple[Verdicts, EstimationReport]:
    """Return verdicts with labels that are a random sample of the items of each verdict, and the estimate from them."""
    labelled = np.array(sorted(labels), dtype=np.int64)
    answers = [labels[item] for item in labelled.tolist()]
    y = np.array([np.nan if label is None else label for label in answers], dtype=np.float64)
    called = (share >= 0.5).astype(np.int64)
    drawn = np.bincount(called[labelled], minlength=2) / np.maximum(np.bincount(called, minlength=2), 1)
    groups = dict(zip(read.by, zip(*(read.keys[row] for row in rows), strict=True), strict=True)) if read.by else None
    q = _PREDICTION_MARGIN + (1 - 2 * _PREDICTION_MARGIN) * share
    others = _verdicts_on_others(share, [read.ids[row] for row in rows])
    estimation = estimate(
        q, labels, inclusion=drawn[called], unit=unit, by=groups, level=level, label_error=label_error, machines=others
    )
    return Verdicts(share, labelled, y, np.ones(len(y)), unit), estimation


def _verdicts_on_others(share: np.ndarray, ids: Sequence[str]) -> np.ndarray | None:
    """Return the mean verdict on other systems' answers to the case of each item, (N,); None if no case has several.

    They improve the prediction of an item: where a case is easy, all systems are right. Where there are no others it is
    the mean of all verdicts.
    """
    case = np.unique(ids, return_inverse=True)[1]
    others = np.bincount(case)[case] - 1
    if not others.any():
        return None
    of_others = np.bincount(case, share)[case] - share
    return np.divide(of_others, others, out=np.full(len(share), share.mean()), where=others > 0)


def _consistency(number: np.ndarray, yeses: np.ndarray, unit: np.ndarray | None, level: float) -> Rate | None:
    """Return how often two verdicts on one item agree, from the item of each verdict; None if all were judged once."""
    count, positive = np.bincount(number), np.bincount(number, yeses)
    again = count > 1
    if not again.any():
        return None
    of, count = positive[again], count[again]
    agreement = (of * (of - 1) + (count - of) * (count - of - 1)) / (count * (count - 1))
    return judge_consistency(
        agreement, None if unit is None else np.unique(unit[again], return_inverse=True)[1], level=level
    )


def _without_nan(row: dict[str, Any]) -> dict[str, Any]:
    return {key: None if isinstance(value, float) and isnan(value) else value for key, value in row.items()}
