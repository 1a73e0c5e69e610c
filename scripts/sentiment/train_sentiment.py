"""Train Naive Bayes and logistic regression, the hyperparameter of each chosen on the development set."""

from collections.abc import Mapping, Sequence

import numpy as np

from nlpcalib.io.files import atomic_path
from reproduction.sentiment.features import FeatureSets
from reproduction.sentiment.training import (
    fit_logistic_regression,
    fit_naive_bayes,
    select_classifier,
    write_classifier_selection,
)
from reproduction.workflow.run_script import run_script


def main(
    path_features: str,
    paths_models: Sequence[str],
    paths_selections: Sequence[str],
    paths_candidates: Sequence[str],
    grids: Mapping[str, Sequence[float]],
) -> None:
    """Write each model of `grids`, `naive_bayes` or `logistic_regression`, and what each hyperparameter does.

    Candidates are float64 `q` (hyperparameters, N), what the model of each predicts of the development set, and its
    bool labels `y` (N,).
    """
    sets = FeatureSets.load(path_features)
    training = sets.features["train"], sets.y["train"], sets.vocabulary
    for (model, values), path, path_selection, path_candidates in zip(
        grids.items(), paths_models, paths_selections, paths_candidates, strict=True
    ):
        # The strongest regularisation goes first: of equally good ones the first is chosen.
        fit, weakest_last = (fit_naive_bayes, True) if model == "naive_bayes" else (fit_logistic_regression, False)
        candidates = ((value, fit(*training, value)) for value in sorted(values, reverse=weakest_last))
        best, scores, q = select_classifier(candidates, sets.features["dev"], sets.y["dev"])
        best.save(path)
        write_classifier_selection(path_selection, scores, best.hyperparameter)
        with atomic_path(path_candidates) as temporary, temporary.open("wb") as file:
            np.savez(file, q=q, y=sets.y["dev"])


if "snakemake" in globals():
    run_script(main, snakemake)
