"""A draw counts for the code and the settings that made its text and its predictions, and for no others."""

import copy
import functools
import shutil
from pathlib import Path

import pytest
import yaml

from reproduction.claims import draws
from reproduction.workflow.imports import code_checksum

ROOT = Path(__file__).parents[2]
DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
CHAPTERS = (("tagging", "newsroom"), ("events", "newswire/attack"), ("sentiment", "timeline"))


def made_from(configuration=DEFAULT):
    code_checksum.cache_clear()
    return [draws.made_from(configuration, *chapter) for chapter in CHAPTERS]


def differs(one, other):
    return [new != old for new, old in zip(one, other, strict=True)]


@pytest.mark.parametrize(
    ("keys", "value", "expected"),
    [
        (("seed",), 3, [False, False, False]),
        (("tagging", "datasets"), [], [False, False, False]),
        (("tagging", "ablation", "datasets"), [], [False, False, False]),
        (("datasets", "newsroom", "documents", "train"), 9, [True, False, False]),
        (("events", "samples"), 9, [False, True, False]),
        (("calibration", "bin_size"), 9, [True, True, True]),
    ],
)
def test_a_draw_is_of_the_settings_but_the_seed(keys, value, expected):
    configuration = copy.deepcopy(DEFAULT)
    functools.reduce(dict.__getitem__, keys[:-1], configuration)[keys[-1]] = value
    assert differs(made_from(configuration), made_from()) == expected


def test_a_draw_is_of_the_code_that_made_it_but_not_of_its_comments(tmp_path, monkeypatch):
    shutil.copytree(draws.SOURCE, tmp_path / "src")
    monkeypatch.setattr(draws, "SOURCE", tmp_path / "src")
    for path, expected in (
        ("newsroom/world.py", [True, True, True]),
        ("nlpcalib/systems/chains/pairs.py", [True, False, False]),
        ("nlpcalib/systems/coref/model/model.py", [False, True, False]),
        ("reproduction/sentiment/classifier.py", [False, False, True]),
        ("nlpcalib/questions/__init__.py", [False, False, False]),
    ):
        before, file = made_from(), tmp_path / "src" / path
        file.write_text(f"{file.read_text(encoding='utf-8')}\n# A comment.\n", encoding="utf-8")
        assert made_from() == before
        file.write_text(f"{file.read_text(encoding='utf-8')}\nNEW = 1\n", encoding="utf-8")
        assert differs(made_from(), before) == expected


def test_a_draw_without_what_a_claim_is_about_is_none(tmp_path):
    columns = "dataset,place,claim,version,made_from,seed,outcome"
    rows = [f"news,5.3,best,1,ab,{seed},{draws.NOT_APPLICABLE}" for seed in draws.DRAW_SEEDS[:9]]
    (tmp_path / "draws.csv").write_text(
        "\n".join([columns, *rows, "news,5.3,best,1,ab,10,holds", ""]), encoding="utf-8"
    )
    assert draws.read_draws(tmp_path / "draws.csv") == {"ab": {("news", "5.3", "best", "1"): (1, 1, 0)}}
