"""Draw what smoothing does to accuracy, calibration error and its direction."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.figures.tagging import draw_smoothing
from reproduction.tagging.selection import CandidateRow
from reproduction.workflow.script_log import start_log


def main(path_selections: Mapping[str, str], path_stem: str | Path, style: str = "house") -> None:
    """Write the figure, a column for each model of `path_selections`, as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        drawing = draw_smoothing({model: read_rows(path, CandidateRow) for model, path in path_selections.items()})
        save(Path(path_stem), *drawing)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_selections={"hmm": snakemake.input.hmm, "crf": snakemake.input.crf},
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
