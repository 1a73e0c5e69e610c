"""The best name of each entity, and the text with pronouns replaced by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.lexicon import CALENDAR, CANONICAL_PRONOUNS, NOUNS
from nlpcalib.systems.coref.model.mentions import MENTION_KINDS, PROPER_TAGS, Span
from nlpcalib.systems.coref.model.quotations import quotation_numbers
from nlpcalib.systems.text.document import Sentence

_MIN_REPLACED = 0.9
"""Least probability at which a pronoun is replaced."""
_MAX_NAME_CHARACTERS = 60
"""Longest name, unless all are longer."""


def entity_names(resolution: Resolution) -> list[str]:
    """Return a name for each entity, in their order.

    It is the longest of the entity's frequent proper names, also inside of a noun phrase (*her deputy, Ana Ruiz*).
    Mentions whose `membership` is below .5 do not count, unless those of all names and nouns are below. The support of
    a name is the total `membership` of its mentions. Names with less than a quarter of the highest support are dropped.
    An entity without proper names gets its first nominal mention, or else the speaker of its *I*, or its first mention.
    """
    speakers = _speakers(resolution)
    return [_name(resolution, [int(each) for each in members], speakers) for members in resolution.members]


def _name(resolution: Resolution, members: Sequence[int], speakers: Mapping[int, str]) -> str:
    spans = resolution.mentions
    if all(spans[number].kind == "pronoun" for number in members):
        spoken = {speakers[number] for number in members if number in speakers}
        return spoken.pop() if len(spoken) == 1 else _called(resolution, spans[members[0]])[1]
    members = [number for number in members if spans[number].kind != "pronoun"]
    # A mention that more probably belongs elsewhere should not name the others.
    members = [number for number in members if resolution.membership[number] >= 0.5] or members
    called = [(*_called(resolution, spans[number]), float(resolution.membership[number])) for number in members]
    kind = min((kind for kind, *_ in called), key=MENTION_KINDS.index)
    support: dict[str, float] = {}
    for own, name, membership in called:
        if own == kind:
            support[name] = support.get(name, 0.0) + membership
    if kind != "proper":
        return next((name for name in support if len(name) <= _MAX_NAME_CHARACTERS), next(iter(support)))
    most = max(support.values())
    often = [name for name, weight in support.items() if weight >= 0.25 * most]
    # Names with more words come first, then names with more support, then earlier ones.
    return max(often, key=lambda name: (len(name) <= _MAX_NAME_CHARACTERS, len(name.split()), support[name]))


def _speakers(resolution: Resolution) -> dict[int, str]:
    """Return the speaker of each *I*, *me* and *my* outside of quotations, where the document has speakers."""
    sentences = resolution.document.sentences
    if not any(sentence.speaker for sentence in sentences):
        return {}
    quotations = quotation_numbers(resolution.document)
    first = list(accumulate((len(sentence.words) for sentence in sentences), initial=0))
    return {
        number: speaker
        for number, span in enumerate(resolution.mentions)
        if CANONICAL_PRONOUNS.get(sentences[span.sentence].words[span.head].lower()) == "i"
        and (speaker := sentences[span.sentence].speaker)
        and not quotations[first[span.sentence] + span.head]
    }


def _called(resolution: Resolution, span: Span) -> tuple[str, str]:
    """Return the kind and the words of a mention; for a name, the proper nouns around its head, without an ending 's.

    A noun phrase whose head has a name in apposition is a name: *her deputy, Ana Ruiz*, *my son Daniel*.
    """
    sentence = resolution.document.sentences[span.sentence]
    start, end, tags = span.start, span.end, sentence.tags
    heads = [span.head] if span.kind == "proper" else []
    if span.kind == "nominal" and sentence.heads:
        heads = [
            place
            for place in range(span.head + 1, end)
            if sentence.heads[place] == span.head + 1
            and sentence.relations[place] in ("appos", "flat")
            and not _is_date(sentence, place)
        ]
    named = next((place for place in heads if tags and tags[place] in PROPER_TAGS), None)
    if named is not None:
        start, end = named, named + 1
        while start > span.start and _in_name(sentence, start - 1):
            start -= 1
        while end < span.end and _in_name(sentence, end):
            end += 1
        # *Of* between two parts of a name belongs to it, *in* after a noun alone: University in Oslo, Ana Ruiz in Oslo.
        is_noun = end - start == 1 and sentence.words[start].lower() in NOUNS
        links = ("of", "for", "in", "at") if is_noun else ("of", "for")
        while end + 1 < span.end and sentence.words[end].lower() in links and _in_name(sentence, end + 1):
            end += 2
            while end < span.end and _in_name(sentence, end):
                end += 1
    elif end - 1 > start and sentence.words[end - 1].lower() in ("'s", "’s", "'", "’"):
        end -= 1
    return span.kind if named is None else "proper", " ".join(sentence.text(start, end).split())


def _is_date(sentence: Sentence, place: int) -> bool:
    """Return whether a word is a month, a day or its short form, and no name: Jan. 5, unlike Jan Novak and J. Smith."""
    word = sentence.words[place].lower().rstrip(".")
    named = sentence.relations[place + 1 : place + 2] == ("flat",)
    return not named and len(word) > 2 and any(day.startswith(word) for day in CALENDAR)


def _in_name(sentence: Sentence, place: int) -> bool:
    # Taggers miss names in capitals, which the tree has: JANET PURCELL.
    return sentence.tags[place] in (*PROPER_TAGS, "HYPH") or sentence.relations[place : place + 1] == ("flat",)


def resolved_text(resolution: Resolution) -> str:
    """Return the text with pronouns replaced by names or nouns, and possessives by their genitive.

    A pronoun is replaced by the name in its entity that it most probably shares an entity with, or else by the noun
    phrase, if that pair's marginal is at least .9. The entity's own name stands for a part of it. Pronouns of
    the first and second person are replaced too. Reflexives stay, and so does a possessive where the noun phrase goes
    on after its noun.
    """
    offsets = Offsets(resolution.document)
    text, names = offsets.text, entity_names(resolution)
    parts, end = [], 0
    marginals = resolution.marginals
    rows = marginals if resolution.never_meet is None else (marginals + marginals.T).tocsr()
    for number, span in enumerate(resolution.mentions):
        if span.kind != "pronoun" or resolution.membership[number] < _MIN_REPLACED or _reflexive(resolution, span):
            continue
        start, stop = offsets.of(span)
        chosen = _likeliest(resolution, number, rows)
        if start < end or chosen is None:
            continue
        name = _substitute(resolution, span, resolution.mentions[chosen], names[int(resolution.entities[number])])
        if name is None:
            continue
        parts += [text[end:start], name]
        end = stop
    return "".join([*parts, text[end:]])


def _substitute(resolution: Resolution, pronoun: Span, antecedent: Span, name: str) -> str | None:
    """Return what replaces a pronoun, in its case; None where an antecedent has no short form for this place."""
    sentence, (kind, words) = resolution.document.sentences[antecedent.sentence], _called(resolution, antecedent)
    nominal = kind == "nominal"
    if not set(words.split()) <= set(name.split()):
        name = words
    if nominal and name == words:
        # A capital that only begins a sentence or a quotation does not move with the noun phrase.
        place = resolution.document.sentences[pronoun.sentence]
        if place.words[pronoun.start][0].isupper() and _begins(place, pronoun.start):
            name = name[0].upper() + name[1:]
        elif _begins(sentence, antecedent.start) and not _has_capital(sentence, antecedent.start):
            name = name[0].lower() + name[1:]
    if len(name) > _MAX_NAME_CHARACTERS:
        return None
    if not _possessive(resolution, pronoun):
        return name
    return None if nominal and antecedent.end > antecedent.head + 1 else _genitive(name)


def _begins(sentence: Sentence, place: int) -> bool:
    """Return whether a word begins a sentence or a quotation, where any word has a capital."""
    return place == 0 or not any(character.isalnum() for character in sentence.words[place - 1])


def _has_capital(sentence: Sentence, place: int) -> bool:
    """Return whether a word has its capital inside a sentence, too: *I*, names, and adjectives such as *American*."""
    word, tag = sentence.words[place], sentence.tags[place] if sentence.tags else ""
    is_of_country = tag == "JJ" and word.endswith(("an", "ch", "ek", "ese", "i", "ic", "ish", "ss"))
    return word == "I" or tag in PROPER_TAGS or is_of_country


def _likeliest(resolution: Resolution, pronoun: int, rows: Any) -> int | None:
    """Return the name, else the nominal mention, in a pronoun's entity that it most probably corefers with."""
    span = resolution.mentions[pronoun]
    members = resolution.members[int(resolution.entities[pronoun])]
    values = rows[pronoun].toarray().ravel() if resolution.never_meet is not None else rows[pronoun]
    for kind in ("proper", "nominal"):
        found = [
            int(each)
            for each in members
            if resolution.mentions[each].kind == kind
            and values[each] >= _MIN_REPLACED
            and not _contains(resolution.mentions[each], span)
        ]
        if found:
            return max(found, key=lambda each: values[each])
    return None


def _contains(outer: Span, inner: Span) -> bool:
    return outer.sentence == inner.sentence and outer.start <= inner.start and inner.end <= outer.end


def _reflexive(resolution: Resolution, span: Span) -> bool:
    return resolution.document.sentences[span.sentence].words[span.head].lower().endswith(("self", "selves"))


def _possessive(resolution: Resolution, span: Span) -> bool:
    sentence = resolution.document.sentences[span.sentence]
    word = sentence.words[span.head].lower()
    if word == "her":
        return bool(sentence.tags) and sentence.tags[span.head] == "PRP$"
    return word in ("my", "your", "his", "its", "our", "their", "whose", "mine", "yours", "hers", "ours", "theirs")


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith(("s", "S")) else f"{name}'s"
