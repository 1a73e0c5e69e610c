"""How far a model is from a perfect one: calibration by genre and kind of pair, and what recalibration does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from nlpcalib.calibration.binning import Bins, SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.calibration.intervals import calibration_error
from nlpcalib.seeding import generator
from nlpcalib.systems.coref.model.posterior import sample_entities
from nlpcalib.systems.coref.score.scoring import coref_results
from reproduction.coref.evaluated import DECODINGS, WORDS, Evaluated, coreference_pairs, score_rows
from reproduction.coref.recalibration import AntecedentWeights


def errors_of_a_perfect_model(
    evaluated: Sequence[Evaluated], *, bin_size: int, replicates: int, seed: int
) -> np.ndarray:
    """Return calibration errors (Algorithm 1), float64 (replicates,), of labels drawn from the model's own entities.

    Where the model is right, the labels are one more draw of whole clusterings, so these errors are what a perfectly
    calibrated model shows on these very documents: pairs of a document move together, which the noise floor of
    independent pairs does not know.
    """
    q = np.concatenate([result.q for result in evaluated])
    bins, bin_of = _binned(q, bin_size)
    positives = _perfect_positives(evaluated, bin_of, bins.size.size, replicates=replicates, seed=seed)
    errors = bins.mean_prediction - positives / bins.size
    return np.sqrt((bins.weight * errors**2).sum(axis=1))


def kind_rows(evaluated: Sequence[Evaluated], *, bin_size: int, replicates: int, seed: int) -> list[dict]:
    """Return the calibration of each kind of pair of mentions that has at least `bin_size` pairs.

    Algorithm 1's error stands next to the mean and the standard deviation of a perfect model's, whose labels are drawn
    from the model's own entities; `p_value` as in `genre_row`. Kinds are ordered as `WORDS`.
    """
    q, y = (np.concatenate([getattr(result, name) for result in evaluated]) for name in ("q", "y"))
    kinds = np.concatenate([_kinds_of_pairs(result.words) for result in evaluated])
    bin_of, parts, count = np.full(q.size, -1, dtype=np.int32), [], 0
    for kind in np.flatnonzero(np.bincount(kinds) >= bin_size).tolist():
        chosen = np.flatnonzero(kinds == kind)
        bins, numbers = _binned(q[chosen], bin_size)
        bin_of[chosen] = count + numbers
        parts.append((kind, chosen, bins, slice(count, count + bins.size.size)))
        count += bins.size.size
    positives = _perfect_positives(evaluated, bin_of, count, replicates=replicates, seed=seed)
    rows = []
    for kind, chosen, bins, place in parts:
        perfect = np.sqrt((bins.weight * (bins.mean_prediction - positives[:, place] / bins.size) ** 2).sum(axis=1))
        rows.append(
            {
                "pair": " ~ ".join(WORDS[number] for number in divmod(kind, len(WORDS))),
                "pairs": chosen.size,
                "coreferent_pairs": int(y[chosen].sum()),
                "expected_pairs": float(q[chosen].sum()),
                **_next_to_perfect(calibration_error(q[chosen], y[chosen], bin_size=bin_size), perfect),
            }
        )
    return rows


def _next_to_perfect(error: float, perfect: np.ndarray) -> dict[str, float]:
    """Return the columns of an error next to those of a perfect model, float64 (replicates,)."""
    return {
        "calibration_error": error,
        "perfect_mean": float(perfect.mean()),
        "perfect_sd": float(perfect.std(ddof=1)),
        "p_value": float((1 + np.count_nonzero(perfect >= error)) / (1 + perfect.size)),
    }


def _kinds_of_pairs(words: np.ndarray) -> np.ndarray:
    """Return the kind of each pair (i, j), j < i: the lower of both kinds times their number, plus the higher."""
    i, j = np.tril_indices(words.size, -1)
    low, high = np.minimum(words[i], words[j]), np.maximum(words[i], words[j])
    return low * len(WORDS) + high


def _binned(q: np.ndarray, bin_size: int) -> tuple[Bins, np.ndarray]:
    """Return adaptive bins and the bin of each prediction, int32."""
    pairs = SortedPairs(q, np.zeros(q.size, dtype=np.bool_))
    bins = pairs.adaptive(bin_size)
    bin_of = np.empty(q.size, dtype=np.int32)
    bin_of[np.argsort(q, kind="stable")] = np.repeat(np.arange(bins.size.size, dtype=np.int32), bins.size)
    return bins, bin_of


def _perfect_positives(
    evaluated: Sequence[Evaluated], bin_of: np.ndarray, bins: int, *, replicates: int, seed: int
) -> np.ndarray:
    """Return how many pairs of each bin share an entity in samples, float64 (replicates, bins); bin -1 is left out."""
    positives = np.zeros((replicates, bins))
    start = 0
    for result in evaluated:
        part = bin_of[start : start + result.q.size]
        start += result.q.size
        entities = sample_entities(result.conditionals, replicates, generator(seed, "perfect model", result.document))
        i, j = np.tril_indices(len(entities), -1)
        used = part >= 0
        i, j, part = i[used], j[used], part[used]
        for replicate, labels in enumerate(entities.T):
            positives[replicate] += np.bincount(part[labels[i] == labels[j]], minlength=bins)
    return positives


def by_genre(evaluated: Sequence[Evaluated]) -> list[tuple[str, list[Evaluated]]]:
    """Return the documents of each genre with any pair of mentions: without one there is no calibration."""
    named = sorted((result for result in evaluated if result.genre), key=lambda result: (result.genre, result.document))
    genres = [(genre, list(part)) for genre, part in groupby(named, key=lambda result: result.genre)]
    return [(genre, part) for genre, part in genres if any(result.q.size for result in part)]


def genre_row(genre: str, evaluated: Sequence[Evaluated], *, bin_size: int, perfect: np.ndarray) -> dict:
    """Return sizes, scores without singletons and calibration of one genre, or of all documents.

    `perfect` are the `errors_of_a_perfect_model` of these documents; `p_value` is their share, the observed error
    counted in, that is at least the observed one (Davison and Hinkley 1997, section 4.2).
    """
    q, y = (np.concatenate([getattr(result, name) for result in evaluated]) for name in ("q", "y"))
    counts = np.sum([result.counts[:, 1] for result in evaluated], axis=0)
    return {
        "genre": genre,
        "documents": len(evaluated),
        "mentions": sum(result.mentions for result in evaluated),
        "pairs": q.size,
        "coreferent_pairs": int(y.sum()),
        "expected_pairs": float(q.sum()),
        **{
            f"conll_f1_{name.split()[0]}": coref_results(of_decoding).conll_f1
            for name, of_decoding in zip(DECODINGS, counts, strict=True)
        },
        **_next_to_perfect(calibration_error(q, y, bin_size=bin_size), perfect),
    }


def recalibration_row(
    recalibration: str, weights: Sequence[AntecedentWeights], evaluated: Sequence[Evaluated], log_likelihood: float
) -> dict:
    """Return what a recalibration does to held-out documents.

    Parameters
    ----------
    recalibration : str
        Its name.
    weights : sequence of AntecedentWeights
        Weights of each model; the row has their geometric means.
    evaluated : sequence of Evaluated
        The recalibrated models on their documents.
    log_likelihood : float
        Log likelihood of the gold clusterings; the row has the log loss of a mention.

    Returns
    -------
    dict
        `recalibration`, `temperature`, `new_weight`, `log_loss`; `error`, `low` and `high`,
        the bias-corrected calibration error of pairs with its interval; `pairs`, `coreferent_pairs` and
        `expected_pairs`; CoNLL F1 of each decoding.
    """
    pairs = coreference_pairs(evaluated)
    unit = None if pairs.unit is None else pairs.unit.codes
    estimate = METHODS["bias_corrected_rms/cluster_score"](SortedPairs(pairs.q, pairs.y, unit), Settings())
    scores = {row["decoding"]: row["conll_f1"] for row in score_rows(evaluated) if not row["singletons"]}
    return {
        "recalibration": recalibration,
        "temperature": _geometric_mean([each.temperature for each in weights]),
        "new_weight": _geometric_mean([each.new for each in weights]),
        "log_loss": -log_likelihood / sum(result.mentions for result in evaluated),
        "error": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "pairs": pairs.q.size,
        "coreferent_pairs": int(pairs.y.sum()),
        "expected_pairs": float(pairs.q.sum()),
        **{f"conll_f1_{name.split()[0]}": score for name, score in scores.items()},
    }


def _geometric_mean(values: Sequence[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))
