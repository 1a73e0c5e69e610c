"""The table of formats of other tools' predictions, and the keys by which each is known."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.predictions.formats.examples import Example
from nlpcalib.predictions.formats.records import Record
from nlpcalib.tables.spellings import is_number


@dataclass(frozen=True, slots=True)
class PredictionFormat:
    """One source of predictions other than a table."""

    reader: str
    """The module whose function, `read_` and its own name, makes examples of it, and which describes it."""
    signs: tuple[str, ...]
    """Keys of the first JSON object that make the format known, one set or another; `{}` means that it is an object."""
    keys: Mapping[str, str]
    """Where `q`, the predictions, and `y`, what is right, stand, unless the user names other keys."""
    gold: str = "the right answer"
    """What is right, as users add it, for messages."""
    joined: bool = True
    """Whether what is right may stand in a file of labels by id."""

    def recognises_row(self, values: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
        """Return whether a row of a table has the signs: a prediction that is no number, but a part of JSON or words.

        A model's classes may be called like a key.
        """
        stated = {self.keys["q"], "response"} & values.keys()
        words = [values[key] for key in stated if isinstance(values[key], list | dict | str)]
        numbers = [word for word in words if isinstance(word, str) and is_number(word) and "answer" not in values]
        return bool(words) and not numbers and self.recognises(values, columns)

    def recognises(self, values: Mapping[str, Any], columns: Mapping[str, str]) -> bool:
        """Return whether an object has the format's signs; `y` may stand where the user names it."""
        names = {self.keys["y"]: columns["y"]} if "y" in columns else {}

        def has(sign: str) -> bool:
            key = sign.removesuffix("{}")
            key = names.get(key, key)
            return key in values and (not sign.endswith("{}") or isinstance(values[key], dict))

        return any(all(map(has, signs.split())) for signs in self.signs)

    def recognises_unlabelled(self, values: Mapping[str, Any]) -> bool:
        """Return whether an object has the format's signs but for what is right."""
        return self.recognises({self.keys["y"]: None, **values}, {})

    def read_examples(self, records: Iterable[Record]) -> Iterable[Example]:
        """Return what the format's reader makes of records."""
        name = self.reader.rpartition(".")[2]
        return getattr(self.module(), f"read_{name}")(records)

    def module(self) -> ModuleType:
        """Return the reader's module."""
        return importlib.import_module(f"nlpcalib.{self.reader}")


_GOLD_LABELS = "the right label, or a list of the right labels"
FORMATS = {
    "lm-eval": PredictionFormat(
        "predictions.formats.lm_eval",
        ("doc_id resps target",),
        {"q": "resps", "y": "target"},
        "the right choice",
        joined=False,
    ),
    "hf-text": PredictionFormat(
        "predictions.formats.text_classification", ("scores gold",), {"q": "scores", "y": "gold"}, _GOLD_LABELS
    ),
    "hf-tokens": PredictionFormat(
        "predictions.formats.token_classification",
        ("entities gold",),
        {"q": "entities", "y": "gold"},
        '[{"start": …, "end": …, "label": …}, …]',
        joined=False,
    ),
    "spacy-cats": PredictionFormat(
        "predictions.formats.spacy_cats", ("cats gold",), {"q": "cats", "y": "gold"}, _GOLD_LABELS
    ),
    "logprobs": PredictionFormat(
        "predictions.formats.logprobs",
        ("choices gold", "response{} gold"),
        {"q": "response", "y": "gold"},
    ),
    "classes": PredictionFormat(
        "predictions.formats.json_tables",
        ("probabilities gold",),
        {"q": "probabilities", "y": "gold"},
        "the right class",
    ),
    "conllu": PredictionFormat(
        "predictions.formats.conllu_probabilities", (), {"q": "Prob", "y": "Gold", "label": "UPOS"}, joined=False
    ),
}
"""Formats by name, in the order in which they are tried."""


def unlabelled_message(place: str, file_format: str) -> str:
    """Return what to add to predictions of a format that have no labels, in words."""
    form = FORMATS[file_format]
    beside = ", or a file of labels by id as second argument" if form.joined else ""
    found = f"{place}: found predictions in the format {file_format} without '{form.keys['y']}'"
    return f"{found}; {missing_gold(file_format)}{beside}; recalibrate --map needs no labels"


def missing_gold(file_format: str) -> str:
    """Return what each line of a format needs to be measured, in words."""
    form = FORMATS[file_format]
    return f'expected "{form.keys["y"]}" in each line: {form.gold}'


def refuse_pipeline_alone(start: bytes, name: str) -> None:
    """Raise `InputError` for lists of lists, which pipelines of Hugging Face return for several texts."""
    if not (nested := re.match(rb'\s*\[\s*\[\s*\{\s*"(entity|entity_group|label|score)"', start)):
        return
    form = "hf-tokens" if nested[1].startswith(b"entity") else "hf-text"
    key = FORMATS[form].keys["q"]
    program = (
        f"import json; [print(json.dumps({{'id': i, '{key}': x}})) for i, x in enumerate(json.load(open({name!r})))]"
    )
    raise InputError(
        f"{name}: found what a pipeline returns for several texts, without what is right; expected JSON lines, which "
        f'python -c "{program}" prints, and in each line, to measure, "gold": {FORMATS[form].gold}'
    )
