"""Hurt runs of the workflow, run them again as a user would, and compare every byte with a run that was left in peace.

    python tests/faults/campaign.py --folder ../campaign
    python tests/faults/campaign.py --folder ../campaign --faults kill disk_full --times 50 --seed 2

Each fault has fresh copies of the project, which are removed if nothing was lost. Some faults need root and Linux.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from checkouts import Checkout, alive, await_group, await_jobs, running_jobs
from commands import mixtures, replaced, stopped
from damages import well_formed as damaged_rows
from outcomes import Outcome, SkippedError, table, tell
from watching import Watch

VICTIMS = ("Snakemake", "a job", "all")
MOMENTS = ("after seconds", "as a job starts", "as outputs are written")
YEAR = 365 * 24 * 3600
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")
MEMORY_GROUPS = Path("/sys/fs/cgroup/memory")


DAMAGED = {
    "sentiment/timeline/naive_bayes/happy/pairs.parquet": "sentiment/timeline/naive_bayes/happy/calibration.json",
    "sentiment/timeline/naive_bayes/model.npz": "sentiment/timeline/naive_bayes/happy/pairs.parquet",
    "corpora/newsroom/test.conllu": "tagging/newsroom/hmm/marginals.npz",
    "events/newswire/extracted/1-of-2.candidates.jsonl": "events/newswire/attack/events.csv",
    "events/newswire/documents/1-of-2.csv": "events/newswire/attack/series.csv",
    "extraction_eval/newswire_leads/evaluations.json": "figures/newswire_leads/figure_rates.csv",
    "parsing/newsroom/parser.zip": "tables/parsing/accuracy_newsroom.csv",
}
"""An output of every format that is read again, and one that is made from it."""


@dataclass
class Campaign:
    """Faults of a configuration's runs, their random moments drawn from `seed`."""

    folder: Path
    configs: tuple[str, ...]
    cores: int
    seed: int
    times: int
    targets: tuple[str, ...] = ()

    def __post_init__(self):
        self.random = random.Random(self.seed)
        self.reference = Checkout(self.folder / "reference", self.configs, self.cores)
        if not self.reference.folder.exists():
            self.reference.copy_project()
            status, told = self.reference.run(*self.targets)
            if status:
                shutil.rmtree(self.reference.folder)
                raise RuntimeError(told)
        self.expected = self.reference.contents()
        self.jobs = self.reference.finished()
        tell(f"reference: {self.jobs} jobs, {len(self.expected)} files to compare")

    @contextmanager
    def copy(self, name: str, of_reference: bool = False) -> Iterator[Checkout]:
        """Give a fresh copy of the project, or of the reference, that is removed if the block ends well."""
        checkout = Checkout(self.folder / name, self.configs, self.cores)
        shutil.rmtree(checkout.folder, ignore_errors=True)
        checkout.log.unlink(missing_ok=True)
        yield self.reference.copy_to(checkout.folder) if of_reference else checkout.copy_project()
        shutil.rmtree(checkout.folder)
        checkout.log.unlink(missing_ok=True)

    def rerun(self, checkout: Checkout, outcome: Outcome) -> None:
        """Do what a user does after a fault, and note what the results then lack."""
        status, told = checkout.run(*self.targets)
        if status and "--unlock" in told:
            checkout.run("--unlock")
            status, told = checkout.run(*self.targets)
        if status:
            raise RuntimeError(f"{outcome.fault}: the rerun failed:\n{told}")
        self.compare(checkout, outcome)

    def compare(self, checkout: Checkout, outcome: Outcome) -> None:
        found = checkout.contents()
        outcome.lost += sorted(self.expected.keys() - found)
        outcome.different += sorted(path for path in found if found[path] != self.expected.get(path))
        outcome.again += max(checkout.finished() - self.jobs, 0)

    def fail(self, checkout: Checkout, outcome: Outcome, **options) -> None:
        """Run where it can hardly end well, and note what is there in part."""
        status, told = checkout.run(*self.targets, **options)
        failed = told.count("\nError in rule ")
        outcome.times += status != 0
        outcome.interrupted += failed
        self.check_whole(checkout, outcome)
        answer = complaint(told) if status else "nothing: it ended well"
        tell(f"{outcome.fault}: status {status}, {checkout.finished()} jobs done, {failed} failed; told: {answer}")

    def cure(self, checkout: Checkout, outcome: Outcome, *targets: str) -> None:
        """Make targets anew and compare them."""
        status, told = checkout.run(*targets)
        if status:
            raise RuntimeError(f"{outcome.fault}: the rerun failed:\n{told}")
        found = checkout.contents()
        names = [target.removeprefix("results/") for target in targets]
        outcome.different += [name for name in names if found.get(name) != self.expected[name]]

    def check_whole(self, checkout: Checkout, outcome: Outcome) -> None:
        """Note results that are there after a fault and not as they should be. Nothing may be running."""
        found = checkout.contents()
        outcome.partial += sorted(path for path in found if found[path] != self.expected.get(path))

    def settled(self, checkout: Checkout) -> str:
        """Return what a further run would do."""
        _, told = checkout.run("-n", *self.targets)
        return (
            "a further run does nothing" if "Nothing to be done" in told else "a further run does something:\n" + told
        )


def kill(campaign: Campaign) -> Iterator[Outcome]:
    """SIGKILL Snakemake, a job of it or all of its processes, again and again on the way of the same run."""
    yield from struck(campaign, signal.SIGKILL, campaign.times)


def signals(campaign: Campaign) -> Iterator[Outcome]:
    """Ask Snakemake, a job or all to end, by each of the signals for it; then hold all for some seconds."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        yield from struck(campaign, number, max(campaign.times // 5, len(VICTIMS)))
    outcome = Outcome("SIGSTOP, then SIGCONT: all")
    with campaign.copy("stop") as checkout:
        process = checkout.start(*campaign.targets)
        while process.poll() is None:
            time.sleep(campaign.random.uniform(1, 5))
            if process.poll() is None and outcome.times < campaign.times:
                outcome.times += 1
                outcome.interrupted += len(running_jobs(process))
                os.killpg(process.pid, signal.SIGSTOP)
                time.sleep(campaign.random.uniform(0, 3))
                os.killpg(process.pid, signal.SIGCONT)
        outcome.left = checkout.left_over()
        campaign.rerun(checkout, outcome)
    yield outcome


def struck(campaign: Campaign, number: signal.Signals, times: int) -> Iterator[Outcome]:
    """Send a signal to each victim in turn, on the way of the same run, which is begun anew once it has ended well."""
    outcomes = {victim: Outcome(f"{number.name}: {victim}") for victim in VICTIMS}
    hit, moments, afterwards = Counter(), Counter(), Counter()
    done = runs = 0
    while done < times:
        with campaign.copy(f"{number.name}_{runs}") as checkout:
            outcome, groups, watch, left = outcomes["all"], [], watch_results(campaign, checkout), 0
            while True:
                victim, moment = VICTIMS[done % 3], MOMENTS[done // 3 % 3] if done < times else None
                process = checkout.start(*campaign.targets)
                interrupted = strike(process, watch, victim, moment, campaign.random, number)
                if interrupted is None:
                    break
                done += 1
                outcome = outcomes[victim]
                outcome.times += 1
                outcome.interrupted += len(interrupted)
                hit.update(interrupted)
                moments[moment] += 1
                if victim == "Snakemake":
                    groups.append(process.pid)
                elif not any(map(alive, groups)):
                    await_group(process.pid)
                    campaign.check_whole(checkout, outcome)
                    outcome.left, left = outcome.left + checkout.left_over() - left, checkout.left_over()
                if victim != "a job":
                    checkout.run("--unlock")
                tell(
                    f"{number.name} {done}: {victim}, {moment}; {checkout.finished()} jobs done, running {interrupted}"
                )
            if process.returncode:
                raise RuntimeError(f"the rerun failed:\n{checkout.printed()[-5000:]}")
            for group in groups:
                await_group(group)
            outcome.left += checkout.left_over() - left
            watch.begun()
            in_place = sorted(str(path.relative_to(checkout.results)) for path in watch.in_place)
            outcome.partial += in_place
            watch.close()
            campaign.compare(checkout, outcome)
            runs += 1
            afterwards[campaign.settled(checkout)] += 1
            tell(
                f"run {runs} complete: {watch.moved} files moved to their names, in place: {in_place or 'none'}; "
                f"{len(outcome.different)} different, {len(outcome.lost)} lost, {checkout.left_over()} folders left"
            )
    yield from outcomes.values()
    tell(f"{number.name}: {runs} runs were completed; afterwards: {dict(afterwards)}; moments: {dict(moments)}")
    tell(f"jobs of {len(hit)} scripts were running: {dict(hit.most_common())}")


def watch_results(campaign: Campaign, checkout: Checkout) -> Watch:
    """Make every folder that the results of the reference are in, and watch it."""
    folders = {(campaign.reference.results / path).parent for path in campaign.expected}
    folders = {checkout.results / path.relative_to(campaign.reference.results) for path in folders}
    for folder in folders:
        (folder / ".watched").mkdir(parents=True)  # keeps Snakemake from removing a folder without outputs
    return Watch(folders)


def strike(
    process: subprocess.Popen,
    watch: Watch,
    victim: str,
    moment: str | None,
    draw: random.Random,
    number: signal.Signals,
) -> list[str] | None:
    """Send a signal at a moment, and return the scripts that were running, or None if Snakemake had ended before."""
    start, seen, begun = time.monotonic(), set(), 0
    seconds = draw.uniform(3, 16) if moment == MOMENTS[0] else float("inf")
    starts = draw.randint(1, 8) if moment == MOMENTS[1] else float("inf")
    writes = draw.randint(1, 8) if moment == MOMENTS[2] else float("inf")
    delay = draw.uniform(0, 0.02 if moment == MOMENTS[2] else 1)
    while process.poll() is None:
        seen |= running_jobs(process).keys()
        begun += watch.begun()
        if time.monotonic() - start > seconds or len(seen) >= starts or begun >= writes:
            time.sleep(delay)
            jobs = running_jobs(process)
            if victim == "all":
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, number)
                process.wait()
                return list(jobs.values())
            if victim == "Snakemake":
                process.send_signal(number)
                process.wait()
                return list(jobs.values())
            if jobs:
                job = draw.choice(list(jobs))
                with suppress(ProcessLookupError):
                    os.kill(job, number)
                process.wait()
                return [jobs[job]]
        time.sleep(0.003)
    return None


def disk_full(campaign: Campaign) -> Iterator[Outcome]:
    """Let a file system have room for half of the results, once for them alone and once for the whole checkout."""
    need_root()
    half = sum(path.stat().st_size for path in campaign.reference.results.rglob("*") if path.is_file()) // 2
    for place in ("results", "checkout"):
        outcome = Outcome(f"disk full: {place}")
        with campaign.copy("disk_full") as checkout:
            folder = checkout.results if place == "results" else checkout.folder / "small"
            room = half if place == "results" else half + size_of_project(checkout)
            with mounted(folder, "-t", "tmpfs", "-o", f"size={room}", "tmpfs"):
                hurt = checkout
                if place == "checkout":
                    hurt = Checkout(folder, campaign.configs, campaign.cores).copy_project()
                campaign.fail(hurt, outcome)
                subprocess.run(["mount", "-o", f"remount,size={room + 10 * half}", folder], check=True)
                campaign.rerun(hurt, outcome)
        yield outcome


def memory(campaign: Campaign) -> Iterator[Outcome]:
    """Have the kernel kill what takes more memory than Snakemake and its jobs may have together (control groups)."""
    need_root()
    if not (MEMORY_GROUPS / "memory.limit_in_bytes").exists():
        raise SkippedError("control groups of version 1 limit no memory here")
    group = MEMORY_GROUPS / "nlpcalib_faults"
    group.mkdir()

    def limit(megabytes: int) -> None:
        (group / "memory.limit_in_bytes").write_text(str(megabytes << 20))
        (group / "cgroup.procs").write_text(str(os.getpid()))

    try:
        yield starve(campaign, "out of memory: killed by the kernel", (250, 350, 500), limit)
    finally:
        group.rmdir()


def address_space(campaign: Campaign) -> Iterator[Outcome]:
    """Refuse memory to every process that has its share (RLIMIT_AS), so that jobs fail by themselves."""

    def limit(megabytes: int) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    yield starve(campaign, "out of memory: refused", (700, 1000, 1400), limit)


def starve(campaign: Campaign, fault: str, limits: tuple[int, ...], limit: Callable[[int], None]) -> Outcome:
    """Run under growing limits in MB, then under none."""
    outcome = Outcome(fault)
    with campaign.copy("memory") as checkout:
        for megabytes in limits:
            campaign.fail(checkout, outcome, preexec_fn=partial(limit, megabytes))
            checkout.run("--unlock")  # it may have been Snakemake that was killed
        campaign.rerun(checkout, outcome)
    return outcome


def damage(campaign: Campaign) -> Iterator[Outcome]:
    """Damage outputs of a complete run behind Snakemake's back, see who notices, and delete them."""
    outcomes = {}
    with campaign.copy("damage", of_reference=True) as checkout:
        for name, consumer in DAMAGED.items():
            if name not in campaign.expected or consumer not in campaign.expected:
                continue
            path, whole = checkout.results / name, campaign.expected[name]
            checkout.run(f"results/{consumer}")  # what was made anew for the file before may be newer
            for how, data in damaged(whole).items():
                outcome = outcomes.setdefault(how, Outcome(how))
                outcome.times += 1
                times = path.stat()
                path.write_bytes(data)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
                _, told = checkout.run("-n", f"results/{consumer}")
                unseen = "Nothing to be done" in told
                os.utime(path)
                status, told = checkout.run(f"results/{consumer}")
                made = checkout.results / consumer
                if status:
                    answer = f"refused: {complaint(told)}"
                elif made.read_bytes() == campaign.expected[consumer]:
                    answer = "no difference"
                else:
                    answer = "READ AS WHOLE"
                    outcome.read_as_whole.append(name)
                told = "unseen" if unseen else "seen"
                tell(f"{how}: {name}: {told} by Snakemake if its time is kept; otherwise {answer}")
                path.unlink()
                campaign.cure(checkout, outcome, f"results/{consumer}", f"results/{name}")
        status, told = checkout.run(*campaign.targets)
        last = Outcome("")
        campaign.compare(checkout, last)
        for outcome in outcomes.values():
            outcome.different += last.different
            outcome.lost += last.lost
    yield from outcomes.values()


def damaged(whole: bytes) -> dict[str, bytes]:
    """Return ways to damage a file."""
    middle = len(whole) // 2
    flipped = bytearray(whole)
    flipped[middle] ^= 1
    ways = {"cut in the middle": whole[:middle].rstrip(b"\n"), "a bit flipped": bytes(flipped), "emptied": b""}
    if b"\0" not in whole and b"\n" in whole[:middle]:
        ways["cut at a line's end"] = whole[: whole.rindex(b"\n", 0, middle) + 1]
    return ways


def well_formed(campaign: Campaign) -> Iterator[Outcome]:
    """Damage rows and digits of results that jobs read, so that each stays a whole file, and see who believes them."""
    with campaign.copy("well_formed", of_reference=True) as checkout:
        yield from damaged_rows(checkout.folder, campaign.times, campaign.random).values()


def complaint(told: str) -> str:
    """Return the last line that a job logged, or the last of its traceback."""
    logged = r"\d\d:\d\d:\d\d \S+: .*"
    raised = r"[\w.]*(?:Error|Exception|StopIteration|BadZipFile)(?:: .*)?"
    lines = re.findall(rf"^(?:{logged}|{raised})$", told, re.MULTILINE)
    own = [line for line in lines if not line.startswith(("WorkflowError", "CalledProcessError"))]
    return own[-1].strip() if own else told[-300:]


def two_runs(campaign: Campaign) -> Iterator[Outcome]:
    """Start a second run while the first is at work in the same folder."""
    outcome = Outcome("two runs at once", times=1)
    with campaign.copy("two_runs") as checkout:
        first = checkout.start(*campaign.targets)
        await_jobs(first, 3)
        os.killpg(first.pid, signal.SIGSTOP)  # it could be done before the second one is there
        try:
            status, told = checkout.run(*campaign.targets)
        finally:
            os.killpg(first.pid, signal.SIGCONT)
        if status == 0 or "cannot be locked" not in told:
            raise RuntimeError(f"the second run was not refused:\n{told}")
        if first.wait():
            raise RuntimeError(f"the first run failed:\n{checkout.printed()}")
        campaign.compare(checkout, outcome)
        tell(f"two runs at once: {campaign.settled(checkout)}")
    yield outcome


def clock(campaign: Campaign) -> Iterator[Outcome]:
    """Put the clock right in the middle of a run: it had been a year slow, or fast, for all programs (libfaketime)."""
    if not FAKETIME.exists():
        raise SkippedError("libfaketime is not installed")
    for name, wrong in (("forwards", -YEAR), ("back", YEAR)):
        outcome = Outcome(f"clock jumps {name} by a year", times=1)
        with campaign.copy("clock") as checkout:
            set_times(checkout, time.time() - 2 * YEAR)
            stamp = checkout.folder / "clock"
            stamp.write_text(f"{wrong:+d}")
            faked = {"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(stamp), "FAKETIME_NO_CACHE": "1"}
            faked |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1"}
            process = checkout.start(*campaign.targets, env=os.environ | faked)
            await_jobs(process, campaign.jobs // 3)
            stamp.write_text("+0")
            status = process.wait()
            campaign.check_whole(checkout, outcome)
            years = Counter(re.findall(r"^\[\w+ \w+ +\d+ [\d:]+ (\d+)\]", checkout.printed(), re.MULTILINE))
            skewed = re.search("Output .* has older modification time .*? than input", checkout.printed())
            tell(f"{outcome.fault}: logged by year {dict(years)}; status {status}; told: {skewed and skewed[0]}")
            status, _ = checkout.run(*campaign.targets)
            tell(f"{outcome.fault}: a plain rerun has status {status}, {checkout.finished()} jobs done")
            set_times(checkout, time.time(), later_than=time.time())
            campaign.rerun(checkout, outcome)
            tell(
                f"{outcome.fault}: with no times in the future {checkout.finished()} jobs are done, then "
                f"{campaign.settled(checkout)}"
            )
        yield outcome


def set_times(checkout: Checkout, seconds: float, later_than: float = 0) -> None:
    """Set the times of the files that are later than a time, all in seconds since 1970."""
    for path in checkout.folder.rglob("*"):
        if path.is_file() and path.stat().st_mtime > later_than:
            os.utime(path, (seconds, seconds))


def read_only(campaign: Campaign) -> Iterator[Outcome]:
    """Run with results, and with a user's table, on a file system that cannot be written."""
    need_root()
    outcome = Outcome("results cannot be written")
    with campaign.copy("read_only") as checkout, mounted(checkout.results, "-t", "tmpfs", "-o", "ro", "tmpfs"):
        campaign.fail(checkout, outcome)
        subprocess.run(["mount", "-o", "remount,rw", checkout.results], check=True)
        campaign.rerun(checkout, outcome)
    yield outcome

    outcome = Outcome("input cannot be written", times=1)
    rows = "".join(f"{i / 300},{(i * i) % 300 < i:d}\n" for i in range(301))
    found = []
    for protected in (False, True):
        with campaign.copy("read_only") as checkout:
            data = checkout.folder / "data"
            data.mkdir()
            (data / "mine.csv").write_text("q,y\n" + rows, encoding="utf-8")
            (checkout.folder / "mine.yaml").write_text("predictions: {mine: {path: data/mine.csv}}\n", encoding="utf-8")
            with mounted(data, "--bind", data) if protected else nullcontext():
                if protected:
                    subprocess.run(["mount", "-o", "remount,ro,bind", data], check=True)
                own = Checkout(checkout.folder, (*campaign.configs, "mine.yaml"), campaign.cores)
                status, told = own.run("results/predictions/mine/calibration.json")
                if status:
                    raise RuntimeError(told)
                found.append(own.contents())
    outcome.lost += sorted(found[0].keys() - found[1])
    outcome.different += sorted(path for path in found[1] if found[1][path] != found[0].get(path))
    yield outcome


def need_root() -> None:
    if os.geteuid() != 0:
        raise SkippedError("only root can mount file systems and limit groups of processes")


@contextmanager
def mounted(folder: Path, *arguments: str | Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *arguments, folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def size_of_project(checkout: Checkout) -> int:
    """Return the room that the files of a fresh copy take, in whole pages."""
    return sum(-(-path.lstat().st_size // 4096) * 4096 for path in checkout.folder.rglob("*") if path.is_file())


FAULTS = {
    each.__name__: each
    for each in (kill, signals, disk_full, memory, address_space, damage, well_formed, two_runs, clock, read_only)
}
COMMANDS = {each.__name__: each for each in (stopped, replaced, mixtures)}
"""Faults of the shell, which need no run of the workflow."""


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="where copies of the project are made")
    parser.add_argument("--faults", nargs="+", choices=FAULTS | COMMANDS, default=list(FAULTS | COMMANDS))
    parser.add_argument("--times", type=int, default=50, help="how often to kill (default: %(default)s)")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: %(default)s)")
    parser.add_argument("--configs", nargs="+", default=["configs/smoke.yaml"])
    parser.add_argument("--targets", nargs="*", default=[], help="of Snakemake (default: all)")
    given = vars(parser.parse_args())
    faults = given.pop("faults")
    given["folder"] = given["folder"].resolve()
    given["folder"].mkdir(parents=True, exist_ok=True)
    campaign = Campaign(**given) if FAULTS.keys() & faults else None
    outcomes = []
    for fault in faults:
        try:
            found = (
                COMMANDS[fault](given["folder"], given["times"], random.Random(given["seed"]))
                if fault in COMMANDS
                else FAULTS[fault](campaign)
            )
            for outcome in found:
                tell(f"{outcome}")
                outcomes.append(outcome)
        except SkippedError as reason:
            tell(f"{fault} is skipped: {reason}")
    print(table(outcomes))
    return int(not all(outcome.harmless for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
