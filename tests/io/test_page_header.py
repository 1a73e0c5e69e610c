"""The header of annotation pages can be read at every width, from a phone to a large screen."""

import pytest
from tests.systems.events.test_audit import made, plain

from nlpcalib.sampling.page import write_annotation_page
from nlpcalib.sampling.sheet import blind_sheet_rows

WIDTHS = (360, 414, 600, 768, 820, 1000, 1024, 1100, 1200, 1280, 1366, 1600, 1920)
TITLE = "Annotation of attacks, part 1"
MEASURE = """
const box = (node) => node.getBoundingClientRect();
const shown = [...document.querySelectorAll("header > *")].filter((node) => node.offsetParent !== null);
const title = document.querySelector("h1");
return {
  lines: Math.round(box(title).height / parseFloat(getComputedStyle(title).lineHeight)),
  header: box(document.querySelector("header")).height,
  page: document.documentElement.scrollWidth, right: Math.max(...shown.map((node) => box(node).right)),
  least: Math.min(...shown.map((node) => box(node).width)), shown: shown.length,
};
"""


def annotation(path):
    write_annotation_page(path, TITLE, "Is it?", "A codebook", blind_sheet_rows(("a", "b"), ("One text", "another"), 0))


def audit(path):
    made(path, [plain("a", {"USA": 0.5})], title=TITLE, description="newsroom, attack; agent of the verb")


@pytest.mark.parametrize("write", [annotation, audit])
def test_the_title_and_all_controls_have_room_at_every_width(browser, tmp_path, write):
    write(tmp_path / "page.html")
    browser.opened_anew(tmp_path / "page.html")
    for state in ("asking", "annotating"):
        for width in WIDTHS:
            size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            found = browser.execute_script(MEASURE)
            assert found["lines"] == 1, (state, width, found)
            assert max(found["page"], found["right"]) <= width, (state, width, found)
            assert found["least"] >= 30, (state, width, found)
            assert found["header"] <= (340 if width < 768 else 200), (state, width, found)
            assert found["shown"] >= (2 if state == "asking" else 6), (state, width, found)
        if state == "asking":
            browser.annotate_as("An annotator with a name of some length")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
