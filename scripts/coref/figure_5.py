"""Draw Figure 5: calibration of coreference over all pairs of mentions, and what a perfect model would show."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from nlpcalib.calibration.summary import calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_columns
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.coref import draw_figure_5
from reproduction.workflow.script_log import start_log


def main(
    paths_pairs: Mapping[str, str],
    paths_perfect: Mapping[str, str],
    path_stem: str | Path,
    *,
    bin_size: int,
    samples: int,
    seed: int,
    style: str = "house",
) -> None:
    """Write the figure, a column for each model of `paths_pairs`, as `path_stem` with .png, .pdf and .csv."""
    calibrations = {
        model: calibrate(read_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
        for model, path in paths_pairs.items()
    }
    perfect = {
        model: np.array(
            [row["error"] for row in read_columns(path, {"genre": str, "error": float}) if row["genre"] == "all"]
        )
        for model, path in paths_perfect.items()
    }
    with house_style(style) as save:
        save(Path(path_stem), *draw_figure_5(calibrations, perfect))


if "snakemake" in globals():
    start_log(snakemake)
    models = snakemake.params.models
    main(
        paths_pairs=dict(zip(models, snakemake.input.pairs, strict=True)),
        paths_perfect=dict(zip(models, snakemake.input.perfect, strict=True)),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
