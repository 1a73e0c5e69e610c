"""Draw figures that read the same files, in the house's style and, those of the texts, as published."""

from collections.abc import Mapping
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from nlpcalib.figures.style import house_style
from reproduction.workflow.run_script import run_script


def main(
    draw: Mapping[str, str], inputs: Mapping[str, Any], outputs: Mapping[str, str | Path], params: Mapping[str, Any]
) -> None:
    """Write what each `module:function` makes as the output of its figure's name, and next to it .pdf and .csv.

    A function takes those of `inputs`, a path or several by name, and `params` that it names. The output of a figure
    as its text has it is called `name_as_published`; the function then takes `published` too.
    """
    for name, place in draw.items():
        module, _, function = place.partition(":")
        draw_figure = getattr(import_module(module), function)
        taken = signature(draw_figure).parameters.values()
        given = {**inputs, **params}
        if all(each.kind is not Parameter.VAR_KEYWORD for each in taken):
            given = {each.name: given[each.name] for each in taken if each.name in given}
        with house_style() as save:
            save(Path(outputs[name]).with_suffix(""), *draw_figure(**given))
        if f"{name}_as_published" in outputs:
            with house_style("paper") as save:
                save(Path(outputs[f"{name}_as_published"]).with_suffix(""), *draw_figure(**given, published=True))


if "snakemake" in globals():
    run_script(main, snakemake)
