"""Draw how calibration errors depend on bin size where the true error is known."""

from pathlib import Path

from nlpcalib.calibration.bin_size import error_by_resolution
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.figures.style import house_style
from nlpcalib.seeding import generator
from reproduction.figures.bin_size import draw_bin_size
from reproduction.simulation.regimes import Regime
from reproduction.workflow.script_log import start_log

CURVES = ("calibrated", "mild", "strong")
DENSITIES = ("uniform", "skewed")
DEPENDENCE = "sentences"


def main(path_stem: str | Path, pairs: int, seed: int, style: str = "house") -> None:
    """Write the figure, a panel for each curve and density of regimes, as `path_stem` with .png, .pdf and .csv."""
    errors, truth = {}, {}
    for density in DENSITIES:
        for curve in CURVES:
            regime = Regime(curve, density, DEPENDENCE)
            drawn = SortedPairs(*regime.draw(pairs, generator(seed, "bin size", regime.name, pairs)))
            panel = f"{curve}, {density}"
            errors[panel] = list(error_by_resolution(drawn, bin_size=pairs // 100, seed=seed))
            truth[panel] = regime.squared_error() ** 0.5
    with house_style(style) as save:
        title = f"{pairs:,} simulated pairs, in {DEPENDENCE}"
        save(Path(path_stem), *draw_bin_size(errors, title=title, truth=truth))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_stem=Path(snakemake.output.png).with_suffix(""),
        pairs=snakemake.params.pairs,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
