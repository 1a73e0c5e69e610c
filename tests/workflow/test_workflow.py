"""The workflow as its users run it: Snakemake itself, on a copy of the project, at the size of `configs/smoke.yaml`."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

from newsroom.reports import Newsroom
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.tables.table import read_rows

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROJECT = ("Snakefile", "config.yaml", "configs", "envs", "profiles", "scripts", "src", "studies", "workflow")
SMOKE = "configs/smoke.yaml"
UNTIMED = "logs"
"""The folder of results that has times, and so differs between runs."""


def copy_project(folder):
    folder.mkdir(parents=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*")
    for name in PROJECT:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def command(*arguments, configs=(SMOKE,), cores=2):
    return [sys.executable, "-m", "snakemake", *arguments, "--cores", str(cores), "--configfile", *configs]


def run(folder, *arguments, expect=0, **options):
    """Run Snakemake, check its exit status (`expect`), and return what it prints."""
    result = subprocess.run(
        command(*arguments, **options), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert (result.returncode != 0) == (expect != 0), result.stdout
    return result.stdout


def jobs(folder, *arguments, **options):
    """Return how many jobs of each rule a dry run announces."""
    _, _, table = run(folder, "-n", *arguments, **options).partition("Job stats:\n")
    rows = table.partition("\ntotal")[0].splitlines()[2:]
    return {name: int(count) for name, count in map(str.split, rows)}


def contents(folder):
    """Return the bytes of every result by its path, but for those that tell of time."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {path.as_posix(): (folder / path).read_bytes() for path in paths if path.parts[0] != UNTIMED}


def assert_same_bytes(one, other):
    assert set(one) == set(other)
    assert [path for path in sorted(one) if one[path] != other[path]] == []


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """The project after a full run on two cores."""
    folder = copy_project(tmp_path_factory.mktemp("workflow") / "checkout")
    run(folder)
    return folder


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """The project, nothing run yet."""
    return copy_project(tmp_path_factory.mktemp("workflow") / "fresh")


def test_a_run_makes_every_target_and_a_second_run_does_nothing(checkout):
    results = contents(checkout / "results")
    for figure in ("figure_1", "figure_3", "figure_4"):
        for suffix in ("png", "csv"):
            assert results[f"figures/newsroom/{figure}.{suffix}"]
    for table in ("check", "newsroom/taggers", "newsroom/comparison", "newswire_leads/leads_categories"):
        assert results[f"tables/{table}.csv"].count(b"\n") > 1
    for tagger in ("hmm", "crf"):
        for query in ("tags", "bigrams"):
            assert json.loads(results[f"tagging/newsroom/{tagger}/{query}/calibration.json"])["n"] > 1000
    for figure in ("synthetic", "betas", "bin_size_truth", "bin_counts"):
        assert results[f"figures/simulation/figure_{figure}.csv"].count(b"\n") > 1
    for figure in ("newsroom/figure_bin_size_tagging", "timeline/figure_bin_size_sentiment"):
        assert results[f"figures/{figure}.png"]
    assert yaml.safe_load(results["config.yaml"])["tagging"]["c2"] == [0.1, 1.0]
    assert "Nothing to be done" in run(checkout)


def test_figures_for_print_and_as_published_are_made_on_demand(checkout, tmp_path):
    folder = tmp_path / "on demand"
    shutil.copytree(checkout, folder, symlinks=True)
    assert not list(folder.glob("results/**/*.pdf"))
    assert not list(folder.glob("results/**/*_as_published*"))
    stem = folder / "results/figures/newsroom/figure_1"
    assert jobs(folder, "results/figures/newsroom/figure_1_as_published.png") == {"draw_figure_1": 1}
    run(folder, "results/figures/newsroom/figure_1_as_published.png")
    assert stem.with_name("figure_1_as_published.png").read_bytes() != stem.with_suffix(".png").read_bytes()
    run(folder, "figure_1", "--config", "pdf=True")
    assert stem.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_own_classifiers_and_systems_are_drawn_as_the_page_says(checkout, tmp_path):
    folder = tmp_path / "own"
    shutil.copytree(checkout, folder, symlinks=True)
    page = (ROOT / "docs/how-to/corpora.md").read_text(encoding="utf-8").partition("## Your own classifier")[2]
    snippet, line = (re.search(rf"```{kind}\n(.*?)```", page, re.DOTALL)[1] for kind in ("yaml", "sh"))
    (folder / "mine.yaml").write_text(snippet, encoding="utf-8")
    classifier = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    subprocess.run([sys.executable, "-c", classifier], cwd=folder, check=True)
    pairs = (f"{0.05 * (n % 20)},{int(n % 20 > 9)},d{n // 40}\n" for n in range(400))
    (folder / "pairs.csv").write_text("q,y,document\n" + "".join(pairs), encoding="utf-8")
    targets = [word for word in line.split() if word.startswith("figure_")]
    run(folder, *targets, configs=(SMOKE, "mine.yaml"))
    for target, dataset in zip(targets, ("timeline", "newsroom"), strict=True):
        drawn = (folder / f"results/figures/{dataset}/{target}.csv").read_text(encoding="utf-8")
        assert "\nmine,curve,1," in drawn


@pytest.mark.parametrize("target", ["figure_1", "figure_3", "figure_6", "tagging", "predictions"])
def test_what_people_type_is_a_target(fresh, target):
    assert "Target rules may not contain wildcards" not in run(fresh, "-n", target)


@pytest.mark.parametrize(
    ("target", "nearest"),
    [
        ("figure_7", "figure_"),
        ("taging", "tagging"),
        ("results/figures/newsroom/figure_33.png", "results/figures/newsroom/figure_3.png"),
    ],
)
def test_an_unknown_target_is_answered_with_the_nearest(fresh, target, nearest):
    told = run(fresh, "-n", target, expect=1)
    assert re.search(rf"target '{target}': found no such rule or file; the nearest is '{nearest}", told), told


STUDIES = (SMOKE, "studies/configs/smoke.yaml")


def test_the_studies_take_what_the_reproduction_made_and_it_takes_nothing_of_them(checkout, tmp_path):
    folder = tmp_path / "studies"
    shutil.copytree(checkout, folder)
    before = contents(folder / "results")
    announced = jobs(folder, "-s", "studies/Snakefile", configs=STUDIES)
    assert announced.keys() >= {"estimate_events", "event_funnel", "regimes", "figure_smoothing", "explore_pairs"}
    assert not [name for name in announced if name.startswith(("train", "simulate", "parse", "measure"))]
    figures = ("newsroom/figure_smoothing", "timeline/figure_regularisation", "newswire/figure_estimated_attack")
    tables = ("newswire/event_estimates", "newswire/event_funnel", "events/verbs", "simulation/regimes")
    files = [*(f"figures/{name}.csv" for name in figures), *(f"tables/{name}.csv" for name in tables)]
    run(folder, "-s", "studies/Snakefile", *(f"results/{path}" for path in files), configs=STUDIES)
    after = contents(folder / "results")
    assert_same_bytes(before, {path: after[path] for path in before})
    assert [path for path in files if after[path].count(b"\n") < 2] == []
    shutil.rmtree(folder / "studies")
    shutil.rmtree(folder / "src/studies")
    assert "Nothing to be done" in run(folder)


def test_a_figure_takes_its_ancestors_alone(fresh):
    expected = {
        "simulate_newsroom": 1,
        "train_thesis_crfs": 1,
        "draw_figure_1": 1,
    }
    assert jobs(fresh, "results/figures/newsroom/figure_1.png") == expected


TAGGING = [
    *(f"results/figures/newsroom/figure_{name}.png" for name in ("1", "3", "4")),
    *(f"results/tables/newsroom/{name}.csv" for name in ("taggers", "comparison")),
]


@pytest.mark.parametrize(
    ("module", "expected"),
    [
        ("reproduction/tagging/paired.py", {"compare_taggers": 1, "draw_figure_4": 1, "tagging_tables": 1}),
        ("reproduction/figures/tagging.py", {"draw_figure_1": 1, "draw_figure_3": 1, "draw_figure_4": 1}),
        ("reproduction/corpora/ontonotes.py", {}),
        (
            "reproduction/tagging/crf.py",
            {
                **{
                    "train_crf": 2,
                    "select_tagger": 1,
                    "apply_tagger": 1,
                },
                **{"measure_taggers": 2, "compare_taggers": 1, "tagging_tables": 1},
                **{"draw_figure_3": 1, "draw_figure_4": 1, "train_thesis_crfs": 1, "draw_figure_1": 1},
            },
        ),
    ],
)
def test_editing_a_module_reruns_the_jobs_that_import_it(checkout, module, expected):
    path = checkout / "src" / module
    before = path.read_bytes()
    try:
        path.write_bytes(before + b"EDITED = True\n")
        assert jobs(checkout, *TAGGING) == expected
    finally:
        path.write_bytes(before)


@pytest.mark.parametrize("module", ["nlpcalib/errors.py", "nlpcalib/calibration/estimates.py"])
def test_a_comment_or_a_docstring_reruns_nothing(checkout, module):
    path = checkout / "src" / module
    before = path.read_bytes()
    try:
        path.write_bytes(before.replace(b'"""', b'"""Well: ', 1) + b"# edited\n")
        assert jobs(checkout) == {}
    finally:
        path.write_bytes(before)


def test_modules_that_were_edited_and_reverted_or_touched_rerun_nothing(checkout):
    (checkout / "src/nlpcalib/io/files.py").touch()
    assert jobs(checkout) == {}


def test_changing_a_setting_reruns_what_it_reaches(checkout):
    more = checkout / "configs/more.yaml"
    more.write_text("tagging: {replicates: 299}\n", encoding="utf-8")
    expected = {"merged_config": 1, "compare_taggers": 1, "draw_figure_4": 1, "tagging_tables": 1}
    assert jobs(checkout, "results/config.yaml", *TAGGING, configs=(SMOKE, "configs/more.yaml")) == expected


STAGES_BEFORE_CALIBRATION = ("train", "select", "parse", "apply", "simulate", "recalibrate", "extract", "code")
"""How the names of rules begin that know nothing of bins."""


@pytest.mark.parametrize(
    ("changed", "measured"),
    [
        ({"calibration": {"bin_size": 300}}, {"measure_taggers", "draw_figure_3"}),
        ({"calibration": {"draws": 150}}, {"measure_taggers", "measure_sentiment", "measure_coref", "measure_events"}),
        ({"sentiment": {"bin_size": 40}}, {"measure_sentiment", "draw_figure_2"}),
    ],
)
def test_changing_how_calibration_is_measured_trains_and_applies_no_model(checkout, changed, measured):
    (checkout / "configs/bins.yaml").write_text(yaml.safe_dump(changed), encoding="utf-8")
    announced = jobs(checkout, configs=(SMOKE, "configs/bins.yaml"))
    assert announced.keys() >= measured
    assert not [name for name in announced if name.startswith(STAGES_BEFORE_CALIBRATION)]


def test_one_more_verb_simulates_nothing(checkout):
    verbs = {"events": {"queries": {"attack": {"verbs": ["attack", "bomb"]}}}}
    (checkout / "configs/verbs.yaml").write_text(yaml.safe_dump(verbs), encoding="utf-8")
    announced = jobs(checkout, configs=(SMOKE, "configs/verbs.yaml"))
    assert announced.keys() >= {"select_reports", "extract_events"}
    assert not [name for name in announced if name.startswith(("train", "simulate"))]


def test_recalibrated_models_reach_figures_and_events_and_without_them_the_old_bytes_return(checkout, tmp_path):
    folder, on = tmp_path / "recalibrated", "configs/recalibrated.yaml"
    shutil.copytree(checkout, folder)
    (folder / on).write_text("recalibrated: true\n", encoding="utf-8")
    reached = jobs(folder, *TAGGING, configs=(SMOKE, on))
    assert reached.keys() >= {"draw_figure_3", "compare_taggers", "draw_figure_4", "tagging_tables"}
    assert not [name for name in reached if name.startswith(("train", "select", "recalibrate"))]
    figures = [f"results/figures/newsroom/figure_{number}.csv" for number in (3, 5)]
    targets = [*figures, "results/events/newswire/attack/series.csv"]
    before = contents(folder / "results")
    run(folder, *targets, configs=(SMOKE, on))
    after = contents(folder / "results")
    changed = {path for path in before if after[path] != before[path]}
    assert changed >= {path.removeprefix("results/") for path in targets}
    assert {path.removeprefix("records/").partition("/")[0] for path in changed} == {"figures", "events"}
    run(folder, *targets)
    again = contents(folder / "results")
    assert_same_bytes({path: again[path] for path in before}, before)


def test_values_that_print_alike_to_six_digits_are_trained_apart(fresh):
    (fresh / "configs/close.yaml").write_text("tagging: {c2: [0.12345671, 0.12345672, 1, 1.0e-09]}\n", encoding="utf-8")
    told = run(fresh, "-n", "results/tagging/newsroom/crf/model.npz", configs=(SMOKE, "configs/close.yaml"))
    assert set(re.findall(r"CRF with c2 = (\S+)", told)) == {"0.12345671", "0.12345672", "1", "1e-09"}


@pytest.mark.parametrize(("held_out", "other"), [("test", "dev"), ("dev", "test")])
def test_where_clusters_are_cut_is_not_chosen_on_held_out_documents(fresh, held_out, other):
    (fresh / "configs/held_out.yaml").write_text(f"coref: {{held_out: {held_out}}}\n", encoding="utf-8")
    told = run(fresh, "-n", "results/coref/newsroom/likelihood/model.npz", configs=(SMOKE, "configs/held_out.yaml"))
    assert set(re.findall(r"corpora/newsroom/(\w+)\.conllu", told)) == {"train", other}


TRAINED = [
    "results/tables/newsroom/comparison.csv",
    "results/figures/newsroom/figure_1.png",
    "results/figures/newsroom/figure_5.png",
    "results/figures/newswire/figure_6_attack.png",
    "results/figures/timeline/figure_2.png",
    "results/tables/newswire_leads/leads_summary.csv",
    "results/figures/simulation/figure_betas.png",
]
"""Of each chapter something that needs its models, its simulated text and its samples."""


def test_results_do_not_depend_on_cores_or_folder(checkout, tmp_path):
    """On one core, in a folder with spaces and letters of several scripts, every byte is the same."""
    elsewhere = copy_project(tmp_path / "Größe und Maß ☂" / "the project é")
    run(elsewhere, *TRAINED, cores=1)
    found, expected = contents(elsewhere / "results"), contents(checkout / "results")
    assert {path.partition("/")[0] for path in found} >= {
        "coref",
        "corpora",
        "events",
        "parsing",
        "sentiment",
        "tagging",
    }
    assert_same_bytes(found, {path: expected[path] for path in found})


def test_an_unknown_key_stops_the_run_and_names_the_nearest(fresh):
    told = run(fresh, "-n", "--config", "sed=1", expect=1)
    assert "configuration: unknown key 'sed'; the nearest valid one is 'seed'" in told
    assert "Traceback" not in told


def test_recalibrated_models_lead_to_the_same_targets(fresh):
    assert jobs(fresh, "--config", "recalibrated=True")["all"] == jobs(fresh)["all"] == 1


def predictions(folder, name, text):
    """Write a table of somebody's predictions and a configuration that has it measured."""
    (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    config = {"predictions": {name: {"path": f"{name}.csv", "bin_size": 30}}}
    (folder / f"configs/{name}.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return {"configs": (SMOKE, f"configs/{name}.yaml")}


def test_predictions_are_measured_as_the_command_does_by_the_checkouts_own_code(fresh, tmp_path):
    rows = (f"{i / 300},{(i * i) % 300 < i:d},{'AB'[i % 2]},{i // 7}\n" for i in range(301))
    options = predictions(fresh, "mine", "q,y,label,unit\n" + "".join(rows))
    target = "results/predictions/mine/calibration.json"
    run(fresh, target, **options)
    arguments = ["--bin-size", "30", "--samples", "200", "--seed", "2015", "--out", str(tmp_path / "out")]
    command = [sys.executable, "-m", "nlpcalib", "calibrate", str(fresh / "mine.csv"), *arguments]
    # The loops of NumPy that the workflow gives its jobs: with AVX-512 the last digits would differ.
    rules = (fresh / "workflow/rules/start.smk").read_text(encoding="utf-8")
    pinned = dict(re.findall(r'os\.environ\.setdefault\("(\w+)", "([^"]+)"\)', rules))
    assert len(pinned) == 2
    subprocess.run(command, check=True, env=os.environ | pinned)
    by_rule, by_command = contents(fresh / "results/predictions/mine"), contents(tmp_path / "out")
    summary = json.loads(by_command.pop("calibration.json"))
    for kind in ("png", "pdf", "csv"):  # the command draws the labels; the workflow has their table on a page
        del by_command[f"classes.{kind}"], summary["files"][f"classes.{kind}"]
    del by_command["reliability.pdf"], summary["files"]["reliability.pdf"]  # the workflow prints on demand
    assert list(summary.pop("inputs")) == [(fresh / "mine.csv").as_posix()]  # a job's inputs are in its record
    for name in ("error", "low", "high", "ece"):  # the command's headline
        del summary[name]
    assert json.loads(by_rule.pop("calibration.json")) == summary
    assert_same_bytes(by_rule, by_command)

    version = fresh / "src/nlpcalib/version.py"
    version.write_text(
        re.sub(r'"[\w.]+"$', '"9.9.9"', version.read_text(encoding="utf-8"), flags=re.MULTILINE), encoding="utf-8"
    )
    run(fresh, target, **options)
    assert json.loads((fresh / target).read_text(encoding="utf-8"))["versions"]["nlpcalib"] == "9.9.9"


def test_a_bad_table_stops_its_job_with_one_line_and_no_output(fresh):
    options = predictions(fresh, "broken", "q,y\n0.5,1\n\n1.2,0\n")
    told = run(fresh, "results/predictions/broken/calibration.json", expect=1, **options)
    message = "broken.csv, line 4: found prediction 1.2, expected a probability in [0, 1]"
    log = (fresh / "results/logs/calibrate_predictions/broken.log").read_text(encoding="utf-8")
    assert log.endswith(f"calibrate_predictions/broken: {message}\n")
    assert log.count("\n") == 1
    assert message in told
    assert not any((fresh / "results/predictions/broken").glob("*"))


def run_and_kill(folder, log, *arguments, **options):
    """Run Snakemake and kill all its processes as soon as a job has begun to write its log."""
    path = folder / f"results/logs/{log}.log"
    started = {"cwd": folder, "stderr": subprocess.DEVNULL, "start_new_session": True}
    process = subprocess.Popen(command(*arguments, **{"cores": 1, **options}), **started)
    deadline = time.monotonic() + 240
    while not path.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert path.exists()
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL


def test_a_killed_run_ends_with_the_same_bytes_when_it_is_resumed(checkout, tmp_path):
    folder = copy_project(tmp_path / "killed")
    target = "results/tagging/newsroom/crf/model.npz"
    run_and_kill(folder, "train_crf/1.0_newsroom", target)
    candidate = folder / "results/tagging/newsroom/crf/candidates/1.0.npz"
    assert not candidate.exists()
    run(folder, "--unlock")
    run(folder, target)
    for path in (candidate, folder / target):
        assert path.read_bytes() == (checkout / path.relative_to(folder)).read_bytes()
    assert not list(folder.glob("results/**/.incomplete-*"))


def test_the_report_has_every_figure_and_table(checkout):
    run(checkout, "--report", "report.html")
    report = (checkout / "report.html").read_text(encoding="utf-8")
    named = Counter(re.findall(r'"name": "([^"]+\.(?:png|html))"', report))
    made = [path for path in (checkout / "results").rglob("*.*") if path.suffix in (".png", ".html")]
    assert named == Counter(path.name for path in made)
    for category in (
        "1 Claims and verdicts",
        "3 Tagging, newsroom, simulated text",
        "1 Figures",
        "3 Each model",
        "8 Bin size, newsroom, simulated text",
        "7 Simulation",
    ):
        assert f'"{category}"' in report
    assert "system-message" not in report
    for stem in {path.stem for path in made}:
        caption = checkout / f"workflow/report/{stem}.rst"
        beginning = re.match(r"[\w ,]{12,}", caption.read_text(encoding="utf-8")) if caption.exists() else None
        assert beginning is None or beginning[0].rstrip() in report, stem


def conll_2011(folder, split, first, documents):
    """Write simulated reports as the shared task distributes OntoNotes, a file each, all but one from the WSJ."""
    for number, report in enumerate(Newsroom(seed=1).reports(first, first + documents)):
        source, tag = ("bc/cnn", "XX") if number == 0 else ("nw/wsj", None)
        name = f"{source}/{number // 100:02}/{source.partition('/')[2]}_{number:04}"
        path = folder / split / "data/english/annotations" / f"{name}.v2_gold_conll"
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"#begin document ({name}); part 000"]
        for sentence in report.document.sentences:
            for index, word in enumerate(sentence.words):
                cells = [name, "0", str(index), word, tag or sentence.tags[index], "*", "-", "-", "-", "-", "*", "-"]
                lines.append("   ".join(cells))
            lines.append("")
        path.write_text("\n".join([*lines, "#end document", ""]), encoding="utf-8")


def test_ontonotes_as_the_shared_task_distributes_it_runs_through(tmp_path):
    folder = copy_project(tmp_path / "licensed")
    for first, (split, documents) in enumerate({"train": 12, "development": 4, "test": 4}.items()):
        conll_2011(folder / "data/conll 2011", split, 100 * first, documents)
    config = {
        "datasets": {"wsj": {"format": "ontonotes", "path": "data/conll 2011", "wsj_only": True}},
        "sentiment": {"datasets": []},
        "coref": {"datasets": []},
        "events": {"datasets": []},
        "extraction_eval": {"datasets": []},
        "simulation": {"betas": []},
        "tagging": {"datasets": ["wsj"], "frequent_bigrams": 30, "ablation": {"datasets": []}},
    }
    (folder / "configs/wsj.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    run(folder, "results/tables/check.csv", "results/figures/wsj/figure_4.png", configs=(SMOKE, "configs/wsj.yaml"))
    prepared = (folder / "results/corpora/wsj/test.conllu").read_text(encoding="utf-8")
    assert prepared.count("# newdoc id") == 3
    assert "\tXX\t" not in prepared
    verdicts = read_csv(folder / "results/tables/check.csv")
    assert {row["dataset"] for row in verdicts} == {"wsj", "known_truth"}
    # Three documents are too few to compare two taggers on one tag.
    undecidable = [row["claim"] for row in verdicts if row["verdict"] == "not applicable"]
    assert len(undecidable) < 2
    assert all("on NN" in claim for claim in undecidable)
    assert {row["verdict"] for row in verdicts} <= {"reproduced", "differs", "undecided", "not applicable"}
    assert not (folder / "results/corpora/newsroom").exists()


def test_a_users_documents_have_the_same_events_in_one_shard_and_in_seven_killed_and_resumed(tmp_path):
    """The seven are read in parts. An undated document is named and left out. A query asks for both roles."""
    lines = ['{"id": "undated", "text": "Iraq attacked Kuwait."}']
    for report in Newsroom(seed=1).reports(0, 40):
        document = report.document
        lines.append(json.dumps({"id": document.id, "date": document.date.isoformat(), "text": document.text}))
    found = []
    for shards, cores in ((1, 2), (7, 1)):
        folder = copy_project(tmp_path / str(shards))
        (folder / "mine.jsonl").write_text("\n".join(lines), encoding="utf-8")
        events = {
            "period": "year",
            "lexicon": ["newsroom"],
            "queries": ["both"],
            **({"parts": 7} if shards == 7 else {}),
        }
        config = {
            "datasets": {"mine": {"format": "dated", "path": "mine.jsonl", "events": {**events, "broken": 0.1}}},
            "events": {
                "datasets": ["mine"],
                "shards": 1,
                "queries": {"both": {"verbs": ["attack", "visit"], "roles": ["agent", "patient"]}},
            },
        }
        (folder / "configs/mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        options = {"configs": (SMOKE, "configs/mine.yaml"), "cores": cores}
        if shards == 7:
            for stage in ("read_part/mine_4-of-7", "parse_news/mine_5-of-7", "extract_events/mine_3-of-7"):
                run_and_kill(folder, stage, "events", **options)
                run(folder, "--unlock", **options)
        run(folder, "events", **options)
        log = (folder / f"results/logs/{'read_part/mine_1-of-7' if shards == 7 else 'read_news/mine'}.log").read_text()
        assert "mine.jsonl, line 1: found no date, expected id, date, text; left out" in log
        made = [contents(folder / "results" / place) for place in ("events/mine/both", "figures/mine", "tables/mine")]
        found.append({path: data for part in made for path, data in part.items()})
    assert found[0]["series.csv"].count(b"\n") > 20
    assert found[0]["events.csv"].count(b"\n") > 10
    assert found[0]["figure_6_both.png"]
    assert_same_bytes(*found)

    (folder / "mine.jsonl").rename(folder / "theirs.jsonl")  # Snakemake takes what was made of it for what is asked now
    assert run(folder, "events", expect=1, **options).count("mine.jsonl: no such file or folder") == 1
    (folder / "theirs.jsonl").rename(folder / "mine.jsonl")
    assert "Nothing to be done" in run(folder, "events", **options)


def test_a_year_that_is_added_is_read_and_searched_alone_and_joined_to_the_bytes_of_one_run(tmp_path):
    """A document that a year has again is left out, and documents that stand in the file of another year count."""
    folder = copy_project(tmp_path / "years")
    reports = [report.document for report in Newsroom(seed=1).reports(0, 36)]
    lines = [json.dumps({"id": each.id, "date": str(each.date), "text": each.text}) for each in reports]
    (folder / "news").mkdir()
    for place, year in enumerate((1990, 1991, 1992)):
        (folder / f"news/{year}.jsonl").write_text("\n".join(lines[12 * place :][:14]), encoding="utf-8")

    def options(**reading):
        events = {"period": "year", "lexicon": ["newsroom"], "queries": ["both"], "broken": 0.3, **reading}
        config = {
            "datasets": {"mine": {"format": "dated", "path": "news", "events": events}},
            "events": {
                "datasets": ["mine"],
                "queries": {"both": {"verbs": ["attack", "visit"], "roles": ["agent", "patient"]}},
            },
        }
        (folder / "configs/mine.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
        return {"configs": (SMOKE, "configs/mine.yaml")}

    def joined():
        places = ("events/mine/both", "figures/mine", "tables/mine")
        return {
            f"{place}/{path}": data for place in places for path, data in contents(folder / f"results/{place}").items()
        }

    split = options(split="year", parts=2)
    (folder / "news/1992.jsonl").rename(folder / "later.jsonl")
    run(folder, "events", **split)
    (folder / "later.jsonl").rename(folder / "news/1992.jsonl")
    announced = jobs(folder, "results/events/mine/both/series.csv", **split)
    read = {"list_news": 1, "read_part": 2, "check_parts": 1, "keep_part": 2}
    assert announced == {**read, "parse_news": 2, "extract_events": 2, "event_series": 1}
    run(folder, "events", **split)
    years, read = joined(), {path.parent.name for path in (folder / "results/events/mine").glob("*/texts")}
    assert read == {"1990", "1991", "1992"}
    for place in ("events", "figures", "tables", "records", "logs"):
        shutil.rmtree(folder / "results" / place)
    run(folder, "events", **options())
    assert years["events/mine/both/series.csv"].count(b"\n") > 10
    assert years["events/mine/both/audit.html"]  # one page shows the events of all years
    assert_same_bytes(years, joined())


def test_people_who_annotate_leads_are_evaluated_beside_the_machine(checkout, tmp_path):
    folder = tmp_path / "with sheets"
    shutil.copytree(checkout, folder, symlinks=True)
    leads = folder / "results/extraction_eval/newswire_leads"
    truth = {row["lead"]: row["category"] for path in leads.glob("truth/*.csv") for row in read_csv(path)}
    columns = ("item", "date", "text", "label")
    assert (leads / "sheet.csv").read_text(encoding="utf-8-sig").startswith(",".join(columns) + "\n")
    sheet = [row for _, row in read_rows(leads / "sheet.csv", columns)]
    right = [{**row, "label": truth[row["item"].removeprefix("item ")]} for row in sheet]
    hasty = [{**row, "label": "none" if number % 4 == 0 else row["label"]} for number, row in enumerate(right)]
    disputed = [row for row, other in zip(right, hasty, strict=True) if row["label"] != other["label"]]
    for name, rows in {"u 1": right, "ü2": hasty, "settled": disputed}.items():
        write_csv(folder / f"{name}.csv", rows)
    annotators = {"newswire_leads": {"sheets": {"U1": "u 1.csv", "U2": "ü2.csv"}, "settled": "settled.csv"}}
    (folder / "annotators.yaml").write_text(
        yaml.safe_dump({"extraction_eval": {"annotators": annotators}}), encoding="utf-8"
    )
    target, configs = "results/figures/newswire_leads/figure_annotators.png", (SMOKE, "annotators.yaml")
    run(folder, target, configs=configs)
    tables = folder / "results/tables/newswire_leads"
    [pair] = read_csv(tables / "leads_annotators_agreement.csv")
    assert (pair["first"], pair["second"], int(pair["leads"])) == ("U1", "U2", len(sheet))
    assert float(pair["agreed"]) < 1
    rows = read_csv(tables / "leads_annotators_summary.csv")
    correct = {row["who"]: float(row["value"]) for row in rows if row["measure"] == "correct"}
    assert list(correct) == ["machine", "U1", "U2"]
    assert correct["U1"] == 1
    assert correct["U2"] == pytest.approx(float(pair["agreed"]))
    write_csv(
        folder / "u 1.csv", [{**row, "label": "" if number == 2 else row["label"]} for number, row in enumerate(right)]
    )
    assert "u 1.csv: found no label for " in run(folder, target, configs=configs, expect=1)
    (folder / "u 1.csv").unlink()
    assert "u 1.csv" in run(folder, target, configs=configs, expect=1)


def test_a_category_without_a_weight_stops_the_run_before_the_news_is_parsed(tmp_path):
    folder = copy_project(tmp_path / "riots")
    riots = {"extraction_eval": {"dictionary": {"riot": {"cameo": "999", "verbs": ["riot"]}}}}
    (folder / "riots.yaml").write_text(yaml.safe_dump(riots), encoding="utf-8")
    told = run(folder, "extraction_eval", configs=(SMOKE, "riots.yaml"), cores=1, expect=1)
    assert "scale: found no weight for '999' of 'riot'" in told
    assert not list((folder / "results").rglob("parsed"))
    assert not list((folder / "results").rglob("codings.csv"))


def nitf(number, date, text, category="Top/News/World/Countries and Territories"):
    """Return an article as the New York Times Annotated Corpus has it."""
    paragraphs = "".join(f"<p>{paragraph}</p>" for paragraph in text.split("\n\n"))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">'
        f'<nitf><head><title>News</title><docdata><doc-id id-string="{number}"/><identified-content>'
        f'<classifier class="online_producer" type="taxonomic_classifier">{category}</classifier>'
        f'</identified-content></docdata><pubdata date.publication="{date:%Y%m%d}T000000" ex-ref="http://example.org/"/>'
        f'</head><body><body.content><block class="full_text">{paragraphs}</block></body.content></body></nitf>'
    ).encode()


def test_the_licensed_newspaper_runs_through(tmp_path):
    """Articles of other categories, and those in which no country is named, are no part of the corpus."""
    folder = copy_project(tmp_path / "newspaper")
    reports = [report.document for report in Newsroom(seed=1).reports(0, 30)]
    articles = [nitf(number, document.date, document.text) for number, document in enumerate(reports)]
    articles.append(nitf(100, reports[0].date, "Iraq attacked.", "Top/News/Sports"))
    articles.append(nitf(101, reports[0].date, "The committee attacked the plan."))
    path = folder / "data/nyt_corpus/data/1987/01.tgz"
    path.parent.mkdir(parents=True)
    with tarfile.open(path, "w:gz") as tar:
        for number, article in enumerate(articles):
            member = tarfile.TarInfo(f"01/01/{number:07}.xml")
            member.size = len(article)
            tar.addfile(member, io.BytesIO(article))
    changes = {"lexicon": ["newsroom"], "coref": "newsroom/likelihood"}
    config = {"datasets": {"nyt": {"events": changes}}, "events": {"datasets": ["nyt"], "shards": 2}}
    (folder / "configs/nyt.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    run(folder, "events", configs=("configs/paper.yaml", SMOKE, "configs/nyt.yaml"))
    tables = [read_csv(folder / f"results/events/nyt/documents/{shard}-of-2.csv") for shard in (1, 2)]
    assert sorted(int(row["document"]) for table in tables for row in table) == list(range(30))
    series = read_csv(folder / "results/events/nyt/attack/series.csv")
    assert sum(int(row["documents"]) for row in series if row["country"] == series[0]["country"]) == 30


def without_brackets(word):
    return word.replace("(", "-LRB-").replace(")", "-RRB-")


def skeletons(conll, release, split, first, documents):
    """Write simulated reports as files without words, and their words as trees of a release."""
    for number, report in enumerate(Newsroom(seed=1).reports(first, first + documents), first):
        name = f"nw/wsj/00/wsj_{number:04}"
        skeleton = conll / split / f"data/english/annotations/{name}.v2_gold_skel"
        parse = release / f"data/files/data/english/annotations/{name}.parse"
        rows, trees = [f"#begin document ({name}); part 000"], []
        for sentence in report.document.sentences:
            leaves = zip(sentence.tags, map(without_brackets, sentence.words), strict=True)
            trees.append("(TOP (S " + "\n   ".join(f"({tag} {word})" for tag, word in leaves) + "))\n")
            for index, tag in enumerate(sentence.tags):
                rows.append(f"{name}   0   {index}   [WORD]   {tag}   *   -   -   -   -   *   -")
            rows.append("")
        for path, lines in ((skeleton, [*rows, "#end document", ""]), (parse, trees)):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join(lines), encoding="utf-8")


def test_words_are_joined_and_sizes_put_beside_published_ones(tmp_path):
    folder = copy_project(tmp_path / "licensed")
    for number, (split, documents) in enumerate({"train": 4, "dev": 2, "test": 2}.items()):
        skeletons(folder / "conll", folder / "release", split, 100 * number, documents)
    reports = list(Newsroom(seed=1).reports(100, 102))
    sentences = sum(len(report.document.sentences) for report in reports)
    expected = {"dev": {"sentences": sentences, "documents": 4}, "all": {"tags": 1}}
    wsj = {"format": "ontonotes", "path": "conll", "words": "release", "wsj_only": True, "expected": expected}
    (folder / "wsj.yaml").write_text(yaml.safe_dump({"datasets": {"wsj": wsj}}), encoding="utf-8")
    run(folder, "results/tables/wsj/corpus_sizes.html", configs=(SMOKE, "wsj.yaml"))
    prepared = (folder / "results/corpora/wsj/dev.conllu").read_text(encoding="utf-8")
    words = [line.split("\t")[1] for line in prepared.splitlines() if "\t" in line]
    expected = [word for report in reports for sentence in report.document.sentences for word in sentence.words]
    assert words == list(map(without_brackets, expected))
    rows = read_csv(folder / "results/tables/wsj/corpus_sizes.csv")
    assert [(row["count"], row["verdict"]) for row in rows] == [
        ("documents", "differs"),
        ("sentences", "as expected"),
        ("tags", "differs"),
    ]
    assert "twice the number of files" in rows[0]["explanation"]
    log = (folder / "results/logs/corpus_sizes/wsj.log").read_text(encoding="utf-8")
    assert "wsj, dev: 2 documents, expected 4: differs; 2 documents fewer (-50.0%)" in log
