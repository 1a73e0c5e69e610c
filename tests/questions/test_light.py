"""The commands that measure, plan and estimate load nothing of the topics above them."""

import subprocess
import sys

import pytest

from nlpcalib.cli.app import main

TOPICS = (
    "nlpcalib.systems.coref",
    "nlpcalib.systems.events",
    "nlpcalib.systems.text",
    "nlpcalib.systems.chains",
    "reproduction",
    "spacy",
)
WATCH = """
import sys
from nlpcalib.cli.app import main
for command in {commands}:
    assert main(command.split()) == 0
    print("loaded by", command, "and those before:", sorted(name for name in sys.modules if name.startswith({topics})))
"""
COMMANDS = (
    "calibrate items.csv --out calibrated",
    "compare items.csv items.csv --out compared",
    "recalibrate items.csv --out recalibrated.csv",
    "plan labels items.csv --detect .1",
    "plan items items.csv --budget 40 --design random --out another",
    "estimate items.csv labels.csv --plan plan/plan.json --by group --out estimated",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Predictions with labels, items, and the plan and labels of some of them."""
    path = tmp_path_factory.mktemp("light")
    rows = [f"i{row},{(row % 20 + 0.5) / 20},{row % 3 % 2},{row % 2}\n" for row in range(200)]
    (path / "items.csv").write_text("id,q,y,group\n" + "".join(rows))
    return path


def test_measuring_planning_estimating_and_recalibrating_load_no_topic(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert main(["plan", "items", "items.csv", "--budget", "40", "--design", "random", "--out", "plan"]) == 0
    rows = (folder / "plan" / "sheet-1.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    (folder / "labels.csv").write_text("item,label\n" + "".join(f"{row.partition(',')[0]},no\n" for row in rows))
    code = WATCH.format(commands=COMMANDS, topics=TOPICS)
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    loaded = [line for line in process.stdout.splitlines() if line.startswith("loaded by")]
    assert loaded == [f"loaded by {command} and those before: []" for command in COMMANDS]
