"""Read a dated corpus and select the documents that can have an event."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from nlpcalib.corpora.dated import DatedText
from nlpcalib.corpora.formats import load_reader
from nlpcalib.corpora.readers.dated_files import json_line
from nlpcalib.corpora.truecase import Truecaser
from nlpcalib.events.lexicon import load_lexicon
from nlpcalib.events.query import Query
from nlpcalib.events.selection import names_a_country, passages, verb_pattern
from nlpcalib.io.files import atomic_open
from nlpcalib.io.spreadsheet import table_writer
from nlpcalib.workflow.script_log import start_log


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
        The format's reader, see `nlpcalib.corpora.formats.load_reader`, and the dataset's options that it takes.
    broken : float
        The share of records that may be broken.
    words : int
        Longer documents are divided into passages of about so many words.
    mixed_case : sequence of pairs of str
        Readers and sources that teach a truecaser how the words of an upper-case corpus are written; empty for others.
    lexicon : sequence of str, optional
        Where documents without any name of a country are left out, the sources of these names.
    """
    pattern = verb_pattern(map(Query.from_mapping, queries))
    names = load_lexicon(lexicon, path_lexicon) if lexicon else None
    truecaser = None
    if mixed_case:
        texts = [text.text for other, path in mixed_case for text in load_reader(other)(path, broken)]
        truecaser = Truecaser().fit(texts)
    number = 0
    with ExitStack() as stack:
        tables = [table_writer(stack.enter_context(atomic_open(path))) for path in paths_documents]
        shards = [stack.enter_context(atomic_open(path)) for path in paths_texts]
        for write_row in tables:
            write_row(("document", "date", "selected"))
        for document in load_reader(reader)(source, broken, **options):
            for passage in passages(document, words):
                if names and not names_a_country(passage, names):
                    continue
                found = pattern.search(passage.text) is not None
                tables[number % len(tables)]((passage.id, passage.date, found))
                if found:
                    text = truecaser.apply(passage.text) if truecaser else passage.text
                    shards[number % len(shards)].write(json_line(DatedText(passage.id, passage.date, text, {})))
                number += 1
                if not number % 10_000:
                    logging.info("%d documents", number)
    logging.info("%d documents", number)


if "snakemake" in globals():
    start_log(snakemake.log[0])
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
