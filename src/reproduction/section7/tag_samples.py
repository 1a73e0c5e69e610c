"""Samples of tags passed on to what is counted of them, next to the best path (paper, sections 2 and 7).

What is counted in each held-out document are runs of nouns, and different names, which are runs of proper nouns.
Neither is a sum of marginals; samples of whole tag sequences give their posterior.
"""

from __future__ import annotations

import numpy as np

from nlpcalib.seeding import generator
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.section7.tag_risk import NAME_TAGS, mean_by_unit
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus

PATHS_PER_SENTENCE = 200
NOUN_TAGS = ("NN", "NNS", *NAME_TAGS)


def rows(seed: int, test: str, **models: str) -> list[dict]:
    """Return a row for each model and count: the truth, the best path's and the mean of samples, and their errors.

    `absolute_best` and `absolute_samples` are the mean absolute errors in a document, `saved` the difference with its
    95 % interval; `coverage` is how often the central 95 % of the samples hold the truth, `width` how wide they are.
    """
    corpus = tagged_corpus(read_conllu(test))
    words = np.array(corpus.tokens.names, dtype=object)[corpus.tokens.indices]
    sentence = np.repeat(np.arange(corpus.lengths.size), corpus.lengths)
    document = np.unique(corpus.documents, return_inverse=True)[1][sentence]
    ends = np.flatnonzero(np.diff(document)) + 1
    places = [slice(*each) for each in zip([0, *ends], [*ends, document.size], strict=True)]
    found = []
    for model, path in models.items():
        chain = LinearChain.load(path)
        tags, gold = corpus.gold_in(chain.tags)
        uniforms = generator(seed, "section 7 tag samples", model).random((gold.size, PATHS_PER_SENTENCE))
        drawn = chain.marginals(corpus.tokens, corpus.lengths).sample(uniforms)
        columns = np.column_stack([gold, chain.decode(corpus.tokens, corpus.lengths), drawn])
        for count, kinds, different in (("runs of nouns", NOUN_TAGS, False), ("different names", NAME_TAGS, True)):
            inside = np.isin(np.array(tags)[columns], kinds)
            counts = np.array(
                [
                    [runs(words[place], sentence[place], column, different=different) for column in inside[place].T]
                    for place in places
                ]
            )
            true, best, samples = counts[:, 0], counts[:, 1], counts[:, 2:]
            mean = samples.mean(axis=1)
            low, high = np.quantile(samples, (0.025, 0.975), axis=1, method="inverted_cdf")
            saved, error = mean_by_unit(abs(best - true) - abs(mean - true), np.arange(true.size))
            found.append(
                {
                    "model": model, "count": count, "documents": true.size, "true": int(true.sum()),
                    "best_path": int(best.sum()), "samples": float(mean.sum()),
                    "absolute_best": float(abs(best - true).mean()), "absolute_samples": float(abs(mean - true).mean()),
                    "saved": saved, "low": saved - 1.96 * error, "high": saved + 1.96 * error,
                    "coverage": float(np.mean((low <= true) & (true <= high))), "width": float(np.mean(high - low)),
                }
            )  # fmt: skip
    return found


def runs(words: np.ndarray, sentence: np.ndarray, inside: np.ndarray, *, different: bool) -> int:
    """Return how many runs of true values there are within sentences, or how many different texts these runs have."""
    starts = inside & ~(np.r_[False, inside[:-1]] & np.r_[False, sentence[1:] == sentence[:-1]])
    if not different:
        return int(starts.sum())
    number = np.cumsum(starts)[inside]
    texts: dict[int, list[str]] = {}
    for run, word in zip(number.tolist(), words[inside].tolist(), strict=True):
        texts.setdefault(run, []).append(word)
    return len(set(map(tuple, texts.values())))
