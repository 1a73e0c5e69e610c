"""From dated texts to events and counts: `nlpcalib.find_events` and `nlpcalib events`."""

import csv
import json
import re
import runpy
import shlex
import warnings
from pathlib import Path

import pyarrow.parquet
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv
from nlpcalib.systems.events.count.series import TotalRow
from nlpcalib.systems.events.learn.files import write_model
from nlpcalib.systems.events.learn.model import EventModel

SCRIPTS = Path(__file__).parents[2] / "scripts/events"
TEXTS = [
    {"id": "a", "date": "2014-05-01", "text": "Israeli troops attacked the town. Later they bombed a village."},
    {"id": "b", "date": "2014-05-20", "text": "The president of France met the Russians. They attacked him."},
    {"id": "c", "date": "2014-06-03", "text": "American forces shelled the port on Monday. Officials denied it."},
    {"id": "d", "date": "2014-08-01", "text": "A minister of Iraq resigned."},
]


@pytest.fixture(scope="module")
def report():
    return nc.find_events(TEXTS, {"verbs": ["attack", "shell"]}, seed=3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "news.jsonl"
    path.write_text("".join(f"{json.dumps(text)}\n" for text in TEXTS), encoding="utf-8")
    return path


def test_documents_of_a_country_are_counted_by_period(report) -> None:
    expected = {(row["country"], row["period"]): row["mean"] for row in report.series}
    assert report.documents == 4
    assert report.selected == 3
    assert expected["ISR", "2014-05"] == expected["USA", "2014-06"] == 1
    assert expected["ISR", "2014-08"] == 0
    # "They" are the Russians or not: in every sample one of both, so that the doubt is in the count.
    of_b = {row["country"]: row["probability"] for row in report.document_events if row["document"] == "b"}
    assert expected["RUS", "2014-05"] == of_b["RUS"]


def test_the_count_is_named_by_all_verbs_and_those_of_no_word_are_not_found(report) -> None:
    assert report.lines()[0].startswith("attack-or-shell: ")
    lines = nc.find_events(TEXTS, {"verbs": ["attack", "shelled"]}).lines()
    assert "Not found: shelled. Give dictionary forms: take, not took." in lines
    assert not any("Not found" in line for line in report.lines())


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"category": ["protest"], "verbs": ["attack"]}, "found category and verbs, expected one of them"),
        ({"verbs": ["Attack"]}, "query attack, verbs: found 'Attack', expected lemmas in lower case"),
        ({"verbs": "attack"}, "query events, verbs: found 'attack', expected a list"),
    ],
)
def test_a_query_that_asks_for_two_things_is_refused(query, message) -> None:
    with pytest.raises(InputError, match=message):
        nc.find_events(TEXTS, query)


def scored(name: str, score: float) -> str:
    """The president of France, he; the Russians, they: `score` is of They with the Russians."""
    text = next(each["text"] for each in TEXTS if each["id"] == name)
    spans = [[text.find(words), text.find(words) + len(words)] for words in ("Israeli troops", "the Russians", "They")]
    named = [span for span in spans if span[0] >= 0]
    links = [[0, score]] if len(named) > 1 else []
    return json.dumps({"id": name, "text": text, "spans": named, "scores": [[], links][: len(named)]}) + "\n"


def test_events_follow_from_the_scores_of_another_model(file: Path, capsys, tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    found = {}
    for score in (-20, 0, 20):
        path.write_text("".join(scored(name, score) for name in "abd"), encoding="utf-8")
        report = nc.find_events(file, "attack", scores=path)
        found[score] = {(row["document"], row["country"]): row["probability"] for row in report.document_events}
    assert found[20] == {("a", "ISR"): 1.0, ("b", "RUS"): 1.0}
    assert found[0]["b", "RUS"] == pytest.approx(0.5, abs=0.1)
    assert found[-20] == {("a", "ISR"): 1.0, ("b", "RUS"): 0.0}
    command = ["events", str(file), "--scores", str(path)]
    assert main([*command, "--verbs", "attack"]) == 0
    assert "Russia: 1 (1 to 1)" in capsys.readouterr().out
    path.write_text(scored("b", 0), encoding="utf-8")
    for options, message in (
        (["--verbs", "attack"], "scores: found none of 'a', expected a line for each document, in their order"),
        (["--category", "protest"], "scores: found some with a model of words, expected a query of verbs"),
    ):
        assert main([*command, *options]) == 2
        assert message in capsys.readouterr().err


def test_the_page_shows_what_the_events_of_verbs_depend_on(report, tmp_path: Path) -> None:
    report.save(tmp_path / "out")
    page = (tmp_path / "out" / "audit.html").read_text(encoding="utf-8")
    assert "P(attack-or-shell by Russia)" in page
    assert "The event depends on <i>They</i> (sentence 2) → " in page
    assert "<script" not in page


def test_the_report_of_a_query_prints_itself(report) -> None:
    answer = "attack-or-shell: 2.7 of 4 documents have it of a country, in any sense, also denied (2 to 3, 95 %)\n"
    assert str(report).startswith(answer)
    assert "documents: 4, 3 with a word of the query" in str(report)
    assert "United States: 1 (1 to 1)" in str(report)


@pytest.mark.slow
def test_the_command_counts_as_the_workflow_does(file: Path, tmp_path: Path) -> None:
    query = {"name": "attack", "verbs": ["attack", "shell"]}
    options = ["--verbs", "attack,shell", "--seed", "7"]
    assert main(["events", str(file), *options, "--out", str(tmp_path / "out")]) == 0

    def script(name: str, *arguments, **options) -> None:
        runpy.run_path(str(SCRIPTS / f"{name}.py"))["main"](*arguments, **options)

    names = ("documents.csv", "texts.jsonl", "parsed.conllu", "events.parquet", "dyads.parquet", "candidates.jsonl",
             "audit.jsonl", "series.csv", "appendix.csv", "events.csv", "document_events.csv",
             "comparison.csv", "checks.csv")  # fmt: skip
    path = {name: tmp_path / name for name in (*names, "trees.conllu")}
    script(
        "read_news", str(file), [path["documents.csv"]], [path["texts.jsonl"]], options={}, broken=0.01,
        reader="nlpcalib.systems.text.dated_files:read_dated_file",
        words=5000, queries=[query], mixed_case=[], paths_mixed_case=[], lexicon=None, path_lexicon=None,
    )  # fmt: skip
    script(
        "parse_news", str(path["texts.jsonl"]), path["parsed.conllu"], path["trees.conllu"], None, None, [query], 10, 7
    )
    script(
        "extract_events", path["parsed.conllu"], path["trees.conllu"], None, *(path[name] for name in names[3:7]),
        path_model=None,
        path_weights=None, lexicon=["packaged"], actors=["cities", "actors"], path_lexicon=None, queries=[query],
        samples=100, seed=7,
    )  # fmt: skip
    script(
        "event_series", *([path[name]] for name in (names[0], names[3], names[5])), *(path[name] for name in names[7:]),
        query=query, period="month",
        appendix={"period": "month", "countries": 20}, compare=None, panels=[],
    )  # fmt: skip
    for name in ("events.csv", "document_events.csv"):
        assert read_csv(tmp_path / "out" / name) == read_csv(path[name]), name
    held = {"mean": "exact_mean", "sd": "exact_sd", "low": "exact_low", "high": "exact_high", "level": "exact_level"}
    published = read_csv(path["series.csv"])
    assert read_csv(tmp_path / "out" / "series.csv") == [
        {name: row[held.get(name, name)] for name in TotalRow.__annotations__} for row in published
    ]


def test_nothing_is_found_of_a_word_that_stands_nowhere(file: Path, tmp_path: Path, capsys) -> None:
    out = tmp_path / "out"
    assert main(["events", str(file), "--verbs", "defenestrate", "--out", str(out)]) == 0
    assert "documents: 4, 0 with a word of the query" in capsys.readouterr().out
    assert (out / "events.csv").read_text() == ""
    assert json.loads((out / "query.json").read_text())["documents"] == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "found no query, expected --category, --verbs or --model"),
        (["--category", "war"], "found 'war', expected assault, "),
    ],
)
def test_a_query_that_is_none_is_refused(file: Path, options: list[str], message: str, capsys) -> None:
    assert main(["events", str(file), *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.slow
def test_a_category_is_counted_by_the_workflow_as_by_the_command(file: Path, tmp_path: Path) -> None:
    query = {"name": "assault", "category": ["assault"]}
    options = ["--seed", "7"]
    assert main(["events", str(file), "--category", "assault", *options, "--out", str(tmp_path / "out")]) == 0
    events, dyads = tmp_path / "events.parquet", tmp_path / "dyads.parquet"
    runpy.run_path(str(SCRIPTS / "extract_events.py"))["main"](
        None, None, str(file), events, dyads, tmp_path / "c.jsonl", tmp_path / "a.jsonl",
        path_model=None, path_weights=None, lexicon=["packaged"], actors=["cities", "actors"], path_lexicon=None,
        queries=[query], samples=100, seed=7,
    )  # fmt: skip
    for name, path in (("document_events.csv", events), ("dyads.csv", dyads)):
        found = [float(row["probability"]) for row in read_csv(tmp_path / "out" / name)]
        stored = pyarrow.parquet.read_table(path).to_pylist()
        assert sorted(found) == pytest.approx(sorted(row["probability"] for row in stored)), name
        assert found


def test_a_query_is_a_category_a_verb_or_a_mapping() -> None:
    assert nc.find_events(TEXTS, "protest").model.name == "protest"
    assert nc.find_events(TEXTS, "attack").query.verbs == ("attack",)
    assert nc.find_events(TEXTS, {"verbs": ["raid"]}).query.name == "raid"


def test_the_way_out_of_a_count_is_a_command_that_runs_as_it_is_printed(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": f"d{n}", "date": "2014-05-01", "the words": text["text"]} for n, text in enumerate(TEXTS * 30)]
    with Path("news of may.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    write_model("whole.json", EventModel("talk", "", (), 2.0, card={"items": 9, "events": 5}, of_texts=True))
    for number, query in enumerate(
        (["--verbs", "attack,strike"], ["--category", "assault"], ["--model", "whole.json"])
    ):
        assert main(["events", "news of may.csv", "--text", "the words", *query]) == 0
        *_, hint, command = capsys.readouterr().out.splitlines()
        assert hint.endswith("label a sample:")
        words = shlex.split(command)
        assert words[0] == "nlpcalib"
        assert main([*words[1:-1], f"sample{number}"]) == 0, capsys.readouterr().err
        assert "in the sample" in capsys.readouterr().out
    assert nc.find_events(TEXTS, "assault").lines()[-1].endswith("label a sample")


def test_the_recipe_removes_the_copies_of_a_wire_that_look_and_events_count(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    """Simulated papers print one report in two, in other lines, capitals and quotation marks."""
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    wire = [
        f"Thousands of people march in {city}, France, on day {day}." for day in range(20) for city in ("Paris", "Lyon")
    ]
    papers = [*wire, *(f"“{each.upper()}”".replace(" ON", "\nON") for each in wire[::2])]
    rows = [{"id": f"d{n}", "date": f"2021-03-{1 + n % 20:02}", "text": each} for n, each in enumerate(papers)]
    pandas.DataFrame(rows).to_csv("news.csv", index=False)
    page = (Path(__file__).parents[2] / "docs/how-to/events.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n([^`]*without_copies[^`]*)```", page)
    assert len(recipe.splitlines()) <= 10
    exec(recipe)
    found = {}
    for name, copies in (("news.csv", 20), ("without_copies.csv", 0)):
        for command in (["look", name], ["events", name, "--category", "protest", "--period", "year"]):
            assert main(command) == 0
            shown = capsys.readouterr().out
            assert ("with the words of an earlier one" in shown) == (copies > 0)
            assert f"{copies} texts with" in shown or f"{copies} documents with" in shown or not copies
        found[name] = nc.find_events(name, "protest", period="year").totals[0]["mean"]
    assert found["news.csv"] == pytest.approx(1.5 * found["without_copies.csv"], rel=0.05)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"verbs": ["attack"], "countries": ["USO"]}, "countries: found the country 'USO', expected a known code"),
        ({"verbs": ["attack"], "roles": ["victim"]}, "found 'victim', expected agent, patient"),
    ],
)
def test_another_country_or_role_is_refused(query: dict, message: str) -> None:
    with pytest.raises(nc.InputError, match=message):
        nc.find_events(TEXTS, query)


def test_another_period_is_refused() -> None:
    with pytest.raises(nc.InputError, match="found 'week', expected one of month"):
        nc.find_events(TEXTS, "attack", period="week")


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        (
            "Des milliers ont défilé à Paris, dans le froid, contre la réforme. Les syndicats et la police en parlent.",
            "French",
        ),
        ("Tausende haben in Paris gegen die Reform der Rente und für eine andere Politik demonstriert.", "German"),
        ("Thousands of people marched in Paris against the reform of the pensions on Tuesday.", ""),
    ],
)
def test_texts_in_another_language_are_noticed_by_a_packaged_category(sentence, named):
    texts = [{"id": f"d{day}", "date": f"2021-03-{day:02}", "text": f"{sentence} {day}"} for day in range(1, 21)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        nc.find_events(texts, {"category": ["protest"]}, period="year")
    assert [named in str(each.message) for each in caught if "English" in str(each.message)] == [True] * bool(named)
