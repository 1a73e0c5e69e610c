"""Train an antecedent model, and choose on other documents where the clustering of its marginals is cut."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.clusters import others
from reproduction.coref.trained import documents_of, trained
from reproduction.workflow.run_script import run_script


def main(
    paths_documents: Sequence[str],
    path_model: str,
    path_checkpoint: str,
    *,
    path_tuning: str | None = None,
    path_snippets: str | None = None,
    dataset: str,
    settings: Mapping[str, Any],
    l2: float,
    iterations: int,
    fold: str = "0",
    folds: int,
    snippet_folds: int = 0,
    library: str = "",
) -> None:
    """Write the model of some documents; a training that was stopped is gone on with.

    `l2` is the penalty of models whose `settings` have none. With `folds` of documents that one is left out whose
    number is `fold`, and with `snippet_folds` that of the snippets. `library` is the checksum of the library files that
    this script imports.
    """
    documents = documents_of(paths_documents, settings.get("genres", []), (int(fold), folds) if folds else None)
    snippets = list(read_conllu(path_snippets)) if path_snippets is not None else []
    if snippet_folds:
        snippets = others(snippets, int(fold), snippet_folds)
    tuning = list(read_conllu(path_tuning)) if path_tuning is not None else None
    model = trained(
        documents,
        snippets,
        tuning,
        dataset=dataset,
        settings=settings,
        l2=settings.get("l2", l2),
        iterations=iterations,
        checkpoint=Path(path_checkpoint),
        library=library,
    )
    model.save(path_model)
    Path(path_checkpoint).unlink()


if "snakemake" in globals():
    run_script(main, snakemake, path_checkpoint=Path(snakemake.log[0]).with_suffix(".checkpoint.npz"))
