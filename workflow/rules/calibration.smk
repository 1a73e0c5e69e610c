# Calibration: the instrument, on anyone's predictions of no chapter. Each chapter has a rule `measure_…` for its models.
#
# Needs:  a table of pairs
# Makes:  calibration.json, bins.csv, by_class.csv, reliability.{png,csv} in results/predictions/{name}


PREDICTION_BIN_SIZES = {
    name: options.get("bin_size", config["calibration"]["bin_size"])
    for name, options in config["predictions"].items()
}


def predictions_file(wildcards):
    """Return the user's table of predictions."""
    return user_file(config["predictions"][wildcards.name]["path"])


rule calibrate_predictions:
    input:
        pairs=predictions_file,
    output:
        calibration_outputs(
            "predictions", ["results/predictions/{name}"], table="{name}"
        ),
    log:
        "results/logs/calibrate_predictions/{name}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/calibrate.py"),
        bin_size=lookup(dpath="{name}", within=PREDICTION_BIN_SIZES),
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of the predictions {wildcards.name}"
    script:
        "../../scripts/calibration/calibrate.py"


rule predictions:
    input:
        expand(
            "results/predictions/{name}/calibration.json", name=config["predictions"]
        ),
    localrule: True
