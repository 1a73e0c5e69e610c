# Evaluating an extraction system: how much of what happens it finds (Lowe & King 2003).
#
# Needs:  dated documents as the events chapter reads and parses them; a dictionary of verbs by category, with CAMEO's codes
# Makes:  results/extraction_eval/{dataset}/codings.csv, plan.json, sheet.csv and sheet.html to annotate leads in, and how frequent
#         categories are; with simulated reports, the evaluation next to the truth, and what estimates, intervals and the
#         sample are worth
# Steps:  give each category its weight, code all leads, draw the sample; where the truth is known: evaluate, sample
#         again and again, tables, figures


SCALES = ("packaged", "registry")
SCALE = config["extraction_eval"]["scale"]
TRUE_LEADS = [
    name
    for name in config["extraction_eval"]["datasets"]
    if dataset_format(name).simulated
]


def annotators(wildcards):
    """Return the sheets in which people annotated a dataset's leads, by name."""
    given = config["extraction_eval"]["annotators"].get(
        wildcards.dataset, {"sheets": {}}
    )
    return {name: user_file(path) for name, path in given["sheets"].items()}


def settled_sheet(wildcards):
    """Return the sheet of what the annotators of a dataset settled."""
    given = config["extraction_eval"]["annotators"].get(wildcards.dataset, {})
    return [user_file(given["settled"])] if "settled" in given else []


rule event_scale:
    input:
        weights=[archive("lexicon")] if SCALE == "registry" else [],
        table=branch(
            SCALE not in SCALES, then=lambda wildcards: [user_file(SCALE, SCALES)]
        ),
    output:
        scale="results/extraction_eval/scale.csv",
    log:
        "results/logs/event_scale.log",
    priority: 2  # a category without a weight is found before the news is parsed
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("extraction_eval/event_scale.py"),
        dictionary=config["extraction_eval"]["dictionary"],
        scale=SCALE,
    message:
        "Give each category of events its weight"
    script:
        "../../scripts/extraction_eval/event_scale.py"


rule code_leads:
    input:
        documents=parsed_news,
        model=of_events_coref("model.npz"),
        lexicon=lexicon_archive,
        tables=lexicon_tables,
    output:
        codings="results/extraction_eval/{dataset}/coded/{scatteritem}.csv",
    log:
        "results/logs/code_leads/{dataset}_{scatteritem}.log",
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        **growing(runtime=240),
    params:
        library=library("extraction_eval/code_leads.py"),
        lexicon=events_option("lexicon"),
        dictionary=config["extraction_eval"]["dictionary"],
    message:
        "Code the leads of {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/extraction_eval/code_leads.py"


rule true_leads:
    input:
        documents=branch(
            has_trees,
            then=all_shards("reports/{scatteritem}.conllu"),
            otherwise=all_shards("parsed/{scatteritem}.conllu"),
        ),
        reports=all_shards("reports/{scatteritem}.conllu"),
        events=all_shards("truth/{scatteritem}.csv"),
    output:
        truth=scatter.events(
            "results/extraction_eval/{{dataset}}/truth/{scatteritem}.csv"
        ),
    log:
        "results/logs/true_leads/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("extraction_eval/true_leads.py"),
        categories=list(config["extraction_eval"]["dictionary"]),
    message:
        "Write the truth about the leads of {wildcards.dataset}"
    script:
        "../../scripts/extraction_eval/true_leads.py"


rule plan_leads:
    input:
        coded=all_shards("coded/{scatteritem}.csv", "extraction_eval"),
        scale="results/extraction_eval/scale.csv",
    output:
        table_page("leads_frequencies", "categories by frequency", "extraction_eval"),
        page=page(
            "results/extraction_eval/{dataset}/sheet.html",
            "extraction_eval",
            caption="leads_sheet",
            table="leads to annotate",
        ),
        codings="results/extraction_eval/{dataset}/codings.csv",
        plan="results/extraction_eval/{dataset}/plan.json",
        sheet="results/extraction_eval/{dataset}/sheet.csv",
        frequencies="results/tables/{dataset}/leads_frequencies.csv",
    log:
        "results/logs/plan_leads/{dataset}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("extraction_eval/plan_leads.py"),
        seed=config["seed"],
        k=config["extraction_eval"]["per_category"],
    message:
        "Sample leads of {wildcards.dataset} to annotate"
    script:
        "../../scripts/extraction_eval/plan_leads.py"
