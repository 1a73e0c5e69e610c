"""Tabulate and draw how well the debiased error does with how many bins, where the true error is known."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.html_table import write_table
from reproduction.figures.bin_size import draw_bin_counts
from reproduction.simulation.bin_counts import bin_count_rows
from reproduction.simulation.regimes import Regime
from reproduction.workflow.script_log import start_log

CURVES = ("mild", "strong")
DENSITIES = ("uniform", "skewed")
DEPENDENCE = "sentences"


def main(path_table: str | Path, path_figure: str | Path, sizes: Sequence[int], seed: int) -> None:
    """Write a row for each regime, number of pairs and number of bins, and the figure, as stems of several files."""
    regimes = [Regime(curve, density, DEPENDENCE) for density in DENSITIES for curve in CURVES]
    rows = [row for regime in regimes for n in sizes for row in bin_count_rows(regime, n, seed)]
    write_table(Path(path_table), "How many bins?", rows)
    with house_style() as save:
        save(Path(path_figure), *draw_bin_counts(rows))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_table=Path(snakemake.output.table).with_suffix(""),
        path_figure=Path(snakemake.output.png).with_suffix(""),
        sizes=snakemake.params.sizes,
        seed=snakemake.params.seed,
    )
