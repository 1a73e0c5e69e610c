"""The plan of a probability sample: which units are read, with which inclusion probability, and in which phase.

A unit is what is read whole: an item, or the document of several. Within a stratum the units with the smallest
permanent random numbers are read. So a plan that is extended keeps every label that exists, and needs no list of
units to give each of them its inclusion probability: those of stratum h have n_h/N_h.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json, write_json
from nlpcalib.sampling.allocation import after_pilot, by_prediction, pilot_size
from nlpcalib.sampling.cells import LEVELS, LOG_ODDS, check_predictions, level_of
from nlpcalib.sampling.choices import DESIGNS
from nlpcalib.sampling.strata import STRATA, stratum_of_cluster, stratum_of_level
from nlpcalib.seeding import permanent_numbers

_KINDS = {"design": str, "seed": int, "budget": int, "checksum": str, "items": int, "units": list, "read": list}


@dataclass(frozen=True, eq=False)
class Frame:
    """The N items of a corpus, in U units."""

    ids: Sequence[str]
    """The id of each unit, U of them, distinct."""
    q: np.ndarray
    """float64 (N,): the prediction of each item."""
    unit: np.ndarray | None = None
    """int64 (N,): the unit of each item; None where each item is a unit."""

    def __post_init__(self) -> None:
        """Raise `InputError` for predictions that are none, and ids that are there twice."""
        check_predictions(self.q)
        if len(set(self.ids)) < len(self.ids):
            raise InputError(f"items: found {len(self.ids) - len(set(self.ids))} ids again, expected each once")

    def checksum(self) -> str:
        """Return the SHA-256 of ids and predictions: a plan holds for the frame that it was drawn from."""
        digest = hashlib.sha256("\n".join(self.ids).encode())
        digest.update(np.ascontiguousarray(self.q, dtype="<f8").tobytes())
        if self.unit is not None:
            digest.update(np.ascontiguousarray(self.unit, dtype="<i8").tobytes())
        return digest.hexdigest()

    def strata(self, design: str) -> np.ndarray:
        """Return the stratum of each unit, int64 (U,), by its predictions; one for all in a random design."""
        if design == "random":
            return np.zeros(len(self.ids), dtype=np.int64)
        if self.unit is not None:
            return stratum_of_cluster(self.q, self.unit, len(self.ids))
        level = level_of(self.q)
        return stratum_of_level(np.bincount(level, minlength=LEVELS).astype(np.float64))[level]

    def rows_of(self, units: np.ndarray) -> np.ndarray:
        """Return the rows of the items of some units, sorted, if the units are."""
        return units if self.unit is None else np.flatnonzero(np.isin(self.unit, units))


@dataclass(frozen=True)
class Plan:
    """How many units of each stratum are read, in each phase."""

    design: str
    seed: int
    budget: int
    """Units to be read when all phases are done."""
    checksum: str
    items: int
    units: tuple[int, ...]
    """N_h: units of each stratum in the corpus."""
    read: tuple[tuple[int, ...], ...]
    """Units of each stratum that are read in the end of each phase: a phase contains those before it."""

    @property
    def weights(self) -> np.ndarray:
        """float64 (S,): 1/π of the units of each stratum, infinite where none is read."""
        units, read = np.array(self.units, dtype=np.float64), np.array(self.read[-1], dtype=np.float64)
        return np.divide(units, read, out=np.where(units > 0, np.inf, 1.0), where=read > 0)

    @property
    def complete(self) -> bool:
        """Whether all phases are planned."""
        return sum(self.read[-1]) >= min(self.budget, sum(self.units))

    def check(self, frame: Frame) -> None:
        """Raise `InputError` for another frame than the one that the plan was drawn from."""
        if frame.checksum() != self.checksum:
            found, planned = (len(frame.q), len(frame.ids)), (self.items, sum(self.units))
            if found == planned:
                differs = (
                    f"the plan's {self.items} items with other ids, predictions or units, expected them as they were"
                )
            else:
                differs = "{} items in {} units, expected the {} in {}".format(*found, *planned)
            raise InputError(f"found {differs} when the plan was drawn")

    def drawn(self, frame: Frame, phase: int = -1) -> np.ndarray:
        """Return the rows of the units that are read by the end of a phase, sorted, int64.

        Raises `InputError` for another frame than the plan's.
        """
        self.check(frame)
        strata = frame.strata(self.design)
        number = permanent_numbers(self.seed, "annotation", ids=frame.ids)
        order = np.lexsort((number, strata))
        starts = np.concatenate([[0], np.cumsum(self.units)[:-1]])
        chosen = [order[a : a + n] for a, n in zip(starts, self.read[phase], strict=True)]
        return np.sort(np.concatenate(chosen))


def draw_plan(frame: Frame, budget: int, seed: int, design: str = "two-phase") -> Plan:
    """Plan to read `budget` units; a design of two phases begins with a pilot of 40 %.

    Raises `InputError` for a budget of no unit or more than there are.
    """
    if design not in DESIGNS:
        raise InputError(f"design: found {design!r}, expected one of {', '.join(DESIGNS)}")
    if not 1 <= budget <= len(frame.ids):
        raise InputError(f"budget: found {budget} units to read, expected 1 to {len(frame.ids)}")
    strata = frame.strata(design)
    sizes = np.bincount(strata, minlength=1 if design == "random" else STRATA)
    n = max(pilot_size(budget), 1) if design == "two-phase" else budget
    allocation = by_prediction(sizes, expected_spread(frame, strata, len(sizes)), n)
    return Plan(
        design, seed, budget, frame.checksum(), len(frame.q), tuple(sizes.tolist()), (tuple(allocation.tolist()),)
    )


def extend_plan(plan: Plan, frame: Frame, positive: np.ndarray, budget: int | None = None) -> Plan:
    """Plan the next phase, or more units than at first; every unit of earlier phases stays in the sample.

    Parameters
    ----------
    plan : Plan
        What is read so far.
    frame : Frame
        The corpus.
    positive : ndarray, shape (n,)
        Positive items of each unit read so far, in the order of `plan.drawn(frame)`.
    budget : int, optional
        Units to be read in all; that of the plan if it is not given.
    """
    drawn = plan.drawn(frame)
    strata = frame.strata(plan.design)[drawn]
    n = len(plan.units)
    read = np.array(plan.read[-1])
    sums, squares = (np.bincount(strata, positive**power, minlength=n) for power in (1, 2))
    total = plan.budget if budget is None else budget
    if not len(drawn) <= total <= len(frame.ids):
        raise InputError(f"budget: found {total} units to read, expected {len(drawn)} to {len(frame.ids)}")
    spread = squares - sums**2 / np.maximum(read, 1)
    allocation = after_pilot(np.array(plan.units), read, np.maximum(spread, 0), total)
    return replace(plan, budget=total, read=(*plan.read, tuple(allocation.tolist())))


def expected_plan(frame: Frame, budget: int, seed: int = 0, design: str = "two-phase") -> Plan:
    """Return the plan with all of its phases that is expected before anything is read, if the model is right."""
    plan = draw_plan(frame, budget, seed, design)
    sizes, pilot = np.array(plan.units), np.array(plan.read[-1])
    if plan.complete:
        return plan
    spread = expected_spread(frame, frame.strata(design), len(sizes))
    return replace(plan, read=(*plan.read, tuple(after_pilot(sizes, pilot, pilot * spread**2, budget).tolist())))


def expected_spread(frame: Frame, strata: np.ndarray, number: int) -> np.ndarray:
    """Return the standard deviation of a unit's positive items within each stratum, as the model expects it."""
    p = 1 / (1 + np.exp(-LOG_ODDS))
    variance = (p * (1 - p))[level_of(frame.q)]
    if frame.unit is not None:
        variance = np.bincount(frame.unit, variance, minlength=len(frame.ids))
    return np.sqrt(
        np.bincount(strata, variance, minlength=number) / np.maximum(np.bincount(strata, minlength=number), 1)
    )


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan as JSON: of each stratum, its units, and how many of them are read by the end of each phase."""
    write_json(path, asdict(plan))


def read_plan(path: str | Path) -> Plan:
    """Read what `write_plan` wrote; raises `InputError` for another file."""
    content = read_json(path)
    if not isinstance(content, dict) or content.keys() != _KINDS.keys():
        raise InputError(f"{path}: found no plan, expected the keys {', '.join(_KINDS)}")
    for key, kind in _KINDS.items():
        if type(content[key]) is not kind:
            raise InputError(f"{path}: found {content[key]!r} as {key}, expected {kind.__name__}")
    units, read = content["units"], content["read"]
    phases = [phase for phase in read if isinstance(phase, list) and len(phase) == len(units)]
    counts = [units, *phases]
    whole = all(type(count) is int and count >= 0 for column in counts for count in column)
    if not phases or len(phases) < len(read) or not whole or not (np.diff([*phases, units], axis=0) >= 0).all():
        raise InputError(f"{path}: found counts that do not fit, expected each phase to contain the one before")
    return Plan(**{**content, "units": tuple(units), "read": tuple(tuple(phase) for phase in phases)})
