"""Draw how often intervals hold the true calibration error, and how wide they are."""

from collections.abc import Sequence
from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.files import read_json
from reproduction.figures.coverage import draw_coverage
from reproduction.workflow.script_log import start_log


def main(paths_coverage: Sequence[str], path_stem: str | Path, n: int, style: str = "house") -> None:
    """Write the figure of intervals of the root mean squared error as `path_stem` with .png, .pdf and .csv."""
    rows = [row for path in paths_coverage for row in read_json(path)["coverage"]]
    drawn = [row for row in rows if row["scale"] == "rms" and row["interval"] is not None]
    with house_style(style) as save:
        title = f"{n:,} pairs, {drawn[0]['replicates']:,} replicates of each regime"
        save(Path(path_stem), *draw_coverage(drawn, title=title))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_coverage=snakemake.input.coverage,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        n=int(snakemake.wildcards.n),
        style=snakemake.params.style,
    )
