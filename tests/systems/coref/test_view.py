"""The page shows what the answer says, whatever the text, and asks nobody for anything."""

import base64
import hashlib
import html
import json
import re

import pytest

from nlpcalib.io.page import data_element, frame
from nlpcalib.systems.coref.resolve_files import PAGE_FOLDER

WORDS = [
    "</script><script>document.title='hacked'</script>",
    "<!--",
    "<img src=x onerror=\"document.title='hacked'\">",
    "&amp;",
    "\"'`",
    "\u202eright-to-left",
    "\u2028",
    "🐕",
    "אבג",
]


def mention(start, end, new, antecedents, entity, membership):
    text = " ".join(WORDS[start:end])
    return {
        **{"sentence": 0, "start": start, "end": end, "head": start, "kind": "nominal", "text": text},
        **{
            "entity": entity,
            "membership": membership,
            "new": new,
            "antecedents": antecedents,
            "other_antecedents": 0.0,
        },
    }


def answer_of(name):
    """An answer with mentions that are nested (0 in 1) and that cross (1 and 2), and two samples."""
    return {
        **{"document": name, "at_least": 0.01, "threshold": 0.25, "seed": 0},
        "sentences": [{"speaker": "<b>Jo</b>", "words": WORDS, "space_after": [True] * 9}],
        "mentions": [
            mention(0, 1, 1.0, [], "e1", 0.7),
            mention(0, 3, 0.9, [[0, 0.1]], "e2", 0.9),
            mention(2, 5, 0.3, [[0, 0.7]], "e1", 0.7),
            mention(8, 9, 1.0, [], "e3", 1.0),
        ],
        "entities": [
            {"id": "e1", "name": "<u>Ana</u>", "mentions": [0, 2], "coherence": 0.7, "probability": 0.63},
            {"id": "e2", "mentions": [1], "coherence": 0.9, "probability": 0.9},
            {"id": "e3", "mentions": [3], "coherence": 1.0, "probability": 1.0},
        ],
        "pairs": [[0, 1, 0.1], [0, 2, 0.7], [1, 2, 0.07]],
        "omitted_pairs": {"count": 3, "expected_coreferent": 0.0},
        "samples": [[0, 1, 0, 3], [0, 0, 2, 3]],
    }


@pytest.fixture
def page():
    before, after = frame(PAGE_FOLDER, "a <title> & 'quotes'.txt")
    return before + data_element(answer_of("one")) + data_element(answer_of("<i>two</i>")) + after


def test_documents_are_in_the_page_as_they_are_whatever_their_text(page):
    elements = re.findall(r"<script([^>]*)>(.*?)</script>", page, re.DOTALL)
    documents = [json.loads(text) for attributes, text in elements if "application/json" in attributes]
    assert documents == [answer_of("one"), answer_of("<i>two</i>")]
    assert len(elements) == 3
    assert not any("<" in text for attributes, text in elements if attributes)
    assert html.escape("a <title> & 'quotes'.txt") in page
    assert "a <title>" not in page


def test_the_policy_allows_the_pages_own_style_and_script_and_nothing_else(page):
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    inside = [re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1] for tag in ("style", "script")]
    style, script = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inside)
    assert policy == f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    for text in (page.split("</head>")[0], inside[1]):
        assert not re.search(r"https?:|@import|url\(|\bsrc=|\bhref=|innerHTML", text)


@pytest.fixture
def opened(browser, page, tmp_path):
    path = tmp_path / "page ☂.html"
    path.write_text(page, encoding="utf-8")
    browser.get(path.as_uri())
    yield browser
    assert browser.get_log("browser") == []
    assert browser.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert browser.title == "a <title> & 'quotes'.txt"


def texts(browser, selector):
    return [each.get_property("textContent") for each in browser.find_elements("css selector", selector)]


def shares(browser):
    return browser.execute_script(
        "return [...document.querySelectorAll('.mention[tabindex]')]"
        ".map((node) => [node.dataset.mention, node.style.getPropertyValue('--heat-share') || '0%'])"
        ".map(([mention, share]) => [mention, Math.round(parseFloat(share))])"
    )


def classes(browser, mention):
    return browser.find_element("css selector", f".mention[data-mention='{mention}']").get_attribute("class").split()


def test_the_browser_shows_every_word_as_text(opened):
    assert texts(opened, ".word") == WORDS
    assert texts(opened, ".speaker") == ["<b>Jo</b>"]
    assert texts(opened, "#text img, #text b, #text script") == []
    assert texts(opened, "option") == ["one", "<i>two</i>"]


def test_mentions_that_nest_and_cross_hold_their_words(opened):
    for number, content in enumerate(answer_of("one")["mentions"]):
        parts = texts(opened, f".mention[data-mention='{number}']")
        assert "".join("".join(parts).split()) == "".join(content["text"].split())
    assert len(texts(opened, ".mention[tabindex]")) == 4


def test_pointing_and_focus_show_antecedents_and_marginals(opened):
    from selenium.webdriver import ActionChains, Keys

    ActionChains(opened).move_to_element(opened.find_element("css selector", "[data-mention='2']")).perform()
    assert shares(opened) == [["1", 7], ["0", 70], ["2", 0], ["3", 0]]
    assert texts(opened, "#mention .number") == ["30 %", "70 %", "70 %", "7 %"]
    ActionChains(opened).move_to_element(opened.find_element("css selector", "h1")).perform()
    assert {share for _, share in shares(opened)} == {0}
    opened.execute_script("document.querySelector('[data-mention=\"3\"]').focus()")
    assert "current" in classes(opened, 3)
    ActionChains(opened).send_keys(Keys.ENTER).perform()
    ActionChains(opened).move_to_element(opened.find_element("css selector", "[data-mention='0']")).perform()
    assert "current" in classes(opened, 3)
    ActionChains(opened).send_keys(Keys.ESCAPE).perform()
    assert "asked" not in opened.find_element("css selector", "body").get_attribute("class")


def test_numbers_are_explained_where_they_stand_and_entities_have_their_names(opened):
    assert texts(opened, "button.entity .name") == ["<u>Ana</u>"]
    opened.execute_script("document.querySelector('[data-mention=\"2\"]').focus()")
    panel = " ".join(texts(opened, "#mention p"))
    assert "Entity 1 <u>Ana</u>: 70 %" in panel
    assert "These add up to 100 %." in panel
    assert "the mean probability that two of them are one entity" in texts(opened, "#entities .hint")[0]
    assert opened.find_elements("css selector", "u") == []


def test_paragraphs_lines_and_turns_are_those_of_the_text(browser, tmp_path):
    turns = [(None, ""), (None, ""), (None, "paragraph"), ("Jo", "line"), ("Jo", ""), ("Al", ""), (None, "line")]
    sentences = [
        {"speaker": speaker, "break": gap, "words": [f"w{n}"], "space_after": []}
        for n, (speaker, gap) in enumerate(turns)
    ]
    content = answer_of("d") | {"sentences": sentences, "mentions": [], "entities": [], "pairs": [], "samples": []}
    before, after = frame(PAGE_FOLDER, "one")
    path = tmp_path / "page.html"
    path.write_text(before + data_element(content) + after, encoding="utf-8")
    browser.get(path.as_uri())
    found = [(each.get_attribute("class"), each.text) for each in browser.find_elements("css selector", "#text p")]
    assert found == [
        *(("paragraph", "w0 w1"), ("paragraph", "w2"), ("line", "Jow3 w4"), ("line", "Alw5"), ("line", "w6")),
    ]


def test_the_longest_chain_is_first(browser, tmp_path):
    content = answer_of("d")
    mentions = [mention(n, n + 1, 1.0, [], "e1", 1.0) for n in range(5)]
    entities = [
        {"id": f"e{n}", "name": name, "mentions": members, "coherence": 1.0, "probability": 1.0}
        for n, (name, members) in enumerate([("short", [0, 1]), ("long", [2, 3, 4])])
    ]
    content |= {"mentions": mentions, "entities": entities, "pairs": [], "samples": []}
    before, after = frame(PAGE_FOLDER, "one")
    path = tmp_path / "page.html"
    path.write_text(before + data_element(content) + after, encoding="utf-8")
    browser.get(path.as_uri())
    assert texts(browser, "button.entity .name") == ["long", "short"]


def test_samples_show_who_goes_elsewhere(opened):
    from selenium.webdriver import Keys

    assert texts(opened, "#which") == ["4 mentions; 1 entity has several"]
    opened.find_element("id", "sample").send_keys(Keys.ARROW_RIGHT)
    assert texts(opened, "#which") == ["Sample 1 of 2: 0 mentions differ (dashed)"]
    opened.find_element("id", "sample").send_keys(Keys.ARROW_RIGHT)
    assert ["moved" in classes(opened, number) for number in range(4)] == [False, True, True, False]
    assert "alone" in classes(opened, 2)
    opened.find_element("id", "decoded").click()
    assert not any("moved" in classes(opened, number) for number in range(4))


def test_another_document_can_be_chosen(opened):
    opened.find_element("css selector", "option[value='1']").click()
    assert texts(opened, ".word") == WORDS
    assert texts(opened, "#which") == ["4 mentions; 1 entity has several"]


def test_without_samples_there_is_nothing_to_flip_through(browser, tmp_path):
    before, after = frame(PAGE_FOLDER, "one")
    path = tmp_path / "page.html"
    path.write_text(before + data_element(answer_of("one") | {"samples": []}) + after, encoding="utf-8")
    browser.get(path.as_uri())
    assert not browser.find_element("id", "sample").is_displayed()
    assert browser.find_element("id", "decoded").is_displayed()
