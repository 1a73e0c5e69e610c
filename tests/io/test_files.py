"""Files appear whole or not at all, and those that are not whole are refused by name."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.files import (
    atomic_folder,
    atomic_open,
    atomic_path,
    iter_csv,
    read_csv,
    read_json,
    scratch_folder,
    write_csv,
    write_json,
)
from reproduction.workflow.json_lines import read_json_lines


class InterruptionError(Exception):
    pass


def write_half(path):
    path.write_text("half of the", encoding="utf-8")
    raise InterruptionError


def tree(folder):
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.txt")}


def test_a_file_has_its_old_content_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old", encoding="utf-8")
    with atomic_open(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"


@pytest.mark.parametrize("existing", [True, False])
def test_a_failure_leaves_nothing_behind(tmp_path, existing):
    folder = tmp_path / "parent" / "results"
    if existing:
        folder.mkdir(parents=True)
        (folder / "a.txt").write_text("old", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(InterruptionError), atomic_folder(folder) as temporary:
        write_half(temporary / "a.txt")
    with pytest.raises(InterruptionError), atomic_path(folder / "a.txt") as path:
        write_half(path)
    assert sorted(tmp_path.rglob("*")) == before
    assert tree(tmp_path) == ({"parent/results/a.txt": "old"} if existing else {})


KILLED = """
import os, signal
from nlpcalib.io.files import atomic_path, scratch_folder
with scratch_folder(), atomic_path("results/a.txt") as path:
    path.write_text("half")
    os.kill(os.getpid(), signal.{signal})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
def test_what_a_killed_process_left_is_taken_away_by_the_next_and_that_of_others_stays(tmp_path, monkeypatch):
    """Others are a process that is stopped for a while, and one on another machine."""
    monkeypatch.chdir(tmp_path)
    Path("results").mkdir()
    Path("scratch").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    subprocess.run([sys.executable, "-c", KILLED.format(signal="SIGKILL")])
    left = set(tmp_path.glob("*/*"))
    assert len(left) == 2
    stopped = subprocess.Popen([sys.executable, "-c", KILLED.format(signal="SIGSTOP")])
    try:
        while len(others := set(tmp_path.glob("*/*")) - left) < 2:
            time.sleep(0.01)
        others |= {Path("results/.incomplete-elsewhere-1-abc"), Path("results/.incomplete-abc")}
        for path in others:
            path.mkdir(exist_ok=True)
        with scratch_folder(), atomic_open("results/b.txt") as file:
            file.write("whole")
        assert {path.name for path in tmp_path.glob("*/*")} == {path.name for path in others} | {"b.txt"}
    finally:
        stopped.kill()
        stopped.wait()


def test_a_folder_is_made_with_its_parents_and_keeps_what_it_had(tmp_path):
    for name in ("a", "b"):
        with atomic_folder(tmp_path / "x" / "y") as temporary:
            (temporary / f"{name}.txt").write_text(name, encoding="utf-8")
    assert tree(tmp_path) == {"x/y/a.txt": "a", "x/y/b.txt": "b"}
    assert sorted(path.name for path in (tmp_path / "x" / "y").iterdir()) == ["a.txt", "b.txt"]


def test_text_has_lf_and_utf_8(tmp_path):
    with atomic_open(tmp_path / "a.txt") as file:
        file.write("é\n")
    assert (tmp_path / "a.txt").read_bytes() == b"\xc3\xa9\n"
    with atomic_open(tmp_path / "b", "wb") as file:
        file.write(b"\r\n")
    assert (tmp_path / "b").read_bytes() == b"\r\n"


def test_csv_keeps_every_digit_and_any_text(tmp_path):
    rows = [{"x": 0.1 + 0.2, "text": 'a "b", c'}, {"x": 1e-300, "text": "`` é"}, {"x": None, "text": ""}]
    write_csv(tmp_path / "t.csv", rows)
    back = read_csv(tmp_path / "t.csv")
    assert [float(row["x"]) for row in back[:2]] == [0.1 + 0.2, 1e-300]
    assert back[2]["x"] == ""
    assert [row["text"] for row in back] == [row["text"] for row in rows]
    assert b"\r" not in (tmp_path / "t.csv").read_bytes()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a,b\n1\n", "line 2: found 1 values, expected 2 as in the header"),
        (b"a,b\n1,2,3\n", "line 2: found 3 values"),
        (b"a,a\n1,2\n", "line 1: found columns a, a, expected each once"),
        (b'a\n"x\n', "expected CSV in UTF-8"),
        (b"a\n\xff\n", "expected CSV in UTF-8"),
    ],
)
def test_a_table_that_is_not_whole_is_refused(tmp_path, data, message):
    (tmp_path / "t.csv").write_bytes(data)
    with pytest.raises(InputError, match=rf"t\.csv, .*{message}"):
        read_csv(tmp_path / "t.csv")


def test_rows_before_the_damage_are_given_out_one_by_one(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n3\n")
    rows = iter_csv(tmp_path / "t.csv")
    assert next(rows) == {"a": "1", "b": "2"}
    with pytest.raises(InputError, match="line 3: found 1 values"):
        next(rows)


def test_json_keeps_every_digit_and_any_text(tmp_path):
    (tmp_path / "t.json").write_text('{"x": 0.30000000000000004, "text": "é"}\n', encoding="utf-8")
    assert read_json(tmp_path / "t.json") == {"x": 0.1 + 0.2, "text": "é"}
    (tmp_path / "t.jsonl").write_text('{"x": 1e-300}\n{"text": "\u2028é"}\n', encoding="utf-8")
    lines = list(read_json_lines(tmp_path / "t.jsonl"))
    assert lines == [('{"x": 1e-300}\n', {"x": 1e-300}), ('{"text": "\u2028é"}\n', {"text": "\u2028é"})]


@pytest.mark.parametrize("data", [b"", b'{"n": 1', b'{"n": "\xff"}', b"[" * 100_000, b"9" * 5000])
def test_json_that_is_not_whole_is_refused(tmp_path, data):
    (tmp_path / "t.json").write_bytes(data)
    with pytest.raises(InputError, match=r"t\.json: .*expected JSON in UTF-8"):
        read_json(tmp_path / "t.json")


@pytest.mark.parametrize("line", [b"", b'{"n": 1', b'{"n": "\xff"}', b"[" * 100_000, b"[1]", b"null"])
def test_a_line_that_is_no_json_object_is_refused(tmp_path, line):
    (tmp_path / "t.jsonl").write_bytes(b'{"n": 1}\n' + line + b'\n{"n": 3}\n')
    rows = read_json_lines(tmp_path / "t.jsonl")
    next(rows)
    with pytest.raises(InputError, match=r"t\.jsonl, line 2: .*expected (a|one) JSON object"):
        next(rows)


def test_json_has_letters_as_they_are_written(tmp_path):
    write_json(tmp_path / "names.json", ["Côte d’Ivoire"])
    assert "Côte d’Ivoire" in (tmp_path / "names.json").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "nan.json", float("nan"))
    assert not (tmp_path / "nan.json").exists()
