# Parsing: taggers, lemmatizers and parsers trained on treebanks, for text that has no annotation.
#
# Needs:  results/corpora/{dataset}/{train,dev,test}.conllu of the datasets that a parser is trained on
# Makes:  results/parsing/{parser}/parser.zip and card.json with the temperature of sampled trees, its accuracy in results/tables/parsing,
#         and results/parsing/{dataset}/{split}.conllu for a dataset whose words have no trees
# Steps:  train, evaluate by dataset and genre; cp results/parsing/universal/* src/nlpcalib/systems/text/parsing/model/ puts the
#         parser of configs/open.yaml into the package


PARSERS = config["parsing"]["models"]
PARSER_FILES = {name: f"results/parsing/{name}/parser.zip" for name in PARSERS}
PARSER_CARDS = {name: f"results/parsing/{name}/card.json" for name in PARSERS}
"""Those of the parsers that the workflow trains."""
REGISTERED = {
    parser: {
        name: config["datasets"][name].get("corpus") for name in options["corpora"]
    }
    for parser, options in PARSERS.items()
}


rule train_parser:
    input:
        train=expand(
            "results/corpora/{dataset}/train.conllu",
            dataset=lookup(dpath="{parser}/corpora", within=PARSERS),
        ),
    output:
        model="results/parsing/{parser}/parser.zip",
    log:
        "results/logs/train_parser/{parser}.log",
    priority: 1
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=partial(growing, 4000),
        runtime=partial(growing, 120),
    params:
        library=library("parsing/train_parser.py"),
        seed=config["seed"],
        corpora=lookup(dpath="{parser}/corpora", within=PARSERS),
        epochs=lookup(dpath="{parser}/epochs", within=PARSERS),
    message:
        "Train the parser {wildcards.parser}"
    script:
        "../../scripts/parsing/train_parser.py"


rule evaluate_parser:
    input:
        model="results/parsing/{parser}/parser.zip",
        dev=expand(
            "results/corpora/{dataset}/dev.conllu",
            dataset=lookup(dpath="{parser}/corpora", within=PARSERS),
        ),
        test=expand(
            "results/corpora/{dataset}/test.conllu",
            dataset=lookup(dpath="{parser}/corpora", within=PARSERS),
        ),
        registry=local(shipped("workflow/corpora.csv")),
    output:
        page(
            "results/tables/parsing/accuracy_{parser}.html",
            "parsing",
            caption="parsing",
            table="accuracy of {parser}",
        ),
        csv="results/tables/parsing/accuracy_{parser}.csv",
        card="results/parsing/{parser}/card.json",
    log:
        "results/logs/evaluate_parser/{parser}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("parsing/evaluate_parser.py"),
        seed=config["seed"],
        corpora=lookup(dpath="{parser}/corpora", within=PARSERS),
        registered=lookup(dpath="{parser}", within=REGISTERED),
        epochs=lookup(dpath="{parser}/epochs", within=PARSERS),
    message:
        "Measure the parser {wildcards.parser}"
    script:
        "../../scripts/parsing/evaluate_parser.py"


rule parse_documents:
    input:
        documents="results/corpora/{dataset}/{split}.conllu",
        model=PARSER_FILES.get(config["parsing"]["model"], []),
    output:
        parsed="results/parsing/{dataset}/{split}.conllu",
    log:
        "results/logs/parse_documents/{dataset}_{split}.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("parsing/parse_documents.py"),
        parser=config["parsing"]["model"],
    message:
        "Parse the words of {wildcards.dataset}, {wildcards.split}"
    script:
        "../../scripts/parsing/parse_documents.py"


rule parsing:
    input:
        expand("results/tables/parsing/accuracy_{parser}.html", parser=PARSERS),
    localrule: True
