# Helpers that several topics share, and no rules.
#
# Needs:  the configuration
# Makes:  library() for the parameters of rules, options of datasets, files of the user's, the outputs of figures and tables

import sys
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import NamedTuple

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from nlpcalib.errors import InputError
from reproduction.corpora.formats import DATED, FORMATS, MESSAGES, TEXTS
from reproduction.corpora.years import files_by_year
from nlpcalib.io.folders import files_below
from reproduction.workflow.imports import library_digest
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


def configuration_files():
    """Return the files of the configuration, relative to where the workflow runs."""
    files = [ROOT / "config.yaml", *workflow.configfiles]
    return sorted({os.path.relpath(path) for path in files if Path(path).is_file()})


def library(script, *modules):
    """Return a checksum of the library files that a script imports, directly or not.

    Snakemake sees a change of a script by itself, but not of a module: as a parameter, the checksum reruns exactly what
    uses the module. The `modules` are those that the script loads by their names.
    """
    return library_digest(ROOT / "scripts" / script, SOURCE, *modules)


def growing(**first):
    """Return what a rule asks for at its first attempt, in MB and minutes; each further attempt asks for as much again.

    Profiles for clusters have the defaults.
    """

    def times(amount):
        return lambda wildcards, attempt: amount * attempt

    return {name: times(amount) for name, amount in first.items()}


def dataset_format(name):
    """Return the format of a dataset, a row of the table in reproduction.corpora.formats."""
    return FORMATS[config["datasets"][name]["format"]]


def datasets_with(**properties):
    """Return the names of the datasets whose formats have these properties."""
    return [
        name
        for name in config["datasets"]
        if all(
            getattr(dataset_format(name), key) == value
            for key, value in properties.items()
        )
    ]


def names_with(**properties):
    """Return a wildcard constraint: one of `datasets_with`."""
    return "|".join(datasets_with(**properties)) or "no dataset"


scattergather:
    events=config["events"]["shards"],


wildcard_constraints:
    dataset="|".join(config["datasets"]),
    scatteritem=r"\d+-of-\d+",
    split="|".join(SPLITS),


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


def all_shards(file, chapter="events"):
    """Return an input function: a file of every shard of a dated dataset, year by year if it is split.

    The shards of what is read in parts are the parts. Rules that write all shards of other datasets list them by
    `scatter.events`, which takes no function: Snakemake compares each such output with each file of a run.
    """

    def files(wildcards):
        return [
            f"results/{chapter}/{part}/{file.format(scatteritem=f'{number}-of-{shards}')}"
            for part in years_of(wildcards.dataset)
            for shards in [parts_of(part) or config["events"]["shards"]]
            for number in range(1, shards + 1)
        ]

    return files


def of_each(chapter, names, file):
    """Return an input function: a file of each of a dataset's models or queries, whose names are a function of wildcards."""
    return lambda wildcards: [
        f"results/{chapter}/{wildcards.dataset}/{name}/{file}"
        for name in names(wildcards)
    ]


def user_file(path, names=()):
    """Return the path of something of the user's own, and end the run if nothing is there.

    Where earlier results are, Snakemake would take them for those of a file that is missing or misspelt, whatever error
    this function raised, so it exits. Instead of a path, one of `names` might have been meant. What a storage provider
    has is Snakemake's to look for.
    """
    stored = workflow.storage_settings.default_storage_provider
    if not stored and not Path(path).exists():
        meant = f", or one of {', '.join(names)}" if names else ""
        sys.exit(
            f"{path}: no such file or folder, expected one that the configuration names{meant}"
        )
    return path


def archive(corpus):
    """Return the file in which a corpus of the registry is kept."""
    return f"results/corpora/archives/{corpus}.zip"


def report_category(chapter):
    """Return a function of wildcards: the report's category of a chapter's dataset, or of what is without one."""

    def category(wildcards):
        name = wildcards.get("chapter") or chapter
        dataset = wildcards.get("dataset")
        if name in WITHOUT_DATASET or not dataset:
            return REPORT_CATEGORIES[name]
        simulated = config["datasets"].get(dataset, {}).get("simulated")
        return f"{REPORT_CATEGORIES[name]}, {dataset}{', simulated text' * bool(simulated)}"

    return category


def page(path, chapter, subcategory="2 Tables", caption=None, **labels):
    """Return a file that the report shows; its caption has the file's name unless another is given."""
    return report(
        path,
        caption=f"../report/{caption or Path(path).stem}.rst",
        category=report_category(chapter),
        subcategory=subcategory,
        labels=labels,
    )


def calibration_outputs(folder, chapter, subcategory="3 Each model", **labels):
    """Return the files of a calibration; the report shows the curve and the table by label, with these labels."""
    place = {"subcategory": subcategory, **labels}
    names = ("calibration.json", "bins.csv", "by_class.csv", "reliability.csv")
    return [
        *(f"{folder}/{name}" for name in (*names, "reliability.pdf")),
        page(f"{folder}/reliability.png", chapter, **place, shows="curve"),
        page(f"{folder}/by_class.html", chapter, **place, shows="table by label"),
    ]


def figure_stem(figure, chapter, by=""):
    """Return a figure's path below results without its ending; `by` is a wildcard besides the dataset."""
    folder = chapter if chapter in WITHOUT_DATASET else "{dataset}"
    return f"figures/{folder}/{figure}" + (f"_{{{by}}}" if by else "")


def figure_outputs(figure, chapter, label, by="", published=False):
    """Return a figure's files: the one in the report, the one for print, and the numbers drawn.

    Those of a figure of the texts are there `published` too, with the text's axes, marks and units.
    """
    files = {}
    for suffix, style in {"": "house", "_as_published": "as published"}.items():
        if style == "house" or published:
            name = f"{figure}{suffix}"
            stem = f"results/{figure_stem(figure, chapter, by)}{suffix}"
            files[name] = page(
                f"{stem}.png",
                chapter,
                subcategory="1 Figures",
                caption="as_published" if suffix else figure,
                **({by: f"{{{by}}}"} if by else {}),
                figure=label,
                style=style,
            )
            files |= {f"{name}_pdf": f"{stem}.pdf", f"{name}_csv": f"{stem}.csv"}
    return files


def table_stem(table, chapter):
    """Return a table's path below results without its ending; one of several datasets has its folder in its name."""
    if chapter == "claims" or "/" in table:
        return f"tables/{table}"
    folder = chapter if chapter in WITHOUT_DATASET else "{dataset}"
    return f"tables/{folder}/{table}"


def table_page(table, label, chapter, caption=None):
    """Return the page of a table in the report; its caption has the table's name unless another is given."""
    path = f"results/{table_stem(table, chapter)}.html"
    subcategory = None if chapter == "claims" else "2 Tables"
    return page(path, chapter, subcategory, caption or table, table=label)
