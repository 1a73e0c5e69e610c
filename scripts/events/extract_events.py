"""Find the events of a shard of documents: of verbs by trees and coreference, of categories by their models."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from nlpcalib.coref.answer.resolution import PACKAGED
from nlpcalib.coref.model.kinds import AS_TRAINED, read_weights
from nlpcalib.coref.model.model import load_model
from nlpcalib.events.count.mixture import findings
from nlpcalib.events.learn.model import read_model
from nlpcalib.events.learn.reading import learnt_dyads, learnt_events
from nlpcalib.events.read.lexicon import load_lexicon
from nlpcalib.events.read.probability import EventProbability
from nlpcalib.events.read.query import Query
from nlpcalib.io.files import atomic_open
from nlpcalib.io.progress import with_progress
from nlpcalib.text.conllu import count_documents, read_conllu
from nlpcalib.text.dated import DatedText
from nlpcalib.text.dated_files import read_dated_file
from nlpcalib.text.parsing.readings import read_readings
from reproduction.events.country_tables import country_tables
from reproduction.events.storage import write_events
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
    weights = read_weights(path_weights, "temperature") if path_weights else AS_TRAINED
    every = [Query.from_mapping(query) for query in queries]
    asked = [query for query in every if not query.model]
    with atomic_open(path_candidates) as candidates, atomic_open(path_audit) as audit:
        pairs: list[tuple[str, EventProbability]] = []

        def of_verbs(path: str) -> Iterator[tuple[str, EventProbability]]:
            countries = load_lexicon(lexicon, country_tables(path_lexicon))
            model = load_model(path_model or PACKAGED)
            documents = read_readings(path, path_trees)
            for readings in with_progress(documents, "document", count_documents(path)):
                for found in findings(readings, asked, countries, model, weights=weights, samples=samples, seed=seed):
                    name = found.query.name
                    yield from ((name, probability) for probability in found.probabilities)
                    candidates.writelines(_line({"query": name, **row}) for row in found.rows)
                    audit.writelines(map(_line, found.records))

        def of_categories(path: str) -> Iterator[tuple[str, EventProbability]]:
            named = load_lexicon([*lexicon, *actors], country_tables(path_lexicon))
            models = [(query, read_model(query.model)) for query in every if query.model]
            for text in _texts(path):
                for query, model in models:
                    for event in learnt_events(
                        text, model, named, query.countries, only_acts=bool(query.only), samples=samples, seed=seed
                    ):
                        yield query.name, event
                    for dyad in learnt_dyads(text, model, named, samples=samples, seed=seed):
                        pairs.append((query.name, dyad))

        write_events(
            path_events,
            chain(of_verbs(path_documents) if path_documents else (), of_categories(path_texts) if path_texts else ()),
        )
        write_events(path_dyads, pairs)


def _texts(path: str) -> Iterator[DatedText]:
    """Yield the texts of a file, of simulated reports those of their words."""
    if path.endswith(".conllu"):
        for report in read_conllu(path):
            assert report.date is not None, "every report of the newsroom has a date"
            yield DatedText(report.id, report.date, report.text, {})
    elif Path(path).stat().st_size:
        yield from read_dated_file(path, 0.0)


def _line(row: Mapping) -> str:
    return json.dumps(row, ensure_ascii=False, default=str) + "\n"


if "snakemake" in globals():
    run_script(main, snakemake)
