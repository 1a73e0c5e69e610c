"""Draw Figure 3: calibration curves of both taggers over all tags."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.tagging import draw_figure_3
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, str], path_stem: str | Path, bin_size: int, samples: int, seed: int, style: str = "house"
) -> None:
    """Write the figure, a panel for each model of `path_pairs`, as `path_stem` with .png, .pdf and .csv."""
    calibrations = {}
    for model, path in path_pairs.items():
        pairs = read_pairs(path)
        # Without labels: the figure is about all of them together.
        pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
        calibrations[model] = calibrate(pooled, bin_size=bin_size, samples=samples, seed=seed)
    with house_style(style) as save:
        save(Path(path_stem), *draw_figure_3(calibrations))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={"hmm": snakemake.input.hmm, "crf": snakemake.input.crf},
        path_stem=Path(snakemake.output.png).with_suffix(""),
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
