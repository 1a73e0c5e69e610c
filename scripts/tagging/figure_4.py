"""Draw Figure 4: calibration errors of both taggers, label by label."""

from pathlib import Path

from nlpcalib.calibration.comparison import columns_of_comparison
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_columns
from reproduction.figures.tagging import draw_figure_4
from reproduction.workflow.script_log import start_log

MODELS = ("hmm", "crf")


def main(path_tags: str, path_bigrams: str, path_stem: str | Path, frequent: int, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    tags, bigrams = (read_columns(path, columns_of_comparison(MODELS)) for path in (path_tags, path_bigrams))
    with house_style(style) as save:
        drawing = draw_figure_4(tags, bigrams, models=MODELS, frequent=frequent)
        save(Path(path_stem), *drawing)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_tags=snakemake.input.tags,
        path_bigrams=snakemake.input.bigrams,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        frequent=snakemake.params.bigrams,
        style=snakemake.params.style,
    )
