"""Make the items of a real task: predictions of a model that was trained on other texts, and all labels."""

from collections.abc import Sequence

from nlpcalib.predictions.pair_files import write_pairs
from reproduction.workflow.run_script import run_script
from studies.real_tasks.items import task_pairs


def main(paths_archives: Sequence[str], path_pairs: str, task: str, corpora: Sequence[str], seed: int) -> None:
    """Write the items of a task, of which `archives` are the corpora, as pairs."""
    write_pairs(path_pairs, task_pairs(task, dict(zip(corpora, paths_archives, strict=True)), seed))


if "snakemake" in globals():
    run_script(main, snakemake)
