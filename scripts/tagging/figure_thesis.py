"""Draw Figures 4.1 to 4.3 of the thesis, on tweets 4.4 to 4.6: calibration curves of three taggers on one tag."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.summary import calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.io.files import read_json
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.ablation import draw_thesis
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, str],
    path_evaluations: Mapping[str, str],
    path_stem: str | Path,
    tag: str,
    bin_size: int,
    samples: int,
    seed: int,
    style: str = "house",
) -> None:
    """Write the figure, a panel for each title of `path_pairs`, as `path_stem` with .png, .pdf and .csv."""
    calibrations = {
        title: calibrate(read_pairs(path), bin_size=bin_size, samples=samples, seed=seed)
        for title, path in path_pairs.items()
    }
    accuracies = {title: read_json(path)["accuracy"] for title, path in path_evaluations.items()}
    with house_style(style) as save:
        save(Path(path_stem), *draw_thesis(calibrations, accuracies, tag=tag))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs=dict(zip(snakemake.params.titles, snakemake.input.pairs, strict=True)),
        path_evaluations=dict(zip(snakemake.params.titles, snakemake.input.evaluations, strict=True)),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        tag=snakemake.params.one_tag["tag"],
        bin_size=snakemake.params.one_tag["bin_size"],
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
