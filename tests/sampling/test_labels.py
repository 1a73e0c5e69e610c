"""Labels come back from sheets and from the exports of other tools, with every slip named."""

import csv
import json

import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.sampling.labels import label_categories, read_annotations
from nlpcalib.sampling.settling import joined_labels, repeated_files, settled_labels
from nlpcalib.sampling.sheet import blind_sheet_rows, check_texts, disagreement_rows, write_blind_sheet

IDS = ("a1", "=2", "1/3")


def labels(path, **options):
    """Return the labels that the annotators of a file settle on."""
    return settled_labels(read_annotations(path, IDS, **options)).labels


EXPECTED = {"a1": True, "=2": False, "1/3": None}

LABEL_STUDIO = [
    {"id": 7, "data": {"id": "a1"}, "annotations": [{"result": [{"type": "choices", "value": {"choices": ["yes"]}}]}]},
    {"id": 8, "data": {"id": "=2"}, "annotations": [{"result": [{"type": "choices", "value": {"choices": ["no"]}}]}]},
    {"id": 9, "data": {"id": "1/3"}, "annotations": [{"was_cancelled": True, "result": []}]},
]
LABEL_STUDIO_SHORT = [{"id": 7, "item": "item a1", "choice": "yes"}, {"id": 8, "item": "=2", "choice": "no"}]
PRODIGY = [
    {"text": "x", "meta": {"id": "a1"}, "answer": "accept"},
    {"text": "x", "meta": {"id": "=2"}, "options": [], "accept": ["no"], "answer": "accept"},
    {"text": "x", "meta": {"id": "1/3"}, "answer": "ignore"},
]
ARGILLA = [
    {"id": "x", "metadata": {"item": "a1"}, "responses": {"label": [{"value": "yes", "user_id": "u"}]}},
    {"id": "=2", "responses": [{"values": {"label": {"value": "no"}}, "status": "submitted"}]},
    {"id": "1/3", "responses": [{"status": "discarded"}, {"status": "draft", "values": {"label": {"value": "yes"}}}]},
]
DOCCANO = [{"id": 1, "item": "a1", "label": ["yes"]}, {"id": 2, "item": "=2", "label": ["no"]}]


@pytest.mark.parametrize("export", [LABEL_STUDIO, LABEL_STUDIO_SHORT, PRODIGY, ARGILLA, DOCCANO])
@pytest.mark.parametrize("lines", [True, False])
def test_exports_of_other_tools_are_read(tmp_path, export, lines):
    path = tmp_path / "export.json"
    path.write_text("\n".join(map(json.dumps, export)) if lines else json.dumps(export))
    found = labels(path)
    assert found == {name: EXPECTED[name] for name in found}
    assert len(found) == len(export)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_sheet_comes_back_from_a_spreadsheet(tmp_path, delimiter):
    rows = blind_sheet_rows(IDS, ["=SUM(A1)", 'two\nlines, "quoted"', "plain"], seed=4)
    write_blind_sheet(tmp_path / "sheet.csv", rows)
    text = (tmp_path / "sheet.csv").read_bytes().decode("utf-8-sig")
    assert "'=SUM(A1)" in text
    assert sorted(row["item"] for row in rows) == ["item 1/3", "item =2", "item a1"]
    lines = ["item,label", "item a1,YES", "item =2,no", "item 1/3,cannot tell"]
    (tmp_path / "done.csv").write_text("\n".join(lines).replace(",", delimiter), encoding="utf-8-sig")
    assert labels(tmp_path / "done.csv") == EXPECTED


def test_the_order_of_the_sheet_depends_on_ids_and_seed_alone():
    names = [f"d{number}" for number in range(50)]
    first = [row["item"] for row in blind_sheet_rows(names, names, seed=1)]
    assert first == [row["item"] for row in blind_sheet_rows(names[::-1], names, seed=1)]
    assert first != [row["item"] for row in blind_sheet_rows(names, names, seed=2)]


def test_the_category_that_counts_can_have_a_name_of_its_own(tmp_path):
    (tmp_path / "l.csv").write_text("id,label\na1,attack\n=2,protest\n")
    assert by_category(tmp_path / "l.csv", IDS, "attack") == {"a1": 1, "=2": 0}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,label\na9,yes\n", "line 2: found the item 'a9', expected one of the 3 that may be labelled"),
        (
            "item,label\n" + "".join(f"z{row},yes\n" for row in range(9)),
            "labels.csv: found 9 items, such as 'z0', expected those of the 3 .*: is it a sheet of another plan",
        ),
        ("item,label\na1,yse\n", r"found the label 'yse' \(nearest: yes\)"),
        ("item,label\na1,yes\na1,no\n", "line 3: found the item 'a1' again, expected it once of each annotator"),
        ("item,annotator,label\na1,U,yes\na1,U,yes\n", "line 3: found the item 'a1' again"),
        ("item,label\na1,\n", "found no label"),
        ("item,text\na1,x\n", "line 1: found the columns item, text; expected one named 'label'; y"),
        ('item,label\na1,"yes\n', "line 2: found a quotation mark that is not closed"),
    ],
)
def test_slips_are_named(tmp_path, content, message):
    path = tmp_path / "labels.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        labels(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 1: found no JSON"),
        ("[3]", r"line 1: found \[3\], expected one JSON object a line, or one list"),
        ('{"text": 1}', "found the keys text, expected one of annotations"),
        ('{"id": "a1", "annotations": [{"result": [{"value": {}}]}]}', "found an annotation of another form"),
    ],
)
def test_files_of_another_form_are_refused(tmp_path, content, message):
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        labels(path)
    with pytest.raises(InputError, match="no such file"):
        labels(tmp_path / "other.json")


def test_each_annotator_of_a_file_has_labels_of_their_own(tmp_path):
    (tmp_path / "l.csv").write_text("item,annotator,label\na1,Ana,yes\na1,Bo,no\n=2,Ana,no\n1/3,,yes\n")
    found = read_annotations(tmp_path / "l.csv", IDS)
    assert found == {"Ana": {"a1": 1, "=2": 0}, "Bo": {"a1": 0}, "l": {"1/3": 1}}
    both = [{"completed_by": {"id": 3, "email": "ana@example"}, "result": [{"value": {"choices": ["yes"]}}]}]
    both.append({"completed_by": 4, "result": [{"value": {"choices": ["no"]}}]})
    (tmp_path / "e.json").write_text(json.dumps([{"data": {"id": "a1"}, "annotations": both}]))
    assert read_annotations(tmp_path / "e.json", IDS) == {"ana@example": {"a1": 1}, "4": {"a1": 0}}
    for each in both:
        del each["completed_by"]
    (tmp_path / "e.json").write_text(json.dumps([{"data": {"id": "a1"}, "annotations": both}]))
    assert read_annotations(tmp_path / "e.json", IDS) == {"e": {"a1": 1}, "e 2": {"a1": 0}}


def test_a_third_annotator_settles_what_two_dispute():
    one, two = {"a": 1, "b": 0, "c": None}, {"a": 0, "b": 0, "c": None}
    found = settled_labels({"one": one, "two": two})
    assert (found.labels, found.disputed) == ({"b": 0, "c": None}, ("a",))
    assert settled_labels({"one": one, "two": two, "three": {"a": 1}}).labels == {"b": 0, "c": None, "a": 1}
    assert settled_labels({"one": one, "two": two}, {"a": 0}).labels == {"b": 0, "c": None, "a": 0}
    assert settled_labels({"one": one, "two": two, "three": {"a": None}}).disputed == ("a",)


def test_a_file_that_repeats_another_is_found_with_its_original():
    """Sheets without a name of an annotator; a third repeats the first, and an annotator may agree with another."""
    one, other = {"a": 1, "b": None}, {"a": 1, "b": 0}
    files = [("x", {"x": one}), ("y", {"y": other}), ("z", {"z": dict(one)}), ("w", {"Ana": one}), ("v", {"v": other})]
    assert repeated_files(files) == [(2, 0), (4, 1)]


def test_disagreements_are_a_sheet_with_the_label_of_each_and_what_they_settled_on():
    annotators = {"Ana": {"a": 1, "b": 0, "c": 1}, "Bo": {"a": 0, "b": 0, "c": None}, "Cy": {"c": 1, "d": 0}}
    rows = disagreement_rows(
        annotators, settled_labels(annotators), "text of {}".format, {1: "yes", 0: "no", None: "?"}.get
    )
    assert rows == [
        {"item": "item a", "text": "text of a", "label of Ana": "yes", "label of Bo": "no", "label of Cy": "",
         "label": ""},
        {"item": "item c", "text": "text of c", "label of Ana": "yes", "label of Bo": "?", "label of Cy": "yes",
         "label": "yes"},
    ]  # fmt: skip


def test_a_sheet_of_another_text_is_refused_with_its_line(tmp_path):
    """Blanks, ends of lines and an apostrophe may differ, and so may what a spreadsheet cuts off."""
    path, texts = tmp_path / "sheet.csv", {"a": "one two", "b": "=1", "c": "x" * 32_000 + "y"}
    rows = ["item,text,label", "item a,one  two ,yes", "b,'=1,no", f"c,{'x' * 32_000}z,no"]
    path.write_text("\n".join(rows))
    check_texts(path, texts)
    path.write_text("item,label\na,yes")
    check_texts(path, texts)
    path.write_text("\n".join([*rows[:3], f"c,{'x' * 31_999}z,no"]))
    with pytest.raises(InputError, match=r"line 4: found the text 'x{40}' of the item 'c', expected 'x{40}'; is it "):
        check_texts(path, texts)


def test_categories_that_a_spreadsheet_makes_one_number_have_no_sheet(tmp_path):
    for names in (["010", "10"], ["no", "1", "1.0"]):
        with pytest.raises(InputError, match=f"found the categories {names[-2]!r} and {names[-1]!r}"):
            write_blind_sheet(tmp_path / "sheet.csv", [], names)
    write_blind_sheet(tmp_path / "sheet.csv", [], ["10", "100", "no", "none"])
    assert (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig") == "item,text,label\n"


@pytest.mark.parametrize("wrong", [5, 6])
@pytest.mark.parametrize("kind", ["strangers", "slips"])
def test_five_slips_are_listed_and_of_more_the_number(tmp_path, kind, wrong):
    path, ids = tmp_path / "labels.csv", [f"i{number}" for number in range(9)]
    lines = [f"z{number},yes" if kind == "strangers" else f"i{number},yse" for number in range(wrong)]
    path.write_text("\n".join(["item,label", *lines]))
    with pytest.raises(InputError) as found:
        read_annotations(path, ids)
    message = str(found.value)
    if wrong == 6 and kind == "strangers":
        assert "found 6 items, such as 'z0', expected those of the 9" in message
    else:
        assert message.partition("; and ")[2] == ("1 more" if wrong == 6 else "")
        assert [f"line {number}:" in message for number in range(2, 8)] == [True] * 5 + [False]


def test_files_of_one_annotator_are_joined_and_must_not_differ():
    assert joined_labels([("one", {"U": {"a": 1}}), ("two", {"U": {"a": 1, "b": 0}})]) == {"U": {"a": 1, "b": 0}}
    with pytest.raises(InputError, match="found two labels of 'a' by 'U', expected one"):
        joined_labels([("one", {"U": {"a": 1}}), ("two", {"U": {"a": None}})])


def test_a_yes_among_several_choices_is_a_yes_and_several_categories_are_refused(tmp_path):
    path = tmp_path / "export.json"
    record = {"data": {"id": "a"}, "annotations": [{"result": [{"value": {"choices": ["riot", "protest"]}}]}]}
    path.write_text(json.dumps([record]), encoding="utf-8")
    assert label_categories(path) == {"protest", "riot"}
    assert by_category(path, {"a"}, "protest") == {"a": 1}
    with pytest.raises(InputError, match="found the labels riot, protest of one item, expected one, or yes='NAME'"):
        read_annotations(path, {"a"}, {"protest": 0, "riot": 2})


def by_category(path, ids, yes):
    """Return 1 for items that have a category among their labels, and 0 for others."""
    names = sorted(ids)
    found = nc.read([0.3] * len(names), path, id=names, yes=f'"{yes}"')
    return {names[row]: found.y[row] for row in found.labelled.tolist()}


def sheet(tmp_path, labels):
    path = tmp_path / "l.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("item", "label"), *labels.items()])
    return path


@pytest.mark.parametrize("between", [", ", ",", ";", " | "])
def test_a_category_whose_name_has_a_comma_is_one_category(between, tmp_path):
    """Parts of a name that stand nowhere alone are no labels of their own."""
    name = f"Robbery{between}armed"
    path = sheet(tmp_path, {"a1": name, "=2": "Theft", "1/3": name})
    assert label_categories(path) == {name, "Theft"}
    assert by_category(path, IDS, name) == {"a1": 1, "=2": 0, "1/3": 1}
    assert by_category(path, IDS, "Theft") == {"a1": 0, "=2": 1, "1/3": 0}
    with pytest.raises(InputError, match=r"found the labels .*, expected 'robbery' among them"):
        by_category(path, IDS, "robbery")


@pytest.mark.parametrize("between", ["#", ",", ";", " | "])
def test_labels_that_stand_alone_elsewhere_are_joined(between, tmp_path):
    path = sheet(tmp_path, {"a1": f"attack{between}flood", "=2": "flood", "1/3": "attack"})
    assert label_categories(path) == {"attack", "flood"}
    assert by_category(path, IDS, "attack") == {"a1": 1, "=2": 0, "1/3": 1}


@pytest.mark.parametrize(
    "cell", ["Mevl?t ?avu?o?lu asks: why?", "Mevlüt Çavuşoğlu  asks: why?", "Mevlüt Çavu?o?lu asks: why?"]
)
def test_a_sheet_that_excel_saved_without_some_letters_is_that_of_the_texts(tmp_path, cell):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(f'item,text,label\nitem 1,"{cell}",yes\n', encoding="utf-8")
    check_texts(sheet, {"1": "Mevlüt Çavuşoğlu asks: why?"})
    for other in ("Mevlüt Çavuşoğlu asks why", "Somebody asks: why?", "Mevlüt Çavuşoğlu asks: why? And when?"):
        with pytest.raises(InputError, match="is it the sheet of another file"):
            check_texts(sheet, {"1": other})


def test_letters_that_excel_writes_as_two_question_marks_are_one(tmp_path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text('item,text,label\nitem 1,"so happy ?? now",yes\n', encoding="utf-8")
    check_texts(sheet, {"1": "so happy 😀 now"})


@pytest.mark.parametrize(
    ("names", "people"),
    [
        (("part1_ana", "part1_ben", "part2_ana", "part2_ben"), ["part1_ana and part2_ana", "part1_ben and part2_ben"]),
        (("sheet-1", "sheet-2"), ["sheet-1 and sheet-2"]),
        (("p1_rater1", "p1_rater2", "p2_rater1", "p2_rater2"), ["p1_rater1 and p2_rater1", "p1_rater2 and p2_rater2"]),
        (("reader1", "reader2"), ["reader1", "reader2"]),
        (("mturk_worker_17", "mturk_worker_42"), ["mturk_worker_17", "mturk_worker_42"]),
        (("ana", "ben"), ["ana", "ben"]),
        (("Ana", "ana"), ["Ana"]),
    ],
)
def test_files_of_two_parts_are_one_readers_if_they_share_no_item(names, people):
    later = {name for name in names if names.index(name) >= len(names) / 2}
    files = [(name, {name: {f"{'b' if name in later else 'a'}{item}": 1 for item in range(3)}}) for name in names]
    assert list(joined_labels(files)) == people
    shared = [(name, {name: {"a1": 1}}) for name in names]
    assert list(joined_labels(shared)) == list(names)


def test_readers_that_a_column_names_are_those_that_it_names():
    files = [("sheet-1", {"1": {"a": 1}, "2": {"b": 1}}), ("sheet-2", {"1": {"b": 0}, "Ana ": {"b": 1}})]
    assert joined_labels(files) == {"1": {"a": 1, "b": 0}, "2": {"b": 1}, "Ana ": {"b": 1}}
    further = [*files, ("sheet-3", {"ana": {"c": 1}})]
    assert joined_labels(further)["Ana "] == {"b": 1, "c": 1}


def test_a_tools_own_number_is_no_id_where_the_task_has_one(tmp_path):
    path = tmp_path / "export.json"
    result = [{"type": "choices", "from_name": "c", "value": {"choices": ["yes"]}}]
    path.write_text(json.dumps([{"id": 2, "data": {"id": "1.0"}, "annotations": [{"result": result}]}]))
    with pytest.raises(InputError, match=r"found the item '1\.0', expected one of the 2 that may be labelled"):
        read_annotations(path, {"1", "2"})
    short = {"text": "…", "item": " a ", "id": 2, "c": "yes", "annotator": 1, "annotation_id": 4}
    path.write_text(json.dumps([short]))
    assert read_annotations(path, {"a", "2"}) == {"1": {"a": 1}}
    path.write_text(json.dumps([{"item": "shoe", "id": "a", "label": ["yes"]}]))
    assert read_annotations(path, {"a"}) == {"export": {"a": 1}}
