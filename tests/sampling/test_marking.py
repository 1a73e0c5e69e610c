"""A page on which annotators mark who did it, against whom, and where: each item once, for every kind, by keys."""

import csv
import json
import re
from pathlib import Path

import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.sampling.page import Kind, write_annotation_page
from nlpcalib.sampling.sheet import blind_sheet_rows
from nlpcalib.systems.events.learn.labels import marked_countries, read_event_labels
from nlpcalib.systems.events.learn.marks_page import marked_rows
from nlpcalib.systems.events.read.lexicon import country_names, load_lexicon

TEXTS = {
    "a1": "Israeli jets bomb Lebanon, and Hezbollah fires rockets. Protesters march in Iran.",
    "b2": "The weather was fine.",
    "c3": "France marks the anniversary of the war in Algeria.",
}
KINDS = (
    Kind("force", "Source of physical <b>force</b> that the text asserts."),
    Kind("protest", "Country where people march.", pairs=False),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "page.html"
    rows = marked_rows(
        blind_sheet_rows(list(TEXTS), list(TEXTS.values()), 0), load_lexicon(["packaged", "cities", "actors"])
    )
    write_annotation_page(path, "Part 1", "", "", rows, kinds=KINDS, names=country_names())
    return path


@pytest.fixture
def opened(browser, page):
    browser.opened_anew(page)
    browser.annotate_as("Ana")
    yield browser
    assert browser.get_log("browser") == []


def press(browser, *keys):
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()


def go_to(browser, item):
    """Move to an item, from the first."""
    from selenium.webdriver import Keys

    [data] = re.findall(r'<script type="application/json" class="data">(.*?)</script>', browser.page_source, re.DOTALL)
    order = [row["item"] for row in json.loads(data)["rows"]]
    press(browser, *[Keys.ARROW_LEFT] * 3, *[Keys.ARROW_RIGHT] * order.index(f"item {item}"))


def texts(browser, selector):
    return [each.get_property("textContent") for each in browser.find_elements("css selector", selector)]


def saved(browser, folder):
    return browser.saved("labels_Ana.csv").rename(folder / "labels.csv")


def test_the_page_shows_definitions_and_the_countries_that_the_item_names_and_no_prediction(opened):
    go_to(opened, "a1")
    assert texts(opened, "#countries button") == ["1Israel", "2Lebanon", "3Iran"]
    assert texts(opened, "#kinds .hint") == [kind.definition for kind in KINDS]
    assert opened.find_elements("css selector", "#kinds b") == []
    assert texts(opened, "#answers li") == []
    go_to(opened, "b2")
    assert texts(opened, "#countries button") == []


def test_pairs_places_mentions_and_none_are_marked_by_keys_and_read_back(opened, tmp_path):
    from selenium.webdriver import Keys

    go_to(opened, "a1")
    press(opened, "1", "2")  # Israel against Lebanon
    press(opened, "2", Keys.ENTER)  # Lebanon against nobody who has a country
    assert texts(opened, ".current .mark") == ["Israel → Lebanon ✕", "Lebanon ✕"]
    press(opened, Keys.ENTER, "3", Keys.ENTER)  # the next kind: a protest in Iran, and the item is done
    go_to(opened, "b2")
    press(opened, "0")
    go_to(opened, "c3")
    press(opened, "1", "2", "~", Keys.ENTER, "?")
    assert texts(opened, "#count") == ["3 of 3"]
    opened.kept()
    opened.refresh()
    opened.until(lambda: texts(opened, "#count") == ["3 of 3"])
    path = saved(opened, tmp_path)
    assert sorted(path.read_text(encoding="utf-8-sig").splitlines()) == [
        "item a1,Ana,ISR>LBN LBN,IRN",
        "item b2,Ana,none,none",
        "item c3,Ana,~FRA>DZA,cannot tell",
        "item,annotator,force,protest",
    ]
    force = read_event_labels([path], set(TEXTS), question="force")
    assert force == {"a1": {"ISR", "LBN"}, "b2": frozenset(), "c3": frozenset()}
    against = read_event_labels([path], set(TEXTS), question="force", roles=("patient",))
    assert against["a1"] == {"LBN"}
    assert read_event_labels([path], set(TEXTS), question="protest") == {"a1": {"IRN"}, "b2": frozenset(), "c3": None}


def test_another_country_is_typed_by_name_and_a_slip_is_taken_back(opened, tmp_path):
    from selenium.webdriver import Keys

    go_to(opened, "b2")
    press(opened, "+", "peru", Keys.ENTER, Keys.ENTER)
    assert texts(opened, ".current .mark") == ["Peru ✕"]
    press(opened, Keys.BACKSPACE)
    assert texts(opened, ".current .mark") == []
    press(opened, "+", "Atlantis", Keys.ENTER)
    assert opened.find_element("id", "unknown").is_displayed()
    press(opened, Keys.ESCAPE, ".", Keys.BACKSPACE, Keys.ARROW_DOWN, "1")
    assert texts(opened, ".current .mark") == ["Peru ✕"]


def test_saved_marks_continue_elsewhere(opened, page, tmp_path):
    go_to(opened, "a1")
    press(opened, "1", "3", "0")
    path = saved(opened, tmp_path)
    opened.opened_anew(page)
    opened.annotate_as("Ana")
    assert texts(opened, "#count") == ["0 of 3"]
    opened.find_element("id", "load").send_keys(str(path))
    opened.until(lambda: texts(opened, "#count") == ["1 of 3"])
    go_to(opened, "a1")
    assert texts(opened, "#kinds .mark") == ["Israel → Iran ✕"]


def test_the_command_writes_the_page_and_reads_its_marks(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("id,text\n" + "".join(f'{name},"{text}"\n' for name, text in TEXTS.items()))
    corpus, out = str(tmp_path / "t.csv"), tmp_path / "p"
    plan = ["plan", "items", corpus, "--match", "bomb|war", "--budget", "3", "--design", "random", "--out", str(out)]
    assert main([*plan, "--mark", "assault", "--mark-place", "flood=Country that a flood strikes"]) == 0
    content = re.search(r'class="data">(.*?)</script>', (tmp_path / "p/page-1.html").read_text())[1]
    assert (tmp_path / "p/sheet-1.csv").read_text(encoding="utf-8-sig").splitlines()[0] == "item,text,assault,flood"
    asked = {kind["name"]: kind["pairs"] for kind in json.loads(content)["kinds"]}
    assert asked == {"assault": True, "flood": False}
    labels = tmp_path / "labels.csv"
    labels.write_text(
        "item,annotator,assault,flood\nitem a1,Ana,ISR>LBN,none\nitem b2,Ana,none,none\nitem c3,Ana,~FRA,none\n"
    )
    read = ["estimate", str(tmp_path / "t.csv"), str(labels), "--plan", str(tmp_path / "p/plan.json")]
    capsys.readouterr()
    assert main([*read, "--question", "assault"]) == 0
    assert capsys.readouterr().out.startswith("1 of 3 items")
    assert main([*read, "--question", "asault"]) == 2
    assert "expected one named 'asault'" in capsys.readouterr().err
    again = [*plan[:-1], str(tmp_path / "q"), "--mark"]
    assert main([*again, "annotator=Who reads"]) == 2
    assert "found the kind 'annotator', expected another name" in capsys.readouterr().err
    assert main([*again, "assault", "--ask", "Why?"]) == 2
    assert "found --ask and --mark, expected one" in capsys.readouterr().err


def test_items_without_texts_have_no_page_and_marks_are_refused(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("id,q\na,.1\nb,.9\n")
    plan = ["plan", "items", str(tmp_path / "t.csv"), "--budget", "2", "--out", str(tmp_path / "p")]
    assert main([*plan, "--mark", "assault"]) == 2
    assert "found no column text, expected one" in capsys.readouterr().err
    assert main(plan) == 0
    assert "No page: " in capsys.readouterr().out
    assert not (tmp_path / "p/page-1.html").exists()


@pytest.mark.parametrize(
    ("answer", "agents", "patients"),
    [
        ("ISR>PSE USA", {"ISR", "USA"}, {"PSE", "USA"}),
        (">PSE", set(), {"PSE"}),
        ("~ISR>PSE", set(), set()),
        ("ISR>", {"ISR"}, set()),
    ],
)
def test_a_mark_has_a_source_and_a_target(answer, agents, patients):
    known = country_names()
    assert marked_countries(answer, known) == agents
    assert marked_countries(answer, known, ("patient",)) == patients


def test_marks_of_places_are_yes_in_an_estimate_of_the_plan_that_asked_for_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    places = ["Germany", "Peru", "none"]
    rows = [f"n{n},{'a flood hit ' if n % 3 < 2 else 'no news of '}{places[n % 3]} on day {n}" for n in range(90)]
    Path("news.csv").write_text("id,text\n" + "\n".join(rows) + "\n", encoding="utf-8")
    options = ["--match", "flood", "--mark-place", "flood=Where it was", "--budget", "60", "--out", "p"]
    assert main(["plan", "items", "news.csv", *options]) == 0
    sheet = list(csv.DictReader(Path("p/sheet-1.csv").read_text(encoding="utf-8-sig").splitlines()))
    marks = {"Germany": "DEU", "Peru": "PER", "none": "none"}
    found = {each["item"]: next(marks[name] for name in places if name in each["text"]) for each in sheet}
    Path("labels.csv").write_text("item,label\n" + "".join(f"{k},{v}\n" for k, v in found.items()), encoding="utf-8")
    report = nc.estimate(nc.read("news.csv", "labels.csv", plan="p/plan.json"))
    assert report.low <= 60 <= report.high
    assert report.whole.positive == sum(mark != "none" for mark in found.values())
