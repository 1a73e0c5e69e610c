"""The plan of a sample: which leads are annotated, and what estimates need to know of how they were drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_json, write_json


@dataclass(frozen=True)
class Plan:
    """A sample of leads."""

    categories: tuple[str, ...]
    sizes: tuple[int, ...]
    """C: leads of each category of the machine in the population."""
    stratum: dict[str, int]
    """The machine's category of each sampled lead, in the order in which leads join the sample."""
    stratified: bool
    """Whether categories were sampled one by one; else the sample is one of all leads."""
    seed: int

    def only(self, leads: Iterable[str]) -> Plan:
        """Return the plan with those of its leads alone that are in `leads`, to write or read a sheet of a part."""
        wanted = set(leads)
        return replace(self, stratum={lead: number for lead, number in self.stratum.items() if lead in wanted})

    def without(self, leads: Iterable[str]) -> Plan:
        """Return the plan without some leads, such as those that are annotated already."""
        return self.only(self.stratum.keys() - set(leads))


def write_plan(path: str | Path, plan: Plan) -> None:
    """Write a plan as JSON. It has the machine's answers: people who annotate must not see it."""
    write_json(path, asdict(plan))


def read_plan(path: str | Path) -> Plan:
    """Read what `write_plan` wrote; raises `InputError` for another file, and for leads of no category."""
    content = read_json(path)
    wrong = _wrong(content)
    if wrong:
        raise InputError(f"{path}: found {wrong}, expected what write_plan wrote")
    return Plan(**{**content, "categories": tuple(content["categories"]), "sizes": tuple(content["sizes"])})


def _wrong(content: object) -> str:
    """Return what is wrong with the content of a plan's file, or nothing."""
    kinds = {"categories": list, "sizes": list, "stratum": dict, "stratified": bool, "seed": int}
    if not isinstance(content, dict) or content.keys() != kinds.keys():
        return f"no keys {', '.join(kinds)}"
    for key, kind in kinds.items():
        if type(content[key]) is not kind:
            return f"a {key!r} of another kind"
    categories, sizes, strata = content["categories"], content["sizes"], content["stratum"].values()
    if not all(isinstance(category, str) for category in categories) or len({*categories}) < len(categories):
        return "categories that are no texts, or there twice"
    if len(sizes) != len(categories) or not all(type(size) is int and 0 <= size < 2**63 for size in sizes):
        return f"sizes that are not {len(categories)} numbers of leads"
    if not all(type(stratum) is int and 0 <= stratum < len(sizes) for stratum in strata):
        return f"leads that are in none of {len(sizes)} categories"
    return ""
