"""Different people of annotated documents, counted by the coreference model in the package."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from nlpcalib.text.conllu import read_conllu
from reproduction.coref.people import people_count_rows, people_of
from reproduction.tables.files import TitledRows


def people_table(documents: Sequence[str], *, seed: int) -> list[TitledRows]:
    """Return how intervals of the number do, for predicted and for annotated mentions."""
    rows = []
    for mentions in ("predicted", "gold"):
        found = people_count_rows(people_of(chain.from_iterable(map(read_conllu, documents)), mentions, seed))
        rows += [{"mentions": mentions, **row} for row in found]
    return [("The number of different people in a document: intervals that promise 95 %", rows)]
