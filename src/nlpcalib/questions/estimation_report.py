"""The report of `nlpcalib.estimate`: numbers of a corpus in words, tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.errors import argument, counted, in_short, some, some_of
from nlpcalib.estimation.against_others import AgainstOthers, against_others, sentence_on_others
from nlpcalib.estimation.changes import Change, change_sentences, estimate_changes
from nlpcalib.estimation.estimates import Estimate, estimate_totals, forecast_width
from nlpcalib.estimation.label_errors import (
    EXAMPLE_LABEL_ERRORS,
    LabelErrors,
    with_label_errors,
)
from nlpcalib.predictions.groups import Grouping
from nlpcalib.predictions.predictions import Answer, Predictions
from nlpcalib.questions.agreement import AgreementRates, agreement_rates
from nlpcalib.questions.answer import DISAGREEMENTS, MAX_PRINTED_GROUPS, QuestionReport, lines_on_one_group, table_lines
from nlpcalib.questions.methods import methods_paragraph
from nlpcalib.sampling.samples import Sample, count_cells
from nlpcalib.tables.periods import period_of

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts

MIN_ITEMS_FOR_DECIMALS = 100
"""Fewest items whose count is printed with decimals: of fewer it is a whole number, whatever its interval."""
MIN_LABELS_OF_GROUP = 10
"""Labels of a group below which its interval may be wider than half of [0, 1]: a report names longer periods."""
PARTS = ("texts with a word", "other texts")
"""The parts of a corpus that a plan by words divides, as estimates name them."""


@dataclass(frozen=True, eq=False, repr=False)
class EstimationReport(QuestionReport):
    """How many items of a corpus, and of its groups, are positive."""

    RECORD = "estimates.json"

    whole: Estimate
    """The estimate of the whole corpus."""
    groups: Mapping[str, Estimate]
    """The estimate of each group by its name: its values in the columns that group, separated by commas."""
    data: Predictions
    grouping: Grouping
    q: np.ndarray
    """float64 (N,): the predictions, improved by words or vectors of the texts where labels show that these help."""
    gain: float
    """Share by which the features lower the loss on held-out labels; 0 if they are not used."""
    gain_is_shown: bool
    """Whether held-out labels show `gain`, or chance may explain it."""
    level: float
    notes: tuple[str, ...] = ()
    """Sentences about the sample and the predictions, printed before the numbers."""
    label_error: LabelErrors | None = None
    """Largest shares of wrong labels that the intervals of totals allow for."""
    features: str = "words of the texts"
    """What the features are: words or vectors of the texts, or columns."""
    parts: tuple[Estimate, ...] = ()
    """The estimates of texts with and without a keyword, for a plan by words; `groups` are of the former."""

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows."""
        return self.data.facts

    @property
    def values(self) -> tuple[float, float] | None:
        """The range of labels that are numbers: estimates are of their sum, and `share` is their mean."""
        return self.data.values

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
        """How rates differ between groups, see `estimate_changes`; empty for numbers.

        Of a plan by words it is empty too: the share of texts with a word that are positive is no rate of the corpus.
        So it is of labels that were chosen by their answer.
        """
        if not self.groups or self.parts or self.values or self.data.design.drawn == "answer":
            return []
        return estimate_changes(self.q, self.data.sample, self.grouping.keys, level=self.level)

    @cached_property
    def against_others(self) -> list[AgainstOthers]:
        """How the rate of each group differs from that of all others, see `nlpcalib.estimation.against_others`.

        Empty where `changes` is, and with fewer than three groups.
        """
        if not self.changes:
            return []
        return against_others(self.q, self.data.sample, self.grouping.keys, level=self.level)

    @cached_property
    def agreement(self) -> list[AgreementRates]:
        """How far each two annotators agree on the corpus."""
        if self.values:
            return []
        sample = self.data.sample
        weight = sample.weights[sample.stratum[sample.rows]].tolist()
        of_row = {str(row): each for row, each in zip(sample.rows.tolist(), weight, strict=True)}
        readers = {
            name: {str(row): label for row, label in own.items()} for name, own in self.data.reading.readers.items()
        }
        return agreement_rates(readers, of_row, level=self.level)

    def lines(self) -> list[str]:
        """Return the answer in words."""
        lines = [f"{self._sentence(self.whole)}{self._narrowed}", *self._parts(), *self.notes]
        if self.data.yes and self.data.reading.negative:
            lines.append(f"Labels counted as no: {some(self.data.reading.negative)}.")
        lines += [] if self.data.design.plan else lines_on_one_group({n: each.read for n, each in self.groups.items()})
        changes = self._change_sentences
        if len(changes) > MAX_PRINTED_GROUPS + 1:
            changes = [f"{len(changes) - 1:,} mean changes, which changes.csv lists.", changes[-1]]
        lines += [*sentence_on_others(self.against_others, self.level), *changes]
        if changes and self.label_error:
            lines.append("Changes assume that all labels are correct, or that errors are the same in all groups.")
        lines += self._of_groups()
        if self.gain:
            falls = f"the loss on held-out labels falls by {100 * self.gain:.0f} %"
            lines.append(
                f"{self.features.capitalize()} improve the predictions: {falls}."
                if self.gain_is_shown
                else f"{self.features.capitalize()} are used, and {falls}, which may be chance."
            )
        if self.label_error is not None:
            lines.append(self.if_labels_are_wrong)
        # What one of both did not read may be missing for a reason.
        read = self.whole.read
        lines += [
            f"{pair.sentence('the corpus' if pair.items == read else 'the items that both labelled')}."
            for pair in self.agreement
        ]
        if self.data.reading.disputed:
            held = "all that they may be" if self.values else "both answers"
            lines.append(
                in_dispute(
                    self.data.reading.disputed,
                    f"The interval holds {held}",
                    self.data.reading.settled or sheet_of_report(),
                )
            )
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
            f"The interval assumes that all labels are correct. If up to {', '.join(shares[:-1])} or {shares[-1]} % of "
            f"positive and of other items were labelled wrongly, it would be {', '.join(shown[:-1])} or {shown[-1]}."
        )

    def methods(self) -> tuple[str, str]:
        """Return a paragraph for the methods section of a paper, in Markdown, and its references in BibTeX."""
        sample = self.data.sample
        return methods_paragraph(
            self.data.design.plan, sample, self.estimates, self.agreement,
            [self.data.readers_of(row) for row in sample.rows.tolist()],
            decided=self.data.decided,
            level=self.level, by=self.grouping.names,
            features=self.features if self.gain > 0 else "",
            changes=[*sentence_on_others(self.against_others, self.level), *self._change_sentences],
            wrong=self.if_labels_are_wrong,
            predicted=not self.data.unpredicted, match=self.data.match,
        )  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the content of `estimates.json`: the headline, the settings, a row for the corpus and each part."""
        value, low, high = self.whole.share if self.values else (self.whole.total, self.whole.low, self.whole.high)
        headline = {"mean" if self.values else "total": value, "low": low, "high": high}
        table = None if self.facts is None else self.facts.record()
        settings = {"level": self.level, "table": table}
        rows = [self._row(each) for each in (self.whole, *self.parts, *self.groups.values())]
        of_labels = {"label_error": self.label_error, "values": self.values}
        return {**headline, **settings, **of_labels, "estimates": rows}

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return a row for the corpus, then each group, as `estimates.csv` has them."""
        return self.record()["estimates"]

    @property
    def inputs(self) -> Sequence[Path]:
        """The files that were read."""
        return self.data.files

    @property
    def settled(self) -> Path | None:
        """The sheet of disagreements that was read."""
        return self.data.reading.settled

    def write(self, folder: Path, *, style: str) -> None:
        """Write all files of the estimate but its record.

        They are `estimates.csv`, `intervals.{png,pdf,csv}`, `methods.md`, `references.bib`, with groups
        `changes.csv` and `against_others.csv`, and with several annotators `agreement.csv` and `disagreements.csv`.
        """
        # Matplotlib takes half a second to import.
        from nlpcalib.figures.intervals import draw_intervals, draw_periods
        from nlpcalib.figures.style import house_style
        from nlpcalib.io.files import write_csv

        model = self._is_model
        rows = [self._row(estimate) for estimate in self.estimates]
        write_csv(folder / "estimates.csv", self.rows())
        with house_style(style) as save_figure:
            draw = partial(draw_intervals, axis_name="mean value") if self.values else draw_intervals
            if not self.values and len(rows) > 1 and all(period_of(str(row["group"])) for row in rows[1:]):
                draw = partial(draw_periods, title=" ".join(change_sentences(self.changes[:1], self.level)))
            save_figure(folder / "intervals", *draw(rows, self.level, model=model))
        if self.changes:
            write_csv(folder / "changes.csv", [each.row() for each in self.changes])
        if self.against_others:
            write_csv(folder / "against_others.csv", [asdict(each) for each in self.against_others])
        # The paragraph is about labels of yes and no.
        methods = () if self.values else zip(("methods.md", "references.bib"), self.methods(), strict=True)
        for name, text in methods:
            (folder / name).write_text(text, encoding="utf-8")
        if self.agreement:
            write_csv(folder / "agreement.csv", [pair.row() for pair in self.agreement])
        if self.agreement or (self.values and self.data.reading.disputed):
            write_csv(folder / DISAGREEMENTS, self._disagreements())

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self._sentence(self.whole)}>"

    @property
    def _is_model(self) -> bool:
        """Whether predictions are a model's: neither made of keywords nor missing."""
        return not self.data.unpredicted and not self.data.match

    @cached_property
    def _change_sentences(self) -> list[str]:
        return change_sentences(self.changes, self.level)

    def _row(self, estimate: Estimate) -> dict[str, Any]:
        # Half labels are those that the annotator left open.
        positive = int(estimate.positive) if estimate.positive.is_integer() else estimate.positive
        predicted = None if self.data.unpredicted else estimate.predicted
        return asdict(estimate) | {"positive": positive, "predicted": predicted, "notes": " ".join(estimate.notes)}

    def _of_groups(self) -> list[str]:
        """Return a table of the groups, and what is to be noted of them, once for those that share it."""
        if not self.groups:
            return []
        shown = list(self.groups.values())[:MAX_PRINTED_GROUPS]
        of_part = f" of the {self.parts[0].group}" if self.parts else ""
        what, model = ("mean", "mean q") if self.values else ("positive", "sum of q")
        rows = [
            (f"by {', '.join(self.grouping.names) or 'group'}{of_part}", "items", "labels", model, what,
             f"{100 * self.level:g} % interval", "" if self.values else "share"),
            *map(self._cells, shown),
        ]  # fmt: skip
        lines = table_lines(rows)
        if len(self.groups) > len(shown):
            lines.append(f"… and {len(self.groups) - len(shown):,} more groups, which estimates.csv lists.")
        noted: dict[str, list[str]] = {}
        for each in self.groups.values():
            for note in each.notes:
                noted.setdefault(note, []).append(each.group)
        every = len(self.groups)
        lines += [f"{'Each group' if len(own) == every else some(own)}: {note}" for note, own in noted.items()]
        fewest = min(each.read for each in self.groups.values())
        if fewest < MIN_LABELS_OF_GROUP and (longer := self.grouping.longer_periods):
            lines.append(f"Groups have as few as {fewest} labels: {longer} has longer periods.")
        return lines

    def _cells(self, estimate: Estimate) -> tuple[str, ...]:
        """Return the row of a group: its name, items, labels, what the model predicts, estimate, interval and share."""
        named = (in_short(estimate.group), f"{estimate.items:,}", f"{estimate.read:,}")
        if self.values:
            mean, low, high = map(_three_digits, estimate.share)
            predicted = "" if self.data.unpredicted else _three_digits(estimate.predicted / estimate.items)
            return (*named, predicted, mean, f"{low} to {high}", "")
        places = self._places(estimate)
        total, low, high = (f"{each:,.{places}f}" for each in (estimate.total, estimate.low, estimate.high))
        interval = f"{low} to {high}" if estimate.high > estimate.low else "counted"
        return (*named, self._predicted(estimate), total, interval, self._share(estimate))

    def _predicted(self, estimate: Estimate) -> str:
        """Return how many items the model predicts, with the decimals of the interval; empty without a model."""
        places = 0 if estimate.high <= estimate.low else _digits(estimate.high - estimate.low)
        return f"{estimate.predicted:,.{places}f}" if self._is_model else ""

    @staticmethod
    def _share(estimate: Estimate) -> str:
        low, high = (100 * part for part in estimate.share[1:])
        if high <= low:
            return f"{low:.1f} %"
        digits = _digits(high - low)
        return f"{low:.{digits}f} % to {high:.{digits}f} %"

    @staticmethod
    def _places(estimate: Estimate) -> int:
        few = estimate.items < MIN_ITEMS_FOR_DECIMALS or estimate.high <= estimate.low
        return 0 if few else _digits(estimate.high - estimate.low)

    def _sentence(self, estimate: Estimate) -> str:
        name = f"{estimate.group}: " if estimate.group else ""
        if self.values:
            mean, least, most = map(_three_digits, estimate.share)
            average = f", and predictions average {_three_digits(estimate.predicted / estimate.items)}" * (
                not self.data.unpredicted
            )
            sentence = (
                f"{name}the mean of {counted(estimate.items, 'item')} is {mean} ({100 * self.level:g} % interval "
                f"{least} to {most}); {estimate.read:,} were read{average}."
            )
            return " ".join([sentence, *estimate.notes])
        places = self._places(estimate)
        alone = f", and the model alone reports {self._predicted(estimate)}" if self._is_model else ""
        total = f"{name}{some_of(estimate.total, estimate.items, digits=places)} positive"
        if estimate.read == estimate.items and estimate.high <= estimate.low:
            return f"{total} ({self._share(estimate)}); all were read{alone}."
        least, most = (f"{each:,.{places}f}" for each in (estimate.low, estimate.high))
        doubt = f"({100 * self.level:g} % interval {least} to {most}, {self._share(estimate)})"
        read = f"{estimate.read:,} {'was' if estimate.read == 1 else 'were'} read"
        none = f"None of {counted(estimate.read, 'label')} is positive; up to {most} cannot be excluded."
        return " ".join(
            [f"{total} {doubt}; {read}{alone}.", *[none] * (estimate.read > 0 == estimate.positive), *estimate.notes]
        )

    @property
    def _narrowed(self) -> str:
        """Return by how much predictions, and a plan, narrow the interval, against random labels alone, in words.

        A plan's strata are made of predictions, so its labels alone are no sample without them: as many random labels
        are compared with it.
        """
        if not self._is_model or self.values or self.low >= self.high:
            return ""
        if self.data.design.weighted:
            return self._narrowed_by_plan
        # One prediction for all items leaves what labels show.
        [alone] = estimate_totals(np.full(len(self.q), self.q.mean()), self.data.sample, level=self.level)
        low, high = alone.low, alone.high
        if self.label_error is not None:
            low, high = with_label_errors(low, high, alone.items, self.label_error)
        narrower = round(100 * (1 - (self.high - self.low) / (high - low)))
        used = f"Predictions and {self.features}" if self.gain else "Predictions"
        if narrower < 1:
            return f" {used} do not make this interval narrower than these labels alone."
        return f" {used} make this interval {narrower} % narrower than these labels alone."

    @property
    def _narrowed_by_plan(self) -> str:
        """Return by how much a plan of items narrows the interval, against as many random labels alone, in words.

        With few labels of a kind, the width of one sample is mostly chance.
        """
        whole, plan = self.whole, self.data.design.plan
        few = min(whole.positive, whole.read - whole.positive) < MIN_LABELS_OF_GROUP
        if plan is None or few or whole.read >= whole.items or self.data.sample.unit is not None or self.label_error:
            return ""
        nothing = np.array([], dtype=np.int64)
        random = Sample(np.zeros(whole.items, dtype=np.int64), np.array([whole.items / whole.read]), nothing, nothing)
        share = whole.share[0]
        cells = count_cells(np.full(whole.items, share), random)[0]
        alone = forecast_width(cells, np.array([share]), random.weights, level=self.level)[0]
        narrower = round(100 * (1 - (whole.share[2] - whole.share[1]) / alone))
        used = f"The plan, predictions and {self.features}" if self.gain else "The plan and predictions"
        if narrower < 1:
            return f" {used} do not make this interval narrower than as many random labels alone."
        return f" {used} make this interval {narrower} % narrower than as many random labels alone."

    def _parts(self) -> list[str]:
        """Return the two sentences of a plan by words: the texts with a word, and at most how many of the others."""
        if len(self.parts) < len(PARTS):
            return []
        matched, others = self.parts
        lines = [
            self._sentence(matched),
            f"{others.group}: at most {some_of(others.high, others.items)} positive, and at least {others.low:,.0f} "
            f"({100 * self.level:g} %); {others.positive:,.0f} of {others.read:,} that were read are positive.",
        ]
        return (
            [
                *lines,
                f"Groups divide the {matched.group} alone. For groups of all texts, and for which of them differ, plan "
                f"items with {argument('by')} as well.",
            ]
            if self.groups
            else lines
        )

    def _disagreements(self) -> list[dict[str, str]]:
        from nlpcalib.sampling.answers import CANNOT_TELL
        from nlpcalib.sampling.settling import Settled
        from nlpcalib.sampling.sheet import disagreement_rows

        low, high = self.data.values or (0.0, 1.0)
        words: dict[float, str] = {} if self.values else {1: "yes" if self.data.yes is None else self.data.yes, 0: "no"}

        def shown(label: float | None) -> str:
            return CANNOT_TELL if label is None else words.get(label, f"{low + label * (high - low):.12g}")

        readers = self.data.reading.readers
        row_of = {self.data.ids[row]: row for own in readers.values() for row in own}
        named = {name: {self.data.ids[row]: label for row, label in own.items()} for name, own in readers.items()}
        given: dict[int, float | None] = {
            row: float(self.data.y[row]) for row in row_of.values() if self.data.answer[row] == Answer.GIVEN
        }
        given |= {row: None for row in row_of.values() if self.data.answer[row] == Answer.OPEN}
        agreed = Settled({item: given[row] for item, row in row_of.items() if row in given}, self.data.reading.disputed)
        texts = self.data.texts
        return disagreement_rows(named, agreed, lambda item: "" if texts is None else texts[row_of[item]], shown)


def sheet_of_report() -> str:
    """Return what settles items in dispute, after a report."""
    return f"{DISAGREEMENTS}, which is saved with this report, filled in and passed as {argument('settled')},"


def _digits(width: float) -> int:
    """Return the decimal places that give two digits of an interval's width."""
    return max(0, 1 - floor(log10(width)))


def _three_digits(value: float) -> str:
    """Return a number with three digits, or all before the point: 3.40 above 3.32, 1,250."""
    rounded = float(f"{value:.3g}")
    return f"{value:,.{max(0, 2 - floor(log10(abs(rounded)))) if rounded else 2}f}"


def in_dispute(disputed: Sequence[str], meanwhile: str, sheet: str | Path | None = None) -> str:
    """Return which items annotators differ on, what holds `meanwhile`, and how to settle them: perhaps by a sheet."""
    return (
        f"{counted(len(disputed), 'item')} in dispute: {some(disputed)}. {meanwhile}, until one more annotator labels "
        f"them{'' if sheet is None else f', or {sheet} does'}."
    )
