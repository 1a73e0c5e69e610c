"""Gather the coded leads of a dataset and draw the sample that people code, with a sheet and a page to code it in."""

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlpcalib.extraction_eval.codings import read_codings
from nlpcalib.extraction_eval.frequencies import frequency_rows
from nlpcalib.extraction_eval.page import write_page
from nlpcalib.extraction_eval.plan import write_plan
from nlpcalib.extraction_eval.sampling import draw_plan, per_category
from nlpcalib.extraction_eval.scale import load_scale
from nlpcalib.extraction_eval.sheet import write_sheet
from nlpcalib.files import read_csv, write_csv
from nlpcalib.plots.table import write_table
from nlpcalib.script_log import start_log


def main(
    paths_shards: Sequence[str],
    *,
    path_codings: str,
    path_scale: str,
    path_plan: str,
    path_sheet: str,
    path_page: str,
    path_frequencies: Path,
    dictionary: Mapping[str, Mapping],
    scale: str,
    path_weights: str | None,
    k: int,
    title: str,
    seed: int,
) -> None:
    """Write all leads in one table, the scale, the plan, the sheet, the page, and how frequent the categories are.

    `dictionary` has the CAMEO code of each category, `scale` says where the weights are from, `k` leads of each
    category are coded.
    """
    codes = {category: entry["cameo"] for category, entry in dictionary.items()}
    chosen = load_scale(scale, path_weights).choose(codes)
    weights = dict(zip(chosen.categories[1:], chosen.weights[1:].tolist(), strict=True))
    write_csv(path_scale, [{"category": category, "weight": weight} for category, weight in weights.items()])
    write_csv(path_codings, sorted(chain.from_iterable(map(read_csv, paths_shards)), key=_place))
    codings = read_codings(path_codings, chosen.categories)
    plan = draw_plan(codings, per_category(codings.sizes, k), seed)
    write_plan(path_plan, plan)
    write_sheet(path_sheet, codings, plan)
    write_page(path_page, title, codings, plan)
    write_table(path_frequencies, "Categories of events", frequency_rows(codings, chosen, plan))


def _place(row: Mapping[str, str]) -> tuple[str, str, int]:
    document, _, sentence = row["lead"].rpartition("/")
    return row["date"], document, int(sentence)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        paths_shards=snakemake.input.codings,
        path_codings=snakemake.output.codings,
        path_scale=snakemake.output.scale,
        path_plan=snakemake.output.plan,
        path_sheet=snakemake.output.sheet,
        path_page=snakemake.output.page,
        path_frequencies=Path(snakemake.output.frequencies).with_suffix(""),
        dictionary=snakemake.params.dictionary,
        scale=snakemake.params.scale,
        path_weights=next(iter(snakemake.input.weights), None),
        k=snakemake.params.k,
        title=f"Leads of {snakemake.wildcards.dataset}",
        seed=snakemake.params.seed,
    )
