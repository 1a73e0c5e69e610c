"""A weighted grammar with heads: how the rows of `lexicon/grammar.tsv` are read and become trees.

A row has the name of a phrase, a weight, and the parts of the phrase in the order of the text:

    statement   42      @speaker>nsubj *say [that/IN>mark *content]?.6>ccomp

| part | is |
| --- | --- |
| `that/IN`, `left/VBD/leave` | a word, its Penn tag, and its lemma where it differs; `a|b/IN` is any of several |
| `meet:past`, `know:past!` | a verb with its auxiliaries in a tense, agreeing with its subject; `!` negates it |
| `@speaker`, `@speaker!` | whoever has that part, as a name, a description or a pronoun; `!` forbids the pronoun |
| `$title` | words with tags that the context has; `$tense` and the like may also stand inside of other parts |
| `content`, `np(role|group)` | another phrase, perhaps with an argument: a row of that name, or a method `write_…` |
| `[ … ]` | a group of parts |

`*` marks the head, `>nsubj` is the relation of a part to the head, and `?.6` the chance that it is there: less, the
deeper the phrase is embedded. Parts without a relation have the usual one of their tag. A row or group without a head
lends its parts to the phrase around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from newsroom.draws import Draws, DrawTable
from newsroom.lexicon import lexicon_rows
from newsroom.trees import Node, compound, tagged
from newsroom.verb_groups import finite

_PART = re.compile(r"(?P<head>\*?)(?P<text>.*?)(\?(?P<chance>\.?\d[.\d]*))?(>(?P<relation>[a-z:]+))?$")
_CALL = re.compile(r"(?P<name>[\w.$]+)(\((?P<argument>.*)\))?$")
_VERB = re.compile(r"(?P<lemmas>[\w$|]+):(?P<tense>[\w$ ]+)(?P<negative>!?)$")
_VARIABLE = re.compile(r"\$([a-z_]+)")
_RARER_BY_DEPTH = 0.4
_MAX_DEPTH = 4
"""Embedding at which no optional part is written any more."""

RELATIONS = {
    "DT": "det", "PDT": "det:predet", "JJ": "amod", "JJR": "amod", "JJS": "amod", "VBN": "amod", "VBG": "amod",
    "CD": "nummod", "IN": "case", "TO": "case", "RP": "compound:prt", "CC": "cc", "RB": "advmod", "RBR": "advmod",
    "RBS": "advmod", "WRB": "advmod", "EX": "expl", "UH": "discourse", "POS": "case", "NN": "compound",
    "NNS": "compound", "NNP": "compound", "NNPS": "compound", "PRP$": "nmod:poss", "WP$": "nmod:poss", "FW": "amod",
    "MD": "aux",
    ",": "punct", ".": "punct", ":": "punct", "``": "punct", "''": "punct", "-LRB-": "punct", "-RRB-": "punct",
}  # fmt: skip
"""The relation of a part with each tag where the grammar names none."""

Context = dict[str, Any]
"""Where a phrase stands: its depth, its verb and tense, who has which part."""
Parts = list[Node]


@dataclass(frozen=True, slots=True)
class RowPart:
    """One part of a row."""

    kind: str
    """`word`, `verb`, `role`, `words`, `phrase` or `group`."""
    text: str
    detail: str
    """The tag and lemma of a word, the tense of a verb, the argument of a phrase."""
    head: bool
    chance: float
    relation: str
    flag: bool = False
    parts: tuple[RowPart, ...] = ()


def _parsed(tokens: Iterator[str]) -> tuple[tuple[RowPart, ...], str]:
    """Return the parts up to the bracket that closes their group, and that bracket with what is after it."""
    parts: list[RowPart] = []
    for token in tokens:
        if token.startswith("]"):
            return tuple(parts), token
        if token in ("[", "*["):
            inner, closing = _parsed(tokens)
            end = _PART.match("x" + closing[1:])
            parts.append(RowPart("group", "", "", token == "*[", *_chance_and_relation(end), parts=inner))
        else:
            parts.append(_part(token))
        if sum(part.head for part in parts) > 1:
            raise ValueError(f"grammar: found a second head at {token}, expected one in a row or group")
    return tuple(parts), ""


def _chance_and_relation(match: Any) -> tuple[float, str]:
    return float(match["chance"] or 1), match["relation"] or ""


def _part(token: str) -> RowPart:
    match = _PART.match(token)
    assert match, token
    assert match["text"], token
    text, head, (chance, relation) = match["text"], bool(match["head"]), _chance_and_relation(match)
    if text.startswith("@"):
        return RowPart("role", text[1:].rstrip("!"), "", head, chance, relation, flag=text.endswith("!"))
    if "/" in text:
        word, _, tag = text.partition("/")
        return RowPart("word", word, tag, head, chance, relation)
    if verb := _VERB.match(text):
        return RowPart("verb", verb["lemmas"], verb["tense"], head, chance, relation, flag=bool(verb["negative"]))
    if text.startswith("$"):
        return RowPart("words", text[1:], "", head, chance, relation)
    call = _CALL.match(text)
    if not call:
        raise ValueError(f"grammar: found {token}, expected a part of a phrase")
    return RowPart("phrase", call["name"], call["argument"] or "", head, chance, relation)


@cache
def rows() -> dict[str, DrawTable[tuple[RowPart, ...]]]:
    """Return, for each phrase, the ways to write it."""
    found: dict[str, list[tuple[float, tuple[RowPart, ...]]]] = {}
    for row in lexicon_rows("grammar"):
        tokens = row["words"].replace("[", "[ ").replace("]", " ]").split()
        found.setdefault(row["phrase"], []).append((float(row["weight"]), _parsed(iter(tokens))[0]))
    return {name: DrawTable.weighted([each for _, each in ways], [weight for weight, _ in ways])
            for name, ways in found.items()}  # fmt: skip


class Grammar:
    """Writes the phrases of the grammar with the draws of one report."""

    def __init__(self, draws: Draws) -> None:
        """Draw from `draws`."""
        self.draws = draws

    def write(self, name: str, context: Context, argument: str = "") -> Any:
        """Return the phrase `name`: its head, its parts if it has no head, or None if it cannot be written here."""
        method = getattr(self, f"write_{name}", None)
        if method is not None:
            return method(context, argument) if argument else method(context)
        return self.row(name, context)

    def row(self, name: str, context: Context) -> Any:
        """Return the phrase `name` as a row of the grammar has it, even where there is a method of the name."""
        return self.realise(self.draws.draw(rows()[name]), context)

    def phrase(self, name: str, context: Context) -> Node:
        """Return the head of the phrase `name`, written by a row of the grammar."""
        head = self.row(name, context)
        if not isinstance(head, Node):
            raise ValueError(f"grammar: found no head in a row of {name}, expected one")
        return head

    def refer(self, context: Context, role: str, case: str, *, pronoun: bool | None) -> Node | None:
        """Return a noun phrase for whoever has the part `role`; the class that has the actors defines how."""
        raise NotImplementedError

    def rarity(self, context: Context) -> float:
        """Return by how much optional parts are rarer where the phrase is embedded."""
        depth = context.get("depth", 0)
        return 0.0 if depth >= _MAX_DEPTH else 1 / (1 + _RARER_BY_DEPTH * depth)

    def realise(self, parts: tuple[RowPart, ...], context: Context) -> Any:
        """Return the head of `parts` with the others under it, or the parts as a list if none is the head."""
        context = dict(context)
        left: Parts = []
        right: Parts = []
        head: Node | None = None
        for part in parts:
            if part.chance < 1 and not self.draws.chance(part.chance * self.rarity(context)):
                continue
            built = self._build(part, context)
            if built is None:
                continue
            if part.head:
                head = built
                continue
            side = left if head is None else right
            if isinstance(built, list):
                side.extend(built)
                continue
            built.relation = part.relation or (built.relation if built.relation != "root" else RELATIONS[built.tag])
            if built.relation == "cop":
                # The auxiliaries of a copula stand under the predicate, as it does itself.
                side.extend(built.left)
                built.left = []
            side.append(built)
            if built.relation.startswith("nsubj"):
                context["passive"] = built.relation == "nsubj:pass"
                if built.tag[0] != "W":
                    context["plural"] = built.plural
        if head is None:
            return left
        head.left[:0] = left
        head.right.extend(right)
        for each in right:
            if each.relation == "conj" and each.left and each.left[0].word == "and" and head.tag[0] == "N":
                head.plural = True
        return head

    def _build(self, part: RowPart, context: Context) -> Any:
        if part.kind == "group":
            return self.realise(part.parts, context)
        if part.kind == "role":
            case = {"nsubj": "subject", "nsubj:pass": "subject", "nmod:poss": "possessive"}.get(part.relation, "object")
            return self.refer(context, part.text, case, pronoun=False if part.flag else None)
        if part.kind == "words":
            words = context.get(part.text)
            return compound(tagged(words)) if words else None
        text, detail = (_filled(each, context) for each in (part.text, part.detail))
        if part.kind == "phrase":
            return self.write(text, context, detail)
        if part.kind == "word":
            tag, _, lemma = detail.partition("/")
            return Node(self.draws.pick(text.split("|")) if "|" in text else text, tag, lemma or None)
        return self.verb(context, self.draws.pick(text.split("|")), detail, negative=part.flag)

    def verb(
        self, context: Context, lemma: str, tense: str, *, negative: bool = False, adverb: str | None = None
    ) -> Node:
        """Return the verb `lemma` in a tense, in agreement with the subject before it."""
        return finite(
            lemma, tense, plural=context.get("plural", False), passive=context.get("passive", False),
            negative=negative, contracted=context.get("style") == "quoted", adverb=adverb,
        )  # fmt: skip


def _filled(text: str, context: Context) -> str:
    return _VARIABLE.sub(lambda match: context[match[1]], text) if "$" in text else text
