# Corpora: from what they are published as to three CoNLL-U files per dataset.
#
# Needs:  nothing (simulated newsroom), a corpus of workflow/corpora.csv, or a folder of the user's
# Makes:  results/corpora/{dataset}/{train,dev,test}.conllu; results/tables/{dataset}/corpus_sizes.csv, where a text says how large
#         its corpus is
# Steps:  simulate, or retrieve and verify one archive per corpus and then bring it into one format


rule merged_config:
    input:
        code=code("check/write_config.py"),
    output:
        report(
            "results/config.yaml",
            caption="../report/config.rst",
            category="Provenance",
        ),
    log:
        "results/logs/merged_config.log",
    localrule: True
    conda:
        "../../envs/workflow.yaml"
    params:
        config=config,
    message:
        "Write down the configuration of this run"
    script:
        "../../scripts/check/write_config.py"


rule simulate_newsroom:
    input:
        code=code("newsroom/simulate_newsroom.py"),
    output:
        "results/corpora/{dataset}/{split}.conllu",
        events="results/corpora/{dataset}/{split}.events.csv",
    log:
        "results/logs/corpora/{dataset}/simulate_{split}.log",
    wildcard_constraints:
        dataset=names_with(format=["newsroom"]),
        split="|".join(SPLITS),
    conda:
        "../../envs/base.yaml"
    params:
        documents=dataset_option("documents"),
        seed=config["seed"],
    message:
        "Simulate the {wildcards.split} reports of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_newsroom.py"


rule retrieve_corpus:
    input:
        registry="workflow/corpora.csv",
        manifest="workflow/manifests/{corpus}.sha256",
        code=code("corpora/retrieve_corpus.py"),
    output:
        "results/corpora/archives/{corpus}.zip",
    log:
        "results/logs/corpora/retrieve_{corpus}.log",
    localrule: True
    conda:
        "../../envs/workflow.yaml"
    params:
        corpus="{corpus}",
    message:
        "Retrieve and verify {wildcards.corpus}"
    script:
        "../../scripts/corpora/retrieve_corpus.py"


rule prepare_corpus:
    input:
        files=corpus_files,
        code=code("corpora/prepare_corpus.py"),
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
        code=code("corpora/corpus_sizes.py"),
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
