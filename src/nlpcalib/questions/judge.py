"""`nlpcalib.judge`: can I trust my judge, and which rate do its verdicts report once human labels correct them?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.calibration.pairs import Categories
from nlpcalib.errors import InputError, InputFinding, argument, report_findings, some
from nlpcalib.estimation.answer_sample import chosen_by_answer, disputes_chosen, rates_by_answer
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.estimation.judge_pairs import AccuracyDifference, accuracy_differences
from nlpcalib.estimation.judges import Rate, Verdicts, judge_consistency
from nlpcalib.estimation.label_errors import with_label_errors
from nlpcalib.estimation.verdict_totals import verdict_total
from nlpcalib.examination.judges import examine_judge, examine_pairing
from nlpcalib.io.files import check_file
from nlpcalib.predictions.answered import Answer
from nlpcalib.predictions.groups import Grouping, grouping_of, keys_of
from nlpcalib.predictions.predictions import Design, Predictions
from nlpcalib.questions.estimate import estimate_yes, label_errors_of, scaled
from nlpcalib.questions.estimation_report import EstimationReport
from nlpcalib.questions.judge_report import JudgeReport
from nlpcalib.questions.kinds import equally_many
from nlpcalib.sampling.settling import Settled
from nlpcalib.tables.names import joined_names


def judge(
    data: Predictions | Any,
    /,
    *,
    by: Any = None,
    judges: str | None = None,
    width: float | None = None,
    label_error: float | Sequence[float] | None = None,
    level: float = 0.95,
    rubric: Sequence[str | Path] = (),
) -> JudgeReport:
    """Measure a judge, such as a language model, against human labels of some of its items.

    Parameters
    ----------
    data : Predictions, or what `nlpcalib.read` reads
        Verdicts, some of them with labels. Rows of one id and one group are verdicts on one item.
    by : str, optional
        Columns that name the judged system or prompt, separated by commas.
    judges : str, optional
        Column that names the judge, if several judged the same items; an item has one label for all judges.
    width : float, optional
        Also report how many labels give intervals of this width.
    label_error : float, or two, optional
        Largest share of human labels that may be wrong, or two shares, of positive items and of the others.
    level : float
        Confidence level of the intervals (default .95).
    rubric : paths
        Files that define the judge, such as its prompt; judge.json keeps their checksums for nlpcalib verify.
    """
    for option, value in (("level", level), ("width", width)):
        if value is not None and not 0 < value < 1:
            raise InputError(f"{option}: found {value}, expected a number between 0 and 1")
    data.check_predicted()
    if data.classes or data.values or not data.decisions:
        found = data.kind if data.classes or data.values else f"verdicts such as {data.q[0]:g}"
        raise InputError(
            f"{data.place}: found {found}, expected yes or no: {argument('q')} names the column of verdicts; "
            f"{argument('threshold')} is the lowest rating that counts as yes"
        )
    files = tuple(Path(path) for path in ([rubric] if isinstance(rubric, str | Path) else rubric))
    for path in files:
        check_file(path)
    errors = None if label_error is None else label_errors_of(label_error)
    grouping = grouping_of(data, by if judges is None else judges)
    report_findings(_unnamed_ids(data, grouping), data.place)
    number, first = _items(data, grouping)
    share = np.bincount(number, data.q) / np.bincount(number)
    y, answer = _labels(data, number, grouping, shared=judges is not None)
    keys = [grouping.keys[row] for row in first] if grouping.names else []
    own = Grouping(grouping.names, keys)
    if data.design.plan is not None:
        if len(first) < len(data):
            raise InputError(f"{data.place}: found several verdicts on one item, expected one with a plan")
        estimation = estimate_yes(data, own, (None, ""), errors, level, None)
        sample = data.sample
        found = Verdicts(share, sample.rows, sample.y, sample.label_weights, sample.unit)
    else:
        found, estimation = _by_verdict(data, share, first, y, answer, own, errors, level)
    ids = [data.ids[row] for row in first]
    unjudged = _without_verdict(data, grouping)
    # An item that one of several judges failed on has the label of its other verdicts.
    without = np.concatenate([np.empty(0), *(unjudged.values() if judges is None else ())])
    items = found if judges is None else _judged_together(found, ids)
    if data.design.drawn == "answer":
        if data.design.inclusion is not None:
            raise InputError("base_rate: found a share, expected none: verdicts on all items have the rate of a judge")
        given = {"judges": judges, "width": width, "label_error": label_error}
        if unused := [name for name, value in given.items() if value is not None]:
            raise InputError(f"{unused[0]}: found {given[unused[0]]!r} with labels {data.design.words}, expected none")
        estimation = _corrected_by_answer(found, estimation, own, level)
    else:
        if not data.design.drawn:
            _check_chosen(data, items, without[~np.isnan(without)])
            _check_disputes(data, found, ids, own)
            _check_middle_ratings(data, found, number, own)
        estimation = _corrected(found, items, estimation)
    report_findings(examine_judge(found.share, found.rows, found.y), data.place)
    names = ids if len(set(ids)) == len(ids) else [" ".join((*key, each)) for key, each in zip(keys, ids, strict=True)]
    lines = sorted(f"{names[item]}\t{label:g}\n" for item, label in zip(found.rows.tolist(), found.y, strict=True))
    readers = {
        reader: {names[number[row]]: label for row, label in labels.items()}
        for reader, labels in data.reading.readers.items()
    }
    return JudgeReport(
        found, estimation, _consistency(number, data.q, found.unit, level), level, width, files,
        hashlib.sha256("".join(lines).encode()).hexdigest(), readers, Settled({}, data.reading.disputed),
        data.reading.settled, data.yes or "yes", (*data.files, *files),
        tuple(_between_judges(found, [" ".join(key) for key in keys], ids, level)) if judges is not None else (),
        data.reading.negative if data.yes else (),
        unjudged, equally_many(data, [items.y, without]),
    )  # fmt: skip


def _unnamed_ids(data: Predictions, grouping: Grouping) -> list[InputFinding]:
    """Return a finding if a column that nobody named has ids of the judged items."""
    if data.named or data.source is None or not grouping.names or data.units:
        return []
    others = [name for name in data.source.table.names_with_cells if name not in (*grouping.names, *data.source.q)]
    return examine_pairing({name: data.column(name) for name in others}, grouping.keys)


def _items(data: Predictions, grouping: Grouping) -> tuple[np.ndarray, list[int]]:
    """Return the item of each row, int64 (M,), in the order of their first rows, and those rows."""
    place: dict[tuple, int] = {}
    first: list[int] = []
    number = np.empty(len(data), np.int64)
    for row, key in enumerate(zip(data.ids, grouping.keys or [()] * len(data), strict=True)):
        number[row] = place.setdefault(key, len(place))
        if number[row] == len(first):
            first.append(row)
    return number, first


def _labels(
    data: Predictions, number: np.ndarray, grouping: Grouping, *, shared: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return label and answer of each item; rows of one item must agree, and with judges, those of one id."""
    of = np.unique(list(data.ids), return_inverse=True)[1] if shared else number
    if not shared and len(data.keyed_by) == 1 and data.reading.readers and grouping.names:
        groups: dict[str, set[tuple[str, ...]]] = {}
        for row in np.flatnonzero(data.answer != Answer.NOT_ASKED).tolist():
            groups.setdefault(data.ids[row], set()).add(grouping.keys[row])
        if several := [name for name, own in groups.items() if len(own) > 1]:
            raise InputError(
                f"labels name items only by id, and {some(grouping.names)} has several of one, such as "
                f"{several[0]!r}: expected the column {some(grouping.names)} in the labels too; or, if it names judges "
                f"of the same items, {argument('judges', grouping.names[0])}"
            )
    y, answer = np.full(number.max() + 1, np.nan), np.full(number.max() + 1, Answer.NOT_ASKED, np.int8)
    known: dict[int, int] = {}
    for row in np.flatnonzero(data.answer != Answer.NOT_ASKED).tolist():
        before = known.setdefault(int(of[row]), row)
        if data.y[before] != data.y[row] and not (np.isnan(data.y[before]) and np.isnan(data.y[row])):
            raise InputError(
                f"{data.place}: found another label of {data.ids[row]!r}, expected one of each item: "
                f"{argument('by')} with what distinguishes its rows, or labels of several people in files of "
                "their own: item,annotator,label"
            )
    for row in range(len(data)):
        if (source := known.get(int(of[row]))) is not None:
            y[number[row]], answer[number[row]] = data.y[source], data.answer[source]
    return y, answer


def _without_verdict(data: Predictions, grouping: Grouping) -> dict[str, np.ndarray]:
    """Return the labels of the items of each group that have no verdict at all, NaN where there is none."""
    judged = set(zip(data.ids, grouping.keys or [()] * len(data), strict=True)) if data.named else set()
    found: dict[str, dict[str, float]] = {}
    for gap in data.gaps:
        if gap.columns is None:
            continue
        try:
            keys = keys_of(map(gap.columns, grouping.names)) if grouping.names else [()] * len(gap.names)
        except InputError:  # groups that are no columns of the table
            continue
        for name, key, label in zip(gap.names, keys, gap.y.tolist(), strict=True):
            if (name, key) not in judged:
                own = found.setdefault(joined_names(key), {})
                own[name] = label if np.isnan(own.get(name, np.nan)) else own[name]
    return {name: np.array([*own.values()]) for name, own in found.items()}


def _check_chosen(data: Predictions, found: Verdicts, without: np.ndarray) -> None:
    """Raise `InputError` for labels with the sign of a choice by their answer.

    `without` are the labels of items without a verdict.
    """
    if chosen_by_answer(found, without):
        labels, name = np.concatenate([found.y, without]), data.yes or "yes"
        yes = int(np.nansum(labels))
        raise InputError(
            f"{data.place}: found {yes:,} labels {name}, {labels.size - yes:,} others, and verdicts unlike those of "
            f"all items: people chose them by their answer. Expected {argument('drawn', 'answer')}; "
            f"{argument('drawn', 'verdict')}, if they are a random sample of each verdict"
        )


def _check_disputes(data: Predictions, found: Verdicts, ids: Sequence[str], grouping: Grouping) -> None:
    """Raise `InputError` for labels of items that were chosen because verdicts on them differ.

    The verdicts on an item are those of one judge that was asked again, of several judges, or on systems' answers to
    one case, as `ids` (N,) name it.
    """
    case, number = np.unique(ids, return_inverse=True, return_counts=True)[1:]
    read = np.bincount(found.rows, minlength=len(case)) > 0
    share, part_read = np.bincount(case, found.share) / number, np.bincount(case, read) / number
    differ, labelled, part = (share > 0) & (share < 1), part_read > 0, (share >= 0.5).astype(np.int64)
    if ((part_read > 0) & (part_read < 1)).any():  # cases were not read whole
        differ, labelled, part = differ[case], read, 2 * grouping.categories.codes + (found.share >= 0.5)
    if disputes_chosen(differ, labelled, part):
        raise _not_at_random(data, "on which verdicts differ")


def _check_middle_ratings(data: Predictions, found: Verdicts, number: np.ndarray, grouping: Grouping) -> None:
    """Raise `InputError` for labels of items that were chosen because their ratings are near the threshold.

    Of each verdict these are the items whose rating is nearer to it than the mean one; `number` is the item of each
    row, int64 (M,).
    """
    if data.margin is None:
        return
    distance = np.abs(np.bincount(number, data.margin) / np.bincount(number))
    part = (found.share >= 0.5) + 2 * (grouping.categories.codes if grouping.names else 0)
    near = distance < (np.bincount(part, distance) / np.maximum(np.bincount(part), 1))[part]
    if disputes_chosen(near, np.bincount(found.rows, minlength=len(part)) > 0, part):
        raise _not_at_random(data, "whose ratings are near the threshold")


def _not_at_random(data: Predictions, which: str) -> InputError:
    return InputError(
        f"{data.place}: found labels of items {which} more often than chance allows, expected a "
        f"random sample: {argument('plan')} has the probability of each item; "
        f"{argument('drawn', 'random')} states that it is one"
    )


def _corrected_by_answer(
    found: Verdicts, estimation: EstimationReport, grouping: Grouping, level: float
) -> EstimationReport:
    """Return an estimate with totals from sensitivity and specificity, of all items and of each group with labels."""

    def total(estimate: Estimate, part: Verdicts) -> Estimate:
        rate = rates_by_answer(part, level=level)[-1]
        if rate.value is None or rate.low is None or rate.high is None:
            return replace(
                estimate, total=float(part.share.sum()), low=0.0, high=float(estimate.items), notes=(rate.note,)
            )
        value, low, high = (each * estimate.items for each in (rate.value, rate.low, rate.high))
        return replace(estimate, total=value, low=low, high=high)

    keys = np.array([joined_names(key) for key in grouping.keys])
    groups = {name: total(each, found.of(keys == name)) for name, each in estimation.groups.items()}
    return replace(estimation, whole=total(estimation.whole, found), groups=groups)


def _by_verdict(
    data: Predictions, share: np.ndarray, first: Sequence[int], y: np.ndarray, answer: np.ndarray, grouping: Grouping,
    errors: Any, level: float,
):  # fmt: skip
    """Return verdicts with labels that are a random sample of the items of each verdict, and the estimate from them.

    Items with one id, such as systems' answers to one case, are a unit, as rows with one `unit` are. Verdicts on the
    other systems improve predictions, by which systems are compared.
    """
    asked = np.flatnonzero(answer != Answer.NOT_ASKED)
    if not asked.size:
        raise data.no_labels()
    called = (share >= 0.5).astype(np.int64)
    drawn = np.bincount(called[asked], minlength=2) / np.maximum(np.bincount(called, minlength=2), 1)
    ids = [data.ids[row] for row in first]
    own = None if data.unit is None or data.unit.recognised else data.unit.take(np.array(first))
    cases = ids if own is None else [own.names[code] for code in own.codes.tolist()]
    distinct, codes = np.unique(cases, return_inverse=True)
    alone = len(distinct) == len(ids) or (own is None and not grouping.names)
    unit = None if alone else Categories.of(codes, [str(name) for name in distinct])
    others = None if alone else _verdicts_on_others(share, ids if len(set(ids)) < len(ids) else cases, grouping)
    item = replace(
        data.take(np.array(first)), q=share, y=y, answer=answer,
        ids=[str(number) for number in range(1, len(first) + 1)], named=False, units=() if unit is None else (unit,),
        design=Design(drawn[called], drawn=data.design.drawn or "verdict"), texts=None,
    )  # fmt: skip
    features = (None, "") if others is None else (scaled(others[:, None]), "verdicts on other systems")
    estimation = estimate_yes(item, grouping, features, errors, level, None)
    return Verdicts(share, asked, y[asked], np.ones(len(asked)), item.frame.unit), estimation


def _corrected(verdicts: Verdicts, items: Verdicts, estimation: EstimationReport) -> EstimationReport:
    """Return an estimate whose total is of these items, and whose groups are of items like theirs.

    The total is that of `items`, on which several judges may have verdicts together.
    """
    level, errors = estimation.level, estimation.label_error
    keys = np.array([joined_names(key) for key in estimation.grouping.keys])

    def of_verdicts(estimate: Estimate, own: Verdicts, *, process: bool) -> Estimate:
        found = verdict_total(own, level=level, process=process)
        share = estimate.items / own.item_weights.sum()
        total, low, high = (share * float(each) for each in (found.value, found.low, found.high))
        if errors is not None:
            low, high = with_label_errors(low, high, estimate.items, errors)
        return replace(estimate, total=total, low=low, high=high, notes=())

    groups = dict(estimation.groups)
    for name, group in groups.items():
        if group.read:
            groups[name] = of_verdicts(group, verdicts.of(keys == name), process=True)
    return replace(estimation, whole=of_verdicts(estimation.whole, items, process=False), groups=groups)


def _judged_together(verdicts: Verdicts, ids: Sequence[str]) -> Verdicts:
    """Return the verdicts of several judges as those on one item each, from the id of each verdict's item, (N,)."""
    first, item = np.unique(ids, return_index=True, return_inverse=True)[1:]
    share = np.bincount(item, verdicts.share) / np.bincount(item)
    rows, place = np.unique(item[verdicts.rows], return_index=True)
    whole = Verdicts(share, rows, verdicts.y[place], verdicts.weight[place])
    unit = None if verdicts.unit is None else verdicts.unit[first]
    return whole if unit is None else replace(whole, unit=unit).of(np.ones(len(share), bool))


def _between_judges(
    verdicts: Verdicts, keys: Sequence[str], ids: Sequence[str], level: float
) -> list[AccuracyDifference]:
    """Return how much more accurate each judge is than each other one."""
    item = np.unique(ids, return_inverse=True)[1]
    judges = {name: np.flatnonzero(np.array(keys) == name) for name in sorted(set(keys))}
    return accuracy_differences(verdicts, item, judges, level=level)


def _verdicts_on_others(share: np.ndarray, cases: Sequence[str], grouping: Grouping) -> np.ndarray | None:
    """Return the mean verdict on other systems in the case of each item, (N,); None if no case has several systems.

    Where a case is easy, all systems are right. Where there are no others it is the mean of all verdicts.
    """
    case = np.unique(cases, return_inverse=True)[1]
    own = np.unique([f"{number} {joined_names(key)}" for number, key in zip(case, grouping.keys, strict=True)],
                    return_inverse=True)[1] if grouping.keys else case  # fmt: skip
    others, verdicts = (
        np.bincount(case, weight)[case] - np.bincount(own, weight)[own] for weight in (np.ones(len(share)), share)
    )
    return (
        np.divide(verdicts, others, out=np.full(len(share), share.mean()), where=others > 0) if others.any() else None
    )


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
