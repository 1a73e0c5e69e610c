"""Draw the picture of the README: Figure 3 next to Figure 6."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import calibrate
from nlpcalib.events.count.series import SeriesRow
from nlpcalib.io.typed_csv import read_rows
from nlpcalib.predictions.tables import read_pairs
from reproduction.events.truth import read_truth
from reproduction.figures.overview import save_overview
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, str],
    path_series: str,
    path_truth: str,
    path_png: str | Path,
    panels: Sequence[Sequence[str]],
    bin_size: int,
    seed: int,
) -> None:
    """Write `path_png`: the curves of the models of `path_pairs`, and series of the countries of each panel."""
    calibrations = {}
    for model, path in path_pairs.items():
        pairs = read_pairs(path)
        pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
        # No interval of the published error is drawn, so that two draws of Algorithm 2 do.
        calibrations[model] = calibrate(pooled, bin_size=bin_size, samples=2, seed=seed)
    save_overview(Path(path_png), calibrations, read_rows(path_series, SeriesRow), panels, read_truth(path_truth))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={"hmm": snakemake.input.hmm, "crf": snakemake.input.crf},
        path_series=snakemake.input.series,
        path_truth=snakemake.input.truth,
        path_png=snakemake.output[0],
        panels=snakemake.params.panels,
        bin_size=snakemake.params.bin_size,
        seed=snakemake.params.seed,
    )
