"""`nlpcalib.plan_readings`: more items, second readings or an expert, for the next hour?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from nlpcalib.errors import InputError, counted
from nlpcalib.estimation.next_hour import expert_width, readers_width
from nlpcalib.estimation.readers import MIN_ITEMS_READ_TWICE, strata_of
from nlpcalib.examination.report import report_findings
from nlpcalib.questions.items import items_of

if TYPE_CHECKING:
    from nlpcalib.tables.facts import TableFacts


@dataclass(frozen=True)
class WayToRead:
    """Readings that the time may be spent on, and the width that they lead to."""

    name: str
    readings: int
    """Readings that the time allows, or that are left to make."""
    width: float | None
    """Expected width of the 95 % interval for the share of positive items afterwards; None where it is refused."""


@dataclass(frozen=True)
class ReadingPlan:
    """What another hour of reading is worth."""

    width: float | None
    """Expected width of the 95 % interval for the share of positive items now; None where it is refused."""
    choices: tuple[WayToRead, ...]
    """The narrowest first."""
    facts: TableFacts | None = None
    """What the table of items was taken to be."""

    def lines(self) -> list[str]:
        """Return the answer in words."""
        found = [f"Expected width of the 95 % interval for the share now: {_shown(self.width)}."]
        found += [f"{each.name} ({each.readings:,}): {_shown(each.width)}" for each in self.choices]
        best = self.choices[0].width
        if self.width is not None and best is not None and best >= self.width:
            return [*found, "None of them narrows the interval."]
        return [*found, f"Worth most: {self.choices[0].name}."]

    def record(self) -> dict[str, Any]:
        """Return the numbers by their names."""
        return {"width": self.width, "choices": [asdict(each) for each in self.choices]}

    def __str__(self) -> str:
        """Return the lines that the shell prints."""
        return "\n".join(self.lines())


def _shown(width: float | None) -> str:
    return "refused, since labels would not show how often readers err" if width is None else f"{width:.3f}"


def plan_readings(
    items: Any,
    *,
    read: int,
    twice: int,
    sensitivity: float,
    specificity: float,
    minutes: Sequence[float] = (1.0, 3.0),
    hours: float = 1.0,
    columns: Mapping[str, str] | None = None,
) -> ReadingPlan:
    """Forecast which narrows the interval most: more items, second readings, or an expert's labels of some.

    The widths are those that `nlpcalib.estimate` would have: of the first two with `readers="model"`, of the third with
    `expert=`. Readers are taken to
    err independently and equally often, and predictions to be calibrated. Items are read at random.

    Parameters
    ----------
    items : path, or array_like of shape (N,)
        A table with a prediction `q` for each item, or the predictions.
    read, twice : int
        Items that were read so far, and those of them that two readers read.
    sensitivity, specificity : float
        Of the readers, as `nlpcalib.estimate` prints them of the pilot.
    minutes : two numbers
        What one reading takes a reader, and the expert.
    hours : float
        Time to spend.
    columns : mapping, optional
        As for `nlpcalib.estimate`.

    Raises
    ------
    InputError
        For numbers out of range, and time that is too short for a reading.
    """
    for name, rate in (("sensitivity", sensitivity), ("specificity", specificity)):
        if not 0.5 < rate <= 1:
            raise InputError(f"{name}: found {rate:g}, expected a share above .5, to 1")
    if len(minutes) != 2 or not all(0 < each < np.inf for each in minutes):
        shown = ", ".join(f"{each:g}" for each in minutes)
        raise InputError(f"minutes: found {shown}, expected two positive numbers: of a reader, and of the expert")
    found = items_of(items, columns=columns)
    q = found.frame.q
    if not 0 <= twice <= read <= len(q):
        raise InputError(
            f"read: found {read} items read and {twice} of them twice, expected at most {counted(len(q), 'item')}, and "
            "no more twice than once"
        )
    if not 60 * hours >= max(minutes):
        raise InputError(f"hours: found {hours:g}, expected time for one reading at least")
    facts = found.facts(())
    report_findings(facts.findings if facts else found.findings(), found.place if facts else "")
    stratum = strata_of(q)
    size = np.bincount(stratum)
    by_reader, by_expert = (int(60 * hours / each) for each in minutes)
    more, second, expert = min(by_reader, len(q) - read), min(by_reader, read - twice), min(by_expert, len(q))

    def width(read: int, twice: int) -> float | None:
        if twice < MIN_ITEMS_READ_TWICE:
            return None
        try:
            return readers_width(q, stratum, read, twice, sensitivity, specificity)
        except InputError:
            return None

    choices = [
        WayToRead("more items, each read once", more, width(read + more, twice)),
        WayToRead("second readings", second, width(read, twice + second)),
        WayToRead("an expert's labels", expert, expert_width(size / len(q), np.bincount(stratum, q) / size, expert)),
    ]
    return ReadingPlan(width(read, twice), tuple(sorted(choices, key=lambda each: each.width or np.inf)), facts)
