"""Scores of chains of Hugging Face and sklearn-crfsuite, as `nlpcalib.find_spans` takes them.

The tools' own numbers for a span are not its probability. A pipeline of Hugging Face reports the mean, the
first or the largest softmax of the tokens, each too high or too low by about .1 for spans of two tokens and more.
sklearn-crfsuite has marginals of tokens alone. spaCy's recogniser (`doc.ents`) has no probability at all; its
`spancat` gives each span a probability of its own, which `nlpcalib calibrate` measures as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.predictions.formats.tag_names import numbered_labels


def token_classification(
    logits: Any, word_ids: Sequence[Sequence[int | None]], id2label: Mapping[int | str, str] | Sequence[str]
) -> dict[str, Any]:
    """Return what a token classification model of Hugging Face computes, for words by their first pieces.

    Parameters
    ----------
    logits : array_like, shape (B, P, K)
        `model(**batch).logits`: of B texts with P positions, padded.
    word_ids : sequence of B sequences
        `batch.word_ids(i)`: the word of each position, None for special tokens and padding.
    id2label : mapping or sequence
        `model.config.id2label`, that of `config.json`, whose numbers are texts, or the labels in order.

    Raises `InputError` for shapes that do not fit, and for labels that are not numbered from 0.
    """
    labels = numbered_labels(id2label)
    values = np.asarray(logits, dtype=np.float64)
    if values.ndim != 3 or values.shape[2] != len(labels):
        raise InputError(f"logits: found the shape {values.shape}, expected (texts, positions, {len(labels)})")
    texts, positions = values.shape[:2]
    if len(word_ids) != texts or any(len(words) > positions for words in word_ids):
        raise InputError(f"word_ids: found {len(word_ids)} texts, expected {texts} of at most {positions} positions")
    scores = []
    for text, words in zip(values, word_ids, strict=True):
        first = {word: place for place, word in reversed(list(enumerate(words))) if word is not None}
        scores.append(text[[first[word] for word in sorted(first)]])
    return {"scores": scores, "tags": labels}


def crfsuite(estimator: Any, features: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """Return the potentials of a fitted `sklearn_crfsuite.CRF` for sentences of features, as `predict` takes them."""
    from pycrfsuite import ItemSequence

    tags = list(estimator.classes_)
    code = {tag: number for number, tag in enumerate(tags)}
    weights: dict[str, np.ndarray] = {}
    for (attribute, tag), weight in estimator.state_features_.items():
        weights.setdefault(attribute, np.zeros(len(tags)))[code[tag]] = weight
    transition = np.zeros((len(tags), len(tags)))
    for (before, after), weight in estimator.transition_features_.items():
        transition[code[before], code[after]] = weight
    scores = [
        np.array(
            [
                sum((value * weights[name] for name, value in item.items() if name in weights), np.zeros(len(tags)))
                for item in ItemSequence(sentence).items()
            ]
        ).reshape(-1, len(tags))
        for sentence in features
    ]
    return {"scores": scores, "tags": tags, "transition": transition}
