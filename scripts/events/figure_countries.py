"""Draw a small panel for each of the countries with the most events (paper, appendix 4)."""

from pathlib import Path

from nlpcalib.events.count.series import NO_EVENT, SeriesRow, country_name, most_frequent
from nlpcalib.figures.series import draw_countries, draw_nothing
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_rows
from reproduction.events.truth import read_truth
from reproduction.workflow.script_log import start_log

LEAST = 0.5
"""Expected events from which on a country is shown."""


def main(path_series: str, path_truth: str | None, path_stem: str | Path, countries: int, style: str = "house") -> None:
    """Write the figure of so many countries, fewer if others have no event, as `path_stem` with .png, .pdf and .csv."""
    rows = read_rows(path_series, SeriesRow)
    frequent = most_frequent(rows)
    shown = [country for country, mean in frequent.items() if mean >= LEAST][:countries] or list(frequent)[:1]
    truth = read_truth(path_truth) if path_truth else None
    with house_style(style) as save:
        save(Path(path_stem), *(draw_countries(rows, shown, truth, country_name) if shown else draw_nothing(NO_EVENT)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_series=snakemake.input.series,
        path_truth=next(iter(snakemake.input.truth), None),
        path_stem=Path(snakemake.output.png).with_suffix(""),
        countries=snakemake.params.countries,
        style=snakemake.params.style,
    )
