# Check: what the texts claim against what these corpora show.
#
# Needs:  the tables and calibrations of every chapter
# Makes:  results/tables/check.csv, one row per claim and dataset with its verdict


rule check:
    input:
        taggers=expand(
            "results/tables/{dataset}/taggers.csv",
            dataset=config["tagging"]["datasets"],
        ),
        comparison=expand(
            "results/tables/{dataset}/comparison.csv",
            dataset=config["tagging"]["datasets"],
        ),
        comparison_tags=expand(
            "results/tagging/{dataset}/comparison_tags.csv",
            dataset=config["tagging"]["datasets"],
        ),
        comparison_bigrams=expand(
            "results/tagging/{dataset}/comparison_bigrams.csv",
            dataset=config["tagging"]["datasets"],
        ),
        code=code("check_claims.py"),
    output:
        "results/tables/check.csv",
        report(
            "results/tables/check.html",
            caption="../report/check.rst",
            category="Reproduction",
            labels={"table": "claims and verdicts"},
        ),
    log:
        "results/logs/check.log",
    localrule: True
    conda:
        "../../envs/instrument.yaml"
    params:
        datasets=config["tagging"]["datasets"],
        tables=("taggers", "comparison", "comparison_tags", "comparison_bigrams"),
        papers_own=[
            name
            for name, dataset in config["datasets"].items()
            if dataset.get("wsj_only")
        ],
        bigrams=config["tagging"]["frequent_bigrams"],
    message:
        "Compare results with the published claims"
    script:
        "../../scripts/check_claims.py"
