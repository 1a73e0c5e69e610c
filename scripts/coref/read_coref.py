"""Read the pairs of mentions of a user's coreference system: a table of predictions, or antecedent probabilities."""

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.errors import InputError
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from reproduction.workflow.run_script import run_script


def main(path_predictions: str, path_pairs: str) -> None:
    """Write one pair per two mentions, as the command line reads the file."""
    pairs = read(path_predictions).pairs()
    if not isinstance(pairs, Pairs):
        raise InputError(f"{path_predictions}: found predictions of classes, expected pairs of mentions")
    write_pairs(path_pairs, pairs)


if "snakemake" in globals():
    run_script(main, snakemake)
