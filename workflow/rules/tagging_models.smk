# Taggers: an HMM and a CRF that are trained, chosen and applied, and taggers of the user's.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, exact marginals on the test set, pairs of tags and bigrams), the same of
#         recalibrated models in {model}_recalibrated/ and of the user's taggers; tagging.smk measures them
# Steps:  train, choose a hyperparameter, recalibrate on the development set, apply

from reproduction.tagging.variants import variants

TAGGERS = ("hmm", "crf")
RECALIBRATED = ("hmm_recalibrated", "crf_recalibrated")
THESIS_TAGGERS = variants(config["tagging"]["ablation"]["templates"])
TAGGER_OPTIONS = {
    name: config["tagging"] | config["datasets"][name].get("taggers", {})
    for name in config["tagging"]["datasets"]
}
GRIDS = {
    name: {"hmm": options["pseudocounts"], "crf": options["c2"]}
    for name, options in TAGGER_OPTIONS.items()
}
"""The values of each tagger's hyperparameter to choose from."""
PSEUDOCOUNTS = sorted({value for grid in GRIDS.values() for value in grid["hmm"]})
"""Those of all datasets: the HMMs of a dataset have one job, which counts once."""
MATCHED = {
    name: sorted(options["c2"])[(len(options["c2"]) - 1) // 2]
    for name, options in TAGGER_OPTIONS.items()
    if options["crf_sentences"] == "matched"
}
"""The c2 in the middle of a grid: its CRF is as accurate as the HMM, and the others have as many sentences."""
MATCHED_WITH = {
    name: {
        str(c2): (
            "results/tagging/{dataset}/hmm/model.npz"
            if c2 == MATCHED[name]
            else f"results/tagging/{{dataset}}/crf/candidates/{MATCHED[name]}.npz"
        )
        for c2 in grid["crf"]
    }
    for name, grid in GRIDS.items()
    if name in MATCHED
}
"""The model that says how many sentences each CRF has; none if their number is given."""


rule train_hmm:
    input:
        train="results/corpora/{dataset}/train.conllu",
    output:
        candidates=expand(
            "results/tagging/{{dataset}}/hmm/candidates/{value}.npz",
            value=PSEUDOCOUNTS,
        ),
    log:
        "results/logs/train_hmm/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/train_hmm.py"),
        pseudocounts=PSEUDOCOUNTS,
    message:
        "Train HMMs on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_hmm.py"


rule train_crf:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        matched=lookup(dpath="{dataset}/{c2}", within=MATCHED_WITH, default=[]),
    output:
        model="results/tagging/{dataset}/crf/candidates/{c2}.npz",
    log:
        "results/logs/train_crf/{c2}_{dataset}.log",
    conda:
        "../../envs/crf.yaml"
    params:
        library=library("tagging/train_crf.py"),
        seed=config["seed"],
        sentences=lookup(dpath="{dataset}/crf_sentences", within=TAGGER_OPTIONS),
    message:
        "Train the CRF with c2 = {wildcards.c2} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_crf.py"


rule select_tagger:
    input:
        candidates=expand(
            "results/tagging/{dataset}/{model}/candidates/{value}.npz",
            value=lookup(dpath="{dataset}/{model}", within=GRIDS),
            allow_missing=True,
        ),
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        model="results/tagging/{dataset}/{model}/model.npz",
        selection="results/tagging/{dataset}/{model}/selection.csv",
    log:
        "results/logs/select_tagger/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of(TAGGERS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/select_tagger.py"),
        values=lookup(dpath="{dataset}/{model}", within=GRIDS),
    message:
        "Choose a hyperparameter of {wildcards.model} for {wildcards.dataset}"
    script:
        "../../scripts/tagging/select_tagger.py"


rule recalibrate_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        recalibrated="results/tagging/{dataset}/{model}_recalibrated/model.npz",
        choice="results/tagging/{dataset}/{model}_recalibrated/choice.csv",
        errors="results/tagging/{dataset}/{model}_recalibrated/errors.csv",
    log:
        "results/logs/recalibrate_tagger/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of([*TAGGERS, *THESIS_TAGGERS]),
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("tagging/recalibrate_tagger.py"),
        seed=config["seed"],
    message:
        "Recalibrate {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/recalibrate_tagger.py"


rule apply_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
        tags="results/tagging/{dataset}/{model}/tags/pairs.parquet",
        bigrams="results/tagging/{dataset}/{model}/bigrams/pairs.parquet",
    log:
        "results/logs/apply_tagger/{dataset}_{model}.log",
    wildcard_constraints:
        model=one_of([*TAGGERS, *RECALIBRATED]),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/apply_tagger.py"),
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Apply {wildcards.model} to {wildcards.dataset}"
    script:
        "../../scripts/tagging/apply_tagger.py"


rule train_cnn:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        scores="results/tagging/{dataset}/{other}/scores.jsonl",
        recalibrated="results/tagging/{dataset}/{other}_recalibrated/scores.jsonl",
        card="results/tagging/{dataset}/{other}/card.json",
    log:
        "results/logs/train_cnn/{dataset}_{other}.log",
    wildcard_constraints:
        other=r"\w+(?<!_recalibrated)",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("tagging/train_cnn.py"),
        seed=config["seed"],
        sentences=lookup(
            dpath="tagging/others/{dataset}/{other}/sentences", within=config
        ),
    message:
        "Train spaCy's convolutional tagger {wildcards.other} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_cnn.py"


rule read_tagger:
    input:
        scores=partial(file_of_other, "tagging"),
        test="results/corpora/{dataset}/test.conllu",
    output:
        model="results/tagging/{dataset}/{other}/model.npz",
        marginals="results/tagging/{dataset}/{other}/marginals.npz",
        tags="results/tagging/{dataset}/{other}/tags/pairs.parquet",
        bigrams="results/tagging/{dataset}/{other}/bigrams/pairs.parquet",
    log:
        "results/logs/read_tagger/{dataset}_{other}.log",
    wildcard_constraints:
        dataset=one_of(OTHERS["tagging"]),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/read_tagger.py"),
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Compute the marginals of the tagger {wildcards.other} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/read_tagger.py"
