"""Hurt the commands of the shell: stop them, put something in the place of their outputs, and mix their results."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from outcomes import Outcome, SkippedError, tell
from watching import UNFINISHED

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP)
ENDED = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGKILL: -9}
COMMAND = (sys.executable, "-c", "import sys; from nlpcalib.shell.cli import main; sys.exit(main())")
SUMMARY = "calibration.json"
PAIRS = 4_000


class Calibrations:
    """Two tables in a fresh folder, and the report of each as `calibrate` makes it in peace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, seed in (("first", 1), ("second", 2)):
            draw = random.Random(seed)
            rows = ((q, draw.random() < q, draw.choice("ABC")) for q in (draw.random() for _ in range(PAIRS)))
            text = "".join(f"{q:.3f},{y:d},{label}\n" for q, y, label in rows)
            (folder / f"{name}.csv").write_text("q,y,label\n" + text, encoding="utf-8")
            start = time.monotonic()
            if self.run(name, name).returncode:
                raise RuntimeError(f"{name}.csv: calibrate failed")
            self.seconds = time.monotonic() - start
        self.first, self.second = contents(folder / "first"), contents(folder / "second")

    def start(self, *arguments: str) -> subprocess.Popen:
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        return subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=self.folder,
            env=os.environ | {"TMPDIR": str(scratch)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def calibrate(self, name: str, out: str) -> subprocess.Popen:
        return self.start("calibrate", f"{name}.csv", "--out", out, "--bin-size", "200", "--samples", "200")

    def run(self, name: str, out: str) -> subprocess.CompletedProcess:
        process = self.calibrate(name, out)
        _, told = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, stderr=told)

    def verified(self, out: str) -> bool:
        process = self.start("verify", out)
        process.communicate()
        return process.returncode == 0

    def fresh(self, name: str, content: dict[str, bytes]) -> Path:
        """Return a folder with these files and nothing else."""
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for each, data in content.items():
            (folder / each).write_bytes(data)
        return folder

    def left_over(self) -> int:
        """Return how many temporary folders there are, and remove them."""
        left = [path for path in self.folder.rglob(f"{UNFINISHED}*") if path.is_dir()]
        left = [path for path in left if not set(path.parents).intersection(left)]  # one may lie in another
        left += (self.folder / "scratch").iterdir()
        for path in left:
            shutil.rmtree(path)
        return len(left)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stopped(folder: Path, times: int, draw: random.Random) -> Iterator[Outcome]:
    """Send signals to `calibrate` while it replaces a report by another's, at any moment or as outputs are written."""
    place = Calibrations(folder / "stopped")
    for number in SIGNALS:
        outcome = Outcome(f"{number.name}: calibrate")
        for turn in range(times):
            out = place.fresh("out", place.first)
            process = place.calibrate("second", "out")
            if turn % 2:
                while process.poll() is None and not list(out.glob(f"{UNFINISHED}*")):
                    time.sleep(0.001)
                time.sleep(draw.uniform(0, 0.6 * place.seconds))
            else:
                time.sleep(draw.uniform(0, 1.2 * place.seconds))
            if process.poll() is None:
                outcome.interrupted += 1
            outcome.times += 1
            process.send_signal(number)
            if number == signal.SIGSTOP:
                time.sleep(draw.uniform(0, 0.5))
                process.send_signal(signal.SIGCONT)
            _, told = process.communicate()
            if process.returncode not in (0, ENDED.get(number)) and told.count("\n") != 1:
                # A signal before the command has begun is Python's to answer.
                tell(f"{outcome.fault}: status {process.returncode}, told {told[-200:]!r}")
            outcome.left += place.left_over()
            found = contents(out)
            if found not in (place.first, place.second):
                kind = "noticed" if not place.verified("out") else "NOT NOTICED"
                tell(f"{outcome.fault}: a mixture, {kind}")
                outcome.partial += [kind] if kind != "noticed" else []
            place.run("second", "out")
            outcome.different += [name for name in place.second if contents(out).get(name) != place.second[name]]
        yield outcome


def replaced(folder: Path, times: int, draw: random.Random) -> Iterator[Outcome]:
    """Put something in the place of each output of `calibrate`, and see that it is refused or left as it is."""
    place = Calibrations(folder / "replaced")
    inputs = contents(place.folder)
    for kind, (make, refused) in KINDS.items():
        outcome = Outcome(f"output replaced by {kind}")
        for name in place.second:
            out = place.fresh("out", place.first)
            (out / name).unlink()
            check = make(place, out / name)
            before = contents(out) if refused else {}
            result = place.run("second", "out")
            outcome.times += 1
            if refused:
                untouched = contents(out) == before
                outcome.partial += [] if untouched else [name]
                outcome.different += [] if (result.returncode, result.stderr.count("\n")) == (2, 1) else [name]
            else:
                others = all((out / each).read_bytes() == place.second[each] for each in place.second if each != name)
                well = result.returncode == 0 and others and check(place.second[name])
                outcome.different += [] if well else [name]
            outcome.left += place.left_over()
            outcome.lost += [] if contents(place.folder).items() >= inputs.items() else [name]
        tell(f"{outcome.fault}: {outcome.times} times")
        yield outcome


Check = Callable[[bytes], bool]


def put_folder(place: Calibrations, path: Path) -> Check:
    path.mkdir()
    return lambda whole: False


def put_loop(place: Calibrations, path: Path) -> Check:
    path.symlink_to(path.name)
    return lambda whole: False


def put_link_to_input(place: Calibrations, path: Path) -> Check:
    path.symlink_to("../second.csv")
    return lambda whole: False


def put_link(place: Calibrations, path: Path) -> Check:
    target = place.folder / "target"
    target.write_bytes(b"old")
    path.symlink_to("../target")
    return lambda whole: path.is_symlink() and target.read_bytes() == whole


def put_link_to_nothing(place: Calibrations, path: Path) -> Check:
    target = place.folder / "target"
    target.unlink(missing_ok=True)
    path.symlink_to("../target")
    return lambda whole: path.is_symlink() and target.read_bytes() == whole


def put_pipe(place: Calibrations, path: Path) -> Check:
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()

    def check(whole: bytes) -> bool:
        reader.join(10)
        return read == [whole] and stat.S_ISFIFO(path.stat().st_mode)

    return check


def put_device(place: Calibrations, path: Path) -> Check:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError as error:
        raise SkippedError("no devices can be made here") from error
    return lambda whole: stat.S_ISCHR(path.stat().st_mode)


KINDS: dict[str, tuple[Callable[[Calibrations, Path], Check], bool]] = {
    "a folder": (put_folder, True),
    "a link to itself": (put_loop, True),
    "a link to the input": (put_link_to_input, True),
    "a link": (put_link, False),
    "a link to nothing": (put_link_to_nothing, False),
    "a pipe": (put_pipe, False),
    "a device": (put_device, False),
}
"""What is put in the place of an output, and whether the command is to refuse it."""


def mixtures(folder: Path, times: int, draw: random.Random) -> Iterator[Outcome]:
    """Put files of another report into a report, and see that `verify` notices."""
    place = Calibrations(folder / "mixtures")
    outcome = Outcome("mixture of two reports")
    names = sorted(place.first)
    for turn in range(times):
        count = turn % (len(names) - 1) + 1
        mixed = place.first | {name: place.second[name] for name in draw.sample(names, count)}
        if mixed in (place.first, place.second):
            continue
        place.fresh("out", mixed)
        outcome.times += 1
        if place.verified("out"):
            outcome.partial.append(", ".join(name for name in names if mixed[name] == place.second[name]))
    for name in ("first", "second"):
        if not place.verified(name):
            outcome.different.append(name)
    yield outcome
