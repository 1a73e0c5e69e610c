"""Draw how often the machine uses each category of events."""

from pathlib import Path

from nlpcalib.io.files import read_csv
from nlpcalib.io.html_table import numbers
from nlpcalib.plots.extraction_eval import draw_categories
from nlpcalib.plots.style import house_style, save_figure
from nlpcalib.workflow.script_log import start_log


def main(path_frequencies: str, path_stem: Path) -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    rows = [numbers(row) for row in read_csv(path_frequencies)]
    with house_style():
        save_figure(
            path_stem,
            *draw_categories([{**row, "level": None if row["level"] == "" else row["level"]} for row in rows]),
        )


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(path_frequencies=snakemake.input.frequencies, path_stem=Path(snakemake.output.png).with_suffix(""))
