"""Draw expected against true levels of each category, for the machine and annotators (Lowe & King, Figure 1)."""

from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.files import read_json
from reproduction.figures.extraction_eval import draw_figure_1
from reproduction.workflow.script_log import start_log


def main(path_evaluations: str, path_stem: Path, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    evaluations = read_json(path_evaluations)
    with house_style(style) as save:
        save(path_stem, *draw_figure_1({name: each["categories"] for name, each in evaluations.items()}))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations=snakemake.input.evaluations,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
