"""Measure how hard the newsroom's text is: for a tagger and a coreference model, by each share of its difficulty.

    python benchmarks/newsroom_difficulty.py [FOLDER]

Prints a row for the default difficulty, for each share set to 0 and for all of them: accuracy of a hidden Markov model,
words it has not seen, and the CoNLL F1 of a coreference model with predicted mentions, on 160 reports after training on
240. FOLDER holds NLTK's tenth of the Penn Treebank, for a row of real news. About 15 s a row.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from newsroom import Newsroom
from newsroom.difficulty import Difficulty
from nlpcalib.systems.text.document import Document
from reproduction.coref.evaluated import evaluate_coref, score_rows
from reproduction.coref.recalibration import Linked
from reproduction.coref.trained import trained
from reproduction.corpora.readers.nltk_treebank import read_nltk_treebank
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.hmm import HMMCounts
from reproduction.tagging.selection import tagging_accuracy

PSEUDOCOUNTS = (0.0001, 0.001, 0.01, 0.1, 0.3)
TEST, TRAIN = 160, 240


def tagging_row(test: list[Document], train: list[Document]) -> tuple[float, float]:
    """Return the accuracy of the best pseudocount and the share of words that training has not."""
    counts, corpus = HMMCounts.of(tagged_corpus(train)), tagged_corpus(test)
    seen = set(counts.words)
    unseen = np.mean([word not in seen for each in test for sentence in each.sentences for word in sentence.words])
    return max(tagging_accuracy(counts.chain(value), corpus) for value in PSEUDOCOUNTS), float(unseen)


def coref_f1(test: list[Document], train: list[Document]) -> float:
    """Return the CoNLL F1 of best antecedents, without entities that are mentioned once."""
    with tempfile.TemporaryDirectory() as folder:
        model = trained(train, [], train[:30], dataset="newsroom", settings={}, l2=8.0, iterations=60,
                        checkpoint=Path(folder) / "model.npz", library="")  # fmt: skip
    rows = score_rows(list(map(evaluate_coref, Linked.of(model, test, "predicted"))))
    return next(row["conll_f1"] for row in rows if not row["singletons"] and row["decoding"] == "best antecedents")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebank", nargs="?")
    treebank = parser.parse_args().treebank
    default = Difficulty()
    shares = [field.name for field in fields(Difficulty)]
    variants = {"default": default, **{f"{name} 0": replace(default, **{name: 0.0}) for name in shares}}
    variants["all 0"] = Difficulty(**dict.fromkeys(shares, 0.0))
    print(f"{'':14}{'accuracy':>10}{'unseen':>10}{'CoNLL F1':>10}")
    for name, difficulty in variants.items():
        reports = [report.document for report in Newsroom(seed=7, difficulty=difficulty).reports(0, TEST + TRAIN)]
        test, train = reports[:TEST], reports[TEST:]
        accuracy, unseen = tagging_row(test, train)
        print(f"{name:14}{accuracy:10.3f}{unseen:10.3f}{coref_f1(test, train):10.3f}", flush=True)
    if treebank:
        documents = [each for split in ("train", "dev", "test") for each in read_nltk_treebank(treebank, split)]
        accuracy, unseen = tagging_row(documents[-40:], documents[:-40])
        print(f"{'treebank':14}{accuracy:10.3f}{unseen:10.3f}{'':>10}")


if __name__ == "__main__":
    main()
