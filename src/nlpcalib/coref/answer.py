"""The answer to a user's document: an object for JSON, or the document with its entities."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from nlpcalib.coref.resolution import Resolution
from nlpcalib.corpora.document import Document, Mention

_DIGITS = 6


def answer(resolution: Resolution, *, samples: int, seed: int, at_least: float) -> dict:
    """Return all that the model says of a document, in plain types; docs/how-to/coref.md describes the keys.

    Probabilities are rounded to 6 digits. Antecedents and pairs less probable than `at_least` are left out, and what
    they amount to is said; with 0, none is.
    """
    document = resolution.document
    drawn = resolution.samples(samples, seed) if samples else np.empty((len(resolution.mentions), 0), np.int32)
    pairs, omitted = _pairs(resolution.marginals, at_least)
    return {
        "document": document.id,
        "at_least": at_least,
        "threshold": resolution.threshold,
        "seed": seed,
        "sentences": [
            {"speaker": each.speaker, "words": list(each.words), "space_after": list(each.space_after)}
            for each in document.sentences
        ],
        "mentions": [_mention(resolution, number, at_least) for number in range(len(resolution.mentions))],
        "entities": [
            {
                "id": _name(number),
                "mentions": members.tolist(),
                "coherence": _rounded(resolution.coherence[number]),
                "probability": _rounded(resolution.probabilities[number]),
            }
            for number, members in enumerate(resolution.members)
        ],
        "pairs": pairs,
        "omitted_pairs": omitted,
        "samples": drawn.T.tolist(),
    }


def json_line(content: dict) -> str:
    """Return an answer as one line of JSON."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def annotated(resolution: Resolution) -> Document:
    """Return the document with the decoded entities, those of one mention too, instead of its own."""
    mentions = (
        Mention(span.sentence, span.start, span.end, _name(entity))
        for span, entity in zip(resolution.mentions, resolution.entities.tolist(), strict=True)
    )
    return replace(resolution.document, mentions=tuple(sorted(mentions)))


def _name(entity: int) -> str:
    return f"e{entity + 1}"


def _rounded(probability: float) -> float:
    return round(float(probability), _DIGITS)


def _mention(resolution: Resolution, number: int, at_least: float) -> dict:
    span = resolution.mentions[number]
    row = resolution.conditionals[number, :number]
    listed = np.flatnonzero(row >= at_least)
    listed = listed[np.argsort(-row[listed], kind="stable")]
    return {
        "sentence": span.sentence,
        "start": span.start,
        "end": span.end,
        "head": span.head,
        "kind": span.kind,
        "text": span.text(resolution.document),
        "entity": _name(int(resolution.entities[number])),
        "membership": _rounded(resolution.membership[number]),
        "new": _rounded(resolution.new[number]),
        "antecedents": [[int(each), _rounded(row[each])] for each in listed],
        "other_antecedents": _rounded(row[row < at_least].sum()),
    }


def _pairs(marginals: np.ndarray, at_least: float) -> tuple[list[list], dict]:
    """Return [earlier, later, marginal] of the pairs that are listed, and how many others are expected to corefer."""
    listed, omitted, expected = [], 0, 0.0
    for later in range(len(marginals)):
        row = marginals[later, :later]
        chosen = row >= at_least
        listed += [[int(earlier), later, _rounded(row[earlier])] for earlier in np.flatnonzero(chosen)]
        omitted += later - int(chosen.sum())
        expected += row[~chosen].sum()
    return listed, {"count": omitted, "expected_coreferent": _rounded(expected)}
