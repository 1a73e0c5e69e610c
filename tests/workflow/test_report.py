"""Every caption of the report is rendered without a warning."""

import ast
import re
from contextvars import copy_context
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils.core import publish_parts
from jinja2 import ChainableUndefined, Environment
from matplotlib import pyplot

from nlpcalib.figures.style import save_figure
from nlpcalib.io.html_table import write_page
from reproduction.workflow.script_log import _note_simulated

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


@pytest.mark.parametrize("caption", sorted(REPORT.glob("*.rst")), ids=lambda path: path.stem)
def test_a_caption_is_rendered_without_a_warning(caption):
    assert "system-message" not in rendered(caption.read_text(encoding="utf-8"))


def test_a_warning_would_be_seen():
    assert "system-message" in rendered("A *word")


def test_categories_have_no_colon():
    """Captions link to each category, and a colon in its name ends the name of the link."""
    rules = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    named = [*categories(), *re.findall(r"""category=f?["'](.*?)["']""", rules)]
    assert "Provenance" in named
    assert not [name for name in named if ":" in name]


def test_the_first_page_has_the_table_of_claims(tmp_path):
    header = "dataset,place,claim,measured,verdict"
    row = 'newsroom,"4.2.2, Figure 3",P(T | M) is lower,"HMM 0.003, CRF 0.004",differs'
    (tmp_path / "check.csv").write_text(f"{header}\n{row}\n", encoding="utf-8")
    record = SimpleNamespace(target="check.html", path=tmp_path / "check.html")
    page = rendered((REPORT / "workflow.rst").read_text(encoding="utf-8"), [record])
    assert "system-message" not in page
    assert "P(T | M) is lower" in page


def test_the_first_page_has_the_verdicts_of_tiers_side_by_side(tmp_path):
    (tmp_path / "tiers.csv").write_text(
        "place,claim,embedded,open\n4.2,one,newsroom: differs,ewt: reproduced\n", "utf-8"
    )
    record = SimpleNamespace(target="tiers.html", path=tmp_path / "tiers.html")
    page = rendered((REPORT / "workflow.rst").read_text(encoding="utf-8"), [record])
    assert "system-message" not in page
    assert "ewt: reproduced" in page


WITHOUT_DATASET = {
    "check", "own_claims", "tiers", "config", "workflow", "coverage", "figure_betas", "figure_bin_counts",
    "figure_bin_size_truth", "figure_coverage", "figure_synthetic", "bin_counts", "tests",
}  # fmt: skip
"""Captions of what is of no dataset: of the claims of all, and of the chapter of simulated pairs."""


@pytest.mark.parametrize("caption", sorted(REPORT.glob("*.rst")), ids=lambda path: path.stem)
def test_a_caption_of_simulated_text_says_so(caption):
    text = caption.read_text(encoding="utf-8")
    note = "The text is simulated." in rendered(text, dataset="newsroom")
    assert note == (caption.stem not in WITHOUT_DATASET)
    assert "The text is simulated." not in rendered(text, dataset="ewt")
    assert "The text is simulated." not in rendered(text, dataset="a_table_of_the_users")


@pytest.fixture
def noted():
    """The note that a job on this dataset leaves for what it writes."""

    def note(dataset):
        job = SimpleNamespace(
            config={"datasets": {"newsroom": {"simulated": True}, "ewt": {"simulated": False}}},
            wildcards=SimpleNamespace(**({"dataset": dataset} if dataset else {})),
        )
        context = copy_context()
        context.run(_note_simulated, job)
        return context

    return note


@pytest.mark.parametrize(("dataset", "simulated"), [("newsroom", True), ("ewt", False), ("own", False), (None, False)])
def test_figures_and_pages_of_simulated_text_say_so(noted, tmp_path, dataset, simulated):
    figure = pyplot.figure()
    noted(dataset).run(save_figure, tmp_path / "figure", figure, [{"x": 1}])
    noted(dataset).run(write_page, tmp_path / "table.html", "Numbers", [{"x": 1}])
    pyplot.close(figure)
    shown = [text.get_text() for text in figure.texts]
    assert ("Simulated text" in shown) == simulated
    assert ("<p>Simulated text</p>" in (tmp_path / "table.html").read_text(encoding="utf-8")) == simulated
