# Ablation: sections 4.1 and 4.2 of the thesis, HMMs against CRFs that see more and more of each word, on one tag.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, pairs and their calibration) for each of the thesis' models,
#         figure_thesis and figure_ablation in results/figures/{dataset}, two tables in results/tables/{dataset}
# Steps:  train on the same sentences, pairs of two queries (tags, one_tag), calibration, comparison, figures


rule train_ablation:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        code=code("tagging/train_ablation.py"),
    output:
        model="results/tagging/{dataset}/{model}/model.npz",
        selection="results/tagging/{dataset}/{model}/selection.csv",
    log:
        "results/logs/tagging/{dataset}/{model}/train.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/train_{model}.tsv"
    wildcard_constraints:
        model="|".join(THESIS_TAGGERS),
    conda:
        "../../envs/crf.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 3000 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        recipe=lambda wildcards: asdict(THESIS_TAGGERS[wildcards.model]),
        settings={
            "pseudocounts": config["tagging"]["pseudocounts"],
            "c2": config["tagging"]["ablation"]["c2"],
            "epochs": config["tagging"]["ablation"]["adagrad"]["epochs"],
            "step": config["tagging"]["ablation"]["adagrad"]["step"],
            "seed": config["seed"],
        },
        sentences=config["tagging"]["ablation"]["sentences"],
        bin_size=config["calibration"]["bin_size"],
    message:
        "Train {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_ablation.py"


rule evaluate_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
        code=code("tagging/evaluate_tagger.py"),
    output:
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
        tags="results/tagging/{dataset}/{model}/tags/pairs.parquet",
        one_tag="results/tagging/{dataset}/{model}/one_tag/pairs.parquet",
    log:
        "results/logs/tagging/{dataset}/{model}/evaluate.log",
    wildcard_constraints:
        model="|".join(THESIS_TAGGERS),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        tag=lambda wildcards: one_tag(wildcards)["tag"],
    message:
        "Make prediction-label pairs of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/evaluate_tagger.py"


rule ablation_tables:
    input:
        evaluations=expand(
            "results/tagging/{{dataset}}/{model}/evaluation.json", model=THESIS_TAGGERS
        ),
        calibrations=expand(
            "results/tagging/{{dataset}}/{model}/{query}/calibration.json",
            model=THESIS_TAGGERS,
            query=THESIS_QUERIES,
        ),
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        ),
        code=code("tagging/ablation_tables.py"),
    output:
        report(
            "results/tables/{dataset}/ablation.html",
            caption="../report/ablation.rst",
            category="tagging: {dataset}",
            subcategory="The thesis' taggers",
            labels={"table": "models"},
        ),
        report(
            "results/tables/{dataset}/ablation_steps.html",
            caption="../report/ablation_steps.rst",
            category="tagging: {dataset}",
            subcategory="The thesis' taggers",
            labels={"table": "one model against another"},
        ),
        models="results/tables/{dataset}/ablation.csv",
        steps="results/tables/{dataset}/ablation_steps.csv",
    log:
        "results/logs/tables/{dataset}/ablation.log",
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        titles={name: recipe.title for name, recipe in THESIS_TAGGERS.items()},
        steps=steps(config["tagging"]["ablation"]["templates"]),
        one_tag=one_tag,
        samples=config["calibration"]["samples"],
        replicates=config["tagging"]["replicates"],
        seed=config["seed"],
    message:
        "Tabulate the thesis' taggers of {wildcards.dataset}"
    script:
        "../../scripts/tagging/ablation_tables.py"


rule figure_ablation:
    input:
        models="results/tables/{dataset}/ablation.csv",
        code=code("tagging/figure_ablation.py"),
    output:
        **figure_outputs("figure_ablation", "Ablation of the CRF's templates"),
    log:
        "results/logs/figures/{dataset}/figure_ablation.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        rungs=rung_names(config["tagging"]["ablation"]["templates"]),
    message:
        "Draw the ablation of the CRF's templates on {wildcards.dataset}"
    script:
        "../../scripts/tagging/figure_ablation.py"


rule figure_thesis:
    input:
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_FIGURES.values(),
        ),
        evaluations=expand(
            "results/tagging/{{dataset}}/{model}/evaluation.json",
            model=THESIS_FIGURES.values(),
        ),
        code=code("tagging/figure_thesis.py"),
    output:
        **figure_outputs("figure_thesis", "4.1 to 4.6 of the thesis: one tag"),
    log:
        "results/logs/figures/{dataset}/figure_thesis.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        titles=list(THESIS_FIGURES),
        one_tag=one_tag,
        samples=config["calibration"]["samples"],
        seed=config["seed"],
    message:
        "Draw Figures 4.1 to 4.6 of the thesis on {wildcards.dataset}"
    script:
        "../../scripts/tagging/figure_thesis.py"
