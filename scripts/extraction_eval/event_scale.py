"""Write the categories of events with their weights, which are those of CAMEO's codes or of the user's own table."""

from collections.abc import Mapping

from nlpcalib.io.files import write_csv
from reproduction.extraction_eval.scale import load_scale
from reproduction.workflow.run_script import run_script


def main(dictionary: Mapping[str, Mapping], scale: str, path_weights: str | None, *, path_scale: str) -> None:
    """Write the scale; `dictionary` has the CAMEO code of each category, `scale` is where the weights are from."""
    found = load_scale(scale, path_weights).choose({name: entry["cameo"] for name, entry in dictionary.items()})
    weights = zip(found.categories[1:], found.weights[1:].tolist(), strict=True)
    write_csv(path_scale, [{"category": category, "weight": weight} for category, weight in weights])


if "snakemake" in globals():
    run_script(main, snakemake)
