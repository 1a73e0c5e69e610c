"""Tables that are rows of several files, under each other."""

from __future__ import annotations

from collections.abc import Sequence

from nlpcalib.io.files import read_csv
from reproduction.workflow.table_files import TitledRows, numbers


def of_models(tables: Sequence[str], *, models: Sequence[str], title: str) -> list[TitledRows]:
    """Return the rows of each model's file."""
    named = zip(models, tables, strict=True)
    return [(title, [{"model": model, **numbers(row)} for model, path in named for row in read_csv(path)])]


def of_queries(tables: Sequence[str], *, queries: Sequence[str], title: str) -> list[TitledRows]:
    """Return the rows of each query's file."""
    named = zip(queries, tables, strict=True)
    return [(title, [{"query": query, **row} for query, path in named for row in read_csv(path)])]
