"""Names that a parser cut in two: *Mr* and *Cole* as two subjects of one verb."""

from __future__ import annotations

from dataclasses import replace

from nlpcalib.coref.model.phrases import PROPER_TAGS
from nlpcalib.text.document import Sentence

_SINGLE_RELATIONS = ("nsubj", "nsubj:pass", "obj", "iobj")
"""Relations that a verb has to one word at most."""


def with_whole_names(sentence: Sentence) -> Sentence:
    """Return a sentence in which a proper noun is `flat` below its neighbour, if both were one argument of a word.

    No verb has two subjects, so the two are one name, such as a title and a surname.
    """
    heads, relations = list(sentence.heads), list(sentence.relations)
    for word in range(1, len(heads)):
        both = {(heads[place], relations[place], sentence.tags[place] in PROPER_TAGS) for place in (word - 1, word)}
        if len(both) == 1 and both.pop()[1:] in {(relation, True) for relation in _SINGLE_RELATIONS}:
            heads[word], relations[word] = word, "flat"
    if heads == list(sentence.heads):
        return sentence
    return replace(sentence, heads=tuple(heads), relations=tuple(relations))
