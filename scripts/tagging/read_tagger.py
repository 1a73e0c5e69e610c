"""Compute the marginals of a user's tagger on the test set, from its scores of tokens."""

from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.other_taggers import read_tagger
from reproduction.tagging.storage import save_marginals
from reproduction.workflow.run_script import run_script


def main(path_scores: str, path_test: str, path_model: str, path_marginals: str) -> None:
    """Write the tags and transitions of the file as a model, and marginals of single and consecutive tags."""
    model, marginals = read_tagger(path_scores, read_conllu(path_test))
    model.save(path_model)
    save_marginals(path_marginals, marginals)


if "snakemake" in globals():
    run_script(main, snakemake)
