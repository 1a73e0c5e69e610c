"""Leads that people annotate with categories: their sheet and page, and the labels that come back.

The sheet, the page and the reading are those of `nlpcalib.sampling`, for the plan of Lowe & King.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.errors import InputError, some
from nlpcalib.sampling import labels, page, settling, sheet
from nlpcalib.sampling.labels import Labels
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.drawn import DrawnLeads


def sheet_rows(codings: Codings, drawn: DrawnLeads) -> list[dict[str, str]]:
    """Return `item`, `date`, `text` of the plan's leads in an order that does not reveal the machine's answer."""
    unknown = [lead for lead in drawn.stratum if lead not in codings.row_of]
    if unknown:
        raise InputError(f"sheet: found the leads {some(unknown)} in the plan, expected leads of the codings")
    rows = [codings.row_of[lead] for lead in sorted(drawn.stratum)]
    leads, texts, dates = ([column[row] for row in rows] for column in (codings.leads, codings.texts, codings.dates))
    return sheet.blind_sheet_rows(leads, texts, drawn.seed, dates)


def write_sheet(path: str | Path, codings: Codings, drawn: DrawnLeads) -> None:
    """Write a sheet whose column `label` is to be filled with categories, `none` among them, or `cannot tell`."""
    sheet.write_blind_sheet(path, sheet_rows(codings, drawn), drawn.categories)


def write_page(path: str | Path, title: str, codings: Codings, drawn: DrawnLeads, codebook: str = "") -> None:
    """Write a page in which a person gives each of the plan's leads a category, with a codebook if there is one."""
    answers = page.category_answers(drawn.categories)
    page.write_annotation_page(path, title, "Which category is it?", codebook, sheet_rows(codings, drawn), answers)


def read_sheet(path: str | Path, drawn: DrawnLeads) -> Labels:
    """Read one annotator's sheet, or export, and return the category of each lead of the plan, None for "cannot tell".

    Raises `InputError` as `nlpcalib.sampling.labels.read_annotations` does, and naming the leads, if some of the plan
    have no label.
    """
    found = read_settled(path, drawn)
    missing = [lead for lead in drawn.stratum if lead not in found]
    if missing:
        raise InputError(
            f"{path}: found no label for {some(missing)}, expected all {len(drawn.stratum)} leads of the plan; "
            "have news or machine changed since it was drawn?"
        )
    return {lead: found[lead] for lead in drawn.stratum}


def read_settled(path: str | Path, drawn: DrawnLeads) -> Labels:
    """Read the labels of some of the plan's leads, by one annotator or settled by all."""
    categories = {category: number for number, category in enumerate(drawn.categories)}
    annotators = labels.read_annotations(path, drawn.stratum, categories)
    if len(annotators) > 1:
        raise InputError(f"{path}: found the annotators {some(list(annotators))}, expected one: divide the file")
    return next(iter(annotators.values()))


def settle(annotators: Mapping[str, Labels], drawn: DrawnLeads, settled: Labels | None = None) -> dict[str, int]:
    """Return the truth of each lead: what is `settled`, else what more than half of its annotators gave.

    Raises `InputError`, naming leads and labels, where there is no majority, or one for "cannot tell", and nothing is
    settled.
    """
    for name, given in annotators.items():
        missing = [lead for lead in drawn.stratum if lead not in given]
        if missing:
            raise InputError(f"annotators: found no label of {name} for {some(missing)}, expected one of each lead")
    known = settling.settled_labels(annotators, settled).labels
    truth = {lead: int(label) for lead in drawn.stratum if (label := known.get(lead)) is not None}
    disputed = [lead for lead in drawn.stratum if lead not in truth]
    if disputed:
        votes = {
            lead: ", ".join(f"{name} {_named(given[lead], drawn)}" for name, given in annotators.items())
            for lead in disputed
        }
        named = "; ".join(f"{sheet.ITEM_PREFIX}{lead} ({each})" for lead, each in votes.items())
        raise InputError(
            f"annotators: found no majority on {len(disputed)} leads, expected a settled label for each: {named}"
        )
    return truth


def _named(label: float | None, drawn: DrawnLeads) -> str:
    return "cannot tell" if label is None else drawn.categories[int(label)]
