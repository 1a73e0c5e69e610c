"""Draw one figure of the table in workflow/rules/figures.smk, in the house's style and as published."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from nlpcalib.figures.style import house_style
from reproduction.workflow.script_log import start_log

OF_THE_RULE = {"library", "draw"}
"""Parameters of every figure, which are not for the function that draws it."""


def main(
    draw: str,
    path_stem: str | Path,
    inputs: Mapping[str, Any],
    params: Mapping[str, Any],
    path_published: str | Path | None = None,
) -> None:
    """Write what `draw`, `module:function` in reproduction.figures, makes as `path_stem` with .png, .pdf and .csv.

    The function takes `inputs`, a path or several by name, and `params`. For `path_published`, the stem of the figure
    as its text has it, it takes `published` too.
    """
    module, _, function = draw.partition(":")
    draw_figure = getattr(import_module(f"reproduction.figures.{module}"), function)
    with house_style() as save:
        save(Path(path_stem), *draw_figure(**inputs, **params))
    if path_published:
        with house_style("paper") as save:
            save(Path(path_published), *draw_figure(**inputs, **params, published=True))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        draw=snakemake.params.draw,
        path_stem=Path(snakemake.output.png).with_suffix(""),
        inputs=dict(snakemake.input.items()),
        params={name: value for name, value in snakemake.params.items() if name not in OF_THE_RULE},
        path_published=snakemake.output.get("published_png", "").removesuffix(".png"),
    )
