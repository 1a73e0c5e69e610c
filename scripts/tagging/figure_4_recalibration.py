"""Draw Figure 4 before and after recalibration."""

from collections.abc import Mapping
from pathlib import Path

from nlpcalib.calibration.comparison import columns_of_comparison
from nlpcalib.figures.style import house_style
from nlpcalib.io.typed_csv import read_columns
from reproduction.figures.tagging import draw_figure_4_stages
from reproduction.workflow.script_log import start_log

MODELS = ("hmm", "crf")


def main(paths: Mapping[str, tuple[str, str]], path_stem: str | Path, frequent: int, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv; `paths` are comparisons of tags and of bigrams."""
    columns = columns_of_comparison(MODELS)
    stages = {
        stage: (read_columns(tags, columns), read_columns(bigrams, columns)) for stage, (tags, bigrams) in paths.items()
    }
    with house_style(style) as save:
        drawing = draw_figure_4_stages(stages, models=MODELS, frequent=frequent)
        save(Path(path_stem), *drawing)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths={
            stage: (snakemake.input[f"tags{suffix}"], snakemake.input[f"bigrams{suffix}"])
            for stage, suffix in (("before", ""), ("after", "_recalibrated"))
        },
        path_stem=Path(snakemake.output.png).with_suffix(""),
        frequent=snakemake.params.bigrams,
        style=snakemake.params.style,
    )
