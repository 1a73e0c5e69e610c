"""Training one CRF to one value of one objective: this library's AdaGrad beside CRFsuite's `l2sgd` and `lbfgs`.

Data are reports of the simulated newsroom, seen through the templates of CRF-Basic and of CRF-Advanced. All contestants
have the same features, and minimise the negative log-likelihood plus c2 times the squared norm of the weights. The
optimum is where L-BFGS ends. For each contestant the least number of epochs (iterations) is searched, by bisection,
that brings the objective, as this library evaluates it, within a given share of the optimum; training for that long is
what is timed, from lists of attributes to a model, CRFsuite's search for a learning rate included. All run on one
thread.

Repeats are interleaved. Peak memory is the growth of the maximum resident set over one call, in a forked process of its
own.

    python benchmarks/crf_training.py [--repeats 5] [--sentences 1000] [--out results.json]
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import platform
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pycrfsuite
from side_by_side import interleaved_seconds, peak_memory, print_table, ratio, versions

from newsroom.reports import Newsroom
from reproduction.tagging.adagrad import Objective, fit_crf_adagrad
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.crfsuite_model import read_crfsuite_model
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.templates import TEMPLATES, with_templates

OURS, PEERS = "nlpcalib adagrad", ("CRFsuite l2sgd", "CRFsuite lbfgs")
C2, STEP = 0.1, 1.0
CASES = {"CRF-Basic": ("word",), "CRF-Advanced": tuple(TEMPLATES)}
WITHIN = 0.05
TRIALS = 3
MOST_EPOCHS = 512


def newsroom(sentences: int, seed: int) -> TaggedCorpus:
    """Return the first `sentences` of the simulated newsroom."""
    words = tagged_corpus(report.document for report in Newsroom(seed=seed).reports(0, sentences // 8))
    return words.subset(np.arange(sentences))


def lists_of(corpus: TaggedCorpus) -> list[list[str]]:
    """Return the attributes of each token, as a user of CRFsuite has them."""
    tokens = corpus.tokens
    return [[tokens.names[code] for code in tokens.indices[a:b]] for a, b in pairwise(tokens.indptr.tolist())]


def train_ours(corpus: TaggedCorpus, lists: list[list[str]], epochs: int) -> LinearChain:
    """Train by this library's AdaGrad."""
    whole = replace(corpus, tokens=Attributes.of_lists(lists))
    return fit_crf_adagrad(whole, c2=C2, epochs=epochs, step=STEP, seed=0)


def train_theirs(algorithm: str, corpus: TaggedCorpus, lists: list[list[str]], epochs: int) -> LinearChain:
    """Train by CRFsuite, whose model is then read."""
    trainer = pycrfsuite.Trainer(algorithm, {"c2": C2, "max_iterations": epochs}, verbose=False)
    tags = [corpus.tags[code] for code in corpus.gold.tolist()]
    for start, end in pairwise([0, *np.cumsum(corpus.lengths).tolist()]):
        trainer.append(pycrfsuite.ItemSequence(lists[start:end]), tags[start:end])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "crf")
        trainer.train(str(path))
        return read_crfsuite_model(path)


def value_of(chain: LinearChain, objective: Objective) -> float:
    """Return the objective at the weights of `chain`, whatever the order of its tags and attributes."""
    corpus = objective.corpus
    tag = [chain.tags.index(name) for name in corpus.tags]
    row = {name: number for number, name in enumerate(chain.attributes)}
    attribute = np.array([row[name] for name in corpus.tokens.names])
    attribute = np.repeat(attribute, np.diff(objective.state_start))
    state = chain.state[attribute, np.array(tag)[objective.state_tag]]
    transition = chain.transition[np.ix_(tag, tag)].reshape(-1)[objective.transition]
    return objective.evaluate(np.concatenate([state, transition]))[0]


def least_epochs(train: Callable[[int], LinearChain], objective: Objective, target: float) -> int | None:
    """Return the smallest number of epochs that reaches `target`, None if not even `MOST_EPOCHS` do.

    It has to do so in each of `TRIALS` runs: `l2sgd` shuffles by the C library's generator, differently every time.
    """

    def worst(epochs: int) -> float:
        return max(value_of(train(epochs), objective) for _ in range(TRIALS))

    low, high = 0, 1
    while worst(high) > target:
        low, high = high, 2 * high
        if high > MOST_EPOCHS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if worst(middle) <= target else (middle, high)
    return high


def measure(corpus: TaggedCorpus, repeats: int) -> dict:
    """Train one corpus in every way and return times, memory and what was reached."""
    objective = Objective.of(corpus, C2)
    lists = lists_of(corpus)
    optimum = value_of(fit_crf(corpus, c2=C2), objective)
    trainers = {
        OURS: partial(train_ours, corpus, lists),
        PEERS[0]: partial(train_theirs, "l2sgd", corpus, lists),
        PEERS[1]: partial(train_theirs, "lbfgs", corpus, lists),
    }
    epochs = {name: least_epochs(train, objective, optimum * (1 + WITHIN)) for name, train in trainers.items()}
    calls = {name: partial(trainers[name], count) for name, count in epochs.items() if count}
    reached = {name: value_of(call(), objective) / optimum for name, call in calls.items()}
    memory = {name: peak_memory(call) for name, call in calls.items()}
    seconds = interleaved_seconds(calls, repeats)
    return {
        "tokens": len(corpus.tokens),
        "tags": len(corpus.tags),
        "attributes": len(corpus.tokens.names),
        "features": objective.features,
        "optimum": optimum,
        "epochs": epochs,
        "objective_over_optimum": reached,
        "seconds": seconds,
        "peak_memory_mb": memory,
        "ratios": {name: ratio(seconds[name], seconds[OURS]) for name in calls if name != OURS and OURS in calls},
    }


def report(case: str, result: dict) -> None:
    """Print one case."""
    print(f"\n{case}: {result['tokens']} tokens, {result['tags']} tags, {result['features']:,} features")
    print_table(result["seconds"], result["peak_memory_mb"])
    for name, count in result["epochs"].items():
        value = result["objective_over_optimum"].get(name)
        print(f"  {name}: " + (f"{count} epochs, {value:.4f} of the optimum" if value else f"not in {MOST_EPOCHS}"))
    for name, found in result["ratios"].items():
        print(
            f"  {name} takes {found['median']:.2f} times ({found['min']:.2f} to {found['max']:.2f}) as long as nlpcalib"
        )


def main(repeats: int, sentences: int, out: Path | None, seed: int) -> None:
    """Measure both sets of templates, print the tables and write them as JSON."""
    words = newsroom(sentences, seed)
    print(f"{sentences} sentences, within {WITHIN:.0%} of the optimum, {repeats} interleaved repeats, one thread")
    results = {}
    for case, templates in CASES.items():
        results[case] = measure(with_templates(words, templates), repeats)
        report(case, results[case])
    if out:
        result = {
            "cases": results,
            "sentences": sentences,
            "within": WITHIN,
            "c2": C2,
            "step": STEP,
            "repeats": repeats,
            "seed": seed,
            "threads": 1,
            "peak_memory_method": "growth of ru_maxrss over one call in a forked process, after malloc_trim",
            "versions": versions(("numpy", "scipy", "python-crfsuite")),
            "machine": platform.machine(),
        }
        out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    main(arguments.repeats, arguments.sentences, arguments.out, arguments.seed)
