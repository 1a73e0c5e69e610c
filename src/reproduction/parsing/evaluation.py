"""How well a parser does: words, sentences, tags, lemmas and trees against annotated documents.

Words are matched by the characters that they cover, as in the CoNLL 2018 shared task (Zeman et al. 2018, section 5.1),
so that text that the model divided into words itself is scored alike: each measure is an F1, and with the annotated
words an accuracy. Unlike there, relations count with their subtypes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing.parser import Parser
from reproduction.corpora.annotated import in_genres
from reproduction.parsing.treebanks import with_current_relations

AGENT = "obl:agent"


class _Word(NamedTuple):
    tag: str
    lemma: str
    head: tuple[int, int] | None
    """Span of the head, None for a root."""
    relation: str


def evaluate_parser(parser: Parser, documents: Sequence[Document], genres: Sequence[str]) -> list[dict[str, object]]:
    """Return one row of scores for each genre and way of reading, those of all documents first.

    Documents are read twice: with the annotated words and sentences (`given`: scores are of tags, lemmas and
    trees alone), and as plain text, in which the model finds words and sentences too (`text`). Where the model was
    trained on some `genres` only, `seen` and `unseen` gather those and the others. Columns after `words` are F1.
    """
    gold = [with_current_relations(document) for document in documents]
    names = sorted({document.metadata["genre"] for document in documents if "genre" in document.metadata})
    groups: dict[str, Callable[[Document], bool]] = {"all": lambda _: True}
    if genres:
        groups["seen"] = lambda document: in_genres(document, genres)
        groups["unseen"] = lambda document: not in_genres(document, genres)
    groups |= {name: partial(in_genres, genres=(name,)) for name in names}
    rows = []
    texts = ((document.id, document.text) for document in gold)
    for reading, parsed in (("given", map(parser.parse_tokens, gold)), ("text", parser.parse_texts(texts))):
        counts = [count_matches(one, other) for one, other in zip(gold, parsed, strict=True)]
        for group, belongs in groups.items():
            members = [count for document, count in zip(gold, counts, strict=True) if belongs(document)]
            if members:
                words = sum(count["words_gold"] for count in members)
                row = {"genre": group, "reading": reading, "documents": len(members), "n_words": words}
                rows.append(row | parser_scores(members))
    return rows


def count_matches(gold: Document, parsed: Document) -> Counter[str]:
    """Return, for two annotations of one text, how many units each has and how many agree.

    Keys are `{measure}_{gold,parsed,both}` with a measure of `words`, `sentences`, `tags`, `lemmas`, `uas`, `las`
    and `agents` (words that are `obl:agent`, with the right head).
    """
    gold_words, gold_sentences = _units(gold)
    parsed_words, parsed_sentences = _units(parsed)
    pairs = [(word, parsed_words[span]) for span, word in gold_words.items() if span in parsed_words]
    attached = [(one, other) for one, other in pairs if one.head == other.head]
    labelled = [one for one, other in attached if one.relation == other.relation]
    both = {
        "words": len(pairs),
        "sentences": len(gold_sentences & parsed_sentences),
        "tags": sum(one.tag == other.tag for one, other in pairs),
        "lemmas": sum(one.lemma == other.lemma for one, other in pairs),
        "uas": len(attached),
        "las": len(labelled),
        "agents": sum(word.relation == AGENT for word in labelled),
    }
    counts = Counter({f"{measure}_both": count for measure, count in both.items()})
    for name, words, sentences in (("gold", gold_words, gold_sentences), ("parsed", parsed_words, parsed_sentences)):
        agents = sum(word.relation == AGENT for word in words.values())
        sizes = {"sentences": len(sentences), "agents": agents}
        counts.update({f"{measure}_{name}": sizes.get(measure, len(words)) for measure in both})
    return counts


def parser_scores(counts: Iterable[Counter[str]]) -> dict[str, float | None]:
    """Return the F1 of each measure over documents, None where neither annotation has any of its units."""
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    found = {}
    for measure in (key.removesuffix("_both") for key in total if key.endswith("_both")):
        units = total[f"{measure}_gold"] + total[f"{measure}_parsed"]
        found[measure] = 2 * total[f"{measure}_both"] / units if units else None
    return found


def _units(document: Document) -> tuple[dict[tuple[int, int], _Word], set[tuple[int, int]]]:
    words: dict[tuple[int, int], _Word] = {}
    sentences, end = set(), 0
    for sentence in document.sentences:
        start, spans = end, []
        for word in sentence.words:
            size = len("".join(word.split()))
            spans.append((end, end + size))
            end += size
        sentences.add((start, end))
        size = len(spans)
        tags, lemmas, relations = (
            column or ("_",) * size for column in (sentence.tags, sentence.lemmas, sentence.relations)
        )
        for span, tag, lemma, head, relation in zip(spans, tags, lemmas, sentence.heads, relations, strict=True):
            words[span] = _Word(tag, lemma, spans[head - 1] if head else None, relation)
    return words, sentences
