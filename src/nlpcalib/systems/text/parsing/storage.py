"""Loading spaCy models, also from single files: zipped folders that `Language.to_disk` wrote."""

from __future__ import annotations

import errno
import zipfile
from pathlib import Path

import spacy
from spacy.language import Language
from thinc.api import use_ops

import nlpcalib.systems.text.parsing.lemmas  # noqa: F401 (spaCy finds the component by its name)
from nlpcalib.errors import InputError
from nlpcalib.io.files import scratch_folder

_MAX_PIPELINE_BYTES = 1 << 31
"""Largest unpacked model that is loaded; spaCy's largest English models have a quarter of this."""
_UNUSED_PIPES = ("ner", "entity_linker", "textcat", "textcat_multilabel")


def load_pipeline(model: str | Path) -> Language:
    """Load a pipeline from a zipped file, a spaCy folder or an installed package.

    Entity recognition and text classification are left out. Raises `InputError`, naming the model, if it cannot load.
    """
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
