"""Leads of news, coded by the system of the events chapter: each sentence by the first of its verbs that a country has.

The system is a dictionary that gives verbs their categories, a parser that finds their agents, and a coreference model
whose 1-best clustering decides whether an agent belongs to a country. A sentence is a lead, the machine's own
sentence where it divided the text itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.events.read.extraction import find_evidence
from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.probability import candidate_countries
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.document import Document
from reproduction.extraction_eval.scale import NONE


def coded_leads(resolution: Resolution, category_of: Mapping[str, str], lexicon: CountryLexicon) -> Iterator[dict]:
    """Yield a row for each sentence of a document: `lead` (an id), `date`, `text` and the machine's `category`.

    `category_of` has the category of each verb of the dictionary, by lemma. `actor` is the country of the verb's agent,
    the first by its code if there are several.

    Raises `InputError` for a sentence without Penn tags or a tree.
    """
    document, dictionary = resolution.document, Query("dictionary", tuple(category_of))
    evidence = find_evidence(document, [dictionary], lexicon, resolution.mentions)
    coded: dict[int, tuple[str, str]] = {}
    if evidence.affiliations:
        found = evidence.candidates[dictionary.name]
        countries, best = candidate_countries(found, evidence.affiliations, resolution.entities[:, None])
        # Candidates are in the order of the text, so a sentence keeps its first.
        for place in np.flatnonzero(best.any(axis=(1, 2))).tolist():
            actor = countries[int(best[place, :, 0].argmax())]
            coded.setdefault(found[place].sentence, (category_of[found[place].lemma], actor))
    for number, sentence in enumerate(document.sentences):
        category, actor = coded.get(number, (NONE, NONE))
        yield {
            "lead": lead_id(document, number),
            "date": document.date,
            "text": sentence.text().strip(),
            "category": category,
            "actor": actor,
        }


def true_categories(
    document: Document, written: Document, events: Iterable[Mapping[str, str]], categories: Iterable[str]
) -> Iterator[dict]:
    """Yield the true `category` and `actor` of each `lead` of a simulated report.

    They are those of the first event of a country in it, in whatever words, if the scale has its category. An event is
    in the sentence of the machine that holds its verb, wherever the machine divided the text.

    Parameters
    ----------
    document : Document
        The report as the machine divided it.
    written : Document
        The report as it was simulated.
    events : iterable of mapping
        Fields of `newsroom.reports.Event` of this report, as text.
    categories : iterable of str
        Those of the scale.

    Raises `InputError` if the two do not have the same characters.
    """
    starts, ours = ([0, *accumulate(_letters(each))] for each in (written, document))
    if starts[-1] != ours[-1]:
        found = f"{ours[-1]} characters in the machine's sentences"
        raise InputError(f"document {document.id!r}: found {found}, expected the {starts[-1]} that were written")
    known = set(categories)
    true: dict[int, tuple[int, str, str]] = {}
    for event in events:
        if event["agent_country"] and event["category"] in known:
            sentence = int(event["sentence"])
            words = written.sentences[sentence].words[: int(event["verb_index"])]
            place = starts[sentence] + sum(map(len, words))
            lead = bisect_right(ours, place) - 1
            event_here = place, event["category"], event["agent_country"]
            true[lead] = min(true.get(lead, event_here), event_here)
    for number in range(len(document.sentences)):
        _, category, actor = true.get(number, (0, NONE, NONE))
        yield {"lead": lead_id(document, number), "category": category, "actor": actor}


def lead_id(document: Document, sentence: int) -> str:
    """Return the id of a sentence, counted from 0."""
    return f"{document.id}/{sentence + 1}"


def _letters(document: Document) -> list[int]:
    """Return the number of characters of each sentence, without white space."""
    return [sum(map(len, sentence.words)) for sentence in document.sentences]
