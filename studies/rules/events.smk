# Events, further: where documents are lost, what samples miss, and who does it to whom.
#
# Needs:  the series of results/events, and the shards that they were counted from
# Makes:  results/tables/{dataset}/event_funnel.csv and event_words.csv; results/tables/events/verbs.csv;
#         results/events/{dataset}/{query}/dyads.csv with the series of the largest dyads, and a figure
# Steps:  count


from nlpcalib.systems.events.learn.files import read_model

PAIR_QUERIES = [
    name for name in CATEGORY_QUERIES if read_model(QUERIES[name].model).pairs
]
"""Queries whose model has sources and targets."""


def event_study_targets():
    """Return the tables and figures of this file."""
    targets = ["results/tables/events/verbs.csv"] if TRUE_EVENTS else []
    for name in EVENTS:
        dataset, query = Path(name).parts
        if dataset not in SYSTEM_EVENTS:
            targets.append(f"results/tables/{dataset}/event_funnel.csv")
            if query in PAIR_QUERIES:
                targets.append(f"results/figures/{dataset}/figure_dyads_{query}.png")
    return list(dict.fromkeys(targets))


rule event_funnel:
    input:
        documents=all_shards("documents/{scatteritem}.csv"),
        texts=all_shards("texts/{scatteritem}.jsonl"),
        events=all_shards("extracted/{scatteritem}.parquet"),
        candidates=all_shards("extracted/{scatteritem}.candidates.jsonl"),
        own=own_models,
    output:
        table_page("event_funnel", "documents left after each step", "events"),
        table_page("event_words", "what each word finds", "events"),
        funnel="results/tables/{dataset}/event_funnel.csv",
        words="results/tables/{dataset}/event_words.csv",
    log:
        "results/logs/event_funnel/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("events/event_funnel.py"),
        queries=event_queries,
    message:
        "Count the documents of {wildcards.dataset} that are left after each step"
    script:
        "../scripts/events/event_funnel.py"


rule verb_table:
    input:
        documents=[
            file
            for name in dict.fromkeys(Path(each).parts[0] for each in TRUE_EVENTS)
            for file in gather.events(
                f"results/events/{name}/documents/{{scatteritem}}.csv"
            )
        ],
        series=of_true_events("series.csv"),
        truth=of_true_events("truth.csv"),
        pairs=of_true_events("probabilities/pairs.parquet"),
        coverage=of_true_events("coverage.csv"),
    output:
        table_page("events/verbs", "what samples miss", "events", "event_verbs"),
        csv=["results/tables/events/verbs.csv"],
        further=[],
    log:
        "results/logs/tables/events/verbs.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "studies.events.verb_table"),
        make="studies.events.verb_table:verb_table",
        seed=config["seed"],
        names=TRUE_EVENTS,
        units=[
            config["datasets"][Path(name).parts[0]]["events"]["period"]
            for name in TRUE_EVENTS
        ],
    message:
        "Tabulate what samples miss, query by query"
    script:
        "../../scripts/tables/tables.py"


rule event_dyads:
    input:
        documents=all_shards("documents/{scatteritem}.csv"),
        dyads=all_shards("extracted/{scatteritem}.dyads.parquet"),
    output:
        **figure_outputs("figure_dyads", "events", "who does it to whom", "query"),
        document_dyads="results/events/{dataset}/{query}/dyads.csv",
        series="results/events/{dataset}/{query}/dyad_series.csv",
        comparison="results/events/{dataset}/{query}/dyad_comparison.csv",
    log:
        "results/logs/event_dyads/{dataset}_{query}.log",
    wildcard_constraints:
        query="|".join(PAIR_QUERIES) or "none",
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("events/event_dyads.py"),
        period=events_option("period"),
        number=6,
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Count {wildcards.query} dyads of {wildcards.dataset}"
    script:
        "../scripts/events/event_dyads.py"
