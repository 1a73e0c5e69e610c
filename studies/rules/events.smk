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
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        texts=partial(all_shards, "results/events/{dataset}/texts/{scatteritem}.jsonl"),
        events=partial(
            all_shards, "results/events/{dataset}/extracted/{scatteritem}.parquet"
        ),
        candidates=partial(
            all_shards,
            "results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        ),
        own=partial(of_dataset, OWN_MODELS),
    output:
        page(
            "results/tables/{dataset}/event_funnel.html",
            "events",
            table="documents left after each step",
        ),
        page(
            "results/tables/{dataset}/event_words.html",
            "events",
            table="what each word finds",
        ),
        funnel="results/tables/{dataset}/event_funnel.csv",
        words="results/tables/{dataset}/event_words.csv",
    log:
        "results/logs/event_funnel/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("events/event_funnel.py"),
        queries=partial(of_dataset, PARSED_QUERIES),
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
        series=expand("results/events/{name}/series.csv", name=TRUE_EVENTS),
        truth=expand("results/events/{name}/truth.csv", name=TRUE_EVENTS),
        pairs=expand(
            "results/events/{name}/probabilities/pairs.parquet", name=TRUE_EVENTS
        ),
        coverage=expand("results/events/{name}/coverage.csv", name=TRUE_EVENTS),
    output:
        page(
            "results/tables/events/verbs.html",
            "events",
            caption="event_verbs",
            table="what samples miss",
        ),
        csv=["results/tables/events/verbs.csv"],
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
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        dyads=partial(
            all_shards,
            "results/events/{dataset}/extracted/{scatteritem}.dyads.parquet",
        ),
    output:
        figure_dyads=page(
            "results/figures/{dataset}/figure_dyads_{query}.png",
            "events",
            "1 Figures",
            "figure_dyads",
            query="{query}",
            figure="who does it to whom",
        ),
        figure_dyads_csv="results/figures/{dataset}/figure_dyads_{query}.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_dyads_{{query}}.{end}", end=PRINTED
        ),
        document_dyads="results/events/{dataset}/{query}/dyads.csv",
        series="results/events/{dataset}/{query}/dyad_series.csv",
        comparison="results/events/{dataset}/{query}/dyad_comparison.csv",
    log:
        "results/logs/event_dyads/{dataset}_{query}.log",
    wildcard_constraints:
        query=one_of(PAIR_QUERIES),
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("events/event_dyads.py"),
        period=partial(events_option, "period"),
        number=6,
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
    message:
        "Count {wildcards.query} dyads of {wildcards.dataset}"
    script:
        "../scripts/events/event_dyads.py"
