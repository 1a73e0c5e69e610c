# Bin size: the calibration error of each chapter's models against the size of bins.
#
# Needs:  the pairs of the chapters' models
# Makes:  results/figures/{dataset}/figure_bin_size_{models}.png
# Steps:  measure with bins of many sizes and draw, one job for the models of a dataset


MODELS_OF_BIN_SIZE = {
    "sentiment": config["sentiment"]["datasets"],
    "tagging": config["tagging"]["datasets"],
    "ablation": ABLATED,
    "coref": config["coref"]["datasets"],
}
"""The models whose error is drawn against bin size, and the datasets that have them."""
PAIRS_OF_BIN_SIZE = {
    "sentiment": {
        name: [
            f"results/sentiment/{name}/{model}/happy/pairs.parquet" for model in models
        ]
        for name, models in SHOWN_CLASSIFIERS.items()
    },
    "tagging": {
        name: expand(
            f"results/tagging/{name}/{{model}}/{{target}}/pairs.parquet",
            model=SHOWN,
            target=TARGETS,
        )
        for name in config["tagging"]["datasets"]
    },
    "ablation": {
        name: expand(
            f"results/tagging/{name}/{{model}}/one_tag/pairs.parquet",
            model=THESIS_TAGGERS,
        )
        for name in ABLATED
    },
    "coref": {
        name: [f"results/coref/{name}/{model}/pairs/pairs.parquet" for model in models]
        for name, models in COREF_MODELS.items()
    },
}
SIZE_OF_BINS = {
    "sentiment": dict.fromkeys(
        config["sentiment"]["datasets"], config["sentiment"]["bin_size"]
    ),
    "tagging": dict.fromkeys(
        config["tagging"]["datasets"], config["calibration"]["bin_size"]
    ),
    # One tag has few pairs, so its bins are small.
    "ablation": {name: ONE_TAG[name]["bin_size"] for name in ABLATED},
    "coref": dict.fromkeys(COREF_MODELS, config["coref"]["bin_size"]),
}


rule draw_bin_size:
    input:
        pairs=lookup(dpath="{models}/{dataset}", within=PAIRS_OF_BIN_SIZE),
    output:
        figure_bin_size=page(
            "results/figures/{dataset}/figure_bin_size_{models}.png",
            "bin_size",
            "1 Figures",
            "figure_bin_size",
            models="{models}",
            figure="Bin size",
        ),
        csv="results/figures/{dataset}/figure_bin_size_{models}.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_bin_size_{{models}}.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_bin_size_{models}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.bin_size"),
        draw={"figure_bin_size": "reproduction.figures.bin_size:figure_bin_size"},
        title="{dataset}: {models}",
        bin_size=lookup(dpath="{models}/{dataset}", within=SIZE_OF_BINS),
        seed=config["seed"],
    message:
        "Draw the error of {wildcards.models} models of {wildcards.dataset} against bin size"
    script:
        "../../scripts/figures/figure.py"


rule bin_sizes:
    input:
        [
            f"results/figures/{dataset}/figure_bin_size_{models}.{end}"
            for models, datasets in MODELS_OF_BIN_SIZE.items()
            for dataset in datasets
            for end in PICTURES
        ],
    localrule: True
