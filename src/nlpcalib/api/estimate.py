"""`nlpcalib.estimate`: what do probabilities and a few labels report about a corpus?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from nlpcalib.api.annotations import (
    Planned,
    are_paths,
    label_findings,
    named,
    paths_of,
    planned,
    read_random_labels,
    read_sample_labels,
)
from nlpcalib.api.estimation_report import PARTS, EstimationReport
from nlpcalib.api.items import Grouping, Items, items_of
from nlpcalib.api.plan_items import ItemPlan, asked_before
from nlpcalib.api.rated import check_values, of_values
from nlpcalib.api.readers import (
    labels_of_readers,
    machine_features,
    modelled,
    of_expert,
    rates_against_expert,
    with_readers,
)
from nlpcalib.errors import InputError
from nlpcalib.estimation.borrowing import estimate_groups
from nlpcalib.estimation.estimates import Estimate, estimate_totals
from nlpcalib.estimation.label_errors import (
    MAX_LABEL_ERROR,
    LabelErrors,
    with_label_errors,
)
from nlpcalib.estimation.readers import ReaderRates
from nlpcalib.examination.labels import examine_drawing
from nlpcalib.examination.report import report_findings
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.recalibration.layer import layered
from nlpcalib.sampling.plan import WORDS, Plan
from nlpcalib.sampling.samples import Sample, restricted
from nlpcalib.seeding import checked_seed
from nlpcalib.tables.names import joined_names


def estimate(
    items: Any,
    labels: Any,
    *,
    plan: str | Path | Plan | ItemPlan | Planned | None = None,
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
    readers: Literal["settle", "model"] = "settle",
    expert: str | None = None,
    machines: Any = None,
    values: Sequence[float] | None = None,
    seed: int | None = None,
) -> EstimationReport:
    """Estimate how many items of a corpus are positive, with an interval that does not rest on the model.

    Parameters
    ----------
    items : path, or array_like of shape (N,)
        The predictions, or a table with a prediction `q` for each item. The table may have `id`, `unit`, `text` and
        columns to group by.
    labels : path, sequence of paths, mapping or array_like of shape (N,)
        Annotated sheets or exports of annotation tools; or the labels of the items that were read. These map rows,
        counted from 0, or ids to 0 or 1, or to None where the annotator left the label open. An array has NaN for
        items that were not read. Of several readers, a mapping of their names to such labels.
    plan : path, Plan or ItemPlan, optional
        What `plan_items` drew the items by, or its file `plan.json`, or items with their plan
        (`nlpcalib.api.annotations.Planned`). Without it, labels are taken for a random sample.
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
        The text of each item. Labels improve the predictions by words of the texts, where held-out labels show it, but
        not for a model of readers.
    ids : sequence of str, length N, optional
        The id of each item.
    vectors : path, array_like of shape (N, D) or mapping, optional
        Vectors of the texts from any encoder, in place of their words; see `systems.text.vectors.read_vectors`.
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
    readers : str
        What several labels of one item are made into. "settle": what more than half of the readers say, and the
        interval holds both answers for the others. "model": the errors of each reader are estimated, see
        `nlpcalib.estimation.readers`, and the interval is of what is true.
    expert : str, optional
        The reader whose labels are the truth. Only these are used as labels, and the report has the sensitivity and
        specificity of every other reader.
    machines : str, sequence of str, or array_like of shape (N,) or (N, D), optional
        What machines said of every item: columns of the table, or numbers. Labels adapt predictions to them, and
        nothing is assumed about them.
    values : two numbers, optional
        The smallest and the largest value of labels that are numbers, such as 1 and 5 of ratings, or 0 and 1 of shares.
        Predictions are in the same range. Estimates are then of the sum of the values, and `share` is their mean.
    seed : int, optional
        Seed of the folds in which words are learnt, and of the model of readers; by default that of the plan, and 0
        without one.

    Raises
    ------
    InputError
        For what is no probability or label, arrays of different lengths, and items other than those of the plan.
    """
    checked_seed(0 if seed is None else seed)
    errors = None if label_error is None else label_errors_of(label_error)
    _check_readers(readers, expert, errors, borrow, vectors, machines, method)
    scale = (0.0, 1.0)
    if values is not None:
        scale = check_values(
            values, readers=readers, expert=expert, label_error=label_error, machines=machines, vectors=vectors,
            method=method, borrow=borrow, yes=yes, inclusion=inclusion,
        )  # fmt: skip
    given = {"columns": columns, "dates": dates, "unit": unit, "texts": texts, "ids": ids, "values": scale}
    of_plan = None
    if plan is not None:
        if inclusion is not None:
            raise InputError("found inclusion= and plan=, expected one: a plan has inclusion probabilities")
        drawn = plan if isinstance(plan, Planned) else planned(items, plan, **given)
        of_plan, found_items = drawn.plan, drawn.items
        grouping = _grouping(found_items, by, borrow)
        by_row = partial(read_sample_labels, drawn, partly=True, values=None if values is None else scale)
        of_files = partial(by_row, settled=settled, yes=yes, question=label_question)
    else:
        found_items = items_of(items, unpredicted=are_paths(labels), **given)
        grouping = _grouping(found_items, by, borrow)
        by_row = partial(read_random_labels, found_items, inclusion=inclusion, values=None if values is None else scale)
        of_files = partial(by_row, settled=settled, yes=yes, question=label_question)
    several = labels_of_readers(labels, found_items)
    annotations = of_files(labels) if several is None else with_readers(several, found_items, by_row)
    notes = _notes(plan, inclusion, grouping, borrow, found_items)
    if values is not None:
        of = of_values(found_items, annotations, of_plan, grouping, scale, level, [items, labels, plan, settled])
        return replace(of, notes=notes)
    if expert is not None:
        annotations = of_expert(annotations, found_items, expert, by_row)
    facts = found_items.facts(grouping.names)
    sample = annotations.sample
    report_findings(facts.findings if facts else found_items.findings(), found_items.place if facts else "")
    label_paths = paths_of(labels) if are_paths(labels) else []
    report_findings(label_findings(annotations, found_items), named(label_paths) or "labels")
    if plan is None and inclusion is None:
        report_findings(examine_drawing(found_items.frame.q, sample.rows, sample.unit))
    q, gain, shown = found_items.frame.q, 0.0, False
    seed = (of_plan.seed if of_plan else 0) if seed is None else seed
    features = None
    if readers != "model":  # whose strata are of the predictions as they were before labels
        features = _features(found_items, vectors) if machines is None else machine_features(machines, found_items)
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
    rates: tuple[ReaderRates, ...] = ()
    parts = _parts(of_plan, q, sample, level, method)
    if readers == "model":
        whole, parts, groups, rates = modelled(whole, parts, groups, annotations, found_items, grouping, level, seed)
    elif expert is not None:
        rates = rates_against_expert(annotations, found_items, expert, level)
    if errors is not None:
        parts = tuple(_with_errors(one, errors) for one in parts)
        whole, *each = (_with_errors(one, errors) for one in (whole, *groups.values()))
        groups = dict(zip(groups, each, strict=True))
    inputs = [items, *label_paths, *(each for each in (settled, plan, vectors) if each is not None)]
    return EstimationReport(
        whole, groups, found_items, grouping, annotations, of_plan, q, gain,
        shown, borrow, method, level, notes, errors, yes,
        None if settled is None else Path(settled),
        tuple(Path(each) for each in inputs if isinstance(each, str | Path)), facts,
        _features_in_words(vectors, machines), parts, rates, expert,
    )  # fmt: skip


def _features_in_words(vectors: Any, machines: Any) -> str:
    if machines is not None:
        return "answers of the machines"
    return "words of the texts" if vectors is None else "vectors of the texts"


def _check_readers(
    readers: str, expert: str | None, errors: LabelErrors | None, borrow: str, vectors: Any, machines: Any, method: str
) -> None:
    """Raise `InputError` for options that exclude each other."""
    if readers not in ("settle", "model"):
        raise InputError(f"readers: found {readers!r}, expected settle or model")
    if machines is not None and vectors is not None:
        raise InputError("found machines= and vectors=, expected one of the two")
    if readers == "model":
        refused = {
            "expert": expert, "label_error": errors, "borrow": None if borrow == "none" else borrow,
            "vectors": vectors, "machines": machines, "method": None if method == "score" else method,
        }  # fmt: skip
        for name, value in refused.items():
            if value is not None:
                raise InputError(f"found readers='model' with {name}=, expected one of the two")


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
        from nlpcalib.systems.text.vectors import read_vectors

        return read_vectors(vectors, items.ids).of(items.ids)
    if items.frame.texts is None:
        return None
    from nlpcalib.systems.text.words import word_features

    return word_features(items.frame.texts)


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


def _notes(plan: Any, inclusion: Any, grouping: Grouping, borrow: str, items: Items) -> tuple[str, ...]:
    """Return what labels are taken for without a plan, that no predictions are used, and other groups than planned."""
    found = []
    if plan is None and inclusion is None:
        found.append("There is no plan: labels are taken for a random sample of all items.")
    if not items.predicted:
        found.append("No predictions are used: the table has no column q (columns=q=NAME names it).")
    before = asked_before(plan).borrow if plan is not None else "none"
    if grouping.names and borrow == "none" != before:
        found.append(f"Groups share no labels here, and the plan counted on it: borrow={before}.")
    return tuple(found)
