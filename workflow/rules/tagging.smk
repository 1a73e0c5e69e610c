# Tagging: section 4.2 of the paper, an HMM against a CRF on part-of-speech tags; sections 4.1 and 4.2 of the thesis,
# taggers that see more and more of each word, on one tag.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, marginals, pairs and their calibration), the same of recalibrated models
#         in {model}_recalibrated/; Figures 1, 3 and 4, those of the thesis, the ablation and recalibration in
#         results/figures/{dataset}, tables in results/tables/{dataset}
# Steps:  train, exact marginals on the test set, pairs of each target (tags, bigrams, one_tag), calibration, comparison,
#         recalibration on the development set, figures

from dataclasses import asdict

from reproduction.tagging.variants import variants, nested_variants, comparisons

TAGGERS = ("hmm", "crf")
TARGETS = ("tags", "bigrams")
RECALIBRATED = tuple(f"{model}_recalibrated" for model in TAGGERS)
STAGE = "_recalibrated" if config["recalibrated"] else ""
"""The models whose predictions figures and tables are of: as they were trained, or recalibrated."""
THESIS_TAGGERS = variants(config["tagging"]["ablation"]["templates"])
THESIS_FIGURES = {
    "HMM": "hmm_ml",
    "CRF-Basic": "crf_basic_adagrad",
    "CRF-Advanced": "crf_advanced_adagrad",
}
THESIS_TARGETS = ("tags", "one_tag")


def one_tag(wildcards):
    """Return the tag that a dataset's one-tag query asks for, and the size of its bins."""
    default = config["tagging"]["ablation"]["one_tag"]
    return default | config["datasets"][wildcards.dataset].get("one_tag", {})


def of_each_tagger(file, stage=STAGE):
    return {
        model: f"results/tagging/{{dataset}}/{model}{stage}/{file}" for model in TAGGERS
    }


def of_both_stages(file):
    """Return a file of each tagger as it was trained, and recalibrated."""
    models = (*TAGGERS, *RECALIBRATED)
    return {model: f"results/tagging/{{dataset}}/{model}/{file}" for model in models}


def comparisons_of_taggers(stage):
    """Return the tables that compare the taggers, one for each target."""
    return {
        target: f"results/tagging/{{dataset}}/comparison_{target}{stage}.csv"
        for target in TARGETS
    }


def tagger_grid(wildcards):
    """Return the values of a tagger's hyperparameter to choose from."""
    return config["tagging"][{"hmm": "pseudocounts", "crf": "c2"}[wildcards.model]]


def tagger_candidates(wildcards):
    """Return the models of a tagger, one for each value of its hyperparameter."""
    return expand(
        "results/tagging/{dataset}/{model}/candidates/{value}.npz",
        dataset=wildcards.dataset,
        model=wildcards.model,
        value=tagger_grid(wildcards),
    )


def tagging_targets():
    datasets = config["tagging"]["datasets"]
    return [
        *expand(
            "results/tables/{dataset}/{table}.csv",
            dataset=datasets,
            table=("taggers", "comparison", "recalibration", "tag_counts"),
        ),
        *expand(
            "results/tagging/{dataset}/{model}{stage}/{target}/calibration.json",
            dataset=datasets,
            model=TAGGERS,
            stage=STAGE,
            target=TARGETS,
        ),
        *expand(
            "results/tables/{dataset}/ablation.csv",
            dataset=config["tagging"]["ablation"]["datasets"],
        ),
    ]


rule train_hmm:
    input:
        train="results/corpora/{dataset}/train.conllu",
    output:
        expand(
            "results/tagging/{{dataset}}/hmm/candidates/{value}.npz",
            value=config["tagging"]["pseudocounts"],
        ),
    log:
        "results/logs/tagging/{dataset}/train_hmm.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/train_hmm.py"),
        pseudocounts=config["tagging"]["pseudocounts"],
    message:
        "Train HMMs on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_hmm.py"


rule train_crf:
    input:
        train="results/corpora/{dataset}/train.conllu",
    output:
        "results/tagging/{dataset}/crf/candidates/{c2}.npz",
    log:
        "results/logs/tagging/{dataset}/train_crf_{c2}.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/train_crf_{c2}.tsv"
    conda:
        "../../envs/crf.yaml"
    resources:
        **growing(runtime=60),
    params:
        library=library("tagging/train_crf.py"),
        sentences=config["tagging"]["crf_sentences"],
        seed=config["seed"],
    message:
        "Train the CRF with c2 = {wildcards.c2} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_crf.py"


rule select_tagger:
    input:
        candidates=tagger_candidates,
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        model="results/tagging/{dataset}/{model}/model.npz",
        selection="results/tagging/{dataset}/{model}/selection.csv",
    log:
        "results/logs/tagging/{dataset}/select_{model}.log",
    wildcard_constraints:
        model="|".join(TAGGERS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/select_tagger.py"),
        values=tagger_grid,
    message:
        "Choose a hyperparameter of {wildcards.model} for {wildcards.dataset}"
    script:
        "../../scripts/tagging/select_tagger.py"


rule evaluate_candidates:
    input:
        candidates=tagger_candidates,
        selection="results/tagging/{dataset}/{model}/selection.csv",
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        "results/tagging/{dataset}/{model}/candidates.csv",
    log:
        "results/logs/tagging/{dataset}/candidates_{model}.log",
    wildcard_constraints:
        model="|".join(TAGGERS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/evaluate_candidates.py"),
        values=tagger_grid,
        bin_size=config["calibration"]["bin_size"],
    message:
        "Measure every candidate of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/evaluate_candidates.py"


rule tag_marginals:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
    log:
        "results/logs/tagging/{dataset}/{model}/marginals.log",
    wildcard_constraints:
        model="|".join((*TAGGERS, *RECALIBRATED)),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/tag_marginals.py"),
    message:
        "Compute the marginals of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/tag_marginals.py"


rule tagging_pairs:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        "results/tagging/{dataset}/{model}/{target}/pairs.parquet",
    log:
        "results/logs/tagging/{dataset}/{model}/pairs_{target}.log",
    wildcard_constraints:
        model="|".join((*TAGGERS, *RECALIBRATED)),
        target="|".join(TARGETS),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/tagging_pairs.py"),
        tag=lambda wildcards: one_tag(wildcards)["tag"],
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Make prediction-label pairs of {wildcards.model}, {wildcards.target}, on {wildcards.dataset}"
    script:
        "../../scripts/tagging/tagging_pairs.py"


rule compare_taggers:
    input:
        **of_each_tagger("model.npz", "{stage}"),
        hmm_marginals="results/tagging/{dataset}/hmm{stage}/marginals.npz",
        crf_marginals="results/tagging/{dataset}/crf{stage}/marginals.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        "results/tagging/{dataset}/comparison_{target}{stage}.csv",
        report(
            "results/tagging/{dataset}/comparison_{target}{stage}.html",
            caption="../report/comparison.rst",
            category=report_category("tagging"),
            subcategory="2 Tables",
            labels={"table": "HMM against CRF: {target}{stage}"},
        ),
    log:
        "results/logs/tagging/{dataset}/compare_{target}{stage}.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/compare_{target}{stage}.tsv"
    wildcard_constraints:
        target="|".join(TARGETS),
        stage="|_recalibrated",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/compare_taggers.py"),
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
        replicates=config["tagging"]["replicates"],
        seed=config["seed"],
        # Next to the figures' own stage the other is shown on frequent labels alone.
        bigrams=lambda wildcards: (
            None if wildcards.stage == STAGE else config["tagging"]["frequent_bigrams"]
        ),
    message:
        "Compare the taggers on {wildcards.target} of {wildcards.dataset}, label by label"
    script:
        "../../scripts/tagging/compare_taggers.py"


rule tagging_tables:
    input:
        **of_each_tagger("evaluation.json"),
        calibration=expand(
            "results/tagging/{{dataset}}/{model}{stage}/{target}/calibration.json",
            model=TAGGERS,
            stage=STAGE,
            target=TARGETS,
        ),
        comparison=expand(
            "results/tagging/{{dataset}}/comparison_{target}{stage}.csv",
            target=TARGETS,
            stage=STAGE,
        ),
    output:
        table_page("taggers", "taggers", "tagging"),
        report(
            "results/tables/{dataset}/comparison.html",
            caption="../report/comparison_counts.rst",
            category=report_category("tagging"),
            subcategory="2 Tables",
            labels={"table": "HMM against CRF"},
        ),
        taggers="results/tables/{dataset}/taggers.csv",
        comparison="results/tables/{dataset}/comparison.csv",
    log:
        "results/logs/tables/{dataset}/tagging.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/tagging_tables.py"),
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Tabulate the taggers of {wildcards.dataset}"
    script:
        "../../scripts/tagging/tagging_tables.py"


rule recalibrate_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        model="results/tagging/{dataset}/{model}_recalibrated/model.npz",
        choice="results/tagging/{dataset}/{model}_recalibrated/choice.csv",
        errors="results/tagging/{dataset}/{model}_recalibrated/errors.csv",
    log:
        "results/logs/tagging/{dataset}/recalibrate_{model}.log",
    benchmark:
        "results/benchmarks/tagging/{dataset}/recalibrate_{model}.tsv"
    wildcard_constraints:
        model="|".join((*TAGGERS, *THESIS_TAGGERS)),
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("tagging/recalibrate_tagger.py"),
        seed=config["seed"],
    message:
        "Recalibrate {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/recalibrate_tagger.py"


rule recalibration_table:
    input:
        errors=lambda wildcards: expand(
            "results/tagging/{dataset}/{model}_recalibrated/errors.csv",
            dataset=wildcards.dataset,
            model=THESIS_TAGGERS if wildcards.ablation else TAGGERS,
        ),
    output:
        report(
            "results/tables/{dataset}/recalibration{ablation}.html",
            caption="../report/recalibration.rst",
            category=report_category("tagging"),
            subcategory="2 Tables",
            labels={"table": "recalibration{ablation}"},
        ),
        csv="results/tables/{dataset}/recalibration{ablation}.csv",
    log:
        "results/logs/tables/{dataset}/recalibration{ablation}.log",
    wildcard_constraints:
        ablation="|_ablation",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/recalibration_table.py"),
        models=lambda wildcards: list(THESIS_TAGGERS if wildcards.ablation else TAGGERS),
        title="Errors on the test set, after recalibration on the development set",
    message:
        "Tabulate recalibrated taggers of {wildcards.dataset}"
    script:
        "../../scripts/tagging/recalibration_table.py"


rule tag_counts:
    input:
        **of_both_stages("model.npz"),
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        table_page("tag_counts", "tags in documents", "tagging"),
        csv="results/tables/{dataset}/tag_counts.csv",
    log:
        "results/logs/tables/{dataset}/tag_counts.log",
    benchmark:
        "results/benchmarks/tables/{dataset}/tag_counts.tsv"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/tag_counts.py"),
        models=list(TAGGERS),
        tags=config["tagging"]["counted_tags"],
    message:
        "Count tags in the documents of {wildcards.dataset}, with intervals"
    script:
        "../../scripts/tagging/tag_counts.py"


rule train_ablation:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
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
        **growing(mem_mb=3000, runtime=120),
    params:
        library=library("tagging/train_ablation.py"),
        variant=lambda wildcards: asdict(THESIS_TAGGERS[wildcards.model]),
        settings={
            "pseudocounts": config["tagging"]["pseudocounts"],
            "c2": config["tagging"]["ablation"]["c2"],
            "epochs": config["tagging"]["ablation"]["adagrad"]["epochs"],
            "step": config["tagging"]["ablation"]["adagrad"]["step"],
            "seed": config["seed"],
        },
        sentences=config["tagging"]["ablation"]["sentences"],
    message:
        "Train {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_ablation.py"


rule evaluate_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
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
    params:
        library=library("tagging/evaluate_tagger.py"),
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
            "results/tagging/{{dataset}}/{model}/{target}/calibration.json",
            model=THESIS_TAGGERS,
            target=THESIS_TARGETS,
        ),
        pairs=expand(
            "results/tagging/{{dataset}}/{model}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        ),
    output:
        report(
            "results/tables/{dataset}/ablation.html",
            caption="../report/ablation.rst",
            category=report_category("tagging"),
            subcategory="4 The thesis' taggers",
            labels={"table": "models"},
        ),
        report(
            "results/tables/{dataset}/ablation_comparisons.html",
            caption="../report/ablation_comparisons.rst",
            category=report_category("tagging"),
            subcategory="4 The thesis' taggers",
            labels={"table": "one model against another"},
        ),
        models="results/tables/{dataset}/ablation.csv",
        comparisons="results/tables/{dataset}/ablation_comparisons.csv",
    log:
        "results/logs/tables/{dataset}/ablation.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/ablation_tables.py"),
        titles={name: variant.title for name, variant in THESIS_TAGGERS.items()},
        comparisons=comparisons(config["tagging"]["ablation"]["templates"]),
        one_tag=one_tag,
        samples=config["calibration"]["draws"],
        replicates=config["tagging"]["replicates"],
        seed=config["seed"],
    message:
        "Tabulate the thesis' taggers of {wildcards.dataset}"
    script:
        "../../scripts/tagging/ablation_tables.py"
