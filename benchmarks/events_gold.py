"""Events against the gold standard of acts, before and after the wide reading, and next to a keyword count.

    python benchmarks/events_gold.py ARCHIVES first|second|third|fourth

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml, with the corpora of the gold standard
and the lexicon. The gold standard is tests/data/events/gold_acts.tsv, its codebook is next to it.

Printed are, for each kind of event and system, precision and recall of (item, country) pairs at p ≥ .5 with counts,
recall weighted by the inverse inclusion probability, and the mean stated probability next to the share of true pairs,
of the pairs with any probability. The second argument chooses the sample. Rules were corrected after looking at errors
in the first two, and the `third` and the `fourth` were kept for judging. The `second` has acts of force and protests.
"""

import argparse
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

from nlpcalib.coref.answer.resolution import PACKAGED, resolve_mentions
from nlpcalib.coref.model.model import load_model
from nlpcalib.events.count.dyads import document_dyads
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import CountryLexicon, load_lexicon
from nlpcalib.events.read.probability import document_events
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.selection import verb_pattern
from nlpcalib.text.dated import DatedText
from nlpcalib.text.parsing.model import load_parser
from reproduction.events.country_tables import country_tables

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import gold_rows, news_items, sources

HOSTILITY = ["attack", "bomb", "bombard", "invade", "occupy", "raid", "seize", "shell", "threaten", "violate"]
ASSERTED = {"only": ["asserted"]}
QUERIES = {
    "paper": [{"name": "before", "verbs": HOSTILITY}, {"name": "after", "verbs": HOSTILITY, "reading": "acts"}],
    "force": [{"name": "before", "verbs": HOSTILITY}, {"name": "after", "category": ["assault"], **ASSERTED}],
    "protest": [
        {"name": "before", "verbs": ["demonstrate", "protest"]},
        {"name": "after", "category": ["protest"], "roles": ["location"], **ASSERTED},
    ],
    "sanction": [
        {"name": "before", "verbs": ["sanction"]},
        {"name": "after", "category": ["sanction"], **ASSERTED},
    ],
}
Pairs = dict[tuple[str, str], float]


def keyword_pairs(texts: list[DatedText], query: Query, lexicon: CountryLexicon) -> Pairs:
    """Return what a keyword count finds: every country named in an item with a word of the query."""
    pattern, words = verb_pattern([query]), re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+|[^\w\s]")
    return {
        (text.id, code): 1.0
        for text in texts
        if pattern.search(text.text)
        for _, _, code in lexicon.find(words.findall(text.text), text.date)
    }


def scores(found: Pairs, true: dict[tuple[str, str], float]) -> str:
    """Return a line of scores; the values of `true` are inverse inclusion probabilities."""
    said = {pair for pair, probability in found.items() if probability >= 0.5}
    hits = said & true.keys()
    weighted = sum(true[pair] for pair in hits) / sum(true.values())
    stated = sum(found.values()) / len(found) if found else float("nan")
    right = sum(pair in true for pair in found) / len(found) if found else float("nan")
    return (
        f"precision {len(hits)}/{len(said)} = {len(hits) / max(len(said), 1):.2f}, recall {len(hits)}/{len(true)} = "
        f"{len(hits) / len(true):.2f} (weighted {weighted:.2f}), stated {stated:.2f}, true {right:.2f} of {len(found)}"
    )


def main(archives: Path, sample: str) -> None:
    """Print the scores of each kind of event and system."""
    gold = gold_rows([sample])
    wanted = {(row["corpus"], row["id"]) for row in gold}
    texts = [text for key, text in news_items(archives) if key in wanted]
    lexicon = load_lexicon(["registry"], country_tables(archives / "lexicon.zip"))
    actors = load_lexicon(["registry", "cities", "actors"], country_tables(archives / "lexicon.zip"))
    start = time.process_time()
    parsed = load_parser().parse_texts(((text.id, text.text) for text in texts), edited=True)
    documents = [replace(document, date=text.date) for document, text in zip(parsed, texts, strict=True)]
    print(f"{len(texts)} items parsed in {time.process_time() - start:.1f} s of CPU")
    model = load_model(PACKAGED)
    for kind, mappings in QUERIES.items():
        true = {(row["id"], country): 1 / float(row["inclusion"]) for row in gold for country in sources(row, kind)}
        if not true:
            continue
        print(f"{kind}: {len(true)} pairs of an item and a country")
        for mapping in mappings:
            query = Query.from_mapping(mapping)
            found: Pairs = {}
            dyads: Pairs = {}
            start = time.process_time()
            for document in documents:
                evidence = find_evidence(document, [query], lexicon, actors=actors)
                if not evidence.suffices:
                    continue
                resolution = resolve_mentions(document, evidence.mentions, model)
                events = document_events(resolution, query, evidence, samples=1000)
                for event in events.probabilities if events else ():
                    if event.probability:
                        found[document.id, event.country] = event.probability
                for dyad in document_dyads(resolution, query, evidence, samples=1000):
                    dyads[document.id, dyad.country] = dyad.probability
            print(f"  {query.name}: {scores(found, true)}; {time.process_time() - start:.1f} s")
            if query.name == "after":
                print(f"  keyword count: {scores(keyword_pairs(texts, query, lexicon), true)}")
                sides = ((row["id"], side.lstrip("~")) for row in gold for side in row[f"{kind}_final"].split())
                both = {each: 1.0 for each in sides if re.search(">.", each[1])}
                if both and kind != "paper":
                    print(f"  dyads: {scores(dyads, both)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("sample", choices=("first", "second", "third", "fourth"), nargs="?", default="third")
    main(**vars(parser.parse_args()))
