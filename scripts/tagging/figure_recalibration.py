"""Draw Figure 3 before and after recalibration."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import Calibration, calibrate
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.tagging import draw_recalibration
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, tuple[str, str]],
    path_stem: str | Path,
    bin_size: int,
    samples: int,
    seed: int,
    style: str = "house",
) -> None:
    """Write the figure, a panel for each model of `path_pairs`, as `path_stem` with .png, .pdf and .csv."""

    def measured(path: str) -> Calibration:
        pairs = read_pairs(path)
        # Without labels: the figure is about all of them together.
        pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
        return calibrate(pooled, bin_size=bin_size, samples=samples, seed=seed)

    calibrations = {model: (measured(before), measured(after)) for model, (before, after) in path_pairs.items()}
    with house_style(style) as save:
        save(Path(path_stem), *draw_recalibration(calibrations))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={
            model: (snakemake.input[model], snakemake.input[f"{model}_recalibrated"]) for model in ("hmm", "crf")
        },
        path_stem=Path(snakemake.output.png).with_suffix(""),
        bin_size=snakemake.params.bin_size,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
