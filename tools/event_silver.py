"""What the reading `acts` finds in unlabelled news: silver labels, from which the packaged models of events start.

    python tools/event_silver.py ARCHIVES SILVER [--items N]

ARCHIVES is the folder results/corpora/archives of a run with configs/open.yaml. SILVER gets a row per item that was
read: `corpus id kind:code:probability …`, separated by tabs. Items of Wikipedia's current events and of Wikinews are
drawn at random, and those of the gold standard are left out. 65,000 of 112,000 take seven minutes of CPU.
"""

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from nlpcalib.coref.answer.resolution import PACKAGED, resolve_mentions
from nlpcalib.coref.model.model import load_model
from nlpcalib.events.read.extraction import find_evidence
from nlpcalib.events.read.lexicon import DEFAULT_ACTORS, load_lexicon
from nlpcalib.events.read.probability import document_events
from nlpcalib.events.read.query import Query
from nlpcalib.events.read.selection import verb_pattern
from nlpcalib.text.dated import DatedText
from nlpcalib.text.parsing.model import load_parser

sys.path.insert(0, str(Path(__file__).parents[1]))
from tools.event_gold import KINDS, gold_rows, news_items

_PLACES = {"protest": {"roles": ["location"]}}
QUERIES = [
    Query.from_mapping({"name": kind, "category": [category], "only": ["asserted"], **_PLACES.get(kind, {})})
    for kind, category in KINDS.items()
]
_TOGETHER = 500


def read_by_rules(texts: Sequence[DatedText]) -> Iterator[dict[tuple[str, str], float]]:
    """Yield the probability of each kind and country that rules find in a text."""
    pattern = verb_pattern(QUERIES)
    lexicon, actors = load_lexicon(["packaged"]), load_lexicon(["packaged", *DEFAULT_ACTORS])
    parser, model = load_parser(), load_model(PACKAGED)
    for first in range(0, len(texts), _TOGETHER):
        part = texts[first : first + _TOGETHER]
        read = [place for place, text in enumerate(part) if pattern.search(text.text)]
        found: list[dict[tuple[str, str], float]] = [{} for _ in part]
        for place, bare in zip(read, parser.parse_texts(_bodies(part, read), edited=True), strict=True):
            document = replace(bare, date=part[place].date)
            evidence = find_evidence(document, QUERIES, lexicon, actors=actors)
            if not evidence.suffices:
                continue
            resolution = resolve_mentions(document, evidence.mentions, model)
            for query in QUERIES:
                events = document_events(resolution, query, evidence, samples=20)
                for event in events.probabilities if events else ():
                    if event.probability:
                        found[place][query.name, event.country] = event.probability
        yield from found


def _bodies(texts: Sequence[DatedText], places: Iterable[int]) -> Iterator[tuple[str, str]]:
    return ((texts[place].id, texts[place].text) for place in places)


def main(archives: Path, silver: Path, count: int) -> None:
    """Draw items, read them by rules and write what is found."""
    excluded = {(row["corpus"], row["id"]) for row in gold_rows()}
    every = [each for each in news_items(archives) if each[0] not in excluded]
    drawn = random.Random("silver labels of events").sample(every, min(count, len(every)))
    with silver.open("w", encoding="utf-8") as out:
        for (key, _), found in zip(drawn, read_by_rules([text for _, text in drawn]), strict=True):
            cells = [f"{kind}:{country}:{value:.3g}" for (kind, country), value in found.items()]
            print(*key, *cells, sep="\t", file=out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archives", type=Path, metavar="ARCHIVES")
    parser.add_argument("silver", type=Path, metavar="SILVER")
    parser.add_argument("--items", type=int, default=65_000, metavar="N")
    options = parser.parse_args()
    main(options.archives, options.silver, options.items)
