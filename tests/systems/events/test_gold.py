"""The gold standard of acts is whole: items by id, known kinds, probabilities that they were drawn with."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from tools.event_gold import silver_rows

from nlpcalib.systems.events.read.lexicon import country_names
from nlpcalib.systems.events.read.query import packaged_categories

GOLD = Path(__file__).parents[2] / "data" / "events" / "gold_acts.tsv"
KINDS = ("paper", "force", "protest", "sanction")
OWN = ("earthquake", "election", "crash", "conviction")


def rows() -> list[dict[str, str]]:
    with GOLD.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def test_items_are_drawn_once_and_with_known_probability() -> None:
    items = [(row["corpus"], row["id"]) for row in rows()]
    assert len(set(items)) == len(items) == 2734
    assert all(0 < float(row["inclusion"]) <= 1 for row in rows())


def test_cells_that_were_read_completely_name_their_items_once() -> None:
    with GOLD.with_name("gold_cells.tsv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file, delimiter="\t"))
    assert len({row["id"] for row in cells}) == len(cells) == 696
    assert len({(row["country"], row["quarter"]) for row in cells}) == 8
    entries = {entry for row in cells for kind in KINDS[1:] for entry in row[kind].split()}
    assert all(re.fullmatch(r"~?[A-Z]{2,4}>?(?:[A-Z]{2,4})?", entry) for entry in entries)


def test_kinds_of_a_users_own_have_each_item_once_and_known_countries() -> None:
    with GOLD.with_name("own_kinds.tsv").open(encoding="utf-8", newline="") as file:
        own = list(csv.DictReader(file, delimiter="\t"))
    assert len({(row["kind"], row["id"]) for row in own}) == len(own) == 2439
    assert Counter(row["kind"] for row in own if row["stratum"] == "words") == dict.fromkeys(OWN, 320)
    assert {code for row in own for code in row["countries"].split()} <= {*country_names(), "none"}


@pytest.mark.parametrize(("name", "strata"), [("strikes", (370, 40)), ("resignations", (340, 40))])
def test_a_kind_of_one_file_has_each_item_once_and_known_countries(name: str, strata: tuple[int, int]) -> None:
    with GOLD.with_name(f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        own = list(csv.DictReader(file, delimiter="\t"))
    assert len({row["id"] for row in own}) == len(own)
    assert Counter(row["stratum"] for row in own) == dict(zip(("words", "others"), strata, strict=True))
    assert {code for row in own for code in row["countries"].split()} <= {*country_names(), "none", "unnamed"}


def test_every_annotation_is_a_country_or_a_source_and_a_target() -> None:
    known = country_names()
    for row in rows():
        for kind in KINDS:
            for name in (f"{kind}_{reading}" for reading in ("first", "second", "final")):
                for value in row[name].split():
                    assert re.fullmatch(r"~?[A-Z]{2,4}>?(?:[A-Z]{2,4})?", value)
                    assert set(value.lstrip("~").rstrip(">").split(">")) <= known.keys()
                    assert row["sample"] in ("fourth", "fifth") or not value.startswith("~")


def test_no_text_of_the_items_is_kept() -> None:
    assert max(len(value) for row in rows() for value in row.values()) < 150


def test_silver_labels_are_of_known_categories_and_have_no_text() -> None:
    uses: Counter[str] = Counter()
    for (corpus, name), use, marks in silver_rows():
        uses[use] += 1
        assert corpus in ("current_events", "wikinews")
        assert " " not in name
        for (kind, who), p in marks.items():
            assert kind in packaged_categories()
            assert re.fullmatch(r"[A-Z]{2,4}", who)
            assert 0 < p <= 1
    assert uses == {"teach": 64121, "gold": 3020}


def test_no_model_learns_silver_from_an_item_that_people_labelled() -> None:
    gold = {(row["corpus"], row["id"]) for row in rows()}
    assert not gold & {key for key, use, _ in silver_rows() if use != "gold"}
