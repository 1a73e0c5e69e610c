"""Read the pairs of mentions of a user's coreference system: a table of predictions, or antecedent probabilities."""

from nlpcalib.predictions.formats import read_predictions
from nlpcalib.predictions.pair_files import write_pairs
from reproduction.workflow.run_script import run_script


def main(path_predictions: str, path_pairs: str) -> None:
    """Write one pair per two mentions, as the command line reads the file."""
    write_pairs(path_pairs, read_predictions(path_predictions))


if "snakemake" in globals():
    run_script(main, snakemake)
