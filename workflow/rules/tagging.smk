# Tagging: section 4.2 of the paper, an HMM against a CRF on part-of-speech tags.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu
# Makes:  results/tagging/{dataset}/{model}/ (model, marginals, pairs and their calibration), the same of recalibrated models
#         in {model}_recalibrated/ and of the user's taggers, tables in results/tables/{dataset}
# Steps:  train, exact marginals on the test set, pairs of each target (tags, bigrams, one_tag), calibration, comparison,
#         recalibration on the development set, counts of tags and queries of phrases in documents

from reproduction.tagging.variants import variants, nested_variants, comparisons

TAGGERS = ("hmm", "crf")
TARGETS = ("tags", "bigrams")
RECALIBRATED = tuple(f"{model}_recalibrated" for model in TAGGERS)
STAGE = "_recalibrated" if config["recalibrated"] else ""
SHOWN = RECALIBRATED if config["recalibrated"] else TAGGERS
"""The models whose predictions figures and tables are of: as they were trained, or recalibrated."""
OTHER_TAGGERS = sorted(
    {name for each in config["tagging"]["others"].values() for name in each}
)
"""The user's own, of which files have the scores."""
THESIS_TAGGERS = variants(config["tagging"]["ablation"]["templates"])
THESIS_FIGURES = {
    "HMM": "hmm_ml",
    "CRF-Basic": "crf_basic_adagrad",
    "CRF-Advanced": "crf_advanced_adagrad",
}
THESIS_TARGETS = ("tags", "one_tag")
PHRASE_TAGGERS = {
    "hmm": "HMM",
    "crf": "CRF",
    nested_variants(config["tagging"]["ablation"]["templates"])[-1]: "CRF-Advanced",
}
"""The taggers whose phrases are queried, with their titles."""
UNIVERSAL_TAGS = {"NN": "NOUN", "NNP": "PROPN", "JJ": "ADJ"}
"""What the default configuration's tags are called in UPOS."""


def is_universal(dataset):
    """Return whether a dataset's tags are those in UPOS."""
    return config["datasets"][dataset].get("tags") == "upos"


PHRASE_DATASETS = [
    name
    for name in config["tagging"]["datasets"]
    if not (config["datasets"][name]["simulated"] or is_universal(name))
]
"""The datasets whose phrases are queried: by Penn tags, and not in simulated text, where phrases are too easy."""


def tag_in(dataset, tag):
    """Return what a tag of the configuration is called in a dataset."""
    return UNIVERSAL_TAGS.get(tag, tag) if is_universal(dataset) else tag


def one_tag(wildcards):
    """Return the tag that a dataset's one-tag query asks for, and the size of its bins."""
    default = config["tagging"]["ablation"]["one_tag"]
    query = default | config["datasets"][wildcards.dataset].get("one_tag", {})
    return query | {"tag": tag_in(wildcards.dataset, query["tag"])}


def of_models(models, file):
    """Return a file of each of some models."""
    return [f"results/tagging/{{dataset}}/{model}/{file}" for model in models]


def of_targets(models, targets, file):
    """Return a file of each of some models and targets."""
    pattern = f"results/tagging/{{dataset}}/{{model}}/{{target}}/{file}"
    return expand(pattern, model=models, target=targets, allow_missing=True)


def of_each_tagger(file, models=SHOWN):
    """Return a file of each tagger by its name."""
    return dict(zip(TAGGERS, of_models(models, file)))


def of_both_stages(file):
    """Return a file of each tagger as it was trained, and recalibrated, by their names."""
    models = (*TAGGERS, *RECALIBRATED)
    return dict(zip(models, of_models(models, file)))


def other_taggers(wildcards):
    """Return the names of the user's own taggers of a dataset, which figures draw next to ours."""
    return list(config["tagging"]["others"].get(wildcards.dataset, {}))


of_other_taggers = partial(of_each, "tagging", other_taggers)


def comparisons_of_taggers(stage):
    """Return the tables that compare the taggers, one for each target."""
    return {
        target: f"results/tagging/{{dataset}}/comparison_{target}{stage}.csv"
        for target in TARGETS
    }


def comparison_pages(start, stage, other):
    """Return the pages that compare the HMM with another tagger, one for each target."""
    return [
        page(
            f"results/tagging/{{dataset}}/{start}{target}{stage}.html",
            "tagging",
            caption="comparison",
            table=f"HMM against {other}: {target}{stage}",
        )
        for target in TARGETS
    ]


def tagger_option(dataset, key):
    """Return an option of the taggers for a dataset: its own or the chapter's."""
    return (config["tagging"] | config["datasets"][dataset].get("taggers", {}))[key]


PSEUDOCOUNTS = sorted(
    {
        value
        for dataset in config["tagging"]["datasets"]
        for value in tagger_option(dataset, "pseudocounts")
    }
)
"""Those of all datasets: the HMMs of a dataset have one job, which counts once."""


def tagger_grid(wildcards):
    """Return the values of a tagger's hyperparameter to choose from."""
    key = {"hmm": "pseudocounts", "crf": "c2"}[wildcards.model]
    return tagger_option(wildcards.dataset, key)


def tagger_candidates(wildcards):
    """Return the models of a tagger, one for each value of its hyperparameter."""
    return [
        f"results/tagging/{{dataset}}/{{model}}/candidates/{value}.npz"
        for value in tagger_grid(wildcards)
    ]


wildcard_constraints:
    other="|".join(OTHER_TAGGERS) or "no tagger",


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


def matched_with(wildcards):
    """Return the HMM whose accuracy the CRF is to have; none if its number of sentences is given."""
    matched = tagger_option(wildcards.dataset, "crf_sentences") == "matched"
    return ["results/tagging/{dataset}/hmm/model.npz"] if matched else []


rule train_crf:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        hmm=matched_with,
    output:
        model="results/tagging/{dataset}/crf/candidates/{c2}.npz",
    log:
        "results/logs/train_crf/{c2}_{dataset}.log",
    conda:
        "../../envs/crf.yaml"
    params:
        library=library("tagging/train_crf.py"),
        seed=config["seed"],
        sentences=lambda wildcards: tagger_option(wildcards.dataset, "crf_sentences"),
    message:
        "Train the CRF with c2 = {wildcards.c2} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_crf.py"


rule select_tagger:
    input:
        candidates=tagger_candidates,
        dev="results/corpora/{dataset}/dev.conllu",
    output:
        model="results/tagging/{dataset}/{model}/model.npz",
        selection="results/tagging/{dataset}/{model}/selection.csv",
    log:
        "results/logs/select_tagger/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(TAGGERS),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/select_tagger.py"),
        values=tagger_grid,
    message:
        "Choose a hyperparameter of {wildcards.model} for {wildcards.dataset}"
    script:
        "../../scripts/tagging/select_tagger.py"


MEASURED_TAGS = {
    "bigrams": config["tagging"]["frequent_bigrams"],
    "bin_size": config["calibration"]["bin_size"],
    "samples": config["calibration"]["draws"],
    "seed": config["seed"],
}
"""Parameters of rules that make and measure pairs of tags."""


def tagger_outputs(model):
    """Return the files of a tagger's pairs of each target, and of their calibration."""
    folder = f"results/tagging/{{dataset}}/{{{model}}}"
    return [
        file
        for target in TARGETS
        for file in calibration_outputs(
            f"{folder}/{target}", "tagging", model=f"{{{model}}}", target=target
        )
    ]


rule apply_tagger:
    input:
        model="results/tagging/{dataset}/{model}/model.npz",
        test="results/corpora/{dataset}/test.conllu",
    output:
        tagger_outputs("model"),
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
        tags="results/tagging/{dataset}/{model}/tags/pairs.parquet",
        bigrams="results/tagging/{dataset}/{model}/bigrams/pairs.parquet",
    log:
        "results/logs/apply_tagger/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(SHOWN),
    conda:
        "../../envs/base.yaml"
    params:
        **MEASURED_TAGS,
        library=library("tagging/apply_tagger.py"),
    message:
        "Apply {wildcards.model} to {wildcards.dataset}, and measure its pairs"
    script:
        "../../scripts/tagging/apply_tagger.py"


# Of the stage that figures are not about, the pairs of tags alone are compared with those of the other.
use rule apply_tagger as apply_other_stage with:
    output:
        marginals="results/tagging/{dataset}/{model}/marginals.npz",
        evaluation="results/tagging/{dataset}/{model}/evaluation.json",
        tags="results/tagging/{dataset}/{model}/tags/pairs.parquet",
    log:
        "results/logs/apply_other_stage/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join({*TAGGERS, *RECALIBRATED}.difference(SHOWN)),
    message:
        "Apply {wildcards.model} to {wildcards.dataset}"


def scores_of(wildcards):
    """Return the file with a further tagger's scores: the user's, or that of spaCy's tagger, which is trained."""
    entry = config["tagging"]["others"][wildcards.dataset][wildcards.other]
    if isinstance(entry, str):
        return user_file(entry)
    return "results/tagging/{dataset}/{other}/scores.jsonl"


rule train_cnn:
    input:
        train="results/corpora/{dataset}/train.conllu",
        dev="results/corpora/{dataset}/dev.conllu",
        test="results/corpora/{dataset}/test.conllu",
    output:
        scores="results/tagging/{dataset}/{other}/scores.jsonl",
        card="results/tagging/{dataset}/{other}/card.json",
    log:
        "results/logs/train_cnn/{dataset}_{other}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("tagging/train_cnn.py"),
        seed=config["seed"],
        sentences=lambda wildcards: config["tagging"]["others"][wildcards.dataset][
            wildcards.other
        ]["sentences"],
    message:
        "Train spaCy's convolutional tagger {wildcards.other} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/train_cnn.py"


rule read_tagger:
    input:
        scores=scores_of,
        test="results/corpora/{dataset}/test.conllu",
    output:
        tagger_outputs("other"),
        model="results/tagging/{dataset}/{other}/model.npz",
        marginals="results/tagging/{dataset}/{other}/marginals.npz",
        tags="results/tagging/{dataset}/{other}/tags/pairs.parquet",
        bigrams="results/tagging/{dataset}/{other}/bigrams/pairs.parquet",
    log:
        "results/logs/read_tagger/{dataset}_{other}.log",
    conda:
        "../../envs/base.yaml"
    params:
        **MEASURED_TAGS,
        library=library("tagging/read_tagger.py"),
    message:
        "Compute the marginals of the tagger {wildcards.other} on {wildcards.dataset}, and measure its pairs"
    script:
        "../../scripts/tagging/read_tagger.py"


rule compare_taggers:
    input:
        models=of_models([f"{model}{{stage}}" for model in TAGGERS], "model.npz"),
        marginals=of_models([f"{model}{{stage}}" for model in TAGGERS], "marginals.npz"),
        test="results/corpora/{dataset}/test.conllu",
    output:
        comparison_pages("comparison_", "{stage}", "CRF"),
        csv=expand(
            "results/tagging/{{dataset}}/comparison_{target}{{stage}}.csv",
            target=TARGETS,
        ),
    log:
        "results/logs/compare_taggers/{dataset}_{stage}.log",
    wildcard_constraints:
        stage="|_recalibrated",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tagging/compare_taggers.py"),
        seed=config["seed"],
        names=TAGGERS,
        targets=TARGETS,
        bin_size=config["calibration"]["bin_size"],
        samples=config["calibration"]["draws"],
        replicates=config["tagging"]["replicates"],
        # Next to the figures' own stage the other is shown on frequent labels alone.
        bigrams=lambda wildcards: (
            None if wildcards.stage == STAGE else config["tagging"]["frequent_bigrams"]
        ),
    message:
        "Compare the taggers on {wildcards.dataset}, label by label"
    script:
        "../../scripts/tagging/compare_taggers.py"


# The HMM has all tags of the training set, so a comparison with it has all labels of the figure.
use rule compare_taggers as compare_other_tagger with:
    input:
        models=of_models((f"hmm{STAGE}", "{other}"), "model.npz"),
        marginals=of_models((f"hmm{STAGE}", "{other}"), "marginals.npz"),
        test="results/corpora/{dataset}/test.conllu",
    output:
        comparison_pages("{other}/comparison_", "", "{other}"),
        csv=expand(
            "results/tagging/{{dataset}}/{{other}}/comparison_{target}.csv",
            target=TARGETS,
        ),
    log:
        "results/logs/compare_other_tagger/{dataset}_{other}.log",
    params:
        names=lambda wildcards: ("hmm", wildcards.other),
        bigrams=None,
    message:
        "Compare the HMM with {wildcards.other} on {wildcards.dataset}, label by label"


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
        model="|".join((*TAGGERS, *THESIS_TAGGERS)),
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("tagging/recalibrate_tagger.py"),
        seed=config["seed"],
    message:
        "Recalibrate {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/tagging/recalibrate_tagger.py"
