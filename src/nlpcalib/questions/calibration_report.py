"""The report of `nlpcalib.calibrate`: error, interval, curve and labels, in words, tables and pictures."""

from __future__ import annotations

import warnings
from base64 import b64encode
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from nlpcalib.calibration.bias_corrected import MIN_EVENTS_FOR_INTERVAL
from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs
from nlpcalib.calibration.direction import region_gaps
from nlpcalib.calibration.estimates import INTERVAL_WORDS, PUBLISHED_INTERVALS, ErrorEstimate, Settings
from nlpcalib.calibration.mean_gap import few_events_ends
from nlpcalib.calibration.pairs import TOP_CLASS
from nlpcalib.calibration.scores import brier_score, expected_error, log_loss
from nlpcalib.calibration.summary import Calibration, Ordered, measure_classes, ordered
from nlpcalib.errors import argument, counted, decimals, some
from nlpcalib.examination.predictions import is_inverted
from nlpcalib.questions.groups import group_lines
from nlpcalib.questions.kinds import drawn_equally
from nlpcalib.questions.report import (
    ClassRows,
    PairsReport,
    classes_shown_above,
    error_is_shown,
    interval_words,
    limited_classes,
    measure,
    miscalibrated_classes,
    next_of_error,
    percent_words,
    write_measured,
)

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class CalibrationReport(PairsReport):
    """The calibration of one table of predictions; what costs time is computed when it is asked for."""

    RECORD = "calibration.json"

    estimate: ErrorEstimate
    """Calibration error and interval, with the names of both methods."""
    settings: Settings
    bin_size: int | None = None
    """Pairs per bin of the curve; None if it depends on the data."""
    class_wise: CalibrationReport | None = None
    """For K classes: the report on the probabilities of all classes; this one is on the likeliest class."""
    next_step: str | None = None
    """For recalibrated predictions: what the recalibration recommended as the next step."""
    method: str | None = None
    """The method that the caller chose; None for the default."""
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    by: tuple[str, ...] = ()
    """The columns that group rows; without them the groups are what is predicted."""
    equal_labels: bool = False
    """Whether as many labels are positive as negative, and nobody stated how they were drawn."""

    @property
    def facts(self) -> TableFacts | None:
        """How the file was read: its format, columns and rows; None if it was no table."""
        return self.pairs.table

    @property
    def error(self) -> float:
        """Calibration error: the root mean square difference between predictions and true frequencies."""
        return self.estimate.value

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the interval of `error`; None if the method has none, or labels are too few."""
        if self.estimate.low is None or self.estimate.high is None:
            return None
        return self.estimate.low, self.estimate.high

    @property
    def bins(self) -> int | None:
        """Number of bins that the error is measured over; None if the method has none."""
        return self.estimate.bins

    @cached_property
    def ece(self) -> float:
        """Expected calibration error: mean absolute gap over 15 bins of equal width."""
        return expected_error(self._sorted)

    @cached_property
    def brier(self) -> float:
        """Brier score."""
        return brier_score(self.pairs.q, self.pairs.y)

    @cached_property
    def log_loss(self) -> float:
        """Mean negative log likelihood in nats; infinite if a label has probability 0."""
        return log_loss(self.pairs.q, self.pairs.y)

    @cached_property
    def calibration(self) -> Calibration:
        """Summary, bins, consistency band and classes, as `save` writes them."""
        return measure(
            self.pairs,
            bin_size=self.bin_size,
            samples=self.settings.samples,
            seed=self.settings.seed,
            level=self.settings.level,
            known=self._ordered,
            by_class=None if self.pairs.predicted is None else self._class_rows,
        )

    @cached_property
    def _class_rows(self) -> list[dict]:
        """A row for each class, or for each group with intervals that hold together: what the answer in words needs."""
        column, level = self.pairs.predicted, self.settings.level
        return self._rows_at(1 - (1 - level) / len(column.names) if column and self.by else level)

    def _rows_at(self, level: float) -> list[dict]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SmallSampleWarning)  # a row has its number of bins
            return measure_classes(self.pairs, self._ordered, replace(self.settings, level=level))

    def classes_shown_above(self, limit: float) -> list[str]:
        """Return the classes, or groups, whose error is shown above a limit, with their simultaneous intervals."""
        if self.pairs.predicted is None:
            return []

        def rows_at(level: float) -> list[dict]:
            return self._class_rows if level == self.settings.level and not self.by else self._rows_at(level)

        return classes_shown_above(rows_at, self.settings.level, limit)

    @property
    def summary(self) -> dict:
        """The content of `calibration.json`, which has a row for each group."""
        groups = {"by": list(self.by), "by_group": list(self.by_class)} if self.by else {}
        return self.calibration.summary | groups

    def record(self) -> dict:
        """Return the answer for programs: the headline first, then the content of `calibration.json`."""
        low, high = self.interval or (None, None)
        right = {"accuracy": self.positives / self.n} if self.pairs.view == TOP_CLASS else {}
        return {"error": self.error, "low": low, "high": high, **right, "ece": self.ece, **self.summary}

    @property
    def by_class(self) -> ClassRows:
        """A row for each class, or group, with its own error and interval, as in `by_class.csv`."""
        return ClassRows(self.calibration.by_class if self.pairs.predicted is None else self._class_rows)

    @cached_property
    def direction(self) -> str:
        """Where predictions are too high or too low, in words: too extreme if both are so away from one half."""
        regions = region_gaps(self._sorted.q, self._sorted.y, self._sorted.unit, level=self.settings.level)
        parts = []
        high, low = ([r for r in regions if r.direction == name] for name in ("overconfident", "underconfident"))
        for name, found in (("too high", high), ("too low", low)):
            ranges = [f"{r.lowest:g}–{r.highest:g}".replace("0.", ".") for r in found]
            if ranges:
                parts.append(f"{name} at {', '.join(ranges)}")
        if high and low:
            for name, below, above in (("too extreme", low, high), ("too timid", high, low)):
                if max(r.highest for r in below) <= 0.5 <= min(r.lowest for r in above):
                    parts[-1] += f" ({name})"
        means = f"predictions average {decimals(self.pairs.q.mean(), 3)}, labels {decimals(self.pairs.y.mean(), 3)}"
        return f"{means}; {'; '.join(parts) if parts else 'no quarter of [0, 1] is clearly too high or too low'}"

    def write(self, folder: Path, *, style: str) -> None:
        """Write `bins.csv`, `by_class.{csv,html}`, `reliability.{png,pdf,csv}` and of several classes `classes.*`."""
        write_measured(self.calibration, folder, view=self.pairs.view, style=style, classes=True)

    def save(self, folder: str | Path, *, style: str = "house") -> None:
        """Write `calibration.json` and the files of `write`; of K classes also those of all in `folder`/class_wise."""
        if self.class_wise:
            self.class_wise.save(Path(folder) / "class_wise", style=style)
        super().save(folder, style=style)

    def rows(self) -> ClassRows:
        """Return a row for each class or group, as `by_class.csv` has them."""
        return self.by_class

    def headlines(self) -> list[str]:
        """Return the first lines of the answer: how many pairs, which error, which direction."""
        heading = f"{self.measured}, {self._positive} ({percent_words(self.pairs.y.mean())})"
        if self.pairs.sampling_unit is not None:
            heading += f", in {counted(self.units, 'unit')}"
        of_all = [self.class_wise.answer()] if self.class_wise else []
        return [heading, self._headline, *of_all, *self._largest_unit, f"direction: {self.direction}"]

    def lines(self) -> list[str]:
        """Return the answer in words: its headlines, the classes that are miscalibrated or the groups, what is next."""
        of_classes = [] if self.pairs.predicted is None else self._class_lines()
        if self.bin_size is not None and self.method in (None, "score"):
            of_classes.append(
                f"{argument('bin_size')} sets the bins of the curve; those of the error follow from the predictions "
                f"({argument('method', 'paper')}: both)"
            )
        asked = [f"{drawn_equally()}, {argument('base_rate', 'SHARE')}"] * self.equal_labels
        return [*self.headlines(), *asked, *of_classes, f"next: {self.advice()}"]

    @property
    def _largest_unit(self) -> list[str]:
        """A sentence about the unit that has most of the rows, if there is one."""
        unit = self.pairs.sampling_unit
        rows = np.zeros(1) if unit is None else np.bincount(unit.codes)
        if unit is None or 2 * rows.max() <= self.n or self.units < 2:
            return []
        name, share = unit.names[int(rows.argmax())], 100 * rows.max() / self.n
        return [
            f"unit {name} has {share:.0f} % of the rows: the interval takes it to "
            "be like the others, which they hardly show; measure it alone, or with units within it"
        ]

    def _class_lines(self) -> list[str]:
        """Return the groups; or how many classes there are, which are miscalibrated, and which have too few labels."""
        if self.by:
            return group_lines(self.by_class, self.by, self.settings.level)
        line = f"classes: {len(self.by_class)}"
        found = miscalibrated_classes(self.by_class, self.settings.level)
        if any(row["p_holm"] is not None for row in self.by_class):
            line += f"; miscalibrated (Holm): {some(found)}" if found else "; none clearly miscalibrated"
        return [line, *(f"{limit}: {some(names)}" for limit, names in limited_classes(self.by_class).items())]

    def answer(self, assumed: str = "") -> str:
        """Return error, interval, with what it assumes, and bins in words."""
        found = self._measured_error(assumed)
        if decimals(self.error) != decimals(0) or self.interval is None or decimals(self.interval[1]) == decimals(0):
            return found
        return f"{found} (none is shown{self._pooled}, up to {decimals(self.interval[1])} is possible)"

    def _measured_error(self, assumed: str) -> str:
        over = "" if self.bins is None else f" over {counted(self.bins, 'bin')}"
        if self.interval is not None:
            ends = f"{self._interval_words} {interval_words(self.interval)}{assumed}"
        elif self.estimate.interval in (None, *PUBLISHED_INTERVALS):
            ends = interval_words(None)
        else:  # with few labels of a kind, an interval that needs no bins
            few = few_events_ends(self._sorted, level=self.settings.level)
            ends = f"{100 * self.settings.level:g} % interval without bins {interval_words(few)}"
        return f"{self.named} {decimals(self.error)} ({ends}){over}"

    @cached_property
    def _shown(self) -> tuple[bool, str]:
        if self.interval is None or self.estimate.interval in PUBLISHED_INTERVALS:
            return self.interval is not None and self.interval[0] > 0, ""
        return error_is_shown(self.interval, self._sorted, self.settings.level)

    @property
    def _headline(self) -> str:
        assumed, more = "" if self.interval is None else self.assumed, self._shown[1]
        return f"{self._measured_error(assumed)}{more}" if more else self.answer(assumed)

    @property
    def _pooled(self) -> str:
        """That an error is of all classes or groups together, in words, where there are several."""
        several = self.pairs.predicted is not None and len(self.pairs.predicted.names) > 1
        if not several or self.pairs.view:
            return ""
        return f" over all {'groups' if self.by else 'classes'} together"

    @property
    def named(self) -> str:
        """Calibration error, of the top class or of all classes if pairs are of classes that exclude each other."""
        return f"calibration error of {self.pairs.view}" if self.pairs.view else "calibration error"

    def advice(self) -> str:
        """Return what to do next."""
        events = min(self.positives, self.n - self.positives)
        if self.interval is None:
            if self.estimate.interval is None:
                return "no interval belongs to this method: leave it out for one"
            if events >= MIN_EVENTS_FOR_INTERVAL:
                return "more units: so few do not show how units differ"
            kind = "positive" if self.positives <= self.n - self.positives else "negative"
            return (
                f"label more: an interval takes {MIN_EVENTS_FOR_INTERVAL} labels of either kind, found {events} {kind}"
            )
        if self.estimate.interval in PUBLISHED_INTERVALS:
            return "measure without this method too: the published interval covers the error too rarely"
        if self.next_step is not None:
            return self._next_of_classes() or self.next_step
        if not self.pairs.view and is_inverted(self.pairs.q, self.pairs.y):
            return "check which class the predictions are of: labels are rarer where they are high"
        groups = self.by_class if self.by else []
        return next_of_error(self.interval, groups, self._sorted, self.settings.level, self._pooled)

    def _next_of_classes(self) -> str:
        """Return what is next for classes that a recalibration left miscalibrated, in words; empty for none."""
        left = [] if self.pairs.predicted is None else miscalibrated_classes(self.by_class, self.settings.level)
        advice = "label more of them, or train another model"
        return f"an error is left in classes taken alone, {some(left)} (Holm): {advice}" if left else ""

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{self.measured}: {self.answer()}>"

    def _repr_html_(self) -> str:
        rows = [
            (self.named, f"<b>{decimals(self.error)}</b>"),
            (self._interval_words, interval_words(self.interval)),
            ("bins", "none" if self.bins is None else f"{self.bins:,}"),
            ("measured", f"{self.measured}, {self._positive}"),
            ("direction", escape(self.direction)),
            ("ECE, 15 bins", decimals(self.ece)),
            ("Brier score", decimals(self.brier)),
            ("next", escape(self.advice())),
        ]
        if self.class_wise:
            name = self.class_wise.named
            rows.insert(2, (name, escape(self.class_wise.answer().removeprefix(f"{name} "))))
        cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in rows)
        return f"<div style='display:flex;flex-wrap:wrap;gap:1em'><table>{cells}</table>{self._picture()}</div>"

    def _drawn(self) -> tuple[Bins, tuple[np.ndarray, np.ndarray]]:
        return self.calibration.bins, self.calibration.band

    def _picture(self) -> str:
        from matplotlib.figure import Figure

        figure, stream = Figure(figsize=(2.6, 2.6), layout="constrained"), BytesIO()
        self.plot(figure.subplots())
        figure.savefig(stream, format="png", dpi=100, metadata={"Software": None})
        return f"<img alt='reliability diagram' src='data:image/png;base64,{b64encode(stream.getvalue()).decode()}'>"

    @property
    def measured(self) -> str:
        """How many predictions were measured, in words."""
        top = self.pairs.view == TOP_CLASS
        return f"{counted(self.n, 'prediction')} of the likeliest class" if top else counted(self.n, "pair")

    @property
    def _interval_words(self) -> str:
        return f"{100 * self.settings.level:g} % {INTERVAL_WORDS.get(self.estimate.interval or '', 'interval')}"

    @property
    def _positive(self) -> str:
        return f"{self.positives:,} {'right' if self.pairs.view == TOP_CLASS else 'positive'}"

    @cached_property
    def _ordered(self) -> Ordered:
        return ordered(self.pairs)

    @property
    def _sorted(self) -> SortedPairs:
        return self._ordered.pairs
