# Newsroom: simulated reports and messages whose tags, trees, coreference, events and classes are known.
#
# Needs:  nothing
# Makes:  results/corpora/{dataset}/{split}.conllu and messages.parquet as other corpora have them;
#         results/events/{dataset}/{documents,reports,truth} in shards, and the rates at which countries attack
# Steps:  each dataset of format newsroom, timeline or newswire is drawn by itself; datasets of the same reports are drawn once


SIMULATED_REPORTS = datasets_with(kind=DATED, simulated=True)
MOST_REPORTS = max(
    (EVENT_OPTIONS[name]["reports"] for name in SIMULATED_REPORTS), default=0
)
"""How many reports are simulated: datasets of fewer have the first of them."""


rule simulate_newsroom:
    output:
        documents=expand("results/corpora/{{dataset}}/{split}.conllu", split=SPLITS),
        events=expand("results/corpora/{{dataset}}/{split}.events.csv", split=SPLITS),
    log:
        "results/logs/simulate_newsroom/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(datasets_with(kind=TEXTS, simulated=True)),
    conda:
        "../../envs/base.yaml"
    params:
        library=library("newsroom/simulate_newsroom.py"),
        seed=config["seed"],
        documents=lookup(dpath="datasets/{dataset}/documents", within=config),
        splits=SPLITS,
    message:
        "Simulate the reports of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_newsroom.py"


rule simulate_messages:
    output:
        messages="results/corpora/{dataset}/messages.parquet",
    log:
        "results/logs/simulate_messages/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(datasets_with(kind=MESSAGES, simulated=True)),
    group:
        "messages"
    conda:
        "../../envs/base.yaml"
    params:
        library=library("newsroom/simulate_messages.py"),
        seed=config["seed"],
        number=lookup(dpath="datasets/{dataset}/messages", within=config),
    message:
        "Simulate the messages of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_messages.py"


rule simulate_reports:
    output:
        reports=scatter.events("results/corpora/reports/{scatteritem}.conllu"),
        truth=scatter.events("results/corpora/reports/{scatteritem}.events.csv"),
        texts=scatter.events("results/corpora/reports/{scatteritem}.jsonl"),
    log:
        "results/logs/simulate_reports.log",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("newsroom/simulate_reports.py"),
        seed=config["seed"],
        reports=MOST_REPORTS,
    message:
        "Simulate dated reports"
    script:
        "../../scripts/newsroom/simulate_reports.py"


rule select_reports:
    input:
        simulated=gather.events("results/corpora/reports/{scatteritem}.conllu"),
        events=gather.events("results/corpora/reports/{scatteritem}.events.csv"),
        dated=gather.events("results/corpora/reports/{scatteritem}.jsonl"),
    output:
        documents=scatter.events(
            "results/events/{{dataset}}/documents/{scatteritem}.csv"
        ),
        reports=scatter.events(
            "results/events/{{dataset}}/reports/{scatteritem}.conllu"
        ),
        truth=scatter.events("results/events/{{dataset}}/truth/{scatteritem}.csv"),
        texts=scatter.events("results/events/{{dataset}}/texts/{scatteritem}.jsonl"),
    log:
        "results/logs/select_reports/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(SIMULATED_REPORTS),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("newsroom/select_reports.py"),
        reports=partial(events_option, "reports"),
        queries=partial(of_dataset, PARSED_QUERIES),
    message:
        "Take the reports of {wildcards.dataset} from those that are simulated"
    script:
        "../../scripts/newsroom/select_reports.py"


rule simulate_rates:
    output:
        rates="results/events/{dataset}/rates.csv",
    log:
        "results/logs/simulate_rates/{dataset}.log",
    wildcard_constraints:
        dataset=one_of(SIMULATED_REPORTS),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("newsroom/simulate_rates.py"),
        seed=config["seed"],
    message:
        "Write down how often countries attack in the world of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_rates.py"
