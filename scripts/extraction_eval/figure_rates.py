"""Draw how likely events of each category are to be found, as estimated, as naively read, and in truth."""

from pathlib import Path

from nlpcalib.figures.style import house_style
from nlpcalib.io.files import read_json
from reproduction.figures.extraction_eval import draw_estimates
from reproduction.workflow.script_log import start_log


def main(path_evaluations: str, path_stem: Path, style: str = "house") -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv."""
    evaluations = read_json(path_evaluations)
    stratified, random, true = (evaluations[name]["categories"] for name in ("stratified", "random", "truth"))
    truth = {row["category"]: row["answer_given_truth"] for row in true}
    with house_style(style) as save:
        save(path_stem, *draw_estimates(stratified, random, truth))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_evaluations=snakemake.input.evaluations,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        style=snakemake.params.style,
    )
