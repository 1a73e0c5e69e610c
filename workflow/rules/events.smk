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
NAMED_QUERIES = {
    name: {"name": name, **query} for name, query in config["events"]["queries"].items()
}
"""The queries as the library reads them."""
READINGS = {name: query.reading for name, query in QUERIES.items()}
CATEGORY_QUERIES = [name for name, query in QUERIES.items() if query.model]
"""Queries that a model reads, without trees and links."""
EVENT_OPTIONS = {
    name: dataset["events"]
    for name, dataset in config["datasets"].items()
    if "events" in dataset
}
DATASET_QUERIES = {
    name: options.get("queries", list(QUERIES))
    for name, options in EVENT_OPTIONS.items()
}
"""The names of the queries that are asked of a dated dataset."""
PARSED_QUERIES = {
    # None where leads are coded, so that all are parsed.
    name: [NAMED_QUERIES[query] for query in asked]
    * (Path(name).parts[0] not in config["extraction_eval"]["datasets"])
    for name, asked in DATASET_QUERIES.items()
}
"""The queries that documents are selected for."""
OWN_MODELS = {
    name: [
        user_file(config["events"]["queries"][query]["model"])
        for query in asked
        if "model" in config["events"]["queries"][query]
    ]
    for name, asked in DATASET_QUERIES.items()
}
"""The files of the user's own models that read a dataset."""
READ_BY_MODELS = {
    name: any(query in CATEGORY_QUERIES for query in asked)
    for name, asked in DATASET_QUERIES.items()
}
READ_BY_TREES = {
    name: any(query not in CATEGORY_QUERIES for query in asked)
    for name, asked in DATASET_QUERIES.items()
}
HAS_TREES = {
    name: options.get("parser") == "gold" for name, options in EVENT_OPTIONS.items()
}
"""Whether a dataset is taken with the trees that its reports were written with."""
SAMPLES_TREES = {
    name: READ_BY_TREES[name] and not HAS_TREES[name] for name in EVENT_OPTIONS
}
NUMBER_OF_TREES = {
    name: 1 if HAS_TREES[name] else options.get("trees", 10)
    for name, options in EVENT_OPTIONS.items()
}
"""How many trees of a sentence are sampled, 1 where the best tree or the right one is taken."""
EVENT_SAMPLES = {
    name: -(-config["events"]["samples"] // trees) * trees
    for name, trees in NUMBER_OF_TREES.items()
}
"""How many samples of entities a document gets, as many with each of its trees."""
EVENT_PARSER = {
    name: options.get("parser") or config["parsing"]["model"]
    for name, options in EVENT_OPTIONS.items()
}
EVENT_PARSER_FILE = {
    name: PARSER_FILES.get(options.get("parser"), [])
    for name, options in EVENT_OPTIONS.items()
}
EVENT_PARSER_CARD = {
    name: PARSER_CARDS.get(options.get("parser"), [])
    for name, options in EVENT_OPTIONS.items()
}
NAME_SOURCES = {
    name: [*options.get("lexicon", []), *options.get("actors", DEFAULT_ACTORS)]
    for name, options in EVENT_OPTIONS.items()
}
"""The sources of the names of countries and of actors of a dataset."""
LEXICON_ARCHIVE = {
    name: ["results/corpora/archives/lexicon.zip"]
    * any(source.startswith(("registry", "phoenix")) for source in sources)
    for name, sources in NAME_SOURCES.items()
}
"""The dictionaries of the registry, where a dataset's lexicon needs them."""
EVENT_COREF = {
    name: (
        [f"results/coref/{options['coref']}/model.npz"] if options.get("coref") else []
    )
    for name, options in EVENT_OPTIONS.items()
}
"""The coreference model of a dataset of events, if the workflow trains it."""
EVENT_WEIGHTS = {
    name: (
        [f"results/coref/{options['coref']}/recalibrated/errors.csv"]
        if options.get("coref") and config["recalibrated"]
        else []
    )
    for name, options in EVENT_OPTIONS.items()
}
IS_SIMULATED = {
    name: dataset["simulated"] for name, dataset in config["datasets"].items()
}

EVENTS = [
    f"{dataset}/{query}"
    for dataset in config["events"]["datasets"]
    for query in DATASET_QUERIES[dataset]
]
SYSTEM_EVENTS = [
    name for name, options in EVENT_OPTIONS.items() if "system_events" in options
]
"""Datasets whose events another system found."""
TRUE_EVENTS = [name for name in EVENTS if IS_SIMULATED[Path(name).parts[0]]]
AUDITED = [
    name
    for name in EVENTS
    if Path(name).parts[0] not in SYSTEM_EVENTS
    and Path(name).parts[1] not in CATEGORY_QUERIES
]
"""Those of which sentences are drawn to annotate in context."""


def events_option(key, wildcards, default=None):
    """Return an option of how events are counted in a dataset.

    `lookup` would walk the whole configuration for each job, of which large corpora have thousands.
    """
    return EVENT_OPTIONS[wildcards.dataset].get(key, default)


def system_file(wildcards):
    """Return the user's file of the events that another system found in a dataset."""
    return user_file(events_option("system_events", wildcards))


def lexicon_tables(wildcards):
    """Return the tables of the user's own in a dataset's lexicon."""
    return [
        user_file(source, LEXICONS)
        for source in NAME_SOURCES[wildcards.dataset]
        if source not in LEXICONS
    ]


parsed_news = branch(
    partial(of_dataset, HAS_TREES),
    then="results/events/{dataset}/reports/{scatteritem}.conllu",
    otherwise="results/events/{dataset}/parsed/{scatteritem}.conllu",
)
plain_news = branch(
    partial(of_dataset, IS_SIMULATED),
    then="results/events/{dataset}/reports/{scatteritem}.conllu",
    otherwise="results/events/{dataset}/texts/{scatteritem}.jsonl",
)


rule parse_news:
    input:
        texts=plain_news,
        model=partial(of_dataset, EVENT_PARSER_FILE),
        card=partial(of_dataset, EVENT_PARSER_CARD),
    output:
        parsed="results/events/{dataset}/parsed/{scatteritem}.conllu",
        trees="results/events/{dataset}/trees/{scatteritem}.conllu",
    log:
        "results/logs/parse_news/{dataset}_{scatteritem}.log",
    priority: 1
    conda:
        "../../envs/parsing.yaml"
    resources:
        runtime=partial(growing, 240),
    params:
        library=library("events/parse_news.py"),
        seed=config["seed"],
        parser=partial(of_dataset, EVENT_PARSER),
        queries=partial(of_dataset, PARSED_QUERIES),
        number=partial(of_dataset, NUMBER_OF_TREES),
    message:
        "Parse {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/parse_news.py"


rule extract_events:
    input:
        documents=branch(partial(of_dataset, READ_BY_TREES), then=parsed_news),
        trees=branch(
            partial(of_dataset, SAMPLES_TREES),
            then="results/events/{dataset}/trees/{scatteritem}.conllu",
        ),
        texts=branch(partial(of_dataset, READ_BY_MODELS), then=plain_news),
        model=partial(of_dataset, EVENT_COREF),
        weights=partial(of_dataset, EVENT_WEIGHTS),
        own=partial(of_dataset, OWN_MODELS),
        lexicon=partial(of_dataset, LEXICON_ARCHIVE),
        tables=lexicon_tables,
    output:
        events="results/events/{dataset}/extracted/{scatteritem}.parquet",
        dyads="results/events/{dataset}/extracted/{scatteritem}.dyads.parquet",
        candidates="results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        audit="results/events/{dataset}/extracted/{scatteritem}.audit.jsonl",
    log:
        "results/logs/extract_events/{dataset}_{scatteritem}.log",
    wildcard_constraints:
        dataset=one_of(sorted(set(config["datasets"]).difference(SYSTEM_EVENTS))),
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=partial(growing, 4000),
        runtime=partial(growing, 240),
    params:
        library=library("events/extract_events.py"),
        seed=config["seed"],
        lexicon=partial(events_option, "lexicon"),
        actors=partial(events_option, "actors", default=list(DEFAULT_ACTORS)),
        queries=partial(of_dataset, PARSED_QUERIES),
        samples=partial(of_dataset, EVENT_SAMPLES),
    message:
        "Find events in {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/extract_events.py"


rule read_system_events:
    input:
        system=system_file,
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        lexicon=partial(of_dataset, LEXICON_ARCHIVE),
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
        dataset=one_of(SYSTEM_EVENTS),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/read_system_events.py"),
        seed=config["seed"],
        lexicon=partial(events_option, "lexicon"),
        queries=partial(of_dataset, PARSED_QUERIES),
        samples=config["events"]["samples"],
    message:
        "Read the events of {wildcards.dataset} that another system found"
    script:
        "../../scripts/events/read_system_events.py"
