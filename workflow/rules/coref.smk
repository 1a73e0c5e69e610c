# Coreference: exact pair marginals and entity samples of antecedent models (paper, section 5; appendix 1 and 2).
#
# Needs:  results/coref/{dataset}/{model}/ (model, posteriors, pairs, the same recalibrated), of coref_models.smk
# Makes:  the calibration of each model's pairs; Figure 5, also before and after recalibration, exact next to sampled
#         marginals, and tables of calibration and scores, also by genre; results/tables/{dataset}/gap_{model}.csv for models
#         that are trained on GAP's snippets too
# Steps:  measure, draw, tabulate;
#         cp results/coref/ontogum_parsed/packaged/with_card.npz src/nlpcalib/systems/coref/model/model.npz puts the model of
#         configs/open.yaml into the package


FIRST_COREF = {name: models[0] for name, models in COREF_MODELS.items()}
FIRST_COREF_FILES = {
    name: f"results/coref/{name}/{model}/model.npz"
    for name, model in FIRST_COREF.items()
}
FIRST_MENTIONS = {
    name: MENTIONS.get(model, "predicted") for name, model in FIRST_COREF.items()
}
SHOWN_COREF = "recalibrated" if config["recalibrated"] else "pairs"
"""The pairs that Figure 5 is of: of the models as they were trained, or recalibrated."""


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


rule measure_coref:
    input:
        pairs="results/coref/{dataset}/{model}/{table}/pairs.parquet",
    output:
        calibration_outputs("coref", ["results/coref/{dataset}/{model}/{table}"]),
    log:
        "results/logs/measure_coref/{dataset}_{model}_{table}.log",
    wildcard_constraints:
        table="pairs|recalibrated",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/measure.py"),
        bin_size=config["coref"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of the {wildcards.table} of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/calibration/measure.py"


rule measure_perfect_coref:
    input:
        posteriors="results/coref/{dataset}/{model}/posteriors.npz",
    output:
        genres="results/coref/{dataset}/{model}/genres.csv",
        perfect="results/coref/{dataset}/{model}/perfect.csv",
        kinds="results/coref/{dataset}/{model}/kinds.csv",
    log:
        "results/logs/measure_perfect_coref/{dataset}_{model}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("coref/measure_perfect_coref.py"),
        bin_size=config["coref"]["bin_size"],
        replicates=config["coref"]["replicates"],
        seed=config["seed"],
    message:
        "Measure {wildcards.model} on {wildcards.dataset} next to perfect models, by genre and kind of pair"
    script:
        "../../scripts/coref/measure_perfect_coref.py"


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
            f"results/coref/{{dataset}}/{{model}}/{SHOWN_COREF}/pairs.parquet",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
        calibrations=expand(
            f"results/coref/{{dataset}}/{{model}}/{SHOWN_COREF}/calibration.json",
            model=lookup(dpath="{dataset}", within=COREF_MODELS),
            allow_missing=True,
        ),
        other_pairs=expand(
            "results/coref/{dataset}/{other}/pairs/pairs.parquet",
            other=lookup(dpath="{dataset}", within=OTHER_COREF, default=[]),
            allow_missing=True,
        ),
        other_calibrations=expand(
            "results/coref/{dataset}/{other}/pairs/calibration.json",
            other=lookup(dpath="{dataset}", within=OTHER_COREF, default=[]),
            allow_missing=True,
        ),
        perfect=expand(
            "results/coref/{dataset}/{model}/perfect.csv",
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
        csv="results/figures/{dataset}/figure_5{style}.csv",
        pdf=expand("results/figures/{{dataset}}/figure_5{{style}}.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_5{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.coref"),
        draw={"figure_5": "reproduction.figures.coref:figure_5"},
        models=lookup(dpath="{dataset}", within=COREF_MODELS),
        names=lookup(dpath="{dataset}", within=OTHER_COREF, default=[]),
    message:
        "Draw Figure 5 of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule draw_coref_recalibration:
    input:
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
        figure_coref_recalibration=page(
            "results/figures/{dataset}/figure_coref_recalibration.png",
            "coref",
            "1 Figures",
            "figure_coref_recalibration",
            figure="5: after recalibration",
        ),
        csv="results/figures/{dataset}/figure_coref_recalibration.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_coref_recalibration.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_coref_recalibration.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.coref"),
        draw={
            "figure_coref_recalibration": "reproduction.figures.coref:figure_coref_recalibration",
        },
        models=lookup(dpath="{dataset}", within=COREF_MODELS),
        bin_size=config["coref"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
    message:
        "Draw Figure 5 of {wildcards.dataset} before and after recalibration"
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
