# News: the documents of a dated corpus that can have an event, in shards.
#
# Needs:  a corpus of the registry, an installed package, or a file or folder of the user's
# Makes:  results/events/{dataset}/{documents,texts} in shards; years of a dataset that is split have a folder each
# Steps:  one job reads and selects; or list what each part has, read the parts, leave out what an earlier part has


mixed_case = events_option("mixed_case", [])
"""The datasets from which it is learned how the words of an upper-case one are written."""


def named_only(wildcards):
    """Return the sources of names where documents without any are left out; categories add actors."""
    options = config["datasets"][wildcards.dataset]["events"]
    if not options.get("countries_only"):
        return None
    with_actors = read_by(models=True)(wildcards)
    return name_sources(wildcards) if with_actors else options["lexicon"]


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


IN_PARTS = [
    part
    for name in datasets_with(kind=DATED)
    if parts_of(name) and name not in FILES_OF_YEARS
    for part in years_of(name)
]
"""Datasets, and years of others, of which each shard is read by a job of its own."""
SPLIT = {Path(year).parts[0] for year in FILES_OF_YEARS}


def shard_number(wildcards):
    """Return which shard of its dataset a job is for, from 1."""
    return int(wildcards.scatteritem.partition("-")[0])


def ids_of_earlier_years(wildcards):
    """Return the files of the ids of the years before one, where documents of these are in it again."""
    years = years_of(Path(wildcards.dataset).parts[0])
    return [
        f"results/events/{year}/parts/ids.npy"
        for year in years[: years.index(wildcards.dataset)]
    ]


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
            if name not in {*IN_PARTS, *SPLIT}
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
        listing="results/events/{dataset}/parts/listing.json",
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
        parts=lambda wildcards: parts_of(wildcards.dataset),
    message:
        "List what each part of {wildcards.dataset} has"
    script:
        "../../scripts/events/list_news.py"


# Its input is the listing alone: a job that hashes the whole corpus would cost more than its part.
rule read_part:
    input:
        **SELECTING,
        listing="results/events/{dataset}/parts/listing.json",
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
        part=shard_number,
    message:
        "Read {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/read_part.py"


rule check_parts:
    input:
        found=all_shards("parts/{scatteritem}.json"),
        earlier=ids_of_earlier_years,
    output:
        repeated="results/events/{dataset}/parts/repeated.json",
        ids="results/events/{dataset}/parts/ids.npy",
    log:
        "results/logs/check_parts/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(IN_PARTS) or "no dataset",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/check_parts.py"),
        source=lambda wildcards: ", ".join(
            [dataset_source(wildcards), *Path(wildcards.dataset).parts[1:]]
        ),
        broken=SELECTED_BY["broken"],
    message:
        "Compare the parts of {wildcards.dataset}"
    script:
        "../../scripts/events/check_parts.py"


rule keep_part:
    input:
        passages="results/events/{dataset}/parts/{scatteritem}.jsonl",
        repeated="results/events/{dataset}/parts/repeated.json",
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
        part=shard_number,
    message:
        "Keep the documents of {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/keep_part.py"
