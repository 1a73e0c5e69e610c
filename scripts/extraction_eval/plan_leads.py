"""Gather the coded leads of a dataset and draw the sample that people annotate, with a sheet and a page."""

from collections.abc import Mapping, Sequence
from itertools import chain

from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.sampling.plan import write_plan
from reproduction.extraction_eval.allocation import per_category
from reproduction.extraction_eval.codings import read_codings
from reproduction.extraction_eval.drawn import drawn_leads, plan_leads
from reproduction.extraction_eval.frequencies import frequency_rows
from reproduction.extraction_eval.scale import read_scale
from reproduction.extraction_eval.sheet import write_page, write_sheet
from reproduction.workflow.run_script import run_script
from reproduction.workflow.table_files import write_table


def main(
    paths_coded: Sequence[str],
    path_scale: str,
    *,
    path_codings: str,
    path_plan: str,
    path_sheet: str,
    path_page: str,
    path_frequencies: str,
    k: int,
    dataset: str,
    seed: int,
) -> None:
    """Write all leads in one table, the plan, the sheet, the page, and how frequent the categories are.

    Of each category, `k` leads are annotated.
    """
    scale = read_scale(path_scale)
    rows = sorted(chain.from_iterable(map(read_csv, paths_coded)), key=_place)
    write_csv(path_codings, rows)
    codings = read_codings(path_codings, scale.categories)
    plan = plan_leads(codings, per_category(codings.sizes, k), seed)
    write_plan(path_plan, plan)
    drawn = drawn_leads(codings, plan)
    write_sheet(path_sheet, codings, drawn)
    write_page(path_page, f"Leads of {dataset}", codings, drawn)
    write_table(path_frequencies, "Categories of events", frequency_rows(codings, scale, drawn))


def _place(row: Mapping[str, str]) -> tuple[str, str, int]:
    document, _, sentence = row["lead"].rpartition("/")
    return row["date"], document, int(sentence)


if "snakemake" in globals():
    run_script(main, snakemake)
