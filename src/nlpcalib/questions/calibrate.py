"""`nlpcalib.calibrate`: how well calibrated are these predictions?"""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.binning import SmallSampleWarning, SortedPairs
from nlpcalib.calibration.estimates import (
    INTERVALS,
    METHODS,
    PUBLISHED,
    PUBLISHED_INTERVALS,
    Method,
    Settings,
    default_methods,
    interval_method,
)
from nlpcalib.calibration.items import with_item_units
from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.calibration.summary import ordered
from nlpcalib.errors import InputError, report_findings
from nlpcalib.examination.units import examine_sequence
from nlpcalib.io.files import read_json
from nlpcalib.predictions.arrays import ClassPredictions
from nlpcalib.predictions.groups import Grouping, grouping_of
from nlpcalib.predictions.predictions import Predictions, examine_decisions
from nlpcalib.questions.calibration_report import CalibrationReport
from nlpcalib.questions.corpus_calibration import CorpusCalibration
from nlpcalib.questions.kinds import answered, check_read, equally_many
from nlpcalib.questions.report import PAPER_BIN_SIZE, PAPER_SAMPLES, RECALIBRATE, suitable_bin_size
from nlpcalib.questions.slope_and_auc import SlopeAndAuc
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.dates import date_format


def calibrate(
    data: Predictions | Any,
    y: Any = None,
    /,
    *,
    by: Any = None,
    method: str | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
) -> CalibrationReport | CorpusCalibration | SlopeAndAuc:
    """Measure the calibration of predictions, with an interval.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        Predictions with labels. If a plan or probabilities chose the labelled rows, the result is about the corpus. If
        rows were chosen by their answer, without a base rate, only slope and AUC are reported.
    y : array_like, optional
        Labels, if `data` is an array of predictions.
    by : str, optional
        Measure each group of these columns, separated by commas; the intervals hold together.
    method : str, optional
        score (default), bootstrap, paper (Algorithms 1 and 2), or a key of nlpcalib.calibration.METHODS.
    bin_size : int, optional
        Pairs per bin (β) of the curve, and of the error with methods paper and bootstrap (default: depends on the
        data).
    samples : int
        Draws of Algorithm 2's parametric bootstrap (default 10000).
    level : float
        Confidence level of the intervals (default .95).
    seed : int
        Seed of the draws (default 0).
    """
    checked_seed(seed)
    check_read(y)
    examine_decisions(data)
    function = _of_corpus if data.design.weighted else _by_answer if data.design.drawn == "answer" else _of_rows
    return answered(
        calibrate, function, data, by=by, method=method, bin_size=bin_size, samples=samples, level=level, seed=seed
    )


def _of_rows(
    data: Predictions, by: Any, method: str | None, bin_size: int | None, samples: int, level: float, seed: int
) -> CalibrationReport:
    """Return the calibration of the rows that have labels."""
    grouping, found = grouping_of(data, by), data.pairs()
    examine_order(data, found if isinstance(found, Pairs) else found.top_label())
    return measure_predictions(
        found, method=method, bin_size=bin_size, samples=samples, level=level, seed=seed,
        groups=grouping.categories.take(data.labelled) if grouping.names else None, by=grouping.names,
        next_step=_next_step(data), inputs=data.files,
        equal_labels=equally_many(data, [data.y, *(each.y for each in data.gaps)]),
    )  # fmt: skip


def examine_order(data: Predictions, pairs: Pairs) -> None:
    """Warn of errors that are alike in rows next to each other in time: intervals take rows for independent."""
    if _in_order_of_time(data):
        unit = pairs.sampling_unit
        report_findings(examine_sequence(pairs.q, pairs.y, None if unit is None else unit.codes), data.place)


def _in_order_of_time(data: Predictions) -> bool:
    """Return whether rows with labels have dates, none of which is before that of the row above."""
    try:
        dates = data.column("date")
        form = date_format(dict.fromkeys(dates), data.source.table.dates if data.source else None)
        day = {text: form.parse(text) for text in dict.fromkeys(dates)}
    except ValueError:
        return False
    days = [day[dates[row]] for row in data.labelled.tolist()]
    return days[0] < days[-1] and all(above <= below for above, below in pairwise(days))


def grouped_pairs(data: Predictions, grouping: Grouping) -> Pairs:
    """Return the rows with labels, of classes the likeliest one, each with its group where there are groups."""
    pairs = data.pairs()
    pairs = pairs if isinstance(pairs, Pairs) else pairs.top_label()
    return replace(pairs, predicted=grouping.categories.take(data.labelled)) if grouping.names else pairs


def _of_corpus(data: Predictions, by: Any, level: float) -> CorpusCalibration:
    """Return the calibration of the corpus that a plan was drawn from."""
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1, such as .95")
    grouping, sample = grouping_of(data, by), data.sample
    pairs = grouped_pairs(data, grouping)
    known = ~np.isnan(sample.y)
    place = np.searchsorted(data.labelled, sample.rows[known])  # a part of a plan that is not complete is left out
    pairs = pairs.take(place)
    examine_order(data, pairs)
    report = CorpusCalibration(
        pairs, sample.label_weights[known], level, int(np.count_nonzero(~known)), data.facts, data.files,
        grouping.names, "label a random sample to recalibrate" if data.design.drawn == "answer" else RECALIBRATE,
    )  # fmt: skip
    _ = report.error
    return report


def _by_answer(data: Predictions, level: float) -> SlopeAndAuc:
    """Return what labels that were chosen by their answer show, whatever the share of positive items is."""
    pairs = data.pairs()
    if not isinstance(pairs, Pairs):
        raise InputError(f"{data.place}: found {data.kind}, expected labels of yes and no")
    return SlopeAndAuc(pairs, level, data.facts, data.files)


def _next_step(data: Predictions) -> str | None:
    """Return what `recalibrate` found to be next, if it wrote this table and no label is new; else None."""
    record = Path(data.place).parent / "recalibration.json"
    content = read_json(record) if data.files and record.is_file() else {}
    name = Path(data.place).name
    written = isinstance(content, dict) and content.get("files", {}).get(name, {}).get("sha256") == data.sha256
    return content.get("next") if written else None


def measure_predictions(
    found: Pairs | ClassPredictions, *, groups: Categories | None = None, by: tuple[str, ...] = (), **options: Any
) -> CalibrationReport:
    """Return the report of pairs, or of class predictions: their top classes with all classes.

    With `groups`, one for each row, the rows of the report are of these rather than of what is predicted.
    """

    def measured(pairs: Pairs, class_wise: CalibrationReport | None = None) -> CalibrationReport:
        pairs = pairs if groups is None else replace(pairs, predicted=groups)
        return measure_pairs(pairs, class_wise=class_wise, by=by, **options)

    if isinstance(found, Pairs):
        return measured(found)
    return measured(found.top_label(), measure_pairs(found.class_wise(), **options))


def measure_pairs(
    pairs: Pairs,
    *,
    method: str | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
    class_wise: CalibrationReport | None = None,
    next_step: str | None = None,
    inputs: tuple[Path, ...] = (),
    by: tuple[str, ...] = (),
    equal_labels: bool = False,
) -> CalibrationReport:
    """Return the report of pairs; arguments are those of `calibrate`."""
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1, such as .95")
    if bin_size is not None and bin_size < 1:
        raise InputError(f"bin size: found {bin_size}, expected a whole number of at least 1")
    pairs = with_item_units(pairs)
    known = ordered(pairs)
    chosen = _method_called(method, known.pairs)
    if method == "paper" and bin_size is None:
        bin_size = PAPER_BIN_SIZE
    if chosen.interval in PUBLISHED_INTERVALS and level != 0.95:
        raise InputError(f"level: found {level}, expected .95 with {chosen.name}, the only one that is published")
    size = suitable_bin_size(pairs.y) if bin_size is None else bin_size
    settings = Settings(bin_size=size, samples=samples, seed=seed, level=level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # the report prints its number of bins
        estimate = chosen(known.pairs, settings)
    report = CalibrationReport(
        pairs, estimate, settings, bin_size, class_wise, next_step, method, inputs, by, equal_labels
    )
    report.__dict__["_ordered"] = known  # which took most of the time
    return report


def _method_called(name: str | None, pairs: SortedPairs) -> Method:
    """Return the method that a user names, for pairs with units or without; without a name the default."""
    if name is None:
        return default_methods(pairs)[0]
    if name in INTERVALS:
        return interval_method(name, pairs)
    named = {"paper": PUBLISHED, **METHODS}
    if name not in named:
        raise InputError(f"method: found '{name}', expected one of {', '.join([*INTERVALS, *named])}")
    return named[name]
