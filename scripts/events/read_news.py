"""Read a dated corpus and select the documents that can have an event."""

from collections.abc import Mapping, Sequence
from typing import Any

from nlpcalib.events.read.lexicon import load_lexicon
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.selection import selected_passages
from reproduction.corpora.formats import load_reader
from reproduction.events.country_tables import country_tables
from reproduction.events.texts import write_shards
from reproduction.events.truecase import Truecaser
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
    names = load_lexicon(lexicon, country_tables(path_lexicon)) if lexicon else None
    truecaser = None
    if mixed_case:
        texts = [
            text.text
            for other, path in zip(mixed_case, paths_mixed_case, strict=True)
            for text in load_reader(other)(path, broken)
        ]
        truecaser = Truecaser().fit(texts)
    documents = load_reader(reader)(source, broken, **options)
    selected = selected_passages(documents, map(Query.from_mapping, queries), words, names)
    write_shards(selected, paths_documents, paths_texts, truecaser)


if "snakemake" in globals():
    run_script(main, snakemake)
