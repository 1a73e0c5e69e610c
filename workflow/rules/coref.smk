# Coreference: the antecedent model, exact pair marginals, entity samples (paper, section 5; appendix 1 and 2).
#
# Needs:  results/corpora/{dataset}/{split}.conllu with entities, and with tags and trees unless the dataset is to be parsed
# Makes:  results/coref/{dataset}/{model}/ (model, posteriors, pairs and their calibration); Figure 5, also before and after
#         recalibration, exact next to sampled marginals, and tables of calibration and scores, also by genre;
#         results/tables/{dataset}/gap_{model}.csv for models that are trained on GAP's snippets too
# Steps:  train (as many models as folds for cross_validation), apply to held-out documents, measure, draw, tabulate;
#         cp results/coref/ontogum_parsed/packaged/with_card.npz src/nlpcalib/systems/coref/model/model.npz puts the model of
#         configs/open.yaml into the package


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
FIRST_COREF = {name: models[0] for name, models in COREF_MODELS.items()}
FIRST_COREF_FILES = {
    name: f"results/coref/{name}/{model}/model.npz"
    for name, model in FIRST_COREF.items()
}
FIRST_MENTIONS = {
    name: MENTIONS.get(model, "predicted") for name, model in FIRST_COREF.items()
}
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


rule evaluate_gap:
    input:
        models=expand(
            "results/coref/{{dataset}}/{{model}}/snippets/model_{fold}.npz",
            fold=range(GAP_FOLDS),
        ),
        snippets=lookup(dpath="{model}", within=SNIPPETS),
    output:
        page(
            "results/tables/{dataset}/gap_{model}.html",
            "coref",
            caption="gap",
            table="GAP",
        ),
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


rule measure_coref:
    input:
        pairs="results/coref/{dataset}/{model}/pairs/pairs.parquet",
        posteriors="results/coref/{dataset}/{model}/posteriors.npz",
    output:
        calibration_outputs("coref", ["results/coref/{dataset}/{model}/pairs"]),
        genres="results/coref/{dataset}/{model}/genres.csv",
        perfect="results/coref/{dataset}/{model}/perfect.csv",
        kinds="results/coref/{dataset}/{model}/kinds.csv",
    log:
        "results/logs/measure_coref/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of([*config["coref"]["models"], *FOLDED]),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("coref/measure_coref.py"),
        bin_size=config["coref"]["bin_size"],
        samples=config["calibration"]["draws"],
        replicates=config["coref"]["replicates"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of {wildcards.model} on {wildcards.dataset}, next to perfect models"
    script:
        "../../scripts/coref/measure_coref.py"


rule measure_other_coref:
    input:
        pairs="results/coref/{dataset}/{other}/pairs/pairs.parquet",
    output:
        calibration_outputs("coref", ["results/coref/{dataset}/{other}/pairs"]),
    log:
        "results/logs/measure_other_coref/{dataset}_{other}.log",
    wildcard_constraints:
        dataset=one_of(OTHER_COREF),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/measure.py"),
        bin_sizes=[config["coref"]["bin_size"]],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of {wildcards.other} on {wildcards.dataset}"
    script:
        "../../scripts/calibration/measure.py"


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


rule package_coref:
    input:
        model="results/coref/{dataset}/{model}/model.npz",
        genres="results/coref/{dataset}/{model}/genres.csv",
        calibration="results/coref/{dataset}/{model}/pairs/calibration.json",
        registry=local(shipped("workflow/corpora.csv")),
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


rule coref_tables:
    input:
        **{
            name: expand(
                f"results/coref/{{dataset}}/{{model}}/{file}",
                model=lookup(dpath="{dataset}", within=COREF_MODELS),
                allow_missing=True,
            )
            for name, file in {
                "scores": "scores.csv",
                "genres": "genres.csv",
                "calibrations": "pairs/calibration.json",
                "pairs": "pairs/pairs.parquet",
                "kinds": "kinds.csv",
                "errors": "recalibrated/errors.csv",
                "counts": "recalibrated/entity_counts.csv",
            }.items()
        },
    output:
        page("results/tables/{dataset}/coref_models.html", "coref", table="models"),
        page(
            "results/tables/{dataset}/coref_kinds.html",
            "coref",
            table="by kind of pair",
        ),
        page("results/tables/{dataset}/coref_scores.html", "coref", table="scores"),
        page("results/tables/{dataset}/coref_genres.html", "coref", table="by genre"),
        page(
            "results/tables/{dataset}/coref_recalibration.html",
            "coref",
            table="recalibration",
        ),
        page(
            "results/tables/{dataset}/entity_counts.html",
            "coref",
            table="entities in documents",
        ),
        csv=[
            "results/tables/{dataset}/coref_models.csv",
            "results/tables/{dataset}/coref_kinds.csv",
            "results/tables/{dataset}/coref_scores.csv",
            "results/tables/{dataset}/coref_genres.csv",
            "results/tables/{dataset}/coref_recalibration.csv",
            "results/tables/{dataset}/entity_counts.csv",
        ],
    log:
        "results/logs/tables/{dataset}/coref_models.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.coref"),
        make="reproduction.tables.coref:coref_tables",
        models=lookup(dpath="{dataset}", within=COREF_MODELS),
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
    message:
        "Tabulate the coreference models of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule draw_figure_5:
    input:
        pairs=expand(
            f"results/coref/{{dataset}}/{{model}}/{'recalibrated' if config['recalibrated'] else 'pairs'}/pairs.parquet",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
        others=expand(
            "results/coref/{dataset}/{other}/pairs/pairs.parquet",
            other=lookup(dpath="{dataset}", within=OTHER_COREF, default=[]),
            allow_missing=True,
        ),
        perfect=expand(
            "results/coref/{dataset}/{model}/perfect.csv",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
        before=expand(
            "results/coref/{dataset}/{model}/pairs/pairs.parquet",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
        after=expand(
            "results/coref/{dataset}/{model}/recalibrated/pairs.parquet",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
    output:
        figure_5=page(
            "results/figures/{dataset}/figure_5{style}.png",
            "coref",
            "1 Figures",
            "figure_5",
            figure="5: coreference",
        ),
        figure_coref_recalibration=page(
            "results/figures/{dataset}/figure_coref_recalibration{style}.png",
            "coref",
            "1 Figures",
            "figure_coref_recalibration",
            figure="5: after recalibration",
        ),
        csv=[
            "results/figures/{dataset}/figure_5{style}.csv",
            "results/figures/{dataset}/figure_coref_recalibration{style}.csv",
        ],
        pdf=expand(
            "results/figures/{{dataset}}/{name}{{style}}.{end}",
            name=["figure_5", "figure_coref_recalibration"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_5{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.coref"),
        draw={
            "figure_5": "reproduction.figures.coref:figure_5",
            "figure_coref_recalibration": "reproduction.figures.coref:figure_coref_recalibration",
        },
        models=lookup(dpath="{dataset}", within=COREF_MODELS),
        names=lookup(dpath="{dataset}", within=OTHER_COREF, default=[]),
        bin_size=config["coref"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
    message:
        "Draw Figure 5 of {wildcards.dataset}, also before and after recalibration"
    script:
        "../../scripts/figures/figure.py"


rule draw_sampling:
    input:
        model=lookup(dpath="{dataset}", within=FIRST_COREF_FILES),
        documents=annotated(HELD_OUT_SPLIT),
    output:
        figure_sampling=page(
            "results/figures/{dataset}/figure_sampling.png",
            "coref",
            "1 Figures",
            figure="Exact marginals and samples",
        ),
        csv="results/figures/{dataset}/figure_sampling.csv",
        pdf=expand("results/figures/{{dataset}}/figure_sampling.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_sampling.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.coref"),
        draw={"figure_sampling": "reproduction.figures.coref:figure_sampling"},
        mentions=lookup(dpath="{dataset}", within=FIRST_MENTIONS),
        samples=config["coref"]["samples"],
        seed=config["seed"],
    message:
        "Draw exact marginals next to samples of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_5:
    input:
        expand(
            "results/figures/{dataset}/figure_5.{end}",
            dataset=config["coref"]["datasets"],
            end=PICTURES,
        ),
    localrule: True


rule coref:
    input:
        rules.figure_5.input,
        expand(
            "results/figures/{dataset}/{name}.{end}",
            dataset=config["coref"]["datasets"],
            name=["figure_coref_recalibration", "figure_sampling"],
            end=PICTURES,
        ),
        expand(
            "results/tables/{dataset}/coref_models.csv",
            dataset=config["coref"]["datasets"],
        ),
        [
            f"results/coref/{dataset}/packaged/with_card.npz"
            for dataset in config["coref"]["datasets"]
            if "packaged" in COREF_MODELS[dataset]
        ],
        [
            f"results/tables/{dataset}/gap_{model}.csv"
            for dataset in config["coref"]["datasets"]
            for model in COREF_MODELS[dataset]
            if model in SNIPPETS
        ],
    localrule: True
