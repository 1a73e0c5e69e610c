"""Compare results with the published claims."""

from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from nlpcalib.predictions.tables import read_pairs
from reproduction.claims import coref, events, extraction_eval, sentiment, simulation, tagging, thesis
from reproduction.claims.verdicts import SYNTHETIC, Results, judge_all, judges_of, read_claims, read_draws
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table
from reproduction.workflow.typed_csv import read_columns

CHAPTERS: dict[str, ModuleType] = {
    "sentiment": sentiment,
    "tagging": tagging,
    "thesis": thesis,
    "tweets": thesis,
    "coref": coref,
    "events": events,
    "extraction_eval": extraction_eval,
    "synthetic": simulation,
}
"""Each chapter's module: `TABLES` with the types of their columns, and a function for each judge of a claim."""


def main(
    path_draws: str,
    path_check: str,
    path_own: str,
    *,
    judged: Iterable[tuple[str, str, Mapping[str, str], Mapping[str, Any]]],
    simulated: Sequence[str],
) -> None:
    """Write a table of the published claims and one of this project's own.

    `judged` has each chapter and dataset, the paths of its tables by their names, and facts about it.
    """
    claims, draws = read_claims(), read_draws(path_draws)
    rows: list[dict[str, str]] = []
    for chapter, dataset, paths, facts in judged:
        module = CHAPTERS[chapter]
        results = Results({name: read(path, module.TABLES.get(name)) for name, path in paths.items()}, facts)
        own = [claim for claim in claims if claim.chapter == chapter]
        # The thesis' study of synthetic pairs is a simulation itself.
        invented = dataset.partition("/")[0] in simulated
        drawn = draws if invented or dataset == SYNTHETIC else None
        rows += judge_all(own, judges_of(module), results, dataset, paths=paths, simulated=invented, draws=drawn)
    published = [row for row in rows if row["quote"]]
    write_table(path_check, "Published claims and what these corpora show", published)
    ours = [{name: row[name] for name in row if name != "quote"} for row in rows if not row["quote"]]
    write_table(path_own, "Claims of this project and what these corpora show", ours)


def read(path: str, columns: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Read a table with the types of its columns, or pairs."""
    if not path.endswith(".parquet"):
        return read_columns(path, columns or simulation.SCORE_COLUMNS)
    pairs = read_pairs(path)
    return [{"q": q, "y": y} for q, y in zip(pairs.q.tolist(), pairs.y.tolist(), strict=True)]


if "snakemake" in globals():
    run_script(main, snakemake)
