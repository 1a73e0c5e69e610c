# Check: what the texts claim against what these corpora show.
#
# Needs:  the tables and calibrations of every chapter
# Makes:  results/tables/check.csv, one row per claim and dataset with its verdict; results/tables/tiers.csv, the verdicts of all
#         tiers that were run in this folder


def tables_of(dataset, *names):
    """Return tables of a dataset by their names."""
    return {name: f"results/tables/{dataset}/{name}.csv" for name in names}


JUDGED = []
"""Each chapter and dataset that claims are about, the tables that judge them, and facts about it."""
# The datasets whose very numbers are published: the paper's and thesis' articles, the thesis' tweets.
published = [
    name
    for name, dataset in config["datasets"].items()
    if dataset.get("wsj_only") or dataset.get("published")
]
for dataset in config["sentiment"]["datasets"]:
    JUDGED.append(("sentiment", dataset, tables_of(dataset, "sentiment"), {}))
for dataset in config["tagging"]["datasets"]:
    shown = tables_of(dataset, "taggers", "comparison", "recalibration", "tag_counts")
    for target in TARGETS:
        compared = f"results/tagging/{dataset}/comparison_{target}{STAGE}.csv"
        shown[f"comparison_{target}"] = compared
    shown["figure_1"] = f"results/figures/{dataset}/figure_1.csv"
    facts = {
        "frequent": config["tagging"]["frequent_bigrams"],
        "same_corpus": dataset in published,
    }
    JUDGED.append(("tagging", dataset, shown, facts))
ablated = config["tagging"]["ablation"]
for dataset in ablated["datasets"]:
    chapter = "tweets" if dataset in datasets_with(genre="tweets") else "thesis"
    shown = tables_of(dataset, "ablation", "ablation_comparisons")
    facts = {
        "nested": nested_variants(ablated["templates"]),
        "same_corpus": dataset in published,
    }
    JUDGED.append((chapter, dataset, shown, facts))
for dataset in config["coref"]["datasets"]:
    tagged = ["taggers"] * (dataset in config["tagging"]["datasets"])
    JUDGED.append(("coref", dataset, tables_of(dataset, "coref_models", *tagged), {}))
for name in EVENTS:
    files = ["series.csv", "comparison.csv", "checks.csv"]
    if name in TRUE_EVENTS:
        files += ["coverage.csv", "found.csv", "probabilities/pairs.parquet"]
    shown = {Path(file).stem: f"results/events/{name}/{file}" for file in files}
    options = config["datasets"][Path(name).parts[0]]["events"]
    JUDGED.append(("events", name, shown, {"two_sides": "compare" in options}))
for dataset in config["extraction_eval"]["datasets"]:
    shown = tables_of(dataset, "leads_frequencies")
    if dataset in TRUE_LEADS:
        shown |= tables_of(dataset, "leads_naive")
        shown["saving"] = f"results/extraction_eval/{dataset}/saving.csv"
    JUDGED.append(("extraction_eval", dataset, shown, {}))
scores = expand("results/simulation/{beta}/scores.csv", beta=BETAS)
if scores:
    JUDGED.append(("synthetic", "synthetic", dict(zip(scores, scores)), {}))
known = {
    "statements": "results/tables/simulation/statements.csv",
    "sampling_time": "workflow/sampling_time.csv",
}
JUDGED.append(("known_truth", "known_truth", known, {}))

DRAWS = config["draws"] and (
    config["draws"] if Path(config["draws"]).exists() else shipped(config["draws"])
)
CLAIMS_OF_TIERS = "results/tables/claims"
OTHER_TIERS = [
    f"{CLAIMS_OF_TIERS}/{name}.csv"
    for name in sorted(
        path.stem
        for path in Path(
            workflow.modifier.path_modifier.replace_prefix(CLAIMS_OF_TIERS)
        ).glob("*.csv")
    )
    if name != config["tier"]
]
"""The verdicts that runs of other tiers left."""


rule merged_config:
    input:
        # Its record has what the files were, and results differ from a file that changed since.
        [
            local(path)
            for path in sorted(
                os.path.relpath(path)
                for path in {ROOT / "config.yaml", *map(Path, workflow.configfiles)}
                if path.is_file()
            )
        ],
    output:
        yaml=report(
            "results/config.yaml",
            caption="../report/config.rst",
            category="Provenance",
        ),
    log:
        "results/logs/merged_config.log",
    localrule: True
    conda:
        "../../envs/workflow.yaml"
    params:
        library=library("check/write_config.py"),
        config=CONFIGURATION,
    message:
        "Write down the configuration of this run"
    script:
        "../../scripts/check/write_config.py"


rule check:
    input:
        tables=[
            local(shipped(path)) if path.startswith("workflow/") else path
            for _, _, shown, _ in JUDGED
            for path in shown.values()
        ],
        draws=local(DRAWS) if config["draws"] else [],
    output:
        page("results/tables/check.html", "claims", table="claims and verdicts"),
        page("results/tables/own_claims.html", "claims", table="claims of this project"),
        check="results/tables/check.csv",
        own="results/tables/own_claims.csv",
    log:
        "results/logs/check.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("check/check_claims.py"),
        judged=JUDGED,
        simulated=datasets_with(simulated=True),
        configuration=CONFIGURATION,
    message:
        "Compare results with the published claims"
    script:
        "../../scripts/check/check_claims.py"


rule compare_tiers:
    input:
        "results/config.yaml",  # its checksum is on the pages of results
        check="results/tables/check.csv",
        others=OTHER_TIERS,
    output:
        page(
            "results/tables/tiers.html",
            "claims",
            table="verdicts of each tier, side by side",
        ),
        csv="results/tables/tiers.csv",
        kept=f"results/tables/claims/{config['tier']}.csv",
    log:
        "results/logs/compare_tiers.log",
    localrule: True
    conda:
        "../../envs/base.yaml"
    params:
        library=library("check/compare_tiers.py"),
        tier=config["tier"],
    message:
        "Put the verdicts of all tiers side by side"
    script:
        "../../scripts/check/compare_tiers.py"
