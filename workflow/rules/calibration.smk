# Calibration: the instrument, on the pairs of any chapter and on anyone's predictions.
#
# Needs:  a table of pairs
# Makes:  calibration.json, bins.csv, by_label.csv, reliability.{png,pdf,csv} next to it (results/predictions/{name} for
#         the user's own tables); how the error depends on bin size, in results/figures/{dataset}


EACH_MODEL = {
    "chapter": None,  # that of the wildcard
    "subcategory": "3 Each model",
    "model": "{model}",
    "target": "{target}",
}
EACH_TABLE = {"chapter": "predictions", "subcategory": None, "table": "{name}"}
"""Where the report has pages, and their labels: of a chapter's models, and of a user's predictions."""


def calibration_outputs(folder, **place):
    """Return the files of a calibration, of which the report shows the curve and the table by label."""
    return {
        "summary": f"{folder}/calibration.json",
        "bins": f"{folder}/bins.csv",
        "by_label": f"{folder}/by_label.csv",
        "curve": f"{folder}/reliability.csv",
        "pdf": f"{folder}/reliability.pdf",
        "png": page(f"{folder}/reliability.png", **place, shows="curve"),
        "table": page(f"{folder}/by_label.html", **place, shows="table by label"),
    }


def bin_size(wildcards):
    """Return the target bin size of a target, or of the models in one figure: one tag has few pairs, so its bins are small."""
    chapter = wildcards.get("chapter") or wildcards.models
    if chapter == "ablation" or wildcards.get("target") == "one_tag":
        return one_tag(wildcards)["bin_size"]
    return config[chapter].get("bin_size", config["calibration"]["bin_size"])


def prediction_targets():
    return expand(
        "results/predictions/{name}/{file}",
        name=config["predictions"],
        file=["calibration.json", "reliability.png"],
    )


wildcard_constraints:
    name="|".join(config["predictions"]) or "no table",


rule calibrate_pairs:
    input:
        pairs="results/{chapter}/{dataset}/{model}/{target}/pairs.parquet",
    output:
        **calibration_outputs(
            "results/{chapter}/{dataset}/{model}/{target}", **EACH_MODEL
        ),
    log:
        "results/logs/calibrate_pairs/{chapter}_{dataset}_{model}_{target}.log",
    wildcard_constraints:
        chapter="sentiment|tagging|coref|events",
        target="|".join(("happy", "pairs", "probabilities", *TARGETS, *THESIS_TARGETS)),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/calibrate.py"),
        seed=config["seed"],
        bin_size=bin_size,
        samples=config["calibration"]["draws"],
    message:
        "Measure the calibration of {wildcards.model} on {wildcards.target} of {wildcards.dataset}"
    script:
        "../../scripts/calibration/calibrate.py"


use rule calibrate_pairs as calibrate_predictions with:
    input:
        pairs=lambda wildcards: user_file(config["predictions"][wildcards.name]["path"]),
    output:
        **calibration_outputs("results/predictions/{name}", **EACH_TABLE),
    log:
        "results/logs/calibrate_predictions/{name}.log",
    params:
        bin_size=lambda wildcards: config["predictions"][wildcards.name].get(
            "bin_size", config["calibration"]["bin_size"]
        ),
    message:
        "Measure the calibration of the predictions {wildcards.name}"
