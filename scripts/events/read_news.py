"""Read a dated corpus and select the documents that can have an event."""

from collections.abc import Mapping, Sequence
from typing import Any

from reproduction.corpora.formats import load_reader
from reproduction.events.texts import text_selection, write_shards
from reproduction.workflow.run_script import run_script


def main(
    source: str | None,
    paths_documents: Sequence[str],
    paths_texts: Sequence[str],
    *,
    reader: str,
    options: Mapping[str, Any],
    broken: float,
    words: int,
    queries: Sequence[Mapping],
    mixed_case: Sequence[str],
    paths_mixed_case: Sequence[str],
    lexicon: Sequence[str] | None,
    path_lexicon: str | None,
) -> None:
    """Write all documents' dates and the texts of those with a verb of a query, in turn to each shard.

    Parameters
    ----------
    source : str, optional
        What the format's reader reads; absent for an installed package.
    reader, options : str, mapping
        The format's reader, see `reproduction.corpora.formats.load_reader`, and the dataset's options that it takes.
    broken : float
        The share of records that may be broken.
    words : int
        Longer documents are divided into passages of about so many words.
    mixed_case, paths_mixed_case : sequences of str
        Readers, and their sources, that teach a truecaser how the words of an upper-case corpus are written.
    lexicon : sequence of str, optional
        Where documents without any name of a country are left out, the sources of these names.
    """
    taught = zip(mixed_case, paths_mixed_case, strict=True)
    select = text_selection(queries, words, lexicon, path_lexicon, taught, broken)
    write_shards(select(load_reader(reader)(source, broken, **options)), paths_documents, paths_texts)


if "snakemake" in globals():
    run_script(main, snakemake)
