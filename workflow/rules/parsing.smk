# Parsing: taggers, lemmatizers and parsers trained on treebanks, for text that has no annotation.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu of the datasets that a parser is trained on
# Makes:  results/parsing/{parser}/parser.zip and card.json with the temperature of sampled trees, its accuracy in results/tables/parsing,
#         and results/parsing/{dataset}/{split}.conllu for a dataset whose words have no trees
# Steps:  train, evaluate by dataset and genre; cp results/parsing/universal/* src/nlpcalib/systems/text/parsing/model/ puts the
#         parser of configs/open.yaml into the package


PARSERS = config["parsing"]["models"]


def treebanks(split):
    """Return an input function: the files of the datasets that a parser is trained on."""
    return lambda wildcards: expand(
        f"results/corpora/{{dataset}}/{split}.conllu",
        dataset=PARSERS[wildcards.parser]["corpora"],
    )


def parser_file(model, name="parser.zip"):
    """Return a file of a parser if the workflow trains it."""
    return f"results/parsing/{model}/{name}" if model in PARSERS else []


def parsing_targets():
    return expand(
        "results/tables/parsing/accuracy_{parser}.html",
        parser=list(PARSERS),
    )


rule train_parser:
    input:
        train=treebanks("train"),
    output:
        model="results/parsing/{parser}/parser.zip",
    log:
        "results/logs/train_parser/{parser}.log",
    priority: 1
    conda:
        "../../envs/parsing.yaml"
    resources:
        **growing(mem_mb=4000, runtime=120),
    params:
        library=library("parsing/train_parser.py"),
        seed=config["seed"],
        corpora=lambda wildcards: PARSERS[wildcards.parser]["corpora"],
        epochs=lambda wildcards: PARSERS[wildcards.parser]["epochs"],
    message:
        "Train the parser {wildcards.parser}"
    script:
        "../../scripts/parsing/train_parser.py"


rule evaluate_parser:
    input:
        model="results/parsing/{parser}/parser.zip",
        dev=treebanks("dev"),
        test=treebanks("test"),
        registry=local(shipped("workflow/corpora.csv")),
    output:
        table_page("accuracy_{parser}", "accuracy of {parser}", "parsing", "parsing"),
        csv="results/tables/parsing/accuracy_{parser}.csv",
        card="results/parsing/{parser}/card.json",
    log:
        "results/logs/evaluate_parser/{parser}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("parsing/evaluate_parser.py"),
        seed=config["seed"],
        corpora=lambda wildcards: PARSERS[wildcards.parser]["corpora"],
        registered=lambda wildcards: {
            dataset: config["datasets"][dataset].get("corpus")
            for dataset in PARSERS[wildcards.parser]["corpora"]
        },
        epochs=lambda wildcards: PARSERS[wildcards.parser]["epochs"],
    message:
        "Measure the parser {wildcards.parser}"
    script:
        "../../scripts/parsing/evaluate_parser.py"


rule parse_documents:
    input:
        documents="results/corpora/{dataset}/{split}.conllu",
        model=parser_file(config["parsing"]["model"]),
    output:
        parsed="results/parsing/{dataset}/{split}.conllu",
    log:
        "results/logs/parse_documents/{dataset}_{split}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("parsing/parse_documents.py"),
        model=lambda wildcards, input: input.model or config["parsing"]["model"],
    message:
        "Parse the words of {wildcards.dataset}, {wildcards.split}"
    script:
        "../../scripts/parsing/parse_documents.py"
