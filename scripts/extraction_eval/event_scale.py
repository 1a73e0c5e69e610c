"""Write the categories of events with their weights, which are those of CAMEO's codes or of the user's own table."""

from collections.abc import Mapping

from nlpcalib.io.files import write_csv
from reproduction.extraction_eval.scale import load_scale
from reproduction.workflow.script_log import start_log


def main(dictionary: Mapping[str, Mapping], source: str, path_archive: str | None, *, path_scale: str) -> None:
    """Write the scale; `dictionary` has the CAMEO code of each category, `source` is where the weights are from."""
    scale = load_scale(source, path_archive).choose({name: entry["cameo"] for name, entry in dictionary.items()})
    weights = zip(scale.categories[1:], scale.weights[1:].tolist(), strict=True)
    write_csv(path_scale, [{"category": category, "weight": weight} for category, weight in weights])


if "snakemake" in globals():
    start_log(snakemake)
    main(
        snakemake.params.dictionary,
        snakemake.params.scale,
        next(iter(snakemake.input.weights), None),
        path_scale=snakemake.output[0],
    )
