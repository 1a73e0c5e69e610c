"""What docs/how-to/extraction_eval.md shows works as it is shown."""

import re
from pathlib import Path

import numpy as np

from nlpcalib.io.files import write_csv

PAGE = Path(__file__).parents[2] / "docs/how-to/extraction_eval.md"
SCALE = {"aid": 7.4, "talk": 1.0, "threat": -7.0, "war": -10.0}


def test_the_blocks_run_one_after_the_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    rng = np.random.default_rng(0)
    names = ["none", *SCALE]
    machine = rng.choice(names, p=[0.5, 0.3, 0.15, 0.04, 0.01], size=600)
    truth = np.where(rng.random(600) < 0.7, machine, rng.choice(names, size=600)).tolist()
    write_csv("scale.csv", [{"category": name, "weight": weight} for name, weight in SCALE.items()])
    write_csv(
        "codings.csv",
        [{"lead": f"l{row}", "text": f"Lead {row}", "category": str(said)} for row, said in enumerate(machine)],
    )
    shown = {}
    exec(compile(blocks[0], "block 1", "exec"), shown)
    leads = list(shown["drawn"].stratum)
    labels = {lead: truth[int(lead[1:])] for lead in leads}
    write_csv("u1.csv", [{"item": lead, "label": label} for lead, label in labels.items()])
    write_csv(
        "u2.csv", [{"item": lead, "label": "war" if lead == leads[0] else label} for lead, label in labels.items()]
    )
    write_csv("settled.csv", [{"item": leads[0], "label": "talk"}])
    for number, block in enumerate(blocks[1:], start=2):
        exec(compile(block, f"block {number}", "exec"), shown)
    assert shown["truth"][leads[0]] == names.index("talk")
    assert leads == [lead for lead in shown["larger"].stratum if lead in shown["truth"]]
    assert len(shown["larger"].stratum) == len(leads) + 50


def test_every_column_that_the_page_explains_is_there():
    rows = {}
    exec(
        "from reproduction.extraction_eval import *\n"
        "import numpy as np\n"
        "drawn = DrawnLeads(('none', 'war'), (5, 9), {'a': 0, 'b': 1, 'c': 1}, True, 0)\n"
        "sample = machine_sample(drawn, {'a': 0, 'b': 1, 'c': 0})\n"
        "found = evaluate(sample, Scale.of({'war': -10.0}), samples=9, seed=0)",
        rows,
    )
    known = {*rows["found"].categories[0], *rows["found"].joint[0], *(row["measure"] for row in rows["found"].summary)}
    table = PAGE.read_text(encoding="utf-8").split("| --- | --- |\n")[1].split("\n\n")[0]
    explained = set(re.findall(r"`(\w+)`", table))
    assert len(explained) > 8
    assert explained <= known
