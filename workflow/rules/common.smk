# Helpers of all rules, and no rules.
#
# Reads:  the configuration
# Gives:  code() for the inputs of rules, the chapters' constants, and the lists of targets that `rule all` is made of

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.basedir)
SOURCE = ROOT / "src"

# Jobs import the library from this checkout, whether they run in this environment, in a conda environment of their own,
# or on another node of a cluster: each of them reads this file and inherits the variable.
os.environ.update(
    PYTHONPATH=os.pathsep.join(filter(None, [str(SOURCE), os.getenv("PYTHONPATH")]))
)
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

from nlpcalib.configuration import check_config
from nlpcalib.errors import InputError
from nlpcalib.imports import imported_files

SPLITS = ("train", "dev", "test")
TAGGERS = ("hmm", "crf")
QUERIES = ("tags", "bigrams")
FIGURES = ("figure_1", "figure_3", "figure_4", "figure_smoothing")

try:
    check_config(config, ROOT / "workflow/schemas/config.schema.yaml")
except InputError as error:
    raise WorkflowError(str(error))


def code(*scripts):
    """Return the library files that scripts import, directly or not.

    Snakemake sees a change of a script by itself, but not of a module: as inputs, modules rerun exactly what uses them.
    """
    found = imported_files([ROOT / "scripts" / script for script in scripts], SOURCE)
    return [path.relative_to(ROOT).as_posix() for path in found]


def dataset_option(key, default=None):
    """Return a params function that looks an option of the dataset up."""
    return lambda wildcards: config["datasets"][wildcards.dataset].get(key, default)


def names_with(**options):
    """Return a wildcard constraint: the datasets whose options have one of the given values."""
    names = [
        name
        for name, dataset in config["datasets"].items()
        if all(dataset.get(key) in values for key, values in options.items())
    ]
    return "|".join(names) or "no dataset"


def corpus_source(wildcards):
    dataset = config["datasets"][wildcards.dataset]
    return dataset.get("path") or f"results/corpora/archives/{dataset['corpus']}.zip"


def calibration_outputs(folder):
    return {
        "summary": f"{folder}/calibration.json",
        "bins": f"{folder}/bins.csv",
        "by_label": f"{folder}/by_label.csv",
        "curve": f"{folder}/reliability.csv",
        "pdf": f"{folder}/reliability.pdf",
    }


def prediction_targets():
    return expand(
        "results/predictions/{name}/{file}",
        name=config["predictions"],
        file=["calibration.json", "reliability.png"],
    )


def tagging_targets():
    datasets = config["tagging"]["datasets"]
    return [
        *expand(
            "results/figures/{dataset}/{figure}.png", dataset=datasets, figure=FIGURES
        ),
        *expand(
            "results/tables/{dataset}/{table}.csv",
            dataset=datasets,
            table=("taggers", "comparison"),
        ),
        *expand(
            "results/tagging/{dataset}/{model}/{query}/calibration.json",
            dataset=datasets,
            model=TAGGERS,
            query=QUERIES,
        ),
    ]


def of_each_tagger(file):
    return {model: f"results/tagging/{{dataset}}/{model}/{file}" for model in TAGGERS}


def figure_outputs(figure, label):
    """Return a figure's files: the one in the report, one for print, and the numbers drawn."""
    stem = f"results/figures/{{dataset}}/{figure}"
    return {
        "png": report(
            f"{stem}.png",
            caption=f"../report/{figure}.rst",
            category="tagging: {dataset}",
            subcategory="Figures of the paper",
            labels={"figure": label},
        ),
        "pdf": f"{stem}.pdf",
        "csv": f"{stem}.csv",
    }
