"""Each folder of src opens with a README: what it is, what its folders have, which question is answered where."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PLACE = re.compile(r"^(src|scripts|tests|workflow|docs|studies)/|^[\w/]+/$|\.(py|tsv|csv|smk|md)$")
"""What in backquotes is a place: below the checkout, or below the folder."""


@pytest.mark.parametrize("name", ["newsroom", "nlpcalib", "reproduction"])
def test_a_folder_opens_with_a_page_of_at_most_400_words(name):
    text = (ROOT / f"src/{name}/README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 400


@pytest.mark.parametrize("name", ["newsroom", "nlpcalib", "reproduction"])
def test_a_folder_names_every_folder_that_it_has_and_no_place_that_there_is_not(name):
    folder = ROOT / "src" / name
    quoted = re.findall(r"`([^`\n<*]+)`", (folder / "README.md").read_text(encoding="utf-8"))
    places = {place for place in quoted if PLACE.search(place)}
    made = {"results/"}  # by the main job
    assert {place for place in places - made if not (ROOT / place).exists() and not (folder / place).exists()} == set()
    assert {f"{path.parent.name}/" for path in folder.glob("*/__init__.py")} <= places
