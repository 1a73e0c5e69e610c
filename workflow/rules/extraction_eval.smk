# Evaluating an extraction system: how much of what happens it finds (Lowe & King 2003).
#
# Needs:  dated documents as the events chapter reads and parses them; a dictionary of verbs by category, with CAMEO's codes
# Makes:  results/extraction_eval/{dataset}/codings.csv, plan.json, sheet.csv and sheet.html to annotate leads in, and how frequent
#         categories are; with simulated reports, the evaluation next to the truth, and what estimates, intervals and the
#         sample are worth
# Steps:  give each category its weight, code all leads, draw the sample; where the truth is known: evaluate, sample
#         again and again, tables; extraction_figures.smk draws


SCALES = ("packaged", "registry")
SCALE = config["extraction_eval"]["scale"]
LEADS = config["extraction_eval"]["datasets"]
TRUE_LEADS = [name for name in LEADS if IS_SIMULATED[name]]
ANNOTATED_LEADS = config["extraction_eval"]["annotators"]
ANNOTATORS = {name: list(given["sheets"]) for name, given in ANNOTATED_LEADS.items()}


def annotators(wildcards):
    """Return the sheets in which people annotated a dataset's leads."""
    sheets = ANNOTATED_LEADS[wildcards.dataset]["sheets"]
    return [user_file(path) for path in sheets.values()]


def settled_sheet(wildcards):
    """Return the sheet of what the annotators of a dataset settled."""
    given = ANNOTATED_LEADS[wildcards.dataset]
    return [user_file(given["settled"])] if "settled" in given else []


rule event_scale:
    input:
        weights=["results/corpora/archives/lexicon.zip"] * (SCALE == "registry"),
        table=[] if SCALE in SCALES else [user_file(SCALE, SCALES)],
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
        model=partial(of_dataset, EVENT_COREF),
        lexicon=partial(of_dataset, LEXICON_ARCHIVE),
        tables=lexicon_tables,
    output:
        codings="results/extraction_eval/{dataset}/coded/{scatteritem}.csv",
    log:
        "results/logs/code_leads/{dataset}_{scatteritem}.log",
    priority: 1
    conda:
        "../../envs/base.yaml"
    resources:
        runtime=partial(growing, 240),
    params:
        library=library("extraction_eval/code_leads.py"),
        lexicon=partial(events_option, "lexicon"),
        dictionary=config["extraction_eval"]["dictionary"],
    message:
        "Code the leads of {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/extraction_eval/code_leads.py"


rule true_leads:
    input:
        documents=branch(
            partial(of_dataset, HAS_TREES),
            then=partial(
                all_shards, "results/events/{dataset}/reports/{scatteritem}.conllu"
            ),
            otherwise=partial(
                all_shards, "results/events/{dataset}/parsed/{scatteritem}.conllu"
            ),
        ),
        reports=partial(
            all_shards, "results/events/{dataset}/reports/{scatteritem}.conllu"
        ),
        events=partial(all_shards, "results/events/{dataset}/truth/{scatteritem}.csv"),
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
        coded=partial(
            all_shards, "results/extraction_eval/{dataset}/coded/{scatteritem}.csv"
        ),
        scale="results/extraction_eval/scale.csv",
    output:
        page(
            "results/tables/{dataset}/leads_frequencies.html",
            "extraction_eval",
            table="categories by frequency",
        ),
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


rule evaluate_leads:
    input:
        codings="results/extraction_eval/{dataset}/codings.csv",
        scale="results/extraction_eval/scale.csv",
        truth=partial(
            all_shards, "results/extraction_eval/{dataset}/truth/{scatteritem}.csv"
        ),
        plan="results/extraction_eval/{dataset}/plan.json",
    output:
        page(
            "results/tables/{dataset}/leads_summary.html",
            "extraction_eval",
            table="estimates of the whole",
        ),
        page(
            "results/tables/{dataset}/leads_categories.html",
            "extraction_eval",
            table="estimates by category",
        ),
        page(
            "results/tables/{dataset}/leads_actors.html",
            "extraction_eval",
            table="estimates by actor",
        ),
        csv=[
            "results/tables/{dataset}/leads_summary.csv",
            "results/tables/{dataset}/leads_categories.csv",
            "results/tables/{dataset}/leads_actors.csv",
        ],
        further=["results/extraction_eval/{dataset}/evaluations.json"],
    log:
        "results/logs/tables/{dataset}/leads_summary.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.extraction_eval"),
        make="reproduction.tables.extraction_eval:evaluate_leads",
        k=config["extraction_eval"]["per_category"],
        samples=config["extraction_eval"]["draws"],
        seed=config["seed"],
    message:
        "Evaluate the system on the leads of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule study_leads:
    input:
        codings="results/extraction_eval/{dataset}/codings.csv",
        scale="results/extraction_eval/scale.csv",
        truth=partial(
            all_shards, "results/extraction_eval/{dataset}/truth/{scatteritem}.csv"
        ),
    output:
        page(
            "results/tables/{dataset}/leads_coverage.html",
            "extraction_eval",
            table="bias and coverage",
        ),
        page(
            "results/tables/{dataset}/leads_naive.html",
            "extraction_eval",
            table="P(T | M) read as P(M | T)",
        ),
        csv=[
            "results/tables/{dataset}/leads_coverage.csv",
            "results/tables/{dataset}/leads_naive.csv",
        ],
        further=["results/extraction_eval/{dataset}/saving.csv"],
    log:
        "results/logs/tables/{dataset}/leads_coverage.log",
    priority: 1
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.extraction_eval"),
        make="reproduction.tables.extraction_eval:study_leads",
        k=config["extraction_eval"]["per_category"],
        study=config["extraction_eval"]["study"],
        seed=config["seed"],
    message:
        "Sample the leads of {wildcards.dataset} again and again"
    script:
        "../../scripts/tables/tables.py"


rule evaluate_annotators:
    input:
        codings="results/extraction_eval/{dataset}/codings.csv",
        scale="results/extraction_eval/scale.csv",
        plan="results/extraction_eval/{dataset}/plan.json",
        sheets=annotators,
        settled=settled_sheet,
    output:
        page(
            "results/tables/{dataset}/leads_annotators_agreement.html",
            "extraction_eval",
            table="agreement between annotators",
        ),
        page(
            "results/tables/{dataset}/leads_annotators_summary.html",
            "extraction_eval",
            table="machine and annotators",
        ),
        page(
            "results/tables/{dataset}/leads_annotators_categories.html",
            "extraction_eval",
            table="machine and annotators by category",
        ),
        csv=[
            "results/tables/{dataset}/leads_annotators_agreement.csv",
            "results/tables/{dataset}/leads_annotators_summary.csv",
            "results/tables/{dataset}/leads_annotators_categories.csv",
        ],
        further=["results/extraction_eval/{dataset}/annotators.json"],
    log:
        "results/logs/tables/{dataset}/leads_annotators_agreement.log",
    wildcard_constraints:
        dataset=one_of(ANNOTATED_LEADS),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.extraction_eval"),
        make="reproduction.tables.extraction_eval:evaluate_annotators",
        annotators=partial(of_dataset, ANNOTATORS),
        samples=config["extraction_eval"]["draws"],
        seed=config["seed"],
    message:
        "Evaluate the annotators of {wildcards.dataset} beside the system"
    script:
        "../../scripts/tables/tables.py"
