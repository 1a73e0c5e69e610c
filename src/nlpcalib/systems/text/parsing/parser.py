"""Parsing of plain text, or of given words, into tags, lemmas and trees, a few paragraphs at a time.

The model is spaCy's transition parser: P(tree | sentence) = Π_k P(action k | earlier actions), over the K actions that
build the tree; `systems.text.parsing.sampling` draws from it. `Parser` returns the greedy best tree, in batches whose
memory does not grow with the corpus.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import groupby, tee
from operator import itemgetter
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span, Token
from spacy.util import minibatch

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.parsing.clearnlp import is_clearnlp, to_universal
from nlpcalib.systems.text.parsing.readings import Sampling
from nlpcalib.systems.text.parsing.sampling import check_sampling, sample_trees
from nlpcalib.systems.text.parsing.text import SENTENCE_FINAL, check_unicode, is_punctuated, paragraphs, pieces
from nlpcalib.systems.text.parsing.trees import parsed_sentence, plain_doc
from nlpcalib.systems.text.titles import join_abbreviated_titles

_TASKS_PER_BATCH = 16
"""Pieces of text, sentences or stretches of words that are parsed at a time: enough to keep the model busy."""

_MAX_KEPT_WORDS = 20_000
"""Words that the vocabulary keeps, with how the tokenizer splits them: the first ones, so the frequent ones."""

_OPENING_MARK = re.compile(r"[\"'“‘„«(\[]")
"""Marks that open a quotation or an aside where white space is before them and none after."""
_LINE_BREAK = re.compile(r"\S[^\S\n]*\n[^\S\n]*\S")


@dataclass
class _Parsed:
    sentence: Sentence
    span: Span
    place: tuple[Any, int]
    """The key of its task, and its number among the sentences with this key."""
    trees: Sequence[Sentence] = ()


class Parser:
    """A spaCy model that returns documents with Universal Dependencies."""

    def __init__(self, nlp: Language, name: str, temperature: float = 1.0):
        """Wrap a pipeline; raises `InputError`, naming it, if it lacks a tagger or a parser.

        `temperature` applies to sampled trees.
        """
        if not {"tagger", "parser"} <= set(nlp.pipe_names):
            raise InputError(
                f"model {name}: found {', '.join(nlp.pipe_names) or 'nothing'}, expected tagger and parser"
            )
        self._nlp = nlp
        self._name = name
        self._temperature = temperature
        self._clearnlp = is_clearnlp(nlp.pipe_labels["parser"])

    def with_temperature(self, temperature: float) -> Parser:
        """Return the parser with another temperature for sampled trees."""
        return Parser(self._nlp, self._name, temperature)

    def parse_texts(
        self, texts: Iterable[tuple[str, str]], *, edited: bool | None = False, batch_size: int = _TASKS_PER_BATCH
    ) -> Iterator[Document]:
        """Yield one document for each pair of an id and a plain text, in order.

        In `edited` text, such as news, sentences end only at punctuation, never within a name (Burkina Faso). This
        does not hold for a text with line breaks in paragraphs, which may have headings without punctuation. With None
        it holds for each paragraph that stands on one line and ends in punctuation. A mark that opens a quotation ends
        no sentence in any text.

        Blank lines end sentences. Other white space only separates words; `space_after` has it, so that the words
        reproduce the text up to the kind of white space. A text without words is a document without sentences. Memory
        holds `batch_size` paragraphs and their document, not the corpus.

        Raises `InputError`, naming the text, for text that is not valid Unicode.
        """
        return (document for document, _ in self._documents(texts, edited, batch_size, None))

    def sample_dated(
        self, texts: Iterable[DatedText | Document], sampling: Sampling | None
    ) -> Iterator[tuple[Document, Document]]:
        """Yield documents of dated news, which is edited text, with their dates and sampled trees.

        Only the text of annotated documents is used. Sampled trees are in the form that `readings` takes; a sampling
        of None draws none. Each tree has a generator of its own, from the seed, document, sentence and number, so that
        batches do not change it. Raises `InputError` for a model whose trees cannot be sampled.
        """
        unparsed, again = tee(texts)
        parsed = self._documents(((text.id, text.text) for text in unparsed), True, _TASKS_PER_BATCH, sampling)
        for (document, sampled), text in zip(parsed, again, strict=True):
            yield dataclasses.replace(document, date=text.date), dataclasses.replace(sampled, date=text.date)

    def _documents(
        self, texts: Iterable[tuple[str, str]], edited: bool | None, batch_size: int, sampling: Sampling | None
    ) -> Iterator[tuple[Document, Document]]:
        tasks = (
            ((number, identifier), task)
            for number, (identifier, text) in enumerate(texts)
            for task in list(_marked_pieces(identifier, text, edited)) or [("", False)]
        )
        parsed = self._parsed(tasks, self._make_doc, batch_size, sampling)
        for (_, identifier), found in groupby(parsed, key=itemgetter(0)):
            both = [pair for _, pairs in found for pair in pairs]
            sentences = [
                dataclasses.replace(sentence, id=f"{identifier}-{number}")
                for number, (sentence, _) in enumerate(both, 1)
            ]
            document = Document(identifier, tuple(sentences))
            yield document, _sampled(document, both)

    def _make_doc(self, task: tuple[str, bool]) -> Doc:
        piece, marked = task
        doc = join_abbreviated_titles(self._nlp.make_doc(piece))
        for word in doc[1:]:
            before = word.nbor(-1)
            if _opens(before) or (marked and not SENTENCE_FINAL.search(before.text)):
                word.is_sent_start = False
        return doc

    def parse_tokens(self, document: Document) -> Document:
        """Return the document with its own sentences, words and mentions, and the model's tags, lemmas and trees."""
        annotated = (
            dataclasses.replace(old, tags=new.tags, lemmas=new.lemmas, heads=new.heads, relations=new.relations)
            for old, (new, _) in zip(document.sentences, self._token_pairs(document, None), strict=True)
        )
        return dataclasses.replace(document, sentences=tuple(annotated))

    def sample_tokens(self, document: Document, sampling: Sampling) -> Document:
        """Return sampled trees of a document's own sentences and words, in the form that `readings` takes."""
        return _sampled(document, self._token_pairs(document, sampling))

    def _token_pairs(self, document: Document, sampling: Sampling | None) -> list[tuple[Sentence, list[Sentence]]]:
        tasks = (
            ((0, document.id), ([sentence], [place == 0 for place in range(len(sentence.words))]))
            for sentence in document.sentences
        )
        parsed = self._parsed(tasks, lambda task: plain_doc(self._nlp.vocab, *task), _TASKS_PER_BATCH, sampling)
        return [pair for _, pairs in parsed for pair in pairs]

    def _parsed(
        self,
        tasks: Iterable[tuple[Any, Any]],
        make: Callable[[Any], Doc],
        batch_size: int,
        sampling: Sampling | None = None,
    ) -> Iterator[tuple[Any, list[tuple[Sentence, list[Sentence]]]]]:
        """Yield the key of each task with its sentences and the sampled trees of each.

        `make` turns a task into a spaCy document. Tasks with the same key are consecutive.
        """
        last, number = None, 0
        for batch in minibatch(tasks, batch_size):
            # Without a memory zone, the vocabulary would keep every new word of the corpus.
            keeps_words = len(self._nlp.vocab) < _MAX_KEPT_WORDS
            with nullcontext() if keeps_words else self._nlp.memory_zone():
                docs = self._nlp.pipe([make(task) for _, task in batch], batch_size=batch_size)
                found: list[list[_Parsed]] = []
                for (key, _), doc in zip(batch, docs, strict=True):
                    last, number = key, number if key == last else 0
                    spans = enumerate(doc.sents, number)
                    found.append([_Parsed(parsed_sentence(span), span, (key, place)) for place, span in spans])
                    number += len(found[-1])
                if sampling and sampling.trees > 1:
                    self._sample([each for own in found for each in own], sampling)
                yielded = [[(each.sentence, each.trees) for each in own] for own in found]
            for (key, _), own in zip(batch, yielded, strict=True):
                yield key, [(self._universal(one), list(map(self._universal, trees))) for one, trees in own]

    def _sample(self, parsed: Sequence[_Parsed], sampling: Sampling) -> None:
        """Draw trees for the sentences that match the words of the sampling."""
        asked = [each for each in parsed if sampling.words.search(each.sentence.text())]
        if not asked:
            return
        check_sampling(self._nlp, self._name)
        scratch, streams = [], []
        for each in asked:
            starts: list[bool | int | None] = [place == 0 for place in range(len(each.span))]
            scratch.append(plain_doc(self._nlp.vocab, [each.sentence], starts))
            # The parser reads the word vectors of the whole paragraph, as it did for its best tree.
            scratch[-1].tensor = each.span.doc.tensor[each.span.start : each.span.end]
            (_, document), number = each.place
            streams.append(
                [generator(sampling.seed, "trees", document, number, tree) for tree in range(sampling.trees)]
            )
        for each, trees in zip(
            asked, sample_trees(self._nlp.get_pipe("parser"), scratch, streams, self._temperature), strict=True
        ):
            each.trees = [
                dataclasses.replace(each.sentence, heads=tree.heads, relations=tree.relations) for tree in trees
            ]

    def _universal(self, sentence: Sentence) -> Sentence:
        return to_universal(sentence) if self._clearnlp else sentence


def _marked_pieces(identifier: str, text: str, edited: bool | None) -> Iterator[tuple[str, bool]]:
    """Yield the pieces of a text, and for each whether its sentences end at punctuation alone."""
    check_unicode(identifier, text)
    if edited is not None:
        yield from ((piece, edited and not _LINE_BREAK.search(text)) for piece in pieces(text))
        return
    for paragraph in paragraphs(text):
        yield from ((piece, is_punctuated(paragraph)) for piece in pieces(paragraph))


def _opens(mark: Token) -> bool:
    is_after_space = mark.i == 0 or bool(mark.nbor(-1).whitespace_)
    return is_after_space and not mark.whitespace_ and bool(_OPENING_MARK.fullmatch(mark.text))


def _sampled(document: Document, parsed: Iterable[tuple[Sentence, list[Sentence]]]) -> Document:
    """Return the sampled trees of a document's sentences, each with the id of its sentence."""
    trees = (
        dataclasses.replace(tree, id=sentence.id)
        for sentence, (_, own) in zip(document.sentences, parsed, strict=True)
        for tree in own
    )
    return Document(document.id, tuple(trees))
