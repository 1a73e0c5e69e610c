"""Count tags in the documents of the test set by taggers' probabilities, and see whether intervals hold the counts."""

from collections.abc import Sequence
from dataclasses import asdict

from nlpcalib.text.conllu import read_conllu
from reproduction.tables.files import write_table
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.counts import tag_count_rows
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.templates import with_templates
from reproduction.workflow.run_script import run_script


def main(
    path_hmm: str,
    path_hmm_recalibrated: str,
    path_crf: str,
    path_crf_recalibrated: str,
    path_dev: str,
    path_test: str,
    path_csv: str,
    tags: Sequence[str],
) -> None:
    """Write rows of each model, trained and recalibrated, and of each of `tags`."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (path_dev, path_test)]
    rows = []
    for model, *paths in (("hmm", path_hmm, path_hmm_recalibrated), ("crf", path_crf, path_crf_recalibrated)):
        trained, recalibrated = map(LinearChain.load, paths)
        dev, test = (with_templates(corpus, trained.metadata.get("templates", ())) for corpus in corpora)
        found = tag_count_rows(trained, recalibrated, dev, test, tags)
        rows += [{"model": model, "tag": tag, **asdict(row)} for tag, row in found]
    write_table(path_csv, "The number of a tag in a document: intervals that promise 95 %", rows)


if "snakemake" in globals():
    run_script(main, snakemake)
