# Ablation: sections 4.1 and 4.2 of the thesis, taggers that see more and more of each word, on one tag.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, pairs of one tag), tables in results/tables/{dataset}, and Figures 4.1 to
#         4.6 of the thesis
# Steps:  train, pairs, calibration, tables, figures

from dataclasses import asdict

from reproduction.tagging.variants import comparisons

THESIS_HMMS = [name for name, each in THESIS_TAGGERS.items() if each.is_hmm]
THESIS_CRFS = [name for name, each in THESIS_TAGGERS.items() if each.method == "lbfgs"]
ADAGRAD_CRFS = [
    name for name, each in THESIS_TAGGERS.items() if each.method == "adagrad"
]
THESIS_FIGURES = {
    "HMM": "hmm_ml",
    "CRF-Basic": "crf_basic_adagrad",
    "CRF-Advanced": "crf_advanced_adagrad",
}
ABLATED = config["tagging"]["ablation"]["datasets"]
ONE_TAG_NAMES = {name: query["tag"] for name, query in ONE_TAG.items()}


rule train_thesis_crfs:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz", model=THESIS_CRFS
        ),
        selections=expand(
            "results/tagging/{{dataset}}/{model}/selection.csv", model=THESIS_CRFS
        ),
    log:
        "results/logs/train_thesis_crfs/{dataset}.log",
    conda:
        "../../envs/crf.yaml"
    resources:
        mem_mb=partial(growing, 3000),
        runtime=partial(growing, 120),
    params:
        library=library("tagging/train_ablation.py"),
        variants=[asdict(THESIS_TAGGERS[name]) for name in THESIS_CRFS],
        settings={
            "pseudocounts": config["tagging"]["pseudocounts"],
            "c2": config["tagging"]["ablation"]["c2"],
            "epochs": config["tagging"]["ablation"]["adagrad"]["epochs"],
            "step": config["tagging"]["ablation"]["adagrad"]["step"],
            "seed": config["seed"],
        },
        sentences=config["tagging"]["ablation"]["sentences"],
    message:
        "Train CRFs that see more and more of each word on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_ablation.py"


use rule train_thesis_crfs as train_thesis_hmms with:
    output:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz", model=THESIS_HMMS
        ),
        selections=expand(
            "results/tagging/{{dataset}}/{model}/selection.csv", model=THESIS_HMMS
        ),
    log:
        "results/logs/train_thesis_hmms/{dataset}.log",
    params:
        variants=[asdict(THESIS_TAGGERS[name]) for name in THESIS_HMMS],
    message:
        "Train HMMs by maximum likelihood and MAP on {wildcards.dataset}"


use rule train_thesis_crfs as train_adagrad_crfs with:
    output:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz", model=ADAGRAD_CRFS
        ),
        selections=expand(
            "results/tagging/{{dataset}}/{model}/selection.csv", model=ADAGRAD_CRFS
        ),
    log:
        "results/logs/train_adagrad_crfs/{dataset}.log",
    params:
        variants=[asdict(THESIS_TAGGERS[name]) for name in ADAGRAD_CRFS],
    message:
        "Train CRFs by AdaGrad on {wildcards.dataset}"


rule apply_thesis_taggers:
    input:
        models=expand(
            "results/tagging/{{dataset}}/{model}/model.npz", model=THESIS_TAGGERS
        ),
        test="results/corpora/{dataset}/test.conllu",
    output:
        evaluations=expand(
            "results/tagging/{{dataset}}/{model}/evaluation.json", model=THESIS_TAGGERS
        ),
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        ),
    log:
        "results/logs/apply_thesis_taggers/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/apply_thesis_taggers.py"),
        one_tag=lookup(dpath="{dataset}", within=ONE_TAG_NAMES),
    message:
        "Apply the thesis' taggers to {wildcards.dataset}"
    script:
        "../../scripts/tagging/apply_thesis_taggers.py"


rule measure_thesis_taggers:
    input:
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        ),
    output:
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/calibration.json",
            model=THESIS_TAGGERS,
        ),
    log:
        "results/logs/measure_thesis_taggers/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/measure_thesis_taggers.py"),
        bin_size=lookup(dpath="{dataset}/bin_size", within=ONE_TAG),
        samples=config["calibration"]["draws"],
        seed=config["seed"],
    message:
        "Measure the calibration of the thesis' taggers on {wildcards.dataset}"
    script:
        "../../scripts/tagging/measure_thesis_taggers.py"


rule ablation_tables:
    input:
        evaluations=expand(
            "results/tagging/{{dataset}}/{model}/evaluation.json", model=THESIS_TAGGERS
        ),
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/calibration.json",
            model=THESIS_TAGGERS,
        ),
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        ),
    output:
        page(
            "results/tables/{dataset}/ablation.html",
            "tagging",
            table="the thesis' taggers",
        ),
        page(
            "results/tables/{dataset}/ablation_comparisons.html",
            "tagging",
            table="pairs of these taggers",
        ),
        csv=[
            "results/tables/{dataset}/ablation.csv",
            "results/tables/{dataset}/ablation_comparisons.csv",
        ],
    log:
        "results/logs/tables/{dataset}/ablation.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.tagging"),
        make="reproduction.tables.tagging:ablation_tables",
        titles={name: each.title for name, each in THESIS_TAGGERS.items()},
        comparisons=comparisons(config["tagging"]["ablation"]["templates"]),
        one_tag=lookup(dpath="{dataset}", within=ONE_TAG),
        samples=config["calibration"]["draws"],
        replicates=config["tagging"]["replicates"],
        seed=config["seed"],
    message:
        "Compare the thesis' taggers on {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


# Made for those who ask for it.
rule recalibration_ablation_table:
    input:
        tables=expand(
            "results/tagging/{{dataset}}/{model}_recalibrated/errors.csv",
            model=THESIS_TAGGERS,
        ),
    output:
        page(
            "results/tables/{dataset}/recalibration_ablation.html",
            "tagging",
            caption="recalibration",
            table="recalibration_ablation",
        ),
        csv=["results/tables/{dataset}/recalibration_ablation.csv"],
    log:
        "results/logs/tables/{dataset}/recalibration_ablation.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.stacked"),
        make="reproduction.tables.stacked:of_models",
        models=list(THESIS_TAGGERS),
        title="Errors on the test set, after recalibration on the development set",
    message:
        "Tabulate the recalibration of the thesis' taggers on {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule draw_thesis:
    input:
        models="results/tables/{dataset}/ablation.csv",
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_FIGURES.values(),
        ),
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/calibration.json",
            model=THESIS_FIGURES.values(),
        ),
        evaluations=expand(
            "results/tagging/{{dataset}}/{model}/evaluation.json",
            model=THESIS_FIGURES.values(),
        ),
    output:
        figure_thesis=page(
            "results/figures/{dataset}/figure_thesis{style}.png",
            "tagging",
            "1 Figures",
            "figure_thesis",
            figure="4.1 to 4.6 of the thesis: one tag",
        ),
        figure_ablation=page(
            "results/figures/{dataset}/figure_ablation{style}.png",
            "tagging",
            "1 Figures",
            "figure_ablation",
            figure="Ablation of the CRF's templates",
        ),
        csv=[
            "results/figures/{dataset}/figure_thesis{style}.csv",
            "results/figures/{dataset}/figure_ablation{style}.csv",
        ],
        pdf=expand(
            "results/figures/{{dataset}}/{name}{{style}}.{end}",
            name=["figure_thesis", "figure_ablation"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_thesis{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.ablation"),
        draw={
            "figure_thesis": "reproduction.figures.ablation:figure_thesis",
            "figure_ablation": "reproduction.figures.ablation:figure_ablation",
        },
        nested=nested_variants(config["tagging"]["ablation"]["templates"]),
        titles=list(THESIS_FIGURES),
        one_tag=lookup(dpath="{dataset}", within=ONE_TAG),
    message:
        "Draw the thesis' taggers on {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_thesis:
    input:
        expand(
            "results/figures/{dataset}/figure_thesis.{end}",
            dataset=ABLATED,
            end=PICTURES,
        ),
    localrule: True


rule tagging:
    input:
        rules.figure_1.input,
        rules.figure_3.input,
        rules.figure_4.input,
        rules.figure_thesis.input,
        expand(
            "results/figures/{dataset}/{name}.{end}",
            dataset=config["tagging"]["datasets"],
            name=["figure_recalibration", "figure_4_recalibration"],
            end=PICTURES,
        ),
        expand(
            "results/figures/{dataset}/figure_ablation.{end}",
            dataset=ABLATED,
            end=PICTURES,
        ),
        expand(
            "results/figures/{dataset}/figure_phrases.{end}",
            dataset=PHRASE_DATASETS,
            end=PICTURES,
        ),
        expand(
            "results/tables/{dataset}/{name}.csv",
            dataset=config["tagging"]["datasets"],
            name=["taggers", "comparison", "recalibration", "tag_counts"],
        ),
        expand(
            "results/tables/{dataset}/{name}.csv",
            dataset=ABLATED,
            name=["ablation", "ablation_comparisons"],
        ),
        expand("results/tables/{dataset}/phrase_counts.csv", dataset=PHRASE_DATASETS),
    localrule: True
