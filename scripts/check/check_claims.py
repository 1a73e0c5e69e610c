"""Compare results with the published claims."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from nlpcalib.coref.claims import check_coref, coref_results
from nlpcalib.events.claims import EventResults, check_events
from nlpcalib.events.comparison import ComparisonRow
from nlpcalib.events.coverage import CoverageRow
from nlpcalib.events.series import CheckRow, SeriesRow
from nlpcalib.extraction_eval.claims import ExtractionResults, check_extraction
from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import write_table
from nlpcalib.io.typed_csv import read_rows
from nlpcalib.predictions.tables import read_pairs
from nlpcalib.sentiment.claims import check_sentiment
from nlpcalib.simulation.claims import check_synthetic
from nlpcalib.simulation.synthetic import ScoreRow
from nlpcalib.tagging.claims import TaggingResults, check_tagging
from nlpcalib.tagging.thesis_claims import NEWS, TWEETS, ThesisResults, check_thesis
from nlpcalib.workflow.script_log import start_log


def main(
    paths: Mapping[str, Mapping[str, str]],
    paths_sentiment: Mapping[str, str],
    paths_thesis: Mapping[str, Mapping[str, str]],
    paths_coref: Mapping[str, str],
    paths_events: Mapping[str, dict[str, str]],
    two_sides: Collection[str],
    paths_leads: Mapping[str, Mapping[str, str]],
    paths_synthetic: Sequence[str],
    path_stem: str | Path,
    papers_own: Collection[str],
    tweets: Collection[str],
    frequent: int,
    nested: Sequence[str],
) -> None:
    """Write one row per claim and dataset.

    `paths_sentiment` has each dataset's table of classifiers.
    `paths` and `paths_thesis` have each dataset's tables, for the paper's claims and for the thesis'; `papers_own` are
    the corpora of these texts themselves, `tweets` those that the thesis' claims about tweets are about.
    `paths_coref` has each dataset's table of coreference models, those that its figures are about first.
    `paths_events` has the tables of each dataset and query of events; coverage and pairs where the truth is known.
    `two_sides` are those of them for which the user names two countries to compare.
    `paths_leads` has how frequent each dataset's categories are, and where the truth is known the study's tables.
    `paths_synthetic` has the scores of synthetic pairs of each distribution, that of the thesis' figures first.
    """
    rows = []
    for dataset, path in paths_sentiment.items():
        models = {row["model"]: row for row in read_csv(path)}
        rows += [{"dataset": dataset, **row} for row in check_sentiment(models)]
    for dataset, tables in paths.items():
        read = {name: read_csv(path) for name, path in tables.items()}
        tagging = TaggingResults(
            taggers={(row["model"], row["target"]): row for row in read["taggers"]},
            counts={(row["target"], row["scope"]): row for row in read["comparison"]},
            tags=read["comparison_tags"],
            bigrams=read["comparison_bigrams"][:frequent],
            recalibration=read["recalibration"],
            same_corpus=dataset in papers_own,
        )
        rows += [{"dataset": dataset, **row} for row in check_tagging(tagging)]
    for dataset, tables in paths_thesis.items():
        thesis = ThesisResults(
            models={(row["model"], row["target"]): row for row in read_csv(tables["models"])},
            comparisons={(row["first"], row["second"]): row for row in read_csv(tables["comparisons"])},
            nested=nested,
            genre=TWEETS if dataset in tweets else NEWS,
            same_corpus=dataset in papers_own,
        )
        rows += [{"dataset": dataset, **row} for row in check_thesis(thesis)]
    for dataset, path in paths_coref.items():
        taggers = read_csv(paths[dataset]["taggers"]) if dataset in paths else []
        rows += [{"dataset": dataset, **row} for row in check_coref(coref_results(read_csv(path), taggers))]
    for name, tables in paths_events.items():
        pairs = tables.pop("pairs", None)
        events = EventResults(
            series=read_rows(tables["series"], SeriesRow),
            comparison=read_rows(tables["comparison"], ComparisonRow),
            checks=read_rows(tables["checks"], CheckRow),
            coverage=read_rows(tables["coverage"], CoverageRow) if "coverage" in tables else (),
            pairs=read_pairs(pairs) if pairs else None,
            two_sides=name in two_sides,
        )
        rows += [{"dataset": name, **row} for row in check_events(events)]
    for dataset, tables in paths_leads.items():
        leads = ExtractionResults(**{table: read_csv(path) for table, path in tables.items()})
        rows += [{"dataset": dataset, **row} for row in check_extraction(leads)]
    if paths_synthetic:
        scores = {path: read_rows(path, ScoreRow) for path in paths_synthetic}
        rows += [{"dataset": "synthetic", **row} for row in check_synthetic(scores)]
    write_table(Path(path_stem), "Published claims and what these corpora show", rows)


def _event_paths(files, params) -> dict[str, dict[str, str]]:
    paths = {
        name: {table: files[f"events_{table}"][number] for table in ("series", "comparison", "checks")}
        for number, name in enumerate(params.events)
    }
    for number, name in enumerate(params.true_events):
        paths[name] |= {table: files[f"events_{table}"][number] for table in ("coverage", "pairs")}
    return paths


def _lead_paths(files, params) -> dict[str, dict[str, str]]:
    paths = {
        dataset: {"frequencies": path}
        for dataset, path in zip(params.lead_datasets, files.lead_frequencies, strict=True)
    }
    for dataset, naive, saving in zip(params.true_leads, files.lead_naive, files.lead_saving, strict=True):
        paths[dataset] |= {"naive": naive, "saving": saving}
    return paths


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_sentiment=dict(zip(snakemake.params.sentiment_datasets, snakemake.input.sentiment, strict=True)),
        paths={
            dataset: {name: snakemake.input[name][number] for name in snakemake.params.tables}
            for number, dataset in enumerate(snakemake.params.datasets)
        },
        paths_thesis={
            dataset: {
                "models": snakemake.input.ablation[number],
                "comparisons": snakemake.input.ablation_comparisons[number],
            }
            for number, dataset in enumerate(snakemake.params.thesis_datasets)
        },
        paths_coref=dict(zip(snakemake.params.coref_datasets, snakemake.input.coref, strict=True)),
        paths_events=_event_paths(snakemake.input, snakemake.params),
        two_sides=snakemake.params.two_sides,
        paths_leads=_lead_paths(snakemake.input, snakemake.params),
        paths_synthetic=snakemake.input.synthetic,
        path_stem=Path(snakemake.output[0]).with_suffix(""),
        papers_own=snakemake.params.papers_own,
        tweets=snakemake.params.tweets,
        frequent=snakemake.params.bigrams,
        nested=snakemake.params.nested,
    )
