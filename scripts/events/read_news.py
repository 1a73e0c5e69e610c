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
from reproduction.workflow.script_log import start_log


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
    mixed_case: Sequence[tuple[str, str]],
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
    mixed_case : sequence of pairs of str
        Readers and sources that teach a truecaser how the words of an upper-case corpus are written; empty for others.
    lexicon : sequence of str, optional
        Where documents without any name of a country are left out, the sources of these names.
    """
    names = load_lexicon(lexicon, country_tables(path_lexicon)) if lexicon else None
    truecaser = None
    if mixed_case:
        texts = [text.text for other, path in mixed_case for text in load_reader(other)(path, broken)]
        truecaser = Truecaser().fit(texts)
    documents = load_reader(reader)(source, broken, **options)
    selected = selected_passages(documents, map(Query.from_mapping, queries), words, names)
    write_shards(selected, paths_documents, paths_texts, truecaser)


if "snakemake" in globals():
    start_log(snakemake)
    main(
        source=snakemake.params.source,
        paths_documents=snakemake.output.documents,
        paths_texts=snakemake.output.texts,
        reader=snakemake.params.reader,
        options=snakemake.params.options,
        broken=snakemake.params.broken,
        words=snakemake.params.words,
        queries=snakemake.params.queries,
        mixed_case=list(zip(snakemake.params.mixed_case, snakemake.input.mixed_case, strict=True)),
        lexicon=snakemake.params.lexicon,
        path_lexicon=next(iter(snakemake.input.lexicon), None),
    )
