# Explorer: pages to explore predictions and events in.
#
# Needs:  tables of pairs of any chapter, tables of the user's own, and the events of results/events
# Makes:  explorer.html next to them (results/predictions/{name} for the user's own tables)
# Steps:  one page for each table of pairs, and for each query of events


def explorer_targets():
    """Return a page for each calibrated table of Figures 2, 3 and 5, for each query of events, and the user's tables."""
    models = {"sentiment": CLASSIFIERS, "tagging": TAGGERS}
    targets = {"sentiment": "happy", "tagging": "tags", "coref": "pairs"}
    pages = [
        f"results/{chapter}/{dataset}/{model}/{target}/explorer.html"
        for chapter, target in targets.items()
        for dataset in config[chapter]["datasets"]
        for model in models.get(chapter) or config["datasets"][dataset]["coref"]
    ]
    pages += expand("results/events/{name}/explorer.html", name=AUDITED)
    return pages + expand(
        "results/predictions/{name}/explorer.html", name=config["predictions"]
    )


EACH_MODEL = {
    "chapter": None,  # that of the wildcard
    "subcategory": "3 Each model",
    "model": "{model}",
    "target": "{target}",
}
EACH_TABLE = {"chapter": "predictions", "subcategory": None, "table": "{name}"}
"""Where the report has pages, and their labels: of a chapter's models, and of a user's predictions."""


rule explore_pairs:
    input:
        pairs="results/{chapter}/{dataset}/{model}/{target}/pairs.parquet",
    output:
        page=page(
            "results/{chapter}/{dataset}/{model}/{target}/explorer.html",
            **EACH_MODEL,
            shows="explorer",
        ),
    log:
        "results/logs/explore_pairs/{chapter}_{dataset}_{model}_{target}.log",
    wildcard_constraints:
        chapter="sentiment|tagging|coref",
    localrule: True
    conda:
        "../../envs/explorer.yaml"
    params:
        library=study_library("explorer/explore_pairs.py"),
        seed=config["seed"],
        title="{model} on {target} of {dataset}",
    message:
        "Write a page to explore {wildcards.model} on {wildcards.target} of {wildcards.dataset} in"
    script:
        "../scripts/explorer/explore_pairs.py"


use rule explore_pairs as explore_predictions with:
    input:
        pairs=lambda wildcards: user_file(config["predictions"][wildcards.name]["path"]),
    output:
        page=page(
            "results/predictions/{name}/explorer.html",
            **EACH_TABLE,
            shows="explorer",
        ),
    log:
        "results/logs/explore_predictions/{name}.log",
    params:
        title="{name}",
    message:
        "Write a page to explore the predictions {wildcards.name} in"


rule explore_events:
    input:
        documents="results/events/{dataset}/{query}/document_events.csv",
        events="results/events/{dataset}/{query}/events.csv",
        pairs=branch(
            partial(of_dataset, IS_SIMULATED),
            then=["results/events/{dataset}/{query}/probabilities/pairs.parquet"],
        ),
    output:
        page=page(
            "results/events/{dataset}/{query}/explorer.html",
            "events",
            query="{query}",
            shows="explorer",
        ),
    log:
        "results/logs/explore_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/explorer.yaml"
    params:
        library=study_library("explorer/explore_events.py"),
        seed=config["seed"],
        title="{query} events of {dataset}",
        period=partial(events_option, "period"),
    message:
        "Write a page to explore {wildcards.query} events of {wildcards.dataset} in"
    script:
        "../scripts/explorer/explore_events.py"
