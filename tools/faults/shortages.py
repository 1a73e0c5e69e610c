"""Take from the workflow what it needs: room on the disk, memory, the right to write."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path

from tools.checks import SkippedError
from tools.faults.campaign import Campaign
from tools.faults.checkouts import Checkout
from tools.faults.outcomes import Outcome

MEMORY_GROUPS = Path("/sys/fs/cgroup/memory")


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
    """Skip a fault that only root can make."""
    if os.geteuid() != 0:
        raise SkippedError("only root can mount file systems and limit groups of processes")


@contextmanager
def mounted(folder: Path, *arguments: str | Path) -> Iterator[None]:
    """Mount a file system on a folder for the block."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *arguments, folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def size_of_project(checkout: Checkout) -> int:
    """Return the room that the files of a fresh copy take, in whole pages."""
    return sum(-(-path.lstat().st_size // 4096) * 4096 for path in checkout.folder.rglob("*") if path.is_file())
