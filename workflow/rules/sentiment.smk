# Sentiment: section 4.1 of the paper, Naive Bayes against logistic regression on emoticon-labelled messages.
#
# Needs:  nothing (simulated timeline), a corpus of workflow/corpora.csv, or a file of the user's
# Makes:  results/sentiment/{dataset}/{model}/ (model, evaluation, pairs and their calibration),
#         Figure 2 and what regularisation does in results/figures/{dataset}, a table in results/tables/{dataset}
# Steps:  simulate or read messages, label them and draw balanced sets by time, binary features, train, pairs,
#         calibration, figure; on simulated messages the true probabilities go the same way as those of a model, `oracle`


CLASSIFIERS = ("naive_bayes", "logistic_regression")
HYPERPARAMETERS = {"naive_bayes": "pseudocounts", "logistic_regression": "c"}


def classifiers(wildcards):
    """Return the models of a dataset, where messages are simulated with the truth as one of them."""
    return (*CLASSIFIERS, "oracle") if is_simulated(wildcards) else CLASSIFIERS


of_each_classifier = partial(of_each, "sentiment", classifiers)


rule prepare_messages:
    input:
        files=dataset_files,
    output:
        messages="results/corpora/{dataset}/messages.parquet",
    log:
        "results/logs/prepare_messages/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=MESSAGES, simulated=False),
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000),
    params:
        **READING,
        library=reader_library("sentiment/prepare_messages.py"),
        broken=lookup(
            dpath="datasets/{dataset}/broken_lines", within=config, default=0.01
        ),
    message:
        "Read the messages of {wildcards.dataset}"
    script:
        "../../scripts/sentiment/prepare_messages.py"


rule message_sets:
    input:
        messages="results/corpora/{dataset}/messages.parquet",
    output:
        **{split: f"results/sentiment/{{dataset}}/{split}.parquet" for split in SPLITS},
        counts="results/sentiment/{dataset}/sets.csv",
        features="results/sentiment/{dataset}/features.npz",
    log:
        "results/logs/message_sets/{dataset}.log",
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000),
    params:
        library=library("sentiment/message_sets.py"),
        seed=config["seed"],
        sizes=config["sentiment"]["messages"],
        cuts=lookup(dpath="datasets/{dataset}/cuts", within=config, default=None),
    message:
        "Label the messages of {wildcards.dataset}, draw balanced sets and find their words"
    script:
        "../../scripts/sentiment/message_sets.py"


def of_classifiers(models, file):
    """Return a file of each of some models."""
    return [f"results/sentiment/{{dataset}}/{model}/{file}" for model in models]


rule train_sentiment:
    input:
        features="results/sentiment/{dataset}/features.npz",
    output:
        models=of_classifiers(CLASSIFIERS, "model.npz"),
        selections=of_classifiers(CLASSIFIERS, "selection.csv"),
    log:
        "results/logs/train_sentiment/{dataset}.log",
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("sentiment/train_sentiment.py"),
        grids={
            model: config["sentiment"][HYPERPARAMETERS[model]] for model in CLASSIFIERS
        },
        bin_size=config["sentiment"]["bin_size"],
    message:
        "Train Naive Bayes and logistic regression on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/train_sentiment.py"


def classifier_outputs(models):
    """Return the files of the calibration of each model."""
    return [
        file
        for model in models
        for file in calibration_outputs(
            f"results/sentiment/{{dataset}}/{model}/happy",
            "sentiment",
            model=model,
            target="happy",
        )
    ]


rule sentiment_pairs:
    input:
        test="results/sentiment/{dataset}/test.parquet",
        features="results/sentiment/{dataset}/features.npz",
        models=of_classifiers(CLASSIFIERS, "model.npz"),
    output:
        classifier_outputs(CLASSIFIERS),
        pairs=of_classifiers(CLASSIFIERS, "happy/pairs.parquet"),
        evaluations=of_classifiers(CLASSIFIERS, "evaluation.json"),
    log:
        "results/logs/sentiment_pairs/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=MESSAGES, simulated=False),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("sentiment/sentiment_pairs.py"),
        seed=config["seed"],
        bin_size=config["sentiment"]["bin_size"],
        samples=config["calibration"]["draws"],
    message:
        "Measure the pairs of the classifiers on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/sentiment_pairs.py"


# Where the text is simulated, the true probabilities are measured as one more model.
use rule sentiment_pairs as sentiment_pairs_with_truth with:
    output:
        classifier_outputs([*CLASSIFIERS, "oracle"]),
        pairs=of_classifiers([*CLASSIFIERS, "oracle"], "happy/pairs.parquet"),
        evaluations=of_classifiers([*CLASSIFIERS, "oracle"], "evaluation.json"),
    log:
        "results/logs/sentiment_pairs_with_truth/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=MESSAGES, simulated=True),
    message:
        "Measure the pairs of the classifiers and of the truth on {wildcards.dataset}"
