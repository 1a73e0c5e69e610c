# Check: what the texts claim against what these corpora show.
#
# Needs:  the tables and calibrations of every chapter
# Makes:  results/tables/check.csv, one row per claim and dataset with its verdict; results/tables/tiers.csv, the verdicts of all
#         tiers that were run in this folder; docs/images/overview.png, if asked for


def own_corpora():
    """Return the datasets whose very numbers are published: the paper's and thesis' articles, the thesis' tweets."""
    return [
        name
        for name, dataset in config["datasets"].items()
        if dataset.get("wsj_only") or dataset.get("published")
    ]


def other_tiers():
    """Return the verdicts that runs of other tiers left."""
    return [
        path.as_posix()
        for path in sorted(Path("results/tables/claims").glob("*.csv"))
        if path.stem != config["tier"]
    ]


def tables_of(datasets, *tables):
    """Return tables of some datasets, by the names of the tables."""
    return {
        table: expand(f"results/tables/{{dataset}}/{table}.csv", dataset=datasets)
        for table in tables
    }


def events_of(names, *files):
    """Return files of some datasets' queries, by the files' names."""
    return {
        f"events_{Path(file).stem}": [f"results/events/{name}/{file}" for name in names]
        for file in files
    }


rule merged_config:
    output:
        report(
            "results/config.yaml",
            caption="../report/config.rst",
            category="Provenance",
        ),
    conda:
        "../../envs/workflow.yaml"
    params:
        config=CONFIGURATION,
    message:
        "Write down the configuration of this run"
    script:
        "../../scripts/check/write_config.py"


rule check:
    input:
        **tables_of(
            config["tagging"]["datasets"],
            "taggers",
            "comparison",
            "recalibration",
            "tag_counts",
        ),
        **tables_of(
            config["tagging"]["ablation"]["datasets"],
            "ablation",
            "ablation_comparisons",
        ),
        **tables_of(config["sentiment"]["datasets"], "sentiment"),
        **{
            f"comparison_{target}": expand(path, dataset=config["tagging"]["datasets"])
            for target, path in comparisons_of_taggers(STAGE).items()
        },
        **events_of(EVENTS, "series.csv", "comparison.csv", "checks.csv"),
        **events_of(TRUE_EVENTS, "coverage.csv", "probabilities/pairs.parquet"),
        synthetic=expand("results/simulation/{beta}/scores.csv", beta=BETAS),
        coref=expand(
            "results/tables/{dataset}/coref_models.csv",
            dataset=config["coref"]["datasets"],
        ),
        lead_frequencies=expand(
            "results/tables/{dataset}/leads_frequencies.csv",
            dataset=config["extraction_eval"]["datasets"],
        ),
        lead_naive=expand(
            "results/tables/{dataset}/leads_naive.csv", dataset=TRUE_LEADS
        ),
        lead_saving=expand(
            "results/extraction_eval/{dataset}/saving.csv", dataset=TRUE_LEADS
        ),
        draws="workflow/draws.csv",
    output:
        table_page("check", "claims and verdicts", "claims"),
        table_page("own_claims", "claims of this project", "claims"),
        check="results/tables/check.csv",
        own="results/tables/own_claims.csv",
    params:
        events=EVENTS,
        true_events=TRUE_EVENTS,
        two_sides=TWO_SIDES,
        lead_datasets=config["extraction_eval"]["datasets"],
        true_leads=TRUE_LEADS,
        coref_datasets=config["coref"]["datasets"],
        datasets=config["tagging"]["datasets"],
        sentiment_datasets=config["sentiment"]["datasets"],
        thesis_datasets=config["tagging"]["ablation"]["datasets"],
        nested=nested_variants(config["tagging"]["ablation"]["templates"]),
        papers_own=own_corpora(),
        tweets=datasets_with(genre="tweets"),
        bigrams=config["tagging"]["frequent_bigrams"],
        simulated=datasets_with(simulated=True),
    message:
        "Compare results with the published claims"
    script:
        "../../scripts/check/check_claims.py"


rule compare_tiers:
    input:
        check="results/tables/check.csv",
        others=other_tiers(),
    output:
        table_page("tiers", "verdicts of each tier, side by side", "claims"),
        csv="results/tables/tiers.csv",
        kept=f"results/tables/claims/{config['tier']}.csv",
    params:
        tier=config["tier"],
    message:
        "Put the verdicts of all tiers side by side"
    script:
        "../../scripts/check/compare_tiers.py"


# The README's picture is of the default configuration and is committed, so that it is no part of a run.
rule overview:
    input:
        hmm="results/tagging/newsroom/hmm/tags/pairs.parquet",
        crf="results/tagging/newsroom/crf/tags/pairs.parquet",
        series="results/events/newswire/attack/series.csv",
        truth="results/events/newswire/attack/truth.csv",
    output:
        "docs/images/overview.png",
    params:
        panels=[["ISR"], ["YUG", "NATO"]],
        bin_size=config["calibration"]["bin_size"],
        seed=config["seed"],
    message:
        "Draw the picture of the README"
    script:
        "../../scripts/check/overview.py"
