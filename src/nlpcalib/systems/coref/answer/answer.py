"""Output for a user's document: an object for JSON, or the document with its entities."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np

from nlpcalib.systems.coref.answer.names import entity_names
from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import Resolution
from nlpcalib.systems.text.document import Document, Mention

ANSWER_VERSION = 1
"""Version of the keys in docs/reference/coref.schema.json, raised when a key changes or goes."""
_PROBABILITY_DECIMALS = 6
"""Decimals of probabilities in the output: more would be noise of the arithmetic."""


def answer(resolution: Resolution, *, samples: int, seed: int, at_least: float) -> dict:
    """Return the model's output for a document, in plain types; docs/reference/coref.md describes the keys.

    Probabilities are rounded to 6 digits. Antecedents and pairs less probable than `at_least` are dropped, and their
    total is reported; 0 keeps all. A document resolved in windows lists the pairs within windows and the total of the
    others.
    """
    document = resolution.document
    offsets = Offsets(document)
    drawn = resolution.samples(samples, seed) if samples else np.empty((len(resolution.mentions), 0), np.int32)
    pairs, omitted = _pairs(resolution, at_least)
    return {
        "version": ANSWER_VERSION,
        "document": document.id,
        "at_least": at_least,
        "threshold": resolution.threshold,
        "temperature": resolution.temperature,
        "window": resolution.window,
        "left_out": rounded(resolution.left_out),
        "seed": seed,
        "sentences": [
            {"speaker": each.speaker, "break": gap, "words": list(each.words), "space_after": list(each.space_after)}
            for each, gap in zip(document.sentences, offsets.breaks(), strict=True)
        ],
        "mentions": [_mention(resolution, offsets, number, at_least) for number in range(len(resolution.mentions))],
        "entities": [
            {
                "id": _name(number),
                "name": name,
                "mentions": members.tolist(),
                "coherence": rounded(resolution.coherence[number]),
                "probability": rounded(resolution.probabilities[number]),
            }
            for number, (members, name) in enumerate(zip(resolution.members, entity_names(resolution), strict=True))
        ],
        "pairs": pairs,
        "omitted_pairs": omitted,
        "samples": drawn.T.tolist(),
    }


def answer_line(content: dict) -> str:
    """Return the output of `answer` as one line of JSON."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n"


def annotated(resolution: Resolution) -> Document:
    """Return the document with the decoded entities, including singletons, instead of its own."""
    mentions = (
        Mention(span.sentence, span.start, span.end, _name(entity))
        for span, entity in zip(resolution.mentions, resolution.entities.tolist(), strict=True)
    )
    return replace(resolution.document, mentions=tuple(sorted(mentions)))


def _name(entity: int) -> str:
    return f"e{entity + 1}"


def rounded(probability: float) -> float:
    """Return a probability as records have it."""
    return round(float(probability), _PROBABILITY_DECIMALS)


def _mention(resolution: Resolution, offsets: Offsets, number: int, at_least: float) -> dict:
    span = resolution.mentions[number]
    antecedents, row = resolution.antecedents(number)
    listed = np.flatnonzero(row >= at_least)
    listed = listed[np.argsort(-row[listed], kind="stable")]
    start, end = offsets.of(span)
    return {
        "sentence": span.sentence,
        "start": span.start,
        "end": span.end,
        "head": span.head,
        "kind": span.kind,
        "text": offsets.text[start:end],
        "start_char": start,
        "end_char": end,
        "entity": _name(int(resolution.entities[number])),
        "membership": rounded(resolution.membership[number]),
        "new": rounded(resolution.new[number]),
        "antecedents": [[int(antecedents[each]), rounded(row[each])] for each in listed],
        "other_antecedents": rounded(row[row < at_least].sum()),
    }


def _pairs(resolution: Resolution, at_least: float) -> tuple[list[list], dict]:
    """Return [earlier, later, marginal] of the listed pairs, and the expected number of coreferent pairs not listed."""
    later, earlier, values = resolution.pairs(at_least)
    listed = zip(earlier.tolist(), later.tolist(), np.round(values, _PROBABILITY_DECIMALS).tolist(), strict=True)
    size = len(resolution.mentions)
    omitted = size * (size - 1) // 2 - len(values)
    expected = max(resolution.expected_pairs - float(values.sum()), 0.0) if omitted else 0.0
    return [list(pair) for pair in listed], {"count": omitted, "expected_coreferent": rounded(expected)}
