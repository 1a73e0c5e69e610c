# Coreference: the antecedent model, exact pair marginals, entity samples (paper, section 5; appendix 1 and 2).
#
# Needs:  results/corpora/{dataset}/{split}.conllu with entities, and with tags and trees unless the dataset is to be parsed
# Makes:  results/coref/{dataset}/{model}/model.npz and pairs/pairs.parquet; Figure 5, also before and after recalibration,
#         exact next to sampled marginals, and tables of calibration and scores, also by genre;
#         results/tables/{dataset}/gap_{model}.csv for models that are trained on GAP's snippets too
# Steps:  train (as many models as folds for cross_validation), apply to held-out documents, draw, tabulate;
#         cp results/coref/ontogum_parsed/packaged/with_card.npz src/nlpcalib/systems/coref/model/model.npz puts the model of
#         configs/open.yaml into the package


GAP_FOLDS = 2
TUNING = "test" if config["coref"]["held_out"] == "dev" else "dev"
"""The split on which clusters are cut and models recalibrated, which is not that of the evaluation."""


def coref_file(dataset, model, file):
    return f"results/coref/{dataset}/{model}/{file}"


def coref_models(wildcards):
    """Return the coreference models of a dataset, the one that its figures are about first."""
    dataset = config["datasets"][wildcards.dataset]
    if "coref" not in dataset:
        raise WorkflowError(
            f"datasets.{wildcards.dataset}.coref: found none, expected models"
        )
    return dataset["coref"]


of_each_coref_model = partial(of_each, "coref", coref_models)


def annotated(*splits):
    """Return an input function: splits of a dataset with its own trees, or with the parser's."""

    def files(wildcards):
        parsed = config["datasets"][wildcards.dataset].get("parsed")
        folder = f"results/{'parsing' if parsed else 'corpora'}/{{dataset}}"
        return [f"{folder}/{split}.conllu" for split in splits]

    return files


def is_cross_validated(wildcards):
    """Return whether a model is one for each fold of all documents."""
    return wildcards.model == "cross_validation"


coref_held_out = branch(
    is_cross_validated,
    then=annotated(*SPLITS),
    otherwise=annotated(config["coref"]["held_out"]),
)
"""The documents that a model is applied to: the test set, or those of all folds."""
coref_trained = branch(
    is_cross_validated,
    then=expand(
        coref_file("{dataset}", "{model}", "model_{fold}.npz"),
        fold=range(config["coref"]["folds"]),
        allow_missing=True,
    ),
    otherwise=["results/coref/{dataset}/{model}/model.npz"],
)
"""The model, or those of all folds."""


def coref_mentions(model):
    """Return whether a coreference model is given predicted or gold mentions."""
    return config["coref"]["models"].get(model, {}).get("mentions", "predicted")


def coref_snippets(model):
    """Return the file of parsed snippets that a coreference model is trained on as well, if there are any."""
    corpus = config["coref"]["models"].get(model, {}).get("snippets")
    return [f"results/coref/snippets/{corpus}.conllu"] if corpus else []


def coref_targets():
    targets = []
    for dataset in config["coref"]["datasets"]:
        models = config["datasets"][dataset]["coref"]
        if "packaged" in models:
            targets.append(coref_file(dataset, "packaged", "with_card.npz"))
        targets += [
            f"results/tables/{dataset}/gap_{model}.csv"
            for model in filter(coref_snippets, models)
        ]
    return targets


rule prepare_gap:
    input:
        archive=lambda wildcards: archive(wildcards.corpus),
        model=parser_file(config["parsing"]["model"]),
    output:
        documents="results/coref/snippets/{corpus}.conllu",
    log:
        "results/logs/prepare_gap/{corpus}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("coref/prepare_gap.py"),
        model=lambda wildcards, input: input.model or config["parsing"]["model"],
    message:
        "Parse the snippets of {wildcards.corpus}"
    script:
        "../../scripts/coref/prepare_gap.py"


rule train_coref:
    input:
        documents=annotated("train"),
        tuning=annotated(TUNING),
        snippets=lambda wildcards: coref_snippets(wildcards.model),
    output:
        model="results/coref/{dataset}/{model}/model.npz",
    log:
        "results/logs/train_coref/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(config["coref"]["models"]),
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=6000),
    params:
        library=library("coref/train_coref.py"),
        settings=lambda wildcards: config["coref"]["models"][wildcards.model],
        l2=config["coref"]["l2"],
        iterations=config["coref"]["iterations"],
        fold=None,
    message:
        "Train the coreference model {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/coref/train_coref.py"


use rule train_coref as train_coref_without_snippets with:
    output:
        model="results/coref/{dataset}/{model}/snippets/model_{fold}.npz",
    log:
        "results/logs/train_coref_without_snippets/{dataset}_{fold}_{model}.log",
    params:
        snippets_without=lambda wildcards: (int(wildcards.fold), GAP_FOLDS),
    message:
        "Train the coreference model {wildcards.model} on {wildcards.dataset} without snippets of fold {wildcards.fold}"


rule evaluate_gap:
    input:
        models=lambda wildcards: expand(
            "results/coref/{{dataset}}/{{model}}/snippets/model_{fold}.npz",
            fold=range(GAP_FOLDS),
        ),
        snippets=lambda wildcards: coref_snippets(wildcards.model),
    output:
        table_page("gap_{model}", "GAP", "coref", "gap"),
        csv="results/tables/{dataset}/gap_{model}.csv",
    log:
        "results/logs/evaluate_gap/{dataset}_{model}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("coref/evaluate_gap.py"),
        bin_size=200,
    message:
        "Answer GAP's questions by the coreference model {wildcards.model} of {wildcards.dataset}"
    script:
        "../../scripts/coref/evaluate_gap.py"


use rule train_coref as train_coref_fold with:
    input:
        documents=annotated(*SPLITS),
    output:
        model="results/coref/{dataset}/cross_validation/model_{fold}.npz",
    log:
        "results/logs/train_coref_fold/{dataset}_{fold}.log",
    params:
        settings={},
        fold=lambda wildcards: (int(wildcards.fold), config["coref"]["folds"]),
    message:
        "Train a coreference model on {wildcards.dataset} without fold {wildcards.fold}"


rule evaluate_coref:
    input:
        models=coref_trained,
        documents=coref_held_out,
    output:
        calibration_outputs(
            "results/coref/{dataset}/{model}/pairs",
            "coref",
            model="{model}",
            target="pairs",
        ),
        pairs="results/coref/{dataset}/{model}/pairs/pairs.parquet",
        scores="results/coref/{dataset}/{model}/scores.csv",
        genres="results/coref/{dataset}/{model}/genres.csv",
        perfect="results/coref/{dataset}/{model}/perfect.csv",
        kinds="results/coref/{dataset}/{model}/kinds.csv",
    log:
        "results/logs/evaluate_coref/{dataset}_{model}.log",
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000),
    params:
        library=library("coref/evaluate_coref.py"),
        seed=config["seed"],
        mentions=lambda wildcards: coref_mentions(wildcards.model),
        bin_size=config["coref"]["bin_size"],
        samples=config["calibration"]["draws"],
        replicates=config["coref"]["replicates"],
    message:
        "Apply the coreference model {wildcards.model} to held-out documents of {wildcards.dataset}"
    script:
        "../../scripts/coref/evaluate_coref.py"


rule recalibrate_coref:
    input:
        models=coref_trained,
        dev=branch(is_cross_validated, then=[], otherwise=annotated(TUNING)),
        documents=coref_held_out,
    output:
        pairs="results/coref/{dataset}/{model}/recalibrated/pairs.parquet",
        table="results/coref/{dataset}/{model}/recalibrated/errors.csv",
        counts="results/coref/{dataset}/{model}/recalibrated/entity_counts.csv",
    log:
        "results/logs/recalibrate_coref/{dataset}_{model}.log",
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000),
    params:
        library=library("coref/recalibrate_coref.py"),
        mentions=lambda wildcards: coref_mentions(wildcards.model),
    message:
        "Recalibrate the coreference model {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/coref/recalibrate_coref.py"


rule package_coref:
    input:
        model="results/coref/{dataset}/{model}/model.npz",
        genres="results/coref/{dataset}/{model}/genres.csv",
        calibration="results/coref/{dataset}/{model}/pairs/calibration.json",
        registry=local("workflow/corpora.csv"),
    output:
        packaged="results/coref/{dataset}/{model}/with_card.npz",
    log:
        "results/logs/package_coref/{dataset}_{model}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("coref/package_coref.py"),
        corpus=lookup(dpath="datasets/{dataset}/corpus", within=config, default=None),
        parsed=lookup(dpath="datasets/{dataset}/parsed", within=config, default=False),
    message:
        "Complete the card of the coreference model {wildcards.model} of {wildcards.dataset}"
    script:
        "../../scripts/coref/package_coref.py"
