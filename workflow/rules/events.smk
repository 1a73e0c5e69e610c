# Events: from dated news to time series with honest uncertainty (paper, section 6; appendix 3 and 4).
#
# Needs:  dated documents: simulated reports, a corpus of the registry, an installed package, or a file of the user's; a parser
#         and a coreference model, those in the package unless the dataset names others
# Makes:  results/events/{dataset}/{query}/series.csv, events.csv and comparison.csv; Figure 6, a small panel for each country,
#         two countries compared, and audit.html; with simulated reports, how often intervals hold the true counts
# Steps:  read or simulate and select what can matter, parse, resolve and extract in shards; count, draw


scattergather:
    events=config["events"]["shards"],


rule simulate_reports:
    input:
        code=code("newsroom/simulate_reports.py"),
    output:
        documents="results/events/{dataset}/documents/{scatteritem}.csv",
        reports="results/events/{dataset}/reports/{scatteritem}.conllu",
        truth="results/events/{dataset}/truth/{scatteritem}.csv",
    log:
        "results/logs/events/{dataset}/simulate_{scatteritem}.log",
    wildcard_constraints:
        dataset=names_with(format=["newswire"]),
    conda:
        "../../envs/parsing.yaml"
    params:
        reports=events_option("reports"),
        shard=lambda wildcards: tuple(map(int, wildcards.scatteritem.split("-of-"))),
        queries=event_queries,
        seed=config["seed"],
    message:
        "Simulate the reports of {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/newsroom/simulate_reports.py"


rule simulate_rates:
    input:
        code=code("newsroom/simulate_rates.py"),
    output:
        "results/events/{dataset}/rates.csv",
    log:
        "results/logs/events/{dataset}/rates.log",
    wildcard_constraints:
        dataset=names_with(format=["newswire"]),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
    message:
        "Write down how often countries attack in the world of {wildcards.dataset}"
    script:
        "../../scripts/newsroom/simulate_rates.py"


rule read_news:
    input:
        files=news_files,
        mixed_case=lambda wildcards: [
            archive(dataset["corpus"]) for dataset in mixed_case(wildcards)
        ],
        lexicon=lambda wildcards: (
            lexicon_archive(wildcards) if named_only(wildcards) else []
        ),
        tables=lambda wildcards: (
            lexicon_tables(wildcards) if named_only(wildcards) else []
        ),
        code=code("events/read_news.py"),
    output:
        documents=scatter.events(
            "results/events/{{dataset}}/documents/{scatteritem}.csv"
        ),
        texts=scatter.events("results/events/{{dataset}}/texts/{scatteritem}.jsonl"),
    log:
        "results/logs/events/{dataset}/read.log",
    benchmark:
        "results/benchmarks/events/{dataset}/read.tsv"
    wildcard_constraints:
        dataset=names_with(format=NEWS),
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        source=news_source,
        format=dataset_option("format"),
        broken=events_option("broken", 0.01),
        words=events_option("passages", 5000),
        queries=event_queries,
        mixed_case=lambda wildcards: [
            dataset["format"] for dataset in mixed_case(wildcards)
        ],
        lexicon=named_only,
    message:
        "Read {wildcards.dataset} and select what can have an event"
    script:
        "../../scripts/events/read_news.py"


rule parse_news:
    input:
        texts=lambda wildcards: (
            "results/events/{dataset}/reports/{scatteritem}.conllu"
            if is_simulated(wildcards)
            else "results/events/{dataset}/texts/{scatteritem}.jsonl"
        ),
        model=lambda wildcards: parser_file(events_option("parser")(wildcards)),
        code=code("events/parse_news.py"),
    output:
        "results/events/{dataset}/parsed/{scatteritem}.conllu",
    log:
        "results/logs/events/{dataset}/parse_{scatteritem}.log",
    benchmark:
        "results/benchmarks/events/{dataset}/parse_{scatteritem}.tsv"
    conda:
        "../../envs/parsing.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 2000 * attempt,
        runtime=lambda wildcards, attempt: 240 * attempt,
    params:
        model=lambda wildcards, input: input.model
        or events_option("parser")(wildcards)
        or config["parsing"]["model"],
    message:
        "Parse {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/parse_news.py"


rule extract_events:
    input:
        documents=parsed_news,
        model=events_coref,
        lexicon=lexicon_archive,
        tables=lexicon_tables,
        code=code("events/extract_events.py"),
    output:
        events="results/events/{dataset}/extracted/{scatteritem}.parquet",
        candidates="results/events/{dataset}/extracted/{scatteritem}.candidates.jsonl",
        audit="results/events/{dataset}/extracted/{scatteritem}.audit.jsonl",
    log:
        "results/logs/events/{dataset}/extract_{scatteritem}.log",
    benchmark:
        "results/benchmarks/events/{dataset}/extract_{scatteritem}.tsv"
    conda:
        "../../envs/base.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 4000 * attempt,
        runtime=lambda wildcards, attempt: 240 * attempt,
    params:
        lexicon=events_option("lexicon"),
        queries=event_queries,
        samples=config["events"]["samples"],
        seed=config["seed"],
    message:
        "Find events in {wildcards.dataset}, shard {wildcards.scatteritem}"
    script:
        "../../scripts/events/extract_events.py"


rule event_series:
    input:
        documents=gather.events(
            "results/events/{{dataset}}/documents/{scatteritem}.csv"
        ),
        events=gather.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.parquet"
        ),
        candidates=gather.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.candidates.jsonl"
        ),
        code=code("events/event_series.py"),
    output:
        series="results/events/{dataset}/{query}/series.csv",
        candidates="results/events/{dataset}/{query}/events.csv",
        comparison="results/events/{dataset}/{query}/comparison.csv",
        checks="results/events/{dataset}/{query}/checks.csv",
    log:
        "results/logs/events/{dataset}/series_{query}.log",
    benchmark:
        "results/benchmarks/events/{dataset}/series_{query}.tsv"
    wildcard_constraints:
        query="|".join(EVENT_QUERIES),
    conda:
        "../../envs/base.yaml"
    params:
        unit=events_option("unit"),
        compare=events_option("compare"),
        panels=events_option("panels", []),
    message:
        "Count {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/events/event_series.py"


rule event_truth:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        events=gather.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.parquet"
        ),
        truth=gather.events("results/events/{{dataset}}/truth/{scatteritem}.csv"),
        code=code("events/event_truth.py"),
    output:
        pairs="results/events/{dataset}/{query}/probabilities/pairs.parquet",
        counts="results/events/{dataset}/{query}/truth.csv",
        coverage="results/events/{dataset}/{query}/coverage.csv",
    log:
        "results/logs/events/{dataset}/truth_{query}.log",
    wildcard_constraints:
        dataset=names_with(format=["newswire"]),
        query="|".join(EVENT_QUERIES),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        query=lambda wildcards: named_query(wildcards.query),
        unit=events_option("unit"),
    message:
        "Compare {wildcards.query} events of {wildcards.dataset} with the truth"
    script:
        "../../scripts/events/event_truth.py"


rule figure_6:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        truth=event_truth_file,
        code=code("events/figure_6.py"),
    output:
        **event_figure("figure_6", "6: events per period"),
    log:
        "results/logs/figures/{dataset}/figure_6_{query}.log",
    wildcard_constraints:
        query="|".join(EVENT_QUERIES),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        panels=events_option("panels"),
    message:
        "Draw Figure 6 of {wildcards.dataset}: {wildcards.query} events"
    script:
        "../../scripts/events/figure_6.py"


rule figure_countries:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        truth=event_truth_file,
        code=code("events/figure_countries.py"),
    output:
        **event_figure("figure_countries", "Appendix 4: events by country"),
    log:
        "results/logs/figures/{dataset}/figure_countries_{query}.log",
    wildcard_constraints:
        query="|".join(EVENT_QUERIES),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        countries=config["events"]["countries"],
    message:
        "Draw {wildcards.query} events of {wildcards.dataset} by country"
    script:
        "../../scripts/events/figure_countries.py"


rule figure_comparison:
    input:
        series="results/events/{dataset}/{query}/series.csv",
        comparison="results/events/{dataset}/{query}/comparison.csv",
        truth=event_truth_file,
        code=code("events/figure_comparison.py"),
    output:
        **event_figure("figure_comparison", "Two countries compared"),
    log:
        "results/logs/figures/{dataset}/figure_comparison_{query}.log",
    wildcard_constraints:
        query="|".join(EVENT_QUERIES),
    localrule: True
    conda:
        "../../envs/base.yaml"
    message:
        "Draw two countries' {wildcards.query} events of {wildcards.dataset}"
    script:
        "../../scripts/events/figure_comparison.py"


rule audit_events:
    input:
        audit=gather.events(
            "results/events/{{dataset}}/extracted/{scatteritem}.audit.jsonl"
        ),
        code=code("events/audit_events.py"),
    output:
        report(
            "results/events/{dataset}/{query}/audit.html",
            caption="../report/audit.rst",
            category="events: {dataset}",
            subcategory="Tables",
            labels={"query": "{query}", "shows": "uncertain events in context"},
        ),
    log:
        "results/logs/events/{dataset}/audit_{query}.log",
    wildcard_constraints:
        query="|".join(EVENT_QUERIES),
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        query=lambda wildcards: named_query(wildcards.query),
    message:
        "Show uncertain {wildcards.query} events of {wildcards.dataset} in context"
    script:
        "../../scripts/events/audit_events.py"


rule event_tables:
    input:
        series=of_each_query("series.csv"),
        checks=of_each_query("checks.csv"),
        code=code("events/event_tables.py"),
    output:
        table_page("event_counts", "events by country", "events"),
        table_page("event_checks", "samples and entities", "events"),
        counts="results/tables/{dataset}/event_counts.csv",
        checks="results/tables/{dataset}/event_checks.csv",
    log:
        "results/logs/tables/{dataset}/events.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        queries=lambda wildcards: list(dataset_queries(wildcards.dataset)),
    message:
        "Tabulate the events of {wildcards.dataset}"
    script:
        "../../scripts/events/event_tables.py"


rule event_coverage_table:
    input:
        coverage=[f"results/events/{name}/coverage.csv" for name in TRUE_EVENTS],
        code=code("events/event_coverage_table.py"),
    output:
        report(
            "results/tables/events/coverage.html",
            caption="../report/event_coverage.rst",
            category="events",
            labels={"table": "coverage of intervals"},
        ),
        csv="results/tables/events/coverage.csv",
    log:
        "results/logs/tables/events/coverage.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        names=TRUE_EVENTS,
    message:
        "Tabulate how often intervals of event counts hold the truth"
    script:
        "../../scripts/events/event_coverage_table.py"
