"""The coding page shows texts as they are, never the machine's answer, keeps codes, and saves what is read back."""

import base64
import hashlib
import html
import json
import re
import time

import numpy as np
import pytest

from nlpcalib.extraction_eval import draw_plan, read_sheet, write_page
from nlpcalib.extraction_eval.codings import Codings
from nlpcalib.extraction_eval.page import category_keys

TITLE = "a <title> & 'quotes'"
TEXTS = (
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "Two\nlines, \u202eright-to-left, \u2028 and 🐕",
    "<!-- data --> /* script */ &amp;",
)
LEADS = ('a,"1"', "<b>2</b>", "=3", "4")
CATEGORIES = ("none", "comment", "</script>", "threat")


def codings_of(categories=CATEGORIES):
    return Codings(categories, LEADS, TEXTS, ("1995-05-01", "", "<i>", ""), np.array([3, 2, 0, 3]))


def made_page(tmp_path, categories=CATEGORIES):
    codings = codings_of(categories)
    plan = draw_plan(codings, codings.sizes, seed=0)
    path = tmp_path / "page ☂.html"
    write_page(path, TITLE, codings, plan)
    return path, plan


def sheet_of(page):
    [data] = re.findall(r'<script type="application/json" class="data">(.*?)</script>', page, re.DOTALL)
    return json.loads(data)


def test_the_sheet_is_in_the_page_as_it_is_without_the_machines_answer(tmp_path):
    path, plan = made_page(tmp_path)
    page = path.read_text(encoding="utf-8")
    sheet = sheet_of(page)
    assert set(sheet) == {"id", "categories", "leads"}
    shown = [f"lead {lead}" for lead in LEADS]
    assert {lead["lead"]: lead["text"] for lead in sheet["leads"]} == dict(zip(shown, TEXTS, strict=True))
    assert {tuple(lead) for lead in sheet["leads"]} == {("lead", "date", "text")}
    assert [category["name"] for category in sheet["categories"]] == list(plan.categories)
    assert page.count("<script") == 2
    assert html.escape(TITLE) in page
    assert "a <title>" not in page


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(tmp_path):
    page = made_page(tmp_path)[0].read_text(encoding="utf-8")
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    inside = [re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1] for tag in ("style", "script")]
    style, script = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inside)
    assert policy == f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    for text in (page.split("</head>")[0], inside[1]):
        assert not re.search(r"https?:|@import|url\(|\bsrc=|innerHTML", text)


def test_other_sheets_have_other_names_and_the_same_the_same(tmp_path):
    codings = codings_of()
    names = []
    for seed in (0, 0, 1):
        write_page(tmp_path / "page.html", TITLE, codings, draw_plan(codings, np.array([1, 0, 1, 1]), seed))
        names.append(sheet_of((tmp_path / "page.html").read_text(encoding="utf-8"))["id"])
    assert names[0] == names[1] != names[2]


@pytest.mark.parametrize("number", [0, 1, 35, 36, 200, 1225, 1226])
def test_no_key_begins_another(number):
    keys = category_keys(number)
    assert len(set(keys)) == max(number, 1) == len(keys)
    assert len({len(key) for key in keys}) == 1
    assert not any("0" in key for key in keys)
    assert (len(keys[0]) == 1) == (number <= 35)


@pytest.fixture
def opened(browser, tmp_path):
    path, plan = made_page(tmp_path)
    browser.get(path.as_uri())
    browser.execute_script("localStorage.clear()")
    browser.refresh()
    browser.plan = plan
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
    return [lead["lead"].removeprefix("lead ") for lead in sheet_of(browser.page_source)["leads"]]


def saved(browser, name="codes.csv"):
    browser.find_element("id", "export").click()
    path = browser.downloads / name
    for _ in range(100):
        if path.exists():
            break
        time.sleep(0.05)
    content = path.read_text(encoding="utf-8")
    path.unlink()
    assert content.startswith("\ufeff")
    return content


def test_every_lead_and_category_is_shown_as_text(opened):
    from selenium.webdriver import Keys

    seen = []
    for _ in LEADS:
        seen.append(text(opened, "text"))
        press(opened, Keys.ARROW_RIGHT)
    assert sorted(seen) == sorted(TEXTS)
    names = [each.get_property("textContent") for each in opened.find_elements("css selector", "#categories li")]
    assert names == ["0none", "1comment", "2</script>", "3threat"]
    assert opened.find_elements("css selector", "#text img, #text script, #place i") == []


def test_keys_code_and_move_on_and_undo_takes_back(opened):
    from selenium.webdriver import ActionChains, Keys

    press(opened, "3", "0")
    assert text(opened, "count") == "2 of 4 coded"
    assert text(opened, "place").startswith("3 of 4")
    press(opened, Keys.BACKSPACE)
    assert text(opened, "count") == "1 of 4 coded"
    assert text(opened, "place").startswith("2 of 4")
    press(opened, Keys.ARROW_LEFT)
    assert text(opened, "answer") == "Coded: threat"
    press(opened, "1", Keys.ARROW_LEFT)
    assert text(opened, "answer") == "Coded: comment"
    ActionChains(opened).key_down(Keys.CONTROL).send_keys("z").key_up(Keys.CONTROL).perform()
    assert text(opened, "answer") == "Coded: threat"
    press(opened, "9", "x", " ")
    assert text(opened, "count") == "1 of 4 coded"
    assert text(opened, "place").startswith("2 of 4")


def test_codes_outlive_the_page_and_are_saved_as_they_are_read_back(opened, tmp_path):
    press(opened, "3", "0", "2")
    opened.find_element("id", "coder").send_keys("Ana B/1")
    opened.refresh()
    assert text(opened, "count") == "3 of 4 coded"
    assert opened.find_element("id", "coder").get_property("value") == "Ana B/1"
    press(opened, "1")
    assert text(opened, "count") == "4 of 4 coded"
    path = tmp_path / "codes.csv"
    path.write_text(saved(opened, "codes_Ana_B_1.csv"), encoding="utf-8")
    assert read_sheet(path, opened.plan) == {
        lead: dict(zip(order(opened), (3, 0, 2, 1), strict=True))[lead] for lead in opened.plan.stratum
    }


def test_what_is_not_coded_is_saved_without_a_code(opened):
    press(opened, "3")
    rows = saved(opened).splitlines()
    assert rows[0] == "\ufefflead,code"
    assert [row.endswith(",") for row in rows[1:]] == [False, True, True, True]


def test_the_mouse_codes_too_and_letters_in_the_name_code_nothing(opened):
    opened.find_element("id", "coder").send_keys("3 1")
    assert text(opened, "count") == "0 of 4 coded"
    opened.find_elements("css selector", "#categories button")[1].click()
    assert text(opened, "count") == "1 of 4 coded"
    press(opened, " ")
    assert text(opened, "count") == "1 of 4 coded"
    assert text(opened, "place").startswith("3 of 4")
    opened.find_element("id", "undo").click()
    assert text(opened, "count") == "0 of 4 coded"
    assert not opened.find_element("id", "undo").is_enabled()


def test_many_categories_have_keys_of_two_characters(browser, tmp_path):
    categories = ("none", *(f"category {number}" for number in range(1, 61)))
    path, _ = made_page(tmp_path, categories)
    browser.get(path.as_uri())
    press(browser, "1")
    assert text(browser, "typed") == "1 …"
    assert text(browser, "count") == "0 of 4 coded"
    press(browser, "0", "1", "1", "2", "2", "0", "0")
    assert text(browser, "count") == "3 of 4 coded"
    codes = dict(row.split(",") for row in saved(browser).splitlines()[1:] if '"' not in row)
    key = {category["key"]: category["name"] for category in sheet_of(path.read_text(encoding="utf-8"))["categories"]}
    assert set(codes.values()) <= {key["11"], key["22"], key["00"], ""}
    assert key["00"] == "none"
