"""Measure, draw and write the calibration of pairs as one operation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from nlpcalib.calibration.bands import clustered_bins, consistency_band
from nlpcalib.calibration.binning import Bins, SmallSampleWarning, SortedPairs
from nlpcalib.calibration.cox import score_test
from nlpcalib.calibration.estimates import EVENTS_PER_BIN, Settings, bias_corrected_error
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, Ordered, bin_rows, measure_calibration, ordered
from nlpcalib.errors import counted, decimals
from nlpcalib.io.files import write_csv, write_json
from nlpcalib.io.html_table import write_table_page
from nlpcalib.io.sets import atomic_set
from nlpcalib.questions.answer import QuestionReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER_BIN_SIZE = 5000
"""β of the paper."""
PAPER_SAMPLES = 10_000
"""S of the paper."""
FIRST_COLUMNS = ("predicted", "n", "positives", "error", "error_low", "error_high", "p_holm", "direction")
"""Columns of `by_class.html` that are shown at first."""
CAPTION_BY_CLASS = (
    "error: the calibration error of a class, with its interval from error low to error high, empty where labels are "
    "too few. p holm: the probability of such labels if the class is calibrated, corrected for the number of classes. "
    "direction, where that is below .05: predictions are too high or too low, if at least 75 % of the squared error is "
    "of that kind, else both."
)
MIN_SHARE_OF_DIRECTION = 0.75
"""Share of the squared error from which on predictions of a class are too high, or too low; else both."""
RECALIBRATE = "recalibrate, then measure again"
"""What is next where an error is shown; the shell prints the command in its place."""
MAX_VALUES_AS_BINS = 20
"""With at most as many distinct predictions each value is a bin of its own: .5, .6 … 1 of a model that is asked."""


@dataclass(frozen=True, eq=False, repr=False)
class PairsReport(QuestionReport):
    """What reports of prediction-label pairs share."""

    pairs: Pairs
    """The N prediction-label pairs that were measured."""

    @property
    def n(self) -> int:
        """Number of pairs."""
        return self.pairs.q.size

    @property
    def positives(self) -> int:
        """Number of positive labels."""
        return int(np.count_nonzero(self.pairs.y))

    @property
    def units(self) -> int:
        """Number of units that intervals take to be independent; pairs, if there is no column of units."""
        unit = self.pairs.sampling_unit
        return self.n if unit is None else np.unique(unit.codes).size

    @property
    def interval(self) -> tuple[float, float] | None:
        """Ends of the interval of the error; None where there is none."""
        raise NotImplementedError

    @property
    def _shown(self) -> tuple[bool, str]:
        """Whether interval and tests show an error, and what tests show that the interval does not, in words."""
        raise NotImplementedError

    @property
    def _headline(self) -> str:
        """The error with its interval, what that assumes, and what tests show that it does not, in words."""
        raise NotImplementedError

    def shown_above(self, limit: float) -> str:
        """Return the error in words if its interval is above the limit, or at 0 if an error is shown; else empty."""
        if self.interval is None:
            return ""
        return self._headline if (self._shown[0] if limit == 0 else self.interval[0] > limit) else ""

    @property
    def assumed(self) -> str:
        """What intervals assume, as the end of a clause."""
        return f" if the {self.units:,} {'rows' if self.pairs.sampling_unit is None else 'units'} are independent"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the reliability diagram into `ax`, or a new figure, and return the axes."""
        from nlpcalib.figures.reliability import draw_curve
        from nlpcalib.figures.style import NEUTRAL_STYLE

        if ax is None:
            from matplotlib import pyplot as plt

            _, ax = plt.subplots(layout="constrained")
        draw_curve(ax, *self._drawn(), **NEUTRAL_STYLE)
        return ax

    def _drawn(self) -> tuple[Bins, tuple[np.ndarray, np.ndarray]]:
        """Return the bins of the curve, and the band in which those of a calibrated model lie."""
        raise NotImplementedError


def write_report(
    calibration: Calibration,
    folder: str | Path,
    *,
    pdf: bool = True,
) -> None:
    """Write `calibration.json` and the files of `write_measured`, all or none; without `pdf` no figures for print."""
    with atomic_set(folder, "calibration.json") as temporary:
        write_measured(calibration, temporary, pdf=pdf)
        write_json(temporary / "calibration.json", calibration.summary)


def write_measured(
    calibration: Calibration,
    folder: Path,
    *,
    view: str = "",
    style: str = "house",
    classes: bool = False,
    pdf: bool = True,
) -> None:
    """Write `bins.csv`, `by_class.{csv,html}` and `reliability.{png,pdf,csv}` into an existing folder.

    `view` is what pairs are of, `style` a key of `nlpcalib.figures.style.STYLES`. With `classes`, and two of them, also
    `classes.{png,pdf,csv}`.
    """
    # Who draws nothing should not wait for Matplotlib.
    import matplotlib.style

    from nlpcalib.figures.intervals import draw_classes
    from nlpcalib.figures.reliability import save_reliability
    from nlpcalib.figures.style import STYLES, save_figure

    write_csv(folder / "bins.csv", bin_rows(calibration.bins, calibration.band))
    write_csv(folder / "by_class.csv", calibration.by_class)
    write_table_page(
        folder / "by_class.html", "Calibration by class",
        [{**row, "direction": direction_of_class(row)} for row in calibration.by_class], first=FIRST_COLUMNS,
        caption=CAPTION_BY_CLASS,
    )  # fmt: skip
    save_reliability(calibration, folder, view=view, style=style, pdf=pdf)
    rows = [row for row in calibration.by_class if row["error_low"] is not None]
    if classes and len(rows) > 1:
        with matplotlib.style.context(STYLES[style]):
            drawn = draw_classes(rows, calibration.summary["level"])
            save_figure(folder / "classes", *drawn, style=style, pdf=pdf)


def measure(
    pairs: Pairs,
    *,
    bin_size: int | None,
    samples: int,
    seed: int,
    level: float = 0.95,
    known: Ordered | None = None,
    by_class: list[dict] | None = None,
) -> Calibration:
    """Measure the calibration of `pairs`, with a bin size that suits them if `bin_size` is None.

    With at most twenty distinct predictions and no bin size named, each distinct value is a bin of the curve.
    """
    measured = partial(
        measure_calibration, pairs, samples=samples, seed=seed, level=level, known=known, by_class=by_class
    )
    if bin_size is not None:
        return measured(bin_size=bin_size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # the size is the best for so few pairs
        calibration = measured(bin_size=suitable_bin_size(pairs.y))
    if calibration.summary["resolution"]["values"] > MAX_VALUES_AS_BINS:
        return calibration
    values = (known or ordered(pairs)).pairs
    runs = np.flatnonzero(np.diff(values.q, prepend=-1.0))
    bins = clustered_bins(values, runs)
    return replace(calibration, bins=bins, band=consistency_band(bins))


def suitable_bin_size(y: np.ndarray) -> int:
    """Return the bin size β for labels `(N,)`: N^(2/5) bins, with five of the rarer labels to a bin on average."""
    positives = int(np.count_nonzero(y))
    bins = min(y.size**0.4, min(positives, y.size - positives) / EVENTS_PER_BIN)
    return int(np.ceil(y.size / max(bins, 1.0)))


class ClassRows(list[dict]):
    """Rows of `by_class.csv`, which print as a table of their main columns."""

    _COLUMNS: ClassVar = {
        "predicted": "predicted", "n": "pairs", "positives": "positives", "error": "error", "error_low": "low",
        "error_high": "high", "p_holm": "p (Holm)",
    }  # fmt: skip

    def __repr__(self) -> str:
        """Return lines of a table."""
        rows = self._cells()
        width = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join([row[0].ljust(width[0]), *map(str.rjust, row[1:], width[1:])]).rstrip() for row in rows
        )

    __str__ = __repr__

    def _repr_html_(self) -> str:
        head, *rows = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self._cells()]
        return f"<table><tr>{head.replace('td>', 'th>')}</tr>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"

    def _cells(self) -> list[list[str]]:
        return [list(self._COLUMNS.values()), *([_cell(row[name]) for name in self._COLUMNS] for row in self)]


def _cell(value: object) -> str:
    if isinstance(value, float):
        return decimals(value)
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def miscalibrated_classes(by_class: Sequence[Mapping], level: float = 0.95) -> list[str]:
    """Return the classes that are not perfectly calibrated with their errors in words, the largest first.

    The chance that any of them is calibrated is 1 − `level` (Holm).
    """
    return [f"{row['predicted']} {_cell(row['error'])}" for row in miscalibrated_rows(by_class, level)]


def miscalibrated_rows(by_class: Sequence[Mapping], level: float = 0.95) -> list[Mapping]:
    """Return the rows of those classes, the largest error first."""
    found = [row for row in by_class if row["p_holm"] is not None and row["p_holm"] < 1 - level]
    return sorted(found, key=lambda row: -row["error"])


def direction_of_class(row: Mapping) -> str:
    """Return whether the predictions of a miscalibrated class are too high, too low or both; empty for another."""
    low = row["underconfident_share"]
    if not miscalibrated_rows([row]) or low is None:
        return ""
    names = ((low, "too low"), (1 - low, "too high"))
    return next((name for share, name in names if share >= MIN_SHARE_OF_DIRECTION), "both")


def classes_shown_above(rows_at: Callable[[float], Sequence[Mapping]], level: float, limit: float) -> list[str]:
    """Return the classes whose calibration error is shown above a limit, with their intervals in words.

    `rows_at` returns the rows of classes with intervals of a level. Those of K classes are at 1 − (1 − `level`) / K, so
    that all of them hold together with probability `level` (Bonferroni).
    """
    lows = [row["error_low"] for row in rows_at(level) if row["error_low"] is not None]
    if len(lows) < 2 or max(lows) <= limit:
        return []
    return [
        f"{row['predicted']} {_cell(row['error'])} ({_cell(row['error_low'])} to {_cell(row['error_high'])})"
        for row in rows_at(1 - (1 - level) / len(lows))
        if row["error_low"] is not None and row["error_low"] > limit
    ]


def limited_classes(by_class: Sequence[Mapping]) -> dict[str, list[str]]:
    """Return the classes whose numbers are limited, by what limits them."""
    limits: dict[str, list[str]] = {}
    for row in by_class:
        if row["error_low"] is None:
            limits.setdefault("too few positive or negative labels for an interval", []).append(row["predicted"])
    return limits


def next_of_error(
    interval: tuple[float, float],
    groups: Sequence[Mapping],
    pairs: SortedPairs,
    level: float,
    pooled: str = "",
    *,
    repair: str = RECALIBRATE,
) -> str:
    """Return what to do after an error with an interval: recalibrate if one is shown, overall, or of a group.

    `pooled` is what the error is over, and `repair` what removes it, in words.
    """
    if error_is_shown(interval, pairs, level)[0] or any(row["error_low"] for row in groups):
        return repair
    if interval[0] > 0:
        return "label more, then measure again"
    most = decimals(interval[1])
    return f"no significant error{pooled}, but up to {most} is possible; plan the labels that detect less"


def error_is_shown(interval: tuple[float, float], pairs: SortedPairs, level: float) -> tuple[bool, str]:
    """Return whether bins, or intercept and slope, show an error, and what the interval does not have of it, in words.

    Each test has half of 1 − `level`, so that both together show one in no more of the tables that have none. The
    interval, which has all of it, may begin above 0 where neither does.
    """
    half, of_line = (1 - level) / 2, score_test(pairs)[1]
    of_bins = float(bias_corrected_error(pairs, Settings()).tail(0.0)[0]) if interval[0] > 0 else 1.0
    shown = min(of_bins, of_line) < half
    if shown == (interval[0] > 0):
        return shown, ""
    line, each = f"Cox's test, {_p_value(of_line)}", f"at a level of {100 * half:.3g} %"
    if shown:
        return True, f"; intercept and slope show an error ({line}, {each})"
    return False, f"; {each} each, neither bins ({_p_value(of_bins)}) nor intercept and slope ({line}) show an error"


def _p_value(p: float) -> str:
    return f"p = {decimals(p, 3)}" if p >= 0.0005 else "p < .001"


def percent_words(share: float) -> str:
    """Return two digits of a share or of what is missing to all: 0.12 %, 46 %, 99.95 %, and 100 % of all alone."""
    rest = 100 * min(share, 1 - share)
    digits = max(1 - math.floor(math.log10(rest)), 0) if rest else 0
    text = f"{100 * share:.{digits}f}"
    return f"{text.rstrip('0').rstrip('.') if digits else text} %"


def interval_words(interval: tuple[float, float] | None) -> str:
    """Return the ends of an interval in words."""
    return "no interval" if interval is None else " to ".join(decimals(end) for end in interval)


def sentences_on_old_classes(columns: Sequence[str], changed: float, rows: int) -> list[str]:
    """Return which columns have classes that are no longer the likeliest, in words; nothing without such columns."""
    if not columns:
        return []
    names = f"column {columns[0]} is" if len(columns) == 1 else f"columns {', '.join(columns)} are"
    some_rows = f"{round(changed * rows):,} of {counted(rows, 'row')}"
    return [f"{names} written as before: in {some_rows} the class there is no longer the likeliest"]
