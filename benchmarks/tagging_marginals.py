"""Exact tag marginals of an HMM and a CRF: this library beside hmmlearn and sklearn-crfsuite, on the same models.

Data are simulated: a random HMM with 47 tags and a Zipfian vocabulary, sentences as long as a treebank's, as many test
tokens as in the paper (section 4.2.2). Each contestant starts from what its user holds (words for this library and for
sklearn-crfsuite, word codes for hmmlearn) and ends with the marginals of single tags; this library's also hold those of
all consecutive tag pairs, in factored form. hmmlearn runs its faster implementation, "scaling". All run on one thread.

Repeats are interleaved. Peak memory is the growth of the maximum resident set over one call, in a forked process of its
own, before any other call.

    python benchmarks/tagging_marginals.py [--repeats 7] [--out results.json]
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
from pathlib import Path

import numpy as np
import sklearn_crfsuite
from hmmlearn.hmm import CategoricalHMM
from side_by_side import interleaved_seconds, peak_memory, print_table, ratio, versions

from nlpcalib.seeding import generator
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crfsuite_model import read_crfsuite_model
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.hmm import fit_hmm

TAGS, VOCABULARY = 47, 20_000
TRAIN_HMM, TRAIN_CRF, TEST = 11_772, 3_000, 1_382
CRF_ITERATIONS = 30


def simulate(seed: int) -> tuple[TaggedCorpus, TaggedCorpus]:
    """Return training and test sentences of one random HMM."""
    rng = generator(seed, "tagging benchmark")
    transition = rng.dirichlet(np.full(TAGS, 0.2), TAGS).cumsum(axis=1)
    frequency = 1 / (np.arange(VOCABULARY) + 2.7)
    affinity = rng.standard_gamma(0.05, (TAGS, VOCABULARY)) + 1e-9
    emission = frequency * affinity / affinity.sum(axis=0)
    emission = (emission / emission.sum(axis=1, keepdims=True)).cumsum(axis=1)

    lengths = np.clip(np.rint(rng.gamma(4.5, 5.35, TRAIN_HMM + TEST)), 1, 120).astype(np.int64)
    grid = np.empty((len(lengths), lengths.max()), dtype=np.int64)
    grid[:, 0] = rng.integers(TAGS, size=len(lengths))
    for step in range(1, grid.shape[1]):
        grid[:, step] = (transition[grid[:, step - 1]] < rng.random((len(lengths), 1))).sum(axis=1).clip(max=TAGS - 1)
    gold = grid[np.arange(grid.shape[1]) < lengths[:, None]]
    words = np.empty_like(gold)
    for tag in range(TAGS):
        here = gold == tag
        words[here] = np.searchsorted(emission[tag], rng.random(here.sum())).clip(max=VOCABULARY - 1)

    corpus = TaggedCorpus(
        tokens=Attributes.of_words(f"w{word}" for word in words.tolist()),
        tags=tuple(f"T{tag:02d}" for tag in range(TAGS)),
        gold=gold,
        lengths=lengths,
        units=tuple(f"simulated/{number}" for number in range(len(lengths))),
    )
    return corpus.subset(np.arange(TRAIN_HMM)), corpus.subset(np.arange(TRAIN_HMM, len(lengths)))


def sentences_of(corpus: TaggedCorpus) -> tuple[list[list[list[str]]], list[list[str]]]:
    """Return items, lists of one word, and tags of every sentence, as sklearn-crfsuite takes them."""
    bounds = np.cumsum(corpus.lengths)[:-1]
    words = [[[corpus.tokens.names[code]] for code in codes] for codes in np.split(corpus.tokens.indices, bounds)]
    return words, [[corpus.tags[code] for code in codes] for codes in np.split(corpus.gold, bounds)]


def hmmlearn_model(chain: LinearChain) -> CategoricalHMM:
    """Return `chain`, an HMM, as hmmlearn's model."""
    model = CategoricalHMM(n_components=len(chain.tags), implementation="scaling")
    model.startprob_, model.transmat_ = np.exp(chain.initial), np.exp(chain.transition)
    model.emissionprob_ = np.ascontiguousarray(np.exp(chain.state).T)
    return model


def main(repeats: int, out: Path | None, seed: int) -> None:
    """Train, check that all agree, measure, print the table and write it as JSON."""
    train, test = simulate(seed)
    words = [test.tokens.names[code] for code in test.tokens.indices]
    hmm = fit_hmm(train, pseudocount=1.0)
    peer_hmm = hmmlearn_model(hmm)
    number = {word: code for code, word in enumerate(hmm.attributes)}
    codes = np.array([[number.get(word, len(number))] for word in words])
    items, _ = sentences_of(test)
    peer_crf = sklearn_crfsuite.CRF(algorithm="lbfgs", c1=0.0, c2=1.0, max_iterations=CRF_ITERATIONS)
    peer_crf.fit(*sentences_of(train.subset(np.arange(TRAIN_CRF))))
    crf = read_crfsuite_model(peer_crf.modelfile.name)

    calls = {
        "HMM, nlpcalib": lambda: hmm.marginals(Attributes.of_words(words), test.lengths),
        "HMM, hmmlearn score_samples": lambda: peer_hmm.score_samples(codes, test.lengths),
        "CRF, nlpcalib": lambda: crf.marginals(Attributes.of_words(words), test.lengths),
        "CRF, sklearn-crfsuite predict_marginals": lambda: peer_crf.predict_marginals(items),
    }
    memory = {name: peak_memory(call) for name, call in calls.items()}
    ours_hmm, theirs_hmm, ours_crf, theirs_crf = (call() for call in calls.values())
    flat = np.array([[token[tag] for tag in crf.tags] for sentence in theirs_crf for token in sentence])
    difference = {
        "HMM": float(np.abs(ours_hmm.single - theirs_hmm[1]).max()),
        "CRF": float(np.abs(ours_crf.single - flat).max()),
    }
    del ours_hmm, theirs_hmm, ours_crf, theirs_crf, flat

    seconds = interleaved_seconds(calls, repeats)
    print(f"{len(words)} tokens, {len(test.lengths)} sentences, {TAGS} tags, {repeats} interleaved repeats, one thread")
    print_table(seconds, memory)
    names = list(calls)
    ratios = {}
    for model, ours, theirs in (("HMM", names[0], names[1]), ("CRF", names[2], names[3])):
        ratios[model] = ratio(seconds[theirs], seconds[ours])
        print(
            f"{model}: {theirs.split(', ')[1]} takes {ratios[model]['median']:.1f} times as long "
            f"({ratios[model]['min']:.1f} to {ratios[model]['max']:.1f}); "
            f"largest difference of a marginal {difference[model]:.1e}"
        )
    if out:
        packages = ("numpy", "hmmlearn", "python-crfsuite", "sklearn-crfsuite")
        result = {
            "tokens": len(words),
            "sentences": len(test.lengths),
            "tags": TAGS,
            "repeats": repeats,
            "seed": seed,
            "threads": 1,
            "seconds": seconds,
            "peak_memory_mb": memory,
            "peak_memory_method": "growth of ru_maxrss over one call in a forked process, after malloc_trim",
            "ratios": ratios,
            "largest_difference": difference,
            "versions": versions(packages),
            "machine": platform.machine(),
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.repeats, arguments.out, arguments.seed)
