"""From a corpus to what is kept of it: selection, passages, tables of events, truth and claims."""

import dataclasses
import datetime
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.systems.events.queries import ATTACK

from nlpcalib.errors import InputError
from nlpcalib.io.files import write_csv
from nlpcalib.systems.events.count.counts import EventTable, count_events
from nlpcalib.systems.events.read.lexicon import CountryLexicon, load_lexicon, read_forms, supplement
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.events.read.query import Query
from nlpcalib.systems.events.read.selection import names_a_country, passages, verb_pattern
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import dated_line, read_dated_file
from nlpcalib.tables.periods import period_number
from reproduction.claims import events as claims_of_events
from reproduction.claims.verdicts import Results, judges_of, outcome
from reproduction.events.comparison import of_countries, of_period
from reproduction.events.count_tables import count_agreement, country_rows, most_frequent
from reproduction.events.country_tables import country_tables
from reproduction.events.coverage import count_coverage_rows
from reproduction.events.series import SeriesRow, count_series
from reproduction.events.storage import (
    read_dates,
    read_events,
    read_stored,
    stored_document_rows,
    write_candidates,
    write_events,
)
from reproduction.events.truth import event_pairs, found_rows, read_truth, true_counts, true_events
from reproduction.workflow.typed_csv import read_rows

JUDGES = judges_of(claims_of_events)

DAY = datetime.date(1999, 5, 17)


def text(words: str, identifier: str = "a") -> DatedText:
    return DatedText(identifier, DAY, words, {})


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("They attacked at dawn.", True),
        ("THEY WERE ATTACKING AT DAWN.", True),
        ("The counter-attacks were many.", True),
        ("An attacker was seen.", False),
        ("They fled.", True),
        ("They flee-marketed.", True),
        ("The fleet was seen.", False),
    ],
)
def test_documents_are_selected_by_any_form_of_any_verb(sentence: str, found: bool) -> None:
    pattern = verb_pattern([ATTACK, Query("flight", ("flee",))])
    assert (pattern.search(sentence) is not None) == found


PARAGRAPHS = st.lists(st.integers(1, 120), min_size=1, max_size=12)


@given(lengths=PARAGRAPHS, words=st.integers(50, 200))
def test_passages_are_the_document_in_order_and_of_about_the_size(lengths: list[int], words: int) -> None:
    whole = text("\n\n".join(" ".join(f"w{number}-{word}" for word in range(n)) for number, n in enumerate(lengths)))
    parts = list(passages(whole, words))
    assert " ".join(part.text for part in parts).split() == whole.text.split()
    assert max(len(part.text.split()) for part in parts) <= max(words + max(lengths) / 2, max(lengths))
    assert {part.date for part in parts} == {DAY}
    names = [part.id for part in parts]
    assert names == (["a"] if sum(lengths) <= words else [f"a#{number}" for number in range(1, len(parts) + 1)])


@pytest.mark.parametrize(
    ("lengths", "parts"),
    [
        ((6, 7, 9), [13, 9]),  # 13 words are nearer to 10 than 6 are
        ((6, 8, 9), [14, 9]),  # as near: the paragraph is taken
        ((6, 9, 9), [6, 9, 9]),  # 15 words are farther from 10 than 6, and then 18 farther than 9
        ((30, 1), [30, 1]),  # the first paragraph is taken whatever its length, and then nothing brings it nearer
        ((3, 3, 3, 3, 3), [9, 6]),
    ],
)
def test_a_passage_breaks_where_another_paragraph_would_take_it_farther_from_its_size(lengths, parts) -> None:
    whole = text("\n\n".join(" ".join(["word"] * length) for length in lengths))
    assert [len(part.text.split()) for part in passages(whole, 10)] == parts


def test_five_megabytes_without_a_paragraph_are_divided() -> None:
    whole = text("They attacked the town at dawn. " * 160_000)
    parts = list(passages(whole, 5000))
    assert len(whole.text) > 5_000_000
    assert sum(len(part.text.split()) for part in parts) == len(whole.text.split())
    assert max(len(part.text.split()) for part in parts) < 5500


def test_a_country_is_named_by_abbreviation_and_demonym_on_its_date() -> None:
    lexicon = load_lexicon(["packaged"])
    assert names_a_country(text("The U.S. said so."), lexicon)
    assert names_a_country(text("Kuwaitis said so."), lexicon)
    assert not names_a_country(text("They told us so."), lexicon)
    assert not names_a_country(text("A Soviet said so."), lexicon)
    assert names_a_country(dataclasses.replace(text("A Soviet said so."), date=datetime.date(1980, 1, 1)), lexicon)


def test_the_packaged_countries_are_found_by_every_form() -> None:
    lexicon = CountryLexicon(supplement("countries"))
    entries = supplement("countries")
    assert len({entry.code for entry in entries}) > 190
    for entry in entries:
        written = [word.upper() if len(word) < 4 else word.title() for word in entry.form]
        assert [code for _, _, code in lexicon.find(written)] == [entry.code]


def test_later_sources_correct_earlier_ones(tmp_path) -> None:
    own = tmp_path / "own.tsv"
    own.write_text("form\tcode\nGeorgia\tUSA\n")
    assert load_lexicon(["packaged"]).find(["Georgia"]) == [(0, 1, "GEO")]
    assert load_lexicon(["packaged", str(own)]).find(["Georgia"]) == [(0, 1, "USA")]
    assert load_lexicon(["packaged", "united_states"]).find(["Georgia"]) == []
    assert read_forms(own)[0].code == "USA"


def test_the_registry_needs_its_archive(tmp_path) -> None:
    with pytest.raises(InputError, match="found no archive, expected that of the corpus lexicon"):
        load_lexicon(["registry"], country_tables(None))


def test_a_text_is_read_as_it_was_written(tmp_path) -> None:
    document = DatedText("é#1", DAY, 'He said: "Go."\n\nThey went.')
    path = tmp_path / "texts.jsonl"
    path.write_text(dated_line(document), encoding="utf-8")
    assert list(read_dated_file(path, 0.0)) == [document]


def probability(document: str, country: str, samples: list[int], best: int = 1) -> EventProbability:
    return EventProbability(document, DAY, country, best, np.array(samples, dtype=np.int16))


ROWS = [
    ("attack", probability("b", "IRQ", [2, 1, 0, 1])),
    ("visit", probability("b", "IRQ", [1, 1, 1, 1])),
    ("attack", probability("a", "USA", [0, 0, 0, 1], best=0)),
]


def test_events_are_read_as_they_were_written_by_query(tmp_path) -> None:
    path = tmp_path / "events.parquet"
    write_events(path, ROWS)
    table = read_events(path, "attack")
    assert table.documents.tolist() == ["b", "a"]
    assert table.probabilities.tolist() == [0.75, 0.25]
    assert table.samples.tolist() == [[2, 1, 0, 1], [0, 0, 0, 1]]
    assert table.of_documents.samples.tolist() == [[True, True, False, True], [False, False, False, True]]
    assert table.dates.astype(str).tolist() == ["1999-05-17", "1999-05-17"]
    assert len(read_events(path, "help").documents) == 0


def test_tables_are_joined_in_the_order_of_documents_whatever_the_shards(tmp_path) -> None:
    write_events(tmp_path / "0", [])
    write_events(tmp_path / "1", ROWS[:1])
    write_events(tmp_path / "2", ROWS[2:])
    tables = [read_events(tmp_path / name, "attack") for name in "012"]
    for order in ((0, 1, 2), (2, 1, 0)):
        joined = EventTable.joined([tables[number] for number in order])
        assert joined.documents.tolist() == ["a", "b"]
        assert joined.samples.tolist() == [[0, 0, 0, 1], [2, 1, 0, 1]]
    period = period_number(DAY, "quarter")
    assert of_period(joined, period, "quarter").documents.tolist() == ["a", "b"]
    assert of_period(joined, period + 1, "quarter").documents.tolist() == []
    assert of_countries(joined, ["USA", "ISR"]).documents.tolist() == ["a"]
    assert EventTable.joined([of_countries(table, ["ISR"]) for table in tables]).samples.shape == (0, 4)


def test_rows_with_other_numbers_of_samples_are_refused(tmp_path) -> None:
    write_events(tmp_path / "x", [ROWS[0], ("attack", probability("c", "IRQ", [1, 1]))])
    with pytest.raises(InputError, match="rows with 2 and with 4 samples"):
        read_events(tmp_path / "x", "attack")


def test_a_table_of_other_columns_is_refused(tmp_path) -> None:
    import pyarrow as pa
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table({"q": [0.5]}), tmp_path / "x")
    with pytest.raises(InputError, match=r"x: found columns q double; expected query string, doc"):
        read_events(tmp_path / "x", "attack")


def test_dates_are_read_or_refused(tmp_path) -> None:
    path = tmp_path / "documents.csv"
    path.write_text("document,date,selected\na,1999-05-17,True\n")
    assert read_dates(path).tolist() == [DAY]
    for content, named in (("document\na\n", "date"), ("document,date\na,1999-13-17\n", "1999-13-17")):
        path.write_text(content)
        with pytest.raises(InputError, match=named):
            read_dates(path)


TRUTH = [
    {"document": "b", "date": "1999-05-17", "verb": "attack", "agent_country": "IRQ", "patient_country": "KWT"},
    {"document": "b", "date": "1999-05-17", "verb": "attack", "agent_country": "IRQ", "patient_country": ""},
    {"document": "c", "date": "1999-05-18", "verb": "attack", "agent_country": "IRQ", "patient_country": ""},
    {"document": "a", "date": "1999-05-17", "verb": "visit", "agent_country": "USA", "patient_country": "IRQ"},
]


def test_the_truth_is_what_the_query_asks_for() -> None:
    assert true_events(TRUTH, ATTACK) == {("b", "IRQ"): DAY, ("c", "IRQ"): datetime.date(1999, 5, 18)}
    both = Query("any", ("attack", "visit"), ("agent", "patient"), ("KWT", "USA"))
    assert set(true_events(TRUTH, both)) == {("b", "KWT"), ("a", "USA")}
    counts = true_counts(true_events(TRUTH, ATTACK), "quarter")
    assert counts == {("IRQ", period_number(DAY, "quarter")): 2}


def test_pairs_have_a_row_for_every_probability(tmp_path) -> None:
    write_events(tmp_path / "x", ROWS)
    pairs = event_pairs(read_events(tmp_path / "x", "attack"), true_events(TRUTH, ATTACK))
    assert pairs.q.tolist() == [0.75, 0.25]
    assert pairs.y.tolist() == [True, False]
    assert [pairs.predicted.names[code] for code in pairs.predicted.codes] == ["IRQ", "USA"]
    assert [pairs.unit.names[code] for code in pairs.unit.codes] == ["b", "a"]


def counted(tmp_path):
    write_events(tmp_path / "x", ROWS)
    table = read_events(tmp_path / "x", "attack")
    dates = np.array(["1999-05-17", "1999-05-18", "1999-08-01"], dtype="datetime64[D]")
    return count_events([(dates, table.of_documents)], "quarter"), count_events([(dates, table)], "quarter")


def test_a_series_that_was_written_tells_its_countries(tmp_path) -> None:
    documents, entities = counted(tmp_path)
    write_csv(tmp_path / "series.csv", count_series(documents))
    rows = read_rows(tmp_path / "series.csv", SeriesRow)
    assert rows == count_series(documents)
    assert most_frequent(rows) == {"IRQ": 0.75, "USA": 0.25}
    first, second = country_rows(rows)
    assert (first["country"], first["mean"], first["map_count"], first["peak"]) == ("IRQ", 0.75, 1, "1999Q2")
    assert (second["country"], second["best_outside"]) == ("USA", 0.0)
    assert count_agreement(documents, entities)["mean_ratio"] == pytest.approx(1.25)


def test_intervals_are_judged_by_kind_of_cell() -> None:
    countries, periods = ("IRQ", "USA"), ("1999Q1", "1999Q2")
    rows = [
        {
            "country": country,
            "period": period,
            "mean": 0.5 if possible else 0,
            "exact_mean": 0.5 if possible else 0,
            "exact_sd": 0.5 if possible else 0,
            "low": -0.48 if possible else 0,
            "high": 1.48 if possible else 0,
            "exact_low": 0,
            "exact_high": 1 if possible else 0,
            "map_count": 1 if possible else 0,
            "level": 1,
            "exact_level": 1,
            "map_level": 0.5,
        }
        for country in countries
        for period, possible in zip(periods, (True, country == "USA"), strict=True)
    ]
    truth = {("IRQ", "1999Q1"): 2, ("IRQ", "1999Q2"): 1, ("USA", "1999Q1"): 1}
    found = {(row["kind_of_cell"], row["interval"]): row for row in count_coverage_rows(rows, truth)}
    assert found["all", "exact"]["coverage"] == 0.5
    assert found["uncertain", "exact"]["coverage"] == pytest.approx(2 / 3)
    assert found["uncertain", "map"]["coverage"] == pytest.approx(1 / 3)
    assert found["uncertain", "published"]["bias"] == pytest.approx(0.5 - 1)
    assert {kind: row["cells"] for (kind, _), row in found.items()} == {"all": 4, "possible": 3, "uncertain": 3}


def test_truth_is_zero_where_it_is_not_told(tmp_path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("country,period,documents\nIRQ,1999Q2,3\n")
    truth = read_truth(path)
    assert truth["IRQ", "1999Q2"] == 3
    assert truth["USA", "1999Q2"] == 0


RATIOS = [f"{ratio}{end}" for ratio in ("mean_ratio", "sd_ratio") for end in ("", "_low", "_high")]


def claim_results(two_sides=True, **changes) -> Results:
    def row(country: str, period: str, mean: float, half: float, best: int) -> dict:
        numbers = {"mean": mean, "low": mean - half, "high": mean + half, "map_count": best}
        return {"country": country, "period": period, "exact_low": 0, "exact_high": 9, **numbers}

    rows = [row("YUG", "1", 4, 2, 4), row("YUG", "2", 5, 2, 6), row("NATO", "1", 4, 2, 3), row("NATO", "2", 5, 2, 4)]
    compared = [
        {"first": "YUG", "second": "NATO", "period": period, "method": "documents", "greater": 0.6, "equal": 0.1}
        for period in "12"
    ]
    check = {"correlation": 0.99, "cells": 7, **dict.fromkeys(RATIOS, 1.0)}
    checks = [{"check": name, **check} for name in ("10 samples", "entities")]
    return Results({"series": rows, "comparison": compared, "checks": checks, **changes}, {"two_sides": two_sides})


def judged(results: Results) -> list[str]:
    return [outcome(judge(results)) for name, judge in JUDGES.items() if name != "coreference_finds_more"]


def test_claims_are_judged_by_the_tables() -> None:
    assert judged(claim_results()) == ["holds"] * 4 + ["not applicable"] * 2
    tables = claim_results().tables
    certain = [{**row, "greater": 0.99} for row in tables["comparison"]]
    narrow = [{**row, "sd_ratio": 0.8} for row in tables["checks"]]
    assert judged(claim_results(comparison=certain, checks=narrow))[1:4] == ["does not hold"] * 3
    assert judged(claim_results(two_sides=False))[1] == "not applicable"
    unknown = [{**row, "correlation": None} for row in tables["checks"]]
    assert judged(claim_results(checks=unknown))[2:4] == ["not applicable"] * 2
    assert judged(claim_results(checks=[], comparison=[], series=[]))[:4] == ["not applicable"] * 4


def test_that_differences_may_be_noise_is_a_claim_of_existence() -> None:
    apart = [{**row, "low": number, "high": number} for number, row in enumerate(claim_results().tables["series"])]
    assert judged(claim_results(series=apart))[0] == "does not hold"
    apart[1] |= {"low": 0}
    assert judged(claim_results(series=apart))[0] == "holds"


def test_claims_on_truth_are_judged_pair_by_pair_and_next_to_what_is_expected() -> None:
    pairs = [{"q": q, "y": y} for q, y in ((0.6, False), (0.4, False), (0.7, True), (0.99, True), (0.01, False))]

    def coverage(held, kind="uncertain"):
        row = {"kind_of_cell": kind, "cells": 9, "error": 0.01, "expected": 0.99}
        return [{**row, "interval": name, "coverage": held} for name in ("published", "exact")]

    given = claim_results(pairs=pairs, coverage=coverage(0.96))
    wrong, held = (JUDGES[name](given) for name in ("uncertain_is_wrong", "intervals_are_useful"))
    assert wrong.measured == "wrong: 1 of 3 where P is from 25 to 75 %, 0 of 2 elsewhere, p = 1"
    assert (wrong.holds, wrong.sure) == (True, False)
    assert "the exact one holds 96.0% (± 1.0%, expected 99.0%)" in held.measured
    expected = {0.96: (True, True), 0.938: (True, False), 0.92: (False, False), 0.9: (False, True)}
    found = {share: JUDGES["intervals_are_useful"](claim_results(coverage=coverage(share))) for share in expected}
    assert {share: (each.holds, each.sure) for share, each in found.items()} == expected
    assert judged(claim_results(coverage=coverage(0.9, kind="all")))[-1] == "not applicable"


def test_coreference_improves_coverage_if_it_finds_true_events_that_no_mention_names() -> None:
    candidates = [
        {"document": f"d{number}", "country": "IRQ", "map_event": number != 2, "named": number in (0, 1, 2, 9)}
        for number in range(10)
    ]
    events = {(f"d{number}", "IRQ"): DAY for number in range(9)} | {("d0", "IRN"): DAY}
    rows = found_rows(candidates, events)
    assert [row["document"] for row in rows if row["true"] and not row["found"]] == ["d0", "d2"]
    finding = JUDGES["coreference_finds_more"](claim_results(found=rows))
    assert finding.measured == (
        "with coreference 8 of 10 true events and 1 false ones; "
        "without coreference 3 of 10 true events and 1 false ones"
    )
    assert outcome(finding) == "holds"
    # Units are the 10 documents: six gain an event, one loses one, two have no change, and one has no true event.
    moved = np.array([-0.5 * 2, -0.5, -1.5, *[0.5] * 6, 0]) / 10
    assert finding.numbers[0].low == pytest.approx(0.5 - 1.959964 * (10 / 9 * (moved @ moved)) ** 0.5)
    same = [{**row, "named": row["found"]} for row in rows]
    assert outcome(JUDGES["coreference_finds_more"](claim_results(found=same))) == "does not hold"


def test_the_table_of_forms_in_the_docs_is_one(tmp_path) -> None:
    docs = (Path(__file__).parents[3] / "docs/how-to/events.md").read_text(encoding="utf-8")
    path = tmp_path / "own.tsv"
    path.write_text(re.search(r"```\n(form\t.*?)```", docs, re.DOTALL)[1], encoding="utf-8")
    lexicon = load_lexicon(["packaged", str(path)])
    assert lexicon.find(["Georgia"]) == []
    assert lexicon.find(["Rhodesians"], datetime.date(1970, 1, 1)) == [(0, 1, "RHO")]


def test_a_lexicon_that_is_not_there_is_named(tmp_path) -> None:
    with pytest.raises(InputError, match="packagd: no such file, and none of actors, cities, newsroom, packaged"):
        load_lexicon(["packagd"])


def test_levels_are_what_the_intervals_hold_if_the_probabilities_are_right(tmp_path) -> None:
    documents, _ = counted(tmp_path)
    row = count_series(documents)[0]
    assert (row["mean"], row["exact_low"], row["exact_high"], row["map_count"]) == (0.75, 0, 1, 1)
    assert (row["level"], row["exact_level"], row["map_level"]) == (1.0, 1.0, 0.75)
    late = count_series(documents)[1]
    assert (late["level"], late["exact_level"], late["map_level"]) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("country,period\nUSA,1999\n", "row 1: found .*expected country, period and a number of documents"),
        ("country,period,documents\nUSA,1999,many\n", "row 1: found .*'many'"),
        ("country,period,documents\nUSA,1999\n", "line 2: found 2 values, expected 3"),
    ],
)
def test_a_table_of_other_truth_is_refused(tmp_path, text, message) -> None:
    (tmp_path / "truth.csv").write_text(text)
    with pytest.raises(InputError, match=rf"truth\.csv, {message}"):
        read_truth(tmp_path / "truth.csv")


def test_negative_samples_are_refused(tmp_path) -> None:
    write_events(tmp_path / "x", [("attack", probability("c", "IRQ", [1, -1]))])
    with pytest.raises(InputError, match="x: found missing or negative samples"):
        read_events(tmp_path / "x", "attack")


def test_candidates_are_in_the_order_of_documents_whatever_the_shards(tmp_path) -> None:
    rows = [("b", "attack", "second"), ("b", "attack", "later"), ("a", "visit", "no"), ("a", "attack", "alone")]
    lines = [json.dumps(dict(zip(("document", "query", "text"), row, strict=True))) + "\n" for row in rows]
    shards = tmp_path / "0", tmp_path / "1"
    for shard, part in zip(shards, (lines[:2], lines[2:]), strict=True):
        shard.write_text("".join(part), encoding="utf-8")
    for order in (shards, shards[::-1]):
        write_candidates(tmp_path / "all.csv", order, "attack")
        assert (tmp_path / "all.csv").read_text() == "document,text\na,alone\nb,second\nb,later\n"


def test_a_document_has_the_probability_by_each_parser_and_how_far_they_differ(tmp_path) -> None:
    """Samples of two parsers take turns: the first has the event in three of four, the second in one."""
    samples = [1, 0, 2, 0, 0, 0, 1, 1]
    rows = [
        ("attack", replace(probability(name, "IRQ", samples, best), parsers=2)) for name, best in (("b", 0), ("a", 2))
    ]
    write_events(tmp_path / "events.parquet", rows)
    stored = read_stored(tmp_path / "events.parquet", "attack")
    found = list(stored_document_rows([stored]))
    assert [(row["document"], row["map_event"]) for row in found] == [("b", False), ("a", True)]
    for row in found:
        assert (row["parsers"], row["disagreement"], row["probability"]) == ("0.75 0.25", 0.5, 0.5)
        assert (row["country"], row["name"]) == ("IRQ", "Iraq")
