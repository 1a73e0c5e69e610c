"""Marginals as a file between two jobs of the workflow."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.files import atomic_path
from nlpcalib.tagging.forward_backward import Marginals


def save_marginals(path: str | Path, marginals: Marginals) -> None:
    """Write `marginals` as .npz, all or nothing; equal marginals give equal bytes."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        np.savez(file, **{field.name: getattr(marginals, field.name) for field in fields(Marginals)})


def load_marginals(path: str | Path) -> Marginals:
    """Read marginals that `save_marginals` wrote; InputError if an array is missing or the file is no .npz."""
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as archive:
            return Marginals(**{field.name: archive[field.name] for field in fields(Marginals)})
    except (ValueError, KeyError, EOFError, BadZipFile) as error:
        raise InputError(f"{path}: {error}; expected marginals saved by save_marginals") from error
