"""Fit weights of antecedents on the development set, and measure what they do on held-out documents."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import chain

from nlpcalib.io.files import write_csv
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.coref.clusters import in_fold
from reproduction.coref.entity_counts import entity_count_rows
from reproduction.coref.evaluated import Evaluated, coreference_pairs, evaluate_held_out
from reproduction.coref.evaluation import recalibration_row
from reproduction.coref.recalibration import AS_TRAINED, AntecedentWeights, Linked, fit_to_pairs, gold_pairs
from reproduction.coref.temperatures import cross_fitted, fit_temperature, gold_antecedents
from reproduction.workflow.run_script import run_script


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

    Of several models, of as many folds, each is applied to its fold, with the weights of all other folds.
    """
    models = [load_model(path) for path in paths_models]
    documents = [document for path in paths_documents for document in read_conllu(path)]
    folds = [Linked.of(model, in_fold(documents, fold, len(models)), mentions) for fold, model in enumerate(models)]
    fits: dict[str, Callable[[Sequence[Linked]], AntecedentWeights]] = {
        "temperature": lambda linked: AntecedentWeights(fit_temperature(gold_antecedents(linked))),
        "pairs": lambda linked: fit_to_pairs(gold_pairs(linked)),
    }
    dev = Linked.of(models[0], chain.from_iterable(map(read_conllu, paths_dev)), mentions)
    stages = {"none": [AS_TRAINED] * len(models)} | {
        stage: [fit(dev)] if paths_dev else cross_fitted(fit, folds) for stage, fit in fits.items()
    }
    rows = []
    found: dict[str, list[list[Evaluated]]] = {}
    for stage, used in stages.items():
        found[stage], likelihood = evaluate_held_out(folds, used)
        rows.append(recalibration_row(stage, used, list(chain.from_iterable(found[stage])), likelihood))
        logging.info("%s", rows[-1])
    write_pairs(path_pairs, coreference_pairs(list(chain.from_iterable(found["pairs"]))))
    write_csv(path_table, rows)

    # How many entities there are depends on P(NEW), which only the fit to antecedents keeps right.
    recalibrated = found["temperature"]
    if paths_dev:
        labelled, _ = evaluate_held_out([dev], stages["temperature"])
    else:
        labelled = [list(chain(*recalibrated[:fold], *recalibrated[fold + 1 :])) for fold in range(len(folds))]
    counts = entity_count_rows(found["none"], recalibrated, labelled)
    write_csv(path_counts, [{"counted": counted, **asdict(row)} for counted, row in counts])


if "snakemake" in globals():
    run_script(main, snakemake)
