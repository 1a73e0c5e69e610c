"""Compare results with the published claims."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from nlpcalib.io.html_table import Legend
from nlpcalib.predictions.tables import read_pairs
from reproduction.claims import coref, events, extraction_eval, known_truth, sentiment, simulation, tagging, thesis
from reproduction.claims.verdicts import (
    AS_IN_THE_PAPER,
    DIFFERS,
    DRAWS_WANTING,
    NOT_APPLICABLE,
    REPRODUCED,
    SYNTHETIC,
    UNDECIDED,
    Results,
    judge_all,
    judges_of,
    read_claims,
    read_draws,
)
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
    "known_truth": known_truth,
}
"""Each chapter's module: `TABLES` with the types of their columns, and a function for each judge of a claim."""

VERDICT_COLOURS = {
    REPRODUCED: "#b9dcc4",
    AS_IN_THE_PAPER: "#c3cfe0",
    DIFFERS: "#f1c9a5",
    UNDECIDED: "#e4e4e4",
    DRAWS_WANTING: "#ece3f0",
    NOT_APPLICABLE: "#f6f6f6",
}


def main(
    path_draws: str,
    path_check: str,
    path_own: str,
    *,
    judged: Sequence[tuple[str, str, Mapping[str, str], Mapping[str, Any]]],
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
    legend = Legend("verdict", VERDICT_COLOURS, _words(judged, simulated))
    write_table(path_check, "Published claims and what these corpora show", published, legend)
    ours = [{name: row[name] for name in row if name != "quote"} for row in rows if not row["quote"]]
    write_table(path_own, "Claims of this project and what these corpora show", ours)


_WITHOUT_TEXT = {
    SYNTHETIC: "simulated probabilities and labels",
    "known_truth": "methods, on simulated probabilities and labels; times",
}


def _words(judged: Sequence[tuple[str, str, Any, Any]], simulated: Sequence[str]) -> dict[str, str]:
    """Return what words of the page mean: the draws, and each dataset."""
    words = {"draws": "the same text, simulated with ten other seeds"}
    for _, dataset, *_ in judged:
        chapters = ", ".join(dict.fromkeys(chapter for chapter, other, *_ in judged if other == dataset))
        text = "simulated" if dataset.partition("/")[0] in simulated else "real"
        words[dataset] = _WITHOUT_TEXT.get(dataset, f"{chapters}; {text} text")
    return words


def read(path: str, columns: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Read a table with the types of its columns, or pairs."""
    if not path.endswith(".parquet"):
        return read_columns(path, columns or simulation.SCORE_COLUMNS)
    pairs = read_pairs(path)
    return [{"q": q, "y": y} for q, y in zip(pairs.q.tolist(), pairs.y.tolist(), strict=True)]


if "snakemake" in globals():
    run_script(main, snakemake)
