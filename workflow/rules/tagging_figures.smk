# Figures of taggers: 1, 3 and 4 of the paper, 3 and 4 before and after recalibration, and phrases.
#
# Needs:  pairs, calibrations and tables of tagging.smk
# Makes:  results/figures/{dataset}/figure_{1,3,4,recalibration,4_recalibration,phrases}.png
# Steps:  draw

FIGURE_1 = config["tagging"]["figure_1"]
FIGURE_1_MODEL = FIGURE_1["model"] + STAGE * (FIGURE_1["model"] in TAGGERS)
"""The thesis' taggers are not recalibrated."""


rule draw_figure_1:
    input:
        chain=f"results/tagging/{{dataset}}/{FIGURE_1_MODEL}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        figure_1=page(
            "results/figures/{dataset}/figure_1{style}.png",
            "tagging",
            "1 Figures",
            "figure_1",
            figure="1: binning",
        ),
        csv="results/figures/{dataset}/figure_1{style}.csv",
        pdf=expand("results/figures/{{dataset}}/figure_1{{style}}.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_1{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.tagging"),
        draw={"figure_1": "reproduction.figures.tagging:figure_1"},
        model=FIGURE_1["model"],
        bin_size=FIGURE_1["bin_size"],
        tag=lookup(dpath="{dataset}", within=FIGURE_1_TAG),
    message:
        "Draw Figure 1 of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_figure_3:
    input:
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/tags/pairs.parquet", model=SHOWN
        ),
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/tags/calibration.json", model=SHOWN
        ),
        other_pairs=expand(
            "results/tagging/{dataset}/{other}/tags/pairs.parquet",
            other=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
            allow_missing=True,
        ),
        other_calibrations=expand(
            "results/tagging/{dataset}/{other}/tags/calibration.json",
            other=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
            allow_missing=True,
        ),
    output:
        figure_3=page(
            "results/figures/{dataset}/figure_3{style}.png",
            "tagging",
            "1 Figures",
            "figure_3",
            figure="3: all tags",
        ),
        csv="results/figures/{dataset}/figure_3{style}.csv",
        pdf=expand("results/figures/{{dataset}}/figure_3{{style}}.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_3{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.tagging"),
        draw={"figure_3": "reproduction.figures.tagging:figure_3"},
        names=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
    message:
        "Draw Figure 3 of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_figure_4:
    input:
        tags=f"results/tagging/{{dataset}}/comparison_tags{STAGE}.csv",
        bigrams=f"results/tagging/{{dataset}}/comparison_bigrams{STAGE}.csv",
        other_tags=expand(
            "results/tagging/{dataset}/{other}/comparison_tags.csv",
            other=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
            allow_missing=True,
        ),
        other_bigrams=expand(
            "results/tagging/{dataset}/{other}/comparison_bigrams.csv",
            other=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
            allow_missing=True,
        ),
    output:
        figure_4=page(
            "results/figures/{dataset}/figure_4{style}.png",
            "tagging",
            "1 Figures",
            "figure_4",
            figure="4: HMM against CRF by label",
        ),
        csv="results/figures/{dataset}/figure_4{style}.csv",
        pdf=expand("results/figures/{{dataset}}/figure_4{{style}}.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_4{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.tagging"),
        draw={"figure_4": "reproduction.figures.tagging:figure_4"},
        names=lookup(dpath="{dataset}", within=OTHERS["tagging"], default=[]),
        frequent=config["tagging"]["frequent_bigrams"],
    message:
        "Draw Figure 4 of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_recalibration:
    input:
        before=expand(
            "results/tagging/{{dataset}}/{model}/tags/pairs.parquet", model=TAGGERS
        ),
        after=expand(
            "results/tagging/{{dataset}}/{model}/tags/pairs.parquet",
            model=RECALIBRATED,
        ),
    output:
        figure_recalibration=page(
            "results/figures/{dataset}/figure_recalibration.png",
            "tagging",
            "1 Figures",
            figure="3: after recalibration",
        ),
        csv="results/figures/{dataset}/figure_recalibration.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_recalibration.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_recalibration.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.tagging"),
        draw={
            "figure_recalibration": "reproduction.figures.tagging:figure_recalibration"
        },
        bin_size=config["calibration"]["bin_size"],
    message:
        "Draw Figure 3 of {wildcards.dataset} before and after recalibration"
    script:
        "../../scripts/figures/figure.py"


rule draw_figure_4_recalibration:
    input:
        tags="results/tagging/{dataset}/comparison_tags.csv",
        bigrams="results/tagging/{dataset}/comparison_bigrams.csv",
        tags_recalibrated="results/tagging/{dataset}/comparison_tags_recalibrated.csv",
        bigrams_recalibrated="results/tagging/{dataset}/comparison_bigrams_recalibrated.csv",
    output:
        figure_4_recalibration=page(
            "results/figures/{dataset}/figure_4_recalibration.png",
            "tagging",
            "1 Figures",
            figure="4: after recalibration",
        ),
        csv="results/figures/{dataset}/figure_4_recalibration.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_4_recalibration.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_4_recalibration.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.tagging"),
        draw={
            "figure_4_recalibration": "reproduction.figures.tagging:figure_4_recalibration"
        },
        frequent=config["tagging"]["frequent_bigrams"],
    message:
        "Draw Figure 4 of {wildcards.dataset} before and after recalibration"
    script:
        "../../scripts/figures/figure.py"


rule draw_phrases:
    input:
        phrases="results/tables/{dataset}/phrases.csv",
    output:
        figure_phrases=page(
            "results/figures/{dataset}/figure_phrases.png",
            "tagging",
            "1 Figures",
            figure="3.4 of the thesis: phrases",
        ),
        csv="results/figures/{dataset}/figure_phrases.csv",
        pdf=expand("results/figures/{{dataset}}/figure_phrases.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_phrases.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.phrases"),
        draw={"figure_phrases": "reproduction.figures.phrases:figure_phrases"},
        titles=list(PHRASE_TAGGERS.values()),
    message:
        "Draw the phrases of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_1:
    input:
        expand(
            "results/figures/{dataset}/figure_1.{end}",
            dataset=config["tagging"]["datasets"],
            end=PICTURES,
        ),
    localrule: True


rule figure_3:
    input:
        expand(
            "results/figures/{dataset}/figure_3.{end}",
            dataset=config["tagging"]["datasets"],
            end=PICTURES,
        ),
    localrule: True


rule figure_4:
    input:
        expand(
            "results/figures/{dataset}/figure_4.{end}",
            dataset=config["tagging"]["datasets"],
            end=PICTURES,
        ),
    localrule: True
