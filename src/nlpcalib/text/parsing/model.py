"""Which model to parse with: the one in the box, or anyone's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError

if TYPE_CHECKING:
    from nlpcalib.text.parsing.parser import Parser

PACKAGED = Path(__file__).with_suffix("") / "parser.zip"
"""The model that comes with the library; `card.json` next to it has its training data and its scores."""


def load_parser(model: str | Path | None = None) -> Parser:
    """Return the parser of a model: the library's own, the file of another one, or a spaCy folder or package.

    spaCy's own English models (`en_core_web_sm` and larger) are labelled otherwise, and their trees brought into
    Universal Dependencies (`nlpcalib.text.parsing.clearnlp`). Raises `InputError` without spaCy, if there is no such
    model, or if it does not both tag and parse.
    """
    # Imported here because spaCy takes a second, and documents with trees need none.
    try:
        from nlpcalib.text.parsing.parser import Parser
        from nlpcalib.text.parsing.storage import load_model
    except ModuleNotFoundError as error:
        found = f"found no {error.name}, expected it for documents without trees"
        raise InputError(f"{found}: pip install 'nlpcalib[coref]'") from None
    return Parser(load_model(model or PACKAGED), str(model or "in the package"))
