"""Read the events that another system found, in the place of parsing, coreference and extraction."""

import json
from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.io.files import atomic_open
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from reproduction.events.country_tables import country_tables
from reproduction.events.storage import read_document_dates, write_events
from reproduction.events.system_events import gathered_events, read_system_events, sampled_event
from reproduction.workflow.run_script import run_script


def main(
    path_system: str,
    paths_documents: Sequence[str],
    paths_events: Sequence[str],
    paths_candidates: Sequence[str],
    *,
    lexicon: Sequence[str],
    path_lexicon: str | None,
    queries: Sequence[Mapping],
    samples: int,
    seed: int,
) -> None:
    """Write the probabilities and the events of each shard's documents, as `extract_events.py` does."""
    countries = load_lexicon(lexicon, country_tables(path_lexicon))
    shards = [read_document_dates([path]) for path in paths_documents]
    dates = {name: day.item() for ids, days in shards for name, day in zip(ids, days, strict=True)}
    asked = [Query.from_mapping(query) for query in queries]
    found, rows = gathered_events(read_system_events(path_system), dates, countries, asked)
    for (ids, _), path_events, path_candidates in zip(shards, paths_events, paths_candidates, strict=True):
        own = set(ids)

        def probabilities(own: set[str] = own) -> Iterator[tuple[str, EventProbability]]:
            for (query, document, country), probability in sorted(found.items()):
                if document in own:
                    yield query, sampled_event(document, dates[document], country, probability, samples, seed)

        write_events(path_events, probabilities())
        with atomic_open(path_candidates) as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows if row["document"] in own)


if "snakemake" in globals():
    run_script(main, snakemake)
