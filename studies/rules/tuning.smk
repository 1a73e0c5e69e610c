# Tuning: what the hyperparameters of taggers and classifiers do to calibration.
#
# Needs:  the candidates of results/tagging, and the selections of results/sentiment
# Makes:  results/tagging/{dataset}/{model}/candidates.csv; results/figures/{dataset}/figure_smoothing and figure_regularisation
# Steps:  measure every candidate, draw


def tuning_targets():
    """Return a figure of each dataset of the two chapters."""
    figures = {"smoothing": "tagging", "regularisation": "sentiment"}
    return [
        f"results/figures/{dataset}/figure_{figure}.png"
        for figure, chapter in figures.items()
        for dataset in config[chapter]["datasets"]
    ]


rule evaluate_candidates:
    input:
        candidates=tagger_candidates,
        selection="results/tagging/{dataset}/{model}/selection.csv",
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        table="results/tagging/{dataset}/{model}/candidates.csv",
    log:
        "results/logs/evaluate_candidates/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(TAGGERS),
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("tuning/evaluate_candidates.py"),
        values=tagger_grid,
        bin_size=config["calibration"]["bin_size"],
    message:
        "Measure every candidate of {wildcards.model} on {wildcards.dataset}"
    script:
        "../scripts/tuning/evaluate_candidates.py"


rule figure_smoothing:
    input:
        **of_each_tagger("candidates.csv", TAGGERS),
    output:
        **figure_outputs("figure_smoothing", "tagging", "Smoothing decides direction"),
    log:
        "results/logs/figures/{dataset}/figure_smoothing.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.tuning.figures"),
        draw={"figure_smoothing": "studies.tuning.figures:figure_smoothing"},
    message:
        "Draw what smoothing does to taggers of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_regularisation:
    input:
        selections=expand(
            "results/sentiment/{{dataset}}/{model}/selection.csv", model=CLASSIFIERS
        ),
    output:
        **figure_outputs(
            "figure_regularisation", "sentiment", "Regularisation decides calibration"
        ),
    log:
        "results/logs/figures/{dataset}/figure_regularisation.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.tuning.figures"),
        draw={"figure_regularisation": "studies.tuning.figures:figure_regularisation"},
    message:
        "Draw what regularisation does to classifiers of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"
