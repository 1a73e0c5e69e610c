# Events: from dated news to time series with honest uncertainty (paper, section 6; appendix 3 and 4).
#
# Needs:  dated documents: simulated reports, a corpus of the registry, an installed package, or a file of the user's; a parser
#         and a coreference model, those in the package unless the dataset names others
# Makes:  results/events/{dataset}/{query}/series.csv, events.csv and comparison.csv; Figure 6, a small panel for each country,
#         two countries compared, and audit.html; with simulated reports, how often intervals hold the true counts
# Steps:  read or simulate and select what can matter, parse, resolve and extract in shards; count, draw


from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, SOURCES
from nlpcalib.events.read.query import Query
from reproduction.events.country_tables import TABLES_OF_THE_REGISTRY

LEXICONS = (*SOURCES, *TABLES_OF_THE_REGISTRY)
"""The names of country tables that are not files of the user's."""

QUERIES = {
    name: Query.from_mapping({"name": name, **query})
    for name, query in config["events"]["queries"].items()
}
OWN_MODELS = {
    name: user_file(query["model"])
    for name, query in config["events"]["queries"].items()
    if "model" in query
}
CATEGORY_QUERIES = [name for name, query in QUERIES.items() if query.model]
"""Queries that a model reads, without trees and links."""


def dataset_queries(dataset):
    """Return the names of the queries that are asked of a dated dataset."""
    return config["datasets"][dataset]["events"].get("queries", list(QUERIES))


EVENTS = [
    f"{dataset}/{query}"
    for dataset in config["events"]["datasets"]
    for query in dataset_queries(dataset)
]
SYSTEM_EVENTS = [
    name
    for name, dataset in config["datasets"].items()
    if "system_events" in dataset.get("events", {})
]
"""Datasets whose events another system found."""
TRUE_EVENTS = [name for name in EVENTS if dataset_format(Path(name).parts[0]).simulated]
AUDITED = [
    name
    for name in EVENTS
    if Path(name).parts[0] not in SYSTEM_EVENTS
    and Path(name).parts[1] not in CATEGORY_QUERIES
]
"""Those of which sentences are drawn to annotate in context."""


def events_option(key, default=None):
    """Return a params function that looks an option of how events are counted in a dataset up."""
    return lambda wildcards: config["datasets"][wildcards.dataset]["events"].get(
        key, default
    )


def appendix_series(wildcards):
    """Return the period and the number of countries of appendix 4: it is by month where Figure 6 is by quarter."""
    period = events_option("period")(wildcards)
    return {
        "period": "month" if period == "quarter" else period,
        "countries": config["events"]["countries"],
    }


def named_query(name):
    """Return a query as the library reads it."""
    return {"name": name, **config["events"]["queries"][name]}


def parsed_queries(dataset):
    """Return the queries that documents are selected for: none where leads are coded, so that all are parsed."""
    coded = dataset in config["extraction_eval"]["datasets"]
    return [] if coded else list(map(named_query, dataset_queries(dataset)))


event_queries = lambda wildcards: parsed_queries(wildcards.dataset)
event_parser = events_option("parser")


def own_models(wildcards):
    """Return the files of the user's own models that read a dataset."""
    return [
        OWN_MODELS[query]
        for query in dataset_queries(wildcards.dataset)
        if query in OWN_MODELS
    ]


def read_by(models):
    """Return an input condition: whether a dataset has queries of categories, which models read, or else of verbs."""
    return lambda wildcards: any(
        (query in CATEGORY_QUERIES) == models
        for query in dataset_queries(wildcards.dataset)
    )


def has_trees(wildcards):
    """Return whether a dataset is taken with the trees that its reports were written with."""
    return event_parser(wildcards) == "gold"


parsed_news = branch(
    has_trees,
    then="results/events/{dataset}/reports/{scatteritem}.conllu",
    otherwise="results/events/{dataset}/parsed/{scatteritem}.conllu",
)


def number_of_trees(wildcards):
    """Return how many trees of a sentence are sampled, 1 where the best tree or the right one is taken."""
    return 1 if has_trees(wildcards) else events_option("trees", 10)(wildcards)


def event_samples(wildcards):
    """Return how many samples of entities a document gets, as many with each of its trees."""
    trees = number_of_trees(wildcards)
    return -(-config["events"]["samples"] // trees) * trees


plain_news = branch(
    is_simulated,
    then="results/events/{dataset}/reports/{scatteritem}.conllu",
    otherwise="results/events/{dataset}/texts/{scatteritem}.jsonl",
)
mixed_case = events_option("mixed_case", [])
"""The datasets from which it is learned how the words of an upper-case one are written."""


def named_only(wildcards):
    """Return the sources of names where documents without any are left out; categories add actors."""
    options = config["datasets"][wildcards.dataset]["events"]
    if not options.get("countries_only"):
        return None
    with_actors = read_by(models=True)(wildcards)
    return name_sources(wildcards) if with_actors else options["lexicon"]


def name_sources(wildcards):
    """Return the sources of the names of countries and of actors of a dataset."""
    return [
        *events_option("lexicon")(wildcards),
        *events_option("actors", DEFAULT_ACTORS)(wildcards),
    ]


def lexicon_archive(wildcards):
    """Return the dictionaries of the registry, where a dataset's lexicon needs them."""
    sources = name_sources(wildcards)
    registered = any(source.startswith(("registry", "phoenix")) for source in sources)
    return [archive("lexicon")] if registered else []


def lexicon_tables(wildcards):
    """Return the tables of the user's own in a dataset's lexicon."""
    return [
        user_file(source, LEXICONS)
        for source in name_sources(wildcards)
        if source not in LEXICONS
    ]


def of_events_coref(file):
    """Return an input function: a file of the coreference model of a dataset of events, if the workflow trains it."""

    def files(wildcards):
        model = events_option("coref")(wildcards)
        return [coref_file(*Path(model).parts, file)] if model else []

    return files


def copies(wildcards):
    """Return the table of near copies, if the query, or any of the dataset's, counts near copies of a report once."""
    query = wildcards.get("query")
    queries = [query] if query else dataset_queries(wildcards.dataset)
    leaves_out = any("copies" in QUERIES[name].deduplicate for name in queries)
    return ["results/events/{dataset}/copies.csv"] if leaves_out else []


def of_true_events(file):
    """Return a file of each query of simulated reports, whose true events are known."""
    return [f"results/events/{name}/{file}" for name in TRUE_EVENTS]


of_each_query = partial(
    of_each, "events", lambda wildcards: dataset_queries(wildcards.dataset)
)


def event_page(name, shows, caption=None):
    """Return a page of a query's events in the report."""
    path = f"results/events/{{dataset}}/{{query}}/{name}.html"
    return page(path, "events", caption=caption, query="{query}", shows=shows)


def event_targets():
    targets = [f"results/events/{name}/audit.html" for name in AUDITED]
    for name in TRUE_EVENTS:
        targets.append(f"results/events/{name}/probabilities/calibration.json")
    return list(dict.fromkeys(targets))


SELECTING = {
    "mixed_case": lambda wildcards: [
        archive(config["datasets"][name]["corpus"]) for name in mixed_case(wildcards)
    ],
    "lexicon": branch(named_only, then=lexicon_archive),
    "tables": branch(named_only, then=lexicon_tables),
}
"""What selecting documents takes besides the corpus."""
SELECTED_BY = {
    "broken": events_option("broken", 0.01),
    "words": events_option("passages", 5000),
    "queries": event_queries,
    "mixed_case": lambda wildcards: [
        dataset_format(name).reader for name in mixed_case(wildcards)
    ],
    "lexicon": named_only,
}
"""Parameters of rules that select documents."""


wildcard_constraints:
    query="|".join(QUERIES),


# Where jobs share no disk, one job gets the files of a corpus, and reads them.
IN_PARTS = [
    name
    for name, dataset in config["datasets"].items()
    if dataset.get("events", {}).get("in_parts")
    and not workflow.storage_settings.default_storage_provider
]
"""Datasets of which each shard is read by a job of its own."""


rule read_news:
    input:
        **SELECTING,
        files=dataset_files,
    output:
        documents=scatter.events(
            "results/events/{{dataset}}/documents/{scatteritem}.csv"
        ),
        texts=scatter.events("results/events/{{dataset}}/texts/{scatteritem}.jsonl"),
    log:
        "results/logs/read_news/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(
            name
            for name in datasets_with(kind=DATED, simulated=False)
            if name not in IN_PARTS
        )
        or "no dataset",
    conda:
        "../../envs/parsing.yaml"
    resources:
        **growing(runtime=120),
    params:
        **READING,
        **SELECTED_BY,
        library=reader_library("events/read_news.py", mixed_case),
    message:
        "Read {wildcards.dataset} and select what can have an event"
    script:
        "../../scripts/events/read_news.py"


rule list_news:
    input:
        files=dataset_files,
    output:
        listings=scatter.events(
            "results/events/{{dataset}}/parts/{scatteritem}.listing.json"
        ),
    log:
        "results/logs/list_news/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(IN_PARTS) or "no dataset",
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(runtime=120),
    params:
        library=reader_library("events/list_news.py"),
        source=dataset_source,
        reader=READING["reader"],
    message:
        "List what each part of {wildcards.dataset} has"
    script:
        "../../scripts/events/list_news.py"


# Its input is the listing alone: a job that hashes the whole corpus would cost more than its part.
rule read_part:
    input:
        **SELECTING,
        listing="results/events/{dataset}/parts/{scatteritem}.listing.json",
    output:
        passages="results/events/{dataset}/parts/{scatteritem}.jsonl",
        found="results/events/{dataset}/parts/{scatteritem}.json",
    log:
        "results/logs/read_part/{dataset}_{scatteritem}.log",
    wildcard_constraints:
        dataset="|".join(IN_PARTS) or "no dataset",
    conda:
        "../../envs/parsing.yaml"
    resources:
        **growing(runtime=120),
    params:
        **SELECTED_BY,
        library=reader_library("events/read_part.py", mixed_case),
        source=dataset_source,
        reader=READING["reader"],
    message:
        "Read {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/read_part.py"


rule check_parts:
    input:
        found=all_shards("parts/{scatteritem}.json"),
    output:
        repeated=scatter.events(
            "results/events/{{dataset}}/parts/{scatteritem}.repeated.json"
        ),
    log:
        "results/logs/check_parts/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(IN_PARTS) or "no dataset",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/check_parts.py"),
        source=dataset_source,
        broken=SELECTED_BY["broken"],
    message:
        "Compare the parts of {wildcards.dataset}"
    script:
        "../../scripts/events/check_parts.py"


rule keep_part:
    input:
        passages="results/events/{dataset}/parts/{scatteritem}.jsonl",
        repeated="results/events/{dataset}/parts/{scatteritem}.repeated.json",
    output:
        documents="results/events/{dataset}/documents/{scatteritem}.csv",
        texts="results/events/{dataset}/texts/{scatteritem}.jsonl",
    log:
        "results/logs/keep_part/{dataset}_{scatteritem}.log",
    wildcard_constraints:
        dataset="|".join(IN_PARTS) or "no dataset",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/keep_part.py"),
    message:
        "Keep the documents of {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/keep_part.py"


rule parse_news:
    input:
        texts=plain_news,
        model=lambda wildcards: parser_file(event_parser(wildcards)),
        card=lambda wildcards: parser_file(event_parser(wildcards), "card.json"),
    output:
        parsed="results/events/{dataset}/parsed/{scatteritem}.conllu",
        trees="results/events/{dataset}/trees/{scatteritem}.conllu",
    log:
        "results/logs/parse_news/{dataset}_{scatteritem}.log",
    priority: 1
    conda:
        "../../envs/parsing.yaml"
    resources:
        **growing(runtime=240),
    params:
        library=library("events/parse_news.py"),
        seed=config["seed"],
        model=lambda wildcards, input: input.model
        or event_parser(wildcards)
        or config["parsing"]["model"],
        queries=event_queries,
        number=number_of_trees,
    message:
        "Parse {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/parse_news.py"


rule extract_events:
    input:
        documents=branch(read_by(models=False), then=parsed_news),
        trees=branch(
            lambda wildcards: read_by(models=False)(wildcards)
            and not has_trees(wildcards),
            then="results/events/{dataset}/trees/{scatteritem}.conllu",
        ),
        texts=branch(read_by(models=True), then=plain_news),
        model=of_events_coref("model.npz"),
        weights=branch(
            config["recalibrated"], then=of_events_coref("recalibrated/errors.csv")
        ),
        own=own_models,
        lexicon=lexicon_archive,
        tables=lexicon_tables,
    output:
        events="results/events/{dataset}/extracted/{scatteritem}.parquet",
        dyads="results/events/{dataset}/extracted/{scatteritem}.dyads.parquet",
        candidates="results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        audit="results/events/{dataset}/extracted/{scatteritem}.audit.jsonl",
    log:
        "results/logs/extract_events/{dataset}_{scatteritem}.log",
    wildcard_constraints:
        dataset="|".join(sorted(set(config["datasets"]).difference(SYSTEM_EVENTS)))
        or "no dataset",
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000, runtime=240),
    params:
        library=library("events/extract_events.py"),
        seed=config["seed"],
        lexicon=events_option("lexicon"),
        actors=events_option("actors", list(DEFAULT_ACTORS)),
        queries=event_queries,
        samples=event_samples,
    message:
        "Find events in {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/extract_events.py"


rule read_system_events:
    input:
        system=lambda wildcards: user_file(events_option("system_events")(wildcards)),
        documents=all_shards("documents/{scatteritem}.csv"),
        lexicon=lexicon_archive,
        tables=lexicon_tables,
    output:
        events=scatter.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.parquet"
        ),
        candidates=scatter.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.candidates.jsonl"
        ),
    log:
        "results/logs/read_system_events/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(SYSTEM_EVENTS) or "no dataset",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/read_system_events.py"),
        seed=config["seed"],
        lexicon=events_option("lexicon"),
        queries=event_queries,
        samples=config["events"]["samples"],
    message:
        "Read the events of {wildcards.dataset} that another system found"
    script:
        "../../scripts/events/read_system_events.py"


rule near_copies:
    input:
        texts=all_shards("texts/{scatteritem}.jsonl"),
    output:
        copies="results/events/{dataset}/copies.csv",
    log:
        "results/logs/near_copies/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/near_copies.py"),
    message:
        "Look for near copies among the documents of {wildcards.dataset}"
    script:
        "../../scripts/events/near_copies.py"


rule event_series:
    input:
        documents=all_shards("documents/{scatteritem}.csv"),
        events=all_shards("extracted/{scatteritem}.parquet"),
        candidates=all_shards("extracted/{scatteritem}.candidates.jsonl"),
        copies=copies,
    output:
        series="results/events/{dataset}/{query}/series.csv",
        appendix="results/events/{dataset}/{query}/appendix.csv",
        table="results/events/{dataset}/{query}/events.csv",
        document_events="results/events/{dataset}/{query}/document_events.csv",
        comparison="results/events/{dataset}/{query}/comparison.csv",
        checks="results/events/{dataset}/{query}/checks.csv",
    log:
        "results/logs/event_series/{dataset}_{query}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/event_series.py"),
        period=events_option("period"),
        appendix=appendix_series,
        compare=events_option("compare"),
        panels=events_option("panels", []),
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Count {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/events/event_series.py"
