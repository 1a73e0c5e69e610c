"""Draw the error of each way to sample leads against how many are annotated."""

from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.extraction_eval.study import SavingRow
from reproduction.figures.extraction_eval import draw_saving
from reproduction.workflow.script_log import start_log


def main(path_saving: str, path_stem: Path, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        save(path_stem, *draw_saving(read_rows(path_saving, SavingRow)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_saving=snakemake.input.saving,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
