"""Every caption of the report is rendered without a warning, and its first page can be read."""

import ast
import itertools
import re
import subprocess
import sys
from contextvars import copy_context
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from docutils.core import publish_parts
from jinja2 import ChainableUndefined, Environment
from matplotlib import pyplot

from nlpcalib.figures.style import save_figure
from nlpcalib.io.files import DATA_NOTE
from nlpcalib.io.html_table import Legend, write_table_page
from reproduction.workflow.script_log import _data_note

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "workflow/report"


def categories():
    """Return the categories of the report, of which the first is one of a dataset."""
    source = (ROOT / "workflow/rules/common.smk").read_text(encoding="utf-8")
    [table] = re.findall(r"^REPORT_CATEGORIES = (\{.*?^\})", source, re.MULTILINE | re.DOTALL)
    names = [*ast.literal_eval(table).values(), "Provenance"]
    return [f"{name}, newsroom" for name in names] + names


def rendered(caption, files=(), dataset="newsroom"):
    """Render a caption as Snakemake does, with the links to categories and files that it adds to each."""
    links = [f".. _{name}: javascript:app.showCategory('x')" for name in categories()]
    links += [f".. _{name}: javascript:app.showResultInfo('x')" for name in ("check.html", "figure_3.png")]
    template = Environment(undefined=ChainableUndefined).from_string(caption + "\n\n" + "\n".join(links) + "\n")
    job = SimpleNamespace(
        params=SimpleNamespace(one_tag={"bin_size": 200}),
        config={"datasets": {"newsroom": {"simulated": True}, "ewt": {"simulated": False}}},
        wildcards=SimpleNamespace(dataset=dataset),
    )
    text = template.render(snakemake=job, files=files)
    return publish_parts(text, writer="html", settings_overrides={"warning_stream": False})["html_body"]


CAPTIONS = {
    path.stem: path.read_text(encoding="utf-8")
    for folder in (REPORT, ROOT / "studies/report")
    for path in sorted(folder.glob("*.rst"))
}


def test_each_chapter_has_its_number():
    named = [each for each in categories() if "," not in each]
    numbers = [number for each in named if (number := each.partition(" ")[0]).isdecimal()]
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]
    assert sorted(named) == [*sorted(each for each in named if each[0].isdecimal()), "Provenance", "Your predictions"]


def shown_files(folder, *names):
    """Return files as Snakemake gives them to the first page: a page of verdicts, and pictures by their names."""
    rows = [{"verdict": verdict} for verdict in ("differs", "reproduced", "reproduced")]
    write_table_page(
        folder / "check.html", "Claims", rows, Legend("verdict", {"reproduced": "#0f0", "differs": "#f00"})
    )
    return [SimpleNamespace(target=name, path=folder / name) for name in ("check.html", *names)]


def text_of(page):
    """Return the text that a reader sees, with its pictures by their alternative texts."""
    page = re.sub(r"<style.*?</style>", "", page, flags=re.DOTALL)
    return " ".join(re.sub("<[^>]*>", " ", re.sub(r'<img [^>]*?alt="(.*?)"[^>]*>', r"[\1] ", page)).split())


def test_the_first_page_has_verdicts_three_pictures_and_what_to_look_at_next(tmp_path):
    names = ("figure_3.png", "figure_6_attack_as_published.png", "figure_6_attack.png", "figure_5.png", "figure_2.png")
    page = rendered(CAPTIONS["workflow"], shown_files(tmp_path, *names))
    shown = re.findall(r"results\['[^']*/([^/']+)'\]", page)
    assert shown == ["figure_2.png", "figure_3.png", "figure_6_attack.png"]
    text = text_of(page)
    order = [
        "Verdicts",
        "2 reproduced",
        "1 differs",
        "[Calibration of classifiers]",
        "What to look at next",
        "evidence",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert "system-message" not in page


@pytest.mark.parametrize("names", [(), ("figure_5.png",), ("figure_3.png", "figure_3.png")])
def test_the_first_page_of_a_part_of_the_run_has_what_there_is(names, tmp_path):
    page = rendered(CAPTIONS["workflow"], shown_files(tmp_path, *names)[1:])
    assert page.count("<figure ") == len(set(names))
    assert "Verdicts" not in text_of(page)
    assert "evidence" not in text_of(page)
    assert "system-message" not in page


def test_captions_are_rendered_without_a_warning():
    assert len(CAPTIONS) > 50
    assert [name for name, text in CAPTIONS.items() if "system-message" in rendered(text)] == []


def test_a_warning_would_be_seen():
    assert "system-message" in rendered("A *word")


def test_categories_have_no_colon():
    """Captions link to each category, and a colon in its name ends the name of the link."""
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    named = [*categories(), *re.findall(r"""category=f?["'](.*?)["']""", rules)]
    assert "Provenance" in named
    assert not [name for name in named if ":" in name]


WITHOUT_DATASET = {
    "check", "own_claims", "tiers", "config", "workflow", "figure_betas", "figure_bin_counts", "figure_bin_size_truth",
    "figure_regimes", "figure_synthetic", "bin_counts", "regimes", "figure_smooth_curves", "figure_em", "wrong_labels",
    "intervals", "comparisons", "statements", "real_tasks", "figure_real_tasks",
}  # fmt: skip
"""Captions of what is of no dataset: of the claims of all, of the chapter of simulated pairs, and of real tasks."""


def test_captions_name_simulated_text_and_no_other():
    def noted(dataset):
        return {name for name, text in CAPTIONS.items() if "The text is simulated." in rendered(text, dataset=dataset)}

    assert noted("newsroom") == CAPTIONS.keys() - WITHOUT_DATASET
    assert noted("ewt") == set()
    assert noted("a_table_of_the_users") == set()


@pytest.fixture
def noted():
    """The note that a job on this dataset leaves for what it writes."""

    def note(dataset):
        job = SimpleNamespace(
            config={"datasets": {"newsroom": {"simulated": True}, "ewt": {"simulated": False}}},
            wildcards=SimpleNamespace(**({"dataset": dataset} if dataset else {})),
        )
        context = copy_context()
        context.run(DATA_NOTE.set, _data_note(job))
        return context

    return note


@pytest.mark.parametrize(("dataset", "simulated"), [("newsroom", True), ("ewt", False), ("own", False), (None, False)])
def test_figures_and_pages_of_simulated_text_say_so(noted, tmp_path, dataset, simulated):
    figure = pyplot.figure()
    noted(dataset).run(save_figure, tmp_path / "figure", figure, [{"x": 1}])
    noted(dataset).run(write_table_page, tmp_path / "table.html", "Numbers", [{"x": 1}])
    pyplot.close(figure)
    shown = [text.get_text() for text in figure.texts]
    assert ("Simulated text" in shown) == simulated
    assert ("<p>Simulated text</p>" in (tmp_path / "table.html").read_text(encoding="utf-8")) == simulated


def test_a_page_with_a_legend_counts_its_values_and_explains_its_words(tmp_path):
    rows = [{"verdict": verdict, "claim": "x < y"} for verdict in ("differs", "reproduced", "differs", "new")]
    legend = Legend("verdict", {"reproduced": "#0f0", "differs": "#f00", "undecided": "#eee"}, {"draws": "p < .05"})
    write_table_page(tmp_path / "table.html", "Claims", rows, legend)
    page = (tmp_path / "table.html").read_text(encoding="utf-8")
    assert re.findall(r"background: (\S+)\"><b>(\d)</b> (\w+)<", page) == [
        ("#0f0", "1", "reproduced"), ("#f00", "2", "differs"), ("#eee", "0", "undecided"), ("none", "1", "new"),
    ]  # fmt: skip
    assert re.findall(r'<tr style="--colour: (\S+)">', page) == ["#f00", "#0f0", "#f00", "none"]
    assert "<dt>draws</dt><dd>p &lt; .05</dd>" in page


WORKFLOW = """
report: {first!r}
rule all:
    input: ["check.html", "tall.png", "figure_3.png"]
rule check:
    input: expand("{{number}}.txt", number=range(80))
    output: report("check.html", caption={caption!r}, category="1 Claims and verdicts", labels={{"table": "claims"}})
rule draw:
    output: report("tall.png", category="1 Claims and verdicts")
rule figure:
    output: report("figure_3.png", category="3 Tagging")
for number in range(80):
    rule:
        name: f"a_rule_with_a_long_name_{{number}}"
        output: f"{{number}}.txt"
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a workflow with as many rules as this one, a table, and a figure that is taller than a window."""
    folder = tmp_path_factory.mktemp("report")
    source = WORKFLOW.format(first=str(REPORT / "workflow.rst"), caption=str(REPORT / "check.rst"))
    (folder / "Snakefile").write_text(source, encoding="utf-8")
    for number in range(80):
        (folder / f"{number}.txt").touch()
    rows = [{"place": "4.2.2, Figure 3", "claim": f"Claim {number}", "verdict": "reproduced"} for number in range(100)]
    write_table_page(folder / "check.html", "Published claims", rows)
    pyplot.imsave(folder / "tall.png", np.zeros((2000, 500)))
    pyplot.imsave(folder / "figure_3.png", np.zeros((300, 700)))
    command = [sys.executable, "-m", "snakemake", "--report", "report.html", "--workflow-profile", "none"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "report.html"


PLACE = (
    "const box = document.querySelector(arguments[0]).getBoundingClientRect(); return [box.left, box.top, box.bottom]"
)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1366, 768), (1600, 900), (1920, 1080)])
def test_the_report_begins_with_its_heading_and_a_way_to_the_claims(browser, report, width, height):
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(report.as_uri())
    browser.until(lambda: browser.find_elements("css selector", "#rulegraph svg, #rulegraph canvas"))
    menu = browser.execute_script("return document.querySelector('#app > div > div').getBoundingClientRect().right")
    left, top, bottom = browser.execute_script(PLACE, ".prose h1")
    assert menu <= left
    assert 0 <= top < bottom < height
    assert browser.execute_script(PLACE, ".prose p:last-of-type")[2] < height
    browser.until(lambda: browser.execute_script("return document.querySelector('.prose img').naturalWidth") == 700)
    assert browser.execute_script(PLACE, ".prose img")[2] < height
    browser.find_element("link text", "table of claims and verdicts").click()
    browser.until(lambda: "Published claims, the sentence" in browser.find_element("tag name", "body").text)
    browser.execute_script("app.setView({content: 'img', contentPath: results['tall.png'].data_uri})")
    browser.until(lambda: browser.execute_script(PLACE, "img[src^='data:image/png']")[2] > height)
    assert browser.execute_script(PLACE, "img[src^='data:image/png']")[1] >= 0
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_tables_can_be_read_on_a_phone(browser, tmp_path):
    rows = [
        {"place": "4.2.2, Figure 3", "claim": "P(T | M) is " + "much " * 9 + "lower", "published_error_low": 0.0123}
    ]
    write_table_page(tmp_path / "check.html", "Published claims", rows)
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get((tmp_path / "check.html").as_uri())
    assert browser.execute_script("return [innerWidth, document.documentElement.scrollWidth]") == [360, 360]
    cells = browser.find_elements("tag name", "td")
    names = [
        browser.execute_script("return getComputedStyle(arguments[0], '::before').content", each) for each in cells
    ]
    assert names == ['"place"', '"claim"', '"published error low"']
    tops = [each.rect["y"] for each in cells]
    assert all(after >= before + 15 for before, after in itertools.pairwise(tops))
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_of_many_columns_shows_the_first_ones_until_it_is_asked_for_all(width, browser, tmp_path):
    rows = [{"label": "NN", **{f"measured_number_{column}": 0.1234 for column in range(30)}}]
    first = ("label", "measured_number_3")
    write_table_page(tmp_path / "table.html", "By label", rows, first=first)
    size = {"width": width, "height": 740, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get((tmp_path / "table.html").as_uri())

    def names():
        return [
            cell.get_attribute("data-name")
            for cell in browser.find_elements("tag name", "td")
            if cell.value_of_css_property("display") != "none"
        ]

    assert names() == [name.replace("_", " ") for name in first]
    assert browser.execute_script("return document.documentElement.scrollWidth") == width
    browser.find_element("tag name", "label").click()
    assert len(names()) == 31


def test_numbers_of_a_page_have_four_digits_or_all_whole_ones_and_stand_below_their_names(tmp_path):
    rows = [
        {"name": "a", "n": 1234567, "error": 0.0263883, "sum": 1723.4},
        {"name": "b", "n": None, "error": 1e-7, "sum": 2e6},
    ]
    write_table_page(tmp_path / "table.html", "Numbers", rows)
    page = (tmp_path / "table.html").read_text(encoding="utf-8")
    cells = re.findall(r'<td data-name="(\w+)"(?: class="(\w+)")?>([^<]*)<', page)
    assert [text for *_, text in cells] == ["a", "1,234,567", "0.02639", "1,723", "b", "", "&lt; 0.0001", "2,000,000"]
    assert re.findall(r"<th([^>]*)>(\w+)", page) == [
        ("", "name"),
        *((' class="number"', name) for name in ("n", "error", "sum")),
    ]
