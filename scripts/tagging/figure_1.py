"""Draw Figure 1: bins of equal width against adaptive bins."""

from pathlib import Path

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.errors import InputError
from nlpcalib.figures.style import house_style
from nlpcalib.predictions.tables import read_pairs
from reproduction.figures.tagging import draw_figure_1
from reproduction.workflow.script_log import start_log


def main(path_pairs: str, path_stem: str | Path, tag: str, model: str, bin_size: int, style: str = "house") -> None:
    """Write the figure of the predictions of `tag` as `path_stem` with .png, .pdf and .csv."""
    pairs = read_pairs(path_pairs)
    tags = pairs.label
    if tags is None or tag not in tags.names:
        raise InputError(f"{path_pairs}: found no tag '{tag}', expected one of {', '.join(tags.names if tags else ())}")
    rows = tags.codes == tags.names.index(tag)
    with house_style(style) as save:
        figure, drawn = draw_figure_1(
            SortedPairs(pairs.q[rows], pairs.y[rows]), tag=tag, model=model, bin_size=bin_size
        )
        save(Path(path_stem), figure, drawn)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_pairs=snakemake.input.pairs,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        tag=snakemake.params.tag,
        model=snakemake.params.model,
        bin_size=snakemake.params.bin_size,
        style=snakemake.params.style,
    )
