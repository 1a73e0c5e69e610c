"""Draw the expected level of the machine's answers against the true one of each category (Lowe & King, Figure 1)."""

from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.files import read_json
from reproduction.figures.extraction_eval import draw_figure_1
from reproduction.workflow.script_log import start_log


def main(path_evaluations: str, path_stem: Path, style: str = "house") -> None:
    """Write the figure, from the stratified and from the random sample, as `path_stem` with .png, .pdf and .csv."""
    evaluations = read_json(path_evaluations)
    truth = {row["category"]: row["expected_level"] for row in evaluations["truth"]["categories"]}
    evaluated = {f"{name} sample": evaluations[name]["categories"] for name in ("stratified", "random")}
    with house_style(style) as save:
        save(path_stem, *draw_figure_1(evaluated, dict.fromkeys(evaluated, truth)))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations=snakemake.input.evaluations,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
