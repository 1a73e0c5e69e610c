"""Copies of the project that a program may run and hurt, and the bytes of their results."""

import shutil
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "studies", "tools", "workflow")
"""What a run of the workflow, and of the tools, reads."""
UNTIMED = ("logs",)
"""Folders of results that report when and how fast, and so differ between runs."""
UNFINISHED = ".incomplete-"
"""How the names of temporary folders begin from which outputs are moved."""


def copy_project(folder: Path) -> Path:
    """Copy the project to a folder, and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for name in PROJECT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def result_bytes(results: Path) -> dict[str, bytes]:
    """Return the bytes of every result by its path, without those that report time and what is left unfinished."""
    paths = (path.relative_to(results) for path in results.rglob("*") if path.is_file())
    found = {}
    for path in paths:
        if path.parts[0] not in UNTIMED and UNFINISHED not in path.as_posix():
            with suppress(FileNotFoundError):  # Snakemake may take an output away before it is made again
                found[path.as_posix()] = (results / path).read_bytes()
    return found
