"""Dependency trees as they are built, and the columns of the sentences they become."""

from __future__ import annotations

from collections.abc import Iterable

from nlpcalib.systems.text.document import Sentence

UNIVERSAL = {
    "CC": "CCONJ", "CD": "NUM", "DT": "DET", "EX": "PRON", "FW": "X", "IN": "ADP", "JJ": "ADJ", "JJR": "ADJ",
    "JJS": "ADJ", "LS": "X", "MD": "AUX", "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "PDT": "DET",
    "POS": "PART", "PRP": "PRON", "PRP$": "PRON", "RB": "ADV", "RBR": "ADV", "RBS": "ADV", "RP": "ADP", "TO": "PART",
    "UH": "INTJ", "VB": "VERB", "VBD": "VERB", "VBG": "VERB", "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB",
    "WDT": "PRON", "WP": "PRON", "WP$": "PRON", "WRB": "ADV", "#": "SYM", "$": "SYM", "``": "PUNCT", "''": "PUNCT",
    ",": "PUNCT", ".": "PUNCT", ":": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT",
}  # fmt: skip
"""The universal part of speech of each Penn tag where the construction has no other."""

_UNIVERSAL_BY_RELATION = {
    ("TO", "case"): "ADP", ("TO", "fixed"): "ADP", ("IN", "mark"): "SCONJ", ("IN", "cc"): "CCONJ",
    ("IN", "advmod"): "ADV", ("DT", "nsubj"): "PRON", ("DT", "advmod"): "ADV",
}  # fmt: skip
_AUXILIARY_RELATIONS = ("aux", "aux:pass", "cop")

_CLITICS = frozenset({"POS", ",", ".", "''", "-RRB-"})
_OPENERS = frozenset({"``", "-LRB-", "$", "#"})
_OUTSIDE_MENTION = frozenset({"cc", "conj", "punct", "mark", "advmod", "parataxis", "cop", "nsubj"})
_VOWEL_SOUND_EXCEPTIONS = ("uni", "use", "usu", "eur", "one", "once", "u.", "uk", "ura")
_SILENT_H = ("hour", "honor", "honest", "heir")


class Node:
    """A word and its dependents, left and right in surface order; every tree is projective by construction."""

    __slots__ = (
        "capital", "entity", "index", "left", "lemma", "plural", "relation", "right", "tag", "word",
    )  # fmt: skip

    def __init__(self, word: str, tag: str, lemma: str | None = None) -> None:
        """Make a word with no dependents; the lemma of a plural is the word without its s where none is given."""
        self.word = word
        self.tag = tag
        self.lemma = lemma if lemma is not None else word[:-1] if tag == "NNS" else word
        self.relation = "root"
        self.left: list[Node] = []
        self.right: list[Node] = []
        self.plural = tag in ("NNS", "NNPS") or (tag == "PRP" and word in ("I", "we", "you", "they"))
        self.entity: str | None = None
        self.capital = tag == "``"
        """Whether the next word has a capital letter."""
        self.index = 0

    def before(self, child: Node, relation: str) -> Node:
        """Put `child` directly before this word, after the dependents that stand there already; return self."""
        child.relation = relation
        self.left.append(child)
        return self

    def first(self, child: Node, relation: str) -> Node:
        """Put `child` before everything else under this word; return self."""
        child.relation = relation
        self.left.insert(0, child)
        return self

    def after(self, child: Node, relation: str) -> Node:
        """Put `child` after everything else under this word; return self."""
        child.relation = relation
        self.right.append(child)
        return self

    @property
    def universal(self) -> str:
        """The universal part of speech."""
        if self.lemma == "not":
            return "PART"
        if self.relation in _AUXILIARY_RELATIONS:
            return "AUX"
        return _UNIVERSAL_BY_RELATION.get((self.tag, self.relation)) or UNIVERSAL[self.tag]


def tagged(spec: str) -> list[tuple[str, ...]]:
    """Return the words and tags, and lemmas where there are some, of "Foreign/NNP Minister/NNP"."""
    return [tuple(part.split("/")) for part in spec.split()]


def compound(words: list[tuple[str, ...]]) -> Node:
    """Return a name or description headed by its last word, the others `compound`, `amod` or possessive under it."""
    head = Node(*words[-1])
    for word, tag, *lemma in words[:-1]:
        if tag == "POS":
            owner = head.left.pop()
            head.before(owner.after(Node(word, tag), "case"), "nmod:poss")
        else:
            head.before(Node(word, tag, *lemma), "amod" if tag == "JJ" else "compound")
    return head


def words_in_order(root: Node) -> list[Node]:
    """Return the words of the tree in surface order, each with its 1-based `index` set."""
    order: list[Node] = []

    def visit(node: Node) -> None:
        for child in node.left:
            visit(child)
        order.append(node)
        node.index = len(order)
        for child in node.right:
            visit(child)

    visit(root)
    return order


def first_index(node: Node) -> int:
    """Return the index of the first word under `node`."""
    while node.left:
        node = node.left[0]
    return node.index


def last_index(node: Node) -> int:
    """Return the index of the last word under `node`."""
    while node.right:
        node = node.right[-1]
    return node.index


def mention_span(node: Node) -> tuple[int, int]:
    """Return the 0-based, end-exclusive span of the noun phrase that `node` heads.

    A preposition, a conjunction, other conjuncts and clause material (for a nominal predicate) are left out; a
    possessive 's is part of the phrase, as in OntoNotes.
    """
    start = end = node.index
    for child in reversed(node.left):
        if child.relation in _OUTSIDE_MENTION or child.relation == "case":
            break
        start = first_index(child)
    for child in node.right:
        if child.relation in _OUTSIDE_MENTION and not (child.relation == "punct" and _closes_apposition(node, child)):
            break
        end = last_index(child)
    return start - 1, end


def _closes_apposition(node: Node, comma: Node) -> bool:
    """Return whether `comma` encloses an apposition or a relative clause of `node`, not outside the phrase."""
    position = node.right.index(comma)
    beside = node.right[position + 1 : position + 2]
    return bool(beside) and beside[0].relation in ("appos", "acl:relcl", "acl")


def takes_an(word: str) -> bool:
    """Return whether the article before `word` is "an"."""
    lower = word.lower()
    if lower[0].isdigit():
        digits = lower.split(",")[0].split(".")[0].split("-")[0]
        return lower[0] == "8" or (digits in ("11", "18"))
    if lower.startswith(_SILENT_H):
        return True
    return lower[0] in "aeiou" and not lower.startswith(_VOWEL_SOUND_EXCEPTIONS)


def sentence_columns(root: Node, *, sentence_id: str) -> tuple[Sentence, list[Node]]:
    """Return the sentence that the tree spells, and its nodes in order with their indices set.

    Chooses between a and an, capitalises the first word and the word after a dateline, and sets white space.
    """
    _drop_commas(root)
    order = words_in_order(root)
    words = [node.word for node in order]
    for position, node in enumerate(order[:-1]):
        if node.lemma == "a" and node.tag == "DT" and takes_an(words[position + 1]):
            words[position] = "An" if words[position][0] == "A" else "an"
    for position in range(len(order)):
        before = order[position - 1] if position else None
        if before is not None and order[position].tag == "POS" and before.plural and before.word.endswith("s"):
            words[position] = "'"
        if before is None or before.capital:
            words[position] = words[position][0].upper() + words[position][1:]
    heads = [0] * len(order)
    for node in order:
        for child in (*node.left, *node.right):
            heads[child.index - 1] = node.index
    return (
        Sentence(
            id=sentence_id,
            words=tuple(words),
            tags=tuple(node.tag for node in order),
            lemmas=tuple(node.lemma for node in order),
            universal_tags=tuple(node.universal for node in order),
            heads=tuple(heads),
            relations=tuple(node.relation for node in order),
            space_after=tuple(_spaces(order)),
        ),
        order,
    )


def _drop_commas(root: Node) -> None:
    """Take out the commas that other punctuation makes superfluous, and those at the start of a sentence."""
    order = words_in_order(root)
    parents = {id(child): node for node in order for child in (*node.left, *node.right)}
    previous: Node | None = None
    for position, node in enumerate(order):
        following = next((each for each in order[position + 1 :] if each.word != ","), None)
        superfluous = previous is None or previous.word == "," or (
            following is not None and following.tag in (".", "''", ":", "-RRB-")
        )  # fmt: skip
        quote_comma = following is not None and following.tag == "''"
        if node.word == "," and superfluous and not (quote_comma and previous is not None and previous.word != ","):
            parent = parents[id(node)]
            side = parent.left if node in parent.left else parent.right
            side.remove(node)
        else:
            previous = node


def _spaces(order: list[Node]) -> Iterable[bool]:
    for node, following in zip(order, [*order[1:], None], strict=True):
        if following is None:
            yield True
        else:
            joined = following.tag in _CLITICS or following.word.startswith(("'", "n't", "%")) or following.word == ";"
            yield not (joined or following.word == ":" or node.tag in _OPENERS)
