"""`nlpcalib.calibrate`: how well calibrated are these predictions?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from nlpcalib.api.annotations import are_paths, paths_of
from nlpcalib.api.calibration_report import CalibrationReport
from nlpcalib.api.corpus_calibration import CorpusCalibration, of_planned_items, of_weighted_pairs
from nlpcalib.api.report import PAPER_BIN_SIZE, PAPER_SAMPLES, suitable_bin_size
from nlpcalib.calibration.binning import SmallSampleWarning
from nlpcalib.calibration.estimates import (
    INTERVALS,
    METHODS,
    PUBLISHED,
    PUBLISHED_INTERVALS,
    Settings,
    default_methods,
    interval_method,
)
from nlpcalib.calibration.items import with_item_units
from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import ordered
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json
from nlpcalib.predictions.arrays import ClassPredictions, from_arrays
from nlpcalib.predictions.examined import examined
from nlpcalib.predictions.formats import read_predictions
from nlpcalib.predictions.labelled import LabelFiles
from nlpcalib.predictions.reading import LabelledReading, ReadingOptions
from nlpcalib.seeding import checked_seed

if TYPE_CHECKING:
    from nlpcalib.api.plan_items import ItemPlan
    from nlpcalib.sampling.plan import Plan


@overload
def calibrate(
    q: Any,
    y: Any = None,
    *,
    unit: Any = None,
    label: Any = None,
    labels: Sequence | None = None,
    reading: ReadingOptions | None = None,
    method: str | None = None,
    interval: Literal["score", "bootstrap"] | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
    weights: None = None,
    plan: None = None,
    columns: Mapping[str, str] | None = None,
    yes: str | None = None,
    label_question: str | None = None,
    settled: str | Path | None = None,
) -> CalibrationReport: ...
@overload
def calibrate(
    q: Any,
    y: Any = None,
    *,
    unit: Any = None,
    label: Any = None,
    labels: Sequence | None = None,
    reading: ReadingOptions | None = None,
    method: str | None = None,
    interval: Literal["score", "bootstrap"] | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
    weights: Any = None,
    plan: str | Path | Plan | ItemPlan | None = None,
    columns: Mapping[str, str] | None = None,
    yes: str | None = None,
    label_question: str | None = None,
    settled: str | Path | None = None,
) -> CalibrationReport | CorpusCalibration: ...
def calibrate(
    q: Any,
    y: Any = None,
    *,
    unit: Any = None,
    label: Any = None,
    labels: Sequence | None = None,
    reading: ReadingOptions | None = None,
    method: str | None = None,
    interval: Literal["score", "bootstrap"] | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
    weights: Any = None,
    plan: str | Path | Plan | ItemPlan | None = None,
    columns: Mapping[str, str] | None = None,
    yes: str | None = None,
    label_question: str | None = None,
    settled: str | Path | None = None,
) -> CalibrationReport | CorpusCalibration:
    """Measure the calibration of predictions, with an interval.

    Parameters
    ----------
    q : path, or array_like of shape (N,) or (N, K)
        A file of predictions and labels, `-` for standard input. Or probabilities: an array, a list, a column of a data
        frame, a tensor on the CPU. With two dimensions those of K classes; the report is then of the likeliest class,
        and its `class_wise` of all.
    y : array_like, shape (N,)
        0 or 1; for K classes the class, 0 … K − 1 or a value of `labels`. An array (N, K) of 0 and 1 stands for labels
        that do not exclude each other. A file has them, or `y` are files of labels, paths: sheets and exports that
        label rows of the table by `id`, or by the column that both have. Other rows are left out.
    unit : array_like, shape (N,), optional
        What each prediction comes from, a document or a speaker, if predictions of one may be wrong together.
    label : array_like, shape (N,), optional
        What each prediction is of, for a table by label.
    labels : sequence, length K, optional
        Names of K classes, in the order of columns.
    reading : ReadingOptions, optional
        How a file is read: its format, and the names of its columns.
    method : str, optional
        `"paper"` for Algorithms 1 and 2 as published, or a key of `nlpcalib.calibration.METHODS`. The default is the
        bias-corrected error with an interval that covers, by units where there are units.
    interval : {"score", "bootstrap"}, optional
        In place of `method`, how the interval is made. `"score"`, the default, inverts a test. `"bootstrap"` resamples
        units 1,000 times, or pairs without units; value and interval are of adaptive bins of `bin_size` pairs.
    bin_size : int, optional
        Pairs to a bin of the curve, of the published error and of the bootstrap; by default the paper's 5,000 with
        `method="paper"`, else what N and the number of positives allow.
    samples : int
        Draws of Algorithm 2, a parametric bootstrap.
    level : float
        Level of the interval.
    seed : int
        Seed of draws, for methods that draw.
    weights : array_like, shape (N,), optional
        What each row stands for: 1 over the probability with which it was drawn, times any constant. The report is then
        a `CorpusCalibration`: error, curve and interval are those of the corpus that rows were drawn from.
    plan : path, Plan or ItemPlan, optional
        What `plan_items` drew rows by, or its file `plan.json`, which has the weights. `q` is then the table of all
        items, or their predictions, and `y` the labels of those that were read, as `nlpcalib.estimate` takes them.
    columns, yes, label_question, settled : optional
        With a plan, what they are in `nlpcalib.estimate`; the first three also with files of labels.

    Raises
    ------
    InputError
        In one line, for what cannot be measured.

    Warns
    -----
    InputWarning
        If predictions look as if they were not what they are taken to be.
    """
    checked_seed(seed)
    if weights is not None or plan is not None:
        _refuse_with_weights(method=method, interval=interval, bin_size=bin_size, reading=reading, labels=labels)
        if not 0 < level < 1:
            raise InputError(f"level: found {level}, expected a number between 0 and 1, such as .95")
    if plan is not None:
        if weights is not None or label is not None:
            raise InputError("found plan= with weights= or label=, expected a plan alone, which has the weights")
        return of_planned_items(
            q, y, plan, columns=columns, unit=unit, yes=yes, label_question=label_question, settled=settled, level=level
        )
    of_files = isinstance(q, str | Path) and are_paths(y)
    for_files = {} if of_files else {"columns": columns, "yes": yes, "label_question": label_question}
    for name, value in (*for_files.items(), ("settled", settled)):
        if value is not None:
            raise InputError(f"found {name}= without a plan, expected plan= with labels of some items")
    if of_files:
        reading, y = LabelledReading.of(reading, LabelFiles(paths_of(y), yes, label_question), columns), None
    if weights is not None:
        if isinstance(q, str | Path):
            raise InputError(f"weights: found values beside the file {q}, expected arrays, or plan= with the files")
        return of_weighted_pairs(examined(from_arrays(q, y, unit=unit, label=label)), weights, level)
    options: dict[str, Any] = {
        "method": method, "interval": interval, "bin_size": bin_size, "samples": samples, "level": level, "seed": seed
    }  # fmt: skip
    if isinstance(q, str | Path):
        check_file_alone(q, y=y, unit=unit, label=label, labels=labels)
        pairs = read_predictions(q, **(reading or ReadingOptions()).arguments())
        return measure_pairs(pairs, **options, next_step=_next_step(Path(q), pairs), inputs=(Path(q),))
    return measure_predictions(examined(from_arrays(q, y, unit=unit, label=label, labels=labels)), **options)


def _refuse_with_weights(**options: Any) -> None:
    """Raise `InputError` for options that weighted pairs have no use for."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"found {name}= with weights or a plan, expected neither or no {name}=")


def check_file_alone(path: str | Path, **columns: Any) -> None:
    """Raise `InputError` for arrays that are given with a file, which has its own columns."""
    for name, values in columns.items():
        if values is not None:
            raise InputError(f"{name}: found values beside the file {path}, expected a column of it")


def _next_step(path: Path, pairs: Pairs) -> str | None:
    """Return what `recalibrate` found to be next, if it wrote this table and no label is new; else None."""
    record = path.parent / "recalibration.json"
    content = read_json(record) if record.is_file() else {}
    written = isinstance(content, dict) and content.get("files", {}).get(path.name, {}).get("sha256") == pairs.sha256
    return content.get("next") if written else None


def measure_predictions(found: Pairs | ClassPredictions, **options) -> CalibrationReport:
    """Return the report of pairs, or of class predictions: their top labels with all classes."""
    if isinstance(found, Pairs):
        return measure_pairs(found, **options)
    class_wise = measure_pairs(found.class_wise(), **options)
    return class_wise if found.y.ndim == 2 else measure_pairs(found.top_label(), class_wise=class_wise, **options)


def measure_pairs(
    pairs: Pairs,
    *,
    method: str | None = None,
    interval: str | None = None,
    bin_size: int | None = None,
    samples: int = PAPER_SAMPLES,
    level: float = 0.95,
    seed: int = 0,
    class_wise: CalibrationReport | None = None,
    next_step: str | None = None,
    inputs: tuple[Path, ...] = (),
) -> CalibrationReport:
    """Return the report of pairs; arguments are those of `calibrate`."""
    if not 0 < level < 1:
        raise InputError(f"level: found {level}, expected a number between 0 and 1, such as .95")
    if bin_size is not None and bin_size < 1:
        raise InputError(f"bin size: found {bin_size}, expected a whole number of at least 1")
    pairs = with_item_units(pairs)
    known = ordered(pairs)
    if interval is not None and method is not None:
        raise InputError(f"interval: found '{interval}' beside the method '{method}', expected one of the two")
    if interval is not None and interval not in INTERVALS:
        raise InputError(f"interval: found '{interval}', expected {' or '.join(INTERVALS)}")
    if interval is not None:
        chosen = interval_method(interval, known.pairs)
    elif method is None:
        chosen, _ = default_methods(known.pairs)
    elif method == "paper":
        chosen, bin_size = PUBLISHED, PAPER_BIN_SIZE if bin_size is None else bin_size
    elif method in METHODS:
        chosen = METHODS[method]
    else:
        raise InputError(f"method: found '{method}', expected 'paper' or one of {', '.join(METHODS)}")
    if chosen.interval in PUBLISHED_INTERVALS and level != 0.95:
        raise InputError(f"level: found {level}, expected .95 with {chosen.name}, the only one that is published")
    size = suitable_bin_size(pairs.y) if bin_size is None else bin_size
    settings = Settings(bin_size=size, samples=samples, seed=seed, level=level)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSampleWarning)  # the report prints its number of bins
        estimate = chosen(known.pairs, settings)
    report = CalibrationReport(pairs, estimate, settings, bin_size, class_wise, next_step, method, inputs)
    report.__dict__["_ordered"] = known  # which took most of the time
    return report
