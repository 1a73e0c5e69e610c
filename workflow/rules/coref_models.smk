# Coreference models: an antecedent model that is trained, applied and recalibrated, and systems of the user's.
#
# Needs:  results/corpora/{dataset}/{split}.conllu with entities, and with tags and trees unless the dataset is to be parsed
# Makes:  results/coref/{dataset}/{model}/ (model, posteriors, pairs, the same recalibrated); coref.smk measures them
# Steps:  train (as many models as folds for cross_validation), apply to held-out documents, recalibrate on others


GAP_FOLDS = 2
HELD_OUT_SPLIT = config["coref"]["held_out"]
TUNING = "test" if HELD_OUT_SPLIT == "dev" else "dev"
"""The split on which clusters are cut and models recalibrated, which is not that of the evaluation."""
COREF_MODELS = {
    name: config["datasets"][name]["coref"]
    for name in config["datasets"]
    if "coref" in config["datasets"][name]
}
"""The coreference models of a dataset, the one that its figures are about first."""
if without_models := [
    name for name in config["coref"]["datasets"] if name not in COREF_MODELS
]:
    raise WorkflowError(
        f"datasets.{without_models[0]}.coref: found none, expected models"
    )
OTHER_COREF = OTHERS["coref"]
SNIPPETS = {
    model: [f"results/coref/snippets/{options['snippets']}.conllu"]
    for model, options in config["coref"]["models"].items()
    if "snippets" in options
}
"""The files of parsed snippets that a coreference model is trained on as well."""
MENTIONS = {
    model: options.get("mentions", "predicted")
    for model, options in config["coref"]["models"].items()
}
"""Whether a coreference model is given predicted or gold mentions."""
TREES = {
    name: f"results/{'parsing' if dataset.get('parsed') else 'corpora'}/{name}"
    for name, dataset in config["datasets"].items()
}
"""Where a dataset's documents have trees, its own or the parser's."""
FOLDED = {"cross_validation": True}
"""Of models, the one that is one for each fold of all documents."""


def annotated(*splits):
    """Return an input function: splits of a dataset with its own trees, or with the parser's."""
    return expand(
        "{folder}/{split}.conllu",
        folder=lookup(dpath="{dataset}", within=TREES),
        split=splits,
    )


coref_held_out = branch(
    lookup(dpath="{model}", within=FOLDED, default=False),
    then=annotated(*SPLITS),
    otherwise=annotated(HELD_OUT_SPLIT),
)
"""The documents that a model is applied to: the test set, or those of all folds."""
coref_trained = branch(
    lookup(dpath="{model}", within=FOLDED, default=False),
    then=expand(
        "results/coref/{{dataset}}/{{model}}/model_{fold}.npz",
        fold=range(config["coref"]["folds"]),
    ),
    otherwise="results/coref/{dataset}/{model}/model.npz",
)
"""The model, or those of all folds."""


rule prepare_gap:
    input:
        archive="results/corpora/archives/{corpus}.zip",
        model=PARSER_FILES.get(config["parsing"]["model"], []),
    output:
        documents="results/coref/snippets/{corpus}.conllu",
    log:
        "results/logs/prepare_gap/{corpus}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("coref/prepare_gap.py"),
        parser=config["parsing"]["model"],
    message:
        "Parse the snippets of {wildcards.corpus}"
    script:
        "../../scripts/coref/prepare_gap.py"


rule train_coref:
    input:
        documents=annotated("train"),
        tuning=annotated(TUNING),
        snippets=lookup(dpath="{model}", within=SNIPPETS, default=[]),
    output:
        model="results/coref/{dataset}/{model}/model.npz",
    log:
        "results/logs/train_coref/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of(config["coref"]["models"]),
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=partial(growing, 6000),
    params:
        library=library("coref/train_coref.py"),
        settings=lookup(dpath="{model}", within=config["coref"]["models"]),
        l2=config["coref"]["l2"],
        iterations=config["coref"]["iterations"],
        folds=0,
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
        snippet_folds=GAP_FOLDS,
    message:
        "Train the coreference model {wildcards.model} on {wildcards.dataset} without snippets of fold {wildcards.fold}"


use rule train_coref as train_coref_fold with:
    input:
        documents=annotated(*SPLITS),
    output:
        model="results/coref/{dataset}/cross_validation/model_{fold}.npz",
    log:
        "results/logs/train_coref_fold/{dataset}_{fold}.log",
    params:
        settings={},
        folds=config["coref"]["folds"],
    message:
        "Train a coreference model on {wildcards.dataset} without fold {wildcards.fold}"


rule apply_coref:
    input:
        models=coref_trained,
        documents=coref_held_out,
    output:
        posteriors="results/coref/{dataset}/{model}/posteriors.npz",
        pairs="results/coref/{dataset}/{model}/pairs/pairs.parquet",
        scores="results/coref/{dataset}/{model}/scores.csv",
    log:
        "results/logs/apply_coref/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of([*config["coref"]["models"], *FOLDED]),
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=partial(growing, 4000),
    params:
        library=library("coref/apply_coref.py"),
        mentions=lookup(dpath="{model}", within=MENTIONS, default="predicted"),
    message:
        "Apply the coreference model {wildcards.model} to held-out documents of {wildcards.dataset}"
    script:
        "../../scripts/coref/apply_coref.py"


rule read_coref:
    input:
        predictions=partial(file_of_other, "coref"),
    output:
        pairs="results/coref/{dataset}/{other}/pairs/pairs.parquet",
    log:
        "results/logs/read_coref/{dataset}_{other}.log",
    wildcard_constraints:
        dataset=one_of(OTHER_COREF),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("coref/read_coref.py"),
    message:
        "Read the pairs of mentions of the system {wildcards.other} in {wildcards.dataset}"
    script:
        "../../scripts/coref/read_coref.py"


rule recalibrate_coref:
    input:
        models=coref_trained,
        dev=branch(
            lookup(dpath="{model}", within=FOLDED, default=False),
            then=[],
            otherwise=annotated(TUNING),
        ),
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
        mem_mb=partial(growing, 4000),
    params:
        library=library("coref/recalibrate_coref.py"),
        mentions=lookup(dpath="{model}", within=MENTIONS, default="predicted"),
    message:
        "Recalibrate the coreference model {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/coref/recalibrate_coref.py"
