"""Read the predictions of a user's classifier of the test messages."""

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.read import read
from reproduction.sentiment.classifier import evaluation_of
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import read_set
from reproduction.workflow.run_script import run_script


def main(path_predictions: str, path_test: str, path_pairs: str, path_evaluation: str) -> None:
    """Write one pair per message, and how well the classifier does.

    Raises `nlpcalib.errors.InputError` unless the table has the test messages in their order, with their labels.
    """
    pairs, test = read(path_predictions).pairs(), read_set(path_test)
    if pairs.y.tolist() != test.y.tolist():
        raise InputError(
            f"{path_predictions}: found {pairs.y.size:,} predictions, expected one for each of the {len(test):,} test "
            "messages, in their order and with their labels"
        )
    write_pairs(path_pairs, happy_pairs(pairs.q, test.y, test.id))
    write_json(path_evaluation, {**evaluation_of(pairs.q, test.y), "messages": len(test), "training": {}})


if "snakemake" in globals():
    run_script(main, snakemake)
