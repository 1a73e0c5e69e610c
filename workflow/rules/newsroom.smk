# Newsroom: simulated reports and messages whose tags, trees, coreference, events and classes are known.
#
# Needs:  nothing
# Makes:  results/corpora/{dataset}/{split}.conllu and messages.parquet as other corpora have them;
#         results/events/{dataset}/{documents,reports,truth} in shards, and the rates at which countries attack
# Steps:  each dataset of format newsroom, timeline or newswire is drawn by itself; datasets of the same reports are drawn once


REPORTS = {
    name: scatter.events(
        f"results/events/{{{{dataset}}}}/{name}/{{scatteritem}}.{kind}"
    )
    for name, kind in {
        "documents": "csv",
        "reports": "conllu",
        "truth": "csv",
        "texts": "jsonl",
    }.items()
}
"""The files of all shards of simulated reports."""
SIMULATED_REPORTS = datasets_with(kind=DATED, simulated=True)


def first_of_same_reports(dataset):
    """Return the first dataset whose reports are those of a dataset: as many, selected for the same queries."""

    def made_of(name):
        return config["datasets"][name]["events"]["reports"], parsed_queries(name)

    return next(name for name in SIMULATED_REPORTS if made_of(name) == made_of(dataset))


DRAWN_REPORTS = [
    name for name in SIMULATED_REPORTS if first_of_same_reports(name) == name
]


rule simulate_newsroom:
    output:
        documents=expand("results/corpora/{{dataset}}/{split}.conllu", split=SPLITS),
        events=expand("results/corpora/{{dataset}}/{split}.events.csv", split=SPLITS),
    log:
        "results/logs/simulate_newsroom/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=TEXTS, simulated=True),
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
        dataset=names_with(kind=MESSAGES, simulated=True),
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
        **REPORTS,
    log:
        "results/logs/simulate_reports/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(DRAWN_REPORTS) or "no dataset",
    conda:
        "../../envs/parsing.yaml"
    params:
        library=library("newsroom/simulate_reports.py"),
        seed=config["seed"],
        reports=events_option("reports"),
        queries=event_queries,
    message:
        "Simulate the dated reports of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_reports.py"


rule copy_reports:
    input:
        **{
            name: lambda wildcards, files=files: [
                file.format(dataset=first_of_same_reports(wildcards.dataset))
                for file in files
            ]
            for name, files in REPORTS.items()
        },
    output:
        **REPORTS,
    log:
        "results/logs/copy_reports/{dataset}.log",
    wildcard_constraints:
        dataset="|".join(
            name for name in SIMULATED_REPORTS if name not in DRAWN_REPORTS
        )
        or "no dataset",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("newsroom/copy_reports.py"),
    message:
        "Copy the reports of {wildcards.dataset} from the dataset that has the same"
    script:
        "../../scripts/newsroom/copy_reports.py"


rule simulate_rates:
    output:
        rates="results/events/{dataset}/rates.csv",
    log:
        "results/logs/simulate_rates/{dataset}.log",
    wildcard_constraints:
        dataset=names_with(kind=DATED, simulated=True),
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
