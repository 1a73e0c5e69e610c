# Estimation: from the posterior and a few hundred documents that people read to counts that hold.
#
# Needs:  the events of a dataset; labels of its documents: a file of the user's, the truth of simulated reports, or answer keys
#         of the registry
# Makes:  results/estimation/{dataset}/{query}/: plans and blind sheets, next to it a blind page of all queries; with labels totals.csv and series.csv, a figure
#         of the series and a table of the totals; where the truth is known, how often intervals hold it
# Steps:  draw a pilot, read labels, draw the rest, read labels, estimate; two sheets in all, one without a pilot


ESTIMATED = [
    f"{dataset}/{query}"
    for dataset in STUDIES["estimation"]["datasets"]
    for query in DATASET_QUERIES[dataset]
]
PARTS = 2 if STUDIES["estimation"]["design"] == "two-phase" else 1
"""Sheets that documents are read in."""
LEARNING = STUDIES["estimation"]["learn"]
"""Whether labels teach the probabilities that estimates start from."""


def estimation_keys(dataset):
    """Return the corpus of the registry that has the truth of a dataset, None if there is none."""
    return STUDIES["estimation"]["keys"].get(dataset)


def user_labels(dataset, query):
    """Return the files of labels that people made of a dataset's documents, a list of one, several or none."""
    path = STUDIES["estimation"]["labels"].get(dataset, {}).get(query, [])
    return [user_file(each) for each in ([path] if isinstance(path, str) else path)]


def truth_is_known(dataset):
    return IS_SIMULATED[dataset] or estimation_keys(dataset) is not None


def has_labels(name):
    dataset, query = Path(name).parts
    return bool(user_labels(dataset, query)) or truth_is_known(dataset)


def estimated_queries(wildcards):
    """Return the queries of a dataset whose documents have labels."""
    dataset = wildcards.dataset
    return [
        query for query in DATASET_QUERIES[dataset] if has_labels(f"{dataset}/{query}")
    ]


def of_each_estimate(file, wildcards):
    """Return a file of each query of a dataset whose documents have labels."""
    return [
        f"results/estimation/{wildcards.dataset}/{query}/{file}"
        for query in estimated_queries(wildcards)
    ]


event_reference = branch(
    lambda wildcards: truth_is_known(wildcards.dataset),
    then=["results/estimation/{dataset}/{query}/reference.csv"],
)
"""The table of true countries of each document, where it is known."""


def event_labels(last):
    """Return an input function: the labels of all phases up to one."""
    return lambda wildcards: (
        user_labels(wildcards.dataset, wildcards.query)
        or [
            f"results/estimation/{{dataset}}/{{query}}/labels-{phase}.csv"
            for phase in range(1, last + 1)
        ]
    )


def phase_queries(wildcards):
    """Return the queries that a page asks about: of a second part those whose first part has labels."""
    if wildcards.phase == "1":
        return DATASET_QUERIES[wildcards.dataset]
    return estimated_queries(wildcards)


def phase_sheets(wildcards):
    """Return the sheets of the documents on a page."""
    return [
        f"results/estimation/{wildcards.dataset}/{query}/sheet-{wildcards.phase}.csv"
        for query in phase_queries(wildcards)
    ]


def is_rest(wildcards):
    """Return whether documents are the rest, after a pilot."""
    return wildcards.phase == "2"


def text_reading(wildcards):
    """Return how the texts of a dataset that is not simulated are read."""
    if IS_SIMULATED[wildcards.dataset]:
        return {}
    return {name: value(wildcards) for name, value in READING.items()} | {
        "broken": events_option("broken", wildcards, 0.01),
        "words": events_option("passages", wildcards, 5000),
    }


item_texts = branch(
    partial(of_dataset, IS_SIMULATED),
    then=partial(all_shards, "results/events/{dataset}/texts/{scatteritem}.jsonl"),
    otherwise=dataset_files,
)


def event_learning(wildcards):
    """Return what labels teach probabilities with, None if the configuration does not ask for it."""
    if not LEARNING:
        return None
    return {
        "lexicon": events_option("lexicon", wildcards),
        "actors": events_option("actors", wildcards, list(DEFAULT_ACTORS)),
        "seed": config["seed"],
    }


def estimation_targets():
    """Return pages to annotate, and tables and figures of what has labels."""
    targets = []
    for name in ESTIMATED:
        dataset, query = Path(name).parts
        if not has_labels(name):
            targets.append(f"results/estimation/{dataset}/page-1.html")
            continue
        targets.append(f"results/tables/{dataset}/event_estimates.csv")
        targets.append(f"results/estimation/{dataset}/page-{PARTS}.html")
        targets.append(f"results/figures/{dataset}/figure_estimated_{query}.png")
        if truth_is_known(dataset):
            targets.append(f"results/tables/{dataset}/event_estimates_coverage.csv")
    return list(dict.fromkeys(targets))


wildcard_constraints:
    phase="1|2",


rule event_items:
    input:
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        events=partial(
            all_shards, "results/events/{dataset}/extracted/{scatteritem}.parquet"
        ),
        series="results/events/{dataset}/{query}/series.csv",
        reference=branch(
            lambda wildcards: estimation_keys(wildcards.dataset), then=event_reference
        ),
    output:
        frame="results/estimation/{dataset}/{query}/items.parquet",
    log:
        "results/logs/event_items/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/event_items.py"),
        period=partial(events_option, "period"),
        countries=lambda wildcards: STUDIES["estimation"]["countries"].get(
            wildcards.dataset, STUDIES["estimation"]["most_frequent"]
        ),
    message:
        "Gather the documents of {wildcards.dataset} that {wildcards.query} events are estimated of"
    script:
        "../scripts/estimation/event_items.py"


rule event_reference:
    input:
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        truth=partial(all_shards, "results/events/{dataset}/truth/{scatteritem}.csv"),
    output:
        reference="results/estimation/{dataset}/{query}/reference.csv",
    log:
        "results/logs/event_reference/{dataset}_{query}.log",
    wildcard_constraints:
        dataset=one_of(SIMULATED_REPORTS),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/event_reference.py"),
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
    message:
        "List the true {wildcards.query} events of {wildcards.dataset}"
    script:
        "../scripts/estimation/event_reference.py"


rule key_reference:
    input:
        answers=lambda wildcards: f"results/corpora/archives/{estimation_keys(wildcards.dataset)}.zip",
    output:
        reference="results/estimation/{dataset}/{query}/reference.csv",
    log:
        "results/logs/key_reference/{dataset}_{query}.log",
    wildcard_constraints:
        dataset=one_of(STUDIES["estimation"]["keys"]),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/key_reference.py"),
    message:
        "List the countries of perpetrators in the answer keys of {wildcards.dataset}"
    script:
        "../scripts/estimation/key_reference.py"


rule plan_events:
    input:
        documents="results/estimation/{dataset}/{query}/items.parquet",
        before=branch(
            is_rest, then=["results/estimation/{dataset}/{query}/plan-1.json"]
        ),
        labels=branch(is_rest, then=event_labels(1)),
        texts=item_texts,
    output:
        plan="results/estimation/{dataset}/{query}/plan-{phase}.json",
        sheet="results/estimation/{dataset}/{query}/sheet-{phase}.csv",
    log:
        "results/logs/plan_events/{dataset}_{phase}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        library=partial(
            reader_library, "estimation/plan_events.py", digest=study_library
        ),
        reading=text_reading,
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
        period=partial(events_option, "period"),
        budget=STUDIES["estimation"]["budget"],
        design=STUDIES["estimation"]["design"],
    message:
        "Draw documents of {wildcards.dataset} to read for {wildcards.query} events, part {wildcards.phase}"
    script:
        "../scripts/estimation/plan_events.py"


rule annotation_page:
    input:
        sheets=phase_sheets,
        lexicon=partial(of_dataset, LEXICON_ARCHIVE),
        tables=lexicon_tables,
    output:
        page=page(
            "results/estimation/{dataset}/page-{phase}.html",
            "estimation",
            caption="annotation_page",
            shows="documents to read, part {phase}",
        ),
    log:
        "results/logs/annotation_page/{dataset}_{phase}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/annotation_page.py"),
        seed=config["seed"],
        queries=lambda wildcards: [
            NAMED_QUERIES[query] for query in phase_queries(wildcards)
        ],
        names=partial(of_dataset, NAME_SOURCES),
    message:
        "Write the page in which documents of {wildcards.dataset} are annotated, part {wildcards.phase}"
    script:
        "../scripts/estimation/annotation_page.py"


rule annotate_events:
    input:
        sheet="results/estimation/{dataset}/{query}/sheet-{phase}.csv",
        reference="results/estimation/{dataset}/{query}/reference.csv",
    output:
        labels="results/estimation/{dataset}/{query}/labels-{phase}.csv",
    log:
        "results/logs/annotate_events/{dataset}_{phase}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/annotate_events.py"),
    message:
        "Annotate documents of {wildcards.dataset} from known truth, part {wildcards.phase}"
    script:
        "../scripts/estimation/annotate_events.py"


rule estimate_events:
    input:
        documents="results/estimation/{dataset}/{query}/items.parquet",
        plan=f"results/estimation/{{dataset}}/{{query}}/plan-{PARTS}.json",
        labels=event_labels(PARTS),
        reference=event_reference,
        own=partial(of_dataset, OWN_MODELS),
        texts=branch(lambda wildcards: LEARNING, then=item_texts),
        lexicon=branch(
            lambda wildcards: LEARNING, then=partial(of_dataset, LEXICON_ARCHIVE)
        ),
        tables=branch(lambda wildcards: LEARNING, then=lexicon_tables),
    output:
        totals="results/estimation/{dataset}/{query}/totals.csv",
        series="results/estimation/{dataset}/{query}/series.csv",
    log:
        "results/logs/estimate_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=partial(
            reader_library, "estimation/estimate_events.py", digest=study_library
        ),
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
        period=partial(events_option, "period"),
        learning=event_learning,
        reading=text_reading,
    message:
        "Estimate {wildcards.query} events of {wildcards.dataset} from the documents read"
    script:
        "../scripts/estimation/estimate_events.py"


rule event_estimates_coverage:
    input:
        documents="results/estimation/{dataset}/{query}/items.parquet",
        reference="results/estimation/{dataset}/{query}/reference.csv",
    output:
        coverage="results/estimation/{dataset}/{query}/coverage.csv",
        cells="results/estimation/{dataset}/{query}/cells.csv",
    log:
        "results/logs/event_estimates_coverage/{dataset}_{query}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=study_library("estimation/event_coverage.py"),
        seed=config["seed"],
        period=partial(events_option, "period"),
        budget=STUDIES["estimation"]["budget"],
        countries=STUDIES["estimation"]["panels"],
        replicates=STUDIES["estimation"]["replicates"],
        cells=STUDIES["estimation"]["cells"],
    message:
        "Draw documents of {wildcards.dataset} again and again, and count how often intervals hold the truth"
    script:
        "../scripts/estimation/event_coverage.py"


rule estimate_table:
    input:
        tables=partial(of_each_estimate, "totals.csv"),
    output:
        page(
            "results/tables/{dataset}/event_estimates.html",
            "estimation",
            table="events by country",
        ),
        csv=["results/tables/{dataset}/event_estimates.csv"],
    log:
        "results/logs/tables/{dataset}/event_estimates.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.stacked"),
        make="reproduction.tables.stacked:of_queries",
        queries=estimated_queries,
        title="Documents with an event: posterior, and estimate from documents read",
    message:
        "Tabulate the estimates of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule estimate_coverage_table:
    input:
        tables=partial(of_each_estimate, "coverage.csv"),
    output:
        page(
            "results/tables/{dataset}/event_estimates_coverage.html",
            "estimation",
            table="coverage of estimates",
        ),
        csv=["results/tables/{dataset}/event_estimates_coverage.csv"],
    log:
        "results/logs/tables/{dataset}/event_estimates_coverage.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.stacked"),
        make="reproduction.tables.stacked:of_queries",
        queries=estimated_queries,
        title="How often intervals of estimates hold the truth",
    message:
        "Tabulate the coverage of the estimates of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule figure_estimated:
    input:
        series="results/estimation/{dataset}/{query}/series.csv",
    output:
        figure_estimated=page(
            "results/figures/{dataset}/figure_estimated_{query}.png",
            "estimation",
            "1 Figures",
            "figure_estimated",
            query="{query}",
            figure="events estimated from documents read",
        ),
        figure_estimated_csv="results/figures/{dataset}/figure_estimated_{query}.csv",
        pdf=expand(
            "results/figures/{{dataset}}/figure_estimated_{{query}}.{end}", end=PRINTED
        ),
    log:
        "results/logs/figures/{dataset}/figure_estimated_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "studies.estimation.figures"),
        draw={"figure_estimated": "studies.estimation.figures:figure_estimated"},
        countries=STUDIES["estimation"]["panels"],
        reading=lookup(dpath="{query}", within=READINGS),
    message:
        "Draw the estimates of {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"
