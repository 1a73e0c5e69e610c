"""Marginals of a user's own tagger, from a file of its scores of tokens."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from nlpcalib.errors import InputError, counted
from nlpcalib.predictions.formats.token_scores import read_scores
from nlpcalib.systems.chains.forward_backward import Marginals, forward_backward
from nlpcalib.systems.text.document import Document
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus


def read_tagger(path: str | Path, documents: Iterable[Document]) -> tuple[LinearChain, Marginals]:
    """Return the tags and transitions of a file that `nlpcalib spans` reads, as a chain without words, and marginals.

    Its sentences are those of `documents`, in order. Without transitions, tokens are independent. Raises `InputError`,
    naming the line, for other tokens and for scores that are not finite, and if no gold tag is in the file.
    """
    documents = list(documents)
    chain, records = read_scores(Path(path))
    sentences = [sentence for document in documents for sentence in document.sentences]
    if len(records) != len(sentences):
        raise InputError(
            f"{path}: found {counted(len(records), 'sentence')}, expected {len(sentences)} of the test set"
        )
    for record, scores, sentence in zip(records, chain["scores"], sentences, strict=True):
        words = list(sentence.words)
        if len(scores) != len(words) or record.values.get("tokens", words) != words:
            found = " ".join(record.values.get("tokens", ())) or counted(len(scores), "token")
            record.refuse(found[:60], f"the {counted(len(words), 'token')} of sentence {sentence.id}")
        if not np.isfinite(scores).all():
            record.refuse("logits that are not finite", "finite ones")
    tags, gold = tuple(chain["tags"]), tagged_corpus(documents)
    if not set(tags) & set(gold.tags):
        raise InputError(f"{path}: found the tags {', '.join(tags[:5])}, expected such as {', '.join(gold.tags[:5])}")
    size = len(tags)
    model = LinearChain(
        tags=tags,
        attributes=(),
        state=np.zeros((1, size)),
        transition=np.array(chain.get("transition", np.zeros((size, size)))),
        initial=np.array(chain.get("initial", np.zeros(size))),
    )
    scores = np.concatenate([np.reshape(each, (-1, size)) for each in chain["scores"]])
    return model, forward_backward(scores, gold.lengths, model.transition, model.initial)
