# What section 7 of the paper leaves open: one study a row.
#
# Needs:  models, held-out text and event probabilities of the newsroom and its newswire
# Makes:  results/tables/simulation/section_7/{study}.csv, and figures of two of them; docs/explanation/section-7.md reads them
# Steps:  one rule, which calls the study's module by its name; `simulation: {section_7: true}` asks for all


SPLIT_FILES = {split: f"results/corpora/newsroom/{split}.conllu" for split in SPLITS}
HELD_OUT = {"test": SPLIT_FILES["test"]}
SECTION_7_TAGGERS = {
    model: f"results/tagging/newsroom/{model}/model.npz" for model in ("hmm", "crf")
}
SECTION_7_COREF = {"model": "results/coref/newsroom/likelihood/model.npz"}
SECTION_7_EVENTS = "results/events/newswire_parsed"
"""Of sampled trees, as events of plain text are found."""
SECTION_7_STUDIES = {
    "curves": {},
    "tag_risk": HELD_OUT | SECTION_7_TAGGERS,
    "event_risk": {
        "pairs": f"{SECTION_7_EVENTS}/attack/probabilities/pairs.parquet",
        "document_events": f"{SECTION_7_EVENTS}/attack/document_events.csv",
    },
    "replications": {
        "pairs": f"{SECTION_7_EVENTS}/attack/probabilities/pairs.parquet",
        "shards": gather.events(
            f"{SECTION_7_EVENTS}/extracted/{{scatteritem}}.parquet"
        ),
    },
    "penalty": SPLIT_FILES,
    "em": SPLIT_FILES,
    "feedback": HELD_OUT | SECTION_7_COREF,
    "tag_samples": HELD_OUT | SECTION_7_TAGGERS,
}
"""Inputs by study, the name of its module in reproduction.section7."""


SECTION_7_LIBRARY = {
    study: library("section7/study.py", f"reproduction.section7.{study}")
    for study in SECTION_7_STUDIES
}


rule section_7:
    input:
        unpack(lookup(dpath="{study}", within=SECTION_7_STUDIES)),
    output:
        table="results/tables/simulation/section_7/{study}.csv",
    log:
        "results/logs/section_7/{study}.log",
    wildcard_constraints:
        study="|".join(SECTION_7_STUDIES),
    conda:
        "../../envs/base.yaml"
    params:
        seed=config["seed"],
        library=lookup(dpath="{study}", within=SECTION_7_LIBRARY),
    message:
        "Study an open question of section 7: {wildcards.study}"
    script:
        "../../scripts/section7/study.py"
