"""A query without any possible event leaves empty tables and a line in the place of figures, and no error."""

import datetime
import logging
import runpy
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from tests.systems.events.test_files import ROWS

from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv, write_csv
from nlpcalib.systems.events.count.series import DocumentRow
from reproduction.events.comparison import ComparisonRow
from reproduction.events.series import SeriesRow
from reproduction.events.storage import read_stored, stored_document_rows, write_events
from reproduction.tables.events import event_tables

SCRIPTS = Path(__file__).parents[3] / "scripts"
QUERY = "defenestration"


def script(name: str) -> Callable:
    return runpy.run_path(str(SCRIPTS / f"events/{name}.py"))["main"]


def draw(name: str, folder: Path, inputs: Mapping[str, object], **params: object) -> None:
    """Draw one of the figures of events."""
    main = runpy.run_path(str(SCRIPTS / "figures/figure.py"))["main"]
    drawn = {name: f"reproduction.figures.events:{name}"}
    for style in ("", "_as_published") if name in ("figure_6", "figure_countries") else ("",):
        outputs = {name: folder / f"{name}{style}.png"}
        main(drawn, {"truth": [], **inputs}, outputs, {"reading": "paper", **params}, style=style)


@pytest.fixture
def counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Callable[..., Path]:
    """Return a function that counts the events of two documents without any, and returns the folder of the tables."""
    days = [datetime.date(1999, 5, 1), datetime.date(1999, 9, 1)]
    rows = [{"document": f"d{number}", "date": day, "selected": True} for number, day in enumerate(days)]
    write_csv(tmp_path / "documents.csv", rows)
    write_events(tmp_path / "events.parquet", [])
    (tmp_path / "candidates.jsonl").touch()

    def count(asked: Mapping[str, object] = MappingProxyType({"verbs": ["defenestrate"]}), **options: object) -> Path:
        names = ("documents.csv", "events.parquet", "candidates.jsonl")
        tables = ("series", "appendix", "candidates", "document_events", "comparison", "checks")
        settings: dict[str, object] = {"period": "quarter", "compare": None, "panels": []}
        settings["appendix"] = {"period": "month", "countries": 20}
        query = {"name": QUERY, **asked}
        with caplog.at_level(logging.WARNING):
            script("event_series")(
                *([tmp_path / name] for name in names),
                *(tmp_path / f"{name}.csv" for name in tables),
                query=query,
                **settings | options,
            )
        assert f"query {QUERY}: found no possible event in 2 documents" in caplog.text
        return tmp_path

    return count


def header(path: Path) -> list[str]:
    (line,) = path.read_text(encoding="utf-8").splitlines()
    return line.split(",")


OF_A_MODEL = {"category": ["assault"], "only": "acts"}


@pytest.mark.parametrize("asked", [{"verbs": ["defenestrate"]}, OF_A_MODEL])
def test_tables_have_their_columns_alone(counted: Callable[..., Path], asked: Mapping[str, object]) -> None:
    folder = counted(asked)
    assert header(folder / "series.csv") == list(SeriesRow.__annotations__)
    assert header(folder / "document_events.csv") == list(DocumentRow.__annotations__)
    assert header(folder / "comparison.csv") == list(ComparisonRow.__annotations__)
    assert read_csv(folder / "candidates.csv") == read_csv(folder / "checks.csv") == []


def test_figures_and_tables_are_made_of_nothing(counted: Callable[..., Path]) -> None:
    folder = counted()
    path_series = folder / "series.csv"
    draw("figure_6", folder, {"series": path_series}, panels=None)
    draw("figure_countries", folder, {"series": path_series, "appendix": folder / "appendix.csv"}, countries=20)
    draw("figure_comparison", folder, {"series": path_series, "comparison": folder / "comparison.csv"})
    (_, counts), (_, checked) = event_tables([path_series], [folder / "checks.csv"], queries=[QUERY])
    assert counts == checked == []
    for name in ("figure_6", "figure_6_as_published", "figure_countries_as_published", "figure_comparison"):
        assert (folder / f"{name}.png").stat().st_size > 1000


def test_named_countries_have_zeros(counted: Callable[..., Path]) -> None:
    folder = counted(compare=["USA", "ISR"], panels=[["USA"]])
    rows = read_csv(folder / "series.csv")
    assert [(row["country"], row["mean"]) for row in rows] == [(name, "0.0") for name in ("ISR", "USA") for _ in "12"]
    assert {row["equal"] for row in read_csv(folder / "comparison.csv")} == {"1.0"}
    draw("figure_comparison", folder, {"series": folder / "series.csv", "comparison": folder / "comparison.csv"})


def test_simulated_reports_need_an_event_and_the_message_has_the_way_out(counted: Callable[..., Path]) -> None:
    folder = counted()
    (folder / "truth.csv").touch()
    outputs = [folder / name for name in ("pairs.parquet", "counts.csv", "coverage.csv", "found.csv", "r.csv")]
    settings = {"folds": 2, "seed": 1}
    tables = ([folder / name] for name in ("events.parquet", "candidates.jsonl", "truth.csv"))
    inputs = folder / "series.csv", *tables
    with pytest.raises(InputError, match=f"query {QUERY}: found no possible event .* leave the query out"):
        script("event_truth")(
            *inputs, *outputs, query={"name": QUERY, "verbs": ["defenestrate"]}, period="quarter", **settings
        )


def test_columns_of_document_rows_are_those_of_the_empty_table(tmp_path: Path) -> None:
    write_events(tmp_path / "events.parquet", ROWS)
    (row, *_) = stored_document_rows([read_stored(tmp_path / "events.parquet", "attack")])
    assert row.keys() == DocumentRow.__annotations__.keys()
