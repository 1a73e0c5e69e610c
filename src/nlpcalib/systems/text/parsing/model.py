"""Loading a parser: the packaged model, or any other spaCy model, also of one file: a zipped folder of `to_disk`.

spaCy is imported where a model is loaded: it takes a second, and documents with trees do not need it.
"""

from __future__ import annotations

import errno
import threading
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from nlpcalib.errors import InputError, quoted
from nlpcalib.extras import install_command
from nlpcalib.io.files import read_json, scratch_folder

if TYPE_CHECKING:
    from spacy.language import Language

    from nlpcalib.systems.text.parsing.parser import Parser

PACKAGED_PARSER = Path(__file__).with_suffix("") / "parser.zip"
"""The packaged model; `card.json` next to it has its training data and scores."""

_MAX_PIPELINE_BYTES = 1 << 31
"""Largest unpacked model that is loaded; spaCy's largest English models have a quarter of this."""
_UNUSED_PIPES = ("ner", "entity_linker", "textcat", "textcat_multilabel")
_KEPT = threading.local()
"""The packaged model once it is loaded, in each thread its own: spaCy's memory zones serve one thread."""


def load_parser(model: str | Path | None = None) -> Parser:
    """Load a parser: the packaged model by default, else a model file, or a spaCy folder or package.

    Trees of spaCy's English models (`en_core_web_sm` and larger) are converted to Universal Dependencies
    (`systems.text.parsing.clearnlp`). The temperature of sampled trees comes from `card.json` next to the model and
    is 1 without a card. The packaged model is loaded once and kept.

    Raises `InputError` if spaCy or the model is missing, or if the model does not tag and parse.
    """
    try:
        from nlpcalib.systems.text.parsing.parser import Parser
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
    found = read_json(card)
    if isinstance(found, dict):
        found = found.get("temperature", 1.0)
    if not isinstance(found, float | int) or not 0 < found <= 10:
        raise InputError(f"{card}: found {quoted(found)} as the temperature, expected a number above 0 and at most 10")
    return float(found)


def load_pipeline(model: str | Path) -> Language:
    """Load a pipeline from a zipped file, a spaCy folder or an installed package.

    Entity recognition and text classification are left out. Raises `InputError`, naming the model, if it cannot load.
    """
    import spacy
    from thinc.api import use_ops

    import nlpcalib.systems.text.parsing.lemmas  # noqa: F401 (spaCy finds the component by its name)

    # spaCy multiplies matrices by BLIS; NumPy's OpenBLAS is about three times as fast.
    with use_ops("numpy", use_blis=False), scratch_folder() as folder:
        try:
            if Path(model).is_file():
                with zipfile.ZipFile(model) as archive:
                    size = sum(member.file_size for member in archive.infolist())
                    if size > _MAX_PIPELINE_BYTES:
                        raise ValueError(f"found {size} bytes in it, expected at most {_MAX_PIPELINE_BYTES}")
                    archive.extractall(folder)
                return spacy.load(folder, exclude=_UNUSED_PIPES)
            return spacy.load(model, exclude=_UNUSED_PIPES)
        # Damaged data can fail anywhere in zipfile, spaCy and its readers of JSON, INI and MessagePack.
        except Exception as error:
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise  # the disk is full: not the model's fault
            raise InputError(
                f"model {model}: {error}; expected a .zip of this library, or a folder or package that spaCy loads"
            ) from None
