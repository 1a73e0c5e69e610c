"""Read the pairs of mentions of a user's coreference system: a table of predictions, or antecedent probabilities."""

import nlpcalib
from nlpcalib.predictions.pair_files import write_pairs
from reproduction.workflow.run_script import run_script


def main(path_predictions: str, path_pairs: str) -> None:
    """Write one pair per two mentions, as the command line reads the file."""
    write_pairs(path_pairs, nlpcalib.read(path_predictions).pairs())


if "snakemake" in globals():
    run_script(main, snakemake)
