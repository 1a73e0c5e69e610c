"""Train Naive Bayes and logistic regression, the hyperparameter of each chosen on the development set."""

from collections.abc import Mapping, Sequence

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
    grids: Mapping[str, Sequence[float]],
    bin_size: int,
) -> None:
    """Write each model of `grids`, `naive_bayes` or `logistic_regression`, and what each hyperparameter does."""
    sets = FeatureSets.load(path_features)
    training = sets.features["train"], sets.y["train"], sets.vocabulary
    for (model, values), path, path_selection in zip(grids.items(), paths_models, paths_selections, strict=True):
        # The strongest regularisation goes first: of equally good ones the first is chosen.
        fit, weakest_last = (fit_naive_bayes, True) if model == "naive_bayes" else (fit_logistic_regression, False)
        candidates = ((value, fit(*training, value)) for value in sorted(values, reverse=weakest_last))
        best, scores = select_classifier(candidates, sets.features["dev"], sets.y["dev"], bin_size=bin_size)
        best.save(path)
        write_classifier_selection(path_selection, scores, best.hyperparameter)


if "snakemake" in globals():
    run_script(main, snakemake)
