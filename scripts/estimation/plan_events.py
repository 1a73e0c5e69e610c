"""Draw the documents to read next, and write a blind sheet and a blind page to annotate them in."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np

from nlpcalib.events.read.query import Query
from nlpcalib.sampling.page import write_page
from nlpcalib.sampling.plan import draw_plan, extend_plan, read_plan, write_plan
from nlpcalib.sampling.sheet import sheet_rows, write_sheet
from reproduction.events.annotation import question_of, read_event_labels
from reproduction.events.estimates import labelled_samples
from reproduction.events.items import read_event_items
from reproduction.events.texts import simulated_texts, stored_texts
from reproduction.workflow.script_log import start_log


def main(
    path_items: str,
    path_before: str | None,
    paths_labels: Sequence[str],
    path_plan: str,
    path_sheet: str,
    path_page: str,
    *,
    texts: Callable[[set[str]], Iterable[tuple[str, str]]],
    query: Mapping[str, object],
    title: str,
    period: str,
    budget: int,
    design: str,
    seed: int,
) -> None:
    """Write the plan of all documents so far, and a sheet and a page of those that it adds.

    `path_before` is the plan of the pilot, whose labels decide how the rest is drawn; without it, the pilot is drawn.
    `texts` returns ids and texts of some documents at least, in any order.
    """
    items = read_event_items(path_items, period)
    frame = items.frame
    done = np.array([], dtype=np.int64)
    if path_before is None:
        plan = draw_plan(frame, min(budget, len(items.documents)), seed, design)
        queue = plan.queue(frame)
    else:
        before = read_plan(path_before)
        queue = before.queue(frame)
        labels = read_event_labels(paths_labels, set(items.documents), items.groups)
        sample = labelled_samples(items, before, queue, labels)[0]
        done = queue.first(before.read[-1])
        plan = extend_plan(before, items.frame, queue, np.nan_to_num(sample.y, nan=0.5))
    write_plan(path_plan, plan)
    names = [items.documents[row] for row in np.setdiff1d(queue.first(plan.read[-1]), done)]
    text_of = dict(texts(set(names)))
    rows = sheet_rows(names, [text_of.get(name, "") for name in names], seed)
    write_sheet(path_sheet, rows)
    write_page(path_page, title, *question_of(Query.from_mapping(query)), rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        snakemake.input.documents,
        next(iter(snakemake.input.before), None),
        snakemake.input.labels,
        snakemake.output.plan,
        snakemake.output.sheet,
        snakemake.output.page,
        texts=(
            partial(stored_texts, **snakemake.params.reading)
            if snakemake.params.reading
            else partial(simulated_texts, paths=snakemake.input.texts)
        ),
        query=snakemake.params.query,
        title=f"{snakemake.wildcards.dataset}: {snakemake.wildcards.query}, part {snakemake.wildcards.phase}",
        period=snakemake.params.period,
        budget=snakemake.params.budget,
        design=snakemake.params.design,
        seed=snakemake.params.seed,
    )
