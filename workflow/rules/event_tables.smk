# Events, counted and shown: series, what they are worth where the truth is known, and what people read of them.
#
# Needs:  results/events/{dataset}/{documents,extracted} in shards; with simulated reports, their truth
# Makes:  results/events/{dataset}/{query}/: series.csv, events.csv, comparison.csv and audit.html; with simulated reports, the
#         truth, coverage of intervals and recalibrated probabilities
# Steps:  count, compare with the truth, show what events depend on


APPENDIX_SERIES = {
    name: {
        "period": "month" if options["period"] == "quarter" else options["period"],
        "countries": config["events"]["countries"],
    }
    for name, options in EVENT_OPTIONS.items()
    if "period" in options
}
"""The period and the number of countries of appendix 4: it is by month where Figure 6 is by quarter."""
TRUTH = {
    name: ["results/events/{dataset}/{query}/truth.csv"] if simulated else []
    for name, simulated in IS_SIMULATED.items()
}


rule event_series:
    input:
        documents=partial(
            all_shards, "results/events/{dataset}/documents/{scatteritem}.csv"
        ),
        events=partial(
            all_shards, "results/events/{dataset}/extracted/{scatteritem}.parquet"
        ),
        candidates=partial(
            all_shards,
            "results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        ),
    output:
        series="results/events/{dataset}/{query}/series.csv",
        appendix="results/events/{dataset}/{query}/appendix.csv",
        table="results/events/{dataset}/{query}/events.csv",
        document_events="results/events/{dataset}/{query}/document_events.csv",
        comparison="results/events/{dataset}/{query}/comparison.csv",
        checks="results/events/{dataset}/{query}/checks.csv",
    log:
        "results/logs/event_series/{dataset}_{query}.log",
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/event_series.py"),
        period=partial(events_option, "period"),
        appendix=partial(of_dataset, APPENDIX_SERIES),
        compare=partial(events_option, "compare"),
        panels=partial(events_option, "panels", default=[]),
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
    message:
        "Count {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/events/event_series.py"


rule event_truth:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        events=partial(
            all_shards, "results/events/{dataset}/extracted/{scatteritem}.parquet"
        ),
        candidates=partial(
            all_shards,
            "results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        ),
        truth=partial(all_shards, "results/events/{dataset}/truth/{scatteritem}.csv"),
    output:
        page(
            "results/events/{dataset}/{query}/recalibration.html",
            "events",
            caption="event_recalibration",
            query="{query}",
            shows="recalibrated probabilities",
        ),
        pairs="results/events/{dataset}/{query}/probabilities/pairs.parquet",
        counts="results/events/{dataset}/{query}/truth.csv",
        coverage="results/events/{dataset}/{query}/coverage.csv",
        found="results/events/{dataset}/{query}/found.csv",
        recalibration="results/events/{dataset}/{query}/recalibration.csv",
    log:
        "results/logs/event_truth/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/event_truth.py"),
        seed=config["seed"],
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
        period=partial(events_option, "period"),
        folds=5,
    message:
        "Compare {wildcards.query} events of {wildcards.dataset} with the truth"
    script:
        "../../scripts/events/event_truth.py"


rule measure_events:
    input:
        pairs="results/events/{dataset}/{query}/probabilities/pairs.parquet",
    output:
        calibration_outputs(
            "events", ["results/events/{dataset}/{query}/probabilities"]
        ),
    log:
        "results/logs/measure_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("calibration/measure.py"),
        bin_size=config["events"]["bin_size"],
        samples=config["calibration"]["draws"],
        seed=config["seed"],
        pdf=config["pdf"],
    message:
        "Measure the calibration of {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/calibration/measure.py"


rule audit_events:
    input:
        audit=partial(
            all_shards, "results/events/{dataset}/extracted/{scatteritem}.audit.jsonl"
        ),
    output:
        page=page(
            "results/events/{dataset}/{query}/audit.html",
            "events",
            query="{query}",
            shows="events in context",
        ),
    log:
        "results/logs/audit_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/audit_events.py"),
        query=lookup(dpath="{query}", within=NAMED_QUERIES),
    message:
        "Show what {wildcards.query} events of {wildcards.dataset} depend on"
    script:
        "../../scripts/events/audit_events.py"


rule event_tables:
    input:
        series=expand(
            "results/events/{dataset}/{query}/series.csv",
            query=lookup(dpath="{dataset}", within=DATASET_QUERIES),
            allow_missing=True,
        ),
        checks=expand(
            "results/events/{dataset}/{query}/checks.csv",
            query=lookup(dpath="{dataset}", within=DATASET_QUERIES),
            allow_missing=True,
        ),
    output:
        page(
            "results/tables/{dataset}/event_counts.html",
            "events",
            table="events by country",
        ),
        page(
            "results/tables/{dataset}/event_checks.html",
            "events",
            table="samples and entities",
        ),
        csv=[
            "results/tables/{dataset}/event_counts.csv",
            "results/tables/{dataset}/event_checks.csv",
        ],
    log:
        "results/logs/tables/{dataset}/event_counts.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.events"),
        make="reproduction.tables.events:event_tables",
        queries=partial(of_dataset, DATASET_QUERIES),
    message:
        "Tabulate the events of {wildcards.dataset}"
    script:
        "../../scripts/tables/tables.py"


rule event_coverage_table:
    input:
        coverage=expand("results/events/{name}/coverage.csv", name=TRUE_EVENTS),
    output:
        page(
            "results/tables/events/coverage.html",
            "events",
            caption="event_coverage",
            table="coverage of intervals",
        ),
        csv=["results/tables/events/coverage.csv"],
    log:
        "results/logs/tables/events/coverage.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("tables/tables.py", "reproduction.tables.events"),
        make="reproduction.tables.events:event_coverage_table",
        names=TRUE_EVENTS,
    message:
        "Tabulate how often intervals of counts hold the truth"
    script:
        "../../scripts/tables/tables.py"


rule draw_events:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        appendix="results/events/{dataset}/{query}/appendix.csv",
        comparison="results/events/{dataset}/{query}/comparison.csv",
        truth=lookup(dpath="{dataset}", within=TRUTH),
    output:
        figure_6=page(
            "results/figures/{dataset}/figure_6_{query}{style}.png",
            "events",
            "1 Figures",
            "figure_6",
            query="{query}",
            figure="6: events per period",
        ),
        figure_countries=page(
            "results/figures/{dataset}/figure_countries_{query}{style}.png",
            "events",
            "1 Figures",
            "figure_countries",
            query="{query}",
            figure="Appendix 4: events by country",
        ),
        figure_comparison=page(
            "results/figures/{dataset}/figure_comparison_{query}{style}.png",
            "events",
            "1 Figures",
            "figure_comparison",
            query="{query}",
            figure="Two countries compared",
        ),
        csv=expand(
            "results/figures/{{dataset}}/figure_{name}_{{query}}{{style}}.csv",
            name=["6", "countries", "comparison"],
        ),
        pdf=expand(
            "results/figures/{{dataset}}/figure_{name}_{{query}}{{style}}.{end}",
            name=["6", "countries", "comparison"],
            end=PRINTED,
        ),
    log:
        "results/logs/figures/{dataset}/figure_6_{query}{style}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("figures/figure.py", "reproduction.figures.events"),
        draw={
            "figure_6": "reproduction.figures.events:figure_6",
            "figure_countries": "reproduction.figures.events:figure_countries",
            "figure_comparison": "reproduction.figures.events:figure_comparison",
        },
        panels=partial(events_option, "panels"),
        countries=config["events"]["countries"],
        reading=lookup(dpath="{query}", within=READINGS),
    message:
        "Draw {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/figures/figure.py"


rule figure_6:
    input:
        [
            f"results/figures/{dataset}/figure_6_{query}.{end}"
            for dataset in config["events"]["datasets"]
            for query in DATASET_QUERIES[dataset]
            for end in PICTURES
        ],
    localrule: True


rule events:
    input:
        rules.figure_6.input,
        expand(
            "results/tables/{dataset}/event_counts.csv",
            dataset=config["events"]["datasets"],
        ),
        ["results/tables/events/coverage.csv"] * bool(TRUE_EVENTS),
        expand("results/events/{name}/audit.html", name=AUDITED),
        expand("results/events/{name}/probabilities/calibration.json", name=TRUE_EVENTS),
    localrule: True
