"""Estimate how many documents report an event, in all and by period, from the posterior and the documents read."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpcalib.io.files import write_csv
from nlpcalib.sampling.plan import read_plan
from nlpcalib.systems.events.learn.labels import read_event_labels
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from reproduction.events.country_tables import country_tables
from reproduction.events.texts import simulated_texts, stored_texts
from reproduction.workflow.run_script import run_script
from studies.estimation.annotation import read_reference
from studies.estimation.estimates import labelled_samples, series_rows, total_rows
from studies.estimation.items import labels_of_groups, read_event_items
from studies.estimation.learnt_items import learnt_items


def main(
    path_documents: str,
    path_plan: str,
    paths_labels: Sequence[str],
    path_reference: str | None,
    paths_texts: Sequence[str],
    path_lexicon: str | None,
    path_totals: str,
    path_series: str,
    *,
    query: Mapping[str, object],
    period: str,
    learning: Mapping[str, Any] | None,
    reading: Mapping[str, Any],
) -> None:
    """Write a row per country, and one per country and period; with `path_reference`, the truth next to it.

    With `learning` (lexicon, actors, seed), labels teach the probabilities, and choose whether these are used. Texts
    are read by `reading`, and simulated ones from `paths_texts`.
    """
    items = read_event_items(path_documents, period)
    plan, asked = read_plan(path_plan), Query.from_mapping(query)
    labels = read_event_labels(paths_labels, set(items.documents), items.groups, question=asked.name, roles=asked.roles)
    samples = labelled_samples(items, plan, plan.queue(items.frame), labels)
    if learning is not None:
        every = set(items.documents)
        items = learnt_items(
            items,
            samples,
            labels,
            stored_texts(every, **reading) if reading else simulated_texts(every, paths_texts),
            asked,
            load_lexicon([*learning["lexicon"], *learning["actors"]], country_tables(path_lexicon)),
            learning["seed"],
        )
    totals, series = total_rows(items, samples), series_rows(items, samples)
    if path_reference is not None:
        y = labels_of_groups(read_reference(path_reference), items.documents, items.groups)
        counts = np.array([np.bincount(items.period, own, minlength=len(items.periods)) for own in y])
        totals = [row | {"truth": int(number)} for row, number in zip(totals, counts.sum(axis=1), strict=True)]
        series = [row | {"truth": int(number)} for row, number in zip(series, counts.ravel(), strict=True)]
    write_csv(path_totals, totals)
    write_csv(path_series, series)


if "snakemake" in globals():
    run_script(main, snakemake)
