"""Write into a model's card where its texts come from, how it scores and how well calibrated it is."""

from dataclasses import replace

from nlpcalib.calibration.summary import summary_errors
from nlpcalib.io.files import read_csv, read_json
from nlpcalib.systems.coref.model.model import load_model
from reproduction.corpora.retrieval.registry import load_registry
from reproduction.workflow.run_script import run_script


def main(
    path_model: str,
    path_genres: str,
    path_calibration: str,
    path_registry: str,
    path_packaged: str,
    *,
    corpus: str | None,
    parsed: bool,
) -> None:
    """Write the model as it is put into the package, its card complete.

    `corpus` is the name of the training corpus in the registry, None where it has none; `parsed` is whether trees are
    the parser's.
    """
    model = load_model(path_model)
    source = load_registry(path_registry).get(corpus or "")
    summary = read_json(path_calibration)
    card = {
        **model.card,
        "source": {key: getattr(source, key) for key in ("version", "url", "licence", "citation")} if source else {},
        "trees": "by the parser" if parsed else "of the corpus",
        "randomness": "none: training starts at zero and draws nothing",
        "scores": {row["genre"]: row for row in read_csv(path_genres)},
        "calibration": summary_errors(summary) | {"pairs": summary["n"], "bin_size": summary["bin_size"]},
    }
    replace(model, card=card).save(path_packaged)


if "snakemake" in globals():
    run_script(main, snakemake)
