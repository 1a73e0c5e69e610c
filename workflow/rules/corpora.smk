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
    return (
        f"results/corpora/archives/{dataset['corpus']}.zip"
        if "corpus" in dataset
        else None
    )


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
    patterns = FORMATS[dataset["format"]].files
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


def reader_library(script, wildcards, others=(), digest=library):
    """Return the checksum of the library of a script that reads a dataset, and `others`.

    `digest` is that of the script's folder.
    """
    readers = [READERS[name] for name in (wildcards.dataset, *others)]
    return digest(script, *(reader.partition(":")[0] for reader in readers))


READERS = {
    name: FORMATS[dataset["format"]].reader
    for name, dataset in config["datasets"].items()
}
READER_OPTIONS = {
    name: {
        key: dataset[key] for key in (*form.required, *form.optional) if key in dataset
    }
    for name, dataset in config["datasets"].items()
    for form in [FORMATS[dataset["format"]]]
}
"""The options of a dataset that are for the reader of its format alone."""
READING = {
    "source": located_source,
    "reader": partial(of_dataset, READERS),
    "options": partial(of_dataset, READER_OPTIONS),
}
"""Parameters of rules that read datasets: what is read and how."""
TAGGED_DATASETS = {
    *config["tagging"]["datasets"],
    *config["tagging"]["ablation"]["datasets"],
}
UNIVERSAL_TAGS = {"NN": "NOUN", "NNP": "PROPN", "JJ": "ADJ"}
"""What the default configuration's tags are called in UPOS."""
TAG_NAMES = {
    name: UNIVERSAL_TAGS if dataset.get("tags") == "upos" else {}
    for name, dataset in config["datasets"].items()
}
FIGURE_1_TAG = {
    name: names.get(
        config["tagging"]["figure_1"]["tag"], config["tagging"]["figure_1"]["tag"]
    )
    for name, names in TAG_NAMES.items()
}
ONE_TAG = {
    name: query | {"tag": TAG_NAMES[name].get(query["tag"], query["tag"])}
    for name, dataset in config["datasets"].items()
    for query in [config["tagging"]["ablation"]["one_tag"] | dataset.get("one_tag", {})]
}
"""The tag that a dataset's one-tag query asks for, and the size of its bins."""
PHRASE_DATASETS = [
    name
    for name in config["tagging"]["datasets"]
    if not config["datasets"][name]["simulated"] and not TAG_NAMES[name]
]
"""The datasets whose phrases are queried: by Penn tags, and not in simulated text, where phrases are too easy."""
NEEDED_TAGS = {
    name: sorted(
        {
            *[FIGURE_1_TAG[name]] * (name in config["tagging"]["datasets"]),
            *[ONE_TAG[name]["tag"]]
            * (name in config["tagging"]["ablation"]["datasets"]),
            *["JJ", "NN"] * (name in PHRASE_DATASETS),
        }
    )
    for name in TAGGED_DATASETS
}
"""The tags without which figures and tables of a dataset's tags cannot be made."""
HAS_COREF = {name: "coref" in dataset for name, dataset in config["datasets"].items()}
USED_DATASETS = {
    *TAGGED_DATASETS,
    *config["coref"]["datasets"],
    *config["events"]["datasets"],
    *config["extraction_eval"]["datasets"],
}
IS_DATED = {
    name: FORMATS[dataset["format"]].kind == DATED
    for name, dataset in config["datasets"].items()
}
COUNTED_PAIRS = {
    name: [f"results/coref/{name}/{dataset['coref'][0]}/pairs/calibration.json"]
    for name, dataset in config["datasets"].items()
    if "pairs" in dataset.get("expected", {}).get(config["coref"]["held_out"], {})
}
"""The calibration of a coreference model of the held-out documents, whose pairs are counted."""


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
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    log:
        "results/logs/prepare_corpus/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(datasets_with(kind=TEXTS, simulated=False)),
    conda:
        "../../envs/base.yaml"
    params:
        **READING,
        library=partial(reader_library, "corpora/prepare_corpus.py"),
        coref=lookup(dpath="{dataset}", within=HAS_COREF),
        tags=lookup(dpath="{dataset}", within=NEEDED_TAGS, default=[]),
    message:
        "Bring {wildcards.dataset} into CoNLL-U"
    script:
        "../../scripts/corpora/prepare_corpus.py"


rule corpus_sizes:
    input:
        splits=branch(
            partial(of_dataset, IS_DATED),
            then=[],
            otherwise=expand(
                "results/corpora/{{dataset}}/{split}.conllu", split=SPLITS
            ),
        ),
        documents=branch(
            partial(of_dataset, IS_DATED),
            then=partial(
                all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
            ),
        ),
        calibration=lookup(dpath="{dataset}", within=COUNTED_PAIRS, default=[]),
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


rule sizes:
    input:
        [
            f"results/tables/{name}/corpus_sizes.csv"
            for name in sorted(USED_DATASETS)
            if "expected" in config["datasets"][name]
        ],
    localrule: True
