"""Draw the picture of the README: Figure 3 next to Figure 6."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.calibration.pairs import Pairs
from nlpcalib.calibration.summary import measure_calibration
from nlpcalib.events.count.series import SeriesRow
from nlpcalib.predictions.tables import read_pairs
from reproduction.events.truth import read_truth
from reproduction.figures.overview import save_overview
from reproduction.workflow.run_script import run_script
from reproduction.workflow.typed_csv import read_rows


def main(
    path_hmm: str,
    path_crf: str,
    path_series: str,
    path_truth: str,
    path_png: str,
    panels: Sequence[Sequence[str]],
    bin_size: int,
    seed: int,
) -> None:
    """Write `path_png`: the curves of the two taggers, and series of the countries of each panel."""
    calibrations = {}
    for model, path in (("hmm", path_hmm), ("crf", path_crf)):
        pairs = read_pairs(path)
        pooled = Pairs(pairs.q, pairs.y, unit=pairs.unit, document=pairs.document)
        # No interval of the published error is drawn, so that two draws of Algorithm 2 do.
        calibrations[model] = measure_calibration(pooled, bin_size=bin_size, samples=2, seed=seed)
    save_overview(Path(path_png), calibrations, read_rows(path_series, SeriesRow), panels, read_truth(path_truth))


if "snakemake" in globals():
    run_script(main, snakemake)
