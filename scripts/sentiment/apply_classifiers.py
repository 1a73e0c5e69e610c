"""Make prediction-label pairs of the test messages, and evaluate the classifiers."""

from collections.abc import Sequence

import numpy as np

from nlpcalib.io.files import write_json
from nlpcalib.predictions.pair_files import write_pairs
from reproduction.sentiment.classifier import LogLinear, evaluation_of
from reproduction.sentiment.features import FeatureSets
from reproduction.sentiment.pairs import happy_pairs
from reproduction.sentiment.sets import read_set
from reproduction.workflow.run_script import run_script


def main(
    path_test: str,
    path_features: str,
    paths_models: Sequence[str],
    paths_pairs: Sequence[str],
    paths_evaluations: Sequence[str],
) -> None:
    """Write one pair per message of each model, and how well it classifies."""
    test, sets = read_set(path_test), FeatureSets.load(path_features)
    for path_model, path_pairs, path_evaluation in zip(paths_models, paths_pairs, paths_evaluations, strict=True):
        model = LogLinear.load(path_model)
        q = model.posterior(sets.features["test"])
        write_pairs(path_pairs, happy_pairs(q, test.y, test.id))
        training = {
            "hyperparameter": model.hyperparameter,
            "dev_f1": model.dev_f1,
            "messages": len(sets.y["train"]),
            "words": len(sets.vocabulary),
            "words_per_test_message": float(np.diff(sets.features["test"].indptr).mean()),
        }
        write_json(path_evaluation, {**evaluation_of(q, test.y), "messages": len(test), "training": training})


if "snakemake" in globals():
    run_script(main, snakemake)
