"""Labels come back from sheets and from the exports of other tools, with every slip named."""

import json
import time

import pytest

from nlpcalib.annotation.labels import read_labels
from nlpcalib.annotation.page import write_page
from nlpcalib.annotation.sheet import sheet_rows, write_sheet
from nlpcalib.errors import InputError

IDS = ("a1", "=2", "1/3")
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
    found = read_labels(path, IDS)
    assert found == {name: EXPECTED[name] for name in found}
    assert len(found) == len(export)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_sheet_comes_back_from_a_spreadsheet(tmp_path, delimiter):
    rows = sheet_rows(IDS, ["=SUM(A1)", 'two\nlines, "quoted"', "plain"], seed=4)
    write_sheet(tmp_path / "sheet.csv", rows)
    text = (tmp_path / "sheet.csv").read_bytes().decode("utf-8-sig")
    assert "'=SUM(A1)" in text
    assert sorted(row["item"] for row in rows) == ["item 1/3", "item =2", "item a1"]
    lines = ["item,label", "item a1,YES", "item =2,no", "item 1/3,cannot tell"]
    (tmp_path / "done.csv").write_text("\n".join(lines).replace(",", delimiter), encoding="utf-8-sig")
    assert read_labels(tmp_path / "done.csv", IDS) == EXPECTED


def test_the_order_of_the_sheet_depends_on_ids_and_seed_alone():
    names = [f"d{number}" for number in range(50)]
    first = [row["item"] for row in sheet_rows(names, names, seed=1)]
    assert first == [row["item"] for row in sheet_rows(names[::-1], names, seed=1)]
    assert first != [row["item"] for row in sheet_rows(names, names, seed=2)]


def test_the_category_that_counts_can_have_a_name_of_its_own(tmp_path):
    (tmp_path / "l.csv").write_text("id,label\na1,attack\n=2,protest\n")
    assert read_labels(tmp_path / "l.csv", IDS, yes="attack") == {"a1": True, "=2": False}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("item,label\na9,yes\n", "line 2: found the item 'a9', expected one of the plan"),
        ("item,label\na1,yse\n", r"found the label 'yse' \(nearest: yes\)"),
        ("item,label\na1,yes\na1,no\n", "found labels of 'a1' that differ"),
        ("item,label\na1,\n", "found no label"),
        ("item,text\na1,x\n", "line 1: found the columns item, text; expected item and label"),
        ('item,label\na1,"yes\n', "found a row that is no CSV"),
    ],
)
def test_slips_are_named(tmp_path, content, message):
    path = tmp_path / "labels.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_labels(path, IDS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "line 1: .*expected JSON"),
        ("[3]", "record 1: found '3', expected an object"),
        ('{"text": 1}', "found the keys text, expected one of annotations"),
        ('{"id": "a1", "annotations": [{"result": [{"value": {}}]}]}', "found an annotation of another form"),
    ],
)
def test_files_of_another_form_are_refused(tmp_path, content, message):
    path = tmp_path / "labels.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        read_labels(path, IDS)
    with pytest.raises(InputError, match="no such file"):
        read_labels(tmp_path / "other.json", IDS)


def test_the_page_holds_texts_as_they_are_and_loads_nothing(tmp_path):
    text = "</script><script>document.title='hacked'</script>"
    write_page(tmp_path / "page.html", "Title <b>", "Attack?", "Count bombs.", sheet_rows(["a"], [text], seed=0))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text not in page
    assert "Title &lt;b&gt;" in page
    assert "default-src 'none'" in page
    assert page.count("<script") == 2


def test_keys_label_the_browser_keeps_and_the_file_is_read_back(browser, tmp_path):
    from selenium.webdriver import ActionChains, Keys

    ids = ['a,"1"', "<b>", "=3"]
    write_page(tmp_path / "page.html", "Attacks", "Attack?", "Count bombs.", sheet_rows(ids, ids, seed=0))
    browser.get((tmp_path / "page.html").as_uri())
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    ActionChains(browser).send_keys("y", "n", "c", "c", Keys.BACKSPACE, "y").perform()
    browser.refresh()
    browser.find_element("id", "save").click()
    path = browser.downloads / "labels.csv"
    for _ in range(100):
        if path.exists():
            break
        time.sleep(0.05)
    found = read_labels(path, ids)
    order = [row["item"].removeprefix("item ") for row in sheet_rows(ids, ids, seed=0)]
    assert found == dict(zip(order, (True, False, True), strict=True))
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    browser.find_element("id", "load").send_keys(str(path))
    for _ in range(100):
        if browser.find_element("id", "count").text == "3 of 3":
            break
        time.sleep(0.05)
    assert browser.find_element("id", "count").text == "3 of 3"
    path.unlink()
    assert browser.get_log("browser") == []
