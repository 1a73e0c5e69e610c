"""The output of a model for annotated documents, which of it is right, and the file of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.arrays import read_arrays
from nlpcalib.io.files import atomic_path
from nlpcalib.systems.coref.model.lexicon import TYPES
from nlpcalib.systems.coref.model.mentions import corefer
from nlpcalib.systems.coref.score.scoring import coref_counts, coref_results
from reproduction.coref.clusters import best_antecedents, clusters, gold_clusters
from reproduction.coref.recalibration import AS_TRAINED, AntecedentWeights, Linked
from reproduction.coref.temperatures import GoldAntecedents

DECODINGS = ("best antecedents", "clustered marginals")
WORDS = ("I, we", "you", "he, she", "it", "they", "other pronoun", "name", "nominal")
"""Kinds of mentions in the table of calibration; a pair's kind is that of both."""
_WORDS_OF_TYPES = {"i": 0, "we": 0, "you": 1, "he": 2, "it": 3, "they": 4, "this": 5, "these": 5, "other": 5}
_WORD_OF_TYPE = np.array([_WORDS_OF_TYPES.get(name, 6 if name == "name" else 7) for name in TYPES])
_ARRAYS = ("document", "genre", "mentions", "conditionals", "q", "y", "counts", "words")


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The output of a model for one annotated document, and which of it is right."""

    document: str
    genre: str
    mentions: int
    """N."""
    conditionals: np.ndarray
    """A, float64 (N, N)."""
    q: np.ndarray
    """float64 (N(N − 1)/2,): the exact marginal of each pair (i, j), j < i, row by row."""
    y: np.ndarray
    """bool (N(N − 1)/2,): whether the pair shares a gold entity."""
    counts: np.ndarray
    """float64 (decodings, 2, 8, 4): `coref_counts` of each decoding, with and without singletons."""
    words: np.ndarray
    """int64 (N,): the kind of each mention, an index into `WORDS`."""


def evaluate_coref(linked: Linked, used: AntecedentWeights = AS_TRAINED) -> Evaluated:
    """Compare the output of a model for a document, by default as it was trained, with the annotated entities."""
    document, spans, resolution = linked.document, linked.table.spans, linked.resolution(used)
    key = gold_clusters(document)
    decoded = (best_antecedents(resolution.conditionals), resolution.entities)
    i, j = np.tril_indices(len(spans), -1)
    return Evaluated(
        document.id,
        document.metadata.get("genre", ""),
        len(spans),
        resolution.conditionals,
        resolution.marginals[i, j],
        corefer(linked.entities),
        np.array(
            [
                [coref_counts(key, clusters(spans, labels), singletons=singletons) for singletons in (True, False)]
                for labels in decoded
            ]
        ),
        _WORD_OF_TYPE[linked.table.type],
    )


def evaluate_held_out(
    folds: Sequence[Sequence[Linked]], weights: Sequence[AntecedentWeights]
) -> tuple[list[list[Evaluated]], float]:
    """Return how right the model of each fold is with its weights, and the log-likelihood of all gold clusterings."""
    likelihood, found = 0.0, []
    for held_out, used in zip(folds, weights, strict=True):
        evaluated = [evaluate_coref(each, used) for each in held_out]
        choices = ((one.conditionals, each.entities) for one, each in zip(evaluated, held_out, strict=True))
        likelihood += GoldAntecedents.of(choices).log_likelihood(1.0)
        found.append(evaluated)
    return found, likelihood


def coreference_pairs(evaluated: Sequence[Evaluated]) -> Pairs:
    """Return all pairs of mentions of all documents, label `coreferent`, the document being the unit."""
    document = np.repeat(np.arange(len(evaluated)), [result.q.size for result in evaluated])
    return Pairs(
        np.concatenate([result.q for result in evaluated]),
        np.concatenate([result.y for result in evaluated]),
        Categories(np.zeros(document.size, dtype=np.int32), ("coreferent",)),
        Categories.of(document, [result.document for result in evaluated]),
    )


def score_rows(evaluated: Sequence[Evaluated]) -> list[dict]:
    """Return a row per decoding, with and without singletons: recall, precision and F1 of every score."""
    counts = np.sum([result.counts for result in evaluated], axis=0)
    rows = []
    for decoding, of_decoding in zip(DECODINGS, counts, strict=True):
        for singletons, of_part in zip((True, False), of_decoding, strict=True):
            results = coref_results(of_part)
            row = {"decoding": decoding, "singletons": singletons, "conll_f1": results.conll_f1}
            for name in ("mentions", "muc", "b_cubed", "ceaf_e", "ceaf_m", "pairwise", "blanc", "lea"):
                for part, value in asdict(getattr(results, name)).items():
                    row[f"{name}_{part}"] = value
            rows.append(row)
    return rows


def save_evaluated(path: str | Path, evaluated: Sequence[Evaluated]) -> None:
    """Write the output of a model for documents as .npz without pickles, all or nothing."""

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(each, name).reshape(-1) for each in evaluated])

    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(
            file,
            document=np.array([each.document for each in evaluated], dtype=np.str_),
            genre=np.array([each.genre for each in evaluated], dtype=np.str_),
            mentions=np.array([each.mentions for each in evaluated], dtype=np.int64),
            counts=np.stack([each.counts for each in evaluated]),
            conditionals=joined("conditionals"),
            q=joined("q"),
            y=joined("y"),
            words=joined("words"),
        )


def load_evaluated(path: str | Path) -> list[Evaluated]:
    """Read what `save_evaluated` wrote; raises `InputError` for a file whose arrays do not fit each other."""
    expected = "expected a file of save_evaluated"
    arrays = read_arrays(path, _ARRAYS, expected=expected)
    size = arrays["mentions"]
    ends = {
        "conditionals": np.cumsum(size**2),
        "words": np.cumsum(size),
        **dict.fromkeys(("q", "y"), np.cumsum(size * (size - 1) // 2)),
    }
    wrong = [name for name, end in ends.items() if arrays[name].size != (end[-1] if end.size else 0)]
    wrong += [name for name in ("document", "genre", "counts") if len(arrays[name]) != size.size]
    if wrong:
        raise InputError(f"{path}: found other {', '.join(wrong)} than {size.size} documents have; {expected}")
    parts = {name: np.split(arrays[name], end[:-1]) for name, end in ends.items()}
    return [
        Evaluated(
            str(arrays["document"][place]),
            str(arrays["genre"][place]),
            int(n),
            parts["conditionals"][place].reshape(n, n),
            parts["q"][place],
            parts["y"][place],
            arrays["counts"][place],
            parts["words"][place],
        )
        for place, n in enumerate(size.tolist())
    ]
