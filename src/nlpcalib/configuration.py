"""Checking a workflow's configuration, with messages that say what to write instead."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

import jsonschema
import yaml

from nlpcalib.errors import InputError


def check_config(config: Mapping, path_schema: str | Path) -> None:
    """Raise `InputError` naming the first key that the schema or another part of the configuration contradicts."""
    schema = yaml.safe_load(Path(path_schema).read_text(encoding="utf-8"))
    errors = sorted(jsonschema.Draft202012Validator(schema).iter_errors(config), key=lambda error: list(error.path))
    # An unknown key is the likeliest mistake, and the reason why another one seems to be missing.
    errors.sort(key=lambda error: error.validator != "additionalProperties")
    if errors:
        raise InputError(f"configuration: {_explain(errors[0])}")
    for name in config["tagging"]["datasets"]:
        if name not in config["datasets"]:
            near = _nearest(name, config["datasets"])
            raise InputError(f"configuration: key tagging.datasets: found '{name}', expected a key of datasets{near}")


def _explain(error: jsonschema.ValidationError) -> str:
    key = ".".join(str(part) for part in error.path) or "(top level)"
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        unknown = next(name for name in error.instance if name not in valid)
        parent = "" if key == "(top level)" else f" in {key}"
        return f"unknown key '{unknown}'{parent}{_nearest(unknown, valid)}"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return f"key {key}: found no '{missing}', expected it beside {', '.join(map(str, error.instance)) or 'nothing'}"
    if error.validator == "oneOf":
        expected = "; or ".join(f"{case['title']} ({_keys(case)})" for case in error.validator_value)
        return f"key {key}: found {dict(error.instance)}, expected {expected}"
    description = error.schema.get("description")
    return f"key {key}: {error.message}" + (f"; it is: {description}" if description else "")


def _keys(case: Mapping) -> str:
    formats = case["properties"]["format"]
    return f"format {' or '.join(formats.get('enum', [formats.get('const')]))}, with {', '.join(case['required'])}"


def _nearest(name: str, valid: Mapping) -> str:
    near = difflib.get_close_matches(str(name), map(str, valid), n=1, cutoff=0)
    return f"; the nearest valid one is '{near[0]}'" if near else ""
