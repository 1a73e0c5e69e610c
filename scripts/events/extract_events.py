"""Resolve coreference in a shard of parsed documents and find the evidence of each for the queries."""

import json
from collections.abc import Iterator, Mapping, Sequence

from nlpcalib.coref.answer.resolution import PACKAGED
from nlpcalib.coref.model.kinds import AS_TRAINED, read_weights
from nlpcalib.coref.model.model import load_model
from nlpcalib.events.count.mixture import findings
from nlpcalib.events.read.lexicon import load_lexicon
from nlpcalib.events.read.probability import EventProbability
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import atomic_open
from nlpcalib.io.progress import with_progress
from nlpcalib.text.conllu import count_documents
from nlpcalib.text.parsing.readings import read_readings
from reproduction.events.country_tables import country_tables
from reproduction.events.storage import write_events
from reproduction.workflow.run_script import run_script


def main(
    path_documents: str,
    path_trees: str | None,
    path_events: str,
    path_dyads: str,
    path_candidates: str,
    path_audit: str,
    *,
    path_model: str | None,
    path_weights: str | None,
    lexicon: Sequence[str],
    actors: Sequence[str],
    path_lexicon: str | None,
    queries: Sequence[Mapping],
    samples: int,
    seed: int,
) -> None:
    """Write the probabilities, the dyads, the candidates and what the audit page needs, of every document and query.

    `path_trees` has sampled trees of the documents, None of such as are right. `samples` are those of all trees
    together, rounded up to as many of each. `path_model` is the coreference model, None for that of the library.
    `path_weights` has the weights of its recalibrated antecedents, None to take them as they are. `actors` are
    the sources of leaders, groups and cities, which queries in the reading `acts` have in addition to `lexicon`.
    """
    countries = load_lexicon(lexicon, country_tables(path_lexicon))
    named = load_lexicon([*lexicon, *actors], country_tables(path_lexicon))
    weights = read_weights(path_weights, "temperature") if path_weights else AS_TRAINED
    asked = [Query.from_mapping(query) for query in queries]
    with atomic_open(path_candidates) as candidates, atomic_open(path_audit) as audit:
        pairs: list[tuple[str, EventProbability]] = []

        def rows() -> Iterator[tuple[str, EventProbability]]:
            model = load_model(path_model or PACKAGED)
            documents = read_readings(path_documents, path_trees)
            for readings in with_progress(documents, "document", count_documents(path_documents)):
                for found in findings(
                    readings, asked, countries, named, model, weights=weights, samples=samples, seed=seed
                ):
                    name = found.query.name
                    yield from ((name, probability) for probability in found.probabilities)
                    pairs.extend((name, dyad) for dyad in found.dyads)
                    candidates.writelines(_line({"query": name, **row}) for row in found.rows)
                    audit.writelines(map(_line, found.records))

        write_events(path_events, rows())
        write_events(path_dyads, pairs)


def _line(row: Mapping) -> str:
    return json.dumps(row, ensure_ascii=False, default=str) + "\n"


if "snakemake" in globals():
    run_script(main, snakemake)
