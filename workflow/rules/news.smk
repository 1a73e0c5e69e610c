# News: the documents of a dated corpus that can have an event, in shards.
#
# Needs:  a corpus of the registry, an installed package, or a file or folder of the user's
# Makes:  results/events/{dataset}/{documents,texts} in shards; years of a dataset that is split have a folder each
# Steps:  one job reads and selects; or list what each part has, read the parts, leave out what an earlier part has


MIXED_CASE = {
    name: options.get("mixed_case", []) for name, options in EVENT_OPTIONS.items()
}
"""The datasets from which it is learned how the words of an upper-case one are written."""
MIXED_CASE_ARCHIVES = {
    name: [
        f"results/corpora/archives/{config['datasets'][other]['corpus']}.zip"
        for other in others
    ]
    for name, others in MIXED_CASE.items()
}
MIXED_CASE_READERS = {
    name: [READERS[other] for other in others] for name, others in MIXED_CASE.items()
}
NAMED_ONLY = {
    name: (
        None
        if not options.get("countries_only")
        # Categories add actors.
        else NAME_SOURCES[name] if READ_BY_MODELS[name] else options["lexicon"]
    )
    for name, options in EVENT_OPTIONS.items()
}
"""The sources of names where documents without any are left out."""
SELECTING = {
    "mixed_case": partial(of_dataset, MIXED_CASE_ARCHIVES),
    "lexicon": branch(
        partial(of_dataset, NAMED_ONLY), then=partial(of_dataset, LEXICON_ARCHIVE)
    ),
    "tables": branch(partial(of_dataset, NAMED_ONLY), then=lexicon_tables),
}
"""What selecting documents takes besides the corpus."""
SELECTED_BY = {
    "broken": partial(events_option, "broken", default=0.01),
    "words": partial(events_option, "passages", default=5000),
    "queries": partial(of_dataset, PARSED_QUERIES),
    "mixed_case": partial(of_dataset, MIXED_CASE_READERS),
    "lexicon": partial(of_dataset, NAMED_ONLY),
}
"""Parameters of rules that select documents."""
PARTS = {name: parts_of(name) for name in EVENT_OPTIONS}


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


EARLIER_IDS = {
    year: [
        f"results/events/{earlier}/parts/ids.npy"
        for earlier in years_of(Path(year).parts[0])
        if years_of(Path(year).parts[0]).index(earlier)
        < years_of(Path(year).parts[0]).index(year)
    ]
    for year in IN_PARTS
}
"""The files of the ids of the years before one, where documents of these are in it again."""
PARTED_SOURCES = {
    name: ", ".join([config["datasets"][name]["path"], *Path(name).parts[1:]])
    for name in IN_PARTS
}


def news_library(script, wildcards):
    """Return `reader_library` of a script that learns the case of words of other datasets."""
    return reader_library(script, wildcards, MIXED_CASE[wildcards.dataset])


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
        dataset=one_of(
            name
            for name in datasets_with(kind=DATED, simulated=False)
            if name not in {*IN_PARTS, *SPLIT}
        ),
    conda:
        "../../envs/parsing.yaml"
    resources:
        runtime=partial(growing, 120),
    params:
        **READING,
        **SELECTED_BY,
        library=partial(news_library, "events/read_news.py"),
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
        dataset=one_of(IN_PARTS),
    conda:
        "../../envs/base.yaml"
    resources:
        runtime=partial(growing, 120),
    params:
        library=partial(reader_library, "events/list_news.py"),
        source=dataset_source,
        reader=READING["reader"],
        parts=partial(of_dataset, PARTS),
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
        dataset=one_of(IN_PARTS),
    conda:
        "../../envs/parsing.yaml"
    resources:
        runtime=partial(growing, 120),
    params:
        **SELECTED_BY,
        library=partial(news_library, "events/read_part.py"),
        source=dataset_source,
        reader=READING["reader"],
        part=shard_number,
    message:
        "Read {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/read_part.py"


rule check_parts:
    input:
        found=partial(all_shards, "results/events/{dataset}/parts/{scatteritem}.json"),
        earlier=partial(of_dataset, EARLIER_IDS),
    output:
        repeated="results/events/{dataset}/parts/repeated.json",
        ids="results/events/{dataset}/parts/ids.npy",
    log:
        "results/logs/check_parts/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(IN_PARTS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/check_parts.py"),
        source=partial(of_dataset, PARTED_SOURCES),
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
        dataset=one_of(IN_PARTS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/keep_part.py"),
        part=shard_number,
    message:
        "Keep the documents of {wildcards.dataset}, part {wildcards.scatteritem}"
    script:
        "../../scripts/events/keep_part.py"
