"""Coreference of two states of the code, document by document, on texts that taught no model, and on GAP's, which did.

    python benchmarks/coref_before_after.py measure CORPORA LITBANK GAP OUT     # in the checkout of each state
    python benchmarks/coref_before_after.py compare BEFORE AFTER

CORPORA is the folder results/corpora of a run with configs/open.yaml: the documents of OntoGUM's genres that the
packaged model was not trained on, in all splits, are resolved on their own words. So are the novels of LitBank's test
fold; LITBANK and GAP are the archive and the table that the workflow retrieves. All are parsed by the packaged parser.

Printed are both states with the 95 % interval of their difference, of 2,000 paired bootstrap samples of documents:
CoNLL F1 without singletons; the share wrong of the pairs that are joined; log loss of pairs for each mention, or
for each of GAP's questions, where probabilities nearer to 0 or 1 than .0001 are clipped; expected by true pairs.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import tee
from pathlib import Path
from typing import Any

import numpy as np

_SYSTEMS = "nlpcalib" if find_spec("nlpcalib.coref") else "nlpcalib.systems"
TAUGHT = ("academic", "bio", "conversation", "court", "interview", "news", "speech", "textbook", "vlog", "voyage")
"""Genres of OntoGUM that taught the packaged models, see configs/open.yaml."""
_LEAST, _DRAWS = 1e-4, 2000


def _of(module: str, *names: str) -> Any:
    found = import_module(module)
    return [getattr(found, name) for name in names]


resolve, PACKAGED_MODEL = _of(f"{_SYSTEMS}.coref.answer.resolution", "resolve", "PACKAGED_MODEL")
(load_model,) = _of(f"{_SYSTEMS}.coref.model.model", "load_model")
coref_counts, coref_results = _of(f"{_SYSTEMS}.coref.score.scoring", "coref_counts", "coref_results")
corefer, entities_of = _of(f"{_SYSTEMS}.coref.model.mentions", "corefer", "entities_of")
(parsed_texts,) = _of(f"{_SYSTEMS}.coref.answer.reading", "parsed_texts")
(read_conllu,) = _of(f"{_SYSTEMS}.text.conllu", "read_conllu")
(load_parser,) = _of(f"{_SYSTEMS}.text.parsing.model", "load_parser")


def _grouped(places: Any, entities: Any) -> list[list[tuple[int, int, int]]]:
    found: dict[Any, list[tuple[int, int, int]]] = {}
    for place, entity in zip(places, entities, strict=True):
        found.setdefault(entity, []).append((place.sentence, place.start, place.end))
    return list(found.values())


def _loss(q: np.ndarray, y: np.ndarray) -> float:
    p = np.clip(q, _LEAST, 1 - _LEAST)
    return float(-np.log(np.where(y, p, 1 - p)).sum())


def document_row(corpus: str, resolution: Any) -> dict[str, Any]:
    """Return what is counted of a document with annotated entities."""
    document, spans = resolution.document, resolution.mentions
    key = _grouped(document.mentions, [mention.entity for mention in document.mentions])
    later, earlier = np.tril_indices(len(spans), -1)
    q, y = resolution.marginals[later, earlier], np.asarray(corefer(entities_of(spans, document)), bool)
    joined = resolution.entities[later] == resolution.entities[earlier]
    return {
        "corpus": corpus, "document": document.id, "of": len(spans), "loss": _loss(q, y), "expected": float(q.sum()),
        "true": int(y.sum()), "joined": int(joined.sum()), "wrong": int((joined & ~y).sum()),
        "counts": coref_counts(key, _grouped(spans, resolution.entities.tolist()), singletons=False).tolist(),
    }  # fmt: skip


def measure(corpora: Path, litbank: Path, gap: Path) -> Iterator[dict[str, Any]]:
    """Yield a row for each document and snippet."""
    parser, model = load_parser(), load_model(PACKAGED_MODEL)
    (read_litbank,) = _of("reproduction.corpora.readers.litbank", "read_litbank")
    gum = [d for part in ("train", "dev", "test") for d in read_conllu(corpora / "ontogum" / f"{part}.conllu")]
    other = [document for document in gum if document.metadata["genre"] not in TAUGHT]
    novels = list(read_litbank(litbank, "test"))
    for corpus, documents in (("OntoGUM", other), ("LitBank", novels)):
        for resolution in resolve(map(parser.parse_tokens, documents), model):
            yield document_row(corpus, resolution)
    (read_gap,) = _of("reproduction.corpora.readers.gap", "read_gap")
    with_labels, numbered_pairs = _of("reproduction.coref.gap", "with_labels", "numbered_pairs")
    snippets, texts = tee(read_gap(gap))
    parsed = parsed_texts(((snippet.id, snippet.text) for snippet in texts), parser)
    for resolution in resolve(map(with_labels, parsed, snippets), model):
        pairs = numbered_pairs(resolution.document, resolution.mentions)
        y = np.array([true for *_, true in pairs])
        q, said = np.zeros(len(pairs)), np.zeros(len(pairs), bool)
        for place, (pronoun, name, _) in enumerate(pairs):
            if min(pronoun, name) >= 0:
                q[place] = resolution.marginals[pronoun, name]
                said[place] = resolution.entities[pronoun] == resolution.entities[name]
        yield {
            "corpus": "GAP", "document": resolution.document.id, "of": len(pairs), "loss": _loss(q, y),
            "expected": float(q.sum()), "true": int(y.sum()), "joined": int(said.sum()),
            "wrong": int((said & ~y).sum()),
        }  # fmt: skip


def _sum(rows: list[dict[str, Any]], name: str, chosen: np.ndarray) -> Any:
    return np.tensordot(chosen, np.array([row[name] for row in rows], float), 1)


def _ratio(over: str, under: str) -> Callable[[list[dict[str, Any]], np.ndarray], float]:
    return lambda rows, n: _sum(rows, over, n) / _sum(rows, under, n)


MEASURES: dict[str, tuple[Callable[[list[dict[str, Any]], np.ndarray], float], int]] = {
    "CoNLL F1": (lambda rows, n: 100 * coref_results(_sum(rows, "counts", n)).conll_f1, 1),
    "joined pairs wrong": (_ratio("wrong", "joined"), 3),
    "log loss": (_ratio("loss", "of"), 2),
    "expected by true": (_ratio("expected", "true"), 2),
}
"""Each measure of documents with weights, and its decimals."""


def changes(
    first: list[dict[str, Any]],
    second: list[dict[str, Any]],
    value: Callable[[list[dict[str, Any]], np.ndarray], float],
) -> tuple[float, float, float]:
    """Return the change of a measure between rows of the same documents, and the ends of its interval."""
    size = len(first)
    draws = np.random.default_rng(0).multinomial(size, np.full(size, 1 / size), size=_DRAWS)
    change = [value(second, n) - value(first, n) for n in (np.ones(size), *draws)]
    low, high = np.quantile(change[1:], [0.025, 0.975])
    return change[0], low, high


def compare(before: Path, after: Path) -> None:
    """Print a row of CSV for each corpus: each measure after the change, its change, and the interval of that."""
    old, new = ([json.loads(line) for line in path.read_text("utf-8").splitlines()] for path in (before, after))
    print("corpus,documents", *MEASURES, sep=",")
    for corpus in dict.fromkeys(row["corpus"] for row in old):
        first, second = ([row for row in rows if row["corpus"] == corpus] for rows in (old, new))
        cells = []
        for name, (value, digits) in MEASURES.items():
            found = ""
            if name != "CoNLL F1" or "counts" in first[0]:
                ends = changes(first, second, value)
                by, low, high = (f"{each:+.{digits}f}".replace("0.", ".").replace("-", "−") for each in ends)
                now = f"{value(second, np.ones(len(first))):.{digits}f}".removeprefix("0")
                found = f"{now}; {by} ({low} to {high})"
            cells.append(found)
        print(corpus, len(first), *cells, sep=",")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    modes = options.add_subparsers(dest="mode", required=True)
    names = {"measure": ("corpora", "litbank", "gap", "out"), "compare": ("before", "after")}
    for mode, own in names.items():
        sub = modes.add_parser(mode)
        for each in own:
            sub.add_argument(each, type=Path)
    given = vars(options.parse_args())
    if given.pop("mode") == "compare":
        compare(**given)
    else:
        out = given.pop("out")
        out.write_text("".join(json.dumps(row) + "\n" for row in measure(**given)), "utf-8")
