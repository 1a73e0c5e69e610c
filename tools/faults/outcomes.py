"""What faults did, counted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tools.checks import require


@dataclass
class Outcome:
    """What a fault did.

    interrupted : jobs that were running when it struck; again : jobs that had ended well and were run once more
    left : temporary folders that are left over, and `may_leave`: whether they may be, as after SIGKILL
    partial, different, lost : results that were there in part at the fault, and that differ or lack after the rerun
    read_as_whole : files damaged behind Snakemake's back that a job read
    """

    fault: str
    times: int = 0
    interrupted: int = 0
    again: int = 0
    left: int = 0
    may_leave: bool = False
    partial: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    read_as_whole: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Raise `FailedError` if the fault did harm."""
        found = {
            "there in part": self.partial,
            "different": self.different,
            "lost": self.lost,
            "read as whole": self.read_as_whole,
        }
        harm = [f"{how}: {', '.join(files)}" for how, files in found.items() if files]
        harm += [f"folders left: {self.left}"] if self.left and not self.may_leave else []
        require(not harm, "; ".join(harm))


def tell(line: str) -> None:
    """Print a line with the time."""
    print(time.strftime("%H:%M:%S"), line, flush=True)


def table(outcomes: list[Outcome]) -> str:
    """Return the outcomes as a table in Markdown."""
    counted = ("times", "jobs interrupted", "run again though done", "read as whole", "folders left")
    rows: list[tuple[str, ...]] = [("fault", *counted, "in part", "different", "lost")]
    rows.append(("---",) * len(rows[0]))
    for each in outcomes:
        files = [str(len(found)) if found else "nothing" for found in (each.partial, each.different, each.lost)]
        counts = (each.times, each.interrupted, each.again, len(each.read_as_whole), each.left)
        rows.append((each.fault, *map(str, counts), *files))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
