"""Bring one corpus, whatever its format, into train, dev and test files in CoNLL-U."""

from collections.abc import Mapping, Sequence
from typing import Any

from reproduction.corpora.formats import load_reader
from reproduction.corpora.prepare import prepare
from reproduction.workflow.run_script import run_script


def main(
    source: str,
    path_train: str,
    path_dev: str,
    path_test: str,
    reader: str,
    options: Mapping[str, Any],
    coref: bool,
    tags: Sequence[str],
) -> None:
    """Write the three splits as `reproduction.corpora.prepare.prepare` does.

    `source` is the archive of a retrieved corpus or the folder of one that the user has, `reader` that of its
    format, see `reproduction.corpora.formats.load_reader`, and `options` are the dataset's options that it takes.
    `coref` is whether the dataset is read for its entities, `tags` those that figures and tables need.

    Raises `nlpcalib.errors.InputError`, naming the place, for anything wrong with the corpus.
    """
    outputs = {"train": path_train, "dev": path_dev, "test": path_test}
    prepare(load_reader(reader), source, outputs, coref=coref, needed_tags=tags, **options)


if "snakemake" in globals():
    run_script(main, snakemake)
