# Helpers that several topics share, and no rules.
#
# Needs:  the configuration
# Makes:  library() for the parameters of rules, options of datasets, files of the user's, the outputs of figures and tables

import sys
from copy import deepcopy
from functools import partial
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from nlpcalib.errors import InputError
from reproduction.corpora.formats import DATED, FORMATS, MESSAGES, TEXTS
from reproduction.corpora.years import files_by_year
from nlpcalib.io.folders import files_below
from reproduction.workflow.imports import keep_checksums, library_digest
from reproduction.workflow.summary import run_summary

SPLITS = ("train", "dev", "test")
REPORT_CATEGORIES = {
    "claims": "1 Claims and verdicts",
    "sentiment": "2 Sentiment",
    "tagging": "3 Tagging",
    "coref": "4 Coreference",
    "events": "5 Events",
    "extraction_eval": "6 Extraction systems",
    "simulation": "7 Simulation",
    "bin_size": "8 Bin size",
    "parsing": "9 Parsing",
    "predictions": "Your predictions",
}
"""The report sorts its categories by their names, which may have no colon: captions link to them. Each chapter has its
own number; what has none comes last."""
WITHOUT_DATASET = ("claims", "simulation", "parsing")
"""The chapters whose figures and tables are not of a dataset."""

if workflow.is_main_process:  # once, and not again in each job
    from reproduction.configuration import check_config
    from reproduction.events.lexicon_check import check_countries

    try:
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
        check_countries(config)
    except InputError as error:
        raise WorkflowError(str(error))

CONFIGURATION = deepcopy(config)
"""As the user gives it; what follows is of the formats."""

for dataset in config["datasets"].values():
    # Figures, pages, captions and categories of the report say so.
    dataset["simulated"] = FORMATS[dataset["format"]].simulated

SHARED_DISK = not workflow.storage_settings.default_storage_provider
"""Whether each job finds a corpus where the user has it; if not, one job gets its files and reads them."""
try:
    FILES_OF_YEARS = {
        f"{name}/{year}": files
        for name, dataset in config["datasets"].items()
        if SHARED_DISK and "split" in dataset.get("events", {})
        for year, files in files_by_year(dataset["path"]).items()
    }
except InputError as error:
    raise WorkflowError(str(error))
"""The files of each year of a dataset that is split. A year is a dataset of its own where it is read and searched."""
config["datasets"] |= {
    part: config["datasets"][Path(part).parts[0]] for part in FILES_OF_YEARS
}
OTHERS = {
    chapter: {
        dataset: [
            shown
            for name, file in named.items()
            for shown in (name, *[f"{name}_recalibrated"] * (not isinstance(file, str)))
        ]
        for dataset, named in config[chapter]["others"].items()
    }
    for chapter in ("sentiment", "tagging", "coref")
}
"""The names of further models by chapter and dataset: the user's, whose predictions files have, and those of taggers that
are trained, as they are and recalibrated."""
PRINTED = ["pdf"] * config["pdf"]
"""The endings of figures besides those of the picture and of the numbers drawn."""
PICTURES = ["png", *PRINTED]
"""The endings of figures that targets name."""


def library(script, *modules):
    """Return a checksum of the library files that a script imports, directly or not.

    Snakemake sees a change of a script by itself, but not of a module: as a parameter, the checksum reruns exactly what
    uses the module. The `modules` are those that the script loads by their names.
    """
    return library_digest(ROOT / "scripts" / script, SOURCE, *modules)


def growing(first, wildcards, attempt):
    """Return what a rule asks for, `first` MB or minutes at its first attempt; each further attempt gets as much again.

    Profiles for clusters have the defaults.
    """
    return first * attempt


def datasets_with(**properties):
    """Return the names of the datasets whose formats have these properties."""
    return [
        name
        for name, dataset in config["datasets"].items()
        if all(
            getattr(FORMATS[dataset["format"]], key) == value
            for key, value in properties.items()
        )
    ]


def one_of(names):
    """Return a wildcard constraint: one of some names, or nothing if there are none."""
    return "|".join(names) or "none of them"


def of_dataset(table, wildcards):
    """Return what a table has for a dataset: a year, whose name has a slash, is no path of `lookup`."""
    return table[wildcards.dataset]


scattergather:
    events=config["events"]["shards"],


# Before all rules: where files are in a bucket, a rule that comes before its constraints is matched without them. With
# Snakemake 9.27.1 and snakemake-storage-plugin-s3 0.3.6, this plans a/repeated without a storage. With
# `--default-storage-provider s3` it ends in an AmbiguousRuleException, unless the constraint comes first:
#
#     rule part:
#         output:
#             "{dataset}/{n}",
#     rule check:
#         output:
#             "{dataset}/repeated",
#     wildcard_constraints:
#         n=r"\d+",
#
# Snakemake gives the constraint to the query of each output, and the plugin keeps the path of the old query.
wildcard_constraints:
    dataset=one_of(config["datasets"]),
    scatteritem=r"\d+-of-\d+",
    split=one_of(SPLITS),
    name=one_of(config["predictions"]),
    parser=one_of(config["parsing"]["models"]),
    query=one_of(config["events"]["queries"]),
    models="sentiment|tagging|ablation|coref",
    style="|_as_published",
    n=r"\d+",
    other=one_of(
        {
            name
            for given in OTHERS.values()
            for names in given.values()
            for name in names
        }
        | {"oracle"}
    ),


def years_of(dataset):
    """Return the years of a dataset that is split, as datasets of their own and in order; otherwise the dataset."""
    return [part for part in FILES_OF_YEARS if Path(part).parts[0] == dataset] or [
        dataset
    ]


def parts_of(dataset):
    """Return in how many parts a dated dataset is read by jobs of their own, None if one job reads all of it."""
    options = config["datasets"][dataset].get("events", {})
    in_parts = SHARED_DISK and ("parts" in options or "split" in options)
    return options.get("parts", 1) if in_parts else None


def all_shards(pattern, wildcards):
    """Return a file of every shard of a dated dataset, year by year if it is split.

    The shards of what is read in parts are the parts. Rules that write all shards of other datasets list them by
    `scatter.events`, which takes no function: Snakemake compares each such output with each file of a run.
    """
    return [
        pattern.format(dataset=part, scatteritem=f"{number}-of-{shards}")
        for part in years_of(wildcards.dataset)
        for shards in [parts_of(part) or config["events"]["shards"]]
        for number in range(1, shards + 1)
    ]


def in_place(path):
    """Return a file of the user's as an input: relative to where the workflow runs, whatever prefix its results have."""
    return local(str(path)) if SHARED_DISK else str(path)


def user_file(path, names=()):
    """Return the path of something of the user's own, and end the run if nothing is there.

    Where earlier results are, Snakemake would take them for those of a file that is missing or misspelt, whatever error
    this function raised, so it exits. Instead of a path, one of `names` might have been meant. What a storage provider
    has is Snakemake's to look for.
    """
    if SHARED_DISK and not Path(path).exists():
        meant = f", or one of {', '.join(names)}" if names else ""
        sys.exit(
            f"{path}: no such file or folder, expected one that the configuration names{meant}"
        )
    return in_place(path)


def file_of_other(chapter, wildcards):
    """Return the file of the predictions of a model of a chapter: the user's, or that of a tagger that is trained."""
    file = config[chapter]["others"][wildcards.dataset].get(wildcards.other)
    trained = "results/tagging/{dataset}/{other}/scores.jsonl"
    return user_file(file) if isinstance(file, str) else trained


def report_category(chapter, wildcards):
    """Return the report's category of a chapter's dataset, or of what is without one."""
    name = wildcards.get("chapter") or chapter
    dataset = wildcards.get("dataset")
    if name in WITHOUT_DATASET or not dataset:
        return REPORT_CATEGORIES[name]
    simulated = config["datasets"].get(dataset, {}).get("simulated")
    return f"{REPORT_CATEGORIES[name]}, {dataset}{', simulated text' * bool(simulated)}"


def page(path, chapter, subcategory="2 Tables", caption=None, **labels):
    """Return a file that the report shows; its caption has the file's name unless another is given."""
    return report(
        path,
        caption=f"../report/{caption or Path(path).stem}.rst",
        category=partial(report_category, chapter),
        subcategory=subcategory if chapter not in ("claims", "predictions") else None,
        labels=labels,
    )


def calibration_outputs(chapter, folders, **labels):
    """Return the files of a calibration in each of some folders, `{model}/{target}` unless others are its `labels`."""
    outputs = []
    for folder in folders:
        *_, model, target = Path(folder).parts
        shown = labels or {"model": model, "target": target}
        names = ("calibration.json", "bins.csv", "by_class.csv", "reliability.csv")
        outputs += [f"{folder}/{name}" for name in names]
        outputs += [f"{folder}/reliability.{ending}" for ending in PRINTED]
        outputs += [
            page(
                f"{folder}/reliability.png",
                chapter,
                "3 Each model",
                **shown,
                shows="curve",
            ),
            page(
                f"{folder}/by_class.html",
                chapter,
                "3 Each model",
                **shown,
                shows="table by class",
            ),
        ]
    return outputs
