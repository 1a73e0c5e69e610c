"""The gold standard of acts: items of two corpora of news, and what annotators and rules found in them."""

from __future__ import annotations

import csv
import hashlib
import lzma
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from nlpcalib.systems.text.dated import DatedText
from reproduction.corpora.readers.current_events import read_current_events
from reproduction.corpora.readers.wikinews import read_wikinews

GOLD = Path(__file__).parents[1] / "tests" / "data" / "events" / "gold_acts.tsv"
KINDS = {"force": "assault", "protest": "protest", "sanction": "sanction"}
"""The kinds that are annotated, and the packaged category of each."""
SILVER = GOLD.with_name("silver.tsv.xz")
"""What rules of the package's past found, by item: `corpus id use kind:country[:probability] …`, separated by tabs."""
READ_TWICE = ("first", "second", "third", "fourth")
"""The samples of which every item has two readings."""
_FIRST = 60
Row = Mapping[str, str]


def gold_rows(samples: Iterable[str] = (*READ_TWICE, "fifth")) -> list[dict[str, str]]:
    """Return the rows of some samples; the fifth was read once, and is there to teach models."""
    with GOLD.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file, delimiter="\t") if row["sample"] in samples]


def kept_for_judging(row: Row) -> bool:
    """Return whether an item is of the third sample, or of the half of the fourth that a hash of its id chose."""
    half = hashlib.sha256(f"{row['corpus']}/{row['id']}".encode()).digest()[0] % 2 == 0
    return row["sample"] == "third" or (row["sample"] == "fourth" and half)


def annotated(row: Row, kind: str) -> bool:
    """Return whether an item was read for a kind: the second sample was not for sanctions."""
    return (row["sample"], kind) != ("second", "sanction")


def sources(row: Row, kind: str) -> set[str]:
    """Return the countries that have an event: sources, or places; what an item only mentions (~) counts too."""
    return {entry.lstrip("~").split(">")[0] for entry in row[f"{kind}_final"].split()}


def dyads(row: Row, kind: str) -> set[str]:
    """Return the sources with their targets, ISR>PSE, that have an event; of what has no target, none."""
    marks = (entry.lstrip("~") for entry in row[f"{kind}_final"].split())
    return {mark for mark in marks if all(mark.partition(">"))}


def silver_rows() -> Iterator[tuple[tuple[str, str], str, dict[tuple[str, str], float]]]:
    """Yield corpus and id of each item that rules read, its use, and the probabilities by category and country.

    The uses are `teach`, of the items that models learn from, and `gold`, of items that annotators read.
    """
    with lzma.open(SILVER, "rt", encoding="utf-8") as file:
        for line in file:
            corpus, name, use, *marks = line.rstrip("\n").split("\t")
            parts = (mark.split(":") for mark in marks)
            yield (corpus, name), use, {(kind, who): float(*p or (1,)) for kind, who, *p in parts}


def news_items(archives: Path) -> Iterator[tuple[tuple[str, str], DatedText]]:
    """Yield corpus and id of each item, and the item; of an article, its first paragraphs until they have 60 words.

    `archives` is the folder results/corpora/archives of a run with configs/open.yaml.
    """
    for text in read_current_events(archives / "wikipedia_current_events.zip", 0.01):
        yield ("current_events", text.id), replace(text, text=text.text.split("\n\n")[0])
    for text in read_wikinews(archives / "wikinews_2019_2020.zip", 0.01):
        first, *rest = text.text.split("\n\n")
        while rest and len(first.split()) < _FIRST:
            first += "\n\n" + rest.pop(0)
        yield ("wikinews", text.id), replace(text, text=first)
