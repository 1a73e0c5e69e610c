"""spaCy models as single files: the folder that `Language.to_disk` writes, of JSON, INI and MessagePack, zipped."""

from __future__ import annotations

import errno
import zipfile
from pathlib import Path

import spacy
from spacy.language import Language
from thinc.api import use_ops

import nlpcalib.text.parsing.lemmas  # noqa: F401 (spaCy finds the component by its name)
from nlpcalib.errors import InputError
from nlpcalib.io.files import atomic_open, scratch_folder

_LARGEST = 1 << 31
"""Most bytes of a model; spaCy's own largest ones for English have a quarter of this."""
_UNUSED = ("ner", "entity_linker", "textcat", "textcat_multilabel")


def save_model(path: str | Path, nlp: Language) -> None:
    """Write a pipeline as a zip archive, all or nothing; equal pipelines give equal bytes."""
    with scratch_folder() as folder, atomic_open(path, "wb") as file:
        nlp.to_disk(folder)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for each in sorted(Path(folder).rglob("*")):
                if each.is_file():
                    # Without a ZipInfo of its own, the entry would carry the time of writing.
                    info = zipfile.ZipInfo(each.relative_to(folder).as_posix())
                    info.external_attr = 0o644 << 16
                    archive.writestr(info, each.read_bytes(), zipfile.ZIP_DEFLATED)


def load_model(model: str | Path) -> Language:
    """Return a pipeline that `save_model` wrote, or one of spaCy: a folder or an installed package.

    What recognises names or classifies texts is left out. Raises `InputError`, naming the model, if there is none.
    """
    # spaCy multiplies matrices by BLIS; NumPy's OpenBLAS is about three times as fast.
    with use_ops("numpy", use_blis=False), scratch_folder() as folder:
        try:
            if Path(model).is_file():
                with zipfile.ZipFile(model) as archive:
                    size = sum(member.file_size for member in archive.infolist())
                    if size > _LARGEST:
                        raise ValueError(f"found {size} bytes in it, expected at most {_LARGEST}")
                    archive.extractall(folder)
                return spacy.load(folder, exclude=_UNUSED)
            return spacy.load(model, exclude=_UNUSED)
        # Damaged or foreign data can fail anywhere in zipfile, spaCy and what reads its JSON, INI and MessagePack.
        except Exception as error:
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise  # not for the model's sake
            raise InputError(
                f"model {model}: {error}; expected a .zip of this library, or a folder or package that spaCy loads"
            ) from None
