"""Fit a temperature of antecedents on the development set, and measure what it does on held-out documents."""

import logging
from collections.abc import Sequence

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.coref.attributes import mention_table
from nlpcalib.coref.evaluation import Evaluated, coreference_pairs, evaluate, in_fold, score_rows
from nlpcalib.coref.mentions import MENTIONS, entities_of
from nlpcalib.coref.model import AntecedentModel, load_model
from nlpcalib.coref.recalibration import GoldAntecedents, fit_temperature
from nlpcalib.coref.resolution import resolve
from nlpcalib.corpora.document import Document
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
        temperatures = [fit_temperature(_choices(models, [dev], mentions))]
    else:
        temperatures = [
            fit_temperature(_choices(_without(models, fold), _without(folds, fold), mentions))
            for fold in range(len(folds))
        ]
    rows = []
    for stage, used in (("none", [1.0] * len(models)), ("temperature", temperatures)):
        evaluated: list[Evaluated] = []
        for model, held_out, temperature in zip(models, folds, used, strict=True):
            evaluated += map(evaluate, resolve(held_out, model, mentions=mentions, temperature=temperature))
        pairs = coreference_pairs(evaluated)
        unit = None if pairs.unit is None else pairs.unit.codes
        estimate = METHODS["debiased_rms/cluster_score"](SortedPairs(pairs.q, pairs.y, unit), Settings())
        likelihood = sum(
            _choices([model], [held_out], mentions).log_likelihood(temperature)
            for model, held_out, temperature in zip(models, folds, used, strict=True)
        )
        scores = {row["decoding"]: row["conll_f1"] for row in score_rows(evaluated) if not row["singletons"]}
        rows.append(
            {
                "recalibration": stage,
                "temperature": float(np.exp(np.mean(np.log(used)))),
                "log_loss": -likelihood / sum(result.mentions for result in evaluated),
                "error": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "pairs": pairs.q.size,
                "coreferent_pairs": int(pairs.y.sum()),
                "expected_pairs": float(pairs.q.sum()),
                **{f"conll_f1_{name.split()[0]}": score for name, score in scores.items()},
            }
        )
        logging.info("%s", rows[-1])
    write_pairs(path_pairs, pairs)
    write_csv(path_table, rows)


def _choices(models: Sequence[AntecedentModel], parts: Sequence[Sequence[Document]], mentions: str) -> GoldAntecedents:
    """Return the choices of antecedents in each part, as the part's own model sees them."""
    return GoldAntecedents.of(
        (model.conditionals(mention_table(document, spans)), entities_of(spans, document))
        for model, documents in zip(models, parts, strict=True)
        for document in documents
        for spans in [MENTIONS[mentions](document)]
    )


def _without(items: Sequence, number: int) -> list:
    return [*items[:number], *items[number + 1 :]]


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
