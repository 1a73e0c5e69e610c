"""Compare results with the published claims."""

from collections.abc import Mapping, Sequence
from typing import Any

from reproduction.claims.chapters import CHAPTERS, WITHOUT_TEXT, JudgedTables, read_judged_table, verdict_legend
from reproduction.claims.draws import made_from, read_draws
from reproduction.claims.verdicts import SYNTHETIC, Results, judge_all, judges_of, read_claims
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table

_SHOWN = ("verdict", "dataset", "place", "claim", "measured", "evidence")
"""Columns that the page shows at first."""


def main(
    paths_tables: Sequence[str],
    path_draws: str | None,
    path_check: str,
    path_own: str,
    *,
    judged: Sequence[JudgedTables],
    simulated: Sequence[str],
    configuration: Mapping[str, Any],
) -> None:
    """Write a table of the published claims and one of this project's own.

    `judged` has the tables by their names as they are shown, and `paths_tables` are where they are, in the same order.
    `path_draws` is None where this configuration was not drawn with other seeds.
    """
    claims, draws = read_claims(), read_draws(path_draws) if path_draws else {}
    places = iter(paths_tables)
    rows: list[dict[str, str]] = []
    for chapter, dataset, paths, facts in judged:
        module = CHAPTERS[chapter]
        tables = {name: read_judged_table(next(places), module.TABLES.get(name)) for name in paths}
        own = [claim for claim in claims if claim.chapter == chapter]
        # The thesis' study of synthetic pairs is a simulation itself.
        invented = dataset.partition("/")[0] in simulated
        made = made_from(configuration, chapter, dataset) if invented or dataset == SYNTHETIC else ""
        drawn = draws.get(made, {}) if made else None
        results = Results(tables, facts)
        found = judge_all(own, judges_of(module), results, dataset, paths=paths, simulated=invented, draws=drawn)
        rows += [row | {"made_from": made} for row in found]
    # Real text comes first, and what needs no text last.
    rows.sort(key=lambda row: (row["dataset"] in WITHOUT_TEXT, row["dataset"].partition("/")[0] in simulated))
    published = [row | _numbers(row) for row in rows if row["quote"]]
    legend = verdict_legend(judged, simulated)
    write_table(path_check, "Published claims and what these corpora show", published, legend, first=_SHOWN)
    ours = [{**row, **_numbers(row)} for row in rows if not row["quote"]]
    for row in ours:
        del row["quote"]
    write_table(path_own, "Claims of this project and what these corpora show", ours, first=_SHOWN)


def _numbers(row: Mapping[str, str]) -> dict[str, float]:
    return {name: float(row[name]) for name in ("value", "low", "high") if row[name]}


if "snakemake" in globals():
    run_script(main, snakemake)
