"""The recipes of docs/develop work as they stand there: their edits are applied, and what they make is run."""

import re
import shutil
import subprocess
import sys
import types
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import yaml

from nlpcalib.io.files import read_csv
from reproduction.configuration import check_config

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/develop/recipes.md").read_text(encoding="utf-8")
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
EDIT = re.compile(r"(Write|Change) `([^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def recipe(title: str) -> str:
    """Return the text of one recipe."""
    return PAGE.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def changed(text: str, diff: str) -> str:
    """Return a text with the lines of a diff, which have to be there once."""
    lines = diff.splitlines(keepends=True)
    before, after = ("".join(line[1:] for line in lines if line[0] in kept) for kept in (" -", " +"))
    assert text.count(before) == 1, f"found {text.count(before)} times, expected once:\n{before}"
    return text.replace(before, after)


def follow(title: str, folder: Path) -> None:
    """Apply the edits of a recipe to a copy of the project."""
    edits = EDIT.findall(recipe(title))
    assert edits
    for verb, name, block in edits:
        path = folder / name
        assert path.exists() == (verb == "Change"), name
        path.write_text(changed(path.read_text(encoding="utf-8"), block) if verb == "Change" else block, "utf-8")


@pytest.fixture
def checkout(tmp_path):
    """A copy of the project."""
    for name in PROJECT:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
            shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def snakemake(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.slow
def test_a_format_is_a_file_and_a_row(checkout):
    """The dataset of the page goes through configuration, rule and script; a broken line is left out."""
    title = "Add a corpus format"
    follow(title, checkout)
    [configuration] = re.findall(r"```yaml\n(.*?)```", recipe(title), re.DOTALL)
    (checkout / "diary.yaml").write_text(configuration, encoding="utf-8")
    lines = ["1914-08-04\tGermany attacked Belgium.", "no date at all", "1914-08-05\tIt rained."]
    (checkout / "diary.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    [command] = re.findall(r"```sh\nsnakemake --cores 2 (.*?)\n```", recipe(title))
    snakemake(checkout, *command.split())
    rows = read_csv(checkout / command.split()[-1])
    assert [(row["document"], row["date"], row["selected"]) for row in rows] == [
        ("entry 1", "1914-08-04", "True"),
        ("entry 3", "1914-08-05", "False"),
    ]


def test_an_estimator_is_a_function_and_a_row(monkeypatch):
    """The example is the mean distance of the curve from the diagonal, here summed bin by bin."""
    name = "src/nlpcalib/calibration/estimates.py"
    source = (ROOT / name).read_text(encoding="utf-8")
    for verb, path, block in EDIT.findall(recipe("Add an estimator")):
        assert (verb, path) == ("Change", name)
        source = changed(source, block)
    module = types.ModuleType("estimates_of_the_recipe")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(source, name, "exec"), module.__dict__)
    rng = np.random.default_rng(1)
    q = np.sort(rng.random(400))
    y = rng.random(400) < q**2
    pairs = module.SortedPairs(q, y)
    starts = [*module.recommended_starts(pairs, module.Settings()), len(q)]
    gaps = [(end - start, q[start:end].mean() - y[start:end].mean()) for start, end in pairwise(starts)]
    expected = (sum(size * gap**2 for size, gap in gaps) / len(q)) ** 0.5
    estimate = module.METHODS["half_information_rms"](pairs, module.Settings())
    assert estimate.value == pytest.approx(expected)
    assert estimate.low is None
    assert len(starts) > 5


@pytest.mark.slow
def test_a_figure_and_a_key_of_the_configuration_reach_the_results(checkout):
    follow("Add a figure", checkout)
    follow("Add a config key", checkout)
    config = yaml.safe_load((checkout / "config.yaml").read_text(encoding="utf-8"))
    check_config(config, checkout / "workflow/schemas/config.schema.yaml")
    [command] = re.findall(r"```sh\nsnakemake --cores 2 (.*?)\n```", recipe("Add a figure"))
    snakemake(checkout, *command.split())
    target = checkout / command.split()[-1]
    assert target.stat().st_size > 10_000
    countries = {row["country"] for row in read_csv(target.with_suffix(".csv"))}
    assert len(countries) == config["events"]["rate_countries"]


def test_every_edit_of_the_page_belongs_to_a_recipe_that_is_tried():
    tried = ("Add a corpus format", "Add an estimator", "Add a figure", "Add a config key")
    assert tuple(re.findall(r"^## (.*)$", PAGE, re.MULTILINE)) == tried
    assert len(EDIT.findall(PAGE)) == sum(len(EDIT.findall(recipe(title))) for title in tried)
    assert PAGE.count("\nWrite `") + PAGE.count(" Write `") + PAGE.count("\nChange `") == len(EDIT.findall(PAGE))
