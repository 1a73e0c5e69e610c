"""Make prediction-label pairs of the test messages with their calibration, and evaluate the classifiers."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_json
from reproduction.calibration import write_measured
from reproduction.sentiment.classifier import LogLinear, evaluation_of
from reproduction.sentiment.features import FeatureSets
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import LabelledMessages, read_set
from reproduction.workflow.run_script import run_script


def main(
    path_test: str,
    path_features: str,
    paths_models: Sequence[str],
    paths_pairs: Sequence[str],
    paths_evaluations: Sequence[str],
    *,
    bin_size: int,
    samples: int,
    seed: int,
) -> None:
    """Write one pair per message of each model with its features, and of the truth if there is one more path."""
    test, sets = read_set(path_test), FeatureSets.load(path_features)
    models = [_of_model(LogLinear.load(path), sets) for path in paths_models]
    if len(paths_pairs) > len(models):
        models.append(_of_truth(path_test, test))
    for (q, training), path_pairs, path_evaluation in zip(models, paths_pairs, paths_evaluations, strict=True):
        pairs = happy_pairs(q, test.y, test.id)
        write_measured(path_pairs, pairs, bin_size=bin_size, samples=samples, seed=seed)
        write_json(path_evaluation, {**evaluation_of(q, test.y), "messages": len(test), "training": training})


def _of_model(model: LogLinear, sets: FeatureSets) -> tuple[np.ndarray, dict[str, object]]:
    """Return the probabilities of the test messages, and what the model was trained on."""
    return model.posterior(sets.features["test"]), {
        "hyperparameter": model.hyperparameter,
        "dev_f1": model.dev_f1,
        "messages": len(sets.y["train"]),
        "words": len(sets.vocabulary),
        "words_per_test_message": float(np.diff(sets.features["test"].indptr).mean()),
    }


def _of_truth(path: str, test: LabelledMessages) -> tuple[np.ndarray, dict[str, object]]:
    if test.posterior is None:
        raise InputError(f"{path}: found messages without true probabilities, expected simulated ones")
    return test.posterior, {}


if "snakemake" in globals():
    run_script(main, snakemake)
