"""Events of any system are counted like our own, and what is malformed is named."""

import datetime
import json
from pathlib import Path

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.events.count.counts import count_events
from nlpcalib.systems.events.read import lexicon as lexicon_module
from nlpcalib.systems.events.read.lexicon import CountryLexicon, supplement
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import words_of
from reproduction.events.series import count_series
from reproduction.events.storage import read_events, write_events
from reproduction.events.system_events import (
    SystemEvent,
    country_of,
    gathered_events,
    read_system_events,
    sampled_event,
)

LEXICON = CountryLexicon(supplement("countries", "names"))
QUERY = Query("attack", ("attack",))
DAY = datetime.date(1999, 5, 1)
DATES = {"a": DAY, "b": DAY}


def test_csv_and_json_lines_say_the_same(tmp_path: Path) -> None:
    table, lines = tmp_path / "e.csv", tmp_path / "e.jsonl"
    table.write_text("document,source,target,event,probability,note\na,IRQ,Iran,attack,0.7,x\nb,USA,,attack,1,\n")
    rows = [
        {"document": "a", "source": "IRQ", "target": "Iran", "event": "attack", "probability": 0.7},
        {"document": "b", "source": "USA", "event": "attack", "probability": "1"},
    ]
    lines.write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = [SystemEvent("a", "IRQ", "Iran", "attack", 0.7), SystemEvent("b", "USA", "", "attack", 1.0)]
    assert list(read_system_events(table)) == list(read_system_events(lines)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "e.csv",
            "document,source,event\na,IRQ,attack\n",
            "line 1: found the columns .*; expected one named 'probability'",
        ),
        ("e.csv", "document,source,event,probability\n,IRQ,attack,1\n", "line 2: found no document"),
        ("e.csv", "document,source,event,probability\na,IRQ,attack,1.2\n", "line 2: found the probability '1.2'"),
        ("e.csv", "document,source,event,probability\na,IRQ,attack,nan\n", "found the probability 'nan'"),
        (
            "e.csv",
            "document,source,event,probability\na,IRQ,attack\n",
            "line 2: found no probability, expected document, event",
        ),
        ("e.csv", "document,source,event,probability\n\xff", None),
        (
            "e.csv",
            "document,source,target,event,probability\na,,,attack,1\n",
            "line 2: found neither source nor target",
        ),
        ("e.csv", "document,event,probability\na,attack,1\n", "line 2: found neither source nor target"),
        ("e.jsonl", '{"document": 0, "source": "IRQ", "event": "attack", "probability": 1}\n', "expected texts"),
        ("e.jsonl", '{"document": "a", "source": "IRQ", "event": "attack", "probability": true}\n', "probability True"),
        ("e.jsonl", '{"document": 3, "source": "IRQ", "event": "attack", "probability": 1}\n', "expected texts"),
        ("e.jsonl", "[1]\n", "line 1: found \\[1\\], expected one JSON object"),
        ("e.jsonl", "{", "line 1: .*expected one JSON object"),
    ],
)
def test_what_is_malformed_is_named(tmp_path: Path, name: str, text: str, expected: str | None) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=expected):
        list(read_system_events(path))


def test_actors_are_codes_or_texts_that_name_one_country() -> None:
    names = ["IRQ", "Iraqi troops", "the president of Iraq", "Iraq and Iran", "gunmen", "XX"]
    assert [country_of(name, LEXICON) for name in names] == ["IRQ", "IRQ", "IRQ", None, None, None]


def test_punctuation_hides_no_country_of_an_actor() -> None:
    names = ["Iran,", "(Iran)", "Iraq's army", "Iraq’s army", "the U.S.-led coalition", "Côte d'Ivoire."]
    assert [country_of(name, LEXICON) for name in names] == ["IRN", "IRN", "IRQ", "IRQ", "USA", "CIV"]
    assert [country_of(name, LEXICON) for name in ("USA, Iraq", "Russia, Belarus", "Iran/Iraq", "")] == [None] * 4


@pytest.mark.parametrize("table", ["countries", "names", "historical", "cities", "actors"])
def test_forms_of_the_lexicon_are_found_in_a_text(table: str) -> None:
    """Without one that lacks its last full stop."""
    lexicon = CountryLexicon(supplement(table))
    lines = (Path(lexicon_module.__file__).with_suffix("") / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    forms = [form for form, code, *_ in (line.split("\t") for line in lines[1:]) if code != "-"]
    lost = [form for form in forms if len(lexicon.find(words_of(f"the ({form}), in"))) != 1]
    assert set(lost) <= {"U.S"}


def test_the_most_probable_of_a_documents_events_counts_and_roles_choose_the_side() -> None:
    events = [
        SystemEvent("a", "IRQ", "IRN", "attack", 0.4),
        SystemEvent("a", "Iraqi jets", "KWT", "attack", 0.7),
        SystemEvent("b", "gunmen", "IRN", "attack", 0.9),
        SystemEvent("b", "USA", "", "visit", 1.0),
    ]
    found, rows = gathered_events(events, DATES, LEXICON, [QUERY])
    assert found == {("attack", "a", "IRQ"): 0.7}
    assert [(row["source"], row["target"], row["probability"]) for row in rows] == [
        ("IRQ", "IRN", 0.4), ("IRQ", "KWT", 0.7)
    ]  # fmt: skip
    patients, _ = gathered_events(events, DATES, LEXICON, [Query("attack", ("attack",), roles=("patient",))])
    assert patients == {("attack", "a", "IRN"): 0.4, ("attack", "a", "KWT"): 0.7, ("attack", "b", "IRN"): 0.9}
    with pytest.raises(InputError, match="found document 'c', expected one of the corpus"):
        gathered_events([SystemEvent("c", "IRQ", "", "attack", 1)], DATES, LEXICON, [QUERY])


def test_exact_counts_are_of_the_stated_probabilities_and_samples_are_near_them(tmp_path: Path) -> None:
    stated = np.linspace(0, 1, 41)
    events = [sampled_event(f"d{number}", DAY, "IRQ", q, 10, 3) for number, q in enumerate(stated)]
    assert max(abs(event.samples.mean() - q) for event, q in zip(events, stated, strict=True)) <= 0.1
    write_events(tmp_path / "e.parquet", [("attack", event) for event in events])
    table = read_events(tmp_path / "e.parquet", "attack")
    (row,) = count_series(count_events([(np.full(41, DAY, dtype="datetime64[D]"), table)], "year"))
    assert row["exact_mean"] == pytest.approx(stated.sum(), abs=1e-12)
    assert row["exact_sd"] == pytest.approx((stated * (1 - stated)).sum() ** 0.5, abs=1e-9)
    assert row["mean"] == pytest.approx(row["exact_mean"], abs=4 * 0.3 / 10 * 41**0.5)


def test_samples_have_the_stated_probability_on_average() -> None:
    shares = [sampled_event(f"d{number}", DAY, "IRQ", 0.234, 10, 3).samples.mean() for number in range(4000)]
    assert np.mean(shares) == pytest.approx(0.234, abs=0.004)


def test_an_unknown_document_is_named_with_its_file_and_line(tmp_path: Path) -> None:
    table = tmp_path / "e.csv"
    table.write_text("document,source,event,probability\na,IRQ,attack,1\nc,IRQ,attack,1\n")
    with pytest.raises(InputError, match=r"e\.csv, line 3: found document 'c', expected one of the corpus"):
        gathered_events(read_system_events(table), DATES, LEXICON, [QUERY])


def test_a_table_may_come_out_of_a_spreadsheet(tmp_path: Path) -> None:
    """With a byte order mark, semicolons, protected ids and rows that are empty."""
    table = tmp_path / "e.csv"
    text = "\ufeffdocument;source;event;probability\r\n'=1;IRQ;attack;.5\r\n;;;\r\nb;USA;attack;1\r\n"
    table.write_text(text, encoding="utf-8", newline="")
    expected = [SystemEvent("=1", "IRQ", "", "attack", 0.5), SystemEvent("b", "USA", "", "attack", 1.0)]
    assert list(read_system_events(table)) == expected


def test_json_lines_may_have_their_name_in_capitals(tmp_path: Path) -> None:
    lines = tmp_path / "E.JSONL"
    lines.write_text('{"document": "a", "source": "IRQ", "event": "attack", "probability": 1}\n')
    assert list(read_system_events(lines)) == [SystemEvent("a", "IRQ", "", "attack", 1.0)]


def test_a_target_alone_counts_for_a_query_of_patients(tmp_path: Path) -> None:
    table = tmp_path / "e.csv"
    table.write_text("document,target,event,probability\na,Iraq,attack,0.4\n")
    patients = Query("attack", ("attack",), roles=("patient",))
    assert gathered_events(read_system_events(table), DATES, LEXICON, [patients])[0] == {("attack", "a", "IRQ"): 0.4}
