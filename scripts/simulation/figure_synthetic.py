"""Draw Figures 4.7 to 4.11 of the thesis beside the truth."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.figures.simulation import draw_synthetic
from reproduction.simulation.synthetic import ScoreRow
from reproduction.workflow.script_log import start_log


def main(path_scores: str, path_stem: str | Path, beta: Sequence[float], style: str = "house") -> None:
    """Write the figure of predictions from Beta(`beta`) as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        save(Path(path_stem), *draw_synthetic(read_rows(path_scores, ScoreRow), beta=beta))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_scores=snakemake.input.scores[0],
        path_stem=Path(snakemake.output.png).with_suffix(""),
        beta=snakemake.params.beta[0],
        style=snakemake.params.style,
    )
