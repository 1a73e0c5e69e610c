# Events, counted and shown: series, what they are worth where the truth is known, and what people read of them.
#
# Needs:  results/events/{dataset}/{documents,extracted} in shards; with simulated reports, their truth
# Makes:  results/events/{dataset}/{query}/: series.csv, events.csv, comparison.csv and audit.html; with simulated reports, the
#         truth, coverage of intervals and recalibrated probabilities
# Steps:  count, compare with the truth, show what events depend on


def appendix_series(wildcards):
    """Return the period and the number of countries of appendix 4: it is by month where Figure 6 is by quarter."""
    period = events_option("period")(wildcards)
    return {
        "period": "month" if period == "quarter" else period,
        "countries": config["events"]["countries"],
    }


def event_page(name, shows, caption=None):
    """Return a page of a query's events in the report."""
    path = f"results/events/{{dataset}}/{{query}}/{name}.html"
    return page(path, "events", caption=caption, query="{query}", shows=shows)


rule event_series:
    input:
        documents=all_shards("documents/{scatteritem}.csv"),
        events=all_shards("extracted/{scatteritem}.parquet"),
        candidates=all_shards("extracted/{scatteritem}.candidates.jsonl"),
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
        period=events_option("period"),
        appendix=appendix_series,
        compare=events_option("compare"),
        panels=events_option("panels", []),
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Count {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/events/event_series.py"


rule event_truth:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        events=all_shards("extracted/{scatteritem}.parquet"),
        candidates=all_shards("extracted/{scatteritem}.candidates.jsonl"),
        truth=all_shards("truth/{scatteritem}.csv"),
    output:
        calibration_outputs(
            "results/events/{dataset}/{query}/probabilities",
            "events",
            model="{query}",
            target="probabilities",
        ),
        event_page("recalibration", "recalibrated probabilities", "event_recalibration"),
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
        query=lambda wildcards: named_query(wildcards.query),
        period=events_option("period"),
        bin_size=config["events"]["bin_size"],
        samples=config["calibration"]["draws"],
        folds=5,
    message:
        "Compare {wildcards.query} events of {wildcards.dataset} with the truth"
    script:
        "../../scripts/events/event_truth.py"


rule audit_events:
    input:
        audit=all_shards("extracted/{scatteritem}.audit.jsonl"),
    output:
        page=event_page("audit", "events in context"),
    log:
        "results/logs/audit_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/audit_events.py"),
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Show what {wildcards.query} events of {wildcards.dataset} depend on"
    script:
        "../../scripts/events/audit_events.py"
