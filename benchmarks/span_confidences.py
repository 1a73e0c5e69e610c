"""What stands for the probability of a span, on a real tagger: its exact marginal, or the scores of its tokens.

A CRF with all templates learns the base noun phrases of NLTK's sample of the Wall Street Journal, in BIO: those that
hold no other noun phrase. It is judged on the spans of its best path in the test articles. Printed are, for spans of
one, two, and three or more tokens, their number, the share that is right, and for each score its mean and its error:
the bias-corrected RMS calibration error, articles as units. The tokens' scores are probabilities of the path's tags.
The same follows with one scale of the states' scores and one of the transitions', fitted to the development articles.

    python benchmarks/span_confidences.py FOLDER [--c2 1.0]

FOLDER has treebank.zip of NLTK's data.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from nlpcalib.calibration.binning import SortedPairs
from nlpcalib.calibration.estimates import METHODS, Settings
from nlpcalib.systems.chains.pairs import clip_rounding
from nlpcalib.systems.chains.recalibration import PotentialWeights, fit_weights
from nlpcalib.systems.chains.spans import SpanTags, span_marginals, spans_of
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.corpora.readers.nltk_treebank import split_articles
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.recalibration import chain_likelihood, reweighted
from reproduction.tagging.templates import TEMPLATES, with_templates

MAX_ITERATIONS = 100
SCORES_OF_TOKENS = {"mean": np.mean, "first": lambda p: p[0], "largest": np.max, "smallest": np.min, "product": np.prod}
LENGTHS = ("1 token", "2 tokens", "3 or more")
_PIECE = re.compile(r"\(|\)|[^\s()]+")


def base_noun_phrases(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words of each tree, without traces, and the tags of its base noun phrases."""
    opened: list[list] = []  # label, first word, whether a noun phrase is inside
    words: list[str] = []
    tags: list[str] = []
    pieces = _PIECE.findall(text)
    for before, piece in zip(["", *pieces], pieces, strict=False):
        if piece == "(":
            opened.append(["", len(words), False])
        elif piece != ")":
            if before == "(":
                opened[-1][0] = piece
            elif opened[-1][0] != "-NONE-":
                words.append(piece)
                tags.append("O")
        else:
            label, first, has_phrase = opened.pop()
            is_phrase = re.split("[-=]", label)[0] == "NP" and len(words) > first
            if is_phrase and not has_phrase:
                tags[first:] = ["B-NP", *["I-NP"] * (len(words) - first - 1)]
            if opened:
                opened[-1][2] |= has_phrase or is_phrase
            else:
                yield words, tags
                words, tags = [], []


def corpus(folder: Path, split: str) -> TaggedCorpus:
    """Return the words of a split with all templates, and their tags."""
    documents = []
    with ZipFile(folder / "treebank.zip") as archive:
        names = [name for name in archive.namelist() if re.fullmatch(r"treebank/combined/wsj_.*\.mrg", name)]
        for name in split_articles(names, split):
            trees = enumerate(base_noun_phrases(archive.read(name).decode()), 1)
            sentences = (Sentence(str(number), tuple(words), tuple(tags)) for number, (words, tags) in trees if words)
            documents.append(Document(name, tuple(sentences)))
    return with_templates(tagged_corpus(documents), tuple(TEMPLATES))


def print_errors(chain: LinearChain, test: TaggedCorpus) -> None:
    """Print how right the spans of the best path are, and each score of them."""
    marginals, path = chain.marginals(test.tokens, test.lengths), chain.decode(test.tokens, test.lengths)
    marks = SpanTags.of(chain.tags)
    best, of_path = spans_of(path, test.lengths, marks), marginals.single[np.arange(path.size), path]
    tags, gold = test.gold_in(chain.tags)
    truth = set(_bounds(spans_of(gold, test.lengths, SpanTags.of(tags))))
    found = span_marginals(marginals, marks)
    exact, bounds = dict(zip(_bounds(found), found.probability.tolist(), strict=True)), _bounds(best)
    scores = {
        "exact": np.array([exact[each] for each in bounds]),
        **{name: np.array([of(of_path[slice(*each)]) for each in bounds]) for name, of in SCORES_OF_TOKENS.items()},
    }
    right = np.array([each in truth for each in bounds])
    print(f"F1 {2 * right.sum() / (len(bounds) + len(truth)):.3f}")
    size = np.minimum(best.end - best.start, len(LENGTHS)) - 1
    for number, length in enumerate(LENGTHS):
        rows = size == number
        print(f"{length}: {rows.sum()} spans, {right[rows].mean():.3f} right")
        for name, q in scores.items():
            pairs = SortedPairs(clip_rounding(q[rows]), right[rows], test.document_of_token[best.start[rows]])
            error = METHODS["bias_corrected_rms/cluster_score"](pairs, Settings())
            interval = f"{error.value:.3f} ({error.low:.3f} to {error.high:.3f})"
            print(f"    {name:9} mean {q[rows].mean():.3f}, error {interval}")


def _bounds(spans) -> Sequence[tuple[int, int]]:
    return list(zip(spans.start.tolist(), spans.end.tolist(), strict=True))


def main(folder: Path, c2: float) -> None:
    """Train, and print both tables."""
    train, dev, test = (corpus(folder, split) for split in ("train", "dev", "test"))
    chain = fit_crf(train, c2=c2, max_iterations=MAX_ITERATIONS)
    print(f"{len(train.tokens)} tokens train, {len(test.tokens)} test; {chain.metadata['iterations']} iterations")
    print_errors(chain, test)
    weights = fit_weights(chain_likelihood(chain, dev)[0], "temperature", None)
    print(f"scale of states {weights[0]:.3f}, of transitions {weights[1]:.3f}")
    print_errors(reweighted(chain, PotentialWeights.of(weights)), test)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--c2", type=float, default=1.0)
    main(**vars(parser.parse_args()))
