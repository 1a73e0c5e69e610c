"""Fit a temperature of antecedents on the development set, and measure what it does on held-out documents."""

import logging
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain

from nlpcalib.coref.entity_counts import entity_count_rows
from nlpcalib.coref.evaluation import (
    Evaluated,
    coreference_pairs,
    evaluate,
    evaluate_held_out,
    in_fold,
    recalibration_row,
)
from nlpcalib.coref.kinds import Temperature
from nlpcalib.coref.model import load_model
from nlpcalib.coref.recalibration import (
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
    path_counts: str,
    mentions: str,
) -> None:
    """Write the pairs of the recalibrated model, its errors and its numbers of entities next to those before.

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
    found: dict[str, list[list[Evaluated]]] = {}
    for stage, used in stages.items():
        found[stage], likelihood = evaluate_held_out(models, folds, used, mentions)
        rows.append(recalibration_row(stage, used, list(chain.from_iterable(found[stage])), likelihood))
        logging.info("%s", rows[-1])
    recalibrated = found["temperature"]
    write_pairs(path_pairs, coreference_pairs(list(chain.from_iterable(recalibrated))))
    write_csv(path_table, rows)

    if paths_dev:
        labelled = [list(map(evaluate, resolve(dev, models[0], mentions=mentions, temperature=one[0])))]
    else:
        labelled = [list(chain(*recalibrated[:fold], *recalibrated[fold + 1 :])) for fold in range(len(folds))]
    counts = entity_count_rows(found["none"], recalibrated, labelled)
    write_csv(path_counts, [{"counted": counted, **asdict(row)} for counted, row in counts])


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_models=snakemake.input.models,
        paths_dev=snakemake.input.dev,
        paths_documents=snakemake.input.documents,
        path_pairs=snakemake.output.pairs,
        path_table=snakemake.output.table,
        path_counts=snakemake.output.counts,
        mentions=snakemake.params.mentions,
    )
