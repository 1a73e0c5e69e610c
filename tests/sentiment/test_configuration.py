from pathlib import Path

import pytest
import yaml

from nlpcalib.errors import InputError
from reproduction.configuration import check_config

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "workflow/schemas/config.schema.yaml"


@pytest.fixture
def config():
    return yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "dataset",
    [
        {"format": "timeline", "messages": 100, "cuts": ["2014-02-01", "2014-03-01"]},
        {"format": "irc", "corpus": "irc_disentanglement", "broken_lines": 0.1},
        {"format": "sentiment140", "corpus": "sentiment140"},
        {"format": "messages", "path": "mine.csv", "language": "en"},
    ],
)
def test_every_source_of_messages_can_be_named(config, dataset):
    check_config(config | {"datasets": config["datasets"] | {"mine": dataset}}, SCHEMA)


@pytest.mark.parametrize(
    ("dataset", "message"),
    [
        (
            {"format": "timeline"},
            r"no 'messages', expected messages that the newsroom simulates \(format timeline, with messages\)",
        ),
        ({"format": "irc", "path": "logs"}, r"no such key in messages from a corpus of the registry"),
        ({"format": "messages", "path": "a", "cuts": ["2014"]}, "key datasets.mine.cuts: .*expected at least 2 values"),
        ({"format": "messages", "path": "a", "cuts": ["1", "2", "3"]}, "cuts: .*expected no more than 2 values"),
        ({"format": "messages", "path": "a", "broken_lines": 2}, "found 2, expected no more than 1"),
    ],
)
def test_what_is_wrong_with_a_source_is_said(config, dataset, message):
    with pytest.raises(InputError, match=message):
        check_config(config | {"datasets": config["datasets"] | {"mine": dataset}}, SCHEMA)


def test_each_chapter_has_datasets_of_its_kind(config):
    for chapter, name, message in (
        ("sentiment", "newsroom", r"found 'newsroom', of format newsroom, expected a dataset of messages \(timeline"),
        ("tagging", "timeline", "found 'timeline', of format timeline, expected a dataset of annotated texts"),
        ("sentiment", "timelime", "found 'timelime', expected a key of datasets; the nearest valid one is 'timeline'"),
    ):
        with pytest.raises(InputError, match=message):
            check_config(config | {chapter: config[chapter] | {"datasets": [name]}}, SCHEMA)
