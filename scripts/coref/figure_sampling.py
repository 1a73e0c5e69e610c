"""Draw exact pair marginals beside estimates from samples, the paper's way to them."""

from pathlib import Path

from nlpcalib.coref.answer.resolution import resolve
from nlpcalib.coref.model.model import load_model
from nlpcalib.figures.style import house_style
from nlpcalib.text.conllu import read_conllu
from reproduction.coref.sampling import sampled_pairs, sampling_row
from reproduction.figures.coref import draw_sampling
from reproduction.workflow.script_log import start_log


def main(
    path_model: str,
    path_documents: str,
    path_stem: str | Path,
    *,
    mentions: str,
    samples: int,
    seed: int,
    style: str = "house",
) -> None:
    """Write the figure as `path_stem` with .png, .pdf and .csv, for `samples` samples, and 10 and 100 if it is more."""
    resolutions = resolve(read_conllu(path_documents), load_model(path_model), mentions=mentions)
    documents = [(resolution.document.id, resolution.conditionals) for resolution in resolutions]
    errors = []
    for number in (*(size for size in (10, 100) if size < samples), samples):
        exact, sampled = sampled_pairs(documents, number, seed)
        errors.append(sampling_row(exact, sampled, number))
    with house_style(style) as save:
        save(Path(path_stem), *draw_sampling(exact, sampled, errors, number))


if "snakemake" in globals():
    start_log(snakemake)
    main(
        path_model=snakemake.input.model,
        path_documents=snakemake.input.documents[0],
        path_stem=Path(snakemake.output.png).with_suffix(""),
        mentions=snakemake.params.mentions,
        samples=snakemake.params.samples,
        seed=snakemake.params.seed,
        style=snakemake.params.style,
    )
