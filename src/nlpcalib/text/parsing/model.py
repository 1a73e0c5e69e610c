"""Which model to parse with: the one in the box, or anyone's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError

if TYPE_CHECKING:
    from nlpcalib.text.parsing.parser import Parser

PACKAGED_PARSER = Path(__file__).with_suffix("") / "parser.zip"
"""The model that comes with the library; `card.json` next to it has its training data and its scores."""


def load_parser(model: str | Path | None = None) -> Parser:
    """Return the parser of a model: the library's own, the file of another one, or a spaCy folder or package.

    spaCy's own English models (`en_core_web_sm` and larger) are labelled otherwise, and their trees brought into
    Universal Dependencies (`nlpcalib.text.parsing.clearnlp`). Raises `InputError` without spaCy, if there is no such
    model, or if it does not both tag and parse. The temperature of its sampled trees is that of the file `card.json`
    next to the model's, 1 without one.
    """
    # Imported here because spaCy takes a second, and documents with trees need none.
    try:
        from nlpcalib.text.parsing.parser import Parser
        from nlpcalib.text.parsing.storage import load_pipeline
    except ModuleNotFoundError as error:
        found = f"found no {error.name}, expected it for documents without trees"
        raise InputError(f"{found}: pip install 'nlpcalib[coref]'") from None
    return Parser(
        load_pipeline(model or PACKAGED_PARSER),
        str(model or "in the package"),
        _temperature(Path(model or PACKAGED_PARSER)),
    )


def _temperature(model: Path) -> float:
    card = model.with_name("card.json")
    if not (model.is_file() and card.is_file()):
        return 1.0
    try:
        found = json.loads(card.read_text(encoding="utf-8")).get("temperature", 1.0)
    except (ValueError, AttributeError):
        raise InputError(f"{card}: found no JSON object, expected the card of {model}") from None
    if not isinstance(found, float | int) or not 0 < found <= 10:
        raise InputError(f"{card}: found {found!r} as the temperature, expected a number above 0 and at most 10")
    return float(found)
