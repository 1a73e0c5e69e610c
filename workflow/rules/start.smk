# What has to hold before the configuration is read.
#
# Needs:  nothing
# Makes:  ROOT and SOURCE, shipped() for files of the repository, the library of this checkout on the path or else that of
#         a job's own environment, one set of matrix products and of loops, and configuration files that can be read

import filecmp
import os
import shlex
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import SharedFSUsage
from snakemake.sourcecache import HostingProviderFile
from snakemake.utils import update_config

if isinstance(workflow.current_basedir, HostingProviderFile):
    # Read from a forge, as the module of another workflow. Jobs take files that nobody lists, such as the library,
    # so the commit is laid out once next to what Snakemake keeps.
    repository = workflow.current_basedir.hosted_repo.repo
    commit = repository.commit(workflow.current_basedir.ref)
    ROOT = Path(".snakemake/commits", commit.hexsha).absolute()
    if not ROOT.exists():
        ROOT.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=ROOT.parent) as folder:
            with open(f"{folder}/files.tar", "w+b") as archive:
                repository.archive(archive, commit.hexsha)
            with tarfile.open(f"{folder}/files.tar") as archive:
                archive.extractall(f"{folder}/files", filter="data")
            os.rename(f"{folder}/files", ROOT)
else:
    ROOT = Path(workflow.current_basedir).parents[1]
WITHOUT_SHARED_DISK = (
    not workflow.is_main_process
    and SharedFSUsage.SOURCES not in workflow.storage_settings.shared_fs_usage
)
"""Whether this is a job on a machine that has what Snakemake sent it, and no more."""


def shipped(path):
    """Return the path of a file of this repository, relative to where the workflow runs."""
    return os.path.relpath(ROOT / path)


def installed_source(*packages):
    """Return the folder in which this job's environment has the packages; end the job if the checkout has others.

    Snakemake sends a job the files of the repository, among them those of the library. The job uses none of these, but
    another library would give other numbers.
    """
    found = find_spec(packages[0])
    folder = Path(found.origin).parents[1] if found else Path("nowhere")
    for sent in sorted(
        path for name in packages for path in (ROOT / "src" / name).rglob("*.py")
    ):
        part = sent.relative_to(ROOT / "src")
        if not (folder / part).is_file() or not filecmp.cmp(
            sent, folder / part, shallow=False
        ):
            raise WorkflowError(
                f"{folder}: found no {part} as in the checkout, expected the library of the same commit in the "
                "environment of the job: make its image again"
            )
    return folder


# Jobs import the library from this checkout, whether they run in this environment, in a conda environment of their own,
# or on another node of a cluster: each of them reads this file and inherits the variable. Without a shared disk the
# library is that of the job's environment or image.
if WITHOUT_SHARED_DISK:
    SOURCE = installed_source("nlpcalib", "newsroom", "reproduction")
else:
    SOURCE = ROOT / "src"
    os.environ.update(
        PYTHONPATH=os.pathsep.join(filter(None, [str(SOURCE), os.getenv("PYTHONPATH")]))
    )
    if str(SOURCE) not in sys.path:
        sys.path.insert(0, str(SOURCE))

# OpenBLAS has other matrix products for each kind of processor, and NumPy other loops. Their last digits grow in the
# training of a parser until tables differ, so every run uses those of 2013, which all x86-64 processors since have.
os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")
os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")

# Snakemake writes its interpreter into the jobs' commands as it is, so that each fails with status 127 if there is a
# space in the path. This changes nothing in any other path.
sys.executable = shlex.quote(sys.executable)

from nlpcalib.errors import InputError
from reproduction.configuration import read_yaml

try:
    DEFAULTS = read_yaml(ROOT / "config.yaml")
    for path in workflow.configfiles:
        read_yaml(path)
except InputError as error:
    raise WorkflowError(str(error))

# Another workflow's configuration is laid over the default one, as configuration files are.
if workflow.modifier.skip_configfile:
    update_config(DEFAULTS, config)
    config = DEFAULTS
