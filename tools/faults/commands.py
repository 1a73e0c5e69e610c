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

from tools.checks import SkippedError
from tools.copies import UNFINISHED
from tools.faults.outcomes import Outcome, tell

from nlpcalib.io.files import read_csv, write_csv

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL, signal.SIGSTOP)
ENDED = {signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGINT: 130, signal.SIGKILL: -9}
COMMAND = (str(Path(sys.executable).with_name("nlpcalib")),)
PAIRS = 4_000
LIMIT = 600
"""Seconds after which a command waits for itself: it takes two or three."""
CALLS = {
    "calibrate": "calibrate {name}.csv --out {out} --bin-size 200 --samples 200",
    "compare": "compare {name}.csv {name}.csv --out {out}",
    "recalibrate": "recalibrate {name}.csv --out {out}",
    "recalibrate --map": "recalibrate {name}.csv --map map/map.json --out {out}",
    "plan items": "plan items {name}_items.csv --budget 60 --design random --out {out}",
    "estimate": "estimate {name}_items.csv {name}_labels.csv --plan {name}_plan/plan.json --out {out}",
}
"""Every command that writes a folder of files from tables."""


class Results:
    """Two tables in a fresh folder, and what a command makes of each in peace."""

    def __init__(self, folder: Path, call: str) -> None:
        self.folder, self.call = folder, CALLS[call]
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name, seed in (("first", 1), ("second", 2)):
            draw = random.Random(seed)
            rows = [(q, draw.random() < q, draw.choice("ABC")) for q in (draw.random() for _ in range(PAIRS))]
            pairs = "".join(f"{q:.3f},{y:d},{label}\n" for q, y, label in rows)
            (folder / f"{name}.csv").write_text("q,y,label\n" + pairs, encoding="utf-8")
            items = "".join(f"{number},{q:.3f}\n" for number, (q, _, _) in enumerate(rows))
            (folder / f"{name}_items.csv").write_text("id,q\n" + items, encoding="utf-8")
        if call == "recalibrate --map":
            self._prepare("recalibrate first.csv --out map")
        if call == "estimate":
            for name in ("first", "second"):
                self._prepare(CALLS["plan items"].format(name=name, out=f"{name}_plan"))
                sheet = read_csv(folder / f"{name}_plan/sheet-1.csv")
                write_csv(
                    folder / f"{name}_labels.csv",
                    [{**row, "label": ("yes", "no")[number % 2]} for number, row in enumerate(sheet)],
                )
        for name in ("first", "second"):
            start = time.monotonic()
            self._prepare(self.call.format(name=name, out=name))
            self.seconds = time.monotonic() - start
        self.first, self.second = contents(folder / "first"), contents(folder / "second")

    def _prepare(self, call: str) -> None:
        process = self.start(*call.split())
        _, told = process.communicate()
        if process.returncode:
            raise RuntimeError(f"{call}: {told}")

    def start(self, *arguments: str) -> subprocess.Popen:
        """Start the command."""
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

    def begin(self, name: str, out: str) -> subprocess.Popen:
        """Start the call on one of the tables."""
        return self.start(*self.call.format(name=name, out=out).split())

    def run(self, name: str, out: str) -> subprocess.CompletedProcess:
        """Make the call on one of the tables, and return its status and message."""
        process = self.begin(name, out)
        try:
            _, told = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        return subprocess.CompletedProcess(process.args, process.returncode, stderr=told)

    def verified(self, out: str) -> bool:
        """Return whether `nlpcalib verify` finds no fault."""
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
    """Return the bytes of the files of a folder by their names."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def stopped(folder: Path, times: int, draw: random.Random) -> Iterator[Outcome]:
    """Send signals to each command while it replaces its results by those of another table, at any moment."""
    places = {call: Results(folder / "stopped" / call.replace(" ", "_"), call) for call in CALLS}
    for number in SIGNALS:
        outcomes = {call: Outcome(f"{number.name}: {call}") for call in CALLS}
        for turn in range(times):
            call = list(CALLS)[turn % len(CALLS)]
            stop(places[call], number, outcomes[call], draw, as_written=bool(turn // len(CALLS) % 2))
        yield from (outcome for outcome in outcomes.values() if outcome.times)


def stop(place: Results, number: signal.Signals, outcome: Outcome, draw: random.Random, *, as_written: bool) -> None:
    """Send one signal, `as_written` once outputs are being written, and note what is there then."""
    before = {} if "plan items" in place.call else place.first  # a plan is never replaced
    out = place.fresh("out", before)
    process = place.begin("second", "out")
    if as_written:
        while process.poll() is None and not list(out.glob(f"{UNFINISHED}*")):
            time.sleep(0.001)
        time.sleep(draw.uniform(0, 0.6 * place.seconds))
    else:
        time.sleep(draw.uniform(0, 1.2 * place.seconds))
    outcome.interrupted += process.poll() is None
    outcome.times += 1
    process.send_signal(number)
    if number == signal.SIGSTOP:
        time.sleep(draw.uniform(0, 0.5))
        process.send_signal(signal.SIGCONT)
    _, told = process.communicate()
    if process.returncode not in (0, ENDED.get(number)) and told.count("\n") != 1:
        # A signal before the command has begun is Python's to answer.
        tell(f"{outcome.fault}: status {process.returncode}, told {told[-200:]!r}")
    found = contents(out)
    if found not in (before, place.second):
        kind = "noticed" if not place.verified("out") else "NOT NOTICED"
        tell(f"{outcome.fault}: a mixture, {kind}")
        outcome.partial += [kind] if kind != "noticed" else []
    if found != place.second or number == signal.SIGKILL:  # the next command removes what a killed one left
        if not before:
            place.fresh("out", before)
        place.run("second", "out")
    outcome.different += sorted(name for name in place.second if contents(out).get(name) != place.second[name])
    outcome.different += sorted(contents(out).keys() - place.second)
    outcome.left += place.left_over()


def replaced(folder: Path, times: int, draw: random.Random) -> Iterator[Outcome]:
    """Put something in the place of each output of `calibrate`, and see that it is refused or left as it is."""
    place = Results(folder / "replaced", "calibrate")
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


def put_folder(place: Results, path: Path) -> Check:
    """Put a folder there."""
    path.mkdir()
    return lambda whole: False


def put_loop(place: Results, path: Path) -> Check:
    """Put a link to itself there."""
    path.symlink_to(path.name)
    return lambda whole: False


def put_link_to_input(place: Results, path: Path) -> Check:
    """Put a link to the command's input there."""
    path.symlink_to("../second.csv")
    return lambda whole: False


def put_link(place: Results, path: Path) -> Check:
    """Put a link to another file there."""
    target = place.folder / "target"
    target.write_bytes(b"old")
    path.symlink_to("../target")
    return lambda whole: path.is_symlink() and target.read_bytes() == whole


def put_link_to_nothing(place: Results, path: Path) -> Check:
    """Put a link there whose target is missing."""
    target = place.folder / "target"
    target.unlink(missing_ok=True)
    path.symlink_to("../target")
    return lambda whole: path.is_symlink() and target.read_bytes() == whole


def put_pipe(place: Results, path: Path) -> Check:
    """Put a pipe there, and read it."""
    os.mkfifo(path)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()

    def check(whole: bytes) -> bool:
        reader.join(10)
        return read == [whole] and stat.S_ISFIFO(path.stat().st_mode)

    return check


def put_device(place: Results, path: Path) -> Check:
    """Put a device there that takes everything."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError as error:
        raise SkippedError("no devices can be made here") from error
    return lambda whole: stat.S_ISCHR(path.stat().st_mode)


KINDS: dict[str, tuple[Callable[[Results, Path], Check], bool]] = {
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
    """Put files of other results into those of each command, and see that `verify` notices."""
    for call in CALLS:
        place = Results(folder / "mixtures", call)
        outcome = Outcome(f"mixture of two results: {call}")
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


COMMANDS = {each.__name__: each for each in (stopped, replaced, mixtures)}
"""Faults of the command line, which need no run of the workflow."""
