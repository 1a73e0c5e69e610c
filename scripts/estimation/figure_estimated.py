"""Draw the series of events: the posterior, the estimate with its interval, and how many documents were read."""

from pathlib import Path

from nlpcalib.events.count.estimates import EstimateRow
from nlpcalib.events.count.series import country_name
from nlpcalib.figures.intervals import draw_estimated_series
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.workflow.script_log import start_log


def main(path_series: str, path_stem: Path, countries: int, style: str = "house") -> None:
    """Write the figure of any country and so many others as `path_stem` with .png, .pdf and .csv."""
    rows = read_rows(path_series, EstimateRow)
    shown = list(dict.fromkeys(row["country"] for row in rows))[: 1 + countries]
    with house_style(style) as save:
        save(path_stem, *draw_estimated_series(rows, shown, country_name))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_series=snakemake.input[0],
        path_stem=Path(snakemake.output.png).with_suffix(""),
        countries=snakemake.params.countries,
        style=snakemake.params.style,
    )
