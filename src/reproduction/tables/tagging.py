"""Tables of taggers: the paper's two, and the thesis'."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nlpcalib.calibration.summary import summary_errors
from nlpcalib.io.files import read_json
from nlpcalib.predictions.written_pairs import read_written_pairs
from reproduction.tables.directions import direction_columns
from reproduction.tagging.ablation_tables import model_row, variant_comparison_rows
from reproduction.tagging.label_comparison import columns_of_comparison, count_better
from reproduction.workflow.table_files import TitledRows
from reproduction.workflow.typed_csv import read_columns


def tagging_tables(
    hmm: str, crf: str, calibrations: Sequence[str], tags: str, bigrams: str, *, frequent: int
) -> list[TitledRows]:
    """Return a row per model and target, and a row per target and scope: the 5 or `frequent` first labels, or all.

    `hmm` and `crf` are the evaluations of the taggers, `tags` and `bigrams` their comparisons label by label.
    """
    evaluations = {"hmm": read_json(hmm), "crf": read_json(crf)}
    taggers = []
    for path in calibrations:
        folder, target = Path(path).parts[-3:-1]
        model = folder.removesuffix("_recalibrated")
        evaluation, calibration = evaluations[model], read_json(path)
        training = evaluation["training"]
        taggers.append(
            {
                "model": model,
                "target": target,
                "hyperparameter": training.get("pseudocount", training.get("c2")),
                "training_sentences": training["sentences"],
                "parameters": evaluation["parameters"],
                "tags": evaluation["tags"],
                "test_tokens": evaluation["tokens"],
                "unknown_words": evaluation["unknown_words"],
                "accuracy": evaluation["accuracy"],
                "pairs": calibration["n"],
                "bin_size": calibration["bin_size"],
                **summary_errors(calibration),
                "noise_floor": calibration["noise_floor"],
                "underconfident_share": calibration["direction"]["underconfident_share"],
                **direction_columns(calibration),
                "brier": calibration["brier"],
                "refinement": calibration["decomposition"]["refinement"],
            }
        )
    scopes = {"tags": {"5": 5, "all": None}, "bigrams": {"5": 5, "frequent": frequent, "all": None}}
    models = list(evaluations)
    columns = columns_of_comparison(models)
    compared = {"tags": read_columns(tags, columns), "bigrams": read_columns(bigrams, columns)}
    better = [
        {"target": target, "scope": scope, **count_better(compared[target][:first], models)}
        for target, firsts in scopes.items()
        for scope, first in firsts.items()
    ]
    return [
        ("Both taggers on the test set", taggers),
        ("In how many labels which tagger is better calibrated", better),
    ]


def ablation_tables(
    evaluations: Sequence[str],
    calibrations: Sequence[str],
    pairs: Sequence[str],
    *,
    titles: Mapping[str, str],
    comparisons: Sequence[tuple[str, str]],
    one_tag: Mapping[str, Any],
    samples: int,
    replicates: int,
    seed: int,
) -> list[TitledRows]:
    """Return a row per model, and a row per two models of `comparisons`."""
    tag, bin_size = one_tag["tag"], one_tag["bin_size"]
    evaluated = {Path(path).parts[-2]: read_json(path) for path in evaluations}
    models = []
    for path in calibrations:
        model, target = Path(path).parts[-3:-1]
        models.append(
            {
                "model": model,
                "title": titles[model],
                "target": target,
                "tag": tag,
                **model_row(evaluated[model], read_json(path)),
            }
        )
    pairs_of = {Path(path).parts[-3]: read_written_pairs(path) for path in pairs}
    compared = variant_comparison_rows(
        pairs_of, comparisons, bin_size=bin_size, samples=samples, replicates=replicates, seed=seed
    )
    return [
        (f"The thesis' taggers: is this word {tag}?", models),
        (f"Is one better calibrated than the other? Is this word {tag}?", compared),
    ]
