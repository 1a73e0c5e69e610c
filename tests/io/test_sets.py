"""Files that belong together are replaced together, and a mixture is noticed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

from nlpcalib.cli.app import main
from nlpcalib.cli.calibrate import CALIBRATION_FILES as REPORT
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_folder, read_csv, write_csv
from nlpcalib.io.sets import atomic_set, checksum, read_set

NAMES = ("a.csv", "b.csv", "c.csv", "summary.json")


def write_set(folder, version):
    with atomic_set(folder, "summary.json") as temporary:
        for name in NAMES[:-1]:
            (temporary / name).write_text(f"{name} {version}", encoding="utf-8")
        (temporary / "summary.json").write_text(json.dumps({"version": version}), encoding="utf-8")


def names(folder):
    return sorted(path.name for path in Path(folder).iterdir())


def contents(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in Path(folder).iterdir() if path.is_file()}


def test_a_set_has_the_checksums_of_its_files(tmp_path):
    write_set(tmp_path, 1)
    found = read_set(tmp_path, "summary.json")
    files = {name: {"sha256": checksum(tmp_path / name), "rows": 0} for name in NAMES[:-1]}
    assert found == {"version": 1, "files": files}


def test_nothing_is_replaced_if_a_folder_is_in_the_place_of_one(tmp_path):
    write_set(tmp_path, 1)
    (tmp_path / "b.csv").unlink()
    (tmp_path / "b.csv").mkdir()
    before = contents(tmp_path)
    with pytest.raises(InputError, match=r"b\.csv: found a folder, expected a file"):
        write_set(tmp_path, 2)
    assert contents(tmp_path) == before
    assert names(tmp_path) == sorted(NAMES)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_the_place_of_the_summary_is_written_to_and_never_read(tmp_path):
    os.mkfifo(tmp_path / "summary.json")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "summary.json").read_bytes()), daemon=True)
    reader.start()
    writer = threading.Thread(target=write_set, args=(tmp_path, 1), daemon=True)
    writer.start()
    for thread in (writer, reader):
        thread.join(10)
    assert not writer.is_alive()
    assert json.loads(read[0])["version"] == 1


@pytest.mark.parametrize("moves", range(4))
@pytest.mark.parametrize("existing", [True, False])
def test_all_is_put_back_if_a_file_cannot_be_moved(tmp_path, monkeypatch, moves, existing):
    if existing:
        write_set(tmp_path, 1)
    before = contents(tmp_path)
    replace, done = Path.replace, []

    def failing(self, target):
        if self.name in NAMES and Path(target).parent == tmp_path and not self.parent.name.startswith("tmp"):
            done.append(target)
            if len(done) == moves + 1:
                raise PermissionError(13, "Permission denied", str(target))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(PermissionError):
        write_set(tmp_path, 2)
    assert len(done) == moves + 1
    assert contents(tmp_path) == before
    assert names(tmp_path) == sorted(before)


KILLED = """
    import os, signal, sys
    from pathlib import Path
    sys.path.insert(0, {tests!r})
    import test_sets
    replace, done = Path.replace, []
    def striking(self, target):
        if self.name in test_sets.NAMES and Path(target).parent == Path({folder!r}):
            done.append(1)
            if len(done) == {moves} + 1:
                os.kill(os.getpid(), signal.SIGKILL)
        return replace(self, target)
    Path.replace = striking
    test_sets.write_set({folder!r}, 2)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
@pytest.mark.parametrize("moves", range(4))
def test_a_kill_between_two_moves_is_noticed(tmp_path, moves):
    write_set(tmp_path, 1)
    code = KILLED.format(tests=str(Path(__file__).parent), folder=str(tmp_path), moves=moves)
    status = subprocess.run([sys.executable, "-c", textwrap.dedent(code)]).returncode
    assert status == -signal.SIGKILL
    with pytest.raises(InputError, match=r"summary\.json: no such file"):
        read_set(tmp_path, "summary.json")
    write_set(tmp_path, 2)
    assert read_set(tmp_path, "summary.json")["version"] == 2


def test_a_file_of_another_set_is_noticed(tmp_path):
    write_set(tmp_path, 1)
    write_set(tmp_path / "other", 2)
    (tmp_path / "other/b.csv").replace(tmp_path / "b.csv")
    with pytest.raises(InputError, match=r"b\.csv: found a file that summary\.json does not describe"):
        read_set(tmp_path, "summary.json")
    (tmp_path / "b.csv").unlink()
    with pytest.raises(InputError, match=r"b\.csv: no such file"):
        read_set(tmp_path, "summary.json")


@pytest.mark.parametrize("content", ["{}", "[]", '{"files": 3}', "{"])
def test_a_summary_without_checksums_is_refused(tmp_path, content):
    (tmp_path / "summary.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"summary\.json: .*expected"):
        read_set(tmp_path, "summary.json")


def test_files_that_are_not_of_the_set_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    write_set(tmp_path, 1)
    with atomic_folder(tmp_path):
        pass
    assert contents(tmp_path)["notes.txt"] == "mine"


@pytest.fixture(scope="module")
def reports_of_two_tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, share in (("one.csv", 3), ("two.csv", 4)):
            rows = "".join(f"{i % 10 / 10},{i % 7 < share:d},{'AB'[i % 3 // 2]}\n" for i in range(700))
            Path(name).write_text("q,y,label\n" + rows, encoding="utf-8")
            assert main(["calibrate", name, "--out", name[:3], "--bin-size", "50", "--samples", "20"]) == 0
    return folder


@pytest.fixture
def report(reports_of_two_tables, tmp_path, monkeypatch):
    shutil.copytree(reports_of_two_tables, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("one")


def test_the_report_names_its_input_and_its_files(report, capfd):
    summary = json.loads((report / "calibration.json").read_text(encoding="utf-8"))
    assert summary["input"] == checksum("one.csv")
    assert sorted([*summary["files"], "calibration.json"]) == sorted(REPORT) == names(report)
    assert main(["verify", "one", "one.csv"]) == 0
    assert main(["verify", "one"]) == 0
    assert "10 files of one run, made from one.csv" in capfd.readouterr().out


@pytest.mark.parametrize("name", [name for name in REPORT if name != "by_class.html"])
def test_a_mixture_of_two_reports_is_noticed(report, name, capfd):
    (Path("two") / name).replace(report / name)
    assert main(["verify", "one"]) == 2
    assert "expected files of one run" in capfd.readouterr().err


def test_results_of_another_table_are_noticed(report, capfd):
    assert main(["verify", "one", "two.csv"]) == 2
    assert "found results of other inputs, expected two.csv among them" in capfd.readouterr().err


def labelled(path, columns, rows=300):
    """Write a table of predictions with some of the columns that commands read."""
    cells = {
        "id": lambda i: f"i{i}", "q": lambda i: f"{i % 97 / 97:.3f}", "y": lambda i: f"{i * i % 97 < i % 97:d}",
        "label": lambda i: "AB"[i % 2], "text": lambda i: f'"text {i}, of two\nlines"',
    }  # fmt: skip
    lines = [",".join(columns), *(",".join(cells[column](i) for column in columns) for i in range(rows))]
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def filled(sheet):
    """Return a sheet in which every second item is labelled yes, and the others no."""
    rows = read_csv(sheet)
    return [{**row, "label": ("yes", "no")[number % 2]} for number, row in enumerate(rows)]


@pytest.fixture
def tables(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, columns in (("with", "id q y label"), ("without", "id q y"), ("corpus", "id q text")):
        labelled(f"{name}.csv", columns.split())
    assert main(["recalibrate", "without.csv", "--out", "map"]) == 0
    assert main(["plan", "items", "corpus.csv", "--budget", "60", "--design", "random", "--out", "plan"]) == 0
    write_csv("labels.csv", filled("plan/sheet-1.csv"))


FIRST_AND_SECOND = {
    "calibration.json": ("calibrate with.csv", "calibrate without.csv", {"classes.csv", "classes.pdf", "classes.png"}),
    "comparison.json": ("compare with.csv with.csv", "compare without.csv without.csv", {"by_class.csv"}),
    "recalibration.json": ("recalibrate with.csv", "recalibrate without.csv", {"by_class.csv"}),
    "recalibrated.json": (
        "recalibrate with.csv --map map/map.json",
        "recalibrate new.tsv --map map/map.json",
        {"recalibrated.csv"},
    ),
    "estimates.json": (
        "estimate corpus.csv labels.csv other.csv --plan plan/plan.json",
        "estimate corpus.csv labels.csv --plan plan/plan.json",
        {"agreement.csv", "disagreements.csv"},
    ),
}


@pytest.mark.parametrize("summary", FIRST_AND_SECOND)
def test_a_call_takes_away_what_an_earlier_one_wrote_and_nothing_else(tables, summary, capfd):
    Path("new.tsv").write_text("id\tq\na\t.1\nb\t.9\n", encoding="utf-8")
    write_csv("other.csv", [{**row, "annotator": "B"} for row in read_csv("labels.csv")])
    first, second, gone = FIRST_AND_SECOND[summary]
    assert main([*first.split(), "--out", "out"]) == 0
    before = set(names("out"))
    Path("out/notes.txt").write_text("mine", encoding="utf-8")
    assert main(["verify", "out"]) == 0
    assert main([*second.split(), "--out", "out"]) == 0
    assert before - set(names("out")) == gone
    assert Path("out/notes.txt").read_text(encoding="utf-8") == "mine"
    content = json.loads(Path("out", summary).read_text(encoding="utf-8"))
    assert sorted([*content["files"], summary, "notes.txt"]) == names("out")
    assert content["inputs"].keys() == {part for part in second.split() if "." in part}
    assert all(each["sha256"] == checksum(path) for path, each in content["inputs"].items())
    for facts in content.get("tables") or [content["table"]]:
        assert facts["ids"] == "in column id"
    assert main(["verify", "out", second.split()[1]]) == 0
    for name in content["files"]:
        whole = Path("out", name).read_bytes()
        Path("out", name).write_bytes(whole + b" ")
        assert main(["verify", "out"]) == 2
        assert f"{name}: found a file that {summary} does not describe" in capfd.readouterr().err
        Path("out", name).write_bytes(whole)
    labelled(second.split()[1], ["q", "y", "id"], rows=7)
    assert main(["verify", "out"]) == 2
    assert f"{second.split()[1]}: found another file than out/{summary} was made from" in capfd.readouterr().err


def test_a_file_that_was_changed_since_is_not_taken_away(tables):
    assert main(["recalibrate", "with.csv", "--out", "out"]) == 0
    Path("out/by_class.csv").write_text("mine", encoding="utf-8")
    assert main(["recalibrate", "without.csv", "--out", "out"]) == 0
    assert Path("out/by_class.csv").read_text(encoding="utf-8") == "mine"
    assert main(["verify", "out"]) == 0


def test_a_sheet_may_be_filled_in_but_not_lose_a_row(tables, capfd):
    assert main(["verify", "plan", "corpus.csv"]) == 0
    write_csv("plan/sheet-1.csv", filled("plan/sheet-1.csv"))
    assert main(["verify", "plan"]) == 0
    write_csv("plan/sheet-1.csv", filled("plan/sheet-1.csv")[1:])
    assert main(["verify", "plan"]) == 2
    assert "sheet-1.csv: found a file that planned.json does not describe, 59 rows" in capfd.readouterr().err


def test_the_next_part_of_a_plan_joins_the_files_of_the_first(tables):
    assert main(["plan", "items", "corpus.csv", "--budget", "60", "--design", "two-phase", "--out", "two"]) == 0
    write_csv("first.csv", filled("two/sheet-1.csv"))
    assert main(["plan", "items", "corpus.csv", "first.csv", "--out", "two"]) == 0
    summary = json.loads(Path("two/planned.json").read_text(encoding="utf-8"))
    files = summary["files"]
    assert summary["table"]["ids"] == "in column id"
    assert sorted([*files, "planned.json"]) == names("two")
    assert len(files) == 5
    assert main(["verify", "two", "first.csv"]) == 0
