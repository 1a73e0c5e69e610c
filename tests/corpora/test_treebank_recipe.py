"""The recipe of docs/how-to/corpora.md works for a treebank without XPOS, and names the key that such a one needs."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from newsroom.reports import Newsroom
from nlpcalib.io.files import read_csv
from nlpcalib.systems.text.conllu import write_conllu

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "workflow")
SIZES = {"train": 12, "dev": 4, "test": 6}


@pytest.fixture
def checkout(tmp_path):
    """A checkout with a small treebank that has universal tags alone, where the page's recipe looks for it."""
    for name in PROJECT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    for start, (split, number) in enumerate(SIZES.items()):
        documents = [report.document for report in Newsroom(seed=3).reports(100 * start, 100 * start + number)]
        untagged = (
            replace(each, sentences=tuple(replace(sentence, tags=()) for sentence in each.sentences), mentions=())
            for each in documents
        )
        folder = tmp_path / "folder/with/the/files"
        folder.mkdir(parents=True, exist_ok=True)
        write_conllu(folder / f"{split}.conllu", untagged)
    return tmp_path


def recipe(**dataset):
    """Return the first configuration of the page, with further keys of its dataset and the thesis' taggers too."""
    page = (ROOT / "docs/how-to/corpora.md").read_text(encoding="utf-8")
    config = yaml.safe_load(re.search(r"```yaml\n(.*?)```", page, re.DOTALL)[1])
    config["datasets"]["mine"] |= dataset
    config["tagging"]["ablation"]["datasets"] = ["mine"]
    return yaml.safe_dump(config)


def snakemake(folder, target, config):
    (folder / "mine.yaml").write_text(config, encoding="utf-8")
    configs = ("--configfile", "configs/smoke.yaml", "mine.yaml")
    command = [sys.executable, "-m", "snakemake", target, "--cores", "2", *configs]
    return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.slow
def test_a_treebank_without_xpos_is_refused_with_the_key_that_it_needs_and_runs_with_it(checkout):
    refused = snakemake(checkout, "results/corpora/mine/train.conllu", recipe())
    assert refused.returncode != 0
    assert re.search(r"found no tags in sentence .* of the train split", refused.stdout), refused.stdout
    assert "write `tags: upos` in the dataset" in refused.stdout
    assert not (checkout / "results/corpora/mine/train.conllu").exists()

    made = snakemake(checkout, "tagging", recipe(tags="upos"))
    assert made.returncode == 0, made.stdout
    tables = checkout / "results/tables/mine"
    assert {row["tag"] for row in read_csv(tables / "tag_counts.csv")} == {"NOUN", "PROPN", "ADJ"}
    assert {row["tag"] for row in read_csv(tables / "ablation.csv")} == {"NOUN"}
    assert (checkout / "results/figures/mine/figure_1.png").stat().st_size > 10_000
