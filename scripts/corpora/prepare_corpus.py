"""Bring one corpus, whatever its format, into train, dev and test files in CoNLL-U."""

from collections.abc import Mapping

from nlpcalib.corpora.prepare import prepare
from nlpcalib.workflow.script_log import start_log


def main(
    path_source: str,
    path_train: str,
    path_dev: str,
    path_test: str,
    corpus_format: str,
    members: Mapping[str, str] | None,
    wsj_only: bool,
    words: str | None,
) -> None:
    """Write the three splits as `nlpcalib.corpora.prepare.prepare` does.

    `path_source` is the archive of a retrieved corpus or the folder of one that the user has, `members` the file of
    each split in it (formats `conllu` and `ark`), `words` the folder of OntoNotes where the corpus comes without words.

    Raises `nlpcalib.errors.InputError`, naming the place, for anything wrong with the corpus.
    """
    outputs = {"train": path_train, "dev": path_dev, "test": path_test}
    prepare(corpus_format, path_source, outputs, members=members, wsj_only=wsj_only, words=words)


if "snakemake" in globals():
    start_log(snakemake.log[0])
    main(
        path_source=snakemake.params.source,
        path_train=snakemake.output.train,
        path_dev=snakemake.output.dev,
        path_test=snakemake.output.test,
        corpus_format=snakemake.params.format,
        members=snakemake.params.members,
        wsj_only=snakemake.params.wsj_only,
        words=snakemake.params.words,
    )
