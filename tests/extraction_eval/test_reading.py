"""What people make by hand is read as they meant it, or refused with the row that is wrong."""

import csv
import io
import math
from dataclasses import replace

import numpy as np
import pytest

from nlpcalib.errors import InputError
from nlpcalib.sampling.plan import read_plan, write_plan
from reproduction.extraction_eval import (
    DrawnLeads,
    Scale,
    drawn_leads,
    per_category,
    plan_leads,
    read_cameo_scale,
    read_codings,
    read_scale,
    read_settled,
    read_sheet,
    settle,
    write_sheet,
)
from reproduction.extraction_eval.codings import Codings
from reproduction.extraction_eval.scale import NONE

CODINGS = """lead,date,text,category
a1,1995-05-01,"Ana said, ""no"".",comment
a2,1995-05-01,=SUM(A1),threat
a3,,"Two
lines",
a4,1995-05-02,Bo met Cy.,none
"""


BREAKS = ("\u2028", "\x85", "\x0b", "\x0c", "\x1c")
"""What `str.splitlines` takes for the end of a line, but no table does."""


def leads_of(codings, allocation, seed):
    return drawn_leads(codings, plan_leads(codings, allocation, seed))


def file(tmp_path, text, name="table.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


def cells(path):
    """The rows of a sheet as a spreadsheet opens it: UTF-8 because it says so."""
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def saved(rows, delimiter=",", encoding="utf-8"):
    """Return a sheet's rows as a spreadsheet saves them."""
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode(encoding, errors="replace")


@pytest.fixture
def codings(tmp_path):
    return read_codings(file(tmp_path, CODINGS, "codings.csv"))


@pytest.fixture
def plan(codings):
    return leads_of(codings, codings.sizes, seed=0)


def test_codings_are_read_and_what_has_no_category_is_none(codings):
    assert codings.categories == ("none", "comment", "threat")
    assert codings.leads == ("a1", "a2", "a3", "a4")
    assert codings.texts[:3] == ('Ana said, "no".', "=SUM(A1)", "Two\nlines")
    assert codings.dates == ("1995-05-01", "1995-05-01", "", "1995-05-02")
    assert codings.machine.tolist() == [1, 2, 0, 0]
    assert codings.sizes.tolist() == [2, 1, 1]


@pytest.mark.parametrize("character", BREAKS)
def test_a_row_ends_where_a_line_does_and_nowhere_else(tmp_path, character):
    codings = read_codings(
        file(tmp_path, f"lead,text,category\na,one{character}two,c\nb,{character}x,d\nc,y,c\n"), ("none", "c", "d")
    )
    assert codings.leads == ("a", "b", "c")
    assert codings.texts[0] == f"one{character}two"
    assert codings.machine.tolist() == [1, 2, 1]
    scale = read_scale(file(tmp_path, f"category,weight,note\naid,7,a{character}b\nwar,-10,\n"))
    assert scale.categories == ("none", "aid", "war")
    with pytest.raises(InputError, match="line 3: found the category 'e'"):
        read_codings(file(tmp_path, f"lead,text,category\na,one{character}two,c\nb,x,e\n"), ("none", "c"))
    with pytest.raises(InputError, match="line 3: found a line of another form"):
        read_cameo_scale(file(tmp_path, f"01:[1.0] A{character}a\n02:[1.0] B\nC\n"))


@pytest.mark.parametrize("character", [*BREAKS, "\r", "\n", "\r\n"])
def test_a_sheet_is_read_back_whatever_is_in_its_texts(tmp_path, character):
    texts = (f"one{character}two", f"{character}x", "y")
    codings = Codings(("none", "c"), ("a", "b", "c"), texts, ("", "", ""), np.array([0, 1, 1]))
    plan = leads_of(codings, codings.sizes, seed=0)
    write_sheet(tmp_path / "sheet.csv", codings, plan)
    rows = cells(tmp_path / "sheet.csv")
    assert sorted(row["text"].lstrip("'") for row in rows) == sorted(texts)
    path = tmp_path / "annotated.csv"
    path.write_bytes(saved([{**row, "label": "c"} for row in rows]))
    assert read_sheet(path, plan) == {"a": 1, "b": 1, "c": 1}


def test_a_carriage_return_is_the_end_of_all_lines_or_of_none(tmp_path):
    """Old spreadsheets end lines with it alone; elsewhere, unquoted, it would make of one lead two."""
    assert read_codings(file(tmp_path, "lead,text,category\ra,b,c\rd,e,c\r")).leads == ("a", "d")
    with pytest.raises(InputError, match="line 2: found a line break of another kind"):
        read_codings(file(tmp_path, "lead,text,category\na,b\rx,c\n"))


def test_a_category_that_the_machine_never_uses_is_kept(tmp_path):
    codings = read_codings(file(tmp_path, CODINGS), ("none", "apology", "comment", "threat"))
    assert codings.sizes.tolist() == [2, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lead,text\na,b\n", "found the columns lead, text; expected one named 'category'"),
        ("lead,text,category,lead\na,b,c,d\n", "expected one named 'lead'"),
        ("lead,text,category\n", "found no rows"),
        ("", "found no rows"),
        ("lead,text,category\n,b,c\n", "line 2: found no lead"),
        ('lead,text,category\na,"b\nb",c\nd,e,c\na,f,c\n', "line 5: found the lead 'a' again, after line 2"),
        ("lead,text,category\na,b,c,d\n", "line 2: found 4 cells, expected 3"),
        ('lead,text,category\na,"b,c\n', "line 2: found a quotation mark that is not closed"),
        ("lead,text,category\na,b,apology\n", "line 2: found the category 'apology', expected one of the scale's 1"),
    ],
)
def test_bad_codings_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_codings(file(tmp_path, text), ("none", "c"))


def test_files_that_are_no_text_are_refused(tmp_path):
    with pytest.raises(InputError, match="line 2: found bytes that are not UTF-8"):
        read_codings(file(tmp_path, "lead,text,category\n\x81,b,c\n", encoding="latin-1"))
    with pytest.raises(InputError, match="no such file"):
        read_codings(tmp_path / "nowhere.csv")


def test_a_scale_is_read_as_european_spreadsheets_write_it(tmp_path):
    scale = read_scale(file(tmp_path, "category;weight\r\nthreat;-7\r\naid;7.4\r\n;\r\n", encoding="utf-8-sig"))
    assert scale.categories == ("none", "threat", "aid")
    assert math.isnan(scale.weights[0])
    assert scale.weights[1:].tolist() == [-7.0, 7.4]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("threat,-7", "line 3: found the category 'threat' again"),
        ("aid,much", "line 3: found the weight 'much', expected a number"),
        ("aid,nan", "line 3: found the weight 'nan'"),
        ("aid,", "line 3: found the weight ''"),
        ("None,0", "line 3: found the category 'None', expected a name other than 'none'"),
        (",1", "line 3: found the category ''"),
    ],
)
def test_bad_scales_are_refused(tmp_path, row, message):
    with pytest.raises(InputError, match=message):
        read_scale(file(tmp_path, f"category,weight\nthreat,-7\n{row}\n"))


def test_a_cameo_scale_is_read_by_its_codes(tmp_path):
    lines = ["## a comment", "", "05:[3.5] ENGAGE", "  055:[-1.5] Words"]
    scale = read_cameo_scale(file(tmp_path, "\n".join(lines), "scale.txt"))
    assert scale.categories == (NONE, "05", "055")
    assert scale.choose({"x": "055"}).weights[1:].tolist() == [-1.5]
    with pytest.raises(InputError, match="found no weight for '999' of 'x'"):
        scale.choose({"x": "999"})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("01:[0.0] A\n01:[1.0] B\n", "line 2: found the code 01 again"),
        ("01 0.0 A\n", "line 1: found a line of another form"),
        ("# nothing\n", "found no codes"),
    ],
)
def test_bad_cameo_scales_are_refused(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_cameo_scale(file(tmp_path, text))


def test_a_plan_of_other_codings_is_refused(tmp_path, codings):
    write_plan(tmp_path / "plan.json", plan_leads(codings, codings.sizes, seed=0))
    read = read_plan(tmp_path / "plan.json")
    assert drawn_leads(codings, read) == leads_of(codings, codings.sizes, seed=0)
    other = replace(codings, texts=("another", *codings.texts[1:]))
    with pytest.raises(InputError, match="found the plan's 4 items with other ids, predictions, units or texts"):
        drawn_leads(other, read)


def test_a_sheet_has_every_lead_and_no_answer_of_the_machine(tmp_path, codings, plan):
    write_sheet(tmp_path / "sheet.csv", codings, plan)
    rows = cells(tmp_path / "sheet.csv")
    assert {row["item"] for row in rows} == {"item a1", "item a2", "item a3", "item a4"}
    assert {tuple(row) for row in rows} == {("item", "date", "text", "label")}
    assert {row["label"] for row in rows} == {""}
    assert "threat" not in (tmp_path / "sheet.csv").read_text()
    assert next(row["text"] for row in rows if row["item"] == "item a2") == "'=SUM(A1)"


LEADS = ("1/2", "007", "1e5", "=1+1", "-5/s1", "true", "MARCH1", "12:30", "item 7", "7", "é 中/1")


@pytest.fixture
def numbered():
    """A plan of leads whose ids a spreadsheet would take for something else, with the sheet's codings."""
    texts = tuple(f"Zoë said “{number}, no”; 中" for number in range(len(LEADS)))
    codings = Codings(("none", "aid", "war"), LEADS, texts, ("=1",) * len(LEADS), np.arange(len(LEADS)) % 3)
    return codings, leads_of(codings, codings.sizes, seed=0)


def test_no_cell_of_a_sheet_is_a_number_a_date_or_a_formula(tmp_path, numbered):
    write_sheet(tmp_path / "sheet.csv", *numbered)
    rows = cells(tmp_path / "sheet.csv")
    assert {row["item"] for row in rows} == {f"item {lead}" for lead in LEADS}
    assert {row["date"] for row in rows} == {"'=1"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_sheet_is_read_as_spreadsheets_save_it(tmp_path, numbered, delimiter, encoding):
    codings, plan = numbered
    write_sheet(tmp_path / "sheet.csv", codings, plan)
    labels = {lead: number % 3 for number, lead in enumerate(plan.stratum)}
    rows = [
        {**row, "label": plan.categories[labels[row["item"].removeprefix("item ")]]}
        for row in cells(tmp_path / "sheet.csv")
    ]
    path = tmp_path / "annotated.csv"
    path.write_bytes(saved(rows, delimiter, encoding))
    assert read_sheet(path, plan) == labels


def test_sheets_are_read_in_the_encodings_of_spreadsheets(tmp_path, numbered):
    codings, plan = numbered
    write_sheet(tmp_path / "sheet.csv", codings, plan)
    rows = [{**row, "label": "aid", "für mich": "ü"} for row in cells(tmp_path / "sheet.csv")]
    ascii_only = [row for row in rows if row["item"].isascii()]
    path = tmp_path / "annotated.csv"
    path.write_bytes(saved(ascii_only, encoding="cp1252"))
    assert read_settled(path, plan) == {lead: 1 for lead in plan.stratum if lead.isascii()}
    ascii_only = [{"item": row["item"], "label": row["label"]} for row in ascii_only]
    path.write_bytes(saved(ascii_only, encoding="cp1252"))
    assert read_settled(path, plan) == {lead: 1 for lead in plan.stratum if lead.isascii()}
    path.write_bytes(saved(rows, encoding="utf-16"))
    assert len(read_sheet(path, plan)) == len(rows)
    path.write_bytes(saved(rows, encoding="utf-16-le"))
    with pytest.raises(InputError) as refused:
        read_sheet(path, plan)
    assert str(refused.value).encode()


def test_categories_that_are_the_same_number_are_not_put_into_a_spreadsheet(tmp_path):
    """Of CAMEO's codes 010, to make a statement, would become 10, to demand."""
    codings = Codings(("none", "010", "10"), ("a", "b"), ("", ""), ("", ""), np.array([1, 2]))
    plan = leads_of(codings, codings.sizes, seed=0)
    with pytest.raises(InputError, match=r"found the categories '010' and '10', expected .* no spreadsheet confuses"):
        write_sheet(tmp_path / "sheet.csv", codings, plan)
    assert list(tmp_path.iterdir()) == []


def test_the_order_of_a_sheet_does_not_tell_the_machines_category(tmp_path):
    rows = "".join(f"{number},t,{'rare' if number < 40 else 'often'}\n" for number in range(4000))
    codings = read_codings(file(tmp_path, f"lead,text,category\n{rows}"))
    plan = leads_of(codings, per_category(codings.sizes, 40), seed=3)
    write_sheet(tmp_path / "sheet.csv", codings, plan)
    stratum = [plan.stratum[row["item"].removeprefix("item ")] for row in cells(tmp_path / "sheet.csv")]
    rare = np.flatnonzero(np.array(stratum) == codings.categories.index("rare"))
    # The mean place of 40 among 80 has a standard deviation of 2.6 if it is random.
    assert abs(rare.mean() - 39.5) < 3 * 2.6


def test_labels_are_read_in_the_plans_order_whatever_the_sheets(tmp_path, plan):
    path = file(tmp_path, "label,item\nnone,a4\nthreat,a1\ncomment,a3\nthreat,a2\n")
    labels = read_sheet(path, plan)
    assert labels == {"a1": 2, "a2": 2, "a3": 1, "a4": 0}
    assert list(labels) == list(plan.stratum)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            "a1,threat\na2,treat\n",
            r"line 3: found the label 'treat' \(nearest: threat\), expected one of none, comment",
        ),
        ("a1,threat\na2,\n", "found no label for .*a4.*, expected all 4 leads"),
        ("a1,x\na2,\na1,none\na1,none\n", "line 2: found the label 'x', .*line 5: found the item 'a1' again, exp"),
        ("a1,threat\na1,threat\n", "line 3: found the item 'a1' again"),
        ("a1,threat\nb1,threat\n", "line 3: found the item 'b1', expected one of the 4 that may be labelled"),
        ("a1,threat\na2,threat\na3,none\n", "found no label for a4, expected all 4 leads"),
    ],
)
def test_bad_sheets_are_refused(tmp_path, plan, rows, message):
    with pytest.raises(InputError, match=message):
        read_sheet(file(tmp_path, f"item,label\n{rows}"), plan)


def test_the_truth_is_what_more_than_half_of_the_coders_say(plan):
    one = dict.fromkeys(plan.stratum, 1)
    two = {**one, "a1": 2}
    assert settle({"U1": two}, plan) == two
    assert settle({"U1": one, "U2": two, "U3": one}, plan) == one
    with pytest.raises(
        InputError, match=r"on 1 leads, expected a settled label for each: item a1 \(U1 comment, U2 threat\)$"
    ):
        settle({"U1": one, "U2": two}, plan)
    with pytest.raises(InputError, match="no majority on 4 leads"):
        settle({}, plan)


def test_what_is_settled_decides(tmp_path, plan):
    one = dict.fromkeys(plan.stratum, 1)
    settled = read_settled(file(tmp_path, "item,label\na1,none\n"), plan)
    assert settled == {"a1": 0}
    assert settle({"U1": one, "U2": {**one, "a1": 2}}, plan, settled) == {**one, "a1": 0}
    with pytest.raises(InputError, match="line 2: found the item 'b9'"):
        read_settled(file(tmp_path, "item,label\nb9,none\n"), plan)


def test_ids_may_be_written_by_hand_as_they_are(tmp_path):
    plan = DrawnLeads(("none", "x"), (9, 5), {"1/2": 1, "item 3": 0}, True, 0)
    for row in ("1/2", "item 1/2"):
        assert read_settled(file(tmp_path, f"item,label\n{row},none\n"), plan) == {"1/2": 0}
    for row in ("item 3", "item item 3"):
        assert read_settled(file(tmp_path, f"item,label\n{row},x\n"), plan) == {"item 3": 1}


def test_a_scale_refuses_weights_that_are_none():
    with pytest.raises(InputError, match="found 'a' with nan"):
        Scale.of({"a": math.nan})


def test_a_part_of_a_plan_keeps_the_population():
    plan = DrawnLeads(("none", "x"), (9, 5), {"a": 1, "b": 0, "c": 1}, True, 0)
    assert plan.without(["a"]).stratum == {"b": 0, "c": 1}
    assert plan.without(["a"]).sizes == plan.sizes


def test_leads_that_are_not_there_are_named(tmp_path, codings, plan):
    other = DrawnLeads(plan.categories, plan.sizes, {"z": 0}, True, 0)
    with pytest.raises(InputError, match="found the leads z in the plan, expected leads of the codings"):
        write_sheet(tmp_path / "sheet.csv", codings, other)
    with pytest.raises(InputError, match="line 2: found the item 'z', expected one of the 4 that may be labelled"):
        read_settled(file(tmp_path, "item,label\nz,none\n"), plan)
    with pytest.raises(InputError, match=r"found no label of U2 for .*a1.*, expected one of each lead"):
        settle({"U1": dict.fromkeys(plan.stratum, 1), "U2": {}}, plan)


def test_all_disputed_leads_are_told(plan):
    one = dict.fromkeys(plan.stratum, 1)
    with pytest.raises(InputError) as refused:
        settle({"U1": one, "U2": dict.fromkeys(plan.stratum, 2)}, plan)
    assert all(lead in str(refused.value) for lead in plan.stratum)


def test_what_an_annotator_could_not_tell_has_to_be_settled(tmp_path, plan):
    sheet = file(tmp_path, "item,label\na1,cannot tell\na2,threat\na3,none\na4,none\n")
    unsure = read_sheet(sheet, plan)
    assert unsure["a1"] is None
    with pytest.raises(InputError, match=r"on 1 leads.*item a1 \(U1 cannot tell\)"):
        settle({"U1": unsure}, plan)
    assert settle({"U1": unsure}, plan, {"a1": 2})["a1"] == 2
