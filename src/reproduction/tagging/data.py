"""Tagged sentences in flat arrays, from the documents of any corpus."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.forward_backward import second_tokens
from nlpcalib.systems.chains.pairs import documents_of_sentences
from nlpcalib.systems.text.document import Document
from reproduction.tagging.attributes import Attributes, ranges


@dataclass(frozen=True, eq=False)
class TaggedCorpus:
    """Sentences one after the other: words, gold tags, lengths and the name of each sentence."""

    tokens: Attributes
    """The words, or other attributes, of all tokens."""
    tags: tuple[str, ...]
    """The tags that occur, sorted; those of the training corpus are the tag set of a model."""
    gold: np.ndarray
    """(tokens,) int64 into `tags`."""
    lengths: np.ndarray
    """(S,) int64 tokens of each sentence."""
    units: tuple[str, ...]
    """S names of sentences, `document/sentence`."""

    @property
    def documents(self) -> tuple[str, ...]:
        """S names of the sentences' documents: the sampling units, since sentences of one document are alike."""
        return documents_of_sentences(self.units)

    @property
    def document_of_token(self) -> np.ndarray:
        """(tokens,) int64: the code of each token's document."""
        codes = np.unique(np.array(self.documents, dtype=object), return_inverse=True)[1]
        return np.repeat(codes, self.lengths)

    @property
    def second(self) -> np.ndarray:
        """(pairs,) int64: the tokens that have a predecessor in their sentence."""
        return second_tokens(self.lengths)

    def gold_in(self, tags: tuple[str, ...]) -> tuple[tuple[str, ...], np.ndarray]:
        """Return `tags` followed by this corpus's other tags, and the (tokens,) int64 gold tags as indices into it.

        A gold tag that a model has never seen stays an event that happens: the model predicts it with probability
        zero, and evaluation counts it.
        """
        known = set(tags)
        extended = (*tags, *(tag for tag in self.tags if tag not in known))
        codes = {tag: code for code, tag in enumerate(extended)}
        return extended, np.array([codes[tag] for tag in self.tags], dtype=np.int64)[self.gold]

    def drawn(self, number: int, seed: int) -> TaggedCorpus:
        """Return `number` sentences drawn without replacement, the same for all taggers; all if there are fewer."""
        rows = generator(seed, "train_crf").permutation(len(self.lengths))[:number]
        return self.subset(np.sort(rows))

    def subset(self, sentences: np.ndarray) -> TaggedCorpus:
        """Return the corpus of the given sentences, (n,) indices, in that order; names that no longer occur are gone.

        Raises InputError for an index that is out of range.
        """
        sentences = np.asarray(sentences, dtype=np.int64)
        if sentences.size and (sentences.min() < 0 or sentences.max() >= len(self.lengths)):
            raise InputError(f"sentences {sentences.min()} to {sentences.max()} of a corpus of {len(self.lengths)}")
        starts = np.cumsum(self.lengths) - self.lengths
        rows = ranges(starts[sentences], self.lengths[sentences])
        present, gold = np.unique(self.gold[rows], return_inverse=True)
        return TaggedCorpus(
            tokens=self.tokens.take(rows),
            tags=tuple(self.tags[tag] for tag in present),
            gold=gold.astype(np.int64),
            lengths=self.lengths[sentences],
            units=tuple(self.units[sentence] for sentence in sentences),
        )


def tagged_corpus(documents: Iterable[Document]) -> TaggedCorpus:
    """Collect the words and language-specific tags of all sentences of `documents`.

    Sentences without words are kept, with length zero. Raises InputError, naming document and sentence, where there
    is not one tag per word or a name occurs twice.
    """
    words: list[str] = []
    tags: list[str] = []
    lengths: list[int] = []
    units: dict[str, None] = {}
    for document in documents:
        for sentence in document.sentences:
            unit = f"{document.id}/{sentence.id}"
            if len(sentence.tags) != len(sentence.words):
                raise InputError(
                    f"document {document.id}, sentence {sentence.id}: found {len(sentence.tags)} tags; "
                    f"expected one for each of {len(sentence.words)} words"
                )
            if unit in units:
                raise InputError(f"document {document.id}, sentence {sentence.id}: occurs twice; expected unique names")
            units[unit] = None
            words.extend(sentence.words)
            tags.extend(sentence.tags)
            lengths.append(len(sentence.words))
    names = tuple(sorted(set(tags)))
    codes = {tag: code for code, tag in enumerate(names)}
    return TaggedCorpus(
        tokens=Attributes.of_words(words),
        tags=names,
        gold=np.array([codes[tag] for tag in tags], dtype=np.int64),
        lengths=np.array(lengths, dtype=np.int64),
        units=tuple(units),
    )
