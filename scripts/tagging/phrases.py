"""Measure the probabilities of noun and adjective phrases by taggers, trained and recalibrated, and count phrases."""

from collections.abc import Sequence
from dataclasses import asdict

from nlpcalib.text.conllu import read_conllu
from reproduction.tables.files import write_table
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.phrases import TaggedPhrases, phrase_count_rows, recalibrated_chains
from reproduction.tagging.templates import with_templates
from reproduction.workflow.run_script import run_script


def main(
    paths_models: Sequence[str],
    path_dev: str,
    path_test: str,
    path_errors: str,
    path_counts: str,
    models: Sequence[str],
) -> None:
    """Write errors by query and length, and how intervals of counts do after one temperature; `models` are names."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (path_dev, path_test)]
    errors, counts = [], []
    for model, path in zip(models, paths_models, strict=True):
        chain = LinearChain.load(path)
        dev, test = (with_templates(corpus, chain.metadata.get("templates", ())) for corpus in corpora)
        chains = dict(recalibrated_chains(chain, dev))
        found = {stage: TaggedPhrases(each, test) for stage, each in chains.items()}
        errors += [{"model": model, **asdict(row)} for stage, each in found.items() for row in each.rows(stage)]
        counted = phrase_count_rows(found["none"], found["temperature"], TaggedPhrases(chains["temperature"], dev))
        counts += [{"model": model, "phrase": phrase, **asdict(row)} for phrase, row in counted]
    write_table(path_errors, "Noun phrases and adjective phrases: is this span one?", errors)
    write_table(path_counts, "The number of phrases in a document: intervals that promise 95 %", counts)


if "snakemake" in globals():
    run_script(main, snakemake)
