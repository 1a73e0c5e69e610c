"""Links that a text states: roles that it defines, titles, naming, greetings, signatures and tellers of quotations.

* *Oona Varga (the "Landlord")* names a role. The bracket is the name, and each later *the Landlord* is the one before.
* *Captain Morrow* has a title. *The captain* is this name, if no other surname has the title.
* *The youngest was called Hob* names somebody: Hob is the youngest.
* *Dear Dr. Marsh* greets the first *you* after it.
* The speaker's own name at the end of a sentence, as in a signature, is the last *I* of the speaker.
* *"I am tired," said Ana* states whose *I* it is: `nlpcalib.systems.coref.model.quotations` has the links.

Each link replaces the distribution of one mention's antecedents, so antecedents stay independent and marginals exact.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.systems.coref.model.attributes import MentionTable
from nlpcalib.systems.coref.model.lexicon import NUMBERS, TYPES

_NAMING_VERBS = ("called", "named", "nicknamed", "christened")


def certain_links(table: MentionTable) -> dict[int, int]:
    """Return the antecedent of each mention whose antecedent is certain, by their numbers."""
    links: dict[int, int] = {}
    for stated in (_namings, _titles, _greetings, _signatures, _definitions):
        links |= stated(table)
    return links


def selves_of_tellers(table: MentionTable) -> list[tuple[int, list[int]]]:
    """Return each teller of quotations that is a mention of one person, with the mentions *I* in these quotations."""
    selves: dict[int, list[int]] = {}
    for number in np.flatnonzero((table.type == TYPES.index("i")) & (table.teller >= 0)).tolist():
        selves.setdefault(int(table.teller[number]), []).append(number)
    is_person = ~np.isin(table.type, [TYPES.index(name) for name in ("we", "it", "they", "this", "these")])
    is_person &= table.number != NUMBERS.index("plural")
    heads = {int(table.head[number]): number for number in np.flatnonzero(is_person)[::-1].tolist()}
    return [(heads[word], each) for word, each in selves.items() if word in heads and heads[word] not in each]


def _definitions(table: MentionTable) -> dict[int, int]:
    links: dict[int, int] = {}
    latest: dict[str, int] = {}
    for number, (words, role) in enumerate(zip(table.words, table.defined, strict=True)):
        if len(words) == 1 and words[0] in latest and TYPES[table.type[number]] in ("name", "the", "bare"):
            links[number] = latest[words[0]]
            latest[words[0]] = number
        if role:
            latest[role] = number
    return links


def _namings(table: MentionTable) -> dict[int, int]:
    subjects = {
        int(verb): number
        for number, (verb, role) in enumerate(zip(table.governor, table.roles, strict=True))
        if role == "nsubj:pass"
    }
    return {
        number: subjects[verb]
        for number, (verb, word, role) in enumerate(
            zip(table.governor.tolist(), table.governors, table.roles, strict=True)
        )
        if role == "xcomp" and word in _NAMING_VERBS and subjects.get(verb, number) < number
        and table.type[number] == TYPES.index("name")
    }  # fmt: skip


def _titles(table: MentionTable) -> dict[int, int]:
    """Return the links of *the captain* to Captain Morrow, or to *the captain* before."""
    links: dict[int, int] = {}
    latest: dict[str, int] = {}
    holders: dict[str, set[str]] = {}
    for number, (words, title) in enumerate(zip(table.words, table.titles, strict=True)):
        if title and TYPES[table.type[number]] == "name" and len(words) > 1:
            holders.setdefault(title, set()).add(words[-1])
        elif title in holders:
            if len(holders[title]) == 1:
                links[number] = latest[title]
        elif table.heads[number] in holders and table.number[number] != NUMBERS.index("plural"):
            # Somebody else may have the role: a captain, the other captain.
            holders[table.heads[number]].add("")
        if title in holders:
            latest[title] = number
    return links


def _greetings(table: MentionTable) -> dict[int, int]:
    links: dict[int, int] = {}
    you = (table.type == TYPES.index("you")) & (table.quotation == 0)
    greeted = np.flatnonzero(table.greeted == 2)
    if greeted.size != np.unique(table.speaker[greeted]).size:
        return links
    for number in greeted.tolist():
        after = np.flatnonzero(you & (table.speaker == table.speaker[number]) & (table.start > table.start[number]))
        if after.size:
            links[int(after[0])] = number
    return links


def _signatures(table: MentionTable) -> dict[int, int]:
    links: dict[int, int] = {}
    i = (table.type == TYPES.index("i")) & (table.quotation == 0)
    for number in np.flatnonzero(table.signs == 2).tolist():
        before = np.flatnonzero(i[:number] & (table.speaker[:number] == table.speaker[number]))
        if before.size:
            links[number] = int(before[-1])
    return links
