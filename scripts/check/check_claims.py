"""Compare results with the published claims."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlpcalib.coref import claims as coref
from nlpcalib.events import claims as events
from nlpcalib.extraction_eval import claims as extraction
from nlpcalib.io.html_table import write_table
from nlpcalib.sentiment import claims as sentiment
from nlpcalib.simulation import claims as simulation
from nlpcalib.tagging import claims as tagging
from nlpcalib.tagging import thesis_claims as thesis
from nlpcalib.workflow.script_log import start_log

Paths = Mapping[str, Mapping[str, str]]
"""Tables by dataset, and by argument of its chapter's `read_results`."""


def main(
    path_stem: str | Path,
    *,
    paths_sentiment: Paths,
    paths_tagging: Paths,
    paths_thesis: Paths,
    paths_coref: Paths,
    paths_events: Paths,
    paths_leads: Paths,
    paths_synthetic: Sequence[str],
    papers_own: Collection[str],
    tweets: Collection[str],
    two_sides: Collection[str],
    frequent: int,
    nested: Sequence[str],
) -> None:
    """Write one row per claim and dataset.

    `papers_own` are the corpora of these texts themselves, `tweets` those that the thesis' claims about tweets are
    about, `two_sides` the events for which the user names two countries to compare. `paths_synthetic` has the scores of
    each distribution, that of the thesis' figures first.
    """
    judged: list[tuple[str, list[dict]]] = []
    for name, paths in paths_sentiment.items():
        judged.append((name, sentiment.check_sentiment(sentiment.read_results(**paths))))
    for name, paths in paths_tagging.items():
        same = name in papers_own
        judged.append((name, tagging.check_tagging(tagging.read_results(**paths, frequent=frequent, same_corpus=same))))
    for name, paths in paths_thesis.items():
        genre, same = thesis.TWEETS if name in tweets else thesis.NEWS, name in papers_own
        results = thesis.read_results(**paths, nested=nested, genre=genre, same_corpus=same)
        judged.append((name, thesis.check_thesis(results)))
    for name, paths in paths_coref.items():
        taggers = paths_tagging.get(name, {}).get("taggers")
        judged.append((name, coref.check_coref(coref.read_results(**paths, taggers=taggers))))
    for name, paths in paths_events.items():
        judged.append((name, events.check_events(events.read_results(**paths, two_sides=name in two_sides))))
    for name, paths in paths_leads.items():
        judged.append((name, extraction.check_extraction(extraction.read_results(**paths))))
    if paths_synthetic:
        judged.append(("synthetic", simulation.check_synthetic(simulation.read_results(paths_synthetic))))
    rows = chain.from_iterable(({"dataset": name, **row} for row in claims) for name, claims in judged)
    write_table(Path(path_stem), "Published claims and what these corpora show", list(rows))


def _paths(files, datasets: Sequence[str], **inputs: str) -> dict[str, dict[str, str]]:
    """Return the tables of each dataset, in the order of `datasets` in each of the named inputs."""
    return {
        dataset: {table: files[name][number] for table, name in inputs.items()}
        for number, dataset in enumerate(datasets)
    }


if "snakemake" in globals():
    start_log(snakemake.log[0])
    files, params = snakemake.input, snakemake.params
    true_events = _paths(files, params.true_events, coverage="events_coverage", pairs="events_pairs")
    true_leads = _paths(files, params.true_leads, naive="lead_naive", saving="lead_saving")
    main(
        Path(snakemake.output[0]).with_suffix(""),
        paths_sentiment=_paths(files, params.sentiment_datasets, path="sentiment"),
        paths_tagging=_paths(files, params.datasets, **{name: name for name in params.tables}),
        paths_thesis=_paths(files, params.thesis_datasets, models="ablation", comparisons="ablation_comparisons"),
        paths_coref=_paths(files, params.coref_datasets, models="coref"),
        paths_events={
            name: tables | true_events.get(name, {})
            for name, tables in _paths(
                files, params.events, series="events_series", comparison="events_comparison", checks="events_checks"
            ).items()
        },
        paths_leads={
            name: tables | true_leads.get(name, {})
            for name, tables in _paths(files, params.lead_datasets, frequencies="lead_frequencies").items()
        },
        paths_synthetic=files.synthetic,
        papers_own=params.papers_own,
        tweets=params.tweets,
        two_sides=params.two_sides,
        frequent=params.bigrams,
        nested=params.nested,
    )
