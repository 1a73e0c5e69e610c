"""From plain text, or from words, to tags, lemmas and trees, a few paragraphs at a time."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import minibatch

from nlpcalib.errors import InputError
from nlpcalib.text.dated import DatedText
from nlpcalib.text.document import Document, Sentence
from nlpcalib.text.parsing.clearnlp import is_clearnlp, to_universal
from nlpcalib.text.parsing.sentences import sentence_starts, with_new_sentences
from nlpcalib.text.parsing.text import pieces
from nlpcalib.text.parsing.trees import parsed_sentences, parts, plain_doc

_STRETCH = 500
"""Words in which sentences are looked for at once, where they are not given."""

_MARK = re.compile(r"[.!?…:;\"'”’)\]»]$")
"""The end of a word after which a sentence may begin."""
_LINE_BREAK = re.compile(r"\S[^\S\n]*\n[^\S\n]*\S")


class Parser:
    """A spaCy model that gives documents with Universal Dependencies."""

    def __init__(self, nlp: Language, name: str):
        """Take a pipeline that has at least a tagger and a parser; raises `InputError`, naming it, for others."""
        if not {"tagger", "parser"} <= set(nlp.pipe_names):
            raise InputError(
                f"model {name}: found {', '.join(nlp.pipe_names) or 'nothing'}, expected tagger and parser"
            )
        self._nlp = nlp
        self._clearnlp = is_clearnlp(nlp.pipe_labels["parser"])

    def parse_texts(
        self, texts: Iterable[tuple[str, str]], *, edited: bool = False, batch_size: int = 16
    ) -> Iterator[Document]:
        """Yield one document for each pair of an id and a plain text, in order.

        In `edited` text, such as news, no sentence ends without a mark, so that none ends within a name (Burkina Faso).
        A text with line breaks within its paragraphs may have headings without one: its sentences are the model's.

        Blank lines end sentences; other white space only separates words, and is in `space_after`, so that the words
        give the text back up to the kind of white space. A text without words is a document without sentences. Held
        in memory are `batch_size` paragraphs and the document that they belong to, not the corpus.

        Raises `InputError`, naming the text, for text that is not valid Unicode.
        """
        tasks = (
            ((number, identifier), (piece, marked))
            for number, (identifier, text) in enumerate(texts)
            for marked in [edited and not _LINE_BREAK.search(text)]
            for piece in list(pieces(identifier, text)) or [""]
        )
        parsed = self._parsed(tasks, self._make_doc, batch_size)
        for (_, identifier), found in groupby(parsed, key=itemgetter(0)):
            sentences = [sentence for _, sentences in found for sentence in sentences]
            yield with_new_sentences(Document(identifier, ()), sentences)

    def parse_dated(self, texts: Iterable[DatedText | Document]) -> Iterator[Document]:
        """Yield the documents of dated news, edited text, with their dates; of annotated ones only the text is used."""
        dates: deque[datetime.date | None] = deque()

        def pairs() -> Iterator[tuple[str, str]]:
            for text in texts:
                dates.append(text.date)
                yield text.id, text.text

        for document in self.parse_texts(pairs(), edited=True):
            yield dataclasses.replace(document, date=dates.popleft())

    def _make_doc(self, task: tuple[str, bool]) -> Doc:
        piece, marked = task
        doc = self._nlp.make_doc(piece)
        for word in doc[1:] if marked else ():
            if not _MARK.search(word.nbor(-1).text):
                word.is_sent_start = False
        return doc

    def parse_tokens(self, document: Document, *, keep_sentences: bool = True, batch_size: int = 16) -> Document:
        """Return the document with its own words and mentions, and the model's tags, lemmas and trees.

        Sentences stay as they are, or are found anew: then none ends inside of a mention, and each has the speaker of
        its first word. `batch_size` counts sentences that stay, and stretches of 500 words otherwise.
        """
        starts = sentence_starts(document, keep_sentences)
        tasks = (
            (None, (part, [next(starts) for sentence in part for _ in sentence.words]))
            for part in parts(document.sentences, 0 if keep_sentences else _STRETCH)
        )
        parsed = self._parsed(tasks, lambda task: plain_doc(self._nlp.vocab, *task), batch_size)
        sentences = [sentence for _, sentences in parsed for sentence in sentences]
        if not keep_sentences:
            return with_new_sentences(document, sentences)
        annotated = (
            dataclasses.replace(old, tags=new.tags, lemmas=new.lemmas, heads=new.heads, relations=new.relations)
            for old, new in zip(document.sentences, sentences, strict=True)
        )
        return dataclasses.replace(document, sentences=tuple(annotated))

    def _parsed(
        self, tasks: Iterable[tuple[Any, Any]], make: Callable[[Any], Doc], batch_size: int
    ) -> Iterator[tuple[Any, list[Sentence]]]:
        """Yield the key of each task with its sentences; `make` turns what there is to do into a spaCy document."""
        for batch in minibatch(tasks, batch_size):
            # Without the zone, the vocabulary would keep every new word of the corpus.
            with self._nlp.memory_zone():
                docs = self._nlp.pipe([make(task) for _, task in batch], batch_size=batch_size)
                found = [parsed_sentences(doc) for doc in docs]
            for (key, _), sentences in zip(batch, found, strict=True):
                yield key, [to_universal(sentence) for sentence in sentences] if self._clearnlp else sentences
