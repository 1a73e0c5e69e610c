"""Checking a workflow's configuration, with messages that explain what to write instead."""

from __future__ import annotations

import datetime
import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from nlpcalib.errors import InputError
from nlpcalib.systems.events.read.query import Query
from reproduction.corpora.formats import DATED, FORMATS, MESSAGES, TEXTS, Format

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "nothing",
    "number": "a number",
    "object": "keys and values",
    "string": "text",
}
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_LONGEST_NAME = 100
"""Most characters of a name, since names become those of folders."""
_MAX_ABS_NUMBER = 10**15
"""Largest number that a key may have, either way: float64 holds whole numbers up to it exactly."""
_MOST_PLACES = 3
"""Most places named in which a misplaced key would be right."""
_RENAMED = {"samples": "draws", "unit": "period", "coders": "annotators"}
"""Keys of version 0.1 that have another name where the old one is not known."""
_EXPECTED = {
    "enum": lambda values: f"one of {', '.join(values)}",
    "exclusiveMinimum": lambda bound: f"more than {bound}",
    "maxItems": lambda count: f"no more than {count} values",
    "maximum": lambda bound: f"no more than {bound}",
    "minItems": lambda count: f"at least {count} value" + "s" * (count > 1),
    "minimum": lambda bound: f"at least {bound}",
    "minLength": lambda _: "some text",
    "minProperties": lambda count: f"at least {count} key" + "s" * (count > 1),
    "not": lambda excluded: f"another name than {excluded['const']}",
    "type": lambda names: " or ".join(_TYPES[name] for name in ([names] if isinstance(names, str) else names)),
    "uniqueItems": lambda _: "each value once",
}

# To JSON Schema 1000.0 is an integer; to NumPy it is none.
_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


_OTHER_BASE = re.compile(r"[-+]?(0[0-7_]+|[1-9][0-9_]*(:[0-5]?[0-9])+)")
"""What YAML 1.1 reads as an octal number, or as one to base 60."""


class _Loader(yaml.SafeLoader):
    """Refuses what YAML would read as something else than one sees: a key that stands twice, and 010, which is 8.

    It also refuses what contains itself.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            named = self.anchors.get(event.anchor)
            if named is not None and named.end_mark is None:  # still being read
                problem = f"the alias *{event.anchor} inside of what it names"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        if twice := [name for name in names if names.count(name) > 1]:
            raise yaml.MarkedYAMLError(problem=f"the key '{twice[0]}' twice", problem_mark=node.start_mark)
        return super().construct_mapping(node, deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        number = super().construct_yaml_int(node)
        if _OTHER_BASE.fullmatch(node.value):
            raise yaml.MarkedYAMLError(
                problem=f"{node.value}, which YAML reads as {number}", problem_mark=node.start_mark
            )
        return number


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)


def read_yaml(path: str | Path) -> Any:
    """Return what a file of YAML stands for; raises `InputError`, naming file, line and column, where it is not plain.

    A key may stand once in a mapping, since the last one would win silently, and 010 has to be 10 or "010".
    """
    try:
        return _Loader(Path(path).read_text(encoding="utf-8")).get_single_data()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start + 1} is not UTF-8 ({error.reason}), expected UTF-8") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        problem = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(f"{path}: {place}found {problem}, expected YAML as it is meant") from None
    except yaml.YAMLError as error:
        raise InputError(f"{path}: found {' '.join(str(error).split())}, expected YAML") from None


def check_config(config: Mapping, path_schema: str | Path) -> None:
    """Raise `InputError` naming the first key that the schema or another part of the configuration contradicts."""
    _check_values(config, "")
    schema = read_schema(path_schema)
    schema["$defs"]["dataset"]["properties"]["format"]["enum"] = list(FORMATS)
    check_schema(config, schema)
    for name, dataset in config["datasets"].items():
        _check_format(f"configuration: key datasets.{name}", dataset, FORMATS[dataset["format"]])
    _check_datasets(config)
    _check_cuts(config)
    for chapter in ("sentiment", "tagging", "coref"):
        check_names(f"{chapter}.others", config[chapter]["others"], "datasets", config["datasets"])
    _check_coref(config)
    _check_events(config)
    _check_extraction(config)


def read_schema(path: str | Path) -> dict:
    """Return a schema of JSON Schema that is written as YAML."""
    # The loader in C takes a tenth of the time, at each start of the workflow.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(Path(path).read_text(encoding="utf-8"))
    return loader.get_single_data()


def check_schema(config: Mapping, schema: Mapping) -> None:
    """Raise `InputError` naming the first key that a schema contradicts."""
    errors = sorted(_Validator(schema).iter_errors(config), key=lambda error: list(map(str, error.path)))
    # An unknown key is the likeliest mistake, and the reason why another one seems to be missing.
    errors.sort(key=lambda error: error.validator != "additionalProperties")
    if errors:
        raise InputError(f"configuration: {_explain(errors[0], schema)}")


def _check_values(value: object, key: str) -> None:
    """Raise `InputError` for names and values that no key can mean, whatever the schema allows."""
    place = f"configuration: key {key or '(top level)'}: found"
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if not isinstance(name, str) or _CONTROL.search(name) or len(name) > _LONGEST_NAME:
                shown = repr(name) if len(str(name)) <= _LONGEST_NAME else f"{str(name)[:_LONGEST_NAME]!r}…"
                raise InputError(
                    f"{place} the name {shown}, expected text of one line, {_LONGEST_NAME} characters at most"
                )
            _check_values(inner, f"{key}.{name}" if key else name)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check_values(inner, f"{key}.{number}")
    elif isinstance(value, str) and (not value.strip() or _CONTROL.search(value)):
        raise InputError(f"{place} {value!r}, expected text of one line, and not nothing")
    elif isinstance(value, int | float) and not abs(value) <= _MAX_ABS_NUMBER:
        shown = str(value) if isinstance(value, float) else f"a whole number of {value.bit_length()} bits"
        raise InputError(f"{place} {shown}, expected a number of at most {_MAX_ABS_NUMBER:g}")


_NESTED = {key for form in FORMATS.values() for key in form.keys if "." in key}
"""Keys inside sections of a dataset that are not for every format; all others inside of sections are."""


def _check_format(place: str, dataset: Mapping, form: Format) -> None:
    """Raise `InputError` for a key that no dataset of this format has, and for one that it lacks."""
    found = [key for key in dataset if key != "format"]
    found += [key for key in sorted(_NESTED) if _has(dataset, key)]
    for key in found:
        if key not in form.keys:
            section, _, name = key.rpartition(".")
            inside = f"{place}.{section}" if section else place
            others = ", ".join(other.name for other in FORMATS.values() if key in other.keys)
            belongs = f"; it belongs to format {others}" if others else ""
            raise InputError(f"{inside}: found '{name}', expected no such key in {form.description}{belongs}")
    places = [key for key in form.places if key in dataset]
    if form.places and len(places) != 1:
        named = "both " * (len(places) > 1) + " and ".join(map(repr, places)) or f"no {' and no '.join(form.places)}"
        raise InputError(f"{place}: found {named}, expected {form.description}")
    for key in form.needed:
        if not _has(dataset, key):
            raise InputError(f"{place}: found no '{key}', expected {form.description}")


def _has(dataset: Mapping, key: str) -> bool:
    """Return whether a dataset has a key, where a point leads into a section."""
    section, _, name = key.rpartition(".")
    return name in (dataset.get(section, {}) if section else dataset)


def _check_cuts(config: Mapping) -> None:
    """Raise `InputError` for times at which sets begin that are none or out of order."""
    for name, dataset in config["datasets"].items():
        cuts, times = dataset.get("cuts", ()), []
        for cut in cuts:
            try:
                time = datetime.datetime.fromisoformat(cut)
            except ValueError:
                raise InputError(
                    f"configuration: key datasets.{name}.cuts: found {cut!r}, expected a time of ISO 8601"
                ) from None
            times.append(time if time.tzinfo else time.replace(tzinfo=datetime.UTC))
        if times and not times[0] < times[1]:
            raise InputError(
                f"configuration: key datasets.{name}.cuts: found {' and '.join(cuts)}, expected the earlier one first"
            )


def _check_datasets(config: Mapping) -> None:
    """Raise `InputError` where a chapter or a parser is to use a dataset that there is not, or of another kind."""
    kinds = {"sentiment": MESSAGES, "events": DATED, "extraction_eval": DATED}
    for chapter in ("sentiment", "tagging", "coref", "events", "extraction_eval"):
        names = config[chapter]["datasets"]
        check_datasets(config, f"{chapter}.datasets", names, kinds.get(chapter, TEXTS))
    check_datasets(config, "tagging.ablation.datasets", config["tagging"]["ablation"]["datasets"], TEXTS)
    for parser, model in config["parsing"]["models"].items():
        check_datasets(config, f"parsing.models.{parser}.corpora", model["corpora"], TEXTS)


def check_datasets(config: Mapping, part: str, names: Iterable[str], kind: str) -> None:
    """Raise `InputError` where a part of the configuration names a dataset that there is not, or of another kind."""
    for name in names:
        key = f"configuration: key {part}: found '{name}'"
        if name not in config["datasets"]:
            raise InputError(f"{key}, expected a key of datasets{_nearest(name, config['datasets'])}")
        found = FORMATS[config["datasets"][name]["format"]]
        if kind != found.kind:
            formats = ", ".join(form.name for form in FORMATS.values() if form.kind == kind)
            raise InputError(f"{key}, of format {found.name}, expected a dataset of {kind} ({formats})")


def check_names(part: str, names: Iterable[str], meant: str, known: Iterable[str]) -> None:
    """Raise `InputError` where a part of the configuration has a name that is not `known`, not one of `meant`."""
    for name in names:
        if name not in known:
            nearest = _nearest(name, dict.fromkeys(known))
            raise InputError(f"configuration: key {part}: found '{name}', expected one of {meant}{nearest}")


def check_labels(part: str, paths: Iterable[str]) -> None:
    """Raise `InputError` where labels that people made stand in results."""
    for path in paths:
        if Path("results") in Path(os.path.normpath(path)).parents:
            raise InputError(
                f"configuration: key {part}: found '{path}', expected a copy elsewhere: what is in results may be made "
                "anew, without the labels"
            )


def _check_coref(config: Mapping) -> None:
    """Raise `InputError` where a dataset lacks coreference models that are needed, or has such as cannot be meant."""
    models = {**config["coref"]["models"], "cross_validation": {}}
    for name in config["coref"]["datasets"]:
        if "coref" not in config["datasets"][name]:
            raise InputError(f"configuration: key datasets.{name}: found no 'coref', expected its models")
    for dataset, named in config["coref"]["others"].items():
        for name in sorted(named.keys() & models.keys()):
            raise InputError(
                f"configuration: key coref.others.{dataset}: found '{name}', which is one of coref.models, expected "
                "another name"
            )
    for name, dataset in config["datasets"].items():
        key, named = f"configuration: key datasets.{name}", dataset.get("coref", [])
        for model in named:
            if model not in models:
                raise InputError(f"{key}.coref: found '{model}', expected one of coref.models{_nearest(model, models)}")
        if named[:1] == ["cross_validation"]:
            raise InputError(
                f"{key}.coref: found 'cross_validation' first, expected one of coref.models before it: figures are "
                "about the first, and cross_validation is a model for each fold"
            )
        for split, sizes in dataset.get("expected", {}).items():
            if "pairs" in sizes and not named:
                raise InputError(
                    f"{key}.expected.{split}: found 'pairs', expected 'coref' beside 'expected': pairs of mentions are "
                    "those that the dataset's first coreference model is evaluated on"
                )


def _check_events(config: Mapping) -> None:
    """Raise `InputError` where queries or options of dated datasets are such as cannot be meant."""
    queries = config["events"]["queries"]
    for name, query in queries.items():
        Query.from_mapping({"name": name, **query})
    for name, dataset in config["datasets"].items():
        options, key = dataset.get("events", {}), f"configuration: key datasets.{name}.events"
        for query in options.get("queries", ()):
            if query not in queries:
                raise InputError(
                    f"{key}.queries: found '{query}', expected one of events.queries{_nearest(query, queries)}"
                )
        owner, _, model = options.get("coref", "").partition("/")
        if owner and model not in config["datasets"].get(owner, {}).get("coref", ()):
            raise InputError(
                f"{key}.coref: found '{owner}/{model}', expected a dataset and one of its models in 'coref'"
            )
        if model == "cross_validation":
            raise InputError(
                f"{key}.coref: found '{owner}/{model}', which is a model for each fold, expected one of coref.models"
            )
        in_parts = {"parts", "split"}.intersection(options)
        if "system_events" in options and in_parts:
            raise InputError(
                f"{key}: found system_events and {', '.join(sorted(in_parts))}, expected one of them: the events of "
                "another system are compared with all documents"
            )
        if options.get("parser") == "gold" and not FORMATS[dataset["format"]].simulated:
            raise InputError(f"{key}.parser: found gold, expected a parser: only simulated reports come with trees")
        for other in options.get("mixed_case", ()):
            found = config["datasets"].get(other, {})
            if "corpus" not in found or FORMATS[found["format"]].kind != DATED:
                raise InputError(
                    f"{key}.mixed_case: found '{other}', expected a dataset of dated documents of the registry"
                )


def _check_extraction(config: Mapping) -> None:
    """Raise `InputError` for a verb of two categories, no lemma, and a dataset in which events are counted too."""
    chapter = config["extraction_eval"]
    categories: dict[str, str] = {}
    for category, entry in chapter["dictionary"].items():
        if entry["verbs"]:
            Query.from_mapping({"name": category, "verbs": entry["verbs"]})
        for verb in entry["verbs"]:
            other = categories.setdefault(verb, category)
            if other != category:
                key = "configuration: key extraction_eval.dictionary"
                raise InputError(f"{key}: found '{verb}' in {other} and in {category}, expected it in one category")
    check_names("extraction_eval.annotators", chapter["annotators"], "extraction_eval.datasets", chapter["datasets"])
    for name, annotators in chapter["annotators"].items():
        sheets = (*annotators["sheets"].values(), *filter(None, [annotators.get("settled")]))
        check_labels(f"extraction_eval.annotators.{name}", sheets)
    for name in chapter["datasets"]:
        if name in config["events"]["datasets"]:
            raise InputError(
                f"configuration: key extraction_eval.datasets: found '{name}', which is in events.datasets too; "
                "expected a dataset of its own, because other verbs are looked for"
            )


def _explain(error: jsonschema.ValidationError, schema: Mapping) -> str:
    key = ".".join(str(part) for part in error.path) or "(top level)"
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        unknown = next(name for name in error.instance if name not in valid)
        renamed = _RENAMED.get(unknown)
        if renamed in valid:
            return f"key {key}: found '{unknown}', which is called '{renamed}' since version 0.2"
        parent = "" if key == "(top level)" else f" in {key}"
        belongs = " or ".join(islice(_places(unknown, schema, schema, ""), _MOST_PLACES))
        elsewhere = f"; '{unknown}' belongs in {belongs}: is it indented right?" if belongs else ""
        return f"unknown key '{unknown}'{parent}{_nearest(unknown, valid)}{elsewhere}"
    if error.validator == "required":
        missing = next(name for name in error.validator_value if name not in error.instance)
        return f"key {key}: found no '{missing}', expected it beside {', '.join(map(str, error.instance)) or 'nothing'}"
    if error.validator == "pattern":
        kind = error.schema.get("description", "letters, digits and underscores alone")
        return f"key {key}: found the name {error.instance!r}, expected {kind}"
    description = error.schema.get("description")
    expected = _EXPECTED[error.validator](error.validator_value)
    return f"key {key}: found {error.instance!r}, expected {expected}" + (f" ({description})" if description else "")


def _places(name: str, part: Mapping, schema: Mapping, key: str) -> Iterator[str]:
    """Yield the keys, `<name>` standing for names that users choose, in which a schema has a key of this name."""
    if "$ref" in part:
        part = reduce(lambda inner, step: inner[step], part["$ref"].removeprefix("#/").split("/"), schema)
    inner = part.get("properties", {})
    if name in inner:
        yield key or "the top level"
    named = [*part.get("patternProperties", {}).values(), part.get("additionalProperties")]
    for step, each in [*inner.items(), *(("<name>", each) for each in named)]:
        if isinstance(each, Mapping):
            yield from _places(name, each, schema, f"{key}.{step}" if key else step)


def _nearest(name: str, valid: Mapping) -> str:
    near = difflib.get_close_matches(str(name), map(str, valid), n=1, cutoff=0)
    return f"; the nearest valid one is '{near[0]}'" if near else ""
