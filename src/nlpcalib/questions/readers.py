"""Readers who may be wrong: a model of their errors, and an expert whose labels are the truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nlpcalib.errors import InputError, some
from nlpcalib.estimation.borrowing import grouped
from nlpcalib.estimation.estimates import Estimate
from nlpcalib.estimation.judges import Rate, Verdicts, judge_rates
from nlpcalib.estimation.reader_totals import readings_of, totals_of_groups
from nlpcalib.estimation.readers import PatternCounts, RateInterval, ReaderRates, check_read_twice
from nlpcalib.predictions.arrays import as_array, numbers
from nlpcalib.questions.annotations import Annotations, are_paths, labels_by_row
from nlpcalib.questions.items import Grouping, Items, of_each
from nlpcalib.sampling.labels import Labels
from nlpcalib.sampling.settling import settled_labels


def labels_of_readers(labels: Any, items: Items) -> dict[str, Labels] | None:
    """Return the labels of several readers by name and id, from a mapping of names to labels by row; else None."""
    if not isinstance(labels, Mapping) or are_paths(labels) or not labels:
        return None
    if not all(
        isinstance(each, Mapping | Sequence | np.ndarray) and not isinstance(each, str) for each in labels.values()
    ):
        return None
    found: dict[str, Labels] = {}
    for name, given in labels.items():
        rows, y = labels_by_row(given, items)
        found[str(name)] = {
            items.ids[row]: None if np.isnan(label) else float(label)
            for row, label in zip(rows.tolist(), y.tolist(), strict=True)
        }
    return found


def with_readers(readers: dict[str, Labels], items: Items, annotations_of: Callable[[Any], Annotations]) -> Annotations:
    """Return annotations by several readers, whose labels are what they settle on; disputes are open.

    `annotations_of` makes annotations of labels by row, or by id.
    """
    agreed = settled_labels(readers)
    own = annotations_of(_given(agreed.labels | dict.fromkeys(agreed.disputed), items))
    return replace(own, annotators=readers, settled=agreed)


def _given(labels: Mapping[str, float | None], items: Items) -> dict[Any, float | None]:
    return dict(labels) if items.named else {int(item) - 1: label for item, label in labels.items()}


def of_expert(
    annotations: Annotations, items: Items, expert: str, annotations_of: Callable[[Any], Annotations]
) -> Annotations:
    """Return annotations of which the expert's labels alone are labels."""
    if expert not in annotations.annotators:
        names = some(sorted(annotations.annotators)) or "no names of annotators"
        raise InputError(f"expert: found {names}, expected {expert!r} among the annotators")
    own = annotations_of(_given(annotations.annotators[expert], items))
    return replace(annotations, sample=own.sample, settled=replace(annotations.settled, disputed=()))


def rates_against_expert(annotations: Annotations, items: Items, expert: str, level: float) -> tuple[ReaderRates, ...]:
    """Return how right each other reader is, on the items that the expert labelled too."""
    sample = annotations.sample
    weight = sample.label_weights
    found = []
    for name, labels in annotations.annotators.items():
        if name == expert:
            continue
        own = np.array([labels.get(items.ids[row]) for row in sample.rows], dtype=np.float64)
        both = ~np.isnan(own)
        if not both.any():
            continue
        every = np.array([each for each in labels.values() if each is not None], dtype=np.float64)
        unread = max(len(every) - int(both.sum()), 0)
        rest = np.repeat([1.0, 0.0], [int(max(every.sum() - own[both].sum(), 0)), unread])[:unread]
        verdicts = Verdicts(np.concatenate([own[both], rest]), np.arange(int(both.sum())), sample.y[both], weight[both])
        rates = {each.measure: each for each in judge_rates(verdicts, level=level)}
        found.append(
            ReaderRates(name, int(both.sum()), _interval(rates["sensitivity"]), _interval(rates["specificity"]))
        )
    return tuple(found)


def _interval(rate: Rate) -> RateInterval:
    missing = float("nan")
    return RateInterval(*(missing if each is None else each for each in (rate.value, rate.low, rate.high)))


def modelled(
    whole: Estimate, parts: Sequence[Estimate], groups: Mapping[str, Estimate], annotations: Annotations,
    items: Items, grouping: Grouping, level: float, seed: int,
) -> tuple[Estimate, tuple[Estimate, ...], dict[str, Estimate], tuple[ReaderRates, ...]]:  # fmt: skip
    """Return `whole`, `parts` and `groups` by the model of readers' errors, and the rates of readers.

    They are the estimates of the corpus, of the parts of a plan by words, and of groups, from labels on which readers
    agree. Raises `InputError` for parts with groups.
    """
    if parts and groups:
        raise InputError("found readers='model' with by= and a plan by words, expected a plan of all items")
    sample, names = annotations.sample, tuple(annotations.annotators)
    labels = np.array(
        [[annotations.annotators[name].get(items.ids[row]) for name in names] for row in sample.rows], dtype=np.float64
    ).reshape(len(sample.rows), len(names))
    check_read_twice(labels)
    readings = readings_of(items.frame.q, sample, labels)
    counts = PatternCounts.of([readings])
    draws = counts.draws(seed)
    found = counts.found(0, draws, names, level, seed)
    note = (
        "The interval is of a model of readers' errors: rates by prediction are free, and errors may gather on hard "
        "items, but readers are not more often wrong together than that."
    )
    whole = _with_total(whole, found.total, found.low, found.high, note)
    ends = (1 - level) / 2, (1 + level) / 2

    def divided(estimates: Sequence[Estimate], of: np.ndarray) -> list[Estimate]:
        totals = totals_of_groups(readings, of, draws, seed)
        low, high = (np.quantile(totals[:, end], at, axis=-1).tolist() for end, at in enumerate(ends))
        mean = totals.mean(axis=(1, 2)).tolist()
        return [_with_total(*each) for each in zip(estimates, mean, low, high, strict=True)]

    if parts:
        # Texts with a word are first, and have the stratum 1.
        parts = divided(parts, np.unique(-sample.stratum, return_inverse=True)[1])
    if groups:
        of = grouped(grouping.keys)
        groups = dict(zip(of.names, divided([groups[name] for name in of.names], of.of), strict=True))
    return whole, tuple(parts), dict(groups), found.readers


def _with_total(estimate: Estimate, total: float, low: float, high: float, *notes: str) -> Estimate:
    """Return an estimate with what the model of readers has in place of labels left open."""
    kept = (each for each in estimate.notes if "left open" not in each)
    return replace(estimate, total=total, low=low, high=high, notes=(*kept, *notes))


def machine_features(machines: Any, items: Items) -> np.ndarray:
    """Return other systems' predictions of each item as features, float64 (N, D), each row of length 1 at most.

    `machines` are columns of the table with commas, or numbers (N,) or (N, D). Texts are one feature for each value.
    """
    n = len(items.ids)
    if isinstance(machines, str) or (isinstance(machines, list | tuple) and all(isinstance(m, str) for m in machines)):
        names = [each for each in (machines.split(",") if isinstance(machines, str) else machines) if each]
        columns = [_numbers_of(items.column(name), name) for name in names]
    else:
        given = numbers(as_array(machines, "machines"), "machines").astype(np.float64)
        given = given[:, None] if given.ndim == 1 else given
        columns = [[of_each(column, "machines", n)] for column in given.T]
    features = np.column_stack([each for column in columns for each in column])
    if not np.isfinite(features).all():
        raise InputError("machines: found items without a value, expected what each machine said of every item")
    spread = np.ptp(features, axis=0)
    scaled = (features - features.min(axis=0)) / np.where(spread > 0, spread, 1) - 0.5
    return 2 * scaled / np.sqrt(scaled.shape[1])


def _numbers_of(cells: Sequence[str], name: str) -> list[np.ndarray]:
    try:
        return [np.array([float(cell) for cell in cells])]
    except ValueError:
        values = sorted(set(cells))
        if len(values) > 20:
            raise InputError(f"machines: found {len(values):,} texts in column {name}, expected a verdict") from None
        return [np.array([cell == value for cell in cells], dtype=np.float64) for value in values[1:]]
