"""Files of models of events: JSON, also compressed, and those in the package."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open
from nlpcalib.io.json_values import each_once, shown
from nlpcalib.systems.events.learn.candidates import forms_of
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.tables.sources import unpacked

PACKAGED_EVENT_MODELS = Path(__file__).with_name("weights")
"""Folder of the packaged models, named by category; `card.md` describes all of them."""
MAX_ABS_WEIGHT = 1e4
"""Largest weight or intercept, in log odds, of a model that is read: far beyond what labels teach."""
_MAX_MODEL_BYTES = 1 << 26
"""Largest unpacked model file that is read."""


def write_model(path: Path | str, model: EventModel, *, least: float = 0.0, digits: int = 6) -> None:
    """Write a model as JSON, compressed if the name ends in `.gz`; absolute weights up to `least` are dropped."""
    content: dict[str, Any] = {
        "name": model.name,
        "definition": model.definition,
        "words": list(model.words),
        "forms": dict(model.triggers),
        "card": dict(model.card),
        **({"of_texts": True} if model.of_texts else {}),
        **_rounded(model, least, digits),
    }
    for name, part in (("targets", model.targets), ("acts", model.acts)):
        if part is not None:
            content[name] = {"card": dict(part.card), **_rounded(part, least, digits)}
    text = json.dumps(content, ensure_ascii=False, indent=0).encode()
    with atomic_open(path, "wb") as file:
        # A fixed time in the header, so that equal models give equal files.
        file.write(gzip.compress(text, mtime=0) if str(path).endswith(".gz") else text)


def _rounded(model: EventModel, least: float, digits: int) -> dict[str, Any]:
    kept = {name: round(weight, digits) for name, weight in sorted(model.weights.items()) if abs(weight) > least}
    return {"intercept": round(model.intercept, digits), "weights": kept}


def read_model(source: Path | str) -> EventModel:
    """Read a model from a file, or the packaged model of a category; raises `InputError` for anything else."""
    packaged = PACKAGED_EVENT_MODELS / f"{source}.json.gz"
    path = packaged if packaged.is_file() else Path(source)
    if not path.is_file():
        raise InputError(f"{path}: no such file, and none of the packaged models {', '.join(packaged_categories())}")
    with unpacked(path, str(path)) as stream:
        data = stream.read(_MAX_MODEL_BYTES + 1)
    if len(data) > _MAX_MODEL_BYTES:
        raise InputError(
            f"{path}: found more than {_MAX_MODEL_BYTES:,} bytes, expected a model that `nlpcalib learn` wrote"
        )
    try:
        content = json.loads(data, object_pairs_hook=each_once)
        texts = (str(content["name"]), str(content["definition"]), tuple(map(str, content["words"])))
        # The packaged models have no forms, and were taught by one spelling of each.
        of = content["forms"] if "forms" in content else forms_of(texts[2], all_spellings=False)
        forms = {str(form): str(word) for form, word in of.items()}
        parts = [part for part in (content, content.get("targets"), content.get("acts")) if part]
        known = {"name", "definition", "words", "forms", "card", "of_texts", "intercept", "weights", "targets", "acts"}
        if strange := set().union(*parts) - known:
            raise InputError(f"found the key {shown(min(strange))}, which no model has")
        model, targets, acts = (
            EventModel(*texts, *_weights(part), _card(part)) if part else None
            for part in (content, content.get("targets"), content.get("acts"))
        )
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except KeyError as error:
        raise InputError(f"{path}: found no key {error}, expected a model that `nlpcalib learn` wrote") from None
    except (OSError, EOFError, ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{path}: found another kind of file, expected a model that `nlpcalib learn` wrote") from None
    numbers = [number for each in (model, targets, acts) if each for number in (each.intercept, *each.weights.values())]
    if model is None or not (np.abs(numbers) <= MAX_ABS_WEIGHT).all():
        raise InputError(
            f"{path}: found weights beyond ±{MAX_ABS_WEIGHT:g} log odds, or NaN, expected those of a model"
        )
    return replace(model, targets=targets, acts=acts, forms=forms, of_texts=content.get("of_texts") is True)


def _card(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card of a model, whose bins are a mean probability, a share of events and a number of labels each."""
    card = dict(part["card"])
    levels = card.get("levels", {"with": (), "without": (), "expected": 1.0})
    effects = [card.get("design_effect", 1.0), *levels.get("design_effects", (1.0, 1.0))]
    bins = [(p, share, n) for each in (card.get("bins", ()), levels["with"], levels["without"]) for p, share, n in each]
    if not (
        all(0 <= p <= 1 and 0 <= share <= 1 and 0 <= n < np.inf for p, share, n in bins)
        and all(0 < p < 1 for p, *_ in levels["without"])
        and 0 < float(levels["expected"]) < np.inf
        and len(effects) == 3
        and all(1 <= float(each) < np.inf for each in effects)
    ):
        raise InputError("found a card whose bins, levels or design effects are out of range")
    return card


def _weights(part: Mapping[str, Any]) -> tuple[float, dict[str, float]]:
    for number in (part["intercept"], *part["weights"].values()):
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise InputError(f"found the weight {shown(number)}, expected a number")
    return float(part["intercept"]), {str(name): float(weight) for name, weight in part["weights"].items()}
