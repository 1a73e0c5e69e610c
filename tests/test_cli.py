"""The shell command: it writes everything or nothing, says so in one line, and agrees with the library."""

import json
import shutil
import subprocess
import sys
from inspect import signature
from pathlib import Path
from typing import Literal, get_args, get_origin

import numpy as np
import pytest

import nlpcalib
from nlpcalib.calibration import Categories, Pairs, measure_calibration
from nlpcalib.cli.app import main
from nlpcalib.cli.events import events
from nlpcalib.cli.plan import items
from nlpcalib.cli.reading import Reading
from nlpcalib.cli.recalibrate import recalibrate
from nlpcalib.io.sets import checksum
from nlpcalib.predictions.formats.registry import ARRAYS, FORMATS, TABLES
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.predictions import DRAWN
from nlpcalib.recalibration.fitting import RECALIBRATIONS
from nlpcalib.sampling.plan import DESIGNS, WORDS
from nlpcalib.tables.periods import UNITS

WRITTEN = [
    "bins.csv",
    "by_class.csv",
    "by_class.html",
    "calibration.json",
    "classes.csv",
    "classes.pdf",
    "classes.png",
    "reliability.csv",
    "reliability.pdf",
    "reliability.png",
]
BAD_TABLE = "q,y\n0.5,1\n1.2,0\n"


@pytest.fixture
def pairs():
    rng = np.random.default_rng(1)
    q = np.round(rng.beta(0.3, 0.8, 3000), 2)
    label = Categories(rng.integers(0, 2, 3000).astype(np.int32), ("NN", "VB"))
    return Pairs(
        q,
        rng.random(3000) < q,
        label,
        Categories(np.arange(3000, dtype=np.int32) // 9, tuple(f"{i:03}" for i in range(334))),
    )


@pytest.fixture
def table(tmp_path, pairs):
    path = tmp_path / "pairs.parquet"
    write_pairs(path, pairs)
    return path


def calibrate_command(file, folder, *options):
    return main(["calibrate", str(file), "--out", str(folder), "--samples", "200", *options])


def warnings_of(capfd):
    """Return the warnings on standard error, where the last line is what the table was taken to be."""
    return capfd.readouterr().err.splitlines()[:-1]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else None


def test_writes_the_numbers_that_the_library_returns(table, pairs, tmp_path, capfd):
    assert calibrate_command(table, tmp_path / "out", "--bin-size", "300", "--seed", "3") == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == WRITTEN
    summary = json.loads((tmp_path / "out/calibration.json").read_text(encoding="utf-8"))
    expected = measure_calibration(pairs, bin_size=300, samples=200, seed=3).summary
    headline = {name: summary[name] for name in ("error", "low", "high", "ece")}
    read = {"input": checksum(table), "table": summary["table"]}
    assert summary == {**headline, **expected, **read, "files": summary["files"], "inputs": summary["inputs"]}
    assert "warning" not in capfd.readouterr().err


@pytest.mark.filterwarnings("default")
def test_the_papers_method_has_the_papers_settings(table, tmp_path):
    assert main(["calibrate", str(table), "--method", "paper", "--out", str(tmp_path / "out")]) == 0
    summary = json.loads((tmp_path / "out/calibration.json").read_text(encoding="utf-8"))
    assert (summary["bin_size"], summary["samples"], summary["seed"]) == (5000, 10_000, 0)


def test_the_same_command_writes_the_same_bytes(table, tmp_path):
    for name in ("one", "two"):
        assert calibrate_command(table, tmp_path / name, "--bin-size", "300") == 0
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("state", ["absent", "empty", "full"])
@pytest.mark.parametrize("bad", [BAD_TABLE, "", "q,p\n1,1\n", None], ids=["range", "empty", "columns", "missing"])
def test_bad_input_is_one_line_and_leaves_the_folder_alone(table, tmp_path, capfd, state, bad):
    out = tmp_path / "parent" / "out"
    if state != "absent":
        out.mkdir(parents=True)
    if state == "full":
        calibrate_command(table, out, "--bin-size", "300")
        (out / "notes.txt").write_text("mine", encoding="utf-8")
    before = contents(out)
    path = tmp_path / "bad.csv"
    if bad is not None:
        path.write_text(bad, encoding="utf-8")
    capfd.readouterr()
    assert calibrate_command(path, out) == 2
    told = capfd.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"nlpcalib: {path}")
    assert told.err.count("\n") == 1
    assert contents(out) == before
    assert (tmp_path / "parent").exists() == (state != "absent")


def test_results_replace_those_of_another_run_and_nothing_else(table, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine", encoding="utf-8")
    calibrate_command(table, out, "--bin-size", "100")
    calibrate_command(table, out, "--bin-size", "300")
    assert (out / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert json.loads((out / "calibration.json").read_text(encoding="utf-8"))["bin_size"] == 300
    assert sorted(path.name for path in out.iterdir()) == sorted([*WRITTEN, "notes.txt"])


@pytest.mark.filterwarnings("default")
def test_too_few_rows_for_a_bin_are_one_bin_and_a_warning(tmp_path, capfd):
    path = tmp_path / "few.csv"
    path.write_text("q,y\n0.1,0\n0.8,1\n0.6,1\n", encoding="utf-8")
    assert calibrate_command(path, tmp_path / "out", "--method", "paper") == 0
    assert json.loads((tmp_path / "out/calibration.json").read_text(encoding="utf-8"))["bins"] == 1
    expected = "nlpcalib: warning: 3 pairs make 1 bin at bin size 5,000, expected twenty or so, "
    (warning,) = warnings_of(capfd)
    assert warning == f"{expected}which take 4,000 pairs at 200, the least that is advised"


@pytest.mark.filterwarnings("default")
def test_few_bins_are_a_warning_with_a_bin_size_that_does_not_warn(tmp_path, capfd):
    path = tmp_path / "some.csv"
    path.write_text("q,y\n" + "0.1,0\n0.8,1\n" * 3000, encoding="utf-8")
    assert calibrate_command(path, tmp_path / "out", "--method", "paper") == 0
    expected = (
        "nlpcalib: warning: 6,000 pairs make 1 bin at bin size 5,000, expected twenty or so, since errors within "
    )
    assert warnings_of(capfd) == [f"{expected}a bin cancel out: try --bin-size 300"]
    assert calibrate_command(path, tmp_path / "out", "--bin-size", "300") == 0
    assert warnings_of(capfd) == []


def test_paths_may_have_spaces_and_any_script(table, tmp_path):
    file = tmp_path / "Прогноз 予測 ☂" / "my pairs é.parquet"
    file.parent.mkdir()
    shutil.copy(table, file)
    out = tmp_path / "results of ☂" / "a b"
    assert calibrate_command(file, out, "--bin-size", "300") == 0
    assert sorted(path.name for path in out.iterdir()) == WRITTEN


@pytest.mark.parametrize("inside", [".", "sub/folder"])
def test_a_folder_that_cannot_be_written_is_one_line(table, tmp_path, capfd, inside):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert calibrate_command(table, tmp_path / "file" / inside, "--bin-size", "300") == 2
    told = capfd.readouterr().err
    assert told.startswith("nlpcalib: ")
    assert str(tmp_path / "file") in told
    assert told.count("\n") == 1
    assert (tmp_path / "file").read_text(encoding="utf-8") == "in the way"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--bin-size", "0"), "Invalid value for --bin-size: found '0', expected a whole number of at least 1"),
        (("--bin-size", "many"), "Invalid value for --bin-size: found 'many', expected a whole number of at least 1"),
        (("--samples", "1"), "Invalid value for --samples: found '1', expected a whole number of at least 2"),
        (("--seed", "1.5"), "Invalid value for --seed: found '1.5', expected a whole number of at least 0"),
        (("--bins", "3"), "Unknown option: --bins. Did you mean --bin-size?"),
    ],
)
def test_bad_options_are_refused_before_anything_is_read(tmp_path, capfd, options, message):
    with pytest.raises(SystemExit) as stopped:
        main(["calibrate", "missing.csv", "--out", str(tmp_path / "out"), *options])
    assert stopped.value.code == 2
    assert capfd.readouterr().err.splitlines()[0].endswith(f"error: {message}")
    assert not (tmp_path / "out").exists()


def walked(annotation):
    """Yield an annotation and all that it is made of."""
    yield annotation
    for part in get_args(annotation):
        if get_origin(annotation) is not Literal:
            yield from walked(part)


@pytest.mark.parametrize(
    ("command", "option", "choices"),
    [
        (recalibrate, "method", ["shrinkage", *RECALIBRATIONS]),
        (items, "design", [*DESIGNS, WORDS]),
        (events, "period", UNITS),
        (Reading, "drawn", DRAWN),
        (Reading, "format", [*TABLES, ARRAYS, *FORMATS]),
    ],
)
def test_options_offer_what_the_library_has(command, option, choices):
    parameter = signature(command, eval_str=True).parameters[option]
    annotated = [each for each in walked(parameter.annotation) if get_origin(each) is Literal]
    assert [get_args(each) for each in annotated] == [tuple(choices)]


def test_the_installed_command(table, tmp_path):
    command = Path(sys.executable).with_name("nlpcalib")
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout == f"nlpcalib {nlpcalib.__version__}\n"
    bad = tmp_path / "bad.csv"
    bad.write_text(BAD_TABLE, encoding="utf-8")
    refused = subprocess.run([command, "calibrate", bad, "--out", tmp_path / "out"], capture_output=True, text=True)
    expected = f"nlpcalib: {bad}, line 3: found prediction 1.2, expected a probability in [0, 1]\n"
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", expected)
    done = subprocess.run([command, "calibrate", table, "--out", "out", "--bin-size", "300"], cwd=tmp_path)
    assert done.returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == WRITTEN
