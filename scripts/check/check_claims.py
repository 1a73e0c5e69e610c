"""Compare results with the published claims."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpcalib.io.html_table import write_table
from nlpcalib.io.typed_csv import read_columns
from nlpcalib.predictions.tables import read_pairs
from reproduction.claims import coref, events, extraction_eval, sentiment, simulation, tagging, thesis
from reproduction.claims.verdicts import Judge, Results, judge_all, read_claims, read_draws
from reproduction.workflow.script_log import start_log

Tables = Mapping[str, Mapping[str, Any]]
CHAPTERS: dict[str, tuple[Tables, Mapping[str, Judge]]] = {
    "sentiment": (sentiment.TABLES, sentiment.JUDGES),
    "tagging": (tagging.TABLES, tagging.JUDGES),
    "thesis": (thesis.TABLES, thesis.JUDGES),
    "tweets": (thesis.TABLES, thesis.JUDGES),
    "coref": ({**coref.TABLES, "taggers": tagging.TABLES["taggers"]}, coref.JUDGES),
    "events": (events.TABLES, events.JUDGES),
    "extraction_eval": (extraction_eval.TABLES, extraction_eval.JUDGES),
    "synthetic": ({}, simulation.JUDGES),
}
"""Each chapter's tables with the types of their columns, and the rules by which its claims are judged."""

Chapter = tuple[str, str, Mapping[str, str], Mapping[str, Any]]
"""A chapter, a dataset, the paths of its tables, and facts about it."""


def main(
    path_published: Path, path_own: Path, path_draws: str, chapters: Iterable[Chapter], simulated: Sequence[str]
) -> None:
    """Write a table of the published claims and one of this project's own, without the endings of their paths."""
    claims, draws = read_claims(), read_draws(path_draws)
    rows: list[dict[str, str]] = []
    for chapter, dataset, paths, facts in chapters:
        tables, judges = CHAPTERS[chapter]
        results = Results({name: read(path, tables.get(name)) for name, path in paths.items()}, facts)
        own = [claim for claim in claims if claim.chapter == chapter]
        # The thesis' study of synthetic pairs is a simulation itself.
        invented = dataset.partition("/")[0] in simulated
        rows += judge_all(own, judges, results, dataset, simulated=invented, draws=draws)
    published = [row for row in rows if row["quote"]]
    write_table(path_published, "Published claims and what these corpora show", published)
    ours = [{name: row[name] for name in row if name != "quote"} for row in rows if not row["quote"]]
    write_table(path_own, "Claims of this project and what these corpora show", ours)


def read(path: str, columns: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Read a table with the types of its columns, or pairs."""
    if not path.endswith(".parquet"):
        return read_columns(path, columns or simulation.COLUMNS)
    pairs = read_pairs(path)
    return [{"q": q, "y": y} for q, y in zip(pairs.q.tolist(), pairs.y.tolist(), strict=True)]


def of_datasets(files: Any, datasets: Sequence[str], inputs: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each dataset with the paths of its tables, in the order of `datasets` in each of the named inputs."""
    for number, dataset in enumerate(datasets):
        yield dataset, {table: files[name][number] for table, name in inputs.items()}


if "snakemake" in globals():
    start_log(snakemake)
    files, params = snakemake.input, snakemake.params
    taggers = dict(of_datasets(files, params.datasets, {name: name for name in tagging.TABLES}))
    truth = dict(of_datasets(files, params.true_events, {"coverage": "events_coverage", "pairs": "events_pairs"}))
    leads = dict(of_datasets(files, params.true_leads, {"leads_naive": "lead_naive", "saving": "lead_saving"}))
    chapters: list[Chapter] = []
    for name, paths in of_datasets(files, params.sentiment_datasets, {"sentiment": "sentiment"}):
        chapters.append(("sentiment", name, paths, {}))
    for name, paths in taggers.items():
        facts = {"frequent": params.bigrams, "same_corpus": name in params.papers_own}
        chapters.append(("tagging", name, paths, facts))
    for name, paths in of_datasets(files, params.thesis_datasets, {name: name for name in thesis.TABLES}):
        facts = {"nested": params.nested, "same_corpus": name in params.papers_own}
        chapters.append(("tweets" if name in params.tweets else "thesis", name, paths, facts))
    for name, paths in of_datasets(files, params.coref_datasets, {"coref_models": "coref"}):
        others = {"taggers": taggers[name]["taggers"]} if name in taggers else {}
        chapters.append(("coref", name, paths | others, {}))
    tables = {name: f"events_{name}" for name in ("series", "comparison", "checks")}
    for name, paths in of_datasets(files, params.events, tables):
        chapters.append(("events", name, paths | truth.get(name, {}), {"two_sides": name in params.two_sides}))
    for name, paths in of_datasets(files, params.lead_datasets, {"leads_frequencies": "lead_frequencies"}):
        chapters.append(("extraction_eval", name, paths | leads.get(name, {}), {}))
    if files.synthetic:
        chapters.append(("synthetic", "synthetic", {path: path for path in files.synthetic}, {}))
    check, own = (Path(path).with_suffix("") for path in (snakemake.output.check, snakemake.output.own))
    main(check, own, files.draws, chapters, params.simulated)
