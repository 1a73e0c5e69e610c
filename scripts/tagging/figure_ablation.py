"""Draw accuracy, calibration error and refinement as the CRF sees more of each word."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.figures.ablation import draw_ablation
from reproduction.tagging.ablation_tables import ModelRow
from reproduction.workflow.script_log import start_log


def main(path_models: str, path_stem: str | Path, nested: Sequence[str], style: str = "house") -> None:
    """Write the figure of the models `nested`, in that order, as `path_stem` with .png, .pdf and .csv."""
    with house_style(style) as save:
        save(Path(path_stem), *draw_ablation(read_rows(path_models, ModelRow), nested))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_models=snakemake.input.models,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        nested=snakemake.params.nested,
        style=snakemake.params.style,
    )
