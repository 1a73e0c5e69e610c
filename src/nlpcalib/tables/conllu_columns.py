"""The ten columns of CoNLL-U."""

from __future__ import annotations

from nlpcalib.errors import InputError

CONLLU_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


def conllu_cells(line: str, place: str) -> list[str]:
    """Return the columns of a word; a line without any tab may have blanks between them.

    Raises `InputError`, naming the `place`, for another number than that of `CONLLU_COLUMNS`.
    """
    cells = line.split("\t")
    if len(cells) == 1:
        cells = line.split() or cells
    if len(cells) != len(CONLLU_COLUMNS):
        raise InputError(f"{place}: found {len(cells)} columns, expected {len(CONLLU_COLUMNS)} separated by tabs")
    return cells
