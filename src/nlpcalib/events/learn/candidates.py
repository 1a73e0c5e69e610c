"""Candidates: the countries that an item names, with what stands around their names (no parser, no tree).

An item is read as a sequence of symbols: a word in lower case, a name of a country, or a word of the category, its
*trigger*. A candidate is an item and a country, and its features are strings, each there or not:

* around each of its names: three symbols on either side, runs of two of them, and the word before its article;
* the nearest trigger on either side in the sentence: its lemma, how far it is, whether an auxiliary or *by* makes it
  passive, and the words and countries between;
* the words of the name's sentence, and of the item;
* how many countries the item names, which of them this is, how often it is named, and what the name is (a leader's, an
  armed group's, a place's).

Other countries are `OTH`, this one is `TGT`, numbers are `#`: what is learnt of one country holds for all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from nlpcalib.events.read.clauses import inflections
from nlpcalib.events.read.lexicon import CountryLexicon
from nlpcalib.events.read.selection import words_of
from nlpcalib.text.dated import DatedText
from nlpcalib.text.inflection import noun_forms

_AROUND = 3
_BETWEEN = 8
"""Words between a name and a trigger beyond which they are not listed."""
_ENDS = frozenset(".!?;")
_ARTICLES = frozenset(("the", "a", "an", "'s"))
_AUXILIARIES = frozenset(("is", "are", "was", "were", "be", "been", "being"))
_THIS, _OTHER = "TGT", "OTH"


@dataclass(frozen=True, eq=False)
class Candidate:
    """An item and a country that it names."""

    item: str
    """Id of the item."""
    country: str
    features: tuple[str, ...]
    """Each once, sorted."""


@dataclass(frozen=True)
class _Name:
    """A name of a country in the symbols of an item."""

    place: int
    country: str
    kind: str
    """Which part of the country it is, and the last two letters of the name."""


def forms_of(words: Iterable[str]) -> dict[str, str]:
    """Return the forms that words may have as verbs and as nouns, each with its word."""
    return {
        form: word
        for word in words
        for form in ((word,) if not word.isalpha() else (*inflections(word), *noun_forms(word)))
    }


def candidates(text: DatedText, lexicon: CountryLexicon, triggers: Mapping[str, str]) -> Iterator[Candidate]:
    """Yield the candidates of an item in the order of their first names; `triggers` are those of `forms_of`."""
    symbols, names = _symbols(text, lexicon)
    found = {place: triggers[word] for place, word in enumerate(symbols) if word in triggers}
    sentences, start = [], 0
    for place, symbol in enumerate(symbols, 1):
        if symbol in _ENDS or place == len(symbols):
            sentences += [range(start, place)] * (place - start)
            start = place
    order = list(dict.fromkeys(name.country for name in names))
    item = {f"item {word}" for word in symbols} | {f"item trigger {word}" for word in found.values()}
    item |= {f"countries {min(len(order), 6)}", f"triggers {min(len(found), 3)}"}
    for rank, country in enumerate(order):
        own = [name for name in names if name.country == country]
        seen = symbols.copy()
        for name in own:
            seen[name.place] = _THIS
        features = item | {
            f"rank {min(rank, 4)}",
            f"rank {min(rank, 4)} of {min(len(order), 4)}",
            f"named {min(len(own), 4)}",
        }
        if rank == len(order) - 1:
            features.add("last")
        for name in own:
            features |= _around(seen, name)
            sentence = sentences[name.place]
            features |= _triggers(seen, found, sentence, name)
            features |= {f"sentence {seen[place]}" for place in sentence if place != name.place}
        # Features recur in many candidates, and each is kept once.
        yield Candidate(text.id, country, tuple(map(sys.intern, sorted(features))))


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
    at = {step: _at(seen, name.place + step) for step in range(-_AROUND, _AROUND + 1)}
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
    """Return the word before a place and its article."""
    place -= 1
    while _at(seen, place) in _ARTICLES:
        place -= 1
    return _at(seen, place)


def _at(seen: list[str], place: int) -> str:
    return seen[place] if 0 <= place < len(seen) else "-"


def _triggers(seen: list[str], found: Mapping[int, str], sentence: range, name: _Name) -> set[str]:
    """Return the features of the nearest trigger on each side, in the sentence of a name, a range of places."""
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
        if len(between) <= _BETWEEN:
            features |= {f"{side} between {word}" for word in between}
        if len(between) <= _AROUND:
            features.add(f"{side} exactly {' '.join(between)}")
    if nearest["left"] is None and nearest["right"] is None:
        features.add("no trigger in its sentence")
    return features
