"""Draw two countries' events and how probable it is in each period that one has more than the other."""

from pathlib import Path

from nlpcalib.events.count.comparison import Comparison, ComparisonRow
from nlpcalib.events.count.series import NO_EVENT, SeriesRow, country_name
from nlpcalib.figures.series import draw_comparison, draw_figure_6, draw_nothing
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.events.truth import read_truth
from reproduction.workflow.script_log import start_log


def main(
    path_series: str, path_comparison: str, path_truth: str | None, path_stem: str | Path, style: str = "house"
) -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv, with the comparison by documents.

    Where only one country has events, there is nothing to compare it with, and the figure is its own.
    """
    rows = read_rows(path_series, SeriesRow)
    truth = read_truth(path_truth) if path_truth else None
    compared = [row for row in read_rows(path_comparison, ComparisonRow) if row["method"] == "documents"]
    comparisons = {row["period"]: Comparison(row["greater"], row["equal"], row["less"]) for row in compared}
    with house_style(style) as save:
        if compared:
            pair = compared[0]["first"], compared[0]["second"]
            drawing = draw_comparison(rows, pair, comparisons, truth, country_name)
        else:
            drawing = (
                draw_figure_6(rows, [[rows[0]["country"]]], truth, country_name) if rows else draw_nothing(NO_EVENT)
            )
        save(Path(path_stem), *drawing)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_series=snakemake.input.series,
        path_comparison=snakemake.input.comparison,
        path_truth=next(iter(snakemake.input.truth), None),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
