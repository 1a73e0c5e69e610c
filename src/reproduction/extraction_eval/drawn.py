"""Which leads people annotate: samples of `nlpcalib.sampling`, whose strata are the machine's categories.

Every lead has a random number, a function of the seed and its id alone, and the smallest of each category are taken. So
neither the order of the table nor leads of other categories decide on a lead, and a larger sample of the same leads
with the same seed contains a smaller one. Leads that join a category later may have smaller numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.sampling.plan import Plan, allocated_plan
from reproduction.extraction_eval.codings import BY_CATEGORY, Codings


@dataclass(frozen=True)
class DrawnLeads:
    """The leads that a plan draws, and what estimates need to know of how they were drawn."""

    categories: tuple[str, ...]
    sizes: tuple[int, ...]
    """C: leads of each category of the machine in the population."""
    stratum: dict[str, int]
    """The machine's category of each drawn lead."""
    stratified: bool
    """Whether categories were sampled one by one; else the sample is one of all leads."""
    seed: int

    def only(self, leads: Iterable[str]) -> DrawnLeads:
        """Return those that are in `leads` alone, to write or read a sheet of a part."""
        wanted = set(leads)
        return replace(self, stratum={lead: number for lead, number in self.stratum.items() if lead in wanted})

    def without(self, leads: Iterable[str]) -> DrawnLeads:
        """Return all but some leads, such as those that are annotated already."""
        return self.only(self.stratum.keys() - set(leads))


def plan_leads(codings: Codings, allocation: np.ndarray, seed: int) -> Plan:
    """Plan to read `allocation[m]` leads of each category m of the machine.

    Raises `InputError` for a category from which more leads are asked for than it has.
    """
    sizes = codings.sizes
    for category, asked, there in zip(codings.categories, allocation, sizes, strict=True):
        if not 0 <= asked <= there:
            raise InputError(f"allocation: found {asked} leads of {category!r}, expected 0 to {there}")
    return allocated_plan(codings, sizes, allocation, seed, BY_CATEGORY)


def plan_random_leads(codings: Codings, n: int, seed: int) -> Plan:
    """Plan to read n of all leads, whatever the machine answers."""
    if not 0 < n <= codings.items:
        raise InputError(f"plan: found {n} leads to sample, expected 1 to {codings.items}")
    return allocated_plan(codings, np.array([codings.items]), np.array([n]), seed, "random")


def drawn_leads(codings: Codings, plan: Plan) -> DrawnLeads:
    """Return the leads that a plan draws; raises `InputError` for other codings than those of the plan."""
    rows = plan.queue(codings).first(plan.read[-1]).tolist()
    stratum = {codings.leads[row]: int(codings.machine[row]) for row in rows}
    return DrawnLeads(codings.categories, tuple(codings.sizes.tolist()), stratum, plan.design == BY_CATEGORY, plan.seed)
