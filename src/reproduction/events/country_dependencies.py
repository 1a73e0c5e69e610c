"""In which relations countries stand, by which one finds the relations of a query (paper, appendix 3)."""

from __future__ import annotations

from collections import Counter, defaultdict

from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.events.read.extraction import affiliations
from nlpcalib.systems.events.read.lexicon import CountryLexicon


def country_dependencies(resolution: Resolution, lexicon: CountryLexicon) -> Counter[tuple[str, str]]:
    """Return how often heads of mentions stand in each relation to each lemma, in entities of one country alone.

    Entities are those of the best clustering. The lemma is empty at the root of a sentence.
    """
    document, entities = resolution.document, resolution.entities.tolist()
    countries: defaultdict[int, set[str]] = defaultdict(set)
    for each in affiliations(document, resolution.mentions, lexicon):
        countries[entities[each.mention]].add(each.country)
    found: Counter[tuple[str, str]] = Counter()
    for entity, span in zip(entities, resolution.mentions, strict=True):
        if len(countries[entity]) == 1:
            sentence = document.sentences[span.sentence]
            head = sentence.heads[span.head]
            found[sentence.relations[span.head], sentence.lemmas[head - 1] if head else ""] += 1
    return found
