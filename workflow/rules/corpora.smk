# Corpora: from what they are published as to three CoNLL-U files per dataset.
#
# Needs:  nothing (simulated newsroom), a corpus of workflow/corpora.csv, or a folder of the user's
# Makes:  results/corpora/{dataset}/{train,dev,test}.conllu; results/tables/{dataset}/corpus_sizes.csv, where a text states how large
#         its corpus is
# Steps:  simulate, or retrieve and verify one archive per corpus and then bring it into one format


def dataset_source(wildcards):
    """Return where a dataset is read from: an archive, a file or folder of the user's, None for an installed package."""
    dataset = config["datasets"][wildcards.dataset]
    if "path" in dataset:
        return user_file(dataset["path"])
    return archive(dataset["corpus"]) if "corpus" in dataset else None


def dataset_files(wildcards):
    """Return the files that a dataset is made of, so that an edit of one of them is seen."""
    if wildcards.dataset in FILES_OF_YEARS:
        return [in_place(path) for path in FILES_OF_YEARS[wildcards.dataset]]
    source = dataset_source(wildcards)
    dataset = config["datasets"][wildcards.dataset]
    if "path" not in dataset:
        return source or []
    if "members" in dataset:
        return [user_file(f"{source}/{name}") for name in dataset["members"].values()]
    patterns = dataset_format(wildcards.dataset).files
    if not patterns and not Path(source).is_dir():
        return source
    return [
        in_place(path)
        for path in files_below(Path(source))
        if path.is_file() and any(map(path.match, patterns or ("*",)))
    ]


def located_source(wildcards, input=None):
    """Return where a job finds the source of a dataset: where a storage provider has the files, its inputs are copies."""
    source = dataset_source(wildcards)
    if source is None or input is None:
        return source and str(source)
    files = dataset_files(wildcards)
    first = files if isinstance(files, str) else files[0]
    copy = input.files if isinstance(input.files, str) else input.files[0]
    return copy.removesuffix(first) + source


def reader_options(wildcards):
    """Return the options of a dataset that are for the reader of its format alone."""
    form = dataset_format(wildcards.dataset)
    dataset = config["datasets"][wildcards.dataset]
    keys = (*form.required, *form.optional)
    return {key: dataset[key] for key in keys if key in dataset}


READING = {
    "source": located_source,
    "reader": lambda wildcards: dataset_format(wildcards.dataset).reader,
    "options": reader_options,
}
"""Parameters of rules that read datasets: what is read and how."""


def reader_library(script, others=lambda wildcards: (), digest=library):
    """Return a params function: the checksum of the library of a script that reads a dataset.

    `others` is a function of the wildcards: names of further datasets that the script reads; `digest` is that of the
    script's folder.
    """

    def checksum(wildcards):
        readers = [
            dataset_format(name).reader
            for name in (wildcards.dataset, *others(wildcards))
        ]
        return digest(script, *(reader.partition(":")[0] for reader in readers))

    return checksum


TAGGED_DATASETS = {
    *config["tagging"]["datasets"],
    *config["tagging"]["ablation"]["datasets"],
}


def is_dated(wildcards):
    return dataset_format(wildcards.dataset).kind == DATED


def is_simulated(wildcards):
    return dataset_format(wildcards.dataset).simulated


def counted_pairs(wildcards):
    """Return the calibration of a coreference model of the held-out documents, if their pairs are to be counted."""
    dataset = config["datasets"][wildcards.dataset]
    if "pairs" not in dataset["expected"].get(config["coref"]["held_out"], {}):
        return []
    return [
        coref_file(wildcards.dataset, dataset["coref"][0], "pairs/calibration.json")
    ]


def size_targets():
    parts = ("tagging", "coref", "events", "extraction_eval")
    used = {name for part in parts for name in config[part]["datasets"]}
    used.update(config["tagging"]["ablation"]["datasets"])
    return [
        f"results/tables/{name}/corpus_sizes.csv"
        for name in sorted(used)
        if "expected" in config["datasets"][name]
    ]


rule retrieve_corpus:
    input:
        registry=local(shipped("workflow/corpora.csv")),
        manifest=local(shipped("workflow/manifests/{corpus}.sha256")),
    output:
        archive="results/corpora/archives/{corpus}.zip",
    log:
        "results/logs/retrieve_corpus/{corpus}.log",
    localrule: True
    conda:
        "../../envs/workflow.yaml"
    params:
        library=library("corpora/retrieve_corpus.py"),
        corpus="{corpus}",
    message:
        "Retrieve and verify {wildcards.corpus}"
    script:
        "../../scripts/corpora/retrieve_corpus.py"


rule prepare_corpus:
    input:
        files=dataset_files,
    output:
        **{split: f"results/corpora/{{dataset}}/{split}.conllu" for split in SPLITS},
    log:
        "results/logs/prepare_corpus/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=TEXTS, simulated=False),
    conda:
        "../../envs/base.yaml"
    params:
        **READING,
        library=reader_library("corpora/prepare_corpus.py"),
        coref=lambda wildcards: "coref" in config["datasets"][wildcards.dataset],
        tagged=lambda wildcards: wildcards.dataset in TAGGED_DATASETS,
    message:
        "Bring {wildcards.dataset} into CoNLL-U"
    script:
        "../../scripts/corpora/prepare_corpus.py"


rule corpus_sizes:
    input:
        splits=branch(
            is_dated,
            then=[],
            otherwise=[
                f"results/corpora/{{dataset}}/{split}.conllu" for split in SPLITS
            ],
        ),
        documents=branch(is_dated, then=all_shards("documents/{scatteritem}.csv")),
        calibration=counted_pairs,
    output:
        csv="results/tables/{dataset}/corpus_sizes.csv",
        page=page(
            "results/tables/{dataset}/corpus_sizes.html",
            "claims",
            subcategory=None,
            table="size of {dataset}",
        ),
    log:
        "results/logs/corpus_sizes/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("corpora/corpus_sizes.py"),
        held_out=config["coref"]["held_out"],
        format=lookup(dpath="datasets/{dataset}/format", within=config),
        expected=lookup(dpath="datasets/{dataset}/expected", within=config),
    message:
        "Compare the size of {wildcards.dataset} with the published one"
    script:
        "../../scripts/corpora/corpus_sizes.py"
