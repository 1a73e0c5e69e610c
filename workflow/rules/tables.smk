# Tables: whatever ends in tables that people read is a function of reproduction, most of them in reproduction.tables, and a row here.
#
# Needs:  results of all chapters
# Makes:  results/tables/{dataset}/{table}.{csv,html}: the numbers, and the page in the report
# Steps:  one rule for each row, by the row's name


class Table(NamedTuple):
    """A row: a function, what it is given, and the tables that it makes."""

    made_by: str
    """The module of reproduction and its function, which takes inputs and parameters by their names."""
    chapter: str
    shows: dict
    """The tables, in the order in which the function returns them, each with its label in the report."""
    inputs: dict = {}
    params: dict = {}
    captions: dict = {}
    """The captions of tables that have not the table's name."""
    further: list = []
    """Files whose contents the function returns after the tables."""
    of: list | None = None
    """What they are targets for, if not the chapter's datasets."""
    local: bool = True
    """Whether the tables are made in the process that starts jobs, since it takes seconds."""
    priority: int = 0


AFTER_RECALIBRATION = (
    "Errors on the test set, after recalibration on the development set"
)
LEADS = "results/extraction_eval/{dataset}"
CODED = {
    "codings": f"{LEADS}/codings.csv",
    "scale": "results/extraction_eval/scale.csv",
}
TRUTH = {"truth": all_shards("truth/{scatteritem}.csv", "extraction_eval")}
EVALUATED = {"samples": config["extraction_eval"]["draws"], "seed": config["seed"]}

PAPER_BINS = {
    "bin_size": config["calibration"]["bin_size"],
    "samples": config["calibration"]["draws"],
    "seed": config["seed"],
}

TABLES = {
    "sentiment_table": Table(
        "tables.sentiment:sentiment_table",
        "sentiment",
        {"sentiment": "classifiers"},
        inputs={
            "evaluations": of_each_classifier("evaluation.json"),
            "calibrations": of_each_classifier("happy/calibration.json"),
            "pairs": of_each_classifier("happy/pairs.parquet"),
        },
    ),
    "tagging_tables": Table(
        "tables.tagging:tagging_tables",
        "tagging",
        {"taggers": "taggers", "comparison": "HMM against CRF"},
        captions={"comparison": "comparison_counts"},
        inputs={
            **of_each_tagger("evaluation.json"),
            "calibrations": of_targets(SHOWN, TARGETS, "calibration.json"),
            **comparisons_of_taggers(STAGE),
        },
        params={"frequent": config["tagging"]["frequent_bigrams"]},
    ),
    "recalibration_table": Table(
        "tables.stacked:of_models",
        "tagging",
        {"recalibration": "recalibration"},
        inputs={"tables": of_models(RECALIBRATED, "errors.csv")},
        params={"models": list(TAGGERS), "title": AFTER_RECALIBRATION},
    ),
    "recalibration_ablation_table": Table(
        "tables.stacked:of_models",
        "tagging",
        {"recalibration_ablation": "recalibration_ablation"},
        inputs={
            "tables": of_models(
                [f"{model}_recalibrated" for model in THESIS_TAGGERS], "errors.csv"
            )
        },
        params={"models": list(THESIS_TAGGERS), "title": AFTER_RECALIBRATION},
        captions={"recalibration_ablation": "recalibration"},
        of=[],  # made for those who ask for it
    ),
    "tag_count_table": Table(
        "tagging.counts:tag_count_table",
        "tagging",
        {"tag_counts": "tags in documents"},
        inputs={
            **of_both_stages("model.npz"),
            "dev": "results/corpora/{dataset}/dev.conllu",
            "test": "results/corpora/{dataset}/test.conllu",
        },
        params={
            "tags": lambda wildcards: [
                tag_in(wildcards.dataset, tag)
                for tag in config["tagging"]["counted_tags"]
            ]
        },
        local=False,
    ),
    "phrase_tables": Table(
        "tagging.phrases:phrase_tables",
        "tagging",
        {"phrases": "phrases", "phrase_counts": "phrases in documents"},
        inputs={
            "models": of_models(PHRASE_TAGGERS, "model.npz"),
            "dev": "results/corpora/{dataset}/dev.conllu",
            "test": "results/corpora/{dataset}/test.conllu",
        },
        params={"names": list(PHRASE_TAGGERS)},
        captions={"phrase_counts": "tag_counts"},
        of=PHRASE_DATASETS,
        local=False,
    ),
    "ablation_tables": Table(
        "tables.tagging:ablation_tables",
        "tagging",
        {
            "ablation": "the thesis' taggers",
            "ablation_comparisons": "pairs of these taggers",
        },
        inputs={
            "evaluations": of_models(THESIS_TAGGERS, "evaluation.json"),
            "calibrations": of_targets(
                THESIS_TAGGERS, THESIS_TARGETS, "calibration.json"
            ),
            "pairs": of_targets(THESIS_TAGGERS, ["one_tag"], "pairs.parquet"),
        },
        params={
            "titles": {name: each.title for name, each in THESIS_TAGGERS.items()},
            "comparisons": comparisons(config["tagging"]["ablation"]["templates"]),
            "one_tag": one_tag,
            "samples": config["calibration"]["draws"],
            "replicates": config["tagging"]["replicates"],
            "seed": config["seed"],
        },
        of=config["tagging"]["ablation"]["datasets"],
        local=False,
    ),
    "coref_tables": Table(
        "tables.coref:coref_tables",
        "coref",
        {
            "coref_models": "models",
            "coref_kinds": "by kind of pair",
            "coref_scores": "scores",
            "coref_genres": "by genre",
            "coref_recalibration": "recalibration",
            "entity_counts": "entities in documents",
        },
        inputs={
            "scores": of_each_coref_model("scores.csv"),
            "genres": of_each_coref_model("genres.csv"),
            "calibrations": of_each_coref_model("pairs/calibration.json"),
            "pairs": of_each_coref_model("pairs/pairs.parquet"),
            "kinds": of_each_coref_model("kinds.csv"),
            "errors": of_each_coref_model("recalibrated/errors.csv"),
            "counts": of_each_coref_model("recalibrated/entity_counts.csv"),
        },
        params={"models": coref_models, **PAPER_BINS},
    ),
    "event_tables": Table(
        "tables.events:event_tables",
        "events",
        {"event_counts": "events by country", "event_checks": "samples and entities"},
        inputs={
            "series": of_each_query("series.csv"),
            "checks": of_each_query("checks.csv"),
        },
        params={"queries": lambda wildcards: list(dataset_queries(wildcards.dataset))},
    ),
    "event_coverage_table": Table(
        "tables.events:event_coverage_table",
        "events",
        {"events/coverage": "coverage of intervals"},
        inputs={"coverage": of_true_events("coverage.csv")},
        params={"names": TRUE_EVENTS},
        captions={"events/coverage": "event_coverage"},
        of=TRUE_EVENTS[:1],
    ),
    "evaluate_leads": Table(
        "tables.extraction_eval:evaluate_leads",
        "extraction_eval",
        {
            "leads_summary": "estimates of the whole",
            "leads_categories": "estimates by category",
            "leads_actors": "estimates by actor",
        },
        inputs=CODED | TRUTH | {"plan": f"{LEADS}/plan.json"},
        params=EVALUATED | {"k": config["extraction_eval"]["per_category"]},
        further=[f"{LEADS}/evaluations.json"],
        of=TRUE_LEADS,
    ),
    "study_leads": Table(
        "tables.extraction_eval:study_leads",
        "extraction_eval",
        {
            "leads_coverage": "bias and coverage",
            "leads_naive": "P(T | M) read as P(M | T)",
        },
        inputs=CODED | TRUTH,
        params={
            "k": config["extraction_eval"]["per_category"],
            "study": config["extraction_eval"]["study"],
            "seed": config["seed"],
        },
        further=[f"{LEADS}/saving.csv"],
        of=TRUE_LEADS,
        local=False,
        priority=1,
    ),
    "evaluate_annotators": Table(
        "tables.extraction_eval:evaluate_annotators",
        "extraction_eval",
        {
            "leads_annotators_agreement": "agreement between annotators",
            "leads_annotators_summary": "machine and annotators",
            "leads_annotators_categories": "machine and annotators by category",
        },
        inputs=CODED
        | {
            "plan": f"{LEADS}/plan.json",
            "sheets": lambda wildcards: list(annotators(wildcards).values()),
            "settled": settled_sheet,
        },
        params=EVALUATED
        | {"annotators": lambda wildcards: list(annotators(wildcards))},
        further=[f"{LEADS}/annotators.json"],
        of=list(config["extraction_eval"]["annotators"]),
    ),
    "statement_table": Table(
        "simulation.known_truth:statement_table",
        "simulation",
        {"statements": "statements about methods"},
        params={"seed": config["seed"]},
        of=["simulation"],
        local=False,
    ),
    "bin_count_table": Table(
        "simulation.bin_counts:bin_count_table",
        "simulation",
        {"bin_counts": "how many bins?"},
        params={"sizes": config["simulation"]["bin_counts"], "seed": config["seed"]},
        of=studied("bin_counts"),
        local=False,
    ),
}


def table_targets(*chapters):
    """Return the tables of some chapters."""
    return [
        f"results/{table_stem(name, table.chapter)}.csv".format(dataset=dataset)
        for table in TABLES.values()
        if table.chapter in chapters
        for dataset in (
            config[table.chapter]["datasets"] if table.of is None else table.of
        )
        for name in table.shows
    ]


for name, table in TABLES.items():

    rule:
        name:
            name
        input:
            **table.inputs,
        output:
            *(
                table_page(each, label, table.chapter, table.captions.get(each))
                for each, label in table.shows.items()
            ),
            csv=[
                f"results/{table_stem(each, table.chapter)}.csv"
                for each in table.shows
            ],
            further=table.further,
        log:
            f"results/logs/{table_stem(next(iter(table.shows)), table.chapter)}.log",
        priority: table.priority
        localrule: table.local
        conda:
            "../../envs/base.yaml"
        params:
            **table.params,
            library=library(
                "tables/tables.py",
                f"reproduction.{table.made_by.partition(':')[0]}",
            ),
            make=f"reproduction.{table.made_by}",
        message:
            "Tabulate {output.csv}"
        script:
            "../../scripts/tables/tables.py"
