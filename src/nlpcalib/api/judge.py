"""`nlpcalib.judge`: can I trust my judge, and which rate do its verdicts report once human labels correct them?"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.api.annotations import are_paths, paths_of, planned_ratings, refuse_options_of_files
from nlpcalib.api.estimate import estimate
from nlpcalib.api.estimation_report import EstimationReport
from nlpcalib.api.judge_report import JudgeReport
from nlpcalib.api.verdict_rows import (
    FileLabels,
    ItemLabels,
    VerdictRows,
    item_names,
    labels_for_all_judges,
    labels_of_files,
    labels_of_rows,
    numbered_items,
    positive_verdicts,
    rows_of_arrays,
    rows_of_log,
    rows_of_table,
    units_of_items,
)
from nlpcalib.errors import InputError
from nlpcalib.estimation.judge_pairs import AccuracyDifference, accuracy_differences
from nlpcalib.estimation.judges import Rate, Verdicts, judge_consistency
from nlpcalib.examination.judges import examine_judge
from nlpcalib.examination.report import report_findings
from nlpcalib.io.files import check_file
from nlpcalib.sampling.labels import Labels
from nlpcalib.sampling.plan import Plan
from nlpcalib.sampling.settling import Settled
from nlpcalib.tables.table import Table

_PREDICTION_MARGIN = 0.05
"""Distance from 0 and 1 of the prediction that a verdict is to the working model, which learns the rest from labels."""


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
    settled: str | Path | None = None,
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
        Annotated sheets or exports of annotation tools, by id. Where systems share ids, they also have the columns of
        `by`, or the system in front of the id. Or the labels as 0, 1, and NaN where there is none. By default those of
        the column `label`, empty where there is none.
    plan : path or Plan, optional
        What `plan_items` drew the labelled items by, each judged once. Verdicts are 0 and 1, or the plan is of a
        column `q`; or, with a threshold, of the ratings.
    columns : mapping, optional
        What `verdict`, `id`, `unit`, `label` and `q` are called in the table: `{"verdict": "passed"}`.
    dates : str, optional
        How the table writes dates that `by` groups, as `estimate` takes it.
    ids : array_like, shape (M,), optional
        What was judged in each row.
    unit : array_like, shape (M,), optional
        What items come from together, such as a document. With `by`, it is by default the case that all systems share.
    by : str, sequence of str, or array_like of shape (M,), optional
        The system or prompt that was judged: columns of the table, or the group of each row. A column that is called
        `judge`, in the table or in `columns`, names judges of the same items: an item has one label for all of them,
        and their accuracy is compared.
    yes, label_question : str, optional
        The verdict and label that counts as positive; and, in files of labels, the question whose answers are labels,
        or the column that has them, by default that of `columns`.
    settled : path, optional
        A sheet whose labels decide where the annotators of files differ, as `save` writes it.
    threshold : float, optional
        Verdicts are numbers, such as ratings from 1 to 5, and this is the lowest that counts as yes. Labels have the
        same threshold if they are numbers other than 0 and 1.
    name : str
        The judge's name and version, for the report.
    rubric : sequence of paths
        Files that define the judge, such as its rubric and prompt. The report has their checksums.
    width : float, optional
        A width of the intervals of accuracy, sensitivity, specificity and kappa. The report forecasts the labels that
        it takes, and those that show which systems differ.
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
    paths = paths_of(labels) if are_paths(labels) else []
    if paths and columns:  # the files have the labels
        own = columns.get("label")
        columns = {name: column for name, column in columns.items() if name != "label"}
        label_question = own if label_question is None else label_question
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
    annotators: Mapping[str, Labels] = {}
    agreed = Settled({}, ())
    named: dict[str, Any] = {"yes": yes, "label_question": label_question, "settled": settled}
    if plan is not None:
        if not of_file or not paths:
            raise InputError("expected plan= with a table of verdicts and files of labels")
        if threshold is None:
            found, estimation = _by_plan(
                verdicts, share, paths, plan=plan, columns=columns, dates=dates, by=by, level=level,
                label_error=label_error, **named,
            )  # fmt: skip
        else:
            of_files = labels_of_files(
                paths, read, rows, yes=yes, question=label_question, threshold=threshold, settled=settled
            )
            found, estimation = _ratings_by_plan(
                verdicts, share, of_files, plan=plan, columns=columns, dates=dates, by=by, level=level,
                label_error=label_error,
            )  # fmt: skip
        annotators, agreed = estimation.annotations.annotators, estimation.annotations.settled
    else:
        if paths:
            of_files = labels_of_files(
                paths, read, rows, yes=yes, question=label_question, threshold=threshold, settled=settled
            )
            given, annotators, agreed = of_files.items, of_files.annotators, of_files.settled
        else:
            refuse_options_of_files(label_question=label_question, settled=settled)
            given = labels_of_rows(read, number, labels, yes, threshold)
        if not given:
            place = verdicts if of_file else "labels"
            raise InputError(
                f"{place}: found no label, expected a column label, or its name: columns=label=NAME, or files"
            )
        if read.of_judges:
            given = labels_for_all_judges(read, rows, given)
        found, estimation = _by_verdict(share, given, units_of_items(read, rows), read, rows, level, label_error)
    report_findings(examine_judge(found.share, found.rows, found.y), verdicts if of_file else "verdicts")
    names = item_names(read, rows)
    lines = sorted(f"{names[item]}\t{label:g}\n" for item, label in zip(found.rows.tolist(), found.y, strict=True))
    inputs = [Path(each) for each in (verdicts, *paths, plan, settled) if isinstance(each, str | Path)]
    return JudgeReport(
        found, estimation, _consistency(number, yeses, found.unit, level), level, width, name, files,
        hashlib.sha256("".join(lines).encode()).hexdigest(), annotators, agreed,
        None if settled is None else Path(settled), "yes" if yes is None else yes, tuple(inputs),
        tuple(_between_judges(found, read, rows, level)) if read.of_judges else (),
        () if yes is None else tuple(sorted({each for each, y in zip(read.verdicts, yeses, strict=True) if not y})),
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


def _ratings_by_plan(
    path: str | Path, share: np.ndarray, labels: FileLabels, *, plan: str | Path | Plan, by: Any,
    columns: Mapping[str, str] | None, dates: str | None, **named: Any,
) -> tuple[Verdicts, EstimationReport]:  # fmt: skip
    """Return verdicts and labels that a threshold made of ratings, with the weights of a plan, and the estimate.

    The plan was drawn by a column `q`, or by the ratings, whose range its record has.
    """
    of_items = {key: column for key, column in (columns or {}).items() if key not in ("verdict", "label")}
    drawn = planned_ratings(path, plan, of_items, (columns or {}).get("verdict", "verdict"), dates)
    ids = drawn.items.ids if drawn.items.named else range(len(drawn.items.ids))
    given = {ids[item]: label for item, label in labels.items.items()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*nothing but 0 and 1")
        estimation = estimate(path, given, plan=drawn, by=by, **named)
    annotations = replace(estimation.annotations, annotators=labels.annotators, settled=labels.settled)
    sample = annotations.sample
    verdicts = Verdicts(share, sample.rows, sample.y, sample.label_weights, sample.unit)
    return verdicts, replace(estimation, annotations=annotations)


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


def _between_judges(
    verdicts: Verdicts, read: VerdictRows, rows: Sequence[int], level: float
) -> list[AccuracyDifference]:
    """Return how much more accurate each judge is than each other one."""
    keys = np.array([" ".join(read.keys[row]) for row in rows])
    item = np.unique([read.ids[row] for row in rows], return_inverse=True)[1]
    judges = {name: np.flatnonzero(keys == name) for name in sorted(set(keys.tolist()))}
    return accuracy_differences(verdicts, item, judges, level=level)


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
