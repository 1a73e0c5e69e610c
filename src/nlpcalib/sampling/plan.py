"""Plans of probability samples: how many units of each stratum are read in each phase, with which probability.

A plan has the number of units that are read of each stratum, and `nlpcalib.sampling.frame.Queue` their order. So a
plan that is extended keeps every label that exists, and needs no list of units to give each of them its inclusion
probability: those of stratum h have n_h/N_h.

Units of several items that are read in phases have a weight for each phase instead. The share of a phase in the
estimate is fixed before its labels are read. Given the phase, what follows it is unbiased, and so is the whole.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, quoted
from nlpcalib.io.files import check_file, read_json, write_json
from nlpcalib.sampling.allocation import (
    after_phase,
    after_pilot,
    by_prediction,
    of_units,
    phase_share,
    pilot_of_units,
    pilot_size,
)
from nlpcalib.sampling.cells import LEVEL_LOG_ODDS, level_of
from nlpcalib.sampling.frame import Frame, Queue, Units
from nlpcalib.sampling.strata import ITEM_STRATA, strata_of_units

DESIGNS = ("two-phase", "stratified", "random")
"""Ways to draw items by predictions of a model."""
WORDS = "words"
"""The way to draw texts by keywords: all with one, or most of the budget, and the rest among the others."""
_MAX_SHARE_WITH_WORDS = 0.75
"""Share of the budget that texts with a keyword take at most: the rest finds what the keywords miss."""
_PRIOR_SPREAD_UNITS = 4
"""Units with the anticipated spread that are added to the labelled ones of a stratum."""


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
    match: str = ""
    """The keywords that predictions were made of; empty if the table has predictions."""
    shares: tuple[tuple[float, ...], ...] = ()
    """λ_h of the phases of units of several items, without the last: see `unit_weights`."""

    def unit_weights(self, queue: Queue) -> np.ndarray:
        """Return the weight of each unit of several items, float64 (U,), 0 where it is not read.

        Each phase estimates what is left by λ Σ₁ N/n₁ + (1 − λ) (Σ₁ + what follows); in the last λ is 1. Units of a
        stratum that is read whole are counted.
        """
        weights, before = np.zeros(len(queue.strata)), np.array([], dtype=np.int64)
        left, rest = np.array(self.units, dtype=np.float64), np.ones(len(self.units))
        shares = np.array([*self.shares[: len(self.read) - 1], rest])
        for read, n, share in zip(self.read, np.diff(self.read, axis=0, prepend=0), shares, strict=True):
            each = rest * (share * left / np.maximum(n, 1) + 1 - share)
            done = queue.first(read)
            rows = np.setdiff1d(done, before)
            weights[rows] = each[queue.strata[rows]]
            before, left, rest = done, left - n, rest * (1 - share)
        return np.where((weights > 0) & (left == 0)[queue.strata], 1, weights)

    @property
    def weights(self) -> np.ndarray:
        """float64 (S,): 1/π of the units of each stratum, infinite where none is read."""
        units, read = np.array(self.units, dtype=np.float64), np.array(self.read[-1], dtype=np.float64)
        return np.divide(units, read, out=np.where(units > 0, np.inf, 1.0), where=read > 0)

    def continues(self, before: Plan) -> bool:
        """Return whether this plan is `before` and one part more."""
        same = ("design", "seed", "checksum", "units", "match")
        return self.read[:-1] == before.read and all(getattr(self, each) == getattr(before, each) for each in same)

    @property
    def complete(self) -> bool:
        """Whether all phases are planned."""
        return sum(self.read[-1]) >= min(self.budget, sum(self.units))

    def queue(self, population: Units) -> Queue:
        """Return the order in which units join the sample; `first(plan.read[-1])` of it are read.

        Raises `InputError` for another population than the one that the plan was drawn from.
        """
        if population.checksum != self.checksum:
            found, planned = (population.items, len(population.ids)), (self.items, sum(self.units))
            if found == planned:
                differs = (
                    f"the plan's {self.items} items with other ids, predictions, units or texts, or in another order, "
                    "expected them as they were"
                )
            else:
                differs = "{} items in {} units, expected the {} in {}".format(*found, *planned)
            raise InputError(f"found {differs} when the plan was drawn")
        return Queue.of(population, self.design, self.units, self.seed)


def allocated_plan(
    population: Units, sizes: np.ndarray, allocation: np.ndarray, seed: int, design: str, budget: int | None = None
) -> Plan:
    """Return the plan that reads so many units of each stratum.

    Parameters
    ----------
    population : Units
        What is drawn from.
    sizes, allocation : ndarray of int, shape (S,)
        Units of each stratum of `design`, and how many of them are read.
    seed : int
        Seed of the order in which units join the sample.
    design : str
        What `population.strata` takes.
    budget : int, optional
        Units to be read when later phases are done; the sum of `allocation` if it is not given.

    Raises `InputError` for a stratum of which more units are to be read than it has.
    """
    for number in np.flatnonzero((allocation < 0) | (allocation > sizes)).tolist():
        found = f"{allocation[number]} units of stratum {number}"
        raise InputError(f"allocation: found {found}, expected 0 to {sizes[number]}")
    return Plan(
        design, seed, int(allocation.sum()) if budget is None else budget, population.checksum, population.items,
        tuple(sizes.tolist()), (tuple(allocation.tolist()),),
    )  # fmt: skip


def draw_plan(frame: Frame, budget: int, seed: int, design: str = "two-phase") -> Plan:
    """Plan to read `budget` units; a design of two phases begins with a pilot of 40 %.

    Raises `InputError` for a budget of no unit or more than there are.
    """
    if design not in (*DESIGNS, WORDS):
        raise InputError(f"design: found {quoted(design)}, expected one of {', '.join((*DESIGNS, WORDS))}")
    if not 1 <= budget <= len(frame.ids):
        raise InputError(f"budget: found {budget} units to read, expected 1 to {len(frame.ids)}")
    if design == WORDS:
        sizes = np.bincount(frame.strata(WORDS), minlength=2)
        matched = min(sizes[1], max(round(_MAX_SHARE_WITH_WORDS * budget), budget - sizes[0]))
        return allocated_plan(frame, sizes, np.array([budget - matched, matched]), seed, design)
    number = 1 if design == "random" else ITEM_STRATA if frame.unit is None else strata_of_units(budget)
    strata = frame.strata(design, number)
    sizes = np.bincount(strata, minlength=number)
    if frame.unit is not None:
        planned = of_units(sizes, _rms_spread(frame, strata, sizes), budget)
        plan = allocated_plan(frame, sizes, planned, seed, design)
        if design != "two-phase":
            return plan
        pilot = pilot_of_units(planned)
        share = phase_share(sizes, pilot, planned)
        return replace(plan, read=(tuple(pilot.tolist()),), shares=(tuple(share.tolist()),))
    n = max(pilot_size(budget), 1) if design == "two-phase" else budget
    allocation = by_prediction(sizes, expected_spread(frame, strata, len(sizes)), n)
    return allocated_plan(frame, sizes, allocation, seed, design, budget)


def extend_plan(
    plan: Plan, frame: Frame, queue: Queue, positive: np.ndarray, budget: int | None = None
) -> Plan:  # fmt: skip
    """Plan the next phase, or more units than at first; every unit of earlier phases stays in the sample.

    Parameters
    ----------
    plan : Plan
        What is read so far.
    frame, queue : Frame, Queue
        What it was drawn from, and the order of its units.
    positive : ndarray, shape (n,)
        Positive items of each unit read so far, in the order of `queue.first(plan.read[-1])`.
    budget : int, optional
        Units to be read in all; that of the plan if it is not given.
    """
    read, done = np.array(plan.read[-1]), queue.first(plan.read[-1])
    strata, n = queue.strata[done], len(plan.units)
    sums, squares = (np.bincount(strata, positive**power, minlength=n) for power in (1, 2))
    total = plan.budget if budget is None else budget
    if not len(strata) <= total <= len(queue.strata):
        raise InputError(f"budget: found {total} units to read, expected {len(strata)} to {len(queue.strata)}")
    if frame.unit is not None:
        return _next_phase(plan, frame, queue, positive - np.bincount(frame.unit, frame.q)[done], total)
    spread = squares - sums**2 / np.maximum(read, 1)
    allocation = after_pilot(np.array(plan.units), read, np.maximum(spread, 0), total)
    return replace(plan, budget=total, read=(*plan.read, tuple(allocation.tolist())))


def _next_phase(plan: Plan, frame: Frame, queue: Queue, residual: np.ndarray, budget: int) -> Plan:
    """Return the plan with one phase more; `residual` is by how much each unit read differs from what was predicted.

    The share of a phase that was planned as the last follows from the numbers of units alone.
    """
    sizes, read, done = np.array(plan.units), np.array(plan.read[-1]), queue.first(plan.read[-1])
    if budget == len(done):
        return replace(plan, budget=budget)
    spread = _rms_spread(frame, queue.strata, sizes)
    shares = plan.shares
    if len(shares) < len(plan.read):
        before = np.array(plan.read[-2]) if len(plan.read) > 1 else np.zeros_like(read)
        share = phase_share(sizes - before, read - before, of_units(sizes, spread, budget, read) - before)
        shares = (*shares, tuple(share.tolist()))
    strata = queue.strata[done]
    squares = np.bincount(strata, (residual / frame.spread[done]) ** 2, minlength=len(sizes))
    ratio = np.sqrt((squares + _PRIOR_SPREAD_UNITS) / (read + _PRIOR_SPREAD_UNITS))
    rest = np.prod(1 - np.array(shares), axis=0)
    more = after_phase(sizes - read, rest, spread, ratio, budget - len(done))
    return replace(plan, budget=budget, read=(*plan.read, tuple((read + more).tolist())), shares=shares)


def expected_plan(frame: Frame, budget: int, seed: int = 0, design: str = "two-phase") -> Plan:
    """Return the plan with all of its phases that is expected before anything is read, if the model is right."""
    plan = draw_plan(frame, budget, seed, design)
    sizes, pilot = np.array(plan.units), np.array(plan.read[-1])
    if plan.complete:
        return plan
    if frame.unit is not None:
        planned = of_units(sizes, _rms_spread(frame, frame.strata(design, len(sizes)), sizes), budget)
        return replace(plan, read=(*plan.read, tuple(planned.tolist())))
    spread = expected_spread(frame, frame.strata(design), len(sizes))
    return replace(plan, read=(*plan.read, tuple(after_pilot(sizes, pilot, pilot * spread**2, budget).tolist())))


def expected_spread(frame: Frame, strata: np.ndarray, number: int) -> np.ndarray:
    """Return the standard deviation of an item's label within each stratum, as the model expects it."""
    p = 1 / (1 + np.exp(-LEVEL_LOG_ODDS))
    variance = (p * (1 - p))[level_of(frame.q)]
    return np.sqrt(
        np.bincount(strata, variance, minlength=number) / np.maximum(np.bincount(strata, minlength=number), 1)
    )


def _rms_spread(frame: Frame, strata: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the root mean square of the anticipated spread of the units of each stratum, (S,)."""
    return np.sqrt(np.bincount(strata, frame.spread**2, minlength=len(sizes)) / np.maximum(sizes, 1))


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan as JSON: the units of each stratum, and how many of them are read by the end of each phase."""
    write_json(path, {key: value for key, value in asdict(plan).items() if key != "match" or value})


def read_plan(path: str | Path) -> Plan:
    """Read what `write_plan` wrote; raises `InputError` for another file."""
    check_file(Path(path))
    content = read_json(path)
    content = {"match": "", **content} if isinstance(content, dict) else content
    types: dict[str, type] = dict.fromkeys(("design", "checksum", "match"), str)
    types |= dict.fromkeys(("seed", "budget", "items"), int) | dict.fromkeys(("units", "read", "shares"), list)
    if isinstance(content, dict) and content.keys() == types.keys() - {"shares"}:
        raise InputError(f"{path}: found a plan of version 0.2, expected one of this version: plan anew")
    if not isinstance(content, dict) or content.keys() != types.keys():
        raise InputError(f"{path}: found no plan, expected the keys {', '.join(field.name for field in fields(Plan))}")
    for key, kind in types.items():
        if type(content[key]) is not kind:
            raise InputError(f"{path}: found {quoted(content[key])} as {key}, expected {kind.__name__}")
    units, read, shares = content["units"], content["read"], content["shares"]
    phases = [phase for phase in read if isinstance(phase, list) and len(phase) == len(units)]
    counts = [units, *phases]
    whole = all(type(count) is int and count >= 0 for column in counts for count in column)
    if not phases or len(phases) < len(read) or not whole or not (np.diff([*phases, units], axis=0) >= 0).all():
        raise InputError(f"{path}: found counts that do not fit, expected each phase to contain the one before")
    fit = all(isinstance(share, list) and len(share) == len(units) for share in shares) and len(shares) <= len(read)
    if not fit or not all(type(part) is float and 0 <= part <= 1 for share in shares for part in share):
        raise InputError(f"{path}: found the shares {shares}, expected a number from 0 to 1 of each phase and stratum")
    return Plan(
        **{**content, **{key: tuple(map(tuple, content[key])) for key in ("read", "shares")}, "units": tuple(units)}
    )
