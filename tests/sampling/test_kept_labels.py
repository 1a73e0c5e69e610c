"""No label is lost, doubled, or shown to another: two tabs, two annotators, killed browsers, full stores."""

import csv
import threading
import time

import psutil
import pytest

from nlpcalib.sampling.labels import read_annotations
from nlpcalib.sampling.page import write_annotation_page
from nlpcalib.sampling.sheet import blind_sheet_rows
from nlpcalib.seeding import generator

webdriver = pytest.importorskip("selenium.webdriver")
DEAD = (
    pytest.importorskip("selenium.common.exceptions").WebDriverException,
    pytest.importorskip("urllib3.exceptions").HTTPError,
    OSError,
)
"""What a call to a browser raises that is not there any more."""
IDS = tuple(f"i{number}" for number in range(12))
ANSWERS = {"y": 1, "n": 0, "c": None}


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "page.html"
    write_annotation_page(
        path, "Annotation", "Is it?", "", blind_sheet_rows(IDS, [f"The text of {name}" for name in IDS], 0)
    )
    return path


def press(browser, keys):
    webdriver.ActionChains(browser).send_keys(keys).perform()


def text(browser, name):
    return browser.find_element("id", name).get_property("textContent")


def shown(browser):
    """The item in view."""
    return text(browser, "text").removeprefix("The text of ")


def label(browser, key, given):
    """Label the item in view, and note what was given."""
    given[shown(browser)] = ANSWERS[key]
    press(browser, key)


def exported(browser, name, ids=IDS):
    """The labels that the page saves, as the commands read them."""
    path = browser.saved(f"labels_{name}.csv")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["item"] for row in rows) == sorted(f"item {name}" for name in ids)
    assert {row["annotator"] for row in rows} == {name}
    return read_annotations(path, ids)[name]


def tabs_of(browser, path, names):
    """Open a tab for each of the annotators."""
    browser.opened_anew(path)
    handles = [browser.current_window_handle]
    for _ in names[1:]:
        browser.switch_to.new_window("tab")
        browser.get(path.as_uri())
        handles.append(browser.current_window_handle)
    for handle, name in zip(handles, names, strict=True):
        browser.switch_to.window(handle)
        browser.annotate_as(name)
    return handles


@pytest.fixture
def closed(browser):
    """Close all tabs but the first after a test."""
    yield
    first, *others = browser.window_handles
    for handle in others:
        browser.switch_to.window(handle)
        browser.close()
    browser.switch_to.window(first)


@pytest.mark.usefixtures("closed")
def test_two_tabs_of_one_annotator_keep_the_labels_of_both(browser, page):
    one, two = tabs_of(browser, page, ("Ana", "Ana"))
    given = {}
    for handle, keys in ((one, "yny"), (two, "nncyn"), (one, "cyyn")):
        browser.switch_to.window(handle)
        for key in keys:
            browser.find_element("id", "open").click()
            label(browser, key, given)
            browser.kept()
    assert len(given) > 9
    for handle in (one, two):
        browser.switch_to.window(handle)
        browser.until(lambda: text(browser, "count").startswith(f"{len(given)} "))
        assert exported(browser, "Ana") == given


@pytest.mark.usefixtures("closed")
def test_two_annotators_in_one_browser_see_their_own_labels_alone(browser, page):
    names = "Ana", "Ben"
    handles = tabs_of(browser, page, names)
    given = {name: {} for name in names}
    rng = generator(0, "two annotators")
    for turn in rng.integers(2, size=16):
        browser.switch_to.window(handles[turn])
        label(browser, "ync"[rng.integers(3)], given[names[turn]])
    for handle, name in zip(handles, names, strict=True):
        browser.switch_to.window(handle)
        browser.kept()
        assert exported(browser, name) == given[name]


def test_who_opens_the_page_anew_is_asked_for_a_name_and_sees_nothing_before(browser, page):
    browser.opened_anew(page)
    browser.annotate_as("Ana")
    press(browser, "yn")
    browser.kept()
    browser.find_element("id", "change").click()
    browser.until(lambda: text(browser, "known") == "Labels on this page are by Ana.")
    assert [each.text for each in browser.find_elements("css selector", "main, footer, #answers")] == ["", "", ""]
    browser.annotate_as("Ben")
    assert text(browser, "count") == "0 of 12"
    assert browser.find_elements("css selector", "[aria-pressed=true]") == []


def test_a_page_that_is_loaded_again_at_once_has_every_label_it_had_kept(browser, page):
    for run in range(5):
        browser.opened_anew(page)
        browser.annotate_as("Ana")
        press(browser, "yncy")
        browser.kept()
        browser.refresh()
        browser.until(lambda: text(browser, "annotator") == "Ana")
        browser.until(lambda: shown(browser))
        assert text(browser, "count") == "4 of 12", run


def test_a_full_store_is_reported_at_once_with_the_export_and_loses_nothing(browser, page):
    browser.opened_anew(page)
    quota = {"origin": "file:///", "quotaSize": 500}
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", quota)
    browser.annotate_as("Ana")
    given = {}
    for number, key in enumerate("yncyn", 1):
        label(browser, key, given)
        message = f"This browser cannot keep labels (QuotaExceededError). {number} of them are on this page alone"
        browser.until(lambda text_=message: browser.find_element("id", "warning").text.startswith(text_))
    assert read_annotations(browser.saved("labels_Ana.csv", "rescue"), IDS) == {"Ana": given}
    # As soon as there is room again, all are kept.
    browser.execute_cdp_cmd("Storage.overrideQuotaForOrigin", {"origin": "file:///"})
    label(browser, "y", given)
    browser.kept()
    browser.refresh()
    browser.until(lambda: text(browser, "count") == "6 of 12")
    assert exported(browser, "Ana") == given


def test_data_that_are_deleted_under_an_open_page_are_kept_again(browser, page):
    browser.opened_anew(page)
    browser.annotate_as("Ana")
    press(browser, "yny")
    browser.kept()
    browser.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "file:///", "storageTypes": "indexeddb"})
    time.sleep(1.5)
    browser.kept()
    browser.refresh()
    browser.until(lambda: text(browser, "count") == "3 of 12")


OTHER_FORMS = {
    "a database without the log": "const made = indexedDB.open('nlpcalib annotation', 1)",
    "a later form": "const made = indexedDB.open('nlpcalib annotation', 9)",
    "entries of another form": """const made = indexedDB.open('nlpcalib annotation', 1);
        made.onupgradeneeded = () => {
          const log = made.result.createObjectStore('labels', {keyPath: 'number', autoIncrement: true});
          log.createIndex('annotator', ['page', 'annotator', 'number']);
          for (const item of [null, 7, 'item i1']) log.add({page: arguments[0], annotator: 'Ana', item, label: {}});
        }""",
}


@pytest.mark.parametrize("form", OTHER_FORMS)
def test_a_store_of_another_form_leaves_a_page_that_works(browser, page, form):
    browser.opened_anew(page)
    name = browser.execute_script("return sheet.page")
    empty = page.with_name("empty.html")
    empty.write_text("<!doctype html><title>empty</title>")
    browser.opened_anew(empty)
    browser.execute_async_script(
        f"{OTHER_FORMS[form]}; made.onsuccess = () => {{ made.result.close(); arguments[1](); }}", name
    )
    browser.get(page.as_uri())
    browser.annotate_as("Ana")
    given = {}
    for key in "ync":
        label(browser, key, given)
    if form == "entries of another form":
        browser.kept()
    else:
        browser.until(lambda: "3 of them are on this page alone" in browser.find_element("id", "warning").text)
    assert exported(browser, "Ana") == given


def test_a_browser_that_forbids_to_store_leaves_a_page_that_works(browser, page):
    """A sandbox has no storage of any kind."""
    frame = page.with_name("frame.html")
    frame.write_text(
        '<!doctype html><iframe sandbox="allow-scripts allow-forms allow-downloads" src="page.html"></iframe>'
    )
    browser.opened_anew(frame)
    browser.switch_to.frame(0)
    browser.annotate_as("Ana")
    press(browser, "yn")
    assert text(browser, "count") == "2 of 12"
    browser.until(lambda: "2 of them are on this page alone" in text(browser, "warning"))
    browser.switch_to.default_content()


def test_labels_of_a_file_never_become_anothers_and_never_replace_those_here(browser, page):
    browser.opened_anew(page)
    browser.annotate_as("Ben")
    first = shown(browser)
    press(browser, "y")
    others = [name for name in IDS if name != first]
    path = page.with_name("labels.csv")
    path.write_text(
        f"item,annotator,label\nitem {first},Ben,no\nitem {others[0]},Ben,no\nitem {others[1]},Ana,yes\n"
        f"item nowhere,Ben,yes\nitem {others[2]},Ben,perhaps\n"
    )
    browser.find_element("id", "load").send_keys(str(path))
    browser.until(lambda: text(browser, "notice"))
    assert text(browser, "notice") == (
        "1 labels are in that file. Labels by Ana stay out. 1 items have another label here, which stays."
    )
    assert exported(browser, "Ben") == {first: 1, others[0]: 0}


def annotate_until_death(driver, possible, rng):
    """Give labels, and append what they are after each; those before the ones that were kept are possible no more."""
    while True:
        item, key = shown(driver), "ync"[rng.integers(3)]
        possible.append(possible[-1] | {item: ANSWERS[key]})
        press(driver, key)
        if rng.random() < 0.5:
            driver.kept()
            del possible[:-1]


@pytest.mark.slow
@pytest.mark.parametrize("part", range(5))
def test_a_browser_that_is_killed_loses_no_label_that_it_had_kept(start_browser, tmp_path, part):
    """Ten kills in one profile at random moments: all kept labels are there, and perhaps some of those after."""
    rng = generator(part, "kills")
    ids = tuple(f"i{number}" for number in range(600))
    page, profile = tmp_path / "page.html", tmp_path / "profile"
    write_annotation_page(
        page, "Annotation", "Is it?", "", blind_sheet_rows(ids, [f"The text of {name}" for name in ids], 0)
    )
    possible = [{}]  # what may be there: the labels that were kept, and after each of those that followed
    for _ in range(10):
        driver = start_browser(profile)
        driver.get(page.as_uri())
        driver.annotate_as("Ana")
        found = exported(driver, "Ana", ids) if int(text(driver, "count").split()[0]) else {}
        assert found in possible
        possible = [found]
        browser = psutil.Process(driver.capabilities["goog:processID"])
        processes = [browser, *browser.children(recursive=True)]
        death = threading.Timer(rng.uniform(0, 2), browser.kill)
        death.start()
        with pytest.raises(DEAD):
            annotate_until_death(driver, possible, rng)
        death.join()
        driver.quit()
        # The process that writes the browser's database outlives it: two of them on one database can lose it.
        assert not psutil.wait_procs(processes, timeout=30)[1]
    assert len(found) > 20
