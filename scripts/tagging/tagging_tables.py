"""Tabulate both taggers of a dataset, and in how many labels which is better calibrated."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.summary import error_columns
from nlpcalib.io.files import read_json
from nlpcalib.io.html_table import write_table
from nlpcalib.io.typed_csv import read_columns
from reproduction.tagging.label_comparison import columns_of_comparison, count_better
from reproduction.workflow.script_log import start_log


def main(
    path_evaluations: Mapping[str, str],
    path_calibrations: Mapping[tuple[str, str], str],
    path_comparisons: Mapping[str, str],
    path_taggers: str | Path,
    path_counts: str | Path,
    bigrams: int,
) -> None:
    """Write a row per model and target, and a row per target and scope (the most frequent labels, or all)."""
    taggers = []
    for (model, target), path in path_calibrations.items():
        evaluation = read_json(path_evaluations[model])
        calibration = read_json(path)
        training = evaluation["training"]
        taggers.append(
            {
                "model": model,
                "target": target,
                "hyperparameter": training.get("pseudocount", training.get("c2")),
                "training_sentences": training["sentences"],
                "tags": evaluation["tags"],
                "test_tokens": evaluation["tokens"],
                "unknown_words": evaluation["unknown_words"],
                "accuracy": evaluation["accuracy"],
                "pairs": calibration["n"],
                **error_columns(calibration),
                "noise_floor": calibration["noise_floor"],
                "underconfident_share": calibration["direction"]["underconfident_share"],
                "directions": " ".join(region["direction"] for region in calibration["direction"]["regions"]),
                "brier": calibration["brier"],
                "refinement": calibration["decomposition"]["refinement"],
            }
        )
    write_table(path_taggers, "Both taggers on the test set", taggers)
    scopes = {"tags": {"5": 5, "all": None}, "bigrams": {"5": 5, "frequent": bigrams, "all": None}}
    models = list(path_evaluations)
    columns = columns_of_comparison(models)
    rows = {target: read_columns(path, columns) for target, path in path_comparisons.items()}
    write_table(
        path_counts,
        "In how many labels which tagger is better calibrated",
        [
            {"target": target, "scope": scope, **count_better(rows[target][:first], models)}
            for target in path_comparisons
            for scope, first in scopes[target].items()
        ],
    )


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations={"hmm": snakemake.input.hmm, "crf": snakemake.input.crf},
        path_calibrations={(Path(path).parts[-3], Path(path).parts[-2]): path for path in snakemake.input.calibration},
        path_comparisons={"tags": snakemake.input.comparison[0], "bigrams": snakemake.input.comparison[1]},
        path_taggers=snakemake.output.taggers,
        path_counts=snakemake.output.comparison,
        bigrams=snakemake.params.bigrams,
    )
