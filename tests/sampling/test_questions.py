"""Of a project with two questions the answers to one are read, in the forms that five tools document.

Label Studio's task format and JSON-MIN; Prodigy's binary labels and choices; Argilla's records, as its server and its
client write them; doccano's classification next to its intents.
"""

import json

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning
from nlpcalib.sampling.labels import label_categories, read_annotations

IDS = ("a", "b", "c", "d")
ENGLISH = {"a": "yes", "b": "yes", "c": "yes", "d": "yes"}
ATTACK = {"a": "yes", "b": "no", "c": "no"}  # nobody answered for d
QUESTIONS = {"in_english": ENGLISH, "is_attack": ATTACK}


def given(item):
    """The questions that are answered for an item, with the answers."""
    return [(name, answers[item]) for name, answers in QUESTIONS.items() if item in answers]


def label_studio(item):
    results = [
        {"from_name": name, "to_name": "text", "type": "choices", "value": {"choices": [answer]}, "origin": "manual"}
        for name, answer in given(item)
    ]
    note = {"from_name": "note", "to_name": "text", "type": "textarea", "value": {"text": ["yes"]}}
    annotation = {"id": 1, "completed_by": 3, "was_cancelled": False, "result": [*results, note]}
    return [{"id": 7, "data": {"item": f"item {item}", "text": "x"}, "annotations": [annotation]}]


def label_studio_min(item):
    task = {"item": f"item {item}", "text": "yes", "id": 7, **dict(given(item)), "annotator": 3, "annotation_id": 1}
    return [task | {"created_at": "2026-01-01", "updated_at": "2026-01-01", "lead_time": 2.5}]


def prodigy(item):
    answer = {"yes": "accept", "no": "reject"}
    return [
        {"text": "x", "label": name, "meta": {"item": item}, "_view_id": "classification", "answer": answer[each]}
        for name, each in given(item)
    ]


def argilla_server(item):
    values = {name: {"value": answer} for name, answer in given(item)}
    draft = {"values": {"is_attack": {"value": "yes"}}, "status": "draft", "user_id": "v"}
    return [{"id": item, "responses": [{"values": values, "status": "submitted", "user_id": "u"}, draft]}]


def argilla(item):
    responses = {name: [{"value": answer, "user_id": "u"}] for name, answer in given(item)}
    return [{"id": item, "fields": {"text": "x"}, "metadata": {}, "suggestions": {}, "responses": responses}]


def doccano(item):
    answers = dict(given(item))
    return [
        {"id": 9, "item": item, "text": "x", "label": [answers["in_english"]], "cats": [], "Comments": []}
        | ({"cats": [answers["is_attack"]]} if "is_attack" in answers else {})
    ]


NAMES = {doccano: {"in_english": "label", "is_attack": "cats"}}
TOOLS = (label_studio, label_studio_min, prodigy, argilla_server, argilla, doccano)


@pytest.fixture(params=TOOLS, ids=lambda tool: tool.__name__)
def export(request, tmp_path):
    path = tmp_path / "export.jsonl"
    path.write_text("\n".join(json.dumps(record) for item in IDS for record in request.param(item)))
    names = NAMES.get(request.param, {})
    return path, [names.get(name, name) for name in QUESTIONS]


def test_two_questions_are_refused_with_a_list(export):
    path, names = export
    expected = f"found the questions {names[0]!r}, {names[1]!r}, expected one: question= chooses it"
    with pytest.raises(InputError, match=expected):
        read_annotations(path, IDS)
    with pytest.raises(InputError, match=r"found the questions .*, expected 'is_atack'"):
        read_annotations(path, IDS, question="is_atack")


def test_answers_to_the_question_that_is_chosen_are_read_and_no_others(export):
    path, names = export
    for name, answers in zip(names, QUESTIONS.values(), strict=True):
        [found] = read_annotations(path, IDS, question=name).values()
        assert found == {item: int(answer == "yes") for item, answer in answers.items()}


def by_category(path, ids, yes):
    """Return 1 for items that have a category among their labels, and 0 for others."""
    names = sorted(ids)
    found = nc.read([0.3] * len(names), path, id=names, yes=f'"{yes}"')
    return {names[row]: found.y[row] for row in found.labelled.tolist()}


def read(tmp_path, *records, **options):
    path = tmp_path / "export.json"
    path.write_text(json.dumps(records))
    return read_annotations(path, IDS, **options)


def test_a_choice_that_is_accepted_with_nothing_chosen_is_unanswered(tmp_path):
    """Prodigy accepts a task without any of its options."""
    options = [{"id": "yes", "text": "yes"}, {"id": "no", "text": "no"}]
    tasks = [
        {"meta": {"id": item}, "options": options, "accept": chosen, "answer": "accept", "_view_id": "choice"}
        for item, chosen in (("a", ["yes"]), ("b", []), ("c", ["no"]))
    ]
    assert read(tmp_path, *tasks) == {"export": {"a": 1, "c": 0}}


def test_a_key_that_is_there_twice_is_refused(tmp_path):
    path = tmp_path / "export.jsonl"
    path.write_text('{"id": "a", "label": ["yes"]}\n{"id": "b", "label": ["yes"], "label": ["no"]}\n')
    with pytest.raises(InputError, match="line 2: found the key 'label' twice in one object, expected it once"):
        read_annotations(path, IDS)
    path.write_text('[{"id": "a", "label": ["yes"], "label": ["no"]}]')
    with pytest.raises(InputError, match="found the key 'label' twice"):
        read_annotations(path, IDS)


@pytest.mark.parametrize("missing", ["NA", "N/A", "#N/A", "null", "None", "nan", "NaN", "NaT", "<NA>", "n.a."])
def test_a_missing_value_leaves_an_item_without_label_unless_a_category_is_called_so(tmp_path, missing):
    path = tmp_path / "sheet.csv"
    path.write_text(f"item,label\na,yes\nb,{missing}\nc,no\n")
    with pytest.warns(InputWarning, match=f"sheet.csv: 1 label '{missing}': taken as no label"):
        assert read_annotations(path, IDS) == {"sheet": {"a": 1, "c": 0}}
    path.write_text(f"item,label\na,yes\nb,{missing}\n")
    assert read_annotations(path, IDS, {"yes": 1, missing: 0}) == {"sheet": {"a": 1, "b": 0}}


def test_none_next_to_one_label_alone_may_be_its_negative_and_is_refused(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("item,label\na,yes\nb,none\nc,none\n")
    with pytest.raises(InputError, match=r"found 2 labels 'none' next to a single other label, .*yes= with the other"):
        read_annotations(path, IDS)


def test_none_is_the_negative_label_next_to_a_category_and_na_is_no_label(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("item,label\na,attack\nb,none\n")
    assert by_category(path, IDS, "attack") == {"a": 1, "b": 0}
    path.write_text("item,label\na,attack\nb,NA\nc,no\n")
    assert by_category(path, IDS, "attack") == {"a": 1, "c": 0}


@pytest.mark.parametrize("missing", ["999", "?", "-99"])
def test_what_stands_for_a_missing_value_is_no_label(tmp_path, missing):
    path = tmp_path / "sheet.csv"
    path.write_text(f"item,label\na,attack\nb,{missing}\n")
    with pytest.raises(InputError, match=r"line 3: found the label .*, expected attack and one other"):
        by_category(path, IDS, "attack")
    assert read_annotations(path, IDS, {"attack": 1, missing: 0}) == {"sheet": {"a": 1, "b": 0}}


def test_spans_of_texts_are_no_labels(tmp_path):
    with pytest.raises(InputError, match="found an annotation of another form"):
        read(tmp_path, {"id": "a", "label": [[0, 5, "LOC"]]}, categories={"LOC": 1})


def test_a_column_of_a_sheet_can_be_named_as_the_question(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("item,label,is_attack\na,yes,no\nb,no,yes\n")
    assert read_annotations(path, IDS) == {"sheet": {"a": 1, "b": 0}}
    assert read_annotations(path, IDS, question="is_attack") == {"sheet": {"a": 0, "b": 1}}
    with pytest.raises(
        InputError, match="found the columns item, label, is_attack; expected one named 'of_the_export'"
    ):
        read_annotations(path, IDS, question="of_the_export")


def test_capitals_make_no_other_label(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_text("item,label\na,Attack\nb,attack\nc,Protest\n")
    for yes in ("attack", "ATTACK"):
        assert by_category(path, IDS, yes) == {"a": 1, "b": 1, "c": 0}
    assert label_categories(path) == {"Attack", "attack", "Protest"}


def test_the_column_of_labels_has_one_name_in_a_table_and_in_its_sheets(tmp_path):
    (tmp_path / "items.csv").write_text("id,q\n" + "".join(f"a{row},.{row}\n" for row in range(1, 10)))
    (tmp_path / "sheet.csv").write_text(
        "id,said\n" + "".join(f"a{row},{('no', 'yes')[row % 2]}\n" for row in range(1, 10))
    )
    with pytest.raises(InputError, match="found the columns id, said; expected one named 'label'; y= names it"):
        nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv")
    found = nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv", y="said")
    assert found.y.tolist() == nc.read(np.arange(9) / 9, tmp_path / "sheet.csv", id=found.ids, y="said").y.tolist()
    with pytest.raises(InputError, match="question: found 'said' with y='said', expected one of the two"):
        nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv", y="said", question="said")
    (tmp_path / "sheet.csv").write_text("id,label,note\na1,,x\na2,,y\n")
    with pytest.raises(InputError, match="found no label in the columns id, label, note"):
        nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv")
    for ask in nc.estimate, nc.calibrate:
        with pytest.raises(InputError, match="found the columns id, q; expected one named 'y', or y= with its name"):
            ask(nc.read(tmp_path / "items.csv"))


def test_ids_of_which_a_spreadsheet_made_numbers_are_joined_where_only_one_is_meant(tmp_path):
    """Else labels of the first hundred items are lost, and the others are no random sample."""
    rows = "".join(f"{row:03},.5\n" for row in range(200))
    (tmp_path / "sheet.csv").write_text(
        "id,label\n" + "".join(f"{row},{('no', 'yes')[row // 2 % 2]}\n" for row in range(0, 200, 2))
    )
    (tmp_path / "items.csv").write_text("id,q\n" + rows)
    with pytest.warns(InputWarning, match="50 ids joined as numbers, such as '0' with '000'"):
        found = nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv")
    assert found.labelled.tolist() == list(range(0, 200, 2))
    (tmp_path / "items.csv").write_text(f"id,q\n{rows}7,.5\n")
    with pytest.warns(InputWarning, match="50 labels left out, of no row .*: write ids alike, as text"):  # 007 and 7
        assert len(nc.read(tmp_path / "items.csv", tmp_path / "sheet.csv").labelled) == 50
