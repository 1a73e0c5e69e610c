"""Events against the gold standard of acts: the paper's verbs, and what rules found before models took their place.

    python benchmarks/events_gold.py ARCHIVES first|second|third|fourth

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml, with the corpora of the gold standard
and the lexicon. Printed are, for each kind of event, precision and recall of (item, country) pairs at p ≥ .5 with
counts. Rules' output is that of tests/data/events/silver.tsv.xz; they were corrected after looking at errors in the
first two samples. tools/event_weights.py judges the models.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, resolve_mentions
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.read.extraction import find_evidence
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.probability import document_events
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.parsing.model import load_parser
from reproduction.events.country_tables import country_tables

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import KINDS, gold_rows, news_items, silver_rows, sources

HOSTILITY = ("attack", "bomb", "bombard", "invade", "occupy", "raid", "seize", "shell", "threaten", "violate")
VERBS = {"paper": HOSTILITY, "force": HOSTILITY, "protest": ("demonstrate", "protest"), "sanction": ("sanction",)}
Pairs = set[tuple[str, str]]


def scores(said: Pairs, true: Pairs) -> str:
    """Return a line of scores."""
    hits = len(said & true)
    return (
        f"precision {hits}/{len(said)} = {hits / max(len(said), 1):.2f}, "
        f"recall {hits}/{len(true)} = {hits / max(len(true), 1):.2f}"
    )


def main(archives: Path, sample: str) -> None:
    """Print the scores of each kind of event and system."""
    gold = gold_rows([sample])
    wanted = {(row["corpus"], row["id"]) for row in gold}
    texts = [text for key, text in news_items(archives) if key in wanted]
    rules = {key: said for key, _, said in silver_rows() if key in wanted}
    lexicon = load_lexicon(["registry"], country_tables(archives / "lexicon.zip"))
    parsed = load_parser().parse_texts(((text.id, text.text) for text in texts), edited=True)
    documents = [replace(document, date=text.date) for document, text in zip(parsed, texts, strict=True)]
    model = load_model(PACKAGED_MODEL)
    for kind, verbs in VERBS.items():
        true = {(row["id"], country) for row in gold for country in sources(row, kind)}
        query, found = Query(kind, verbs), set()
        for document in documents:
            evidence = find_evidence(document, [query], lexicon)
            if evidence.affiliations:
                resolution = resolve_mentions(document, evidence.mentions, model)
                events = document_events(resolution, query, evidence, samples=1000)
                likely = [each for each in (events.probabilities if events else ()) if each.probability >= 0.5]
                found |= {(document.id, each.country) for each in likely}
        print(f"{kind}: {len(true)} pairs of an item and a country\n  verbs: {scores(found, true)}")
        if kind in KINDS:
            said = {
                (name, country)
                for (_, name), marks in rules.items()
                for (category, country), probability in marks.items()
                if category == KINDS[kind] and probability >= 0.5
            }
            print(f"  rules: {scores(said, true)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("sample", choices=("first", "second", "third", "fourth"), nargs="?", default="third")
    main(**vars(parser.parse_args()))
