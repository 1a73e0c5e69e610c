"""The model card: what a parser was trained on, under which licences, and how well it does."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import spacy

from nlpcalib.io.files import write_json
from nlpcalib.version import __version__
from reproduction.corpora.retrieval.registry import load_registry

CARD_FORMAT = 1


def write_card(
    path: str | Path,
    path_model: str | Path,
    path_registry: str | Path,
    corpora: Mapping[str, str | None],
    genres: Mapping[str, Sequence[str]],
    training: Mapping[str, object],
    temperature: float,
    scores: Sequence[Mapping[str, object]],
) -> None:
    """Write the card of a model as JSON.

    `corpora` maps each dataset to its name in the registry, None for simulated ones and those of the user; `genres`
    has what of it was trained on, everything if empty; `temperature` is that of sampled trees; `scores` are rows of
    `reproduction.parsing.evaluation.evaluate_parser`.
    """
    registry = load_registry(path_registry)
    sources = []
    for dataset, corpus in corpora.items():
        source = registry.get(corpus or "")
        origin = {key: getattr(source, key) for key in ("version", "url", "licence", "citation")} if source else {}
        sources.append({"dataset": dataset, "corpus": corpus, **origin, "genres": list(genres[dataset])})
    card = {
        "format": CARD_FORMAT,
        "model": Path(path_model).name,
        "sha256": sha256(path_model),
        "trained_on": sources,
        "training": dict(training),
        "temperature": temperature,
        "versions": {"nlpcalib": __version__, "spacy": spacy.__version__},
        "scores": list(scores),
    }
    write_json(path, card)


def sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
