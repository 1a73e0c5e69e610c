"""The page to explore predictions in: what it holds, how large it is, and that a brush in a browser selects rows."""

import base64
import csv
import hashlib
import json
import re
import time
from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.figures import explorer
from nlpcalib.figures.explorer import MAX_PAGE_ROWS, ExplorerRows, write_explorer

pytest.importorskip("vl_convert")
pytest.importorskip("vl_convert")

TEXTS = (
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "\u2028🐕",
)


def made_rows(n, words=12):
    rng = np.random.default_rng(n)
    q = rng.beta(0.5, 2, n)
    label = [("VB", *TEXTS)[k] for k in rng.integers(0, 4, n)]
    period = [f"{1990 + k}Q1" for k in rng.integers(0, 30, n)]
    text = [f"sentence {row} {'word ' * words}{TEXTS[row % 3]}" for row in range(n)]
    return ExplorerRows(
        q, rng.random(n) < q**1.5, label, period, {"unit": [f"document {row // 9}" for row in range(n)], "text": text}
    )


def content(path):
    [data] = re.findall(
        r'<script type="application/json" class="data">(.*?)</script>', path.read_text("utf-8"), re.DOTALL
    )
    return json.loads(data)


def texts(found, name):
    column = found["columns"][name]
    return [column["names"][code] for code in column["codes"]]


def test_all_rows_are_in_the_page_as_they_are(tmp_path):
    rows = made_rows(300)
    write_explorer(tmp_path / "page.html", "title", rows, notes=["a note"])
    found = content(tmp_path / "page.html")
    np.testing.assert_allclose(found["q"], rows.q, rtol=5e-6)
    assert found["y"] == rows.y.astype(int).tolist()
    assert found["notes"] == ["a note"]
    for name, column in {"predicted": rows.predicted, "period": rows.period, **rows.shown}.items():
        assert texts(found, name) == list(column)


@pytest.mark.parametrize("words", [12, 400])
def test_a_page_of_20000_rows_stays_under_3_mb_and_reports_what_it_cut(tmp_path, words):
    write_explorer(tmp_path / "page.html", "title", made_rows(MAX_PAGE_ROWS, words))
    assert (tmp_path / "page.html").stat().st_size <= 3_000_000
    [note] = content(tmp_path / "page.html")["notes"]
    assert re.fullmatch(r"Texts are cut after \d+ characters.", note)


def test_more_rows_are_a_reproducible_sample(tmp_path, monkeypatch):
    monkeypatch.setattr(explorer, "MAX_PAGE_ROWS", 200)
    for name in "ab":
        write_explorer(tmp_path / name, "title", made_rows(1000))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    found = content(tmp_path / "a")
    assert len(found["q"]) == len(set(texts(found, "text"))) == 200
    assert found["notes"] == ["This page shows a random sample of 200 of the 1,000 rows."]


@pytest.mark.parametrize("length", [1, 40])
def test_many_columns_leave_fewer_rows_in_a_page_that_is_as_small(tmp_path, monkeypatch, length):
    monkeypatch.setattr(explorer, "_MAX_ROWS_BYTES", 60_000)
    shown = {f"column {k}": [f"{row:0{length}}" for row in range(1000)] for k in range(20)}
    write_explorer(tmp_path / "page.html", "title", ExplorerRows(np.full(1000, 0.3), shown=shown))
    found = content(tmp_path / "page.html")
    size = len(found["q"])
    assert 50 < size < 1000
    assert found["notes"][0] == f"This page shows a random sample of {size} of the 1,000 rows."
    assert len(json.dumps(found, separators=(",", ":"))) <= 62_000
    many = {f"column {k}": ["1"] for k in range(5000)}
    with pytest.raises(InputError, match="found 5000 columns to show"):
        write_explorer(tmp_path / "none.html", "title", ExplorerRows(np.full(1, 0.3), shown=many))


def test_the_least_common_labels_are_one_bar():
    q = np.ones(100)
    labels = [f"label {row % 60}" for row in range(100)]
    found, _ = explorer._content(ExplorerRows(q, None, labels), np.arange(100))
    assert len(found["bars"]) == 41
    assert found["bars"][-1] == "20 others"
    assert found["y"] is None


def test_a_column_shown_replaces_none_of_the_charts():
    shown = {name: ["z", "z", "z"] for name in ("q", "predicted", "period")}
    rows = ExplorerRows(np.array([0.1, 0.5, 0.9]), None, ["a", "b", "c"], ["1999", "2000", "2001"], shown)
    found, _ = explorer._content(rows, np.arange(3))
    assert found["bars"] == ["c", "b", "a"]
    assert found["ranks"] == [2, 1, 0]
    assert [texts(found, name) for name in ("predicted", "period")] == [rows.predicted, rows.period]
    assert [texts(found, f"{name} (shown)") for name in shown] == list(shown.values())


def test_small_predictions_add_up():
    found, _ = explorer._content(ExplorerRows(np.full(1000, 4e-5)), np.arange(1000))
    assert sum(found["q"]) == pytest.approx(0.04)


def test_the_policy_forbids_the_page_to_load_anything(tmp_path):
    write_explorer(tmp_path / "page.html", TEXTS[0], made_rows(20))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    script = base64.b64encode(
        hashlib.sha256(re.search(r"<script>(.*?)</script>", page, re.DOTALL)[1].encode()).digest()
    )
    assert re.fullmatch(
        rf"default-src 'none'; style-src 'sha256-[^ ]*'; script-src 'sha256-{re.escape(script.decode())}'", policy
    )
    assert page.count("<script") == 2


def test_no_rows_are_refused(tmp_path):
    with pytest.raises(InputError, match="found no rows"):
        write_explorer(tmp_path / "page.html", "title", ExplorerRows(np.array([])))
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_brush_and_a_click_in_a_browser_select_the_rows_below(tmp_path, browser):
    from selenium.webdriver.common.action_chains import ActionChains

    rows = made_rows(2000)
    write_explorer(tmp_path / "page.html", TEXTS[1], rows)
    browser.get((tmp_path / "page.html").as_uri())
    for _ in range(100):
        if browser.find_element("id", "summary").text:
            break
        time.sleep(0.1)

    def selected():
        return int(re.match(r"[\d,]+", browser.find_element("id", "summary").text)[0].replace(",", ""))

    assert selected() == 2000
    assert "document.title" in browser.title
    bars = browser.find_elements("css selector", "#chart svg path[aria-roledescription='bar']")
    by_class = [bar for bar in bars if "bar:" in bar.get_attribute("aria-label")]
    histogram = [bar for bar in bars if bar not in by_class]
    assert len(by_class) == 4
    ActionChains(browser).drag_and_drop_by_offset(histogram[5], 100, 0).perform()
    low, high = browser.execute_script("return selection.brush.place")
    place = np.array(content(tmp_path / "page.html")["q"])
    if content(tmp_path / "page.html")["stretched"]:
        place = np.log((place + 0.001) / (1.001 - place))
    brushed = (place >= low) & (place <= high)
    assert 0 < selected() == np.count_nonzero(brushed) < 2000
    [bar] = [bar for bar in by_class if bar.get_attribute("aria-label").endswith("bar: VB")]
    ActionChains(browser).click(bar).perform()
    chosen = brushed & (np.array(rows.predicted) == "VB")
    assert selected() == np.count_nonzero(chosen)
    with browser.saved("rows.csv").open(encoding="utf-8-sig", newline="") as file:
        assert len(list(csv.DictReader(file))) == selected()
    browser.find_element("id", "clear").click()
    time.sleep(1)
    assert selected() == 2000
    assert browser.get_log("browser") == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_all_charts_are_inside_the_window(width, tmp_path, browser):
    write_explorer(tmp_path / "page.html", "title", made_rows(2000))
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 1000}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get((tmp_path / "page.html").as_uri())
    browser.until(lambda: browser.find_elements("css selector", "#chart svg.marks"))
    right = "return document.querySelector('#chart svg.marks').getBoundingClientRect().right"
    assert browser.execute_script(right) <= width
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_shell_writes_the_page_of_tables_with_labels_and_without(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("q,y,predicted,id,day\n.9,1,NN,a,1999-01-01\n.2,0,<b>,b,1999-02-01\n", encoding="utf-8")
    assert main(["calibrate", str(table), "--html", str(tmp_path / "a.html"), "--by", "day"]) == 0
    assert str(tmp_path / "a.html") in capsys.readouterr().out
    found = content(tmp_path / "a.html")
    assert found["y"] == [1, 0]
    assert texts(found, "id") == ["a", "b"]
    table.write_text("q,country\n.9,FRA\n.2,USA\n", encoding="utf-8")
    assert main(["calibrate", str(table), "--html", str(tmp_path / "b.html"), "--by", "country"]) == 0
    assert content(tmp_path / "b.html")["y"] is None
    assert sorted(content(tmp_path / "b.html")["bars"]) == ["FRA", "USA"]
    assert main(["calibrate", str(table), "--html", str(tmp_path / "c.html"), "--by", "town"]) == 2
    assert "expected one named 'town'" in capsys.readouterr().err
    assert not (tmp_path / "c.html").exists()


@pytest.mark.parametrize(
    ("groups", "charted"),
    [
        (["Feb", "Jan"], "bars"),
        (["10", "9"], "bars"),
        (["2004-01", "2004-02"], "periods"),
        (["2004-01", ""], "periods"),
    ],
)
def test_groups_are_drawn_in_time_where_all_are_periods(tmp_path, groups, charted):
    table = tmp_path / "table.csv"
    table.write_text("".join(["q,when\n", *(f".5,{group}\n" for group in groups)]), encoding="utf-8")
    assert main(["calibrate", str(table), "--html", str(tmp_path / "a.html"), "--by", "when"]) == 0
    found = content(tmp_path / "a.html")
    assert texts(found, "period" if charted == "periods" else "predicted") == groups
    assert bool(found["bars"]) == (charted == "bars")


@pytest.mark.parametrize(("sure", "stretched"), [(0.4, False), (0.6, True)])
def test_an_axis_is_stretched_where_most_predictions_are_sure(tmp_path, sure, stretched):
    q = np.where(np.arange(100) < 100 * sure, 0.001, 0.5)
    write_explorer(tmp_path / "page.html", "title", replace(made_rows(100), q=q))
    assert content(tmp_path / "page.html")["stretched"] is stretched
