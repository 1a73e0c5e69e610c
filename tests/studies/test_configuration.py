"""The configuration of the studies: whatever is wrong in it is named, with what to write instead."""

import copy
from pathlib import Path

import pytest
import yaml
from snakemake.utils import update_config

from nlpcalib.errors import InputError
from reproduction.events.lexicon_check import check_countries
from studies.configuration import check_studies, estimated_codes

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "studies/config.schema.yaml"


def load(*names):
    config = {}
    for name in names:
        update_config(config, yaml.safe_load((ROOT / name).read_text(encoding="utf-8")))
    return config


DEFAULT = load("studies/config.yaml", "config.yaml")


def changed(key, value):
    """Return the default configuration with one key of the studies, dotted, set to a value."""
    config = copy.deepcopy(DEFAULT)
    *parents, last = key.split(".")
    inner = config["studies"]
    for name in parents:
        inner = inner[name]
    inner[last] = value
    return config


def refusal(config):
    with pytest.raises(InputError) as refused:
        check_studies(config, SCHEMA)
    message = str(refused.value)
    assert message.startswith("configuration: ")
    assert "\n" not in message
    return message


@pytest.mark.parametrize("name", ["open", "smoke", "simulation"])
def test_configurations_that_come_along_are_valid(name):
    check_studies(
        load("studies/config.yaml", "config.yaml", f"configs/{name}.yaml", f"studies/configs/{name}.yaml"), SCHEMA
    )


def keys(config, prefix=""):
    for name, value in config.items():
        yield prefix + name
        if isinstance(value, dict):
            yield from keys(value, f"{prefix}{name}.")


@pytest.mark.parametrize("key", list(keys(DEFAULT["studies"])))
def test_each_key_refuses_what_is_of_another_type(key):
    assert f"key studies.{key}: found 3.5, expected " in refusal(changed(key, 3.5))


def test_an_unknown_key_is_named_with_the_nearest_valid_one():
    message = refusal(changed("estimation.budgets", 1))
    assert message == "configuration: unknown key 'budgets' in studies.estimation; the nearest valid one is 'budget'"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("estimation.datasets", ["newswir"], "expected a key of datasets; the nearest valid one is 'newswire'"),
        ("estimation.datasets", ["newsroom"], "of format newsroom, expected a dataset of dated documents"),
        ("estimation.labels", {"newswire": {"attack": "a.csv"}}, "expected one of studies.estimation.datasets"),
        (
            "estimation.labels",
            {"newswire_parsed": {"atack": "a.csv"}},
            "its queries; the nearest valid one is 'attack'",
        ),
        ("estimation.labels", {"newswire_parsed": {"attack": "results/a.csv"}}, "expected a copy elsewhere"),
    ],
)
def test_what_cannot_be_meant_is_named(key, value, expected):
    assert expected in refusal(changed(key, value))


def test_codes_of_countries_with_estimates_are_those_of_the_lexicon():
    config = changed("estimation.countries", {"newswire_parsed": ["DE"]})
    with pytest.raises(InputError, match=r"studies\.estimation\.countries\.newswire_parsed: found 'DE'"):
        check_countries(config, estimated_codes)
