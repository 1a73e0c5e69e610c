"""The page of the site on the configuration: every key of the schema, its values, its default and its description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text(encoding="utf-8"))
DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def resolve(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with what it refers to; its own keys come first."""
    if "$ref" not in schema:
        return schema
    found = SCHEMA
    for name in schema["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found | schema


def kind(schema: dict[str, Any]) -> str:
    """Return what values a key takes, in words."""
    schema = resolve(schema)
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    types = schema.get("type", "any")
    named = " or ".join(types) if isinstance(types, list) else types
    if named == "array":
        return f"list of {kind(schema['items'])}" if "items" in schema else "list"
    limits = [f"{sign} {schema[key]:g}" for key, sign in LIMITS.items() if key in schema]
    return " ".join([named.replace("object", "mapping"), ", ".join(limits)]).strip()


def keys(schema: dict[str, Any], default: Any, prefix: str = "") -> Iterator[tuple[str, str, str, str]]:
    """Yield name, type, default and description of every key of a mapping, and of those below it."""
    schema = resolve(schema)
    named = dict(schema.get("properties", {}))
    if isinstance(schema.get("additionalProperties"), dict):
        named["<name>"] = schema["additionalProperties"]
    for name, below in named.items():
        below = resolve(below)
        value = default.get(name) if isinstance(default, dict) else None
        leaf = not isinstance(value, (dict, list)) or (isinstance(value, list) and len(json.dumps(value)) <= 60)
        shown = f"`{json.dumps(value)}`" if value is not None and leaf else ""
        yield f"{prefix}{name}", kind(below), shown, below.get("description", "")
        yield from keys(below.get("items", below), value, f"{prefix}{name}.")


def table(rows: list[tuple[str, str, str, str]]) -> str:
    """Return a table in Markdown."""
    lines = [f"| `{name}` | {values} | {default} | {text} |" for name, values, default, text in rows]
    return "\n".join(["| key | values | default | meaning |", "| --- | --- | --- | --- |", *lines]) + "\n"


def page() -> str:
    """Return the page."""
    parts = [
        "# Configuration\n",
        "A run takes its keys from `config.yaml`. `--configfile FILE` lays your file over it, key by key. A schema\n"
        "checks every key before a job starts. This page is made from both. `<name>` stands for a name that you\n"
        "choose. A key without a default is empty there, or belongs to one of several named entries.\n",
    ]
    for name, below in SCHEMA["properties"].items():
        rows = list(keys({"properties": {name: below}}, DEFAULT))
        parts += [f"## {name}\n", table(rows)]
    return "\n".join(parts)
