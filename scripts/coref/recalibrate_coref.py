"""Fit a temperature of antecedents on the development set, and measure what it does on held-out documents."""

import logging
from collections.abc import Sequence

from nlpcalib.coref.evaluation import Evaluated, coreference_pairs, evaluate, in_fold, recalibration_row
from nlpcalib.coref.kinds import Temperature
from nlpcalib.coref.mentions import entities_of
from nlpcalib.coref.model import load_model
from nlpcalib.coref.recalibration import (
    GoldAntecedents,
    cross_fitted_temperatures,
    fit_temperature,
    fit_temperatures,
    gold_antecedents,
)
from nlpcalib.coref.resolution import resolve
from nlpcalib.corpora.readers.conllu import read_conllu
from nlpcalib.io.files import write_csv
from nlpcalib.predictions.tables import write_pairs
from nlpcalib.workflow.script_log import start_log


def main(
    paths_models: Sequence[str],
    paths_dev: Sequence[str],
    paths_documents: Sequence[str],
    path_pairs: str,
    path_table: str,
    mentions: str,
) -> None:
    """Write the pairs of the recalibrated model, and its errors next to those without recalibration.

    Of several models, of as many folds, each is applied to its fold, with the temperature of all other folds.
    """
    models = [load_model(path) for path in paths_models]
    documents = [document for path in paths_documents for document in read_conllu(path)]
    folds = [in_fold(documents, fold, len(models)) for fold in range(len(models))]
    if paths_dev:
        dev = [document for path in paths_dev for document in read_conllu(path)]
        one: list[Temperature] = [fit_temperature(gold_antecedents(models, [dev], mentions))]
        by_kind: list[Temperature] = [fit_temperatures(models, [dev], mentions)]
    else:
        one = cross_fitted_temperatures(models, folds, mentions)
        by_kind = cross_fitted_temperatures(models, folds, mentions, by_kind=True)
    stages: dict[str, list[Temperature]] = {
        "none": [1.0] * len(models),
        "temperature_by_kind": by_kind,
        "temperature": one,
    }
    rows = []
    for stage, used in stages.items():
        evaluated: list[Evaluated] = []
        likelihood = 0.0
        for model, held_out, temperature in zip(models, folds, used, strict=True):
            choices = []
            for resolution in resolve(held_out, model, mentions=mentions, temperature=temperature):
                evaluated.append(evaluate(resolution))
                choices.append((resolution.conditionals, entities_of(resolution.mentions, resolution.document)))
            likelihood += GoldAntecedents.of(choices).log_likelihood(1.0)
        rows.append(recalibration_row(stage, used, evaluated, likelihood))
        logging.info("%s", rows[-1])
    write_pairs(path_pairs, coreference_pairs(evaluated))
    write_csv(path_table, rows)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_models=snakemake.input.models,
        paths_dev=snakemake.input.dev,
        paths_documents=snakemake.input.documents,
        path_pairs=snakemake.output.pairs,
        path_table=snakemake.output.table,
        mentions=snakemake.params.mentions,
    )
