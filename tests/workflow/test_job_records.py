"""What a job reads is as another job wrote it, and each result leads back to the raw files."""

import json
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.sets import checksum
from reproduction.workflow.job_records import read_inputs, write_records
from reproduction.workflow.made_with import changed_code
from reproduction.workflow.records import record_path
from reproduction.workflow.verify import main

RAW, ITEMS, COUNTS, FIGURE = "data/raw.txt", "results/items.csv", "results/tables/counts.json", "results/figures/a.png"
RECORD = Path("results/records/items.csv.json")


def job(rule, inputs, outputs):
    """Do what a job does: check its inputs, write its outputs, and record both."""
    read = read_inputs(inputs)
    for path, text in outputs.items():
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(text, encoding="utf-8")
    write_records(rule, read, outputs)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """A finished run of three jobs; the first reads a file that no job wrote."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    Path(RAW).write_text("two\nlines\n", encoding="utf-8")
    job("read_items", [RAW], {ITEMS: 'id,text\n1,"one\ncell"\n2,b\n', "results/other.csv": "id\n"})
    job("count", [ITEMS], {COUNTS: '{"n": 2}\n'})
    job("draw", [COUNTS], {FIGURE: "picture", "results/figures/a.csv": "n\n2\n"})
    return tmp_path


def test_a_record_has_the_rule_and_what_was_read_and_written(run):
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert record["rule"] == "read_items"
    assert record["inputs"] == {RAW: {"sha256": checksum(RAW), "rows": 2}}
    assert record["files"][ITEMS] == {"sha256": checksum(ITEMS), "rows": 2}
    assert record["files"]["results/other.csv"]["rows"] == 0
    other = json.loads(Path("results/records/other.csv.json").read_text(encoding="utf-8"))
    assert other == {
        "rule": "read_items",
        "job": ITEMS,
        "files": {"results/other.csv": record["files"]["results/other.csv"]},
    }


@pytest.mark.parametrize("inputs", [1, 25])
def test_records_and_the_walk_over_them_grow_with_files_and_not_with_inputs_times_outputs(
    inputs, tmp_path, monkeypatch
):
    """Eight times as many outputs, and as many more inputs where there are several."""
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    sizes = []
    for scale in (1, 8):
        read = [f"data/{number}.txt" for number in range(inputs if inputs == 1 else inputs * scale)]
        for path in read:
            Path(path).write_text("a\n", encoding="utf-8")
        job("read_items", read, {f"results/{scale}/{number:05}.csv": "n\n" for number in range(25 * scale)})
        sizes.append(sum(path.stat().st_size for path in Path(f"results/records/{scale}").iterdir()))
    assert 6 < sizes[1] / sizes[0] < 9
    assert main(["results"]) == 0


def test_a_result_whose_jobs_record_is_of_another_job_or_gone_is_named(run, capsys):
    """Each result can be read by its own record; where it came from needs that of its job."""
    job("read_items", [RAW], {ITEMS: "id,text\n"})
    assert read_inputs(["results/other.csv"])
    assert main(["results/other.csv"]) == 2
    assert f"results/other.csv: its own record does not fit {RECORD}" in capsys.readouterr().out
    RECORD.unlink()
    assert main(["results/other.csv"]) == 2
    assert f"{ITEMS}: found no record" in capsys.readouterr().out


@pytest.mark.parametrize("path", [RAW, "results/logs/a.log", "results/README.md", "results"])
def test_no_record_is_expected_of_what_no_job_makes(path):
    assert record_path(path) is None


def test_a_run_as_it_was_written_is_verified_from_its_figures_to_the_raw_files(run, capsys):
    assert main(["results"]) == 0
    assert capsys.readouterr().out == "results: 5 results, made from 1 raw file, are as they were written\n"
    assert main([FIGURE]) == 0
    assert "3 results, made from 1 raw file" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('id,text\n1,"one\ncell"\n', "found 1 rows"),
        ('id,text\n1,"one\ncell"\n2,b\n2,b\n', "found 3 rows"),
        ('id,text\n2,b\n1,"one\ncell"\n', "found 2 rows"),
        ('id,text\n1,"one\ncell"\n3,b\n', "found 2 rows"),
    ],
)
def test_a_damaged_file_is_named_with_its_rule_and_what_to_do_and_is_not_read(run, capsys, text, found):
    Path(ITEMS).write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_inputs([ITEMS])
    expected = f"expected 2 rows, SHA-256 {json.loads(RECORD.read_text())['files'][ITEMS]['sha256'][:12]}…"
    message = str(error.value)
    assert message.startswith(
        f"{ITEMS}: {found}, SHA-256 {checksum(ITEMS)[:12]}…; {expected}, as rule read_items wrote"
    )
    assert message.endswith(f"delete {ITEMS} and run the same command again")
    assert main([FIGURE]) == 2
    assert capsys.readouterr().out == f"{message}\n"


def test_a_raw_file_that_changed_since_is_named(run, capsys):
    Path(RAW).write_text("two\nlinea\n", encoding="utf-8")
    assert main(["results"]) == 2
    out = capsys.readouterr().out
    assert f"{RAW}: found 2 rows" in out
    assert "as rule read_items read it" in out


def test_a_result_made_from_an_earlier_file_is_named(run, capsys):
    job("read_items", [RAW], {ITEMS: "id,text\n1,other\n"})
    assert main([FIGURE]) == 2
    captured = capsys.readouterr()
    assert f"{COUNTS}: found it made from {ITEMS} of 2 rows" in captured.out
    assert "found 1 that do not fit" in captured.err


@pytest.mark.parametrize("content", [None, "", "[]", '{"rule": "a", "inputs": {}, "files": {}}'])
def test_a_result_without_its_record_is_not_read(run, capsys, content):
    RECORD.unlink()
    if content is not None:
        RECORD.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"items\.csv"):
        read_inputs([ITEMS])
    assert main(["results"]) == 2
    assert "items.csv" in capsys.readouterr().out


def test_a_result_that_was_deleted_is_passed_on_the_way_to_the_raw_files(run, capsys):
    Path(ITEMS).unlink()
    assert main([FIGURE]) == 0
    assert f"no longer there: 1 file ({ITEMS})" in capsys.readouterr().out
    Path(RAW).write_text("", encoding="utf-8")
    assert main([FIGURE]) == 2


def test_files_of_a_folder_are_recorded_one_by_one(run):
    Path("data/inner").mkdir()
    Path("data/inner/b.txt").write_text("b", encoding="utf-8")
    assert list(read_inputs(["data"])) == ["data/inner/b.txt", RAW]


SCRIPT = """
    from types import SimpleNamespace
    from pathlib import Path
    from nlpcalib.io.files import atomic_open
    from reproduction.workflow.script_log import logged_job
    job = SimpleNamespace(log=["job.log"], rule="count", config=dict(), wildcards=None)
    with logged_job(SimpleNamespace(**vars(job), input=["results/items.csv"], output=["results/c.csv"])):
        with atomic_open("results/c.csv") as file:
            file.write("n\\n2\\n")
        {then}
"""


def script(then="pass"):
    code = textwrap.dedent(SCRIPT).format(then=then)
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_a_script_that_ends_well_leaves_a_record(run):
    assert script().returncode == 0
    record = json.loads(Path("results/records/c.csv.json").read_text(encoding="utf-8"))
    assert (record["rule"], list(record["inputs"]), list(record["files"])) == ("count", [ITEMS], ["results/c.csv"])


KILL = f"import os; os.kill(os.getpid(), {int(signal.SIGTERM)})"


@pytest.mark.parametrize("then", ["raise ValueError", KILL, "import os; os._exit(9)"])
def test_a_script_that_fails_or_is_killed_leaves_no_record_and_not_that_of_an_earlier_run(run, then):
    assert script().returncode == 0
    assert script(then).returncode != 0
    assert not Path("results/records/c.csv.json").exists()


def test_a_script_does_not_begin_with_a_damaged_input(run):
    Path(ITEMS).write_text("id,text\n1,a\n", encoding="utf-8")
    failed = script()
    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 1
    assert "results/items.csv: found 1 rows" in Path("job.log").read_text(encoding="utf-8")
    assert not Path("results/c.csv").exists()


def test_a_job_whose_record_cannot_be_written_fails(run):
    failed = script("Path('results/records/c.csv.json').mkdir()")
    assert failed.returncode == 1
    assert "results/records/c.csv.json" in failed.stderr


JOBS = """
    from types import SimpleNamespace
    from nlpcalib.io.html_table import write_table_page
    from reproduction.workflow.script_log import logged_job
    config = {"datasets": {"newsroom": {"simulated": True}, "sotu": {"simulated": False}}}
    for number, dataset, source in ((1, "newsroom", "data/raw.txt"), (2, "sotu", "results/1.html")):
        path, wildcards = f"results/{number}.html", SimpleNamespace(dataset=dataset)
        job = SimpleNamespace(log=[f"{number}.log"], rule="page", config=config, wildcards=wildcards)
        with logged_job(SimpleNamespace(**vars(job), input=[source], output=[path])):
            write_table_page(path, "Numbers", [{"n": 1}])
"""


def test_two_jobs_in_one_process_are_recorded_and_noted_one_by_one(run):
    """The second reads what the first wrote, and its text is not simulated."""
    subprocess.run([sys.executable, "-c", textwrap.dedent(JOBS)], check=True)
    first, second = (Path(f"results/{number}.html").read_text(encoding="utf-8") for number in (1, 2))
    assert "<p>Simulated text</p>" in first
    assert "<p>Simulated text</p>" not in second
    record = json.loads(Path("results/records/2.html.json").read_text(encoding="utf-8"))
    assert record["inputs"] == {"results/1.html": {"sha256": checksum("results/1.html")}}


def test_the_time_and_memory_of_a_job_stand_next_to_its_log(run):
    assert script("sum(range(10**7))").returncode == 0
    used = json.loads(Path("job.json").read_text(encoding="utf-8"))
    assert 0 < used["cpu_seconds"] < 60
    assert 10 < used["peak_mb"] < 2000
    assert 0 < used["seconds"] < 60


CODED = """
    import sys
    from types import SimpleNamespace
    from pathlib import Path
    from reproduction.workflow.script_log import logged_job
    job = SimpleNamespace(log=["results/logs/{rule}.log"], rule="{rule}", config={config}, wildcards=None)
    Path("results/logs").mkdir(parents=True, exist_ok=True)
    with logged_job(SimpleNamespace(**vars(job), input={inputs}, output={outputs})):
        for path in {outputs}:
            Path(path).write_text("{text}")
"""


def coded_job(rule, inputs, outputs, text="n\\n1\\n", config=None):
    """Run a job in a process of its own, as the workflow does."""
    code = CODED.format(rule=rule, inputs=inputs, outputs=outputs, text=text, config=config or {"seed": 0})
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, capture_output=True)


LAST = "results/last.csv"


@pytest.fixture
def coded(run):
    coded_job("copy", [ITEMS], [LAST, "results/beside.csv"])
    coded_job("alone", [ITEMS], ["results/alone.csv"])
    return run


def verified(capsys):
    status = main(["results"])
    return status, capsys.readouterr().out


def test_a_run_with_its_code_and_one_configuration_is_verified(coded, capsys):
    status, out = verified(capsys)
    assert (status, out.count("\n")) == (0, 1)
    record = json.loads(Path("results/records/beside.csv.json").read_text(encoding="utf-8"))
    assert "src/reproduction/workflow/script_log.py" in record["code"]
    assert not [name for name in record["code"] if name.startswith("/") or "site-packages" in name]
    stored = Path(f"results/logs/configurations/{record['configuration']}.json")
    assert json.loads(stored.read_text(encoding="utf-8")) == {"seed": 0}


@pytest.mark.parametrize("gone", [[LAST], [LAST, "results/records/last.csv.json"], ["results/beside.csv"]])
def test_a_last_result_that_was_deleted_is_named_with_or_without_its_record(gone, coded, capsys):
    for name in gone:
        Path(name).unlink()
    status, out = verified(capsys)
    assert status == 2
    assert gone[0] in out.replace("records/", "")


def test_a_result_of_one_file_that_was_deleted_with_its_record_is_named_by_its_log(coded, capsys):
    Path("results/alone.csv").unlink()
    Path("results/records/alone.csv.json").unlink()
    status, out = verified(capsys)
    assert status == 2
    assert "results/alone.csv: found no record" in out


@pytest.mark.parametrize("name", [LAST, "results/alone.csv"])
def test_a_file_that_changed_together_with_its_record_is_named(name, coded, capsys):
    Path(name).write_text("n\n2\n", encoding="utf-8")
    place = Path(f"results/records/{name.removeprefix('results/')}.json")
    record = json.loads(place.read_text(encoding="utf-8"))
    record["files"][name]["sha256"] = checksum(name)
    place.write_text(json.dumps(record), encoding="utf-8")
    if "job" in record:
        status, out = verified(capsys)
        assert status == 2
        assert f"{name}: its own record does not fit results/records/beside.csv.json" in out
        whole = Path("results/records/beside.csv.json")
        record = json.loads(whole.read_text(encoding="utf-8"))
        record["files"][name]["sha256"] = checksum(name)
        whole.write_text(json.dumps(record), encoding="utf-8")
    status, out = verified(capsys)
    assert status == 2
    assert f"{name}: found another record than the one that its job logged" in out


def test_code_that_changed_since_is_named_with_its_results(coded, capsys, tmp_path):
    place = Path("results/records/alone.csv.json")
    record = json.loads(place.read_text(encoding="utf-8"))
    changed, unknown = dict(record["code"]), "src/reproduction/gone.py"
    changed["src/reproduction/workflow/records.py"] = "0" * 16
    found = list(changed_code({"results/alone.csv": {**record, "code": {**changed, unknown: "0" * 16}}}))
    assert [line.partition(":")[0] for line in found] == [unknown, "src/reproduction/workflow/records.py"]
    assert "no longer there since 1 result (results/alone.csv)" in found[0]
    assert "changed since 1 result" in found[1]


def test_a_folder_of_two_configurations_is_named_with_what_differs(coded, capsys):
    coded_job("alone", [ITEMS], ["results/alone.csv"], config={"seed": 0, "figures": {"style": "paper"}})
    status, out = verified(capsys)
    assert status == 2
    assert "results: found results of 2 configurations (2 results with" in out
    assert "which differ in figures.style; expected one" in out


def test_records_of_earlier_versions_without_code_and_logs_are_verified(run, capsys):
    assert verified(capsys)[0] == 0
