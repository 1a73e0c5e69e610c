"""Estimate how many documents report an event, in all and by period, from the posterior and the documents read."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.io.files import write_csv
from nlpcalib.sampling.plan import read_plan
from reproduction.events.annotation import labels_of_groups, read_event_labels, read_reference
from reproduction.events.estimates import labelled_samples, series_rows, total_rows
from reproduction.events.items import read_event_items
from reproduction.workflow.run_script import run_script


def main(
    path_documents: str,
    path_plan: str,
    paths_labels: Sequence[str],
    path_reference: str | None,
    path_totals: str,
    path_series: str,
    *,
    period: str,
) -> None:
    """Write a row per country, and one per country and period; with `path_reference`, the truth next to it."""
    items = read_event_items(path_documents, period)
    plan, labels = read_plan(path_plan), read_event_labels(paths_labels, set(items.documents), items.groups)
    samples = labelled_samples(items, plan, plan.queue(items.frame), labels)
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
