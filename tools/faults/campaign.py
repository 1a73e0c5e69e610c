"""A configuration's runs: one that is left in peace, and hurt copies that are compared with it."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.faults.checkouts import Checkout
from tools.faults.outcomes import Outcome, tell


@dataclass
class Campaign:
    """Faults of a configuration's runs, their random moments drawn from `seed`."""

    folder: Path
    configs: tuple[str, ...]
    cores: int
    seed: int
    times: int
    targets: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make the run that is left in peace, unless it is in the folder."""
        self.random = random.Random(self.seed)
        self.reference = Checkout(self.folder / "reference", self.configs, self.cores)
        if not self.reference.folder.exists():
            self.reference.copy_project()
            status, told = self.reference.run(*self.targets)
            if status:
                shutil.rmtree(self.reference.folder)
                self.reference.log.unlink()
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
        """Note what results lack or have otherwise, and how many jobs were run again."""
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


def complaint(told: str) -> str:
    """Return the last line that a job logged, or the last of its traceback."""
    logged = r"\d\d:\d\d:\d\d \S+: .*"
    raised = r"[\w.]*(?:Error|Exception|StopIteration|BadZipFile)(?:: .*)?"
    lines = re.findall(rf"^(?:{logged}|{raised})$", told, re.MULTILINE)
    own = [line for line in lines if not line.startswith(("WorkflowError", "CalledProcessError"))]
    return own[-1].strip() if own else told[-300:]
