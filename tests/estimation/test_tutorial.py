"""The tutorial on counting prints what it shows, from its simulated items to the interval."""

import re
import shlex
from pathlib import Path

from nlpcalib.cli.app import main

PAGE = Path(__file__).parents[2] / "docs/tutorials/how-many-attacks.md"


def test_the_tutorial_on_attacks_prints_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scope, shown, printed = {}, [], []
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S):
        if language == "python":
            exec(compile(block, PAGE.name, "exec"), scope)
            capsys.readouterr()
        elif language == "sh":
            if "labels-2.csv" in block:
                scope["annotate"](2)
            assert main(shlex.split(block)[1:]) == 0
            printed.append(capsys.readouterr().out)
        else:
            shown.append(block)
    assert len(shown) == 4
    assert printed == shown
    intervals = re.findall(r"^(?:(\d{4}) |483 ).*? (\d+) to (\d+)", shown[-1], re.M)
    truth = {str(year): int(scope["attack"][scope["year"] == year].sum()) for year in range(2021, 2025)}
    truth[""] = int(scope["attack"].sum())
    assert all(int(low) <= truth[name] <= int(high) for name, low, high in intervals)
    assert len(intervals) == 5
