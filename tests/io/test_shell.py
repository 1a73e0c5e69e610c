"""A command ends in one line, and leaves nothing behind, whatever stops it."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nlpcalib.cli.exits import run_command
from nlpcalib.errors import InputError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes differ there")

WORK = """
import os, sys, tempfile, time
from nlpcalib.io.files import atomic_folder, atomic_open, scratch_folder
from nlpcalib.cli.exits import run_command

def work():
    with atomic_folder("results") as folder, atomic_open("file") as file, scratch_folder() as scratch:
        for each in (folder, scratch):
            (each / "half").write_text("half")
        file.write("half")
        file.flush()
        print("at work", flush=True)
        time.sleep(60)

sys.exit(run_command("test", work))
"""


def start(code, tmp_path, **options):
    environment = os.environ | {"TMPDIR": str(tmp_path / "scratch")}
    (tmp_path / "scratch").mkdir(exist_ok=True)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
    return subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path, env=environment, **pipes)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_nothing_behind_and_is_one_line(tmp_path, name):
    process = start(WORK, tmp_path)
    assert process.stdout.readline() == "at work\n"
    process.send_signal(signal.Signals[name])
    _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (128 + signal.Signals[name], f"test: stopped by {name}\n")
    assert [path.name for path in tmp_path.rglob("*")] == ["scratch"]


def test_impatience_does_not_stop_the_cleaning_up(tmp_path):
    slow = WORK.replace("import os,", "import shutil, os,").replace(
        "def work",
        "rmtree = shutil.rmtree\nshutil.rmtree = lambda *a, **k: (time.sleep(0.3), rmtree(*a, **k))\ndef work",
    )
    process = start(slow, tmp_path)
    process.stdout.readline()
    for _ in range(4):
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    process.communicate(timeout=30)
    assert process.returncode in (130, 143)
    assert [path.name for path in tmp_path.rglob("*")] == ["scratch"]


def test_what_is_ignored_stays_ignored(tmp_path):
    """As under nohup."""
    process = start(WORK.replace("sleep(60)", "sleep(1)"), tmp_path, preexec_fn=ignore_hangup)
    process.stdout.readline()
    process.send_signal(signal.SIGHUP)
    _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (0, "")
    assert (tmp_path / "file").read_text(encoding="utf-8") == "half"


def ignore_hangup():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def test_handlers_are_as_before_afterwards():
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert run_command("test", lambda: None) == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (InputError("a.csv: found b,\nexpected c"), 2, "test: a.csv: found b, expected c\n"),
        (PermissionError(13, "Permission denied", "a"), 2, "test: [Errno 13] Permission denied: 'a'\n"),
        (MemoryError(), 1, "test: not enough memory\n"),
        (MemoryError("Unable to allocate 7 TiB"), 1, "test: not enough memory (Unable to allocate 7 TiB)\n"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_a_failure_is_one_line(capfd, error, status, line):
    def fail():
        raise error

    assert run_command("test", fail) == status
    assert capfd.readouterr() == ("", line)


def test_a_mistake_of_ours_keeps_its_traceback():
    def fail():
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        run_command("test", fail)


def nlpcalib(command, tmp_path, **options):
    code = "import sys; from nlpcalib.cli.app import main; sys.exit(main())"
    shown = subprocess.run(
        ["/bin/sh", "-c", command, "sh", sys.executable, code], cwd=tmp_path, capture_output=True, text=True, **options
    )
    return shown.returncode, shown.stdout, shown.stderr


CALIBRATE = '"$1" -c "$2" calibrate pairs.csv --out out'


@pytest.fixture
def table(tmp_path):
    (tmp_path / "pairs.csv").write_text("q,y\n" + "0.2,0\n0.8,1\n" * 600, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        (
            f"--bin-size {10**30} --samples 9",
            0,
            r"nlpcalib: warning: 1,200 pairs make 1 bin .*\nnlpcalib: pairs\.csv: 1,200 rows;.*",
        ),
        (f"--bin-size 50 --samples {10**20}", 2, r"nlpcalib: samples: found 10{20}, expected at most .*"),
        (f"--bin-size 50 --samples {1 << 30}", 1, r"nlpcalib: not enough memory.*"),
    ],
)
def test_huge_numbers_have_one_line_each(table, options, status, line):
    found, out, told = nlpcalib(f"ulimit -v 4000000; {CALIBRATE} {options}", table)
    assert re.fullmatch(f"{line}\n", told), told
    assert (found, out == "") == (status, status > 0)
    assert (table / "out").exists() == (status == 0)


@pytest.mark.parametrize("command", ["--help", "--version", "calibrate --help"])
def test_a_reader_that_has_enough_is_no_failure(tmp_path, command):
    _, _, told = nlpcalib(f'"$1" -c "$2" {command} | :', tmp_path)
    assert told == ""


@pytest.mark.parametrize(
    "to",
    [
        ">&-",
        "| :",
        pytest.param(
            "> /dev/full", marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
        ),
    ],
)
def test_an_answer_that_nobody_takes_is_at_most_one_line(table, to):
    (table / "words.conllu").write_text("1\tAna\tAna\tPROPN\tNNP\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    found, _, told = nlpcalib(f'"$1" -c "$2" coref words.conllu {to}', table)
    assert told.count("\n") <= 1
    assert "Traceback" not in told
    assert "Exception ignored" not in told
    assert ("standard output" in told) == (to != "| :")
    assert found == (0 if to == "| :" else 2)
