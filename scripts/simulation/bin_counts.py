"""Tabulate and draw how well the debiased error does with how many bins, where the true error is known."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from reproduction.figures.bin_size import draw_bin_counts
from reproduction.simulation.bin_counts import bin_count_rows
from reproduction.simulation.regimes import Regime
from reproduction.tables.files import write_table
from reproduction.workflow.run_script import run_script

CURVES = ("mild", "strong")
DENSITIES = ("uniform", "skewed")
DEPENDENCE = "sentences"


def main(path_table: str, path_png: str, sizes: Sequence[int], seed: int) -> None:
    """Write a row for each regime, number of pairs and number of bins, and the figure."""
    regimes = [Regime(curve, density, DEPENDENCE) for density in DENSITIES for curve in CURVES]
    rows = [row for regime in regimes for n in sizes for row in bin_count_rows(regime, n, seed)]
    write_table(path_table, "How many bins?", rows)
    with house_style() as save:
        save(Path(path_png).with_suffix(""), *draw_bin_counts(rows))


if "snakemake" in globals():
    run_script(main, snakemake)
