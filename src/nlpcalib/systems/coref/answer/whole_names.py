"""Names that a parser cut in two (*Mr* and *Cole*) or took for nouns (*Styles*), and people in a list as one name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nlpcalib.systems.coref.model.lexicon import (
    CLASSES,
    GENDERS,
    GIVEN_NAMES,
    NOUN_CLASSES,
    NOUNS,
    PLACES,
    SURNAMES,
    TITLES,
)
from nlpcalib.systems.coref.model.phrases import PROPER_TAGS
from nlpcalib.systems.text.document import Sentence
from nlpcalib.systems.text.titles import FORMS_OF_ADDRESS
from nlpcalib.systems.text.tree import Tree, tree_of

_SINGLE_RELATIONS = ("nsubj", "nsubj:pass", "obj", "iobj")
"""Relations that a verb has to one word at most."""
_RELATIONS_OF_ONE = ("appos", "flat", "compound", "nmod", "nmod:desc", "nmod:unmarked")
"""Relations by which a name describes another one, or is a part of it."""
_INDEFINITE = re.compile(r"(any|every|no|some)(body|one|thing)|none")
_MISTAKEN_TAGS = ("JJ", "RB", "VB", "VBP", "VBD", "VBN", "VBG")
_NOMINAL_RELATIONS = ("nsubj", "obj", "iobj", "obl", "nmod", "appos", "flat", "compound", "root", "vocative")
_BETWEEN_NAMES = (",", ";", "and", "&", "/")


def with_whole_names(sentence: Sentence) -> Sentence:
    """Return a sentence in which proper nouns are `flat` parts of the name that they belong to, and lists are lists.

    A capitalised word that is no noun, or that can be a name, is one, if it has no determiner and no plural verb.
    No verb has two subjects, so two neighbours that were both are one name, such as a title and a surname. Proper nouns
    right before another one are one name with it, unless the first is a place (*Oslo Reds*) or the last is a place or a
    thing (*Mill Road*). *Mr*, *Miss* or *Dr* before a proper noun is a part of this name. A name with a title
    describes no other surname with a title, and a full name no other full name: these are conjuncts.
    """
    tags, heads, relations = list(sentence.tags), list(sentence.heads), list(sentence.relations)
    words = [word.lower() for word in sentence.words]
    tree = tree_of(sentence)
    for word in range(len(words)):
        is_mistaken = tags[word] in _MISTAKEN_TAGS and words[word] in GIVEN_NAMES and words[word] not in NOUNS
        is_nominal = tags[word] in ("NN", "NNS") or (is_mistaken and tree.relations[word] in _NOMINAL_RELATIONS)
        if is_nominal and _is_name(tree, sentence.words, word):
            tags[word] = "NNP"
    for word in range(len(words) - 1):
        if _is_address(words[word]) and sentence.words[word][0].isupper() and tags[word + 1] in PROPER_TAGS:
            tags[word] = "NNP" if tags[word] == "NN" else tags[word]
    is_proper = [tag in PROPER_TAGS for tag in tags]
    for word in range(1, len(heads)):
        both = {(heads[place], relations[place], is_proper[place]) for place in (word - 1, word)}
        if len(both) == 1 and both.pop()[1:] in {(relation, True) for relation in _SINGLE_RELATIONS}:
            heads[word], relations[word] = word, "flat"
        if is_proper[word] and _is_family_name(words[word]):
            first = word
            while first and is_proper[first - 1] and (heads[first - 1], relations[first - 1]) == (word + 1, "compound"):
                first -= 1
            if words[first] not in PLACES:
                relations[first:word] = ["flat"] * (word - first)
        is_parted = heads[word - 1] == heads[word] and relations[word] != "flat"
        if is_parted and all(is_proper[word - 1 : word + 1]) and _is_address(words[word - 1]):
            # Both have one governor, such as the possession in *Mr Hart's horse*.
            heads[word - 1], relations[word - 1] = word + 1, "flat"
    _divide_lists(words, is_proper, heads, relations)
    if (tags, heads, relations) == (list(sentence.tags), list(sentence.heads), list(sentence.relations)):
        return sentence
    return replace(sentence, tags=tuple(tags), heads=tuple(heads), relations=tuple(relations))


def _is_name(tree: Tree, written: Sequence[str], word: int) -> bool:
    """Return whether a capitalised common noun is a name: of one person, by its verb or its place in the sentence."""
    noun = tree.words[word]
    is_written_so = written[word].istitle() and noun.isalpha() and not _INDEFINITE.fullmatch(noun)
    if not is_written_so or tree.dependents(word, "det", "nummod", "amod", "nmod"):
        return False
    is_noun = noun in NOUNS or noun.removesuffix("s") in NOUNS
    can_be_name = not is_noun or noun in SURNAMES or noun in GIVEN_NAMES
    verb = tree.heads[word]
    verbs = [verb, *tree.dependents(verb, "aux", "cop")] if tree.relations[word] == "nsubj" and verb >= 0 else []
    is_singular = any(tree.tags[each] == "VBZ" or tree.words[each] == "was" for each in verbs)
    is_plural = any(tree.tags[each] == "VBP" or tree.words[each] == "were" for each in verbs)
    before = written[word - 1] if word else ""
    is_inside = before[:1].islower() or before.lower() in GIVEN_NAMES or before == ","
    return can_be_name and not is_plural and (is_inside or is_singular or not is_noun)


def _is_address(word: str) -> bool:
    return word.removesuffix(".") in FORMS_OF_ADDRESS


def _is_family_name(word: str) -> bool:
    """Return whether a proper noun can be a family name, and names no thing or place."""
    return word in SURNAMES or (word not in PLACES and NOUNS.get(word) != GENDERS.index("thing"))


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of one person: a title and a surname, or a full name."""

    start: int
    end: int
    title: str
    """The form of address without a full stop, or the role (captain); empty for a full name."""
    surname: str

    def excludes(self, other: _Name) -> bool:
        """Return whether two names cannot be of one person."""
        if bool(self.title) != bool(other.title):
            return False
        is_married = {self.title, other.title} == {"miss", "mrs"}
        sexes = {TITLES[title] for title in (self.title, other.title) if title in TITLES}
        return self.surname != other.surname or is_married or len(sexes) == 2


def _divide_lists(words: list[str], is_proper: list[bool], heads: list[int], relations: list[str]) -> None:
    """Make conjuncts, in place, of names that describe or are a part of a name that excludes them."""
    firsts: dict[int, int] = {}
    names = list(_names(words, is_proper))
    for number, name in enumerate(names):
        outer = [word for word in range(name.start, name.end) if not name.start < heads[word] <= name.end]
        if len(outer) != 1:
            continue
        firsts[number] = outer[0]
        if words[name.start - 1] not in _BETWEEN_NAMES or relations[outer[0]] not in _RELATIONS_OF_ONE:
            continue
        for earlier in firsts:
            before = names[earlier]
            if before.start < heads[outer[0]] <= before.end and before.excludes(name):
                firsts[number] = firsts[earlier]
                heads[outer[0]], relations[outer[0]] = firsts[earlier] + 1, "conj"
                break


def _names(words: list[str], is_proper: list[bool]) -> Iterator[_Name]:
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and is_proper[end]:
            end += 1
        if end > start + 1:
            first, last = words[start], words[end - 1]
            is_full = first in GIVEN_NAMES and first not in PLACES and last not in PLACES
            is_full &= last in SURNAMES or NOUNS.get(last) != GENDERS.index("thing")
            is_role = CLASSES[NOUN_CLASSES.get(first, 0)] == "person" and first not in GIVEN_NAMES
            is_titled = _is_address(first) or is_role
            if last.isalpha() and len(last) > 2 and (is_titled or is_full):
                yield _Name(start, end, first.removesuffix(".") if is_titled else "", last)
        start = end + 1
