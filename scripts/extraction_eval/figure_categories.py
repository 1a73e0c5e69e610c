"""Draw how often the machine uses each category of events."""

from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.extraction_eval.frequencies import FrequencyRow
from reproduction.figures.extraction_eval import draw_categories
from reproduction.workflow.script_log import start_log


def main(path_frequencies: str, path_stem: Path, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        save(path_stem, *draw_categories(read_rows(path_frequencies, FrequencyRow)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_frequencies=snakemake.input.frequencies,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
