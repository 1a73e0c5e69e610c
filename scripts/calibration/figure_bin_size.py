"""Draw how the calibration error of a dataset's models depends on bin size."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.bin_size import error_by_resolution
from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.bin_size import draw_bin_size
from reproduction.workflow.script_log import start_log


def main(
    path_pairs: Mapping[str, str], path_stem: str | Path, title: str, bin_size: int, seed: int, style: str = "house"
) -> None:
    """Write the figure, a panel for each table of `path_pairs`, as `path_stem` with .png, .pdf and .csv."""
    errors = {}
    for panel, path in path_pairs.items():
        pairs = read_pairs(path)
        ordered = SortedPairs(pairs.q, pairs.y, None if pairs.sampling_unit is None else pairs.sampling_unit.codes)
        errors[panel] = list(error_by_resolution(ordered, bin_size=bin_size, seed=seed))
    with house_style(style) as save:
        save(Path(path_stem), *draw_bin_size(errors, title=title))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs={", ".join(Path(path).parts[-3:-1]).replace("_", " "): path for path in snakemake.input.pairs},
        path_stem=Path(snakemake.output.png).with_suffix(""),
        title=f"{snakemake.wildcards.dataset}: {snakemake.wildcards.models}",
        bin_size=snakemake.params.bin_size,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
