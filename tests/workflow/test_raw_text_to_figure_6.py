"""One whole workflow among the fast tests: a user's raw text and countries, parsed, resolved, counted, drawn."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from nlpcalib.io.files import read_csv

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "envs", "profiles", "scripts", "src", "workflow")
NEWS = {
    "first": ("2001-02-03", "Iraq attacked Kuwait on Saturday. Iraqi troops were said to withdraw."),
    "second": ("2001-02-20", "Soldiers of Iraq attacked a village. They attacked it again."),
    "third": ("2001-05-06", "France condemned the attack. Israel attacked a bridge in Lebanon."),
    "fourth": ("2001-05-07", "Borduria attacked a village in Syldavia."),
    "fifth": ("2001-05-08", "General Tapioca attacked a village."),
}
COUNTRIES = "form\tcode\nBorduria\tBRD\nSyldavia\tSYL\n"
LEADERS = "form\tcode\tfrom\tuntil\tpart\nGeneral Tapioca\tSTH\t\t\tGOV\n"
OPTIONS = {
    "period": "quarter",
    "lexicon": ["packaged", "countries.tsv"],
    "actors": ["actors", "leaders.tsv"],
    "countries_only": True,
    "panels": [["IRQ"], ["ISR"]],
    "queries": ["attack", "force"],
}
CONFIG = {
    "datasets": {"mine": {"format": "dated", "path": "mine.jsonl", "events": OPTIONS}},
    "events": {"datasets": ["mine"], "shards": 1, "queries": {"force": {"category": ["assault"]}}},
}


def test_raw_text_becomes_figure_6(tmp_path):
    folder = tmp_path / "checkout"
    for name in PROJECT:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        folder.mkdir(exist_ok=True)
        copy(ROOT / name, folder / name)
    lines = (json.dumps({"id": name, "date": date, "text": text}) for name, (date, text) in NEWS.items())
    (folder / "mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "countries.tsv").write_text(COUNTRIES, encoding="utf-8")
    (folder / "leaders.tsv").write_text(LEADERS, encoding="utf-8")
    (folder / "mine.yaml").write_text(yaml.safe_dump(CONFIG), encoding="utf-8")
    figures = [f"results/figures/mine/figure_6_{query}.png" for query in ("attack", "force")]
    command = [sys.executable, "-m", "snakemake", *figures, "--cores", "2", "--configfile", "mine.yaml"]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # jobs would compile the copy's modules one by one
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert min((folder / figure).stat().st_size for figure in figures) > 10_000
    attack, force = (
        {
            (row["country"], row["period"]): float(row["exact_mean"])
            for row in read_csv(folder / f"results/events/mine/{query}/series.csv")
        }
        for query in ("attack", "force")
    )
    assert attack["IRQ", "2001Q1"] > 1.9
    assert attack["ISR", "2001Q2"] > 0.9
    assert attack["IRQ", "2001Q2"] < 0.1
    # Of tables of one's own; what is no country's name but an actor's is for categories alone.
    assert attack["BRD", "2001Q2"] > 0.9
    assert ("STH", "2001Q2") not in attack
    assert min(force["IRQ", "2001Q1"], force["ISR", "2001Q2"], force["BRD", "2001Q2"], force["STH", "2001Q2"]) > 0.5
