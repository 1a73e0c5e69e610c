"""Outputs replace no input, no device and no link, and are looked at before anything is computed."""

import os
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from nlpcalib.cli import compare, estimate, recalibrate
from nlpcalib.cli.app import main
from nlpcalib.cli.calibrate import CALIBRATION_FILES as REPORT
from nlpcalib.errors import InputError
from nlpcalib.io.destinations import check_outputs, destination
from nlpcalib.io.files import atomic_folder, atomic_open, check_file, write_csv, write_json

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no names there")
WRITES = {
    "compare": compare.COMPARISON_FILES,
    "recalibrate": recalibrate.RECALIBRATION_FILES,
    "estimate": estimate.ESTIMATE_FILES,
}
TABLE = "q,y\n" + "0.2,0\n0.8,1\n" * 300


@pytest.fixture(autouse=True)
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def device():
    """A device that swallows everything, as /dev/null does, but which may be destroyed."""
    try:
        os.mknod("null", stat.S_IFCHR | 0o666, os.makedev(1, 3))
        Path("null").write_bytes(b"")
    except OSError:
        pytest.skip("no devices can be made here")
    return Path("null")


def pipe(name="pipe"):
    """Make a pipe, and return it with a list that takes what is written to it, and the thread that reads."""
    os.mkfifo(name)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path(name).read_bytes()), daemon=True)
    reader.start()
    return Path(name), read, reader


def test_a_device_stays_a_device(device):
    write_csv(device, [{"a": 1}])
    write_json(device, {"a": 1})
    with atomic_open(device) as file:
        file.write("x")
    assert stat.S_ISCHR(device.stat().st_mode)
    assert [path.name for path in Path.cwd().iterdir()] == ["null"]


def test_a_pipe_stays_a_pipe_and_gets_the_whole():
    path, read, reader = pipe()
    write_csv(path, [{"a": 1}, {"a": 2}])
    reader.join(10)
    assert read == [b"a\n1\n2\n"]
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_nothing_goes_into_a_pipe_if_the_work_fails():
    path, read, reader = pipe()
    with suppress(KeyError), atomic_open(path) as file:
        file.write("half")
        raise KeyError
    path.open("wb").close()  # so that the reader comes to its end
    reader.join(10)
    assert read == [b""]


def test_a_set_of_files_leaves_a_pipe_and_a_link_in_its_folder():
    Path("out").mkdir()
    Path("elsewhere.txt").write_text("old", encoding="utf-8")
    Path("out/a.txt").symlink_to("../elsewhere.txt")
    path, read, reader = pipe("out/b.txt")
    with atomic_folder("out") as folder:
        for name in "ab":
            (folder / f"{name}.txt").write_text(f"new {name}", encoding="utf-8")
    reader.join(10)
    assert read == [b"new b"]
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert Path("out/a.txt").is_symlink()
    assert Path("elsewhere.txt").read_text(encoding="utf-8") == "new a"


@pytest.mark.parametrize("chain", [["target.txt"], ["link2", "target.txt"], ["missing.txt"], ["sub/../target.txt"]])
def test_a_link_stays_a_link(chain):
    Path("sub").mkdir()
    Path("target.txt").write_text("old", encoding="utf-8")
    for number, target in enumerate(chain, 1):
        Path("link" if number == 1 else f"link{number}").symlink_to(target)
    with atomic_open("link") as file:
        file.write("new")
    assert Path("link").is_symlink()
    assert Path(chain[-1]).read_text(encoding="utf-8") == "new"


def test_a_folder_may_be_a_link():
    Path("real").mkdir()
    Path("link").symlink_to("real")
    with atomic_folder("link") as folder:
        (folder / "a.txt").write_text("a", encoding="utf-8")
    assert Path("link").is_symlink()
    assert [path.name for path in Path("real").iterdir()] == ["a.txt"]


@pytest.mark.parametrize(("mode", "expected"), [("w", "mine\n"), ("a", "before\nmine\n")])
def test_standard_output_by_its_name_goes_on_where_it_is(mode, expected):
    """`--out /dev/stdout >> file` keeps what the file held."""
    if not Path("/dev/stdout").exists():
        pytest.skip("standard output has no name here")
    Path("file").write_text("before\n", encoding="utf-8")
    code = "from nlpcalib.io.files import atomic_open\nwith atomic_open('/dev/stdout') as file: file.write('mine\\n')"
    with Path("file").open(mode) as file:
        subprocess.run([sys.executable, "-c", code], stdout=file, check=True)
    assert Path("file").read_text(encoding="utf-8") == expected
    assert Path("/dev/stdout").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_without_room_is_named(capfd):
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_json("/dev/full", {})
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def loop(name):
    Path(name).symlink_to(name)


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (lambda name: Path(name).mkdir(), "a folder"),
        (os.mkfifo, "a pipe"),
        (loop, "a link that leads to itself"),
        (lambda name: None, None),
        (lambda name: Path(name).symlink_to("nowhere"), None),
    ],
)
def test_what_is_no_file_is_named_as_what_it_is(make, found, capfd):
    make("it.csv")
    with pytest.raises(InputError, match="no such file" if found is None else f"found {found}, expected a file"):
        check_file("it.csv")
    assert main(["calibrate", "it.csv", "--out", "out"]) == 2
    assert (found or "no such file") in capfd.readouterr().err


@pytest.mark.parametrize("make", [lambda name: Path(name).mkdir(), loop])
def test_an_output_that_cannot_be_a_file_is_refused(make):
    make("it")
    with pytest.raises(InputError, match=r"it: found a (folder|link that leads to itself), expected a file"):
        destination(Path("it"))


def same(name):
    return Path("input.txt")


def linked(name):
    Path(name).symlink_to("input.txt")
    return Path(name)


def hard(name):
    os.link("input.txt", name)
    return Path(name)


def through_a_folder(name):
    Path(name).symlink_to(".")
    return Path(name, "input.txt")


@pytest.mark.parametrize("other", [same, linked, hard, through_a_folder])
def test_an_output_that_is_an_input_is_refused(other):
    Path("input.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"found the input input\.txt, expected another place"):
        check_outputs([Path("input.txt")], [other("name")])
    check_outputs([Path("input.txt")], [Path("another.txt")])


def test_an_output_in_an_input_folder_is_refused_before_it_is_there():
    Path("docs").mkdir()
    Path("link").symlink_to("docs")
    for name in ("docs/page.html", "link/page.html", "docs/new/page.html"):
        with pytest.raises(InputError, match=f"{name}: found it in the input folder docs"):
            check_outputs([Path("docs")], [Path(name)])
    check_outputs([Path("docs")], [Path("docs.html")])


def test_two_outputs_are_two_files():
    Path("link").symlink_to("new")
    for other in ("new", "./new", "link"):
        with pytest.raises(InputError, match="found the same file for two outputs"):
            check_outputs([], [Path("new"), Path(other)])
    check_outputs([], [Path(os.devnull), Path(os.devnull)])


COREF = ("--out", "--html")


@pytest.mark.parametrize("option", COREF)
@pytest.mark.parametrize("name", ["story.txt", "./story.txt", "link.txt"])
def test_coref_refuses_to_write_over_its_input(option, name, capfd):
    Path("story.txt").write_text("Ana met Leila. She left.\n", encoding="utf-8")
    Path("link.txt").symlink_to("story.txt")
    assert main(["coref", "story.txt", option, name]) == 2
    assert "found the input story.txt" in capfd.readouterr().err
    assert Path("story.txt").read_text(encoding="utf-8") == "Ana met Leila. She left.\n"


@pytest.mark.parametrize("option", COREF)
@pytest.mark.parametrize("name", ["texts/story.txt", "texts/inner/other.txt", "real.txt"])
def test_coref_refuses_to_write_over_a_file_of_its_folder(option, name, capfd):
    Path("texts/inner").mkdir(parents=True)
    for path in ("texts/story.txt", "texts/inner/other.txt", "real.txt"):
        Path(path).write_text("Ana met Leila. She left.\n", encoding="utf-8")
    Path("texts/link.txt").symlink_to("../real.txt")
    assert main(["coref", "texts", option, name]) == 2
    assert f"{name}: found the input texts/" in capfd.readouterr().err
    assert Path(name).read_text(encoding="utf-8") == "Ana met Leila. She left.\n"


@pytest.mark.parametrize("option", COREF)
def test_coref_refuses_to_write_over_its_model(option, capfd):
    Path("story.txt").write_text("Ana met Leila. She left.\n", encoding="utf-8")
    Path("model").write_bytes(b"a model")
    assert main(["coref", "story.txt", "--model", "model", option, "model"]) == 2
    assert "found the input model" in capfd.readouterr().err
    assert Path("model").read_bytes() == b"a model"


@pytest.mark.parametrize("name", [name for name in REPORT if name.endswith(".csv")])
@pytest.mark.parametrize("folder", [".", "link"])
def test_calibrate_refuses_a_folder_in_which_it_would_replace_its_input(name, folder, capfd):
    Path(name).write_text(TABLE, encoding="utf-8")
    Path("link").symlink_to(".")
    assert main(["calibrate", name, "--out", folder, "--bin-size", "100"]) == 2
    told = capfd.readouterr().err
    assert f"found the input {name}" in told
    assert told.count("\n") == 1
    assert Path(name).read_text(encoding="utf-8") == TABLE
    assert sorted(path.name for path in Path.cwd().iterdir()) == sorted([name, "link"])


@pytest.mark.parametrize(
    "command",
    [
        ["compare", "NAME", "other.csv"],
        ["compare", "other.csv", "NAME"],
        ["recalibrate", "NAME"],
        ["estimate", "NAME", "other.csv", "--plan", "plan.json"],
        ["estimate", "other.csv", "other.csv", "NAME", "--plan", "plan.json"],
        ["estimate", "other.csv", "other.csv", "--plan", "NAME"],
        ["estimate", "other.csv", "other.csv", "--plan", "plan.json", "--settled", "NAME"],
    ],
)
def test_no_command_replaces_what_it_reads(command, capfd):
    sheet = ["disagreements.csv"] if command[0] == "estimate" else []
    for name in [*WRITES[command[0]], *sheet]:
        Path(name).write_text("mine", encoding="utf-8")
        assert main([*(name if word == "NAME" else word for word in command), "--out", "."]) == 2
        # A sheet of disagreements may be read where it is written, and one that was filled in stays.
        assert ("" if name in sheet else f"found the input {name}, expected another place") in capfd.readouterr().err
        assert Path(name).read_text(encoding="utf-8") == "mine"


def test_outputs_are_refused_before_anything_is_read(capfd):
    Path("folder").mkdir()
    Path("file").touch()
    for arguments in (["coref", "missing", "--out", "folder"], ["calibrate", "missing.csv", "--out", "file"]):
        assert main(arguments) == 2
        assert "missing" not in capfd.readouterr().err
