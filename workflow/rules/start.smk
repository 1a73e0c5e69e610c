# What has to hold before the configuration is read.
#
# Needs:  nothing
# Makes:  ROOT, the library of this checkout on the path, one set of matrix products and of loops, and configuration
#         files that can be read

import os
import shlex
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

ROOT = Path(workflow.current_basedir).parents[1]
SOURCE = ROOT / "src"

# Jobs import the library from this checkout, whether they run in this environment, in a conda environment of their own,
# or on another node of a cluster: each of them reads this file and inherits the variable.
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
    for path in [ROOT / "config.yaml", *workflow.configfiles]:
        read_yaml(path)
except InputError as error:
    raise WorkflowError(str(error))
