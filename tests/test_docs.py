"""What the documentation shows works as it is shown."""

import csv
import io
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml
from cyclopts import MissingArgumentError
from matplotlib import pyplot as plt
from scipy.special import expit, ndtri
from snakemake.utils import update_config
from tools.absolute_links import absolute

import nlpcalib as nc
from nlpcalib.cli.app import app, main
from nlpcalib.cli.example import FOLDER as EXAMPLES
from nlpcalib.cli.example import with_example
from nlpcalib.estimation.shared_effect import fit_shared_effect
from nlpcalib.recalibration.saved_map import made, write_map
from reproduction.configuration import check_config

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs").rglob("*.md"))


def blocks(page, language):
    return re.findall(
        rf"^ *```{language}\n(.*?)^ *```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


@pytest.fixture
def own_predictions(tmp_path, monkeypatch):
    """The files that the pages name, of a model that is too sure, and a place for results."""
    rng = np.random.default_rng(0)
    logit = rng.normal(-0.5, 1.5, 600)
    y = rng.random(600) < expit(logit)
    for name, scale in (("predictions", 1.5), ("model_a", 1.5), ("model_b", 1.0), ("model_c", 0.8)):
        rows = (
            f"{q},{int(label)},{n},b,{('DE', 'JP')[n % 2]}"
            for n, (q, label) in enumerate(zip(expit(scale * logit), y, strict=True))
        )
        (tmp_path / f"{name}.csv").write_text("q,y,id,text,market\n" + "\n".join(rows) + "\n", encoding="utf-8")
    labels = "".join(f"{n},{'yes' if label else 'no'}\n" for n, label in enumerate(y[:300]))
    (tmp_path / "labels.csv").write_text(f"id,label\n{labels}", encoding="utf-8")
    (tmp_path / "new.csv").write_text("id,q\na,.2\n", encoding="utf-8")
    by_answer = [f"{q},{label}" for label in (0, 1) for q in rng.beta(1 + 2 * label, 9, 100)]
    (tmp_path / "balanced.csv").write_text("q,y\n" + "\n".join(by_answer) + "\n", encoding="utf-8")
    (tmp_path / "events.csv").write_text("id,q,country,date\na,.2,ISR,1999-05-01\n", encoding="utf-8")
    (tmp_path / "recalibrated").mkdir()
    write_map(tmp_path / "recalibrated/map.json", made("linear", intercept=0, slope=0.7, floor=0.01), "logistic")
    lines = (
        json.dumps({"score": float(q), "correct": bool(label), "doc": str(row // 3)})
        for row, (q, label) in enumerate(zip(expit(logit), y, strict=True))
    )
    (tmp_path / "scores.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shares = rng.dirichlet([1, 1, 1], 300)
    golds = (shares.cumsum(axis=1) > rng.random(300)[:, None]).argmax(axis=1)
    rows = (f"{up},{down},{1 - up - down},{'abc'[gold]}" for (up, down, _), gold in zip(shares, golds, strict=True))
    (tmp_path / "classes.csv").write_text("a,b,c,gold\n" + "\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands(page):
    """Return the commands of `nlpcalib` that a page shows on predictions."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if re.match(r"nlpcalib (calibrate|explore|compare|recalibrate|plan labels)", line)]


@pytest.mark.filterwarnings("default::nlpcalib.calibration.SmallSampleWarning")
@pytest.mark.parametrize("line", [*commands("docs/how-to/predictions.md"), *commands("README.md")])
def test_commands_on_predictions_work_as_shown(line, own_predictions, monkeypatch, capsys):
    if line.startswith("nlpcalib explore"):
        pytest.importorskip("vl_convert")
    command, _, redirected = line.partition(" < ")
    if redirected:
        content = (own_predictions / redirected).read_bytes()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert main(shlex.split(command)[1:]) == 0
    assert capsys.readouterr().out


def test_a_bare_machine_runs_the_workflow_and_the_tests_by_two_commands_of_the_readme():
    """Those that `.ci/run` takes from it."""
    assert re.findall(r"(?m)^tools/set_up && (.*)$", README) == [".venv/bin/snakemake --cores 2", ".venv/bin/pytest"]
    assert len(README.split()) <= 900


def test_examples_of_the_readme_print_what_it_shows(capsys):
    shown = blocks("README.md", "console")
    assert shown
    for block in shown:
        command, _, printed = block.partition("\n")
        assert main(shlex.split(command.removeprefix("$ "))[1:]) == 0
        assert capsys.readouterr().out.replace(str(EXAMPLES.parent), "…") == printed


@pytest.mark.parametrize("command", sorted(set(re.findall(r"`(nlpcalib [a-z][^`]*)`", README))))
def test_commands_in_the_text_of_the_readme_are_those_of_the_program(command, capsys):
    words = shlex.split(command.replace("\\|", "|"))[1:]
    if len(words) == 1 or (words[0] == "plan" and len(words) == 2):  # the name of a command alone
        words.append("--help")
        assert main(words) == 0
        return
    app.parse_args(with_example(words), exit_on_error=False, print_error=False)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_of_a_page_have_options_of_the_program(page):
    shell = "".join(blocks(page, "sh")).replace("\\\n", "")
    shown = re.findall(r"^(nlpcalib [^#<\n]*)", shell, re.MULTILINE)
    in_text = re.findall(r"`(nlpcalib [a-z][^`]*)`", page.read_text(encoding="utf-8"))
    for command in (*shown, *in_text):
        try:
            app.parse_args(with_example(shlex.split(command)[1:]), exit_on_error=False, print_error=False)
        except MissingArgumentError:
            assert command in in_text, f"{page.name}: {command}"


def test_events_are_counted_as_the_readme_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    shutil.copy(EXAMPLES / "news.csv", "news.csv")
    [line] = re.findall(r"`(nlpcalib events [^`]*)`", README)
    assert main(shlex.split(line)[1:]) == 0
    assert "protest: 110 of 300 documents report an event (105 to 114, 95 %)" in capsys.readouterr().out


@pytest.mark.parametrize(("command", "image"), [("calibrate", "example"), ("recalibrate", "recalibration")])
def test_the_picture_of_an_example_is_what_its_command_draws(command, image, tmp_path):
    assert main([command, "--example", "--out", str(tmp_path)]) == 0
    made, committed = (plt.imread(path) for path in (tmp_path / "reliability.png", ROOT / f"docs/images/{image}.png"))
    assert made.shape[:2] == committed.shape[:2]
    assert np.abs(made[..., :3] - committed[..., :3]).mean() < 0.01


def test_counting_with_labels_works_as_the_readme_shows(tmp_path, monkeypatch, capsys):
    """Labels are those of a person who reads what the sheet shows: here each item's text is its true label."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(1)
    q = rng.beta(0.3, 2, 2000)
    truth = rng.random(2000) < q
    rows = (f"d{number},{each},{label}" for number, (each, label) in enumerate(zip(q, truth, strict=True)))
    Path("items.csv").write_text("id,q,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    plan, estimate = (line for block in blocks("README.md", "sh") for line in block.splitlines() if "items.csv" in line)
    assert main(shlex.split(plan)[1:]) == 0
    with Path("plan/sheet-1.csv").open(encoding="utf-8-sig", newline="") as sheet:
        labels = [(row["item"], "yes" if row["text"] == "True" else "no") for row in csv.DictReader(sheet)]
    Path("labels.csv").write_text("item,label\n" + "\n".join(map(",".join, labels)) + "\n", encoding="utf-8")
    capsys.readouterr()
    assert main(shlex.split(estimate)[1:]) == 0
    low, high = map(int, re.search(r"interval (\d+) to (\d+)", capsys.readouterr().out).groups())
    assert low <= truth.sum() <= high


def test_python_on_predictions_works_as_shown(own_predictions):
    scope: dict = {}
    for block in blocks("docs/how-to/predictions.md", "python"):
        exec(compile(block, "predictions.md", "exec"), scope)
    assert (own_predictions / "results/reliability.png").stat().st_size > 10_000
    q, y = scope["q"], scope["y"]
    [shown] = [block for block in blocks("README.md", "python") if "nc.calibrate" in block]
    exec(compile(shown, "README.md", "exec"), {"q": q, "y": y})
    plt.close("all")


def test_counts_of_events_take_what_labelled_quarters_share(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ("Israel bombed a village.", "Russian troops attacked a town.", "A summit was held in France.")
    lines = [f"d{number},2020-0{1 + number}-11,{texts[number % 3]}" for number in range(9)]
    Path("news.csv").write_text("\n".join(["id,date,text", *lines, ""]), encoding="utf-8")
    labels = {f"d{number}": ({"ISR"}, {"RUS"}, set())[number % 3] for number in range(9)}
    report = nc.find_events("news.csv", "assault", period="quarter")
    rows = report.document_events
    effect = fit_shared_effect(
        np.array([row["probability"] for row in rows]),
        np.array([row["country"] in labels[row["document"]] for row in rows]),
        np.array([f"{row['country']} {row['date'].year} {(row['date'].month - 1) // 3}" for row in rows]),
    )
    assert report.counts.cells
    for cell in report.counts.cells.values():
        low, high, probability = effect.interval(cell.probabilities)
        assert 0 <= low <= high <= 3
        assert probability >= 0.95


@pytest.mark.parametrize(("arguments", "status"), [(["--help"], 0), (["fast"], 2), (["--help", "fast"], 2)])
def test_the_run_of_the_forge_explains_itself_and_runs_nothing(arguments, status):
    result = subprocess.run([ROOT / ".ci/run", *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == status
    assert result.stdout.startswith("Everything that has to hold before a change is accepted.")
    assert "==" not in result.stdout
    assert ("usage: .ci/run [--help]" in result.stderr) == bool(status)


def test_links_of_the_readme_are_absolute_on_a_package_index():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    page = absolute(readme, "https://forge.example/owner/nlpcalib", "v1")
    links = re.findall(r"""\]\(([^)]*)\)|<img src="([^"]*)""", page)
    assert len(links) > 20
    assert all("".join(link).startswith("https://") for link in links)
    assert (
        "](https://forge.example/owner/nlpcalib/raw/v1/docs/results/images/wsj_sample_fixed-figure_3_as_published.png)"
        in page
    )
    assert 'src="https://forge.example/owner/nlpcalib/raw/v1/docs/images/example.png"' in page
    assert "](https://forge.example/owner/nlpcalib/blob/v1/CITATION.cff)" in page


def headings(page):
    """Return the anchors that GitHub gives the headings of a page."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_links_between_pages_lead_somewhere():
    readmes = [*(ROOT / "src").glob("*/README.md"), ROOT / "studies/README.md"]
    assert len(readmes) == 4
    for page in [ROOT / "README.md", *readmes, *(ROOT / "docs").rglob("*.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", page.read_text(encoding="utf-8")):
            linked = page.parent / target if target else page
            assert linked.exists(), f"{page.name} links to {target}"
            assert not anchor or anchor in headings(linked), f"{page.name} links to {target}#{anchor}"


@pytest.mark.parametrize("page", ["corpora", "events", "extraction_eval", "parsing", "predictions"])
def test_configurations_are_valid(page):
    """The blocks of a page may be laid over each other, from top to bottom; parsing's name corpora of the open tier."""
    config = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
    if page == "parsing":
        update_config(config, yaml.safe_load((ROOT / "configs/open.yaml").read_text(encoding="utf-8")))
    shown = blocks(f"docs/how-to/{page}.md", "yaml")
    assert shown
    for block in shown:
        update_config(config, yaml.safe_load(block))
        check_config(config, ROOT / "workflow/schemas/config.schema.yaml")


@pytest.mark.slow
def test_the_tutorial_on_coreference_prints_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = "docs/tutorials/resolve-your-document.md"
    story, *shown = blocks(page, "text")
    Path("story.txt").write_text(story, encoding="utf-8")
    [command] = blocks(page, "sh")
    assert main(shlex.split(command)[1:]) == 0
    capsys.readouterr()
    for block, expected in zip(blocks(page, "python"), shown, strict=True):
        exec(compile(block, page, "exec"), {})
        printed = capsys.readouterr().out
        assert re.sub(r"[\d.]+", "", printed) == re.sub(r"[\d.]+", "", expected)
        numbers, listed = (np.array(re.findall(r"\d?\.\d+", text), dtype=float) for text in (printed, expected))
        np.testing.assert_allclose(numbers, listed, atol=0.011)


def verdicts_of_three_systems():
    """Return verdicts on 400 cases, of which 60 have labels and 40 are judged again, as on the page on judges."""
    random = np.random.default_rng(41)
    labelled, again = (random.permutation(400)[:n].tolist() for n in (60, 40))
    ease, rows = random.standard_normal(400), []
    for system, rate in (("A", 0.62), ("B", 0.72), ("C", 0.78)):
        passes = 0.6 * ease + 0.8 * random.standard_normal(400) < ndtri(rate)
        for case in [*range(400), *again]:
            right = random.random() < (0.92 if passes[case] else 0.88)
            verdict, label = ("pass" if each else "fail" for each in (right == passes[case], passes[case]))
            rows.append([f"c{case}", system, verdict, label if case in labelled else ""])
    return rows


def test_the_page_on_judges_shows_what_is_printed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with Path("verdicts.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "system", "verdict", "label"], *verdicts_of_three_systems()])
    main(["judge", "verdicts.csv", "--by", "system", "--out", "judged"])
    made, committed = (plt.imread(path) for path in ("judged/judge.png", ROOT / "docs/images/judge.png"))
    assert made.shape == committed.shape
    assert np.abs(made - committed).mean() < 0.02
    shown = [line for block in blocks("docs/how-to/judge.md", "text") for line in block.splitlines()]
    printed = capsys.readouterr().out.splitlines()
    assert shown == [line for line in printed if line in shown]
