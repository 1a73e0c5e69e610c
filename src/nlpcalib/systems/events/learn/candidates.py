"""Candidates: the countries that an item names, with features of the text around the names. No parser is needed.

An item is a sequence of symbols: words in lower case, names of countries, and words of the category, its *triggers*. A
candidate is an item and a country. Its features are strings, each present (x = 1) or absent (x = 0):

* around each name: three symbols on either side, pairs of them, and the word before the name's article;
* the nearest trigger on either side in the sentence: its lemma, its distance, whether an auxiliary or *by* makes it
  passive, and the words and countries between;
* the words of the name's sentence, and of the item;
* the number of countries in the item, the rank of this one, how often it is named, and the kind of name (a leader, an
  armed group, a place).

An item that names no country can be a candidate of its own, with the features of the item alone. So can every item,
where labels are yes or no for whole texts.

Other countries are `OTH`, this one is `TGT`, and numbers are `#`, so that the model generalises over countries.

A dyad is a candidate too: an item and two of its countries in order, source and target, which may be the same. It has
the features of the names of both sides, and of the text between the two closest names: words, triggers, other
countries, and the side of the nearest trigger.

In "Iraq attacked Kuwait", the symbol after Iraq's name is the trigger, and the symbol before Kuwait's:

    >>> import datetime
    >>> from nlpcalib.systems.events.read.lexicon import load_lexicon
    >>> text = DatedText("1", datetime.date(1990, 8, 2), "Iraq attacked Kuwait.", {})
    >>> iraq, kuwait = country_candidates(text, load_lexicon(["packaged"]), {"attacked": "attack"})
    >>> iraq.country, "+1 attacked" in iraq.features, kuwait.country, "-1 attacked" in kuwait.features
    ('IRQ', True, 'KWT', True)
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from nlpcalib.systems.events.read.lexicon import CountryLexicon
from nlpcalib.systems.events.read.selection import words_of
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.inflection import forms, noun_forms, spellings

_SYMBOLS_AROUND = 3
"""Symbols on either side of a name that are features."""
_MAX_WORDS_BETWEEN = 8
"""Most words between a name and a trigger that are listed: longer stretches are noise."""
_SENTENCE_ENDS = frozenset(".!?;")
_ARTICLE_WORDS = frozenset(("the", "a", "an", "'s"))
_AUXILIARIES = frozenset(("is", "are", "was", "were", "be", "been", "being"))
_THIS, _OTHER = "TGT", "OTH"
_SOURCE, _TARGET = "SRC", "DST"
UNNAMED = "unnamed"
"""The code in the place of a country, of the candidate of an item that names none."""
TEXT = "text"
"""The code in the place of a country, of the candidate that is a whole item."""
ARROW = ">"
"""Separator of source and target in the code of a dyad: ISR>PSE."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """An item and a country that it names."""

    item: str
    """The id of the item."""
    country: str
    """The code of a country, or of a dyad, such as ISR>PSE; `UNNAMED` or `TEXT` in their place."""
    features: tuple[str, ...]
    """Distinct features, sorted."""


@dataclass(frozen=True)
class _Name:
    """A name of a country in the symbols of an item."""

    place: int
    country: str
    kind: str
    """The part of the country that the name denotes, and the last two letters of the name."""


def forms_of(words: Iterable[str], *, all_spellings: bool = True) -> dict[str, str]:
    """Return the verb and noun forms of words, mapped to their words; in one spelling unless `all_spellings`."""
    verb_forms = spellings if all_spellings else forms
    return {
        form: word
        for word in words
        for form in ((*verb_forms(word), *noun_forms(word)) if re.sub("[- ]", "", word).isalpha() else (word,))
    }


def forms_in(words: list[str], known: Collection[str]) -> dict[int, str]:
    """Return the known forms among lower-case words, by the place of the first word of each: *sit-in* has three."""
    found = {place: word for place, word in enumerate(words) if word in known}
    for form in known:
        if not form.isalpha() and len(parts := words_of(form)) > 1:
            found |= {place: form for place in range(len(words)) if words[place : place + len(parts)] == parts}
    return found


@dataclass(frozen=True)
class _Item:
    """The symbols of an item, its names and its triggers."""

    symbols: list[str]
    names: list[_Name]
    found: dict[int, str]
    """The triggers by position."""
    sentences: list[range]
    """The sentence of each position."""

    @classmethod
    def of(cls, text: DatedText, lexicon: CountryLexicon, triggers: Mapping[str, str]) -> _Item:
        symbols, names = _symbols(text, lexicon)
        sentences: list[range] = []
        start = 0
        for place, symbol in enumerate(symbols, 1):
            if symbol in _SENTENCE_ENDS or place == len(symbols):
                sentences += [range(start, place)] * (place - start)
                start = place
        found = {place: triggers[form] for place, form in forms_in(symbols, triggers).items()}
        return cls(symbols, names, found, sentences)

    @property
    def countries(self) -> dict[str, list[_Name]]:
        """The names of each country, in the order of their first names."""
        own: dict[str, list[_Name]] = {}
        for name in self.names:
            own.setdefault(name.country, []).append(name)
        return own

    @property
    def triggers(self) -> set[str]:
        """Features of the triggers by themselves."""
        return {f"item trigger {word}" for word in self.found.values()} | {f"triggers {min(len(self.found), 3)}"}

    def marked(self, **names: Iterable[_Name]) -> list[str]:
        """Return the symbols, with other symbols at the positions of the given names."""
        seen = self.symbols.copy()
        for symbol, own in names.items():
            for name in own:
                seen[name.place] = symbol
        return seen

    def near(self, seen: list[str], names: Iterable[_Name]) -> set[str]:
        """Return the features of the text around names and of the nearest triggers."""
        features: set[str] = set()
        for name in names:
            features |= _around(seen, name) | _triggers(seen, self.found, self.sentences[name.place], name)
        return features


def country_candidates(
    text: DatedText, lexicon: CountryLexicon, triggers: Mapping[str, str], *, unnamed: bool = False
) -> Iterator[Candidate]:
    """Yield the candidates of an item in the order of their first names; `triggers` are those of `forms_of`.

    With `unnamed`, an item that names no country has the candidate `UNNAMED`, with the features of the item.
    """
    item = _Item.of(text, lexicon, triggers)
    countries = item.countries
    shared = {f"item {word}" for word in item.symbols} | item.triggers | {f"countries {min(len(countries), 6)}"}
    if unnamed and not countries:
        yield Candidate(text.id, UNNAMED, tuple(map(sys.intern, sorted(shared))))
    for rank, (country, own) in enumerate(countries.items()):
        seen = item.marked(**{_THIS: own})
        features = shared | item.near(seen, own)
        features |= {
            f"rank {min(rank, 4)}",
            f"rank {min(rank, 4)} of {min(len(countries), 4)}",
            f"named {min(len(own), 4)}",
        }
        if rank == len(countries) - 1:
            features.add("last")
        for name in own:
            features |= {f"sentence {seen[place]}" for place in item.sentences[name.place] if place != name.place}
        # Many candidates share features, and interning stores each once.
        yield Candidate(text.id, country, tuple(map(sys.intern, sorted(features))))


def text_candidate(text: DatedText, lexicon: CountryLexicon, triggers: Mapping[str, str]) -> Iterator[Candidate]:
    """Yield the item itself, with the features of its words, whatever countries it names."""
    item = _Item.of(text, lexicon, triggers)
    features = {f"text {word}" for word in item.symbols} | item.triggers | {f"countries {min(len(item.countries), 6)}"}
    yield Candidate(text.id, TEXT, tuple(map(sys.intern, sorted(features))))


def pair_candidates(text: DatedText, lexicon: CountryLexicon, triggers: Mapping[str, str]) -> Iterator[Candidate]:
    """Yield each source and target that an item with a trigger names in one sentence or in two successive ones."""
    item = _Item.of(text, lexicon, triggers)
    countries = item.countries
    rank = {country: min(number, 3) for number, country in enumerate(countries)}
    for source, target in product(countries, repeat=2) if item.found else ():
        one, other = countries[source], countries[target]
        first, second = min(product(one, other), key=lambda names: abs(names[0].place - names[1].place))
        low, high = sorted((first.place, second.place))
        if item.sentences[low].stop < item.sentences[high].start:
            continue
        features = item.triggers | {f"ranks {rank[source]} {rank[target]} of {min(len(countries), 4)}"}
        if source == target:
            features |= {f"own {each}" for each in item.near(item.marked(**{_THIS: one}), one)}
        else:
            seen = item.marked(**{_SOURCE: one, _TARGET: other})
            features |= {f"source {each}" for each in item.near(seen, one)}
            features |= {f"target {each}" for each in item.near(seen, other)}
            features |= _between(item, seen, first, second)
        yield Candidate(text.id, f"{source}{ARROW}{target}", tuple(map(sys.intern, sorted(features))))


def _between(item: _Item, seen: list[str], source: _Name, target: _Name) -> set[str]:
    """Return the features of the text between two names, and of the trigger nearest to both."""
    low, high = sorted((source.place, target.place))
    order = "forth" if source.place < target.place else "back"
    between = seen[low + 1 : high]
    together = "together" if item.sentences[low] == item.sentences[high] else "apart"
    inside = [item.found[place] for place in range(low, high) if place in item.found]
    near = min(item.found, key=lambda place: (abs(place - low) + abs(place - high), place))
    side = "left" if near < low else "right" if near > high else "inside"
    passive = any(_at(seen, near - step) in _AUXILIARIES for step in (1, 2)) or _at(seen, near + 1) == "by"
    features = {
        f"{order} {together}",
        f"{order} {together} far {len(between).bit_length()}",
        f"{order} others {min(between.count(_OTHER), 2)}",
        f"{order} triggers {min(len(inside), 2)}",
        f"{order} {side} {item.found[near]}",
        f"{order} {side} {'passive' if passive else 'active'}",
        f"{order} {side} {item.found[near]} {'passive' if passive else 'active'}",
        f"{order} names {_word_before(seen, source.place)} {_word_before(seen, target.place)}",
        f"{order} {side} before {_word_before(seen, target.place)}",
    }
    features |= {f"{order} inside {word}" for word in inside}
    return features | _stretch(order, between)


def _stretch(where: str, between: list[str]) -> set[str]:
    """Return the features of the symbols between two positions, if they are few."""
    features = {f"{where} between {word}" for word in between} if len(between) <= _MAX_WORDS_BETWEEN else set()
    return features | ({f"{where} exactly {' '.join(between)}"} if len(between) <= _SYMBOLS_AROUND else set())


def _symbols(text: DatedText, lexicon: CountryLexicon) -> tuple[list[str], list[_Name]]:
    words = words_of(text.text)
    symbols: list[str] = []
    names: list[_Name] = []
    place = 0
    for start, end, entry in lexicon.find_entries(words, text.date):
        symbols += map(_symbol, words[place:start])
        names.append(_Name(len(symbols), entry.code, f"{entry.part or '-'} {words[end - 1][-2:].lower()}"))
        symbols.append(_OTHER)
        place = end
    return [*symbols, *map(_symbol, words[place:])], names


def _symbol(word: str) -> str:
    return "#" if word[0].isdigit() else word.lower().replace("’", "'")


def _around(seen: list[str], name: _Name) -> set[str]:
    at = {step: _at(seen, name.place + step) for step in range(-_SYMBOLS_AROUND, _SYMBOLS_AROUND + 1)}
    kind, before = name.kind.split()[0], _word_before(seen, name.place)
    return {
        *(f"{step:+d} {symbol}" for step, symbol in at.items() if step),
        f"-2-1 {at[-2]} {at[-1]}",
        f"-1+1 {at[-1]} {at[1]}",
        f"+1+2 {at[1]} {at[2]}",
        f"before {before}",
        f"before {before} {kind}",
        f"name {kind}",
        f"name ends {name.kind}",
        f"place {min(name.place // 5, 4)}",
    }


def _word_before(seen: list[str], place: int) -> str:
    """Return the word before a position, skipping an article."""
    place -= 1
    while _at(seen, place) in _ARTICLE_WORDS:
        place -= 1
    return _at(seen, place)


def _at(seen: list[str], place: int) -> str:
    return seen[place] if 0 <= place < len(seen) else "-"


def _triggers(seen: list[str], found: Mapping[int, str], sentence: range, name: _Name) -> set[str]:
    """Return the features of the nearest trigger on each side of a name, in its sentence, a range of positions."""
    kind, after = name.kind.split()[0], f"then {_at(seen, name.place + 1)}"
    before = _word_before(seen, name.place)
    nearest = {
        "left": max((place for place in sentence if place in found and place < name.place), default=None),
        "right": min((place for place in sentence if place in found and place > name.place), default=None),
    }
    features: set[str] = set()
    for side, place in nearest.items():
        if place is None:
            features.add(f"{side} none")
            continue
        low, high = sorted((place, name.place))
        between = seen[low + 1 : high]
        passive = any(_at(seen, place - step) in _AUXILIARIES for step in (1, 2))
        voice = f"{'be ' if passive else ''}{'by' if _at(seen, place + 1) == 'by' else ''}"
        others = min(between.count(_OTHER), 2)
        far = len(between).bit_length()
        features |= {
            f"{side} {found[place]}",
            f"{side} {found[place]} {far}",
            f"{side} {far}",
            f"{side} voice {voice} {others}",
            f"{side} {found[place]} voice {voice}",
            f"{side} others {others}",
            f"{side} before {_at(seen, place - 1)}",
            f"{side} after {_at(seen, place + 1)}",
            f"{side} {found[place]} name {before}",
            f"{side} {found[place]} name {after}",
            f"{side} {far} name {before} {kind}",
            f"{side} voice {voice} name {before}",
            f"{side} voice {voice} name {after}",
        }
        features |= _stretch(side, between)
    if nearest["left"] is None and nearest["right"] is None:
        features.add("no trigger in its sentence")
    return features
