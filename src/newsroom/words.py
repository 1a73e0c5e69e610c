"""Small ready-made nodes: function words, pronouns, names, dates, numbers and sums."""

from __future__ import annotations

import datetime

from newsroom.draws import Draws, DrawTable
from newsroom.lexicon import Noun, choices
from newsroom.trees import Node

MONTHS = choices("months")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SMALL_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_SMALL_NUMBER_TABLE = DrawTable.zipf(SMALL_NUMBERS)
_TIME_UNITS = DrawTable.zipf(("year", "day", "month", "week", "hour", "decade"))
_PRONOUN_CASES = {
    "he": ("he", "him", "his"), "she": ("she", "her", "her"), "it": ("it", "it", "its"),
    "they": ("they", "them", "their"),
    "I": ("I", "me", "my"), "we": ("we", "us", "our"), "you": ("you", "you", "your"),
}  # fmt: skip


def det(word: str) -> Node:
    """Return a determiner."""
    return Node(word, "DT", {"an": "a", "these": "this", "those": "that"}.get(word, word))


def preposition(word: str) -> Node:
    """Return a preposition; `to` has its own Penn tag."""
    return Node(word, "TO" if word == "to" else "IN", universal="ADP")


def with_case(nominal: Node, word: str) -> Node:
    """Return `nominal` with the preposition before it: the head of a prepositional phrase in UD."""
    if " " in word:
        head, second = (preposition(part) for part in word.split())
        if word == "such as":
            head.tag, head.universal = "JJ", "ADJ"
        elif word in ("according to", "following on"):
            head.tag, head.universal, head.lemma = "VBG", "VERB", "accord"
        elif word in ("because of", "instead of"):
            head.tag, head.universal = ("IN", "ADP") if word == "because of" else ("RB", "ADV")
        head.after(second, "fixed")
        return nominal.first(head, "case")
    return nominal.first(preposition(word), "case")


def possessive(owner: Node) -> Node:
    """Return `owner` with its possessive ending: 's, or the apostrophe alone after a plural s."""
    end = owner.right[-1] if owner.right else owner
    plain = owner.plural and end.word.endswith("s")
    return owner.after(Node("'" if plain else "'s", "POS", "'s"), "case")


def pronoun(lemma: str, case: str) -> Node:
    """Return the personal pronoun `lemma` as "subject", "object" or "possessive"."""
    word = _PRONOUN_CASES[lemma][("subject", "object", "possessive").index(case)]
    node = Node(word, "PRP$" if case == "possessive" else "PRP", word if case == "possessive" else lemma, "PRON")
    node.plural = lemma in ("they", "we", "you", "I")
    return node


def common(noun: Noun, *, plural: bool) -> Node:
    """Return a common noun."""
    return Node(noun.plural if plural else noun.lemma, "NNS" if plural else "NN", noun.lemma)


def name(words: tuple[tuple[str, str], ...] | list[tuple[str, str]]) -> Node:
    """Return a proper name headed by its first word, the other words `flat` under it."""
    head = Node(*words[0])
    for word, tag in words[1:]:
        head.after(Node(word, tag), "flat")
    return head


def compound_name(words: list[tuple[str, str]]) -> Node:
    """Return a descriptive name (the Foreign Ministry) headed by its last word, the others `compound` or `amod`."""
    head = Node(*words[-1])
    for word, tag in words[:-1]:
        head.before(Node(word, tag), "amod" if tag == "JJ" else "compound")
    return head


def small_number(draws: Draws) -> Node:
    """Return a number from two to ten as a word."""
    return Node(draws.draw(_SMALL_NUMBER_TABLE), "CD")


def count(draws: Draws) -> Node:
    """Return a number of people or things: a word, digits or millions, sometimes with an approximator."""
    kind = draws.uniform()
    if kind < 0.45:
        node = small_number(draws)
    elif kind < 0.75:
        node = Node(str(draws.between(11, 99) if draws.chance(0.6) else 10 * draws.between(10, 90)), "CD")
    elif kind < 0.92:
        node = Node(f"{draws.between(1, 95)},{draws.between(0, 9)}{draws.pick(('00', '00', '50', '25'))}", "CD")
    else:
        node = Node(draws.pick(("million", "million", "billion")), "CD")
        node.before(Node(f"{draws.between(1, 40)}.{draws.between(1, 9)}", "CD"), "compound")
    if draws.chance(0.25):
        approximator = draws.pick(("about", "about", "nearly", "at least", "more than", "as many as", "some", "around"))
        if " " not in approximator:
            tag = {"some": "DT", "nearly": "RB", "around": "IN"}.get(approximator, "RB" if draws.chance(0.6) else "IN")
            node.first(Node(approximator, tag, universal="ADV"), "advmod")
        else:
            words = approximator.split()
            tags = {"at": "IN", "least": "JJS", "more": "JJR", "than": "IN", "as": "RB", "many": "JJ"}
            head = Node(words[0], tags[words[0]], universal="ADV")
            for position, word in enumerate(words[1:], start=2):
                head.after(Node(word, "IN" if position == 3 else tags[word]), "fixed")
            node.first(head, "advmod")
    return node


def money(draws: Draws) -> Node:
    """Return a sum of money: dollars, or now and then pounds."""
    symbol = Node("£", "#") if draws.chance(0.06) else Node("$", "$")
    if draws.chance(0.75):
        digits = f"{draws.between(1, 40)}.{draws.between(1, 9)}" if draws.chance(0.5) else str(draws.between(2, 900))
        number = Node(draws.pick(("million", "million", "billion")), "CD")
        number.before(Node(digits, "CD"), "compound")
    else:
        number = Node(f"{draws.between(1, 90)},{draws.between(0, 9)}{draws.pick(('00', '00', '50'))}", "CD")
    symbol.after(number, "nummod")
    symbol.plural = True
    return symbol


def percentage(draws: Draws) -> Node:
    """Return a percentage, with the sign or the word."""
    digits = f"{draws.between(0, 30)}.{draws.between(1, 9)}" if draws.chance(0.7) else str(draws.between(2, 80))
    head = Node("percent", "NN") if draws.chance(0.7) else Node("%", "NN", universal="SYM")
    return head.before(Node(digits, "CD"), "nummod")


def year(draws: Draws, date: datetime.date) -> Node:
    """Return a year not long before `date`."""
    past = 1 + int(22 * draws.uniform() ** 2)
    return Node(str(date.year - past), "CD")


def duration(draws: Draws) -> Node:
    """Return a stretch of time: three weeks."""
    unit = draws.draw(_TIME_UNITS)
    return Node(unit + "s", "NNS", unit).before(small_number(draws), "nummod")


def calendar_day(month: str, day: int) -> Node:
    """Return a day of the year: March 3."""
    return Node(month, "NNP").after(Node(str(day), "CD"), "nummod")


def past_time(draws: Draws, date: datetime.date, *, recent: bool = False) -> tuple[Node, str]:
    """Return a time before `date` and its relation to the verb it modifies; `recent` ones are within weeks."""
    kind = draws.uniform() * (0.42 if recent else 1)
    if kind < 0.30:
        weekday = Node(WEEKDAYS[(date.weekday() - draws.below(5)) % 7], "NNP")
        return (with_case(weekday, "on"), "obl") if draws.chance(0.6) else (weekday, "obl:tmod")
    if kind < 0.42:
        return Node(draws.pick(("yesterday", "today", "yesterday", "overnight")), "NN"), "obl:tmod"
    if kind < 0.60:
        unit = Node(draws.pick(("week", "month", "year", "summer", "night", "fall", "spring")), "NN")
        word = Node(*draws.pick((("last", "JJ"), ("last", "JJ"), ("this", "DT"), ("earlier this", "DT"))))
        if word.word == "earlier this":
            unit.word = unit.lemma = draws.pick(("week", "month", "year"))
            unit.before(Node("earlier", "RBR", "early"), "advmod").before(det("this"), "det")
        else:
            unit.before(word, "det" if word.tag == "DT" else "amod")
        return unit, "obl:tmod"
    if kind < 0.74:
        earlier = date - datetime.timedelta(days=3 + draws.below(150))
        if draws.chance(0.5):
            return with_case(calendar_day(MONTHS[earlier.month - 1], earlier.day), "on"), "obl"
        return with_case(Node(MONTHS[earlier.month - 1], "NNP"), "in"), "obl"
    if kind < 0.84:
        return with_case(year(draws, date), "in"), "obl"
    if kind < 0.92:
        stretch = duration(draws)
        ago = Node(*draws.pick((("ago", "RB"), ("ago", "IN"), ("earlier", "RBR"))), universal="ADV")
        if ago.word == "earlier":
            ago.lemma = "early"
        return ago.before(stretch, "obl:npmod"), "advmod"
    head = duration(draws)
    if draws.chance(0.5):
        head.before(Node(draws.pick(("last", "past")), "JJ"), "amod").first(det("the"), "det")
        head.left[1], head.left[2] = head.left[2], head.left[1]
        return with_case(head, "over"), "obl"
    return with_case(head, "for"), "obl"


def future_time(draws: Draws, date: datetime.date) -> tuple[Node, str]:
    """Return a time after `date` and its relation to the verb it modifies."""
    if draws.chance(0.4):
        return with_case(Node(WEEKDAYS[(date.weekday() + 1 + draws.below(6)) % 7], "NNP"), "on"), "obl"
    if draws.chance(0.5):
        unit = Node(draws.pick(("week", "month", "year", "spring", "fall")), "NN")
        return unit.before(Node("next", "JJ"), "amod"), "obl:tmod"
    later = date + datetime.timedelta(days=20 + draws.below(200))
    return with_case(Node(MONTHS[later.month - 1], "NNP"), "in"), "obl"
