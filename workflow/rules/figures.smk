# Figures: whatever reads results and draws them is a function of reproduction.figures, a caption and a row of this table.
#
# Needs:  results of all chapters
# Makes:  results/figures/{dataset}/{figure}.{png,pdf,csv}: the figure in the report, the one for print, the numbers drawn;
#         of figures of the texts also {figure}_as_published.{png,pdf,csv}, with the text's axes, marks and units
# Steps:  one rule for each row, by the row's name, or for the rows of one job


class Figure(NamedTuple):
    """A row: a function, what it is given, and what the figure is drawn for."""

    drawn_by: str
    """The module of reproduction.figures whose function has the row's name and takes inputs and parameters by theirs."""
    shows: str
    chapter: str = ""
    """The chapter of the report, if it has not the name of the module; the caption has the row's name."""
    job: str = ""
    """The rule that draws it together with others of the same files, datasets and wildcards, if it has none of its own."""
    of: list | None = None
    """What it is a target for, if not the chapter's datasets: datasets, with a value of the wildcard `by` if any."""
    by: str = ""
    inputs: dict = {}
    params: dict = {}
    published: bool = False
    """Whether it is a figure of the texts, whose function draws it as published too."""
    local: bool = True
    """Whether the figure is drawn in the process that starts jobs, since it takes seconds."""


MEASURED = {"samples": config["calibration"]["draws"], "seed": config["seed"]}
TAGGED = MEASURED | {"bin_size": config["calibration"]["bin_size"]}
RESOLVED = MEASURED | {"models": coref_models, "bin_size": config["coref"]["bin_size"]}
COUNTED = "results/events/{dataset}/{query}"
reading = lambda wildcards: QUERIES[wildcards.query].reading
counted = lambda wildcards: QUERIES[wildcards.query].count
TRUE_COUNTS = branch(is_simulated, then=[f"{COUNTED}/truth.csv"])

MODELS_OF_BIN_SIZE = {
    "sentiment": config["sentiment"]["datasets"],
    "tagging": config["tagging"]["datasets"],
    "ablation": config["tagging"]["ablation"]["datasets"],
    "coref": config["coref"]["datasets"],
}
"""The models whose error is drawn against bin size, and the datasets that have them."""
PAIRS_OF_MODELS = {
    "sentiment": of_each_classifier("happy/pairs.parquet"),
    "tagging": of_targets(SHOWN, TARGETS, "pairs.parquet"),
    "ablation": of_targets(THESIS_TAGGERS, ["one_tag"], "pairs.parquet"),
    "coref": of_each_coref_model("pairs/pairs.parquet"),
}


def bin_size(wildcards):
    """Return the target bin size of the models in one figure: one tag has few pairs, so its bins are small."""
    if wildcards.models == "ablation":
        return one_tag(wildcards)["bin_size"]
    return config[wildcards.models].get("bin_size", config["calibration"]["bin_size"])


FIGURE_1_MODEL = config["tagging"]["figure_1"]["model"]
if FIGURE_1_MODEL in TAGGERS:
    FIGURE_1_MODEL += STAGE  # the thesis' taggers are not recalibrated

FIGURES = {
    "figure_1": Figure(
        "tagging",
        "1: binning",
        inputs={
            "chain": f"results/tagging/{{dataset}}/{FIGURE_1_MODEL}/model.npz",
            "test": "results/corpora/{dataset}/test.conllu",
        },
        params=config["tagging"]["figure_1"]
        | {
            "tag": lambda wildcards: tag_in(
                wildcards.dataset, config["tagging"]["figure_1"]["tag"]
            )
        },
        published=True,
    ),
    "figure_3": Figure(
        "tagging",
        "3: all tags",
        inputs=of_each_tagger("tags/pairs.parquet")
        | {"others": of_other_taggers("tags/pairs.parquet")},
        params=TAGGED | {"names": other_taggers},
        published=True,
    ),
    "figure_4": Figure(
        "tagging",
        "4: HMM against CRF by label",
        inputs=comparisons_of_taggers(STAGE)
        | {
            f"other_{target}": of_other_taggers(f"comparison_{target}.csv")
            for target in TARGETS
        },
        params={
            "frequent": config["tagging"]["frequent_bigrams"],
            "names": other_taggers,
        },
        published=True,
    ),
    "figure_recalibration": Figure(
        "tagging",
        "3: after recalibration",
        job="recalibration_figures",
        inputs=of_both_stages("tags/pairs.parquet"),
        params=TAGGED,
    ),
    "figure_4_recalibration": Figure(
        "tagging",
        "4: after recalibration",
        job="recalibration_figures",
        inputs={
            f"{target}{stage}": path
            for stage in ("", "_recalibrated")
            for target, path in comparisons_of_taggers(stage).items()
        },
        params={"frequent": config["tagging"]["frequent_bigrams"]},
    ),
    "figure_ablation": Figure(
        "ablation",
        "Ablation of the CRF's templates",
        job="thesis_figures",
        chapter="tagging",
        of=config["tagging"]["ablation"]["datasets"],
        inputs={"models": "results/tables/{dataset}/ablation.csv"},
        params={"nested": nested_variants(config["tagging"]["ablation"]["templates"])},
    ),
    "figure_thesis": Figure(
        "ablation",
        "4.1 to 4.6 of the thesis: one tag",
        job="thesis_figures",
        chapter="tagging",
        of=config["tagging"]["ablation"]["datasets"],
        inputs={
            "pairs": of_models(THESIS_FIGURES.values(), "one_tag/pairs.parquet"),
            "evaluations": of_models(THESIS_FIGURES.values(), "evaluation.json"),
        },
        params=MEASURED | {"titles": list(THESIS_FIGURES), "one_tag": one_tag},
        published=True,
    ),
    "figure_phrases": Figure(
        "phrases",
        "3.4 of the thesis: phrases",
        chapter="tagging",
        of=PHRASE_DATASETS,
        inputs={"phrases": "results/tables/{dataset}/phrases.csv"},
        params={"titles": list(PHRASE_TAGGERS.values())},
    ),
    "figure_2": Figure(
        "sentiment",
        "2: sentiment",
        inputs={"pairs": of_each_classifier("happy/pairs.parquet")},
        params=MEASURED | {"bin_size": config["sentiment"]["bin_size"]},
        published=True,
    ),
    "figure_5": Figure(
        "coref",
        "5: coreference",
        job="coref_figures",
        inputs={
            "pairs": of_each_coref_model(
                f"{'recalibrated' if config['recalibrated'] else 'pairs'}/pairs.parquet"
            ),
            "perfect": of_each_coref_model("perfect.csv"),
        },
        params=RESOLVED,
        published=True,
    ),
    "figure_coref_recalibration": Figure(
        "coref",
        "5: after recalibration",
        job="coref_figures",
        inputs={
            "before": of_each_coref_model("pairs/pairs.parquet"),
            "after": of_each_coref_model("recalibrated/pairs.parquet"),
        },
        params=RESOLVED,
    ),
    "figure_sampling": Figure(
        "coref",
        "Exact marginals and samples",
        inputs={
            "model": lambda wildcards: of_each_coref_model("model.npz")(wildcards)[0],
            "documents": annotated(config["coref"]["held_out"]),
        },
        params={
            "mentions": lambda wildcards: coref_mentions(coref_models(wildcards)[0]),
            "samples": config["coref"]["samples"],
            "seed": config["seed"],
        },
    ),
    "figure_6": Figure(
        "events",
        "6: events per period",
        job="event_figures",
        of=EVENTS,
        by="query",
        inputs={"series": f"{COUNTED}/series.csv", "truth": TRUE_COUNTS},
        params={
            "panels": events_option("panels"),
            "reading": reading,
            "counted": counted,
        },
        published=True,
    ),
    "figure_countries": Figure(
        "events",
        "Appendix 4: events by country",
        job="event_figures",
        of=EVENTS,
        by="query",
        inputs={
            "series": f"{COUNTED}/series.csv",
            "appendix": f"{COUNTED}/appendix.csv",
            "truth": TRUE_COUNTS,
        },
        params={"countries": config["events"]["countries"], "reading": reading},
        published=True,
    ),
    "figure_comparison": Figure(
        "events",
        "Two countries compared",
        job="event_figures",
        of=EVENTS,
        by="query",
        inputs={
            "series": f"{COUNTED}/series.csv",
            "comparison": f"{COUNTED}/comparison.csv",
            "truth": TRUE_COUNTS,
        },
        params={"reading": reading},
    ),
    "figure_categories": Figure(
        "extraction_eval",
        "Categories by frequency",
        inputs={"frequencies": "results/tables/{dataset}/leads_frequencies.csv"},
    ),
    "figure_levels": Figure(
        "extraction_eval",
        "1 of Lowe & King: bias of conflict levels",
        job="evaluation_figures",
        of=TRUE_LEADS,
        inputs={"evaluations": "results/extraction_eval/{dataset}/evaluations.json"},
        published=True,
    ),
    "figure_rates": Figure(
        "extraction_eval",
        "How much of each category is found",
        job="evaluation_figures",
        of=TRUE_LEADS,
        inputs={"evaluations": "results/extraction_eval/{dataset}/evaluations.json"},
    ),
    "figure_answers": Figure(
        "extraction_eval",
        "What each category is extracted as",
        job="evaluation_figures",
        of=TRUE_LEADS,
        inputs={"evaluations": "results/extraction_eval/{dataset}/evaluations.json"},
    ),
    "figure_saving": Figure(
        "extraction_eval",
        "What sampling by category saves",
        job="evaluation_figures",
        of=TRUE_LEADS,
        inputs={"saving": "results/extraction_eval/{dataset}/saving.csv"},
    ),
    "figure_annotators": Figure(
        "extraction_eval",
        "Section 4.3 of Lowe & King: system and annotators",
        of=list(config["extraction_eval"]["annotators"]),
        inputs={"evaluations": "results/extraction_eval/{dataset}/annotators.json"},
    ),
    "figure_synthetic": Figure(
        "simulation",
        "4.7 to 4.11 of the thesis: synthetic pairs",
        job="synthetic_figures",
        of=studied("betas"),
        inputs={"scores": expand("results/simulation/{beta}/scores.csv", beta=BETAS)},
        params={"betas": BETAS},
        published=True,
    ),
    "figure_betas": Figure(
        "simulation",
        "Score against bin size by distribution",
        job="synthetic_figures",
        of=studied("betas"),
        inputs={"scores": expand("results/simulation/{beta}/scores.csv", beta=BETAS)},
        params={"betas": BETAS},
    ),
    "figure_bin_size_truth": Figure(
        "bin_size",
        "Bin size and the true error",
        job="bin_figures",
        chapter="simulation",
        of=studied("bin_counts"),
        params={"pairs": config["simulation"]["pairs"], "seed": config["seed"]},
        local=False,
    ),
    "figure_bin_counts": Figure(
        "bin_size",
        "How many bins?",
        job="bin_figures",
        chapter="simulation",
        of=studied("bin_counts"),
        inputs={"table": "results/tables/simulation/bin_counts.csv"},
    ),
    "figure_smooth_curves": Figure(
        "section7",
        "Smooth calibration curves",
        chapter="simulation",
        of=studied("section_7"),
        params={"seed": config["seed"]},
    ),
    "figure_em": Figure(
        "section7",
        "EM with few labels",
        chapter="simulation",
        of=studied("section_7"),
        inputs={"table": "results/tables/simulation/section_7/em.csv"},
    ),
    "figure_bin_size": Figure(
        "bin_size",
        "Bin size",
        of=[
            f"{dataset}/{models}"
            for models, datasets in MODELS_OF_BIN_SIZE.items()
            for dataset in datasets
        ],
        by="models",
        inputs={
            "pairs": branch(lambda wildcards: wildcards.models, cases=PAIRS_OF_MODELS)
        },
        params={
            "title": "{dataset}: {models}",
            "bin_size": bin_size,
            "seed": config["seed"],
        },
        local=False,
    ),
}


def figure_targets(*chapters):
    """Return the figures of some chapters."""
    targets = []
    for name, figure in FIGURES.items():
        chapter = figure.chapter or figure.drawn_by
        if chapter in chapters:
            stem = figure_stem(name, chapter, figure.by)
            for each in config[chapter]["datasets"] if figure.of is None else figure.of:
                dataset, _, value = each.partition("/")
                made = stem.format(dataset=dataset, **{figure.by: value})
                targets.append(f"results/{made}.png")
    return targets


FIGURE_JOBS = {}
"""The figures of each rule, by their names."""
for name, figure in FIGURES.items():
    FIGURE_JOBS.setdefault(figure.job or name, {})[name] = figure


for job, figures in FIGURE_JOBS.items():

    first = next(iter(figures.values()))
    chapter = first.chapter or first.drawn_by

    rule:
        name:
            job
        input:
            **{
                key: files
                for figure in figures.values()
                for key, files in figure.inputs.items()
            },
        output:
            **{
                key: file
                for name, figure in figures.items()
                for key, file in figure_outputs(
                    name, chapter, figure.shows, figure.by, figure.published
                ).items()
            },
        log:
            f"results/logs/{figure_stem(job, chapter, first.by)}.log",
        localrule: all(figure.local for figure in figures.values())
        conda:
            "../../envs/base.yaml"
        params:
            **{
                key: value
                for figure in figures.values()
                for key, value in figure.params.items()
            },
            library=library(
                "figures/figure.py",
                *(
                    f"reproduction.figures.{figure.drawn_by}"
                    for figure in figures.values()
                ),
            ),
            draw={
                name: f"reproduction.figures.{figure.drawn_by}:{name}"
                for name, figure in figures.items()
            },
        message:
            f"Draw {', '.join(figures)}"
        script:
            "../../scripts/figures/figure.py"
