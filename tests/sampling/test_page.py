"""The annotation page shows texts as they are, never a prediction, keeps labels, and saves what is read back."""

import base64
import hashlib
import html
import json
import re

import pytest

from nlpcalib.sampling.labels import read_annotations
from nlpcalib.sampling.page import category_answers, write_annotation_page
from nlpcalib.sampling.sheet import blind_sheet_rows

TITLE = "a <title> & 'quotes'"
TEXTS = (
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "Two\nlines, \u202eright-to-left, \u2028 and 🐕",
    "<!-- data --> /* script */ &amp;",
)
IDS = ('a,"1"', "<b>2</b>", "=3", "4")
DATES = ("1995-05-01", "", "<i>", "")
CATEGORIES = ("none", "comment", "</script>", "threat")
NUMBERS = {name: number for number, name in enumerate(CATEGORIES)}


def made_page(tmp_path, categories=CATEGORIES, seed=0):
    path = tmp_path / "page ☂.html"
    rows = blind_sheet_rows(IDS, TEXTS, seed, DATES)
    write_annotation_page(
        path, TITLE, "Which <category>?", "Count\n<b>threats</b>.", rows, category_answers(categories)
    )
    return path


def sheet_of(page):
    [data] = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)


def test_the_sheet_is_in_the_page_as_it_is_and_nothing_else(tmp_path):
    page = made_page(tmp_path).read_text(encoding="utf-8")
    sheet = sheet_of(page)
    assert set(sheet) == {"id", "question", "codebook", "answers", "rows"}
    assert {row["item"]: row["text"] for row in sheet["rows"]} == {
        f"item {name}": text for name, text in zip(IDS, TEXTS, strict=True)
    }
    assert {tuple(row) for row in sheet["rows"]} == {("item", "date", "text")}
    assert [answer["name"] for answer in sheet["answers"]] == [*CATEGORIES, "cannot tell"]
    assert page.count("<script") == 2
    assert html.escape(TITLE) in page
    assert "a <title>" not in page


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(tmp_path):
    page = made_page(tmp_path).read_text(encoding="utf-8")
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    inside = [re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1] for tag in ("style", "script")]
    style, script = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inside)
    assert policy == f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    for text in (page.split("</head>")[0], inside[1]):
        assert not re.search(r"https?:|@import|url\(|\bsrc=|innerHTML", text)


def test_other_sheets_have_other_names_and_the_same_the_same(tmp_path):
    names = [sheet_of(made_page(tmp_path, seed=seed).read_text(encoding="utf-8"))["id"] for seed in (0, 0, 1)]
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("number", [0, 1, 35, 36, 200, 1225, 1226])
def test_no_key_begins_another(number):
    *answers, last = category_answers(["none", *map(str, range(number))])
    keys = [key for _, key in answers]
    assert len(set(keys)) == number + 1 == len(keys)
    assert len({len(key) for key in keys}) == 1
    assert set(keys[0]) == {"0"}
    assert not any("0" in key for key in keys[1:])
    assert (len(keys[0]) == 1) == (number <= 35)
    assert last == ("cannot tell", "?")


@pytest.fixture
def opened(browser, tmp_path):
    browser.opened_anew(made_page(tmp_path))
    browser.annotate_as("Ana B/1")
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title == TITLE


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def text(browser, name):
    return browser.find_element("id", name).get_property("textContent")


def order(browser):
    return [row["item"].removeprefix("item ") for row in sheet_of(browser.page_source)["rows"]]


def chosen(browser):
    return [
        each.get_property("textContent")[1:]
        for each in browser.find_elements("css selector", "#answers button[aria-pressed=true]")
    ]


def saved(browser, name="labels_Ana_B_1.csv"):
    path = browser.saved(name)
    content = path.read_text(encoding="utf-8")
    path.unlink()
    assert content.startswith("\ufeff")
    return content


def test_every_item_and_answer_is_shown_as_text(opened):
    from selenium.webdriver import Keys

    seen = []
    for _ in IDS:
        seen.append(text(opened, "text"))
        press(opened, Keys.ARROW_RIGHT)
    assert sorted(seen) == sorted(TEXTS)
    names = [each.get_property("textContent") for each in opened.find_elements("css selector", "#answers li")]
    assert names == ["0none", "1comment", "2</script>", "3threat", "?cannot tell"]
    assert text(opened, "codebook") == "Count\n<b>threats</b>."
    assert text(opened, "question") == "Which <category>?"
    assert opened.find_elements("css selector", "#text img, #text script, #place i, #codebook b") == []


def test_keys_label_and_move_on_and_undo_takes_back(opened):
    from selenium.webdriver import ActionChains, Keys

    press(opened, "3", "0")
    assert text(opened, "count") == "2 of 4"
    assert text(opened, "place").startswith("3 of 4")
    press(opened, Keys.BACKSPACE)
    assert text(opened, "count") == "1 of 4"
    assert text(opened, "place").startswith("2 of 4")
    press(opened, Keys.ARROW_LEFT)
    assert chosen(opened) == ["threat"]
    press(opened, "?", Keys.ARROW_LEFT)
    assert chosen(opened) == ["cannot tell"]
    ActionChains(opened).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    assert chosen(opened) == ["threat"]
    press(opened, "9", "x", " ")
    assert text(opened, "count") == "1 of 4"
    assert text(opened, "place").startswith("2 of 4")


def test_labels_outlive_the_page_and_are_saved_as_they_are_read_back(opened, tmp_path):
    press(opened, "3", "0", "2")
    opened.kept()
    opened.refresh()
    opened.until(lambda: text(opened, "annotator") == "Ana B/1")
    opened.until(lambda: text(opened, "count") == "3 of 4")
    press(opened, "?")
    path = tmp_path / "labels.csv"
    path.write_text(saved(opened), encoding="utf-8")
    expected = dict(zip(order(opened), (3, 0, 2, None), strict=True))
    assert read_annotations(path, IDS, NUMBERS) == {"Ana B/1": expected}
    opened.opened_anew(made_page(tmp_path))
    opened.annotate_as("Ana B/1")
    assert text(opened, "count") == "0 of 4"
    opened.find_element("id", "load").send_keys(str(path))
    opened.until(lambda: text(opened, "count") == "4 of 4")


def test_what_is_not_annotated_is_saved_without_a_label(opened):
    press(opened, "3")
    rows = saved(opened).splitlines()
    assert rows[0] == "\ufeffitem,annotator,label"
    assert [row.endswith(",") for row in rows[1:]] == [False, True, True, True]


def test_the_mouse_labels_too_and_letters_in_the_name_label_nothing(opened):
    opened.find_element("id", "change").click()
    opened.until(lambda: text(opened, "annotator") == "")
    press(opened, "3 1")
    opened.annotate_as("")
    assert text(opened, "annotator") == "3 1"
    assert text(opened, "count") == "0 of 4"
    opened.find_elements("css selector", "#answers button")[1].click()
    assert text(opened, "count") == "1 of 4"
    press(opened, " ")
    assert text(opened, "count") == "1 of 4"
    assert text(opened, "place").startswith("3 of 4")
    opened.find_element("id", "undo").click()
    assert text(opened, "count") == "0 of 4"
    assert not opened.find_element("id", "undo").is_enabled()


def test_many_categories_have_keys_of_two_characters(browser, tmp_path):
    path = made_page(tmp_path, ("none", *(f"category {number}" for number in range(1, 61))))
    browser.opened_anew(path)
    browser.annotate_as("Ana B/1")
    press(browser, "1")
    assert text(browser, "typed") == "1 …"
    assert text(browser, "count") == "0 of 4"
    press(browser, "0", "1", "1", "2", "2", "0", "0")
    assert text(browser, "count") == "3 of 4"
    labels = {row.rpartition(",")[2] for row in saved(browser).splitlines()[1:]}
    key = {answer["key"]: answer["name"] for answer in sheet_of(path.read_text(encoding="utf-8"))["answers"]}
    assert labels == {key["11"], key["22"], key["00"], ""}
    assert key["00"] == "none"
