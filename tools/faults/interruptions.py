"""Interrupt the workflow: kill it, stop it, start it twice, put the clock right under it."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tools.checks import SkippedError
from tools.faults.campaign import Campaign
from tools.faults.checkouts import Checkout, alive, await_group, await_jobs, running_jobs
from tools.faults.outcomes import Outcome, tell
from tools.faults.watching import Watch

VICTIMS = ("Snakemake", "a job", "all")
MOMENTS = ("after seconds", "as a job starts", "as outputs are written")
YEAR = 365 * 24 * 3600
FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")


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
    killed = number == signal.SIGKILL
    outcomes = {victim: Outcome(f"{number.name}: {victim}", may_leave=killed) for victim in VICTIMS}
    hit: Counter[str] = Counter()
    moments: Counter[str | None] = Counter()
    afterwards: Counter[str] = Counter()
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
    start, begun = time.monotonic(), 0
    seen: set[int] = set()
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
