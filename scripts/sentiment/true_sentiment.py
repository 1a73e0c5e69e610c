"""Take the true probabilities of simulated messages as the predictions of one more classifier."""

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from reproduction.sentiment.classifier import evaluation_of
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import read_set
from reproduction.workflow.run_script import run_script


def main(path_test: str, path_pairs: str, path_evaluation: str) -> None:
    """Write one pair per message, and how well the truth classifies.

    Raises `nlpcalib.errors.InputError` for messages that are not simulated.
    """
    test = read_set(path_test)
    if test.posterior is None:
        raise InputError(f"{path_test}: found messages without true probabilities, expected simulated ones")
    write_pairs(path_pairs, happy_pairs(test.posterior, test.y, test.id))
    write_json(path_evaluation, {**evaluation_of(test.posterior, test.y), "messages": len(test), "training": {}})


if "snakemake" in globals():
    run_script(main, snakemake)
