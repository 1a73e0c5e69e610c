# Helpers of all rules, and no rules.
#
# Reads:  the configuration
# Gives:  code(), script(), and the lists of targets that `rule all` is made of

import os
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.basedir)
SOURCE = ROOT / "src"

# Jobs import the library from this checkout, whether they run in this environment, in a conda environment of their own,
# or on another node of a cluster: each of them reads this file and inherits the variable.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(SOURCE), os.environ.get("PYTHONPATH")]))
if str(SOURCE) not in sys.path:
    sys.path.insert(0, str(SOURCE))

from nlpcalib.configuration import check_config
from nlpcalib.errors import InputError
from nlpcalib.imports import imported_files

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
