"""Draw Figure 2: calibration curves of Naive Bayes and logistic regression."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.summary import calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.sentiment import draw_figure_2
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, str], path_stem: str | Path, bin_size: int, samples: int, seed: int, style: str = "house"
) -> None:
    """Write the figure, a panel for each model of `path_pairs`, as `path_stem` with .png, .pdf and .csv.

    The model `oracle`, if it is there, is drawn beside the others in their panels.
    """
    calibrations = {
        model: calibrate(read_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
        for model, path in path_pairs.items()
    }
    oracle = calibrations.pop("oracle", None)
    with house_style(style) as save:
        save(Path(path_stem), *draw_figure_2(calibrations, oracle))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={Path(path).parts[-3]: path for path in snakemake.input.pairs},
        path_stem=Path(snakemake.output.png).with_suffix(""),
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
