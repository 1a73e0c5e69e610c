# Corpora: from what they are published as to three CoNLL-U files per dataset.
#
# Needs:  nothing (simulated newsroom), a corpus of workflow/corpora.csv, or a folder of the user's
# Makes:  results/corpora/{dataset}/{train,dev,test}.conllu; results/tables/{dataset}/corpus_sizes.csv, where a text says how large
#         its corpus is
# Steps:  simulate, or retrieve and verify one archive per corpus and then bring it into one format


def corpus_source(wildcards):
    """Return where a dataset is read from: the archive of its corpus, or a file or folder of the user's."""
    dataset = config["datasets"][wildcards.dataset]
    return (
        user_file(dataset["path"]) if "path" in dataset else archive(dataset["corpus"])
    )


def corpus_files(wildcards):
    """Return the files that a dataset is made of, so that an edit of one of them is seen."""
    dataset = config["datasets"][wildcards.dataset]
    if "path" not in dataset:
        return corpus_source(wildcards)
    if "members" in dataset:
        members = dataset["members"].values()
        return [user_file(f"{dataset['path']}/{member}") for member in members]
    patterns = ("*_gold_conll", "*_gold_skel") if "words" in dataset else ("*conll*",)
    return [
        str(path)
        for path in files_below(Path(user_file(dataset["path"])))
        if path.is_file() and any(map(path.match, patterns))
    ]


def is_dated(wildcards):
    return config["datasets"][wildcards.dataset]["format"] in (*NEWS, "newswire")


def counted_splits(wildcards):
    """Return the splits of an annotated dataset, whose sizes are compared with published ones."""
    if is_dated(wildcards):
        return []
    return [f"results/corpora/{wildcards.dataset}/{split}.conllu" for split in SPLITS]


def counted_documents(wildcards):
    """Return the tables of a dated dataset's documents."""
    if not is_dated(wildcards):
        return []
    shards = config["events"]["shards"]
    return [
        f"results/events/{wildcards.dataset}/documents/{shard}-of-{shards}.csv"
        for shard in range(1, shards + 1)
    ]


def counted_pairs(wildcards):
    """Return the calibration of a coreference model of the held-out documents, if their pairs are to be counted."""
    held_out = config["coref"]["held_out"]
    dataset = config["datasets"][wildcards.dataset]
    if "pairs" not in dataset["expected"].get(held_out, {}):
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
        registry="workflow/corpora.csv",
        manifest="workflow/manifests/{corpus}.sha256",
    output:
        "results/corpora/archives/{corpus}.zip",
    log:
        "results/logs/corpora/retrieve_{corpus}.log",
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
        files=corpus_files,
    output:
        **{split: f"results/corpora/{{dataset}}/{split}.conllu" for split in SPLITS},
    log:
        "results/logs/corpora/{dataset}/prepare.log",
    wildcard_constraints:
        dataset=names_with(format=["conllu", "ontogum", "litbank", "ontonotes", "ark"]),
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 30 * attempt,
    params:
        library=library("corpora/prepare_corpus.py"),
        source=corpus_source,
        format=dataset_option("format"),
        members=dataset_option("members"),
        wsj_only=dataset_option("wsj_only", False),
        words=dataset_option("words"),
    message:
        "Bring {wildcards.dataset} into CoNLL-U"
    script:
        "../../scripts/corpora/prepare_corpus.py"


rule corpus_sizes:
    input:
        splits=counted_splits,
        documents=counted_documents,
        calibrations=counted_pairs,
    output:
        "results/tables/{dataset}/corpus_sizes.csv",
        report(
            "results/tables/{dataset}/corpus_sizes.html",
            caption="../report/corpus_sizes.rst",
            category="Reproduction",
            labels={"table": "size of {dataset}"},
        ),
    log:
        "results/logs/corpora/{dataset}/sizes.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("corpora/corpus_sizes.py"),
        splits=lambda wildcards: SPLITS if counted_splits(wildcards) else [],
        evaluated=lambda wildcards: (
            [config["coref"]["held_out"]] if counted_pairs(wildcards) else []
        ),
        format=dataset_option("format"),
        expected=dataset_option("expected"),
    message:
        "Compare the size of {wildcards.dataset} with the published one"
    script:
        "../../scripts/corpora/corpus_sizes.py"
