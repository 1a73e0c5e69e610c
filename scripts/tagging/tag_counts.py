"""Count tags in the documents of the test set by taggers' probabilities, and see whether intervals hold the counts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from nlpcalib.chains.chain import LinearChain
from nlpcalib.chains.data import tagged_corpus
from nlpcalib.io.html_table import write_table
from nlpcalib.text.conllu import read_conllu
from reproduction.tagging.counts import tag_count_rows
from reproduction.tagging.templates import with_templates
from reproduction.workflow.script_log import start_log


def main(
    paths_models: Mapping[str, tuple[str, str]], path_dev: str, path_test: str, path_stem: str, tags: Sequence[str]
) -> None:
    """Write rows of each model, trained and recalibrated, and of each of `tags`."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (path_dev, path_test)]
    rows = []
    for model, paths in paths_models.items():
        trained, recalibrated = map(LinearChain.load, paths)
        dev, test = (with_templates(corpus, trained.metadata.get("templates", ())) for corpus in corpora)
        found = tag_count_rows(trained, recalibrated, dev, test, tags)
        rows += [{"model": model, "tag": tag, **asdict(row)} for tag, row in found]
    write_table(path_stem, "The number of a tag in a document: intervals that promise 95 %", rows)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        paths_models={
            model: (snakemake.input[model], snakemake.input[f"{model}_recalibrated"])
            for model in snakemake.params.models
        },
        path_dev=snakemake.input.dev,
        path_test=snakemake.input.test,
        path_stem=snakemake.output.csv,
        tags=snakemake.params.tags,
    )
