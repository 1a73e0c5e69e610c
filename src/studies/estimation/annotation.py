"""What annotators are asked of events, and the known countries of documents in their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.sampling.page import Kind
from nlpcalib.systems.events.learn.files import read_model
from nlpcalib.systems.events.read.query import Query, packaged_categories

_COUNTRY_CODE = re.compile(r"[A-Z][A-Z0-9-]+")


def kind_of(query: Query) -> Kind:
    """Return what a page asks annotators to mark of a query's events."""
    if query.model and query.model not in packaged_categories():
        model = read_model(query.model)
        return Kind(query.name, model.definition or model.name, pairs=model.targets is not None)
    if query.model:
        category = packaged_categories()[query.model]
        return Kind(query.name, category.definition, pairs=category.role == "agent")
    asked, when = f"An entity of a country does: {', '.join(query.verbs)}", "whatever the verb's tense and mood"
    definition = f"{asked}. Its people, government and forces count, {when}."
    return Kind(query.name, definition, pairs=True)


def written(countries: Collection[str]) -> str:
    """Return a document's countries as a label."""
    return " ".join(sorted(countries)) or "none"


def read_reference(path: str | Path) -> dict[str, frozenset[str]]:
    """Return the countries of each document of known truth, from a table with the columns document and countries."""
    found = {}
    for number, row in enumerate(read_csv(path), 1):
        codes = row.get("countries", "").split()
        if "document" not in row or not all(map(_COUNTRY_CODE.fullmatch, codes)):
            raise InputError(f"{path}, row {number}: found {row}, expected a document and codes of countries")
        found[row["document"]] = frozenset(codes)
    return found


def write_reference(path: str | Path, countries: Mapping[str, Collection[str]]) -> None:
    """Write the true countries of each document, as `read_reference` reads them."""
    rows = [{"document": name, "countries": " ".join(sorted(found))} for name, found in sorted(countries.items())]
    write_csv(path, rows)
