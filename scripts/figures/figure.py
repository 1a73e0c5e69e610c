"""Draw one figure, in the house's style and as published."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from nlpcalib.figures.style import house_style
from reproduction.workflow.run_script import run_script


def main(
    draw: str,
    path_png: str | Path,
    inputs: Mapping[str, Any],
    params: Mapping[str, Any],
    path_published_png: str | Path | None = None,
) -> None:
    """Write what `draw`, `module:function`, makes as `path_png`, and next to it .pdf and .csv.

    The function takes `inputs`, a path or several by name, and `params`. For `path_published_png`, the figure as its
    text has it, it takes `published` too.
    """
    module, _, function = draw.partition(":")
    draw_figure = getattr(import_module(module), function)
    with house_style() as save:
        save(Path(path_png).with_suffix(""), *draw_figure(**inputs, **params))
    if path_published_png:
        with house_style("paper") as save:
            save(Path(path_published_png).with_suffix(""), *draw_figure(**inputs, **params, published=True))


if "snakemake" in globals():
    run_script(main, snakemake)
