"""The version stands in one place, and what repeats it agrees."""

import re
import tomllib
from pathlib import Path

import nlpcalib

ROOT = Path(__file__).parents[1]


def test_the_package_is_built_with_the_version_of_the_library():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "nlpcalib.version.__version__"}
    found = re.findall(r'^__version__ = "(.+)"', (ROOT / "src/nlpcalib/version.py").read_text(), re.MULTILINE)
    assert found == [nlpcalib.__version__]


def test_a_release_is_cited_by_its_version():
    """Between releases the last one is cited."""
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert cited == nlpcalib.__version__ or "dev" in nlpcalib.__version__
