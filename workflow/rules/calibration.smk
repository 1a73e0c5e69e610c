# Calibration: the instrument, on anyone's predictions. The rules of each chapter that make pairs measure them too.
#
# Needs:  a table of pairs
# Makes:  calibration.json, bins.csv, by_class.csv, reliability.{png,pdf,csv} in results/predictions/{name}


def prediction_targets():
    return expand(
        "results/predictions/{name}/{file}",
        name=config["predictions"],
        file=["calibration.json", "reliability.png"],
    )


wildcard_constraints:
    name="|".join(config["predictions"]) or "no table",


rule calibrate_predictions:
    input:
        pairs=lambda wildcards: user_file(config["predictions"][wildcards.name]["path"]),
    output:
        calibration_outputs(
            "results/predictions/{name}", "predictions", None, table="{name}"
        ),
    log:
        "results/logs/calibrate_predictions/{name}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/calibrate.py"),
        seed=config["seed"],
        folder=lambda wildcards, output: str(Path(output[0]).parent),
        bin_size=lambda wildcards: config["predictions"][wildcards.name].get(
            "bin_size", config["calibration"]["bin_size"]
        ),
        samples=config["calibration"]["draws"],
    message:
        "Measure the calibration of the predictions {wildcards.name}"
    script:
        "../../scripts/calibration/calibrate.py"
