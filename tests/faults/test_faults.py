"""A small campaign: what hurts a run of the workflow changes no byte of its results, and is noticed."""

import dataclasses
import random
import sys
from importlib import import_module
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
if sys.platform != "linux":
    pytest.skip("processes and files are watched as Linux allows it", allow_module_level=True)

SENTIMENT = ("results/tables/timeline/sentiment.csv", "results/figures/timeline/figure_2.csv")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """The module of the campaign, and three kills' worth of it on one chapter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        module = import_module("campaign")
        folder = tmp_path_factory.mktemp("faults")
        yield module, module.Campaign(folder, ("configs/smoke.yaml",), 2, seed=1, times=3, targets=SENTIMENT)


def outcomes(campaign, fault):
    module, small = campaign
    try:
        return list(module.FAULTS[fault](small))
    except module.SkippedError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("fault", ["stopped", "replaced", "mixtures"])
def test_commands_leave_what_was_there_or_the_whole_and_mixtures_are_noticed(campaign, tmp_path, fault):
    module, _ = campaign
    found = list(module.COMMANDS[fault](tmp_path, 6, random.Random(1)))
    assert sum(outcome.times for outcome in found) >= 6
    assert [outcome for outcome in found if not outcome.harmless] == []
    assert [outcome.fault for outcome in found if outcome.left] == []


def test_signals_leave_no_folders(campaign):
    found = outcomes(campaign, "signals")
    assert [outcome for outcome in found if not outcome.harmless] == []
    assert [outcome for outcome in found if outcome.left] == []


@pytest.mark.parametrize("fault", ["kill", "two_runs", "clock"])
def test_a_rerun_ends_with_the_same_bytes_and_nothing_was_ever_there_in_part(campaign, fault):
    found = outcomes(campaign, fault)
    assert sum(outcome.times for outcome in found) >= 1
    assert [outcome for outcome in found if not outcome.harmless] == []


def test_a_damaged_table_is_refused_and_made_anew_once_it_is_deleted(campaign, capsys, monkeypatch):
    monkeypatch.setattr(campaign[0], "DAMAGED", dict(list(campaign[0].DAMAGED.items())[:1]))
    found = outcomes(campaign, "damage")
    told = capsys.readouterr().out
    assert [outcome for outcome in found if outcome.read_as_whole or not outcome.harmless] == []
    for outcome in found:
        assert "refused: " in next(line for line in told.splitlines() if f" {outcome.fault}: " in line)


def test_well_formed_damages_are_named_and_none_is_believed(campaign):
    module, small = campaign
    found = list(module.FAULTS["well_formed"](dataclasses.replace(small, times=40)))
    assert sum(outcome.times for outcome in found) == 40
    assert [outcome for outcome in found if outcome.read_as_whole or outcome.partial] == []


def test_a_watch_tells_files_that_are_moved_to_their_names_from_files_written_in_place(tmp_path, campaign):
    watch = import_module("watching").Watch([tmp_path])
    (tmp_path / ".incomplete-1").mkdir()
    (tmp_path / ".incomplete-1/whole.csv").write_text("1\n", encoding="utf-8")
    (tmp_path / ".incomplete-1/whole.csv").replace(tmp_path / "whole.csv")
    assert watch.begun() == 1
    assert (watch.moved, watch.in_place) == (1, set())
    (tmp_path / "in_place.csv").write_text("1\n", encoding="utf-8")
    watch.begun()
    assert watch.in_place == {tmp_path / "in_place.csv"}
    watch.close()
