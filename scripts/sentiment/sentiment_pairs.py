"""Make prediction-label pairs of the test messages, and evaluate the classifier."""

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_json
from nlpcalib.predictions.tables import write_pairs
from reproduction.sentiment.classifier import LogLinear, evaluation_of
from reproduction.sentiment.features import FeatureSets
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import read_set
from reproduction.workflow.run_script import run_script


def main(
    path_test: str,
    path_pairs: str,
    path_evaluation: str,
    path_features: str | None = None,
    path_model: str | None = None,
) -> None:
    """Write one pair per message of the model at `path_model` with its features, or of the truth, without a model."""
    test = read_set(path_test)
    training: dict[str, object] = {}
    if path_model is None or path_features is None:
        q = test.posterior
    else:
        sets, model = FeatureSets.load(path_features), LogLinear.load(path_model)
        q = model.posterior(sets.features["test"])
        training = {
            "hyperparameter": model.hyperparameter,
            "dev_f1": model.dev_f1,
            "messages": len(sets.y["train"]),
            "words": len(sets.vocabulary),
            "words_per_test_message": float(np.diff(sets.features["test"].indptr).mean()),
        }
    if q is None:
        raise InputError(f"{path_test}: found messages without true probabilities, expected simulated ones")
    write_pairs(path_pairs, happy_pairs(q, test.y, test.id))
    evaluation = {**evaluation_of(q, test.y), "messages": len(test), "training": training}
    write_json(path_evaluation, evaluation)


if "snakemake" in globals():
    run_script(main, snakemake)
