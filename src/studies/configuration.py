"""Checking the studies' part of a configuration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from reproduction.configuration import check_datasets, check_labels, check_names, check_schema, read_schema
from reproduction.corpora.formats import DATED


def check_studies(config: Mapping, path_schema: str | Path) -> None:
    """Raise `InputError` naming the first key of `studies` that the schema or another part contradicts."""
    check_schema(config, read_schema(path_schema))
    chapter = config["studies"]["estimation"]
    check_datasets(config, "studies.estimation.datasets", chapter["datasets"], DATED)
    check_names("studies.estimation.labels", chapter["labels"], "studies.estimation.datasets", chapter["datasets"])
    for name, labels in chapter["labels"].items():
        queries = config["datasets"][name]["events"].get("queries", config["events"]["queries"])
        check_names(f"studies.estimation.labels.{name}", labels, "its queries", queries)
        for query, paths in labels.items():
            check_labels(f"studies.estimation.labels.{name}.{query}", [paths] if isinstance(paths, str) else paths)


def estimated_codes(name: str, config: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the codes of the countries of a dataset that have estimates, each after its key."""
    for code in config["studies"]["estimation"]["countries"].get(name, ()):
        yield f"studies.estimation.countries.{name}", code
