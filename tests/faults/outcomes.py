"""What faults did, counted."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


class SkippedError(Exception):
    """A fault that cannot be had here."""


@dataclass
class Outcome:
    """What a fault did.

    interrupted : jobs that were running when it struck; again : jobs that had ended well and were run once more
    left : temporary folders that are left over
    partial, different, lost : results that were there in part at the fault, and that differ or lack after the rerun
    read_as_whole : files damaged behind Snakemake's back of which a job made other results than of the whole file
    """

    fault: str
    times: int = 0
    interrupted: int = 0
    again: int = 0
    left: int = 0
    partial: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    read_as_whole: list[str] = field(default_factory=list)

    @property
    def harmless(self) -> bool:
        """Whether nothing is wrong after the rerun; what is read as whole is so until it is deleted and made anew."""
        return not (self.partial or self.different or self.lost)


def tell(line: str) -> None:
    print(time.strftime("%H:%M:%S"), line, flush=True)


def table(outcomes: list[Outcome]) -> str:
    """Return the outcomes as a table in Markdown."""
    counted = ("times", "jobs interrupted", "run again though done", "read as whole", "folders left")
    rows = [("fault", *counted, "in part", "different", "lost")]
    rows.append(("---",) * len(rows[0]))
    for each in outcomes:
        files = [str(len(found)) if found else "nothing" for found in (each.partial, each.different, each.lost)]
        counts = (each.times, each.interrupted, each.again, len(each.read_as_whole), each.left)
        rows.append((each.fault, *map(str, counts), *files))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)
