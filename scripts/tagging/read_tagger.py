"""Compute the marginals of a user's tagger on the test set, from its scores of tokens, and their pairs."""

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.other_taggers import read_tagger
from reproduction.tagging.storage import save_marginals
from reproduction.tagging.target_pairs import write_target_pairs
from reproduction.workflow.run_script import run_script


def main(
    path_scores: str,
    path_test: str,
    path_model: str,
    path_marginals: str,
    path_tags: str,
    path_bigrams: str,
    *,
    bigrams: int,
) -> None:
    """Write the tags and transitions of the file as a model, marginals of single and consecutive tags, and pairs."""
    documents = list(read_conllu(path_test))
    model, marginals = read_tagger(path_scores, documents)
    model.save(path_model)
    save_marginals(path_marginals, marginals)
    test = tagged_corpus(documents)
    write_target_pairs(marginals, model.tags, test, path_tags, path_bigrams, bigrams=bigrams)


if "snakemake" in globals():
    run_script(main, snakemake)
