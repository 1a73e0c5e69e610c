"""Mentions: spans of words that may refer to an entity, found from tags and trees, or annotated by a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nlpcalib.coref.phrases import DEMONSTRATIVES, PRONOUN_TAGS, PROPER_TAGS, Phrases, phrase_head
from nlpcalib.corpora.document import Document, Sentence
from nlpcalib.errors import InputError

KINDS = ("pronoun", "proper", "nominal", "demonstrative")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Words `start` to `end` (0-based, end exclusive) of sentence number `sentence`, with the word that heads them."""

    sentence: int
    start: int
    end: int
    head: int
    """0-based word number. A coordination (Ana and Leila) is headed by its conjunction, which tells it from Ana."""
    kind: str
    """One of `KINDS`."""

    def text(self, document: Document) -> str:
        """Return the words of the mention."""
        return document.sentences[self.sentence].text(self.start, self.end).rstrip(" ")


def candidate_mentions(document: Document) -> list[Span]:
    """Return the noun phrases of a document: pronouns, names, nominals and demonstratives, sorted, one for each head.

    Needs Penn tags and Universal Dependencies. A span is the maximal noun phrase, as in OntoNotes: with determiners,
    modifiers, appositions, relative clauses and a possessive 's, without prepositions, outer punctuation, and what
    belongs to the clause of a nominal predicate. A coordination is a mention beside its conjuncts, and a name that
    modifies a noun (Oslo police) beside the noun. Expletives, titles, other nouns in compounds, appositions that are
    not names, verbs and adverbs are none: of OntoGUM's training mentions 2 % are verbs (events) and .2 % adverbs.

    Raises `InputError` for a sentence without tags or without a tree.
    """
    _check_trees(document)
    spans = []
    for number, sentence in enumerate(document.sentences):
        phrases = {(start, end): head for start, end, head in Phrases(sentence).spans()}
        spans += [
            Span(number, start, end, head, _kind(sentence, head)) for (start, end), head in sorted(phrases.items())
        ]
    return spans


def _check_trees(document: Document) -> None:
    for sentence in document.sentences:
        if not (sentence.tags and sentence.heads and sentence.relations):
            lacking = "tree" if sentence.tags else "tags"
            raise InputError(
                f"document {document.id!r}, sentence {sentence.id!r}: found no {lacking}, expected Penn tags and "
                "Universal Dependencies, which the workflow's parser adds to a dataset with `parsed: true`"
            )


def _kind(sentence: Sentence, word: int) -> str:
    if sentence.tags[word] in PRONOUN_TAGS:
        return "pronoun"
    if sentence.words[word].lower() in DEMONSTRATIVES:
        return "demonstrative"
    return "proper" if sentence.tags[word] in PROPER_TAGS else "nominal"


def gold_mentions(document: Document) -> list[Span]:
    """Return the annotated mentions, sorted, each span once, headed as `phrase_head` says.

    Raises `InputError` for a sentence without tags or without a tree.
    """
    _check_trees(document)
    return [
        Span(number, start, end, head, _kind(sentence, head))
        for number, start, end in sorted(
            {(mention.sentence, mention.start, mention.end) for mention in document.mentions}
        )
        for sentence in [document.sentences[number]]
        for head in [phrase_head(sentence, start, end)]
    ]


def gold_clusters(document: Document) -> list[list[tuple[int, int, int]]]:
    """Return the annotated entities, each the (sentence, start, end) of its mentions, as `CorefScores` takes them."""
    clusters: dict[str, list[tuple[int, int, int]]] = {}
    for mention in document.mentions:
        clusters.setdefault(mention.entity, []).append((mention.sentence, mention.start, mention.end))
    return list(clusters.values())


def entities_of(spans: Sequence[Span], document: Document) -> list[str | None]:
    """Return the gold entity of each span: that of the mention with the same words, or `None`."""
    entities = {
        (mention.sentence, mention.start, mention.end): mention.entity for mention in reversed(document.mentions)
    }
    return [entities.get((span.sentence, span.start, span.end)) for span in spans]


MENTIONS: Mapping[str, Callable[[Document], list[Span]]] = {"predicted": candidate_mentions, "gold": gold_mentions}
"""Where mentions come from: found in the trees, or those that the document has."""
