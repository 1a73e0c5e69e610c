"""The best name of each entity, and the text with pronouns replaced by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate

from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.coref.model.lexicon import CANONICAL_PRONOUNS
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
            if sentence.heads[place] == span.head + 1 and sentence.relations[place] in ("appos", "flat")
        ]
    named = next((place for place in heads if tags and tags[place] in PROPER_TAGS), None)
    if named is not None:
        start, end = named, named + 1
        while start > span.start and _in_name(sentence, start - 1):
            start -= 1
        while end < span.end and _in_name(sentence, end):
            end += 1
        # *Of* between two parts of a name belongs to it.
        while end + 1 < span.end and sentence.words[end].lower() in ("of", "for") and _in_name(sentence, end + 1):
            end += 2
            while end < span.end and _in_name(sentence, end):
                end += 1
    elif end - 1 > start and sentence.words[end - 1].lower() in ("'s", "’s", "'", "’"):
        end -= 1
    return span.kind if named is None else "proper", " ".join(sentence.text(start, end).split())


def _in_name(sentence: Sentence, place: int) -> bool:
    # Taggers miss names in capitals, which the tree has: JANET PURCELL.
    return sentence.tags[place] in (*PROPER_TAGS, "HYPH") or sentence.relations[place : place + 1] == ("flat",)


def resolved_text(resolution: Resolution) -> str:
    """Return the text with pronouns replaced by names, and possessives by their genitive.

    A pronoun is replaced by the name in its entity that it most probably shares an entity with, if that pair's marginal
    is at least .9; the entity's own name stands for a part of it. Pronouns of the first and second person are replaced
    too, and reflexives stay.
    """
    offsets = Offsets(resolution.document)
    text, names = offsets.text, entity_names(resolution)
    parts, end = [], 0
    marginals = resolution.marginals
    rows = marginals if resolution.never_meet is None else (marginals + marginals.T).tocsr()
    for number, span in enumerate(resolution.mentions):
        start, stop = offsets.of(span)
        sentence = resolution.document.sentences[span.sentence]
        is_certain = span.kind == "pronoun" and resolution.membership[number] >= _MIN_REPLACED
        if not is_certain or sentence.words[span.head].lower().endswith(("self", "selves")) or start < end:
            continue
        values = rows[number].toarray().ravel() if resolution.never_meet is not None else rows[number]
        entity = int(resolution.entities[number])
        likely = [int(each) for each in resolution.members[entity] if values[each] >= _MIN_REPLACED]
        found = [(each, *_called(resolution, resolution.mentions[each])) for each in likely]
        called = {each: words for each, kind, words in found if kind == "proper"}
        if not called:
            continue
        words = called[max(called, key=lambda each: values[each])]
        name = names[entity] if set(words.split()) <= set(names[entity].split()) else words
        if len(name) > _MAX_NAME_CHARACTERS:
            continue
        parts += [text[end:start], _genitive(name) if _possessive(sentence, span.head) else name]
        end = stop
    return "".join([*parts, text[end:]])


def _possessive(sentence: Sentence, place: int) -> bool:
    word = sentence.words[place].lower()
    if word == "her":
        return bool(sentence.tags) and sentence.tags[place] == "PRP$"
    return word in ("my", "your", "his", "its", "our", "their", "whose", "mine", "yours", "hers", "ours", "theirs")


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith(("s", "S")) else f"{name}'s"
