"""Loading a parser: the packaged model, or any other spaCy model."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError, quoted
from nlpcalib.extras import install_command

if TYPE_CHECKING:
    from nlpcalib.systems.text.parsing.parser import Parser

PACKAGED_PARSER = Path(__file__).with_suffix("") / "parser.zip"
"""The packaged model; `card.json` next to it has its training data and scores."""

_KEPT = threading.local()
"""The packaged model once it is loaded, in each thread its own: spaCy's memory zones serve one thread."""


def load_parser(model: str | Path | None = None) -> Parser:
    """Load a parser: the packaged model by default, else a model file, or a spaCy folder or package.

    Trees of spaCy's English models (`en_core_web_sm` and larger) are converted to Universal Dependencies
    (`systems.text.parsing.clearnlp`). The temperature of sampled trees comes from `card.json` next to the model and
    is 1 without a card. The packaged model is loaded once and kept.

    Raises `InputError` if spaCy or the model is missing, or if the model does not tag and parse.
    """
    # Imported here because spaCy takes a second, and documents with trees do not need it.
    try:
        from nlpcalib.systems.text.parsing.parser import Parser
        from nlpcalib.systems.text.parsing.storage import load_pipeline
    except ModuleNotFoundError as error:
        needs = f"documents without trees need {error.name}"
        raise InputError(f"{needs}: {install_command('coref')}") from None
    if model:
        return Parser(load_pipeline(model), str(model), _temperature(Path(model)))
    kept: Parser | None = getattr(_KEPT, "parser", None)
    if kept is None:
        kept = Parser(load_pipeline(PACKAGED_PARSER), "in the package", _temperature(PACKAGED_PARSER))
        _KEPT.parser = kept
    return kept


def _temperature(model: Path) -> float:
    card = model.with_name("card.json")
    if not (model.is_file() and card.is_file()):
        return 1.0
    try:
        found = json.loads(card.read_text(encoding="utf-8")).get("temperature", 1.0)
    except (ValueError, AttributeError):
        raise InputError(f"{card}: found no JSON object, expected the card of {model}") from None
    if not isinstance(found, float | int) or not 0 < found <= 10:
        raise InputError(f"{card}: found {quoted(found)} as the temperature, expected a number above 0 and at most 10")
    return float(found)
