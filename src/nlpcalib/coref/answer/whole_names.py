"""Names that a parser cut in two: *Mr* and *Cole* as two subjects of one verb, or *Elsa* as a noun before *Thorne*."""

from __future__ import annotations

from dataclasses import replace

from nlpcalib.coref.model.lexicon import GENDERS, NOUNS, PLACES, SURNAMES
from nlpcalib.coref.model.phrases import PROPER_TAGS
from nlpcalib.text.document import Sentence

_SINGLE_RELATIONS = ("nsubj", "nsubj:pass", "obj", "iobj")
"""Relations that a verb has to one word at most."""


def with_whole_names(sentence: Sentence) -> Sentence:
    """Return a sentence in which proper nouns are `flat` parts of the name that they belong to.

    No verb has two subjects, so two neighbours that were both are one name, such as a title and a surname. Proper nouns
    right before another one are one name with it, unless the first is a place (*Oslo Reds*) or the last is a place or a
    thing (*Mill Road*).
    """
    heads, relations = list(sentence.heads), list(sentence.relations)
    is_proper = [tag in PROPER_TAGS for tag in sentence.tags]
    for word in range(1, len(heads)):
        both = {(heads[place], relations[place], is_proper[place]) for place in (word - 1, word)}
        if len(both) == 1 and both.pop()[1:] in {(relation, True) for relation in _SINGLE_RELATIONS}:
            heads[word], relations[word] = word, "flat"
        if is_proper[word] and _is_family_name(sentence.words[word].lower()):
            first = word
            while first and is_proper[first - 1] and (heads[first - 1], relations[first - 1]) == (word + 1, "compound"):
                first -= 1
            if sentence.words[first].lower() not in PLACES:
                relations[first:word] = ["flat"] * (word - first)
    if (heads, relations) == (list(sentence.heads), list(sentence.relations)):
        return sentence
    return replace(sentence, heads=tuple(heads), relations=tuple(relations))


def _is_family_name(word: str) -> bool:
    """Return whether a proper noun can be a family name, and names no thing or place."""
    return word in SURNAMES or (word not in PLACES and NOUNS.get(word) != GENDERS.index("thing"))
