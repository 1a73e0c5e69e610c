"""Draw figures that read the same files, in the house's style or as their text has them."""

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from nlpcalib.figures.style import house_style
from reproduction.workflow.script_log import logged_job


def main(
    draw: Mapping[str, str],
    inputs: Mapping[str, Any],
    outputs: Mapping[str, str | Path],
    params: Mapping[str, Any],
    style: str = "",
) -> None:
    """Write what each `module:function` makes as the output of its figure's name, and next to it .csv.

    A function takes those of `inputs`, a path or several by name, and `params` that it names. In the `style`
    "_as_published" those of figures of the texts take `published` too. Figures are written as .pdf too if the outputs
    have such.

    Raises `ValueError` for a name that no function takes, and for one that is both an input and a parameter.
    """
    functions = {name: _function(place) for name, place in draw.items()}
    taken = {name: signature(function).parameters.values() for name, function in functions.items()}
    given = {**inputs, **params}
    if twice := inputs.keys() & params.keys():
        raise ValueError(f"found {', '.join(sorted(twice))} as input and as parameter, expected one of them")
    if not any(map(_takes_all, taken.values())):
        known = {each.name for parameters in taken.values() for each in parameters}
        if strangers := given.keys() - known:
            raise ValueError(f"found {', '.join(sorted(strangers))}, expected some of {', '.join(sorted(known))}")
    for name, draw_figure in functions.items():
        own = given
        if not _takes_all(taken[name]):
            own = {each.name: given[each.name] for each in taken[name] if each.name in given}
        if style and "published" in (each.name for each in taken[name]):
            own = {**own, "published": True}
        with house_style("paper" if style else "house") as save:
            save(Path(outputs[name]).with_suffix(""), *draw_figure(**own), pdf=bool(outputs.get("pdf")))


def _function(place: str) -> Callable[..., Any]:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _takes_all(parameters: Iterable[Parameter]) -> bool:
    return any(each.kind is Parameter.VAR_KEYWORD for each in parameters)


if "snakemake" in globals():
    with logged_job(snakemake):
        given = {name: value for name, value in snakemake.params.items() if name not in ("draw", "library")}
        style = snakemake.wildcards.get("style", "")
        main(snakemake.params.draw, dict(snakemake.input.items()), dict(snakemake.output.items()), given, style)
