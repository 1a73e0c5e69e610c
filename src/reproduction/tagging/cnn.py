"""spaCy's own convolutional tagger, trained on the sentences of a CRF: how calibrated is a neural model?

It has no foreign weights: hashed word shapes, prefixes and suffixes, four convolutions and a softmax for each token,
as `spacy.blank("en").add_pipe("tagger")` makes them. Its tokens are independent given the sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed
from thinc.api import use_ops
from threadpoolctl import threadpool_limits

from nlpcalib.errors import InputError
from nlpcalib.seeding import generator
from nlpcalib.systems.text.document import Sentence

logger = logging.getLogger(__name__)

SENTENCES_OF_A_BATCH = 32
DROPOUT = 0.1
"""spaCy's own default."""
SENTENCES_AT_A_TIME = 128
"""Sentences whose tags are predicted at a time; it bounds memory, and no result depends on it."""


@dataclass(frozen=True, slots=True)
class TrainedCNN:
    """The tagger of the epoch that is most accurate on the development set."""

    tags: tuple[str, ...]
    tagger: Language
    parameters: int
    accuracies: tuple[float, ...]
    """On the development set, after each epoch."""

    def logits(self, sentences: Sequence[Sentence]) -> Iterator[np.ndarray]:
        """Yield for each sentence float32 (words, K): unnormalised log probabilities of tags."""
        model = self.tagger.get_pipe("tagger").model  # type: ignore[attr-defined]
        for start in range(0, len(sentences), SENTENCES_AT_A_TIME):
            docs = [_doc(self.tagger, sentence) for sentence in sentences[start : start + SENTENCES_AT_A_TIME]]
            yield from model.predict(docs)


def train_cnn(
    train: Sequence[Sentence], dev: Sequence[Sentence], *, sentences: int, epochs: int, seed: int
) -> TrainedCNN:
    """Return the tagger trained on `sentences` of `train`, the CRF's for the same seed, in the best of `epochs`.

    The same arguments give the same weights on the same machine. Raises `InputError` if there are no sentences.
    """
    drawn = np.sort(generator(seed, "train_crf").permutation(len(train))[:sentences])
    train, dev = ([each for each in part if each.words] for part in ([train[number] for number in drawn], dev))
    if not train or not dev:
        raise InputError("found no sentences to train on or to choose by, expected at least one of each")
    fix_random_seed(seed)
    with threadpool_limits(1), use_ops("numpy", use_blis=False):
        nlp = spacy.blank("en")
        nlp.add_pipe("tagger")
        examples = [_example(nlp, sentence) for sentence in train]
        optimizer = nlp.initialize(lambda: examples)
        tags = tuple(nlp.pipe_labels["tagger"])
        best, kept, accuracies = -1.0, b"", []
        for epoch in range(epochs):
            order = generator(seed, "train_cnn", epoch).permutation(len(examples))
            for start in range(0, len(order), SENTENCES_OF_A_BATCH):
                batch = [examples[number] for number in order[start : start + SENTENCES_OF_A_BATCH]]
                nlp.update(batch, sgd=optimizer, drop=DROPOUT)
            trained = TrainedCNN(tags, nlp, _parameters(nlp), ())
            accuracies.append(accuracy(trained, dev))
            logger.info("epoch %d of %d: accuracy %.4f", epoch + 1, epochs, accuracies[-1])
            if accuracies[-1] > best:
                best, kept = accuracies[-1], nlp.to_bytes()
        nlp.from_bytes(kept)
    return TrainedCNN(tags, nlp, _parameters(nlp), tuple(accuracies))


def accuracy(cnn: TrainedCNN, sentences: Sequence[Sentence]) -> float:
    """Return the share of words whose most probable tag is the gold tag."""
    chosen = [cnn.tags[number] for rows in cnn.logits(sentences) for number in rows.argmax(axis=1)]
    gold = [tag for sentence in sentences for tag in sentence.tags]
    return float(np.mean([one == other for one, other in zip(chosen, gold, strict=True)]))


def _doc(nlp: Language, sentence: Sentence) -> Doc:
    return Doc(nlp.vocab, words=list(sentence.words))


def _example(nlp: Language, sentence: Sentence) -> Example:
    return Example(_doc(nlp, sentence), Doc(nlp.vocab, words=list(sentence.words), tags=list(sentence.tags)))


def _parameters(nlp: Language) -> int:
    """Return how many weights the model has."""
    nodes = nlp.get_pipe("tagger").model.walk()  # type: ignore[attr-defined]
    return sum(node.get_param(name).size for node in nodes for name in node.param_names if node.has_param(name))
