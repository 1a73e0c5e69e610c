"""Texts and words a second on one core: this library's stages, and spaCy's own English pipeline of the same kind.

spaCy's pipeline is built as `en_core_web_sm` is configured: a token encoder of width 96 and depth 4 that tagger, parser
and entity recogniser share. Its weights are random, since none could be had, so only its time means anything. Times
are processor time, the best of several rounds, on reports of the newsroom. The stages after parsing are of its trees.

    python benchmarks/beside_spacy.py [--texts N] [--rounds N]
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import time
from collections.abc import Callable

import spacy
from spacy.training import Example

from newsroom.reports import Newsroom
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, resolve
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.events.count.mixture import findings
from nlpcalib.systems.events.read.lexicon import load_lexicon
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.text.parsing import load_parser
from reproduction.events.country_tables import country_tables

ENCODER = {
    "@architectures": "spacy.HashEmbedCNN.v2", "width": 96, "depth": 4, "embed_size": 2000, "window_size": 1,
    "maxout_pieces": 3, "subword_features": True, "pretrained_vectors": None,
}  # fmt: skip
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "tok2vec"}
TAGS, RELATIONS, KINDS = 50, 45, 18
"""Numbers of labels of spaCy's English models."""


def random_spacy() -> spacy.language.Language:
    """Return an English pipeline with random weights."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": ENCODER})
    tagger = nlp.add_pipe("tagger", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}})
    for name, state, labels in (("parser", "parser", RELATIONS), ("ner", "ner", KINDS)):
        model = {
            "@architectures": "spacy.TransitionBasedParser.v2", "state_type": state, "extra_state_tokens": False,
            "hidden_width": 64, "maxout_pieces": 2, "use_upper": True, "tok2vec": LISTENER,
        }  # fmt: skip
        pipe = nlp.add_pipe(name, config={"model": model})
        for number in range(labels):
            pipe.add_label(f"{name}{number}")
    for number in range(TAGS):
        tagger.add_label(f"T{number}")
    words = ["Troops", "left", "."]
    example = {"words": words, "tags": ["T0", "T1", "T2"], "heads": [1, 1, 1], "deps": ["parser0", "ROOT", "parser1"],
               "entities": ["U-ner0", "O", "O"]}  # fmt: skip
    nlp.initialize(lambda: [Example.from_dict(nlp.make_doc(" ".join(words)), example)])
    return nlp


def seconds(call: Callable[[], object], rounds: int) -> float:
    """Return the processor time of the fastest round."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


def main(texts: int, rounds: int) -> None:
    """Print a row for each pipeline."""
    reports = [report.document for report in Newsroom(seed=2015).reports(0, texts)]
    plain = [(report.id, report.text) for report in reports]
    words = sum(len(sentence.words) for report in reports for sentence in report.sentences)
    parser, model, nlp = load_parser(), load_model(PACKAGED_MODEL), random_spacy()
    parsed = list(parser.parse_texts(plain, edited=True))
    countries = load_lexicon(["newsroom"], country_tables(None))
    queries = [Query.from_mapping({"name": "attack", "verbs": ["attack"]})]

    def find_events() -> None:
        for document in parsed:
            list(findings([document], queries, countries, model, samples=100, seed=2015))

    stages = {
        "parse (tags, lemmas, trees)": lambda: list(parser.parse_texts(plain, edited=True)),
        "coreference, of trees": lambda: list(resolve(parsed, model)),
        "events, with coreference": find_events,
        "spaCy, random weights": lambda: list(nlp.pipe(text for _, text in plain)),
    }
    print(f"{texts} texts, {words:,} words; spaCy {spacy.__version__}")
    for name, call in stages.items():
        taken = seconds(call, rounds)
        print(f"{name:30}{texts / taken:8.1f} texts/s{words / taken:12,.0f} words/s", flush=True)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--texts", type=int, default=100)
    options.add_argument("--rounds", type=int, default=3)
    main(**vars(options.parse_args()))
