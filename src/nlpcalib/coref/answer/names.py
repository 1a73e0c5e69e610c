"""The best name of each entity, and the text with pronouns replaced by it."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.coref.answer.offsets import Offsets
from nlpcalib.coref.answer.resolution import Resolution
from nlpcalib.coref.model.mentions import Span
from nlpcalib.coref.model.phrases import PROPER_TAGS

_RANK_OF_KIND = {"proper": 0, "nominal": 1, "demonstrative": 2, "pronoun": 3}
_MIN_RELATIVE_SUPPORT = 0.25
"""Smallest support of a name, relative to the most supported one: of these, the longest is chosen."""
_MIN_NAMING_MEMBERSHIP = 0.5
"""Smallest `membership` of a mention that may name its entity, unless all are below."""
_MAX_NAME_CHARACTERS = 60
"""Longest name, unless all are longer."""
_POSSESSIVE_PRONOUNS = {"my", "your", "his", "its", "our", "their", "whose"}


def entity_names(resolution: Resolution) -> list[str]:
    """Return a name for each entity, in their order.

    It is the longest of the entity's frequent proper names. Mentions whose `membership` is below .5 do not count,
    unless all are below. The support of a name is the total `membership` of its mentions. Names with less than a
    quarter of the highest support are dropped. An entity without proper names gets its first nominal mention, or else
    its first mention.
    """
    return [_name(resolution, [int(each) for each in members]) for members in resolution.members]


def _name(resolution: Resolution, members: Sequence[int]) -> str:
    spans = resolution.mentions
    # A mention that more probably belongs elsewhere should not name the others.
    members = [number for number in members if resolution.membership[number] >= _MIN_NAMING_MEMBERSHIP] or members
    rank = min(_RANK_OF_KIND[spans[number].kind] for number in members)
    chosen = [number for number in members if _RANK_OF_KIND[spans[number].kind] == rank]
    support: dict[str, float] = {}
    for number in chosen:
        name = _words(resolution, spans[number])
        support[name] = support.get(name, 0.0) + float(resolution.membership[number])
    if rank:
        return next((name for name in support if len(name) <= _MAX_NAME_CHARACTERS), next(iter(support)))
    most = max(support.values())
    often = [name for name, weight in support.items() if weight >= _MIN_RELATIVE_SUPPORT * most]
    # Names with more words come first, then names with more support, then earlier ones.
    return max(often, key=lambda name: (len(name) <= _MAX_NAME_CHARACTERS, len(name.split()), support[name]))


def _words(resolution: Resolution, span: Span) -> str:
    """Return the words of a mention; for a name, the proper nouns around its head, without a possessive ending."""
    sentence = resolution.document.sentences[span.sentence]
    start, end = span.start, span.end
    if span.kind == "proper" and sentence.tags and sentence.tags[span.head] in PROPER_TAGS:
        start, end = span.head, span.head + 1
        while start > span.start and _in_name(sentence.tags[start - 1]):
            start -= 1
        while end < span.end and _in_name(sentence.tags[end]):
            end += 1
        # Small words between two parts of a name belong to it: The Hague, University of Oslo.
        while end + 1 < span.end and sentence.tags[end] == "IN" and _in_name(sentence.tags[end + 1]):
            end += 2
            while end < span.end and _in_name(sentence.tags[end]):
                end += 1
    elif end - 1 > start and sentence.words[end - 1].lower() in ("'s", "’s", "'", "’"):
        end -= 1
    return " ".join(sentence.text(start, end).split())


def _in_name(tag: str) -> bool:
    return tag in PROPER_TAGS or tag == "HYPH"


def resolved_text(resolution: Resolution, *, at_least: float = 0.5) -> str:
    """Return the text with pronouns replaced by the names of their entities, and possessives by the genitive.

    A pronoun stays if its entity has no name or nominal mention, or if its `membership` is below `at_least`. Pronouns
    of the first and second person are replaced too.
    """
    offsets = Offsets(resolution.document)
    text, names = offsets.text, entity_names(resolution)
    named = [min(_RANK_OF_KIND[resolution.mentions[int(n)].kind] for n in each) < 2 for each in resolution.members]
    parts, end = [], 0
    for number, span in enumerate(resolution.mentions):
        entity = int(resolution.entities[number])
        if span.kind != "pronoun" or not named[entity] or resolution.membership[number] < at_least:
            continue
        start, stop = offsets.of(span)
        if start < end:
            continue
        parts += [text[end:start], _genitive(names[entity]) if _possessive(resolution, span) else names[entity]]
        end = stop
    return "".join([*parts, text[end:]])


def _possessive(resolution: Resolution, span: Span) -> bool:
    sentence = resolution.document.sentences[span.sentence]
    return bool(sentence.tags and sentence.tags[span.head] in ("PRP$", "WP$")) or (
        not sentence.tags and sentence.words[span.head].lower() in _POSSESSIVE_PRONOUNS
    )


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith(("s", "S")) else f"{name}'s"
