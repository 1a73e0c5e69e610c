"""Draw the score of synthetic pairs against bin size for every distribution of predictions."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.figures.simulation import draw_betas
from reproduction.simulation.synthetic import ScoreRow
from reproduction.workflow.script_log import start_log


def main(
    path_scores: Mapping[str, str], path_stem: str | Path, betas: Mapping[str, Sequence[float]], style: str = "house"
) -> None:
    """Write the figure, a panel for each distribution, as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        studies = {name: read_rows(path, ScoreRow) for name, path in path_scores.items()}
        save(Path(path_stem), *draw_betas(studies, betas))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_scores=dict(zip(snakemake.params.betas, snakemake.input.scores, strict=True)),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        betas=snakemake.params.betas,
        style=snakemake.params.style,
    )
