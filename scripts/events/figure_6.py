"""Draw Figure 6 of the paper: events per period with their posterior, for one or two countries in each panel."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.events.count.series import NO_EVENT, SeriesRow, country_name, frequent_panels
from nlpcalib.figures.series import draw_figure_6, draw_nothing
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.events.truth import read_truth
from reproduction.workflow.script_log import start_log


def main(
    path_series: str,
    path_truth: str | None,
    path_stem: str | Path,
    panels: Sequence[Sequence[str]] | None,
    style: str = "house",
) -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv; absent, `panels` are the two most frequent countries.

    `path_truth` has the true counts where they are known.
    """
    rows = read_rows(path_series, SeriesRow)
    panels = panels or frequent_panels(rows)
    with house_style(style) as save:
        truth = read_truth(path_truth) if path_truth else None
        save(Path(path_stem), *(draw_figure_6(rows, panels, truth, country_name) if panels else draw_nothing(NO_EVENT)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_series=snakemake.input.series,
        path_truth=next(iter(snakemake.input.truth), None),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        panels=snakemake.params.panels,
        style=snakemake.params.style,
    )
