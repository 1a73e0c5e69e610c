"""`nlpcalib.estimate`: what do probabilities and a few labels report about a corpus?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from math import floor, isnan, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.api.annotations import (
    Annotations,
    are_paths,
    in_dispute,
    label_findings,
    labels_by_row,
    named,
    paths_of,
    planned,
    read_sample_labels,
    refuse_options_of_files,
)
from nlpcalib.api.items import Grouping, Items, items_of, of_each
from nlpcalib.api.methods import methods_paragraph
from nlpcalib.api.plan_items import ItemPlan, asked_before
from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.borrowing import estimate_groups
from nlpcalib.estimation.changes import Change, change_sentences, estimate_changes
from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.estimation.label_errors import (
    EXAMPLE_LABEL_ERRORS,
    MAX_LABEL_ERROR,
    LabelErrors,
    with_label_errors,
)
from nlpcalib.examination.labels import examine_drawing
from nlpcalib.examination.report import report_findings
from nlpcalib.io.frames import frame_of
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.recalibration.layer import layered
from nlpcalib.sampling.agreement import Agreement, annotator_agreement
from nlpcalib.sampling.plan import WORDS, Plan
from nlpcalib.sampling.samples import Sample, restricted, simple_random_sample, unequal_sample
from nlpcalib.sampling.settling import Settled
from nlpcalib.tables.names import joined_names
from nlpcalib.tables.periods import period_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from nlpcalib.tables.facts import TableFacts

DISAGREEMENTS = "disagreements.csv"
"""The sheet of items that annotators label differently; filled in, it settles them."""
MAX_PRINTED_GROUPS = 20
PARTS = ("texts with a word", "other texts")
"""The parts of a corpus that a plan by words divides, as estimates name them."""


@dataclass(frozen=True, eq=False)
class EstimationReport:
    """How many items of a corpus, and of its groups, are positive."""

    whole: Estimate
    """The estimate of the whole corpus."""
    groups: Mapping[str, Estimate]
    """The estimate of each group by its name: its values in the columns that group, separated by commas."""
    items: Items
    grouping: Grouping
    annotations: Annotations
    plan: Plan | None
    q: np.ndarray
    """float64 (N,): the predictions, improved by words or vectors of the texts where labels show that these help."""
    gain: float
    """By which share these features of the texts lower the loss on held-out labels; 0 where they are not used."""
    gain_is_shown: bool
    """Whether held-out labels show that they do; else it may be chance."""
    borrow: str
    method: str
    level: float
    notes: tuple[str, ...] = ()
    """What is to be known before the numbers."""
    label_error: LabelErrors | None = None
    """The stated bound on wrong labels, which intervals of totals hold."""
    yes: str | None = None
    """The label that is positive, if it was named."""
    settled: Path | None = None
    """The sheet whose labels settled disagreements."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    facts: TableFacts | None = None
    """What the table of items was taken to be."""
    features: str = "words"
    """What of the texts improves the predictions: words or vectors."""
    parts: tuple[Estimate, ...] = ()
    """The estimates of texts with a word, which `groups` divide, and of the others; empty unless a plan is by words."""

    @property
    def total(self) -> float:
        """How many items are positive."""
        return self.whole.total

    @property
    def low(self) -> float:
        """The lower end of the interval of `total`."""
        return self.whole.low

    @property
    def high(self) -> float:
        """The upper end of the interval of `total`."""
        return self.whole.high

    @property
    def share(self) -> tuple[float, float, float]:
        """The share of positive items and the ends of its interval."""
        return self.whole.share

    @property
    def estimates(self) -> list[Estimate]:
        """The whole corpus first, then each group."""
        return [self.whole, *self.groups.values()]

    @cached_property
    def changes(self) -> list[Change]:
        """How rates differ between groups, see `estimate_changes`; empty with another method than score.

        Of a plan by words it is empty too: the share of texts with a word that are positive is no rate of the corpus.
        """
        if not self.groups or self.method != "score" or self.parts:
            return []
        return estimate_changes(self.q, self.annotations.sample, self.grouping.keys, level=self.level)

    @cached_property
    def agreement(self) -> list[Agreement]:
        """How far each two annotators agree on the corpus."""
        sample = self.annotations.sample
        weight = sample.weights[sample.stratum[sample.rows]].tolist()
        return annotator_agreement(
            self.annotations.annotators, dict(zip((self.items.ids[row] for row in sample.rows), weight, strict=True))
        )

    def lines(self) -> list[str]:
        """Return the answer in words."""
        lines = [*self.notes]
        if self.annotations.negative:
            lines.append(f"Labels counted as no: {self.annotations.negative}.")
        if self.gain:
            falls = f"the loss on held-out labels falls by {self.gain:.0%}"
            lines.append(
                f"Labels improve the predictions by {self.features} of the texts: {falls}."
                if self.gain_is_shown
                else f"{self.features.capitalize()} of the texts are used, and {falls}, which may be chance."
            )
        of_groups = [estimate.notes for estimate in self.groups.values()]
        common = [each for each in of_groups[0] if all(each in notes for notes in of_groups)] if of_groups[1:] else []
        shown = self.estimates[: MAX_PRINTED_GROUPS + 1]
        lines += self._parts() + [self._sentence(estimate, common) for estimate in shown]
        if len(self.groups) > MAX_PRINTED_GROUPS:
            lines.append(f"… and {len(self.groups) - MAX_PRINTED_GROUPS:,} more groups, which estimates.csv lists.")
        if common:
            lines.append(f"Each group: {' '.join(common)}")
        changes = self._change_sentences
        if len(changes) > MAX_PRINTED_GROUPS + 1:
            changes = [f"{len(changes) - 1:,} mean changes, which changes.csv lists.", changes[-1]]
        lines += changes
        if changes and self.borrow != "none":
            lines.append("Changes rest on the labels of each group alone: nothing is borrowed for them.")
        if changes and self.label_error:
            lines.append("Changes take labels for the truth, as if errors were the same in all groups.")
        lines.append(self.if_labels_are_wrong)
        lines += [
            f"{pair.first} and {pair.second} differ on {pair.differ:,} of {counted(pair.items, 'item')}: they agree on "
            f"{100 * pair.agreed:.1f} % of the corpus, {_kappa(pair.kappa)}. Independent errors on "
            f"{100 * pair.error:.1f} % of the items would explain it." + self._unchecked(pair)
            for pair in self.agreement
        ]
        if self.annotations.disputed:
            lines.append(in_dispute(self.annotations.disputed, "The interval holds both answers", self.settled))
        return lines

    @property
    def if_labels_are_wrong(self) -> str:
        """The bound on wrong labels that the intervals hold, or what some bounds would do to that of the whole."""
        if self.label_error is not None:
            missed, alarms = (f"{100 * each:g} %" for each in self.label_error)
            return (
                f"Intervals hold if at most {missed} of positive items and {alarms} of the others are labelled wrongly."
            )
        ends = [with_label_errors(self.low, self.high, self.whole.items, (each, each)) for each in EXAMPLE_LABEL_ERRORS]
        shown = [f"{low:,.0f} to {high:,.0f}" for low, high in ends]
        shares = [f"{100 * each:g}" for each in EXAMPLE_LABEL_ERRORS]
        return (
            f"Labels are taken for the truth: if up to {', '.join(shares[:-1])} or {shares[-1]} % of them were wrong, "
            f"either way, it would be {', '.join(shown[:-1])} or {shown[-1]}."
        )

    def methods(self) -> tuple[str, str]:
        """Return a paragraph for the methods section of a paper, in Markdown, and its references in BibTeX."""
        sample = self.annotations.sample
        return methods_paragraph(
            self.plan, sample, self.estimates, self.agreement,
            [self.annotations.annotators_of(self.items.ids[row]) for row in sample.rows],
            decided=self.annotations.decided, method=self.method, level=self.level, by=self.grouping.names,
            borrow=self.borrow, features=self.features if self.gain > 0 else "", changes=self._change_sentences,
            wrong=self.if_labels_are_wrong,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the content of `estimates.json`: the settings, and a row for the corpus, its parts and each group."""
        table = None if self.facts is None else self.facts.record()
        settings = {"method": self.method, "borrow": self.borrow, "level": self.level, "table": table}
        rows = [_row(each) for each in (self.whole, *self.parts, *self.groups.values())]
        return {**settings, "label_error": self.label_error, "estimates": rows}

    def to_frame(self) -> DataFrame:
        """Return a data frame with a row for the corpus, then each group, as `estimates.csv` has them; needs pandas."""
        return frame_of(self.record()["estimates"])

    def save(self, folder: str | Path) -> None:
        """Write all files of the estimate, or none.

        They are `estimates.{csv,json}`, `intervals.{png,pdf,csv}`, `methods.md`, `references.bib`, with groups
        `changes.csv`, and with several annotators `agreement.csv` and `disagreements.csv`.
        """
        # Matplotlib takes half a second to import.
        from nlpcalib.figures.intervals import draw_intervals, draw_periods
        from nlpcalib.figures.style import house_style, save_figure
        from nlpcalib.io.files import write_csv, write_json
        from nlpcalib.io.sets import atomic_set

        check_sheet(Path(folder), self.settled)
        model = self._is_model
        record = self.record()
        rows = [_row(estimate) for estimate in self.estimates]
        with atomic_set(folder, "estimates.json", self.inputs) as temporary:
            write_csv(temporary / "estimates.csv", record["estimates"])
            write_json(temporary / "estimates.json", record)
            with house_style():
                draw = draw_intervals
                if len(rows) > 1 and all(period_of(str(row["group"])) for row in rows[1:]):
                    draw = partial(draw_periods, title=" ".join(change_sentences(self.changes[:1], self.level)))
                save_figure(temporary / "intervals", *draw(rows, self.level, model=model))
            if self.changes:
                write_csv(temporary / "changes.csv", [_change_row(each) for each in self.changes])
            for name, text in zip(("methods.md", "references.bib"), self.methods(), strict=True):
                (temporary / name).write_text(text, encoding="utf-8")
            if self.agreement:
                pairs = [
                    {**asdict(pair), "kappa": None if isnan(pair.kappa) else pair.kappa, "error": pair.error}
                    for pair in self.agreement
                ]
                write_csv(temporary / "agreement.csv", pairs)
                write_csv(temporary / DISAGREEMENTS, self._disagreements())

    def __str__(self) -> str:
        """Return the lines that the command prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self._sentence(self.whole, ())}>"

    @property
    def _is_model(self) -> bool:
        """Whether predictions are a model's, and not made of keywords."""
        return self.plan is None or not self.plan.match

    @cached_property
    def _change_sentences(self) -> list[str]:
        return change_sentences(self.changes, self.level)

    def _sentence(self, estimate: Estimate, common: Sequence[str]) -> str:
        low, high = (100 * part for part in estimate.share[1:])
        digits = 1 if high <= low else max(0, 1 - floor(log10(high - low)))  # two of the interval's width
        share = f"{low:.{digits}f} % to {high:.{digits}f} %"
        name = f"{estimate.group}: " if estimate.group else ""
        alone = f", and the model alone reports {estimate.predicted:,.0f}" if self._is_model else ""
        return " ".join(
            [
                f"{name}{estimate.total:,.0f} of {counted(estimate.items, 'item')} are positive "
                f"({100 * self.level:g} % interval {estimate.low:,.0f} to {estimate.high:,.0f}, {share}); "
                f"{estimate.read:,} were read{alone}.",
                *(each for each in estimate.notes if each not in common),
            ]
        )

    def _parts(self) -> list[str]:
        """Return the two sentences of a plan by words: the texts with a word, and at most how many of the others."""
        if len(self.parts) < len(PARTS):
            return []
        matched, others = self.parts
        lines = [
            self._sentence(matched, ()),
            f"{others.group}: at most {others.high:,.0f} of {counted(others.items, 'item')} are positive, and at least "
            f"{others.low:,.0f} ({100 * self.level:g} %); {others.read:,} were read, {others.positive:,.0f} of them "
            "positive.",
        ]
        return (
            [*lines, f"Groups are of {matched.group}; changes of the corpus's rate need design=two-phase."]
            if self.groups
            else lines
        )

    def _unchecked(self, pair: Agreement) -> str:
        """Return what errors as frequent as two annotators' make of labels that one of them gave alone."""
        if pair.items >= self.whole.read:
            return ""
        most = pair.error * (1 - self.whole.share[0]) * self.whole.items
        return (
            f" In labels of one annotator alone they make up to {most:,.0f} false positives, which no interval holds."
        )

    def _disagreements(self) -> list[dict[str, str]]:
        from nlpcalib.sampling.exports import CANNOT_TELL
        from nlpcalib.sampling.settling import disagreement_rows

        row_of = {item: row for row, item in enumerate(self.items.ids)}
        names = {1: "yes" if self.yes is None else self.yes, 0: "no", None: CANNOT_TELL}
        texts = self.items.texts
        found = self.annotations
        return disagreement_rows(found.annotators, found.settled, lambda item: texts[row_of[item]], names.__getitem__)


def estimate(
    items: Any,
    labels: Any,
    *,
    plan: str | Path | Plan | ItemPlan | None = None,
    inclusion: Any = None,
    columns: Mapping[str, str] | None = None,
    dates: str | None = None,
    unit: Any = None,
    texts: Any = None,
    ids: Any = None,
    vectors: Any = None,
    by: Any = None,
    borrow: str = "none",
    yes: str | None = None,
    label_question: str | None = None,
    settled: str | Path | None = None,
    level: float = 0.95,
    method: str = "score",
    label_error: float | Sequence[float] | None = None,
    seed: int | None = None,
) -> EstimationReport:
    """Estimate how many items of a corpus are positive, with an interval that does not rest on the model.

    Parameters
    ----------
    items : path, or array_like of shape (N,)
        A table with a prediction `q` for each item, and optionally `id`, `unit`, `text` and columns to group by; or
        the predictions.
    labels : path, sequence of paths, mapping or array_like of shape (N,)
        Annotated sheets or exports of annotation tools; or the labels of the items that were read. These map rows,
        counted from 0, or ids to 0 or 1, or to None where the annotator left the label open. An array has NaN for
        items that were not read.
    plan : path, Plan or ItemPlan, optional
        What `plan_items` drew the items by, or its file `plan.json`. Files of labels need it.
    inclusion : array_like, shape (N,), optional
        Instead of a plan, the probability with which each item was drawn. Without both, items were drawn with equal
        probability; where predictions show that they were not, a warning names it.
    columns : mapping, optional
        What `q`, `id`, `unit` and `text` are called in the table: `{"q": "score"}`. Capitals make no difference.
    dates : str, optional
        How the table writes dates that `by` groups: "day-first", "month-first" or a pattern of `strptime` such as
        "%d.%m.%y". By default the dates decide: 31/01/2019 has its day first.
    unit : array_like, shape (N,), optional
        What items were read together in: a document.
    texts : sequence of str, length N, optional
        The text of each item. Labels improve the predictions by words of the texts, where held-out labels show it.
    ids : sequence of str, length N, optional
        The id of each item.
    vectors : path, array_like of shape (N, D) or mapping, optional
        Vectors of the texts from any encoder, in place of their words; see `nlpcalib.text.vectors.read_vectors`.
    by : str, sequence of str, array_like of shape (N,), or mapping of names to such arrays, optional
        What groups items: columns of the table, or the group of each item. Each group has an estimate, and `changes`
        reports whether rates rise and which groups differ. Periods are texts such as 2004, 2004-01, 2004Q1 and 2000s;
        of a column of dates, `year(date)`, `quarter(date)` and `month(date)`.
    borrow : str
        What groups share: "none", "changing-rates" or "same-rates", see `nlpcalib.estimation.borrowing`.
    yes, label_question : str, optional
        In files of labels, the label that counts as positive, and the question whose answers are the labels.
    settled : path, optional
        A sheet whose labels decide where annotators differ.
    level : float
        Level of the intervals.
    method : str
        "score", or one of the methods named elsewhere: "classical", "ppi++", "active".
    label_error : float, or two, optional
        The largest share of labels that may be wrong: of positive items, and of the others. Intervals of totals hold
        whatever errors there are up to these, and are wider, see `nlpcalib.estimation.label_errors`.
    seed : int, optional
        Seed of the folds in which words are learnt; by default that of the plan, and 0 without one.

    Raises
    ------
    InputError
        For what is no probability or label, arrays of different lengths, and items other than those of the plan.
    """
    errors = None if label_error is None else label_errors_of(label_error)
    given = {"columns": columns, "dates": dates, "unit": unit, "texts": texts, "ids": ids}
    of_plan = None
    if plan is not None:
        if inclusion is not None:
            raise InputError("found inclusion= and plan=, expected one: a plan has inclusion probabilities")
        drawn = planned(items, plan, **given)
        of_plan, found_items = drawn.plan, drawn.items
        grouping = _grouping(found_items, by, borrow)
        annotations = read_sample_labels(drawn, labels, settled=settled, yes=yes, question=label_question, partly=True)
    else:
        if are_paths(labels):
            raise InputError(
                f"labels: found texts such as {paths_of(labels)[0].name!r}, expected numbers, or plan= with files"
            )
        refuse_options_of_files(settled=settled, yes=yes, label_question=label_question)
        found_items = items_of(items, **given)
        grouping = _grouping(found_items, by, borrow)
        annotations = _labels_without_plan(found_items, labels, inclusion)
    facts = found_items.facts(grouping.names)
    sample = annotations.sample
    report_findings(facts.findings if facts else found_items.findings(), found_items.place if facts else "")
    label_paths = paths_of(labels) if are_paths(labels) else []
    report_findings(label_findings(annotations, found_items), named(label_paths) or "labels")
    if plan is None and inclusion is None:
        report_findings(examine_drawing(found_items.frame.q, sample.rows, sample.unit))
    q, gain, shown = found_items.frame.q, 0.0, False
    seed = (of_plan.seed if of_plan else 0) if seed is None else seed
    features = _features(found_items, vectors)
    if features is not None:
        q, gain, shown = layered(q, features, sample.rows, sample.y, unit=sample.unit, seed=seed)
    alone = found_items.frame.q
    [whole] = estimate_totals(q, sample, level=level, method=method)
    groups: dict[str, Estimate] = {}
    if grouping.names:
        place = found_items.place_of(grouping.names[-1])
        grouped = _grouped_texts(of_plan, q, sample, grouping)
        estimates = estimate_groups(*grouped, borrow=borrow, place=place, level=level, method=method)
        predicted = _sums_by_group(_grouped_texts(of_plan, alone, sample, grouping)[0], grouped[2])
        groups = {each.group: replace(each, predicted=predicted[each.group]) for each in estimates}
    whole = replace(whole, predicted=float(alone.sum()))
    parts = _parts(of_plan, q, sample, level, method)
    if errors is not None:
        parts = tuple(_with_errors(one, errors) for one in parts)
        whole, *each = (_with_errors(one, errors) for one in (whole, *groups.values()))
        groups = dict(zip(groups, each, strict=True))
    inputs = [items, *label_paths, *(each for each in (settled, plan, vectors) if each is not None)]
    return EstimationReport(
        whole, groups, found_items, grouping, annotations, of_plan, q, gain,
        shown, borrow, method, level, _notes(plan, grouping, borrow), errors, yes,
        None if settled is None else Path(settled),
        tuple(Path(each) for each in inputs if isinstance(each, str | Path)), facts,
        "words" if vectors is None else "vectors", parts,
    )  # fmt: skip


def _parts(plan: Plan | None, q: np.ndarray, sample: Sample, level: float, method: str) -> tuple[Estimate, ...]:
    """Return the estimates of the texts with a word and of the others, for a plan by words; else none."""
    if plan is None or plan.design != WORDS:
        return ()
    parts = [(name, sample.stratum == stratum) for name, stratum in zip(PARTS, (1, 0), strict=True)]
    return tuple(
        replace(estimate_totals(q[part], restricted(sample, part), level=level, method=method)[0], group=name)
        for name, part in parts
        if part.any()
    )


def _grouped_texts(
    plan: Plan | None, q: np.ndarray, sample: Sample, grouping: Grouping
) -> tuple[np.ndarray, Sample, Sequence[tuple[str, ...]]]:
    """Return predictions, sample and keys of the items that groups divide: by words, those with one."""
    if plan is None or plan.design != WORDS:
        return q, sample, grouping.keys
    matched = sample.stratum == 1
    keys = [key for key, kept in zip(grouping.keys, matched.tolist(), strict=True) if kept]
    return q[matched], restricted(sample, matched), keys


def _grouping(items: Items, by: Any, borrow: str) -> Grouping:
    """Return the groups of items; refuses, before labels are read, what cannot be grouped or borrowed."""
    grouping = items.grouping(by)
    items.groups(grouping, borrow)
    return grouping


def _features(items: Items, vectors: Any) -> np.ndarray | None:
    """Return what of the texts may improve the predictions, (N, D): vectors, or else words; None without texts."""
    if vectors is not None:
        from nlpcalib.text.vectors import read_vectors

        return read_vectors(vectors, items.ids).of(items.ids)
    if items.frame.texts is None:
        return None
    from nlpcalib.text.words import word_features

    return word_features(items.frame.texts)


def check_sheet(folder: Path, settled: Path | None) -> None:
    """Raise `InputError` if a sheet that would be replaced may have labels that are not read."""
    from nlpcalib.io.sets import is_changed

    sheet = folder / DISAGREEMENTS
    if is_changed(sheet, "estimates.json") and not (settled and settled.exists() and sheet.samefile(settled)):
        raise InputError(f"{sheet}: found a sheet that was filled in, expected settled={sheet}, or another folder")


def _labels_without_plan(items: Items, labels: Any, inclusion: Any) -> Annotations:
    """Return labels of items that were drawn with equal probability, or with those of `inclusion`."""
    rows, y = labels_by_row(labels, items)
    n = len(items.ids)
    if inclusion is None:
        sample = simple_random_sample(n, rows, y)
    else:
        drawn = numbers(of_each(inclusion, "inclusion", n), "inclusion").astype(np.float64)
        sample = unequal_sample(drawn, rows, y)
    return Annotations(replace(sample, unit=items.frame.unit), {}, Settled({}, ()))


def _sums_by_group(q: np.ndarray, keys: Sequence[tuple[str, ...]]) -> dict[str, float]:
    """Return the sum of predictions (N,) of each group, by the name that its estimate has."""
    sums: dict[tuple[str, ...], float] = {}
    for key, prediction in zip(keys, q.tolist(), strict=True):
        sums[key] = sums.get(key, 0.0) + prediction
    return {joined_names(key): total for key, total in sums.items()}


def label_errors_of(given: Any) -> LabelErrors:
    """Return both shares, of one number or two. `InputError` for others than from 0 to below ½."""
    found = numbers(np.atleast_1d(as_array(given, "label_error")), "label_error").astype(np.float64).ravel().tolist()
    if len(found) not in (1, 2) or not all(0 <= each < MAX_LABEL_ERROR for each in found):
        shown = ", ".join(f"{each:g}" for each in found)
        raise InputError(
            f"label_error: found {shown}, expected one share of wrong labels from 0 to below .5, or two: "
            "of positive items, of the others"
        )
    return found[0], found[-1]


def _with_errors(estimate: Estimate, errors: LabelErrors) -> Estimate:
    low, high = with_label_errors(estimate.low, estimate.high, estimate.items, errors)
    return replace(estimate, low=low, high=high)


def _notes(plan: Any, grouping: Grouping, borrow: str) -> tuple[str, ...]:
    """Return whether the plan counted on groups that share labels, where they do not, or the other way round."""
    before = asked_before(plan).borrow if plan is not None else "none"
    if grouping.names and borrow == "none" != before:
        return (f"Groups share no labels here, and the plan counted on it: borrow={before}.",)
    return ()


def _row(estimate: Estimate) -> Mapping[str, object]:
    # Half labels are those that the annotator left open.
    positive = int(estimate.positive) if estimate.positive.is_integer() else estimate.positive
    return asdict(estimate) | {"positive": positive, "notes": " ".join(estimate.notes)}


def _kappa(kappa: float) -> str:
    return "and all labels are alike, so that kappa is not defined" if isnan(kappa) else f"kappa {kappa:.2f}"


def _change_row(change: Change) -> Mapping[str, object]:
    return {
        name: None if isinstance(value, float) and isnan(value) else value for name, value in asdict(change).items()
    }
