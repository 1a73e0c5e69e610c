"""The notebooks run from top to bottom, have their outputs, and state what they show."""

import json
import re
from pathlib import Path

import pytest

TUTORIALS = Path(__file__).parents[2] / "docs/tutorials"
NOTEBOOKS = {"calibrate-a-classifier": 15, "for-a-class": 20}


def cells_of(name):
    return json.loads((TUTORIALS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def test_all_notebooks_are_tried():
    assert {path.stem for path in TUTORIALS.glob("*.ipynb")} == NOTEBOOKS.keys()


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_it_has_all_cells_with_outputs_and_stays_small(name):
    cells = cells_of(name)
    assert len(cells) == NOTEBOOKS[name]
    shown = [cell for cell in cells if cell["cell_type"] == "code" and cell["outputs"]]
    assert len(shown) >= 6
    assert not any(output["output_type"] == "error" for cell in shown for output in cell["outputs"])
    assert (TUTORIALS / f"{name}.ipynb").stat().st_size < 100_000


@pytest.mark.slow
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_its_code_prints_what_it_shows(name, capsys, tmp_path, monkeypatch):
    from matplotlib import pyplot as plt

    monkeypatch.chdir(tmp_path)
    scope: dict = {}
    for cell in cells_of(name):
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
