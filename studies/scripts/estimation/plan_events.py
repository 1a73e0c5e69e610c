"""Draw the documents to read next, and write a blind sheet of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpcalib.sampling.plan import draw_plan, extend_plan, read_plan, write_plan
from nlpcalib.sampling.sheet import blind_sheet_rows, write_blind_sheet
from nlpcalib.systems.events.learn.labels import read_event_labels
from nlpcalib.systems.events.read.query import Query
from reproduction.events.texts import simulated_texts, stored_texts
from reproduction.workflow.run_script import run_script
from studies.estimation.estimates import labelled_samples
from studies.estimation.items import read_event_items


def main(
    path_documents: str,
    path_before: str | None,
    paths_labels: Sequence[str],
    paths_texts: Sequence[str],
    path_plan: str,
    path_sheet: str,
    *,
    reading: Mapping[str, Any],
    query: Mapping[str, object],
    period: str,
    budget: int,
    design: str,
    seed: int,
) -> None:
    """Write the plan of all documents so far, and a sheet of those that it adds.

    `path_before` is the plan of the pilot, whose labels decide how the rest is drawn; without it, the pilot is drawn.
    `reading` is how the texts of a corpus are read, empty for simulated ones, which are in `paths_texts`.
    """
    items = read_event_items(path_documents, period)
    frame = items.frame
    done = np.array([], dtype=np.int64)
    if path_before is None:
        plan = draw_plan(frame, min(budget, len(items.documents)), seed, design)
        queue = plan.queue(frame)
    else:
        before = read_plan(path_before)
        queue = before.queue(frame)
        asked = Query.from_mapping(query)
        labels = read_event_labels(
            paths_labels, set(items.documents), items.groups, question=asked.name, roles=asked.roles
        )
        sample = labelled_samples(items, before, queue, labels)[0]
        done = queue.first(before.read[-1])
        plan = extend_plan(before, items.frame, queue, np.nan_to_num(sample.y, nan=0.5))
    write_plan(path_plan, plan)
    names = [items.documents[row] for row in np.setdiff1d(queue.first(plan.read[-1]), done)]
    text_of = dict(stored_texts(set(names), **reading) if reading else simulated_texts(set(names), paths_texts))
    write_blind_sheet(path_sheet, blind_sheet_rows(names, [text_of.get(name, "") for name in names], seed))


if "snakemake" in globals():
    run_script(main, snakemake)
