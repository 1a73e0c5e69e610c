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
        candidates=expand(
            "results/tagging/{dataset}/{model}/candidates/{value}.npz",
            value=lookup(dpath="{dataset}/{model}", within=GRIDS),
            allow_missing=True,
        ),
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
        values=lookup(dpath="{dataset}/{model}", within=GRIDS),
        bin_size=config["calibration"]["bin_size"],
    message:
        "Measure every candidate of {wildcards.model} on {wildcards.dataset}"
    script:
        "../scripts/tuning/evaluate_candidates.py"


rule figure_smoothing:
    input:
        hmm="results/tagging/{dataset}/hmm/candidates.csv",
        crf="results/tagging/{dataset}/crf/candidates.csv",
    output:
        figure_smoothing=page(
            "results/figures/{dataset}/figure_smoothing.png",
            "tagging",
            "1 Figures",
            "figure_smoothing",
            figure="Smoothing decides direction",
        ),
        figure_smoothing_csv="results/figures/{dataset}/figure_smoothing.csv",
        pdf=expand("results/figures/{{dataset}}/figure_smoothing.{end}", end=PRINTED),
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
        candidates=expand(
            "results/sentiment/{{dataset}}/{model}/candidates.npz", model=CLASSIFIERS
        ),
    output:
        figure_regularisation=page(
            "results/figures/{dataset}/figure_regularisation.png",
            "sentiment",
            "1 Figures",
            "figure_regularisation",
            figure="Regularisation decides calibration",
        ),
        figure_regularisation_csv="results/figures/{dataset}/figure_regularisation.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_regularisation.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_regularisation.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.tuning.figures"),
        draw={"figure_regularisation": "studies.tuning.figures:figure_regularisation"},
        bin_size=config["sentiment"]["bin_size"],
    message:
        "Draw what regularisation does to classifiers of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"
