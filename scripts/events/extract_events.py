"""Find the events of a shard of documents: of verbs by trees and coreference, of categories by their models."""

import json
from collections.abc import Mapping, Sequence

from nlpcalib.io.files import atomic_open
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from reproduction.coref.temperatures import read_weights
from reproduction.events.country_tables import country_tables
from reproduction.events.extraction import category_findings, verb_findings
from reproduction.events.storage import event_writer
from reproduction.workflow.run_script import run_script


def main(
    path_documents: str | None,
    path_trees: str | None,
    path_texts: str | None,
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

    `path_documents` has parsed documents, None without a query of verbs, and `path_texts` their texts, None without a
    query of a category. `path_trees` has sampled trees, None of such as are right. `samples` are those of all trees
    together, rounded up to as many of each. `path_model` is the coreference model, None for that of the library.
    `path_weights` has the weights of its recalibrated antecedents, None to take them as they are. `actors` are
    the sources of leaders, groups and cities, which categories have in addition to `lexicon`.
    """
    tables = country_tables(path_lexicon)
    asked = [Query.from_mapping(query) for query in queries]
    with (
        event_writer(path_events) as write_event,
        event_writer(path_dyads) as write_dyad,
        atomic_open(path_candidates) as candidates,
        atomic_open(path_audit) as audit,
    ):
        if path_documents:
            temperature = read_weights(path_weights, "temperature").temperature if path_weights else 1.0
            countries, model = load_lexicon(lexicon, tables), load_model(path_model or PACKAGED_MODEL)
            for found in verb_findings(
                path_documents, path_trees, asked, countries, model, temperature=temperature, samples=samples, seed=seed
            ):
                name = found.query.name
                for event in found.probabilities:
                    write_event(name, event)
                candidates.writelines(_line({"query": name, **row}) for row in found.rows)
                audit.writelines(map(_line, found.records))
        if path_texts:
            named = load_lexicon([*lexicon, *actors], tables)
            for name, events, dyads in category_findings(path_texts, asked, named, samples=samples, seed=seed):
                for event in events:
                    write_event(name, event)
                for dyad in dyads:
                    write_dyad(name, dyad)


def _line(row: Mapping) -> str:
    return json.dumps(row, ensure_ascii=False, default=str) + "\n"


if "snakemake" in globals():
    run_script(main, snakemake)
