"""Sheets that people code in: written without the machine's answer, read back with every slip named by its row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.extraction_eval.codings import Codings
from nlpcalib.extraction_eval.plan import Plan
from nlpcalib.extraction_eval.tables import read_rows
from nlpcalib.io.files import atomic_open
from nlpcalib.io.spreadsheet import table_writer
from nlpcalib.seeding import generator

_LEAD = "lead "
"""Stands before ids in sheets: a spreadsheet would take 1/2 for a date, 007 for a number and =1 for a formula."""
_NAMED = 5


def sheet_rows(codings: Codings, plan: Plan) -> list[dict[str, str]]:
    """Return `lead`, `date`, `text` of the plan's leads in an order that tells nothing of the machine's answer.

    An id stands after the word `lead`, so that no spreadsheet takes it for something else.
    """
    number = {lead: generator(plan.seed, "extraction_eval", "sheet", lead).random() for lead in plan.stratum}
    unknown = [lead for lead in plan.stratum if lead not in codings.row_of]
    if unknown:
        raise InputError(f"sheet: found the leads {some(unknown)} in the plan, expected leads of the codings")
    rows = [codings.row_of[lead] for lead in sorted(plan.stratum, key=lambda lead: (number[lead], lead))]
    return [
        {"lead": f"{_LEAD}{codings.leads[row]}", "date": codings.dates[row], "text": codings.texts[row]} for row in rows
    ]


def write_sheet(path: str | Path, codings: Codings, plan: Plan) -> None:
    """Write a CSV for a spreadsheet, with an empty column `code` to be filled with categories, `none` among them.

    It begins with the mark of UTF-8. A text that a spreadsheet would take for a formula is protected.

    Raises `InputError` for categories that a spreadsheet would make the same number, as 010 and 10.
    """
    _check_numbers(plan.categories)
    with atomic_open(path) as file:
        file.write("\ufeff")
        write_row = table_writer(file, "\r\n")
        write_row(("lead", "date", "text", "code"))
        for row in sheet_rows(codings, plan):
            write_row((row["lead"], row["date"], row["text"], ""))


def _check_numbers(categories: Sequence[str]) -> None:
    known: dict[float, str] = {}
    for category in categories:
        try:
            number = float(category)
        except ValueError:
            continue
        if number in known:
            found = f"the categories {known[number]!r} and {category!r}"
            raise InputError(f"sheet: found {found}, expected names that no spreadsheet confuses")
        known[number] = category


def read_sheet(path: str | Path, plan: Plan) -> dict[str, int]:
    """Read one coder's CSV, from a spreadsheet or the coding page, and return the category of each lead of the plan.

    Needed are the columns `lead` and `code`; rows may be in any order.

    Raises `InputError`, naming the lines, for codes that are missing or no category and leads that are there twice, for
    a lead that is not in the plan, and naming the leads, if some of the plan are not there.
    """
    index = {category: number for number, category in enumerate(plan.categories)}
    codes: dict[str, int] = {}
    slips = []
    for place, lead, code in _coded(path, plan):
        if lead in codes:
            slips.append(f"{place}: found the lead {lead!r} again")
        elif not code:
            slips.append(f"{place}: found no code for the lead {lead!r}")
        elif code not in index:
            near = "".join(f" (nearest: {other})" for other in get_close_matches(code, index, n=1))
            slips.append(f"{place}: found the code {code!r}{near}")
        codes[lead] = index.get(code, 0)
    if slips:
        more = f"; and {len(slips) - _NAMED} more" if len(slips) > _NAMED else ""
        expected = f"expected each lead once, with one of {some(plan.categories)}"
        raise InputError(f"{'; '.join(slips[:_NAMED])}{more}; {expected}")
    missing = [lead for lead in plan.stratum if lead not in codes]
    if missing:
        raise InputError(
            f"{path}: found no row for {some(missing)}, expected all {len(plan.stratum)} leads of the plan; "
            "have news or machine changed since it was drawn?"
        )
    return {lead: codes[lead] for lead in plan.stratum}


def settle(
    coders: Mapping[str, Mapping[str, int]], plan: Plan, settled: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the truth of each lead: what is `settled`, else what more than half of its coders say.

    So with one coder the truth is that coder's, with two all that they disagree on has to be settled, as by discussion.

    Raises `InputError`, naming leads and codes, where coders disagree and nothing is settled.
    """
    truth: dict[str, int] = {}
    disputed = []
    for lead in plan.stratum:
        for name, codes in coders.items():
            if lead not in codes:
                raise InputError(f"coders: found no code of {name} for the lead {lead!r}, expected one for each lead")
        votes = Counter(codes[lead] for codes in coders.values())
        if settled is not None and lead in settled:
            truth[lead] = settled[lead]
        elif votes and max(votes.values()) * 2 > votes.total():
            truth[lead] = votes.most_common(1)[0][0]
        else:
            said = ", ".join(f"{name} {plan.categories[codes[lead]]}" for name, codes in coders.items())
            disputed.append(f"{_LEAD}{lead} ({said})")
    if disputed:
        named = "; ".join(disputed)
        raise InputError(
            f"coders: found no majority on {len(disputed)} leads, expected a settled code for each: {named}"
        )
    return truth


def read_settled(path: str | Path, plan: Plan) -> dict[str, int]:
    """Read a CSV with `lead` and `code` of some of the plan's leads; what is wrong is named as by `read_sheet`."""
    return read_sheet(path, plan.only(lead for _, lead, _ in _coded(path, plan)))


def _coded(path: str | Path, plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Yield each row's place, lead and code; the word before the id may be missing, as in sheets made by hand."""
    for place, row in read_rows(path, ("lead", "code")):
        lead = row["lead"].removeprefix(_LEAD)
        lead = lead if lead in plan.stratum else row["lead"]
        if lead not in plan.stratum:
            found = f"the lead {lead!r}"
            raise InputError(f"{place}: found {found}, expected one of the {len(plan.stratum)} of the plan")
        yield place, lead, row["code"]


def some(names: Sequence[str]) -> str:
    """Return the first of the names, and how many more there are."""
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
