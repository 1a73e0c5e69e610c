"""Where coreference loses accuracy: mentions by kind, and CoNLL F1 where an oracle takes one source of errors away.

The packaged parser parses the words of annotated documents, and the packaged model resolves them. Oracles know the
annotated mentions:

* `in the entities`: mentions that are not annotated leave the decoded entities;
* `among the candidates`: they are no candidates either, so that no link leads to one;
* `the words of a mention`: a mention with the head of an annotated one has the words of that, with the same entity;
* `all mentions`: the model resolves the annotated mentions.

    python benchmarks/coref_oracles.py results/corpora/ontogum/dev.conllu
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, resolve_mentions
from nlpcalib.systems.coref.model.mentions import MENTION_KINDS, Span, candidate_mentions, gold_mentions
from nlpcalib.systems.coref.model.model import AntecedentModel, load_model
from nlpcalib.systems.coref.score.scoring import coref_counts, coref_results
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.model import load_parser
from reproduction.coref.clusters import clusters, gold_clusters

Clusters = Sequence[Sequence[tuple[int, int, int]]]


def place(span: Span) -> tuple[int, int, int]:
    """Return where a mention is, as the scores take it."""
    return span.sentence, span.start, span.end


def mention_rows(documents: Sequence[Document]) -> Iterator[list[object]]:
    """Yield, for each kind, annotated mentions, the shares found and found by their heads, candidates, precision."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        gold, candidates = gold_mentions(document), candidate_mentions(document)
        key, response = set(map(place, gold)), set(map(place, candidates))
        heads = {(span.sentence, span.head) for span in candidates}
        for span in gold:
            found[span.kind].update(gold=1, found=place(span) in response, head=(span.sentence, span.head) in heads)
        for span in candidates:
            found[span.kind].update(candidates=1, right=place(span) in key)
    for kind in MENTION_KINDS:
        count = found[kind]
        annotated, proposed = max(count["gold"], 1), max(count["candidates"], 1)
        shares = [count["found"] / annotated, count["head"] / annotated]
        yield [kind, count["gold"], *shares, count["candidates"], count["right"] / proposed]


def responses(document: Document, model: AntecedentModel) -> Iterator[tuple[str, Clusters]]:
    """Yield the decoded entities of a document, by the oracle that took part."""
    spans, gold = candidate_mentions(document), gold_mentions(document)
    key = set(map(place, gold))
    entities = resolve_mentions(document, spans, model).entities
    decoded = clusters(spans, entities)
    yield "none", decoded
    yield "in the entities", [[each for each in entity if each in key] for entity in decoded]
    annotated = {(span.sentence, span.head): span for span in reversed(gold)}
    words = [annotated.get((span.sentence, span.head), span) for span in spans]
    # Of candidates that get the same words, the first stays.
    moved = {place(span): (span, entity) for span, entity in reversed(list(zip(words, entities, strict=True)))}
    ordered = [moved[each] for each in sorted(moved)]
    yield "the words of a mention", clusters([span for span, _ in ordered], np.array([entity for _, entity in ordered]))
    for oracle, chosen in (("among the candidates", [s for s in spans if place(s) in key]), ("all mentions", gold)):
        yield oracle, clusters(chosen, resolve_mentions(document, chosen, model).entities)


def show(title: str, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table in Markdown."""
    print(f"\n{title}\n\n| {' | '.join(heading)} |\n|{' --- |' * len(heading)}")
    for row in rows:
        cells = (f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row)
        print(f"| {' | '.join(cells)} |")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", help="CoNLL-U with entities and trees")
    path = parser.parse_args().documents
    corpus = list(read_conllu(path))
    parsed = list(map(load_parser().parse_tokens, corpus))
    heading = ["kind", "annotated", "found", "its head found", "candidates", "annotated, of candidates"]
    for trees, documents in (("the parser's trees", parsed), ("the corpus' trees", corpus)):
        show(f"Mentions on {trees}", heading, mention_rows(documents))
    counts: dict[str, np.ndarray] = {}
    model = load_model(PACKAGED_MODEL)
    for document in parsed:
        key = gold_clusters(document)
        for oracle, response in responses(document, model):
            counts[oracle] = counts.get(oracle, 0) + coref_counts(key, response, singletons=False)
    rows = [
        [oracle, 100 * scores.conll_f1, scores.mentions.recall, scores.mentions.precision]
        for oracle, scores in ((oracle, coref_results(count)) for oracle, count in counts.items())
    ]
    show("CoNLL F1", ["oracle", "CoNLL F1", "recall of mentions", "precision of mentions"], rows)


if __name__ == "__main__":
    main()
