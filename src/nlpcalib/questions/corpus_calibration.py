"""The calibration of a corpus, from labels of a sample of it that was drawn with unequal probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.calibration.bands import consistency_band
from nlpcalib.calibration.bias_corrected import MIN_EVENTS_FOR_INTERVAL, squared_error, too_few_events
from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.estimates import recommended_bins
from nlpcalib.calibration.scores import log_loss
from nlpcalib.calibration.summary import bin_rows
from nlpcalib.calibration.weighted import weighted_bins, weighted_mean, weighted_pairs
from nlpcalib.errors import counted, decimals
from nlpcalib.questions.groups import group_lines
from nlpcalib.questions.report import (
    RECALIBRATE,
    PairsReport,
    classes_shown_above,
    error_is_shown,
    interval_words,
    next_of_error,
    percent_words,
)

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True, eq=False, repr=False)
class CorpusCalibration(PairsReport):
    """The calibration of a corpus of which labelled pairs are a sample with weights."""

    RECORD = "calibration.json"

    weights: np.ndarray
    """float64 (n,): the weight of each pair, up to a constant."""
    level: float = 0.95
    open_labels: int = 0
    """Labels that the annotator left open; these pairs are left out."""
    facts: TableFacts | None = None
    inputs: tuple[Path, ...] = ()
    """The files that were read."""
    by: tuple[str, ...] = ()
    """The columns that group rows; without them the groups are what is predicted."""
    repair: str = RECALIBRATE
    """What removes an error, in words."""

    @property
    def effective_labels(self) -> float:
        """Kish's effective number of labels: the size of a random sample whose weights lose no precision."""
        return float(self.weights.sum() ** 2 / (self.weights**2).sum())

    @property
    def error(self) -> float:
        """Calibration error of the corpus: the root mean square difference between predictions and true frequencies."""
        return self._measured[0]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the interval of `error`; None where there are too few labels of either kind."""
        return self._measured[1]

    @property
    def bins(self) -> int:
        """Number of bins that the error is measured over, and that the curve has."""
        return len(self._starts)

    @property
    def prevalence(self) -> float:
        """The share of the corpus that is positive, as the weights estimate it."""
        return weighted_mean(self._sorted, self._sorted.y)

    @property
    def mean_prediction(self) -> float:
        """The mean prediction of the corpus, as the weights estimate it."""
        return weighted_mean(self._sorted, self._sorted.q)

    @property
    def brier(self) -> float:
        """Brier score of the corpus."""
        return weighted_mean(self._sorted, (self._sorted.y - self._sorted.q) ** 2)

    @property
    def log_loss(self) -> float:
        """Log loss of the corpus in nats; infinite if a label has probability 0."""
        if np.isinf(log_loss(self._sorted.q, self._sorted.y)):
            return float("inf")
        return -weighted_mean(self._sorted, np.log(np.where(self._sorted.y, self._sorted.q, 1 - self._sorted.q)))

    @cached_property
    def curve(self) -> Bins:
        """The bins of the calibration curve, with means of the corpus and effective sizes."""
        return weighted_bins(self._sorted, self._starts)

    @cached_property
    def by_class(self) -> list[dict[str, Any]]:
        """A row for each label, with its own error and interval; one row without labels."""
        groups = len(self.pairs.predicted.names) if self.by and self.pairs.predicted else 1
        return self._rows_at(1 - (1 - self.level) / groups)

    def classes_shown_above(self, limit: float) -> list[str]:
        """Return the labels whose error is shown above a limit, with their simultaneous intervals in words."""
        return classes_shown_above(self._rows_at, self.level, limit)

    def _rows_at(self, level: float) -> list[dict[str, Any]]:
        column = self.pairs.predicted
        if column is None:
            return [self._row("all")]
        parts = [np.flatnonzero(column.codes == code) for code in range(len(column.names))]
        rows = [
            CorpusCalibration(self.pairs.take(rows), self.weights[rows], level)._row(name)
            for name, rows in zip(column.names, parts, strict=True)
            if rows.size
        ]
        return sorted(rows, key=lambda row: (-row["positives"], row["predicted"]))

    @property
    def summary(self) -> dict[str, Any]:
        """The content of `calibration.json`."""
        row = self._row("all")
        row.pop("predicted")
        loss = self.log_loss
        return {
            "of": "corpus", **row, "level": self.level, "open_labels": self.open_labels,
            "mean_prediction": self.mean_prediction, "brier": self.brier,
            "log_loss": None if np.isinf(loss) else loss, "log_loss_is_infinite": bool(np.isinf(loss)),
            "table": None if self.facts is None else self.facts.record(),
        }  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return the answer for programs."""
        return self.summary

    def rows(self) -> Sequence[dict[str, Any]]:
        """Return a row for each class or group, as `by_class.csv` has them."""
        return self.by_class

    def write(self, folder: Path, *, style: str) -> None:
        """Write `bins.csv`, `by_class.csv` and `reliability.{png,pdf,csv}`."""
        import matplotlib.style
        from matplotlib.figure import Figure

        from nlpcalib.figures.style import COLUMN_WIDTH, STYLES, save_figure
        from nlpcalib.io.files import write_csv

        rows = bin_rows(*self._drawn())
        write_csv(folder / "bins.csv", rows)
        write_csv(folder / "by_class.csv", self.by_class)
        with matplotlib.style.context(STYLES[style]):
            figure = Figure(figsize=(COLUMN_WIDTH, COLUMN_WIDTH), layout="constrained")
            self.plot(figure.subplots()).set_title(f"error {decimals(self.error)} ({interval_words(self.interval)})")
            save_figure(folder / "reliability", figure, rows, style=style)

    def lines(self) -> list[str]:
        """Return the answer in words."""
        kish = f"they are worth {self.effective_labels:,.0f} of a random sample by their weights"
        share = percent_words(self.prevalence)
        lines = [
            f"{counted(self.n, 'labelled pair')}, {self.positives:,} positive, for a corpus of which about {share} is; "
            f"{kish}",
            self._headline,
            f"direction: predictions of the corpus average {decimals(self.mean_prediction, 3)}, labels "
            f"{decimals(self.prevalence, 3)}",
        ]
        if self.open_labels:
            lines.append(f"{counted(self.open_labels, 'label')} left open: these pairs are left out.")
        groups = group_lines(self.by_class, self.by, self.level) if self.by else []
        return [*lines, *groups, f"next: {self.advice()}"]

    @cached_property
    def _shown(self) -> tuple[bool, str]:
        return (False, "") if self.interval is None else error_is_shown(self.interval, self._sorted, self.level)

    @property
    def _headline(self) -> str:
        return self.answer() if self.interval is None else self.answer(self.assumed) + self._shown[1]

    def answer(self, assumed: str = "") -> str:
        """Return error, interval, with what it assumes, and bins in words."""
        level = "" if self.interval is None else f"{100 * self.level:g} % interval "
        found = f"{decimals(self.error)} ({level}{interval_words(self.interval)}{assumed})"
        return f"calibration error of the corpus {found} over {counted(self.bins, 'bin')}"

    def advice(self) -> str:
        """Return what to do next."""
        if self.interval is None:
            return (
                f"label more: an interval takes {MIN_EVENTS_FOR_INTERVAL} labels of either kind, found "
                f"{min(self.positives, self.n - self.positives)}"
            )
        groups, pooled = (self.by_class, " over all groups together") if self.by else ([], "")
        return next_of_error(self.interval, groups, self._sorted, self.level, pooled, repair=self.repair)

    def __repr__(self) -> str:
        """Return one line."""
        return f"<{counted(self.n, 'labelled pair')}: {self.answer()}>"

    @cached_property
    def _sorted(self) -> SortedPairs:
        unit = self.pairs.sampling_unit
        return weighted_pairs(self.pairs.q, self.pairs.y, self.weights, None if unit is None else unit.codes)

    @cached_property
    def _starts(self) -> np.ndarray:
        return self._sorted.half_information_starts(recommended_bins(self._sorted))

    @cached_property
    def _measured(self) -> tuple[float, tuple[float, float] | None]:
        found = squared_error(self._sorted, self._starts)
        low, high = (float(end[0]) ** 0.5 for end in found.interval(self.level))
        few = bool(too_few_events(self.positives, self.n))
        return max(float(found.value[0]), 0.0) ** 0.5, None if few else (low, high)

    def _drawn(self) -> tuple[Bins, tuple[np.ndarray, np.ndarray]]:
        return self.curve, consistency_band(self.curve)

    def _row(self, name: str) -> dict[str, Any]:
        low, high = self.interval or (None, None)
        return {
            "predicted": name, "n": self.n, "positives": self.positives, "effective_labels": self.effective_labels,
            "prevalence": self.prevalence, "bins": self.bins, "error": self.error, "error_low": low, "error_high": high,
        }  # fmt: skip
