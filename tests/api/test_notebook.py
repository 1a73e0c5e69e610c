"""The tutorial runs from top to bottom, has its outputs, and states what they show."""

import json
import re
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs/tutorials/calibrate-a-classifier.ipynb"


@pytest.fixture(scope="module")
def cells():
    return json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]


def test_it_has_fifteen_cells_with_outputs_and_stays_small(cells):
    assert len(cells) == 15
    shown = [cell for cell in cells if cell["cell_type"] == "code" and cell["outputs"]]
    assert len(shown) >= 7
    assert not any(output["output_type"] == "error" for cell in shown for output in cell["outputs"])
    assert NOTEBOOK.stat().st_size < 100_000


@pytest.mark.slow
def test_its_code_prints_what_it_shows(cells, capsys):
    from matplotlib import pyplot as plt

    scope: dict = {}
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        exec(compile("".join(cell["source"]), "tutorial", "exec"), scope)
        shown = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
        printed = capsys.readouterr().out
        # Optimisers of other versions may differ in the last digit that is printed.
        words, numbers = re.split(r"[\d.]+", shown), re.findall(r"\d*\.?\d+", shown)
        assert re.split(r"[\d.]+", printed) == words
        assert list(map(float, re.findall(r"\d*\.?\d+", printed))) == pytest.approx(
            list(map(float, numbers)), abs=0.005
        )
    plt.close("all")
