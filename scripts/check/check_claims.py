"""Compare results with the published claims."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpcalib.io.html_table import write_table
from reproduction.claims import coref, events, extraction_eval, sentiment, simulation, tagging, thesis
from reproduction.workflow.script_log import start_log

CHAPTERS: dict[str, tuple[Callable[..., Any], Callable[[Any], list[dict]]]] = {
    "sentiment": (sentiment.read_results, sentiment.check_sentiment),
    "tagging": (tagging.read_results, tagging.check_tagging),
    "thesis": (thesis.read_results, thesis.check_thesis),
    "coref": (coref.read_results, coref.check_coref),
    "events": (events.read_results, events.check_events),
    "extraction_eval": (extraction_eval.read_results, extraction_eval.check_extraction),
    "simulation": (simulation.read_results, simulation.check_synthetic),
}


def main(path_stem: str | Path, arguments: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Write one row per claim and dataset, from the arguments of each chapter's `read_results` by dataset."""
    rows = [
        {"dataset": dataset, **row}
        for chapter, datasets in arguments.items()
        for read, check in [CHAPTERS[chapter]]
        for dataset, given in datasets.items()
        for row in check(read(**given))
    ]
    write_table(Path(path_stem), "Published claims and what these corpora show", rows)


def _paths(files, datasets: Sequence[str], **inputs: str) -> dict[str, dict[str, Any]]:
    """Return the tables of each dataset, in the order of `datasets` in each of the named inputs."""
    return {
        dataset: {table: files[name][number] for table, name in inputs.items()}
        for number, dataset in enumerate(datasets)
    }


if "snakemake" in globals():
    start_log(snakemake)
    files, params = snakemake.input, snakemake.params
    arguments = {
        "sentiment": _paths(files, params.sentiment_datasets, path="sentiment"),
        "tagging": _paths(files, params.datasets, **{name: name for name in params.tables}),
        "thesis": _paths(files, params.thesis_datasets, models="ablation", comparisons="ablation_comparisons"),
        "coref": _paths(files, params.coref_datasets, models="coref"),
        "events": _paths(
            files, params.events, series="events_series", comparison="events_comparison", checks="events_checks"
        ),
        "extraction_eval": _paths(files, params.lead_datasets, frequencies="lead_frequencies"),
        "simulation": {"synthetic": {"paths": files.synthetic}} if files.synthetic else {},
    }
    # What depends on the dataset: whose numbers are published, what is tagged, and where the truth is known.
    for name, given in arguments["tagging"].items():
        given |= {"frequent": params.bigrams, "same_corpus": name in params.papers_own}
    for name, given in arguments["thesis"].items():
        genre = thesis.TWEETS if name in params.tweets else thesis.NEWS
        given |= {"nested": params.nested, "genre": genre, "same_corpus": name in params.papers_own}
    for name, given in arguments["coref"].items():
        given |= {"taggers": arguments["tagging"].get(name, {}).get("taggers")}
    for name, given in arguments["events"].items():
        given |= {"two_sides": name in params.two_sides}
    for name, given in _paths(files, params.true_events, coverage="events_coverage", pairs="events_pairs").items():
        arguments["events"][name] |= given
    for name, given in _paths(files, params.true_leads, naive="lead_naive", saving="lead_saving").items():
        arguments["extraction_eval"][name] |= given
    main(Path(snakemake.output[0]).with_suffix(""), arguments)
