"""Answer GAP's questions with models that were not trained on the snippet: entities, pairs and their calibration."""

import logging
from collections.abc import Sequence

from nlpcalib.systems.coref.answer.resolution import resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.clusters import in_fold
from reproduction.coref.gap_scores import Question, gap_rows, questions
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(paths_models: Sequence[str], path_snippets: str, path_csv: str, *, bin_size: int) -> None:
    """Write a row for all pronouns, the masculine and the feminine; each model answers the snippets of its fold."""
    snippets = list(read_conllu(path_snippets))
    answered: list[Question] = []
    for fold, path in enumerate(paths_models):
        answered += questions(resolve(in_fold(snippets, fold, len(paths_models)), load_model(path)))
    rows = gap_rows(answered, bin_size=bin_size)
    logging.info("%s", rows)
    write_table(path_csv, "GAP", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
