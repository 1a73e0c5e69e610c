"""Labels of documents are countries, none, yes or open; what is none of these is named with its place."""

import json

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.events.learn.labels import read_event_labels
from nlpcalib.systems.events.read.query import Query, packaged_categories
from studies.estimation.annotation import kind_of, read_reference, written
from studies.estimation.items import labels_of_groups

IDS = {"d1", "d2", "d3", "d4", "d5"}


def read(tmp_path, content):
    path = tmp_path / "labels.csv"
    path.write_text(content, encoding="utf-8")
    return read_event_labels([path], IDS)


def test_each_label_means_what_it_is(tmp_path):
    content = "item,text,label\nitem d1,x,ISR USA\nd2,x,none\nd3,x,cannot tell\nd4,x,Yes\nd5,x,\n"
    labels = read(tmp_path, content)
    assert labels == {"d1": {"ISR", "USA"}, "d2": frozenset(), "d3": None, "d4": True}
    y = labels_of_groups(labels, ["d1", "d2", "d3", "d4"], ("any", "ISR", "SYR"))
    np.testing.assert_array_equal(y, [[1, 0, np.nan, 1], [1, 0, np.nan, np.nan], [0, 0, np.nan, np.nan]])


def test_a_spreadsheet_with_semicolons_is_read(tmp_path):
    assert read(tmp_path, "\ufeffitem;label\nd1;ISR, USA\n") == {"d1": {"ISR", "USA"}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,label\nd9,none\n", "line 2: found the item 'd9', expected one of the 5"),
        ("item,label\nd1,Israel\n", "line 2: found 'Israel', expected codes such as ISR USA"),
        ("item,label\nd1,ISR\nd1,none\n", "line 3: found the item 'd1' again"),
        ("item,label\nd1,IRS\n", "line 2: found the country 'IRS', expected a known code"),
        ("document,label\nd1,ISR\n", "found no column named item or id"),
    ],
)
def test_slips_are_named_with_their_places(tmp_path, content, message):
    with pytest.raises(InputError, match=message):
        read(tmp_path, content)


def test_files_that_differ_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("item,label\nd1,ISR\nd2,none\n")
    (tmp_path / "b.csv").write_text("item,label\nd1,none\nd2,none\n")
    with pytest.raises(InputError, match=r"b\.csv: found a second, different label of d1"):
        read_event_labels([tmp_path / "a.csv", tmp_path / "b.csv"], IDS)


def test_several_choices_of_an_export_are_several_countries(tmp_path):
    path = tmp_path / "export.json"
    chosen = [{"type": "choices", "value": {"choices": ["ISR", "USA"]}}]
    path.write_text(json.dumps([{"data": {"id": "d1"}, "annotations": [{"result": chosen}]}]))
    assert read_event_labels([path], IDS) == {"d1": {"ISR", "USA"}}


def test_references_are_read(tmp_path):
    path = tmp_path / "reference.csv"
    path.write_text("document,countries\nd1,ISR USA\nd2,\n")
    assert read_reference(path) == {"d1": {"ISR", "USA"}, "d2": frozenset()}
    assert written({"USA", "ISR"}) == "ISR USA"
    assert written(()) == "none"
    path.write_text("document,countries\nd1,Israel\n")
    with pytest.raises(InputError, match="row 1"):
        read_reference(path)


def test_a_page_asks_for_a_querys_verbs_or_a_categorys_definition():
    attack = kind_of(Query("attack", ("attack", "bomb")))
    assert attack.definition.startswith("An entity of a country does: attack, bomb.")
    assert "tense" in attack.definition
    assert attack.pairs
    asked = kind_of(Query.from_mapping({"name": "marches", "category": ["protest"]}))
    assert asked.name == "marches"
    assert asked.definition == packaged_categories()["protest"].definition
    assert not asked.pairs
    assert kind_of(Query.from_mapping({"name": "force", "category": ["assault"]})).pairs
