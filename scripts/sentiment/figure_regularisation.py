"""Draw what regularisation does to F1, calibration error and confidence."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.figures.sentiment import draw_regularisation
from reproduction.sentiment.classifier import CandidateRow
from reproduction.workflow.script_log import start_log


def main(path_selections: Mapping[str, str], path_stem: str | Path, style: str = "house") -> None:
    """Write the figure, a column for each model of `path_selections`, as `path_stem` with .png, .pdf and .csv."""
    selections = {model: read_rows(path, CandidateRow) for model, path in path_selections.items()}
    for model, rows in selections.items():
        if not any(row["chosen"] for row in rows):
            raise InputError(f"{path_selections[model]}: found no chosen value in {len(rows)} rows, expected one")
    with house_style(style) as save:
        save(Path(path_stem), *draw_regularisation(selections))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_selections={Path(path).parts[-2]: path for path in snakemake.input.selections},
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
