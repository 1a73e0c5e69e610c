# Events, shown: what series of events are worth where the truth is known, and what people read of them.
#
# Needs:  results/events/{dataset}/{query}/series.csv and the shards that it was counted from
# Makes:  results/events/{dataset}/{query}/: the truth, coverage of intervals, recalibrated probabilities, audit.html and
#         explorer.html; tables of steps and words in results/tables
# Steps:  compare with the truth, tabulate, draw events to annotate


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
        page=event_page("audit", "events to annotate in context"),
        plan="results/events/{dataset}/{query}/audit_plan.json",
        frame="results/events/{dataset}/{query}/audit_items.parquet",
    log:
        "results/logs/audit_events/{dataset}_{query}.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("events/audit_events.py"),
        seed=config["seed"],
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Draw {wildcards.query} events of {wildcards.dataset} to annotate in context"
    script:
        "../../scripts/events/audit_events.py"
