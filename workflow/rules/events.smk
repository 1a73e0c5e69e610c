# Events: from dated news to time series with honest uncertainty (paper, section 6; appendix 3 and 4).
#
# Needs:  shards of dated documents (news.smk, newsroom.smk); a parser and a coreference model, those in the package unless the
#         dataset names others; or the events of another system
# Makes:  results/events/{dataset}/{parsed,trees,extracted} in shards; event_tables.smk counts them
# Steps:  parse, resolve and extract


from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, SOURCES
from nlpcalib.systems.events.read.query import Query
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


def named_query(name):
    """Return a query as the library reads it."""
    return {"name": name, **config["events"]["queries"][name]}


def parsed_queries(dataset):
    """Return the queries that documents are selected for: none where leads are coded, so that all are parsed."""
    coded = Path(dataset).parts[0] in config["extraction_eval"]["datasets"]
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


def of_true_events(file):
    """Return a file of each query of simulated reports, whose true events are known."""
    return [f"results/events/{name}/{file}" for name in TRUE_EVENTS]


of_each_query = partial(
    of_each, "events", lambda wildcards: dataset_queries(wildcards.dataset)
)


def event_targets():
    targets = [f"results/events/{name}/audit.html" for name in AUDITED]
    for name in TRUE_EVENTS:
        targets.append(f"results/events/{name}/probabilities/calibration.json")
    return list(dict.fromkeys(targets))


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
