"""Tags with the least expected loss next to Viterbi's best path, on held-out text (paper, section 7).

A loss is a matrix: what it costs to give a token of one tag another. The least expected cost is decided token by token
from exact marginals. Hamming's loss makes that the most probable tag of each token. The 0/1 loss of whole sentences has
the best path as its decision.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nlpcalib.systems.chains.forward_backward import second_tokens
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus, tagged_corpus

NAME_TAGS, COST_OF_A_MISSED_NAME = ("NNP", "NNPS"), 5.0
"""Tags of names, and what a missed one costs in the second loss, where all other errors cost 1."""


def least_expected_cost(single: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """Return the tags, int64 (tokens,), of the least expected cost; `single` (tokens, K), `costs` (K true, K given)."""
    return (single @ costs).argmin(axis=1)


def loss_matrices(tags: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the losses of tokens by name, float64 (K, K) each: true tag by given tag."""
    hamming = 1 - np.eye(len(tags))
    is_name = np.isin(tags, NAME_TAGS)
    missed = is_name[:, None] & ~is_name
    return {
        "Hamming": hamming,
        f"a missed name costs {COST_OF_A_MISSED_NAME:g}": np.where(missed, COST_OF_A_MISSED_NAME, hamming),
    }


def rows(seed: int, test: str, **models: str) -> list[dict]:
    """Return a row for each model, loss and decision: expected and measured loss, and the saving over Viterbi's path.

    Losses are per 1,000 tokens, or sentences; `low` and `high` are the ends of the 95 % interval of the saving, by
    documents. Nothing is drawn with `seed`.
    """
    corpus = tagged_corpus(read_conllu(test))
    return [row for name, path in models.items() for row in _model_rows(name, LinearChain.load(path), corpus)]


def _model_rows(model: str, chain: LinearChain, corpus: TaggedCorpus) -> list[dict]:
    tags, gold = corpus.gold_in(chain.tags)
    marginals = chain.marginals(corpus.tokens, corpus.lengths)
    token, sentence = np.arange(gold.size), np.repeat(np.arange(corpus.lengths.size), corpus.lengths)
    document = np.unique(corpus.documents, return_inverse=True)[1]
    best = chain.decode(corpus.tokens, corpus.lengths)
    known = len(chain.tags)
    found = []
    for loss, costs in loss_matrices(tags).items():
        inside = costs[:known, :known]
        decisions = {
            "Viterbi": best,
            "max marginals": marginals.single.argmax(axis=1),
            "least risk": least_expected_cost(marginals.single, inside),
        }
        measured = {name: costs[gold, decision] for name, decision in decisions.items()}
        expected = {name: float((marginals.single @ inside)[token, given].mean()) for name, given in decisions.items()}
        found += _loss_rows(model, loss, expected, measured, document[sentence])
    paths = {"Viterbi": best, "max marginals": marginals.single.argmax(axis=1)}
    wrong = {name: np.bincount(sentence, path != gold, corpus.lengths.size) > 0 for name, path in paths.items()}
    log_scores = {name: path_scores(chain, corpus, path) for name, path in paths.items()}
    expected = {name: 1 - float(np.exp(score - marginals.log_partition).mean()) for name, score in log_scores.items()}
    measured = {name: error.astype(np.float64) for name, error in wrong.items()}
    return found + _loss_rows(model, "0/1 of sentences", expected, measured, document)


def path_scores(chain: LinearChain, corpus: TaggedCorpus, path: np.ndarray) -> np.ndarray:
    """Return the log score of each sentence's tags, float64 (S,), without the partition function."""
    second = second_tokens(corpus.lengths)
    token = np.arange(path.size)
    values = chain.scores(corpus.tokens)[token, path] + chain.initial[path]
    values[second] += chain.transition[path[second - 1], path[second]] - chain.initial[path[second]]
    return np.bincount(np.repeat(np.arange(corpus.lengths.size), corpus.lengths), values, corpus.lengths.size)


def _loss_rows(
    model: str, loss: str, expected: Mapping[str, float], measured: Mapping[str, np.ndarray], unit: np.ndarray
) -> list[dict]:
    found = []
    for name, losses in measured.items():
        saving, error = mean_by_unit(measured["Viterbi"] - losses, unit)
        found.append(
            {
                "model": model, "loss": loss, "decision": name,
                "expected": 1000 * expected[name], "measured": 1000 * float(losses.mean()),
                "saved": 1000 * saving, "low": 1000 * (saving - 1.96 * error), "high": 1000 * (saving + 1.96 * error),
            }
        )  # fmt: skip
    return found


def mean_by_unit(values: np.ndarray, unit: np.ndarray) -> tuple[float, float]:
    """Return the mean of values, (n,), and its standard error where units, int (n,), are independent of each other."""
    mean = float(values.mean())
    totals = np.bincount(unit, values - mean)
    return mean, float(np.sqrt(totals.size / (totals.size - 1) * np.sum(totals**2)) / values.size)
