"""Draw Figure 5 before and after antecedents are weighed."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from nlpcalib.calibration.summary import calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.coref import draw_coref_recalibration
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, tuple[str, str]],
    path_stem: str | Path,
    *,
    bin_size: int,
    samples: int,
    seed: int,
    style: str = "house",
) -> None:
    """Write the figure, a panel for each model of `path_pairs`, as `path_stem` with .png, .pdf and .csv."""
    measured = partial(calibrate, bin_size=bin_size, samples=samples, seed=seed)
    calibrations = {
        model: (measured(read_pairs(before)), measured(read_pairs(after)))
        for model, (before, after) in path_pairs.items()
    }
    with house_style(style) as save:
        save(Path(path_stem), *draw_coref_recalibration(calibrations))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={
            model: (before, after)
            for model, before, after in zip(
                snakemake.params.models, snakemake.input.before, snakemake.input.after, strict=True
            )
        },
        path_stem=Path(snakemake.output.png).with_suffix(""),
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
