"""The gallery's pictures come out of the code that it shows, and its sentences have the numbers that this prints."""

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image
from tools.gallery import PAGE, pictures

ROOT = Path(__file__).parents[2]
RULES = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
FIGURES = (ROOT / "docs/reference/figures.md").read_text(encoding="utf-8")
PICTURES = pictures()


def numbers(text):
    """Return the numbers of a text, but for those that words hold."""
    return {float(number) for number in re.findall(r"(?<![\w.])-?\d*\.?\d+", text)}


def test_the_page_has_twelve_pictures():
    text = PAGE.read_text(encoding="utf-8")
    assert len(PICTURES) == text.count("\n## ") == text.count("![") == 12
    assert all((PAGE.parent / picture.image).is_file() for picture in PICTURES)
    assert len(text.split()) <= 450


@pytest.mark.parametrize("picture", [one for one in PICTURES if not one.made], ids=lambda one: one.title)
def test_a_figure_of_the_default_run_is_a_target_and_its_numbers_stand_in_the_results(picture):
    target = picture.code.split()[-1]
    assert f"\nrule {target}:\n" in RULES or f"`{target}`" in FIGURES
    assert picture.image.startswith("results/images/")
    pages = (ROOT / f"docs/results/{name}.csv" for name in ("claims/embedded", "tables/coref_recalibration_newsroom"))
    found = set().union(*(numbers(page.read_text(encoding="utf-8")) for page in pages))
    assert numbers(picture.finding) <= found | {round(number, 4) for number in found}


@pytest.mark.slow
@pytest.mark.parametrize("picture", [one for one in PICTURES if one.made], ids=lambda one: one.title)
def test_a_picture_comes_out_of_its_code(picture, tmp_path):
    for path in re.findall(r"results/\w+", picture.code):
        if not (ROOT / path).exists():
            pytest.skip(f"{path}: no default run has been made")
    if picture.made.endswith(".html") and not shutil.which("chromium"):
        pytest.skip("chromium is not installed")
    printed = picture.make(tmp_path / "made.png")
    assert numbers(picture.finding) <= numbers(printed)
    with Image.open(tmp_path / "made.png") as made, Image.open(PAGE.parent / picture.image) as committed:
        assert made.size == committed.size
        assert len(made.getcolors()) > 2
