# Sentiment: section 4.1 of the paper, Naive Bayes against logistic regression on emoticon-labelled messages.
#
# Needs:  nothing (simulated timeline), a corpus of workflow/corpora.csv, or a file of the user's
# Makes:  results/sentiment/{dataset}/{model}/ (model, evaluation, pairs and their calibration),
#         Figure 2 in results/figures/{dataset}, a table in results/tables/{dataset}
# Steps:  simulate or read messages, label them and draw balanced sets by time, binary features, train, pairs,
#         calibration, figure; on simulated messages the true probabilities go the same way as those of a model, `oracle`,
#         and so do the predictions of the user's own classifiers


CLASSIFIERS = ("naive_bayes", "logistic_regression")
SHOWN_CLASSIFIERS = {
    name: [
        *CLASSIFIERS,
        *["oracle"] * FORMATS[config["datasets"][name]["format"]].simulated,
        *OTHERS["sentiment"].get(name, []),
    ]
    for name in config["sentiment"]["datasets"]
}
"""The models of a dataset: where messages are simulated, the truth is one of them, and the user's own are."""


rule prepare_messages:
    input:
        files=dataset_files,
    output:
        messages="results/corpora/{dataset}/messages.parquet",
    log:
        "results/logs/prepare_messages/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(datasets_with(kind=MESSAGES, simulated=False)),
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=partial(growing, 4000),
    params:
        **READING,
        library=partial(reader_library, "sentiment/prepare_messages.py"),
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
        train="results/sentiment/{dataset}/train.parquet",
        dev="results/sentiment/{dataset}/dev.parquet",
        test="results/sentiment/{dataset}/test.parquet",
        counts="results/sentiment/{dataset}/sets.csv",
        features="results/sentiment/{dataset}/features.npz",
    log:
        "results/logs/message_sets/{dataset}.log",
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=partial(growing, 4000),
    params:
        library=library("sentiment/message_sets.py"),
        seed=config["seed"],
        sizes=config["sentiment"]["messages"],
        cuts=lookup(dpath="datasets/{dataset}/cuts", within=config, default=None),
    message:
        "Label the messages of {wildcards.dataset}, draw balanced sets and find their words"
    script:
        "../../scripts/sentiment/message_sets.py"


rule train_sentiment:
    input:
        features="results/sentiment/{dataset}/features.npz",
    output:
        models=expand(
            "results/sentiment/{{dataset}}/{model}/model.npz", model=CLASSIFIERS
        ),
        selections=expand(
            "results/sentiment/{{dataset}}/{model}/selection.csv", model=CLASSIFIERS
        ),
        candidates=expand(
            "results/sentiment/{{dataset}}/{model}/candidates.npz", model=CLASSIFIERS
        ),
    log:
        "results/logs/train_sentiment/{dataset}.log",
    conda:
        "../../envs/sentiment.yaml"
    params:
        library=library("sentiment/train_sentiment.py"),
        grids={
            "naive_bayes": config["sentiment"]["pseudocounts"],
            "logistic_regression": config["sentiment"]["c"],
        },
    message:
        "Train Naive Bayes and logistic regression on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/train_sentiment.py"


rule apply_classifiers:
    input:
        test="results/sentiment/{dataset}/test.parquet",
        features="results/sentiment/{dataset}/features.npz",
        models=expand(
            "results/sentiment/{{dataset}}/{model}/model.npz", model=CLASSIFIERS
        ),
    output:
        pairs=expand(
            "results/sentiment/{{dataset}}/{model}/happy/pairs.parquet",
            model=CLASSIFIERS,
        ),
        evaluations=expand(
            "results/sentiment/{{dataset}}/{model}/evaluation.json", model=CLASSIFIERS
        ),
    log:
        "results/logs/apply_classifiers/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("sentiment/apply_classifiers.py"),
    message:
        "Apply the classifiers to the test messages of {wildcards.dataset}"
    script:
        "../../scripts/sentiment/apply_classifiers.py"


# Where the text is simulated, the true probabilities are those of one more model.
rule true_sentiment:
    input:
        test="results/sentiment/{dataset}/test.parquet",
    output:
        pairs="results/sentiment/{dataset}/oracle/happy/pairs.parquet",
        evaluation="results/sentiment/{dataset}/oracle/evaluation.json",
    log:
        "results/logs/true_sentiment/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("sentiment/true_sentiment.py"),
    message:
        "Take the true probabilities of the test messages of {wildcards.dataset}"
    script:
        "../../scripts/sentiment/true_sentiment.py"


rule read_classifier:
    input:
        predictions=partial(file_of_other, "sentiment"),
        test="results/sentiment/{dataset}/test.parquet",
    output:
        pairs="results/sentiment/{dataset}/{other}/happy/pairs.parquet",
        evaluation="results/sentiment/{dataset}/{other}/evaluation.json",
    log:
        "results/logs/read_classifier/{dataset}_{other}.log",
    wildcard_constraints:
        other=one_of({name for names in OTHERS["sentiment"].values() for name in names}),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("sentiment/read_classifier.py"),
    message:
        "Read the predictions of the classifier {wildcards.other} on {wildcards.dataset}"
    script:
        "../../scripts/sentiment/read_classifier.py"


rule measure_sentiment:
    input:
        pairs=expand(
            "results/sentiment/{{dataset}}/{model}/happy/pairs.parquet",
            model=CLASSIFIERS,
        ),
    output:
        calibration_outputs(
            "sentiment",
            expand("results/sentiment/{{dataset}}/{model}/happy", model=CLASSIFIERS),
        ),
    log:
        "results/logs/measure_sentiment/{dataset}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/measure.py"),
        bin_size=config["sentiment"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of the classifiers on {wildcards.dataset}"
    script:
        "../../scripts/calibration/measure.py"


use rule measure_sentiment as measure_other_classifier with:
    input:
        pairs="results/sentiment/{dataset}/{other}/happy/pairs.parquet",
    output:
        calibration_outputs("sentiment", ["results/sentiment/{dataset}/{other}/happy"]),
    log:
        "results/logs/measure_other_classifier/{dataset}_{other}.log",
    wildcard_constraints:
        dataset=one_of(config["sentiment"]["datasets"]),
    message:
        "Measure the calibration of {wildcards.other} on {wildcards.dataset}"


rule sentiment_table:
    input:
        evaluations=expand(
            "results/sentiment/{dataset}/{model}/evaluation.json",
            model=lookup(dpath="{dataset}", within=SHOWN_CLASSIFIERS),
            allow_missing=True,
        ),
        calibrations=expand(
            "results/sentiment/{dataset}/{model}/happy/calibration.json",
            model=lookup(dpath="{dataset}", within=SHOWN_CLASSIFIERS),
            allow_missing=True,
        ),
        pairs=expand(
            "results/sentiment/{dataset}/{model}/happy/pairs.parquet",
            model=lookup(dpath="{dataset}", within=SHOWN_CLASSIFIERS),
            allow_missing=True,
        ),
    output:
        page(
            "results/tables/{dataset}/sentiment.html", "sentiment", table="classifiers"
        ),
        csv=["results/tables/{dataset}/sentiment.csv"],
    log:
        "results/logs/tables/{dataset}/sentiment.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.sentiment"),
        make="reproduction.tables.sentiment:sentiment_table",
    message:
        "Tabulate the classifiers of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule draw_figure_2:
    input:
        pairs=expand(
            "results/sentiment/{dataset}/{model}/happy/pairs.parquet",
            model=lookup(dpath="{dataset}", within=SHOWN_CLASSIFIERS),
            allow_missing=True,
        ),
        calibrations=expand(
            "results/sentiment/{dataset}/{model}/happy/calibration.json",
            model=lookup(dpath="{dataset}", within=SHOWN_CLASSIFIERS),
            allow_missing=True,
        ),
    output:
        figure_2=page(
            "results/figures/{dataset}/figure_2{style}.png",
            "sentiment",
            "1 Figures",
            "figure_2",
            figure="2: sentiment",
        ),
        csv="results/figures/{dataset}/figure_2{style}.csv",
        pdf=expand("results/figures/{{dataset}}/figure_2{{style}}.{end}", end=PRINTED),
    log:
        "results/logs/figures/{dataset}/figure_2{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.sentiment"),
        draw={"figure_2": "reproduction.figures.sentiment:figure_2"},
    message:
        "Draw Figure 2 of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_2:
    input:
        expand(
            "results/figures/{dataset}/figure_2.{end}",
            dataset=config["sentiment"]["datasets"],
            end=PICTURES,
        ),
    localrule: True


rule sentiment:
    input:
        rules.figure_2.input,
        expand(
            "results/tables/{dataset}/sentiment.csv",
            dataset=config["sentiment"]["datasets"],
        ),
    localrule: True
