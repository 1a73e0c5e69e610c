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
        "Label the messages of {wildcards.dataset} and draw balanced sets"
    script:
        "../../scripts/sentiment/message_sets.py"


rule sentiment_features:
    input:
        **{split: f"results/sentiment/{{dataset}}/{split}.parquet" for split in SPLITS},
    output:
        features="results/sentiment/{dataset}/features.npz",
    log:
        "results/logs/sentiment_features/{dataset}.log",
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(mem_mb=4000),
    params:
        library=library("sentiment/sentiment_features.py"),
    message:
        "Find the words of the messages of {wildcards.dataset}"
    script:
        "../../scripts/sentiment/sentiment_features.py"


rule train_sentiment:
    input:
        features="results/sentiment/{dataset}/features.npz",
    output:
        model="results/sentiment/{dataset}/{model}/model.npz",
        selection="results/sentiment/{dataset}/{model}/selection.csv",
    log:
        "results/logs/train_sentiment/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(CLASSIFIERS),
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("sentiment/train_sentiment.py"),
        values=lambda wildcards: config["sentiment"][HYPERPARAMETERS[wildcards.model]],
        bin_size=config["sentiment"]["bin_size"],
    message:
        "Train {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/train_sentiment.py"


rule sentiment_pairs:
    input:
        test="results/sentiment/{dataset}/test.parquet",
        features="results/sentiment/{dataset}/features.npz",
        model="results/sentiment/{dataset}/{model}/model.npz",
    output:
        pairs="results/sentiment/{dataset}/{model}/happy/pairs.parquet",
        evaluation="results/sentiment/{dataset}/{model}/evaluation.json",
    log:
        "results/logs/sentiment_pairs/{dataset}_{model}.log",
    wildcard_constraints:
        model="|".join(CLASSIFIERS),
    group:
        "pairs"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("sentiment/sentiment_pairs.py"),
    message:
        "Make prediction-label pairs of {wildcards.model} on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/sentiment_pairs.py"


use rule sentiment_pairs as oracle_pairs with:
    input:
        test="results/sentiment/{dataset}/test.parquet",
    output:
        pairs="results/sentiment/{dataset}/oracle/happy/pairs.parquet",
        evaluation="results/sentiment/{dataset}/oracle/evaluation.json",
    log:
        "results/logs/oracle_pairs/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=MESSAGES, simulated=True),
    message:
        "Make prediction-label pairs of the true probabilities of {wildcards.dataset}"
