"""The numbers of the results pages are those that were measured last."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest
import yaml
from tools.result_tables import TABLES
from tools.result_tables.cells import interval
from tools.result_tables.models import over_all_tags, sentiment, variant_recalibration
from tools.results_page import (
    BLOCK,
    DOCS,
    PAGES,
    PART,
    committed,
    keep_claims,
    kept_claims,
    on_page,
    pages_of_claims,
    tier_of,
    update_tables,
    with_tables,
)

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.predictions.pair_files import write_pairs

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "results"
DEFAULT = re.compile(r"\w+/(newsroom|timeline|newswire\w*|events|beta_[\d._]+)/")
TEXTS = {page.relative_to(DOCS).as_posix(): page.read_text(encoding="utf-8") for page in sorted(DOCS.rglob("*.md"))}
SHOWN = [name for text in TEXTS.values() for name in BLOCK.findall(text)]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))
PARSED = [name for name, each in CONFIG["datasets"].items() if each.get("events", {}).get("parser", "gold") != "gold"]
OF_PACKAGE = [name for name, table in TABLES.items() if all(isinstance(file, Path) for file in table.files)]
COMMITTED = sorted(path.stem for path in (PAGES / "tables").glob("*.csv"))


@pytest.mark.parametrize("page", TEXTS)
def test_tables_of_a_page_are_the_committed_ones(page):
    assert with_tables(TEXTS[page]) == TEXTS[page], "run `python -m tools.results_page`"


def test_a_run_can_write_every_committed_table():
    assert sorted(TABLES) == COMMITTED


@pytest.mark.parametrize("name", COMMITTED)
def test_a_committed_table_is_on_one_page_in_full_or_in_part_with_a_link_to_all_of_it(name):
    [text] = [text for text in TEXTS.values() if f"table: {name} -->" in text or f"tables/{name}.csv)" in text]
    rows = on_page(name)
    assert len(rows) > 1
    if name not in SHOWN or rows != committed(name):
        assert f"](tables/{name}.csv)" in text


def test_a_stale_table_is_noticed():
    [name, *_] = SHOWN
    text = f"before\n<!-- table: {name} -->\n\n| old |\n| --- |\n\n<!-- end -->\nafter\n"
    assert "| old |" not in with_tables(text)
    assert with_tables(text).startswith("before\n")
    assert with_tables(text).endswith("<!-- end -->\nafter\n")


def numbers(text):
    """Return the numbers of a text, with the size of the last digit of each."""
    found = re.findall(r"[−-]?\d*[.,\d]*\d", text)
    plain = [number.replace("−", "-").replace(",", "") for number in found]
    return [(float(number), 10.0 ** -len(number.partition(".")[2])) for number in plain]


def of_parsed_text(name):
    """Return whether a table is of text that the run's parser read: each kind of processor trains another."""
    files = [RESULTS / file for file in TABLES[name].files]
    return any(each in str(file) or each.encode() in file.read_bytes() for file in files for each in PARSED)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMITTED if all(map(DEFAULT.match, map(str, TABLES[name].files)))])
def test_tables_are_those_of_the_default_run(name):
    """Another processor may round the last digit the other way."""
    rows = TABLES[name].read(RESULTS)
    if rows is None:
        pytest.skip("results has no run of this table at its full size")
    page, same_models = committed(name), not of_parsed_text(name)
    assert [line[0] for line in page] == [line[0] for line in rows]
    for line, measured in zip(page, rows, strict=True):
        for cell, now in zip(line[1:], measured[1:], strict=True):
            assert re.sub(r"[\d.,]+", "#", cell) == re.sub(r"[\d.,]+", "#", now), (line[0], cell, now)
            for (number, digit), (other, _) in zip(numbers(cell), numbers(now), strict=same_models):
                assert not same_models or abs(number - other) < 1.5 * digit, f"{line[0]}: page {cell}, run {now}"


@pytest.mark.slow
def test_kept_verdicts_are_those_of_the_default_run():
    path = RESULTS / "tables/claims/embedded.csv"
    if not path.is_file():
        pytest.skip("no default run in results")
    kept, run = kept_claims("embedded")[0], read_csv(path)
    for row in kept + run:
        if row["dataset"].partition("/")[0] in PARSED:  # each kind of processor trains another parser
            row.update(dict.fromkeys(("measured", "value", "low", "high", "evidence"), ""))
    assert kept == run, "run `python -m tools.results_page results`"


def test_pages_of_verdicts_are_made_of_the_claims_that_are_kept():
    """Any digit that is changed on such a page, or in its file, is noticed."""
    for path, text in pages_of_claims().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `python -m tools.results_page`"


def test_a_run_of_a_tier_makes_its_pages_and_says_where_they_are_from(tmp_path, monkeypatch):
    for name, path in (("CLAIMS", tmp_path / "claims"), ("PAGES", tmp_path), ("README", tmp_path / "README.md")):
        monkeypatch.setattr(f"tools.results_page.{name}", path)
    readme = tmp_path / "README.md"
    readme.write_text("<!-- verdicts -->\n<!-- end -->\n", encoding="utf-8")
    run = tmp_path / "run"
    (run / "tables/claims").mkdir(parents=True)
    (run / "config.yaml").write_text("tier: open\n", encoding="utf-8")
    (run / "tables/claims/embedded.csv").write_text("of an earlier run\n", encoding="utf-8")
    row = {"chapter": "coref", "dataset": "ontogum", "place": "5.3", "claim": "below 1 %", "measured": "1.37 %"}
    row |= {"low": "0.0129", "high": "0.0146", "evidence": "interval", "verdict": "differs"}
    write_csv(run / "tables/claims/open.csv", [row])
    assert tier_of(run) == "open"
    assert tier_of(tmp_path) == ""
    keep_claims(run, "open", "0123456789ab")
    for path, text in pages_of_claims().items():
        path.write_text(text, encoding="utf-8")
    page = (tmp_path / "verdicts.md").read_text(encoding="utf-8")
    assert re.search(r"commit `0123456789ab`, configuration `[0-9a-f]{12}`, 1 verdicts on 1 datasets", page)
    assert "| below 1 % (5.3) | OntoGUM: 1.37 % | differs on OntoGUM |" in readme.read_text(encoding="utf-8")
    assert all(path.read_text(encoding="utf-8") == text for path, text in pages_of_claims().items())
    readme.write_text(readme.read_text(encoding="utf-8").replace("1.37", "1.47"), encoding="utf-8")
    assert any(path.read_text(encoding="utf-8") != text for path, text in pages_of_claims().items())


def test_a_run_updates_the_tables_that_it_has_files_for(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.results_page.PAGES", tmp_path)
    (tmp_path / "tables").mkdir()
    folder = tmp_path / "run/tables/muc3"
    folder.mkdir(parents=True)
    with (folder / "event_estimates.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [
                ["query", "country", "truth", "exact_low", "exact_high", "estimate", "low", "high"],
                ["incident", "SLV", "254", "20", "29", "287.6", "225.9", "358.2"],
                ["attack", "SLV", "1", "0", "1", "1", "1", "1"],
            ]
        )
    update_tables(tmp_path / "run")
    written = tmp_path / "tables/estimates_muc3_draw.csv"
    assert written.read_text(encoding="utf-8").splitlines()[1:] == ["SLV,254,20 to 29,288,226 to 358"]
    assert len(list(written.parent.iterdir())) == 1 + len(OF_PACKAGE)


@pytest.mark.parametrize("name", OF_PACKAGE)
def test_a_table_of_the_packaged_models_is_theirs_whatever_was_run(name, tmp_path):
    assert TABLES[name].read(tmp_path) == committed(name)


def test_a_run_with_few_replicates_leaves_a_study_as_it_is(tmp_path):
    folder = tmp_path / "tables/muc3"
    folder.mkdir(parents=True)
    header = "country,truth,predicted,design,method,replicates,coverage,width,rmse\n"
    for replicates, rows in (("20", None), ("1000", 2)):
        line = f"SLV,254,24.1,random,score,{replicates},.956,127,32\n"
        (folder / "event_estimates_coverage.csv").write_text(header + line, encoding="utf-8")
        found = TABLES["estimates_muc3"].read(tmp_path)
        assert (found and len(found)) == rows


def test_numbers_are_shown_without_the_zero_before_the_point():
    row = {"error": "0.00407", "low": "-0.25", "high": "10.5"}
    assert interval(row, "error", "low", "high", 2) == ".00 (−.25–10.50)"
    assert interval({**row, "high": "inf"}, "error", "low", "high", 4) == ".0041 (−.2500–infinite)"


def test_the_gap_of_a_half_is_weighted_by_its_predictions():
    regions = ("0_0.25", "0.25_0.5", "0.5_0.75", "0.75_1")
    gaps = {f"gap_{region}": gap for region, gap in zip(regions, ("0.1", "-0.2", "0", "-0.1"), strict=True)}
    sizes = {f"n_{region}": "10" for region in regions} | {"n_0_0.25": "30"}
    row = {"model": "naive_bayes", "f1": "0.7", "published_error": "0.05", **gaps, **sizes}
    assert sentiment("here", [row])[-1] == ["here: Naive Bayes", "70.0", ".050", "+.025", "−.050"]


def test_a_recalibrated_tagger_is_next_to_the_trained_one():
    def row(method, chosen="", error="0.01"):
        numbers = {"error": error, "low": "0", "high": "0.02", "pair_error": "0.0003", "accuracy": "0.9"}
        return {"model": "hmm_ml", "recalibration": method, "chosen": chosen, **numbers}

    rows = [
        row("none"),
        row("vector", "True", "0.004"),
        row("temperature, scikit-learn"),
        row("isotonic, scikit-learn"),
    ]
    shown = variant_recalibration("EWT", rows)[1]
    assert shown[:3] == ["HMM, ML", "vector", ".0100 → .0040 (.0000–.0200)"]


@pytest.mark.filterwarnings("ignore:6 pairs make 1 bin")
def test_the_likeliest_tag_of_each_word_is_read_from_pairs_that_have_one_tag_after_the_other(tmp_path):
    nouns, verbs = [0.9, 0.3, 0.6], [0.1, 0.7, 0.4]
    right = [True, False, False, False, True, True]
    tags, words = Categories.of(np.arange(6) // 3, ["N", "V"]), Categories.of(np.arange(6) % 3, ["a", "b", "c"])
    write_pairs(tmp_path / "pairs.parquet", Pairs(np.array(nouns + verbs), np.array(right), tags, words))
    row = over_all_tags(tmp_path / "pairs.parquet")
    assert (row["right"], row["probability"]) == ("66.7 %", "73.3 %")


SETTINGS = {
    "README": ".7 340 2015 3 3",
    "ablation": "4.1 4.6 5 1,000",
    "benchmarks": "4 512 2 24 1 5,000 512 4 512 2 4 4,300,000 6 33,727 47 1,000 1,000 1,000 5,000 100 60 235",
    "estimation": (
        "200 50 500 12 60 .93 300 60 2,400 200 40 200 10,000 0.11.0 0.2.3 0.9.3 3,000 100 95 400 0.1.0 0.7.4 "
        "2,000 300 2,000 150 24 60 30 60 1,500 400 0.2.3 0.2.2 400 1,000 400 4,200 400 3 1,239 4 200"
    ),
    "events": "6 2018 2002 2025 113,488 6.2 2,734 458 100 113,488 68",
    "extraction_eval": "45,000 120 500 95",
    "findings": "1 2.14 11.1 2 4.2 3,000 4 5,000 5 5,000 200 1 1 0 1 15",
    "own-categories": "100 150 60 95 100 150 95 739 3 4 300 .5",
    "parsing": "1 2018",
    "real-tasks": "400 2023 .95 .011",
    "recalibration": "40 95 1988 2011 10 40 200 10 16 200 1.3 8,000 4,000 4,000",
    "sentiment": "4.1 2 1",
    "simulation": "4.3 10 0 0 1 0.1 4.7 7 200 500 20,000 95 100 10,000 200 10,000",
}
"""The numbers of each page's prose, so that none changes unseen: sizes, designs, versions. Results are in tables."""
MADE = {path for path in pages_of_claims() if path.parent == PAGES}


def numbers_of_prose(text):
    """Return the numbers of a page, in their order, without those of its code, tables and addresses."""
    text = re.sub(r"(?ms)^```.*?^```|<!--.*?-->", "", text)
    text = re.sub(r"(?m)^\|.*$|`[^`]*`|\]\([^)]*\)", " ", text)
    return re.findall(r"\.?\d[\d.,]*\d|\.?\d", text)


@pytest.mark.parametrize("page", sorted({*PAGES.glob("*.md")} - MADE), ids=lambda page: page.stem)
def test_prose_of_results_has_settings_and_references_and_no_result(page):
    """Whatever digit is changed is noticed: in a table, since it is made; in prose, since these are all its numbers."""
    assert numbers_of_prose(page.read_text(encoding="utf-8")) == SETTINGS.get(page.stem, "").split()


def test_no_digit_of_prose_is_passed_over():
    assert numbers_of_prose("An F1 of .0141\n| 5 |\nin 12,345 pairs, 4.2") == ["1", ".0141", "12,345", "4.2"]


def test_every_result_in_the_readme_is_in_a_part_that_is_made_of_a_run():
    """Or in what the README's own example prints, which a test compares with the command's output."""
    own = PART.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert numbers_of_prose(own) == SETTINGS["README"].split()
