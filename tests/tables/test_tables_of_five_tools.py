"""One table as Excel, pandas, R, Google Sheets and LibreOffice save it: read alike by every command, or one way out."""

import csv
import datetime
import gzip
import io
import json
import re
import sys
import zipfile

import numpy as np
import openpyxl
import pytest

import nlpcalib as nc
from nlpcalib.blocks import MAX_UNPACKED_BYTES
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.tables.records import table_records
from nlpcalib.tables.table import Table

N = 60
RANDOM = np.random.default_rng(5)
Q = np.round(RANDOM.uniform(0.02, 0.98, N), 4).tolist()
TRUE = [bool(RANDOM.random() < q) for q in Q]
DAYS = [datetime.date(2019, 1, 3) + datetime.timedelta(days=3 * row) for row in range(N)]
PLACES = ["Peru", "Kenya", "Poland"]
ROWS = [
    {
        "id": f"a{row}",
        "date": DAYS[row],
        "title": f"Café {row}; no, “bar”",
        "text": f"{row} workers {'marched in protest' if TRUE[row] else 'drank'} in {PLACES[row % 3]}, the café said.",
        "q": Q[row],
        "y": int(TRUE[row]),
        "verdict": "yes" if Q[row] > 0.5 else "no",
    }
    for row in range(N)
]


def table(
    separator=",",
    dates="{0:%Y-%m-%d}",
    point=".",
    names=str,
    index=None,
    quoting=csv.QUOTE_MINIMAL,
    end="\n",
    rows=ROWS,
):
    """Return a table as text; `index` is the name of a first column with the number of each row."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, quoting=quoting, lineterminator=end)
    first = [] if index is None else [index]
    writer.writerow([*first, *map(names, rows[0])])
    for number, row in enumerate(rows):
        cells = [
            dates.format(cell) if isinstance(cell, datetime.date)
            else str(cell).replace(".", point) if isinstance(cell, float)
            else cell
            for cell in row.values()
        ]  # fmt: skip
        writer.writerow([*([] if index is None else [str(number + (quoting == csv.QUOTE_NONNUMERIC))]), *cells])
    return text.getvalue()


US, GERMAN, UK = "{0.month}/{0.day}/{0.year}", "{0:%d.%m.%Y}", "{0:%d/%m/%Y}"
UNNAMED = table("\t", quoting=csv.QUOTE_NONNUMERIC, index="").replace('""\t', "", 1)


def workbook():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append([name.title() for name in ROWS[0]])
    for row in ROWS:
        book.active.append(list(row.values()))
    book.create_sheet("Notes").append(["not read"])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def parquet():
    pandas = pytest.importorskip("pandas")
    stream = io.BytesIO()
    frame = pandas.DataFrame(ROWS)
    frame.assign(date=pandas.to_datetime(frame.date)).to_parquet(stream)
    return stream.getvalue()


def json_lines():
    return "".join(json.dumps({**row, "date": f"{row['date']}T00:00:00.000"}) + "\n" for row in ROWS)


TABLES = {
    "Excel, CSV UTF-8": ("t.csv", lambda: table(dates=US, names=str.upper, end="\r\n").encode("utf-8-sig")),
    "Excel, CSV": ("t.csv", lambda: table(dates=US, names=str.title, end="\r\n").encode("cp1252")),
    "Excel in German, CSV": ("t.csv", lambda: table(";", GERMAN, ",", str.upper, end="\r\n").encode("cp1252")),
    "Excel in Britain, CSV": ("t.csv", lambda: table(dates=UK, names=str.title, end="\r\n").encode("cp1252")),
    "Excel, Unicode Text": ("t.txt", lambda: table("\t", US, names=str.title, end="\r\n").encode("utf-16")),
    "Excel, workbook": ("t.xlsx", workbook),
    "pandas, to_csv": ("t.csv", lambda: table(index="").encode()),
    "pandas, to_csv without index": ("t.csv", lambda: table(dates="{0:%Y-%m-%d} 00:00:00").encode()),
    "pandas, to_csv packed": ("t.csv.gz", lambda: gzip.compress(table().encode())),
    "pandas, to_json": ("t.jsonl", lambda: json_lines().encode()),
    "pandas, to_parquet": ("t.parquet", parquet),
    "R, write.csv": ("t.csv", lambda: table(index="", quoting=csv.QUOTE_NONNUMERIC).encode()),
    "R, write.csv2": ("t.csv", lambda: table(";", point=",", index="", quoting=csv.QUOTE_NONNUMERIC).encode()),
    "R on Windows, write.csv": ("t.csv", lambda: table(quoting=csv.QUOTE_NONNUMERIC, end="\r\n").encode("cp1252")),
    "R, readr": ("t.tsv", lambda: table("\t").encode()),
    "Google Sheets, CSV": ("t.csv", lambda: table(dates=US, names=str.title, end="\r\n").encode()),
    "Google Sheets, TSV": ("t.tsv", lambda: table("\t", "{0:%Y-%m-%d}", names=str.title, end="\r\n").encode()),
    "LibreOffice, CSV": ("t.csv", lambda: table(names=str.title).encode()),
    "LibreOffice in German, CSV": ("t.csv", lambda: table(";", GERMAN, ",", str.title).encode()),
    "LibreOffice, UTF-16": ("t.csv", lambda: table(dates=GERMAN, quoting=csv.QUOTE_ALL).encode("utf-16")),
}
REFUSED = {
    "LibreOffice in the USA": (lambda: table(dates="{0:%m/%d/%y}"), "--dates %m/%d/%y"),
    "R, write.table": (lambda: UNNAMED, "in R: write.csv(…, row.names = FALSE)"),
    "a day or a month first": (
        lambda: table(dates="0{0.month}/01/{0.year}"), "expected --dates day-first or --dates month-first",
    ),
    "two formats": (
        lambda: table(dates=UK).replace("/01/2019", "-2019-01").replace("/02/2019", "-2019-02"),
        "expected one such as",
    ),
    "days as numbers": (lambda: table(dates="43{0:%j}"), "a spreadsheet's number of a day"),
    "Cyrillic in Windows-1251": (
        lambda: table(rows=[{**row, "title": "кафе", "text": "кафе"} for row in ROWS]).encode("cp1251"), "not UTF-8",
    ),
}  # fmt: skip
"""Tables that no command can read, and what each message has: the way out."""


def answers(path, folder, capfd, *options):
    """Return status, answer and error of each command on a table."""
    folder.mkdir(exist_ok=True)
    out, labels, again = folder / "plan", folder / "labels.csv", folder / f"again{''.join(path.suffixes)}"
    again.write_bytes(path.read_bytes())
    by = ["--by", "month(date)", *options]
    commands = {
        "calibrate": ["calibrate", path],
        "compare": ["compare", path, again],
        "recalibrate": ["recalibrate", path, "--method", "logistic"],
        "plan items": ["plan", "items", path, "--budget", "30", "--design", "random", *by, "--out", out],
        "estimate": ["estimate", path, labels, "--plan", out / "plan.json", *by],
        "judge": ["judge", path, labels, "--q", "verdict", "--by", "quarter(date)", *options],
        "events": ["events", path, "--category", "protest", *options],
        "learn": ["learn", path, labels, "--category", "protest", "--out", folder / "model.json", *options],
    }
    codes = {"Peru": "PER", "Kenya": "KEN", "Poland": "POL"}
    found = {}
    for name, command in commands.items():
        sheet = [["Item", "Label"]]
        for row in ROWS:
            place = next(each for each in PLACES if each in row["text"])
            marked = codes[place] if row["y"] else "none"
            sheet.append([row["id"], marked if name == "learn" else "yes" if row["y"] else "no"])
        if name == "estimate" and (out / "sheet-1.csv").exists():
            asked = [
                line.split(",")[0].removeprefix("item ") for line in (out / "sheet-1.csv").read_text().splitlines()
            ]
            sheet = [sheet[0], *(row for row in sheet if row[0] in asked)]
        labels.write_text("".join(",".join(row) + "\n" for row in sheet))
        capfd.readouterr()
        status = main(list(map(str, command)))
        printed = capfd.readouterr()
        answer = printed.out.replace(str(path), "FILE").replace(path.name, "FILE")
        if name == "compare":  # names of files are part of its answer
            answer = str(re.findall(r"[.][0-9]+", answer))
        found[name] = status, answer.replace(str(folder), ""), printed.err
    return found


EXPECTED: dict = {}


@pytest.fixture
def expected(tmp_path, capfd):
    """Return what commands answer to the plain table."""
    if not EXPECTED:
        (tmp_path / "plain.csv").write_text(table(), encoding="utf-8")
        EXPECTED.update(answers(tmp_path / "plain.csv", tmp_path / "plain", capfd))
    return EXPECTED


@pytest.mark.slow
@pytest.mark.parametrize("tool", TABLES)
def test_every_command_reads_what_a_tool_saves_as_it_reads_plain_csv(tool, tmp_path, capfd, expected):
    name, content = TABLES[tool]
    (tmp_path / "saved").mkdir()
    path = tmp_path / "saved" / name
    path.write_bytes(content())
    for command, (status, answer, errors) in answers(path, tmp_path / "own", capfd).items():
        assert status == 0, (command, errors)
        assert expected[command][0] == 0, (command, expected[command])
        assert answer == expected[command][1], command


@pytest.mark.slow
@pytest.mark.parametrize("kind", REFUSED)
def test_a_table_that_cannot_be_read_is_refused_in_one_line_with_the_way_out(kind, tmp_path, capfd):
    content, way_out = REFUSED[kind]
    path = tmp_path / "t.csv"
    made = content()
    path.write_bytes(made if isinstance(made, bytes) else made.encode())
    found = answers(path, tmp_path / "own", capfd)
    for command in ("events", "plan items", "learn", "judge"):
        status, answer, errors = found[command]
        assert (status, answer, errors.count("\n")) == (2, "", 1), (command, status, answer, errors)
        assert way_out in errors, (command, errors)


@pytest.mark.slow
@pytest.mark.parametrize(("dates", "written"), [("%m/%d/%y", "{0:%m/%d/%y}"), ("day-first", UK), ("month-first", US)])
def test_the_option_of_a_message_reads_the_table(dates, written, tmp_path, capfd, expected):
    (tmp_path / "own.csv").write_text(table(dates=written), encoding="utf-8")
    found = answers(tmp_path / "own.csv", tmp_path / "b", capfd, "--dates", dates)
    assert [(status, answer.replace(f" --dates {dates}", "")) for status, answer, _ in found.values()] == [
        (status, answer) for status, answer, _ in expected.values()
    ]


def test_a_table_in_windows_1252_or_utf16_is_named_with_a_word_of_it(tmp_path, capfd):
    for encoding, note in (
        ("cp1252", "read as Windows-1252, since it is not UTF-8: 'Café'"),
        ("utf-16", "read as UTF-16"),
    ):
        path = tmp_path / "t.csv"
        path.write_bytes(table().encode(encoding))
        for command in (["calibrate", path], ["plan", "items", path, "--budget", "9", "--out", tmp_path / encoding]):
            assert main(list(map(str, command))) == 0
            assert note in capfd.readouterr().err
        assert main(["events", str(path), "--category", "protest"]) == 0
        assert re.search(re.escape(f"{path}: {note}"), capfd.readouterr().err)


def test_a_workbook_names_its_sheet_and_without_its_reader_the_two_ways_out(tmp_path, monkeypatch, capfd):
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook())
    assert main(["calibrate", str(path)]) == 0
    assert "read sheet 'Sheet', one of 2" in capfd.readouterr().err
    path.write_bytes(workbook()[:-1] + b"\0\0")  # another file, which is read anew
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    assert main(["calibrate", str(path)]) == 2
    error = capfd.readouterr().err
    assert "found an Excel workbook, which openpyxl reads: pip install 'openpyxl" in error
    assert "or in Excel: File, Save As, CSV UTF-8" in error


@pytest.mark.parametrize("share", [0.2, 0.9])
def test_a_damaged_workbook_is_refused_in_one_line(share, tmp_path, capfd):
    whole = workbook()
    path = tmp_path / "t.xlsx"
    cut = int(share * len(whole))
    path.write_bytes(whole[:cut] + bytes(20) + whole[cut + 20 :])
    assert main(["calibrate", str(path)]) == 2
    error = capfd.readouterr().err
    assert error.count("\n") == 1
    assert "expected a" in error


def test_a_workbook_that_unpacks_to_more_than_is_read_is_refused_before_it_is_unpacked(tmp_path, capfd):
    path = tmp_path / "t.xlsx"
    path.write_bytes(workbook())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/big.xml", "w") as member:
        for _ in range(MAX_UNPACKED_BYTES >> 24):
            member.write(bytes(1 << 24))
    assert path.stat().st_size < 1 << 20
    assert main(["calibrate", str(path)]) == 2
    error = capfd.readouterr().err
    assert "bytes unpacked, expected at most" in error
    assert error.count("\n") == 1


SENTENCES = {
    "Polish, cp1250": "Zażółć gęślą jaźń. Górnicy w Łodzi żądają wyższych płac, śląskie związki też",
    "Polish, iso8859-2": "Zażółć gęślą jaźń. Górnicy w Łodzi żądają wyższych płac, śląskie związki też",
    "Czech, cp1250": "Stávka řidičů začala v pondělí ráno, odbory žádají vyšší mzdy a lepší podmínky",
    "Slovak, cp1250": "Štrajk učiteľov: väčšina škôl zostáva zatvorená, žiadajú vyššie mzdy",
    "Hungarian, cp1250": "A sztrájk hétfőn kezdődött, magasabb bért követelnek, gyűlést hívtak",
    "Romanian, cp1250": "Greva a început dimineaţa, cer salarii mai mari şi condiţii mai bune",
    "Croatian, cp1250": "Učitelji će prosvjedovati, traže veće plaće, kažu građani i štrajkaši",
    "Turkish, cp1254": "İşçilerin grevi başladı, göstericiler şehirde yürüdü, ücret artışı için ağır",
    "Lithuanian, cp1257": "Streikas prasidėjo pirmadienį, profsąjungos reikalauja geresnių sąlygų",
    "Latvian, cp1257": "Streiks sākās, arodbiedrības šķērso ceļus, bērni un skolēni ziņo, cēloņi",
    "French, cp1252": "La grève a commencé où ça ? L’œuvre, très bientôt, même à Noël… 5 m³ reçus",
    "German, cp1252": "Größere Löhne für Beschäftigte in München, sagte er früh – „natürlich schön“",
    "Spanish, cp1252": "¿Quién irá mañana a España? La acción política, número 1º, empezó así",
    "Portuguese, cp1252": "Às três não há reunião em São Paulo, os salários, condições melhores",
    "Icelandic, cp1252": "Verkfallið hófst á mánudag, stéttarfélögin krefjast hærri launa þar",
    "Danish, cp1252": "Fagforeningerne i København kræver højere løn på øen og bedre vilkår",
    "names in English, cp1252": "Zoë met François, Núñez, Björn, Søren and Håkon in a café in São Paulo, naïve",
}


@pytest.mark.parametrize("saved", SENTENCES)
def test_letters_of_a_language_decide_between_encodings_of_one_byte(saved, tmp_path):
    text, encoding = SENTENCES[saved], saved.partition(", ")[2]
    path = tmp_path / "t.csv"
    path.write_bytes("".join(["text;q\n", *(f"{text} {row};0.{row + 10}\n" for row in range(30))]).encode(encoding))
    table = Table(path)
    assert table.read({"text": "text"})["text"][3].as_py() == f"{text} 3"
    called = {"iso8859-2": "ISO 8859-2"}.get(encoding, encoding.replace("cp", "Windows-"))
    assert table.notes[0].startswith(f"read as {called}, since it is not UTF-8: ")


def test_two_languages_whose_encodings_differ_are_no_other_encoding(tmp_path):
    path = tmp_path / "t.csv"
    both = [SENTENCES[f"{name}, cp1252"] for name in ("French", "German", "Spanish", "Portuguese", "Danish")]
    path.write_bytes("".join(["text;q\n", *(f"{text};0.5\n" for text in both * 9)]).encode("cp1252"))
    assert Table(path).read({"text": "text"})["text"].to_pylist() == both * 9


def test_errors_in_a_workbook_name_its_sheet_and_row(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Scores 2024"
    rows = [[], [], ["id", "q", "y", "text"], *([n, n / 60, n % 2, f"one\ntwo\n{n}"] for n in range(60))]
    for row in rows:
        book.active.append(row)
    book.active["B34"] = "half"
    book.save(tmp_path / "t.xlsx")
    found = "t.xlsx, sheet 'Scores 2024', row 34: found prediction 'half'"
    for ask in (lambda path: nc.calibrate(nc.read(path)), lambda path: nc.plan_items(path, budget=9)):
        with pytest.raises(InputError, match=re.escape(found)):
            ask(tmp_path / "t.xlsx")
    assert [each.place for each in table_records(tmp_path / "t.xlsx")][31].endswith("sheet 'Scores 2024', row 35")
    book.active.insert_rows(1)
    book.active["A1"] = "Table 1: scores"
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(InputError, match="sheet 'Scores 2024', row 35: found prediction 'half'"):  # below a title
        nc.calibrate(nc.read(tmp_path / "t.xlsx"))


def test_numbers_of_a_workbook_may_be_texts_with_decimal_commas(tmp_path):
    book = openpyxl.Workbook()
    rows = [["Wahrscheinlichkeit", "richtig"], *([f"0,{n:02}", ("nein", "ja")[n % 2]] for n in range(10, 90))]
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "daten.xlsx")
    found = nc.read(tmp_path / "daten.xlsx", q="Wahrscheinlichkeit", y="richtig", yes="ja")
    assert found.q[:3].tolist() == [0.1, 0.11, 0.12]
    assert found.y[:3].tolist() == [0, 1, 0]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("between", ["", "\t\t\t"])
def test_blank_lines_between_sentences_of_tokens_make_units(end, between, tmp_path):
    random = np.random.default_rng(1)
    sizes = random.integers(1, 9, 60)
    q = random.random(sizes.sum()).round(3)
    y = random.random(q.size) < q
    lines, row = ["token\tq\ty\tpos"], 0
    for size in sizes:
        lines += [f"w{k}\t{q[k]}\t{int(y[k])}\tN" for k in range(row, row + size)]
        lines.append(between)
        row += size
    path = tmp_path / "t.tsv"
    path.write_text(end.join([*lines, ""]), newline="")
    found = nc.calibrate(nc.read(path))
    assert found.facts.units == "60"
    expected = nc.calibrate(nc.read(q, y=y, unit=np.repeat(np.arange(60), sizes)))
    assert found.interval == expected.interval


def test_blank_lines_after_each_row_or_few_of_them_make_no_units(tmp_path):
    rows = [f"{n / 60:.3f},{n % 2}" for n in range(60)]
    for name, text in {
        "each": "\n\n".join(["q,y", *rows]),
        "one": "\n".join(["q,y", *rows[:30], "", *rows[30:]]),
    }.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(text + "\n")
        assert nc.calibrate(nc.read(path)).facts.units == "each row"


@pytest.mark.parametrize(
    ("head", "options"),
    [
        (".pred_no,.pred_yes,.pred_class,outcome", (".pred_no,.pred_yes", "outcome")),  # tidymodels
        ("prob.no,prob.yes,response,truth", ("prob.no,prob.yes", "truth")),  # mlr3
        ("no,yes,pred,obs", ("no,yes", "obs")),  # caret
    ],
)
def test_a_predicted_class_beside_its_probabilities_is_not_taken_for_the_right_one(head, options, tmp_path):
    path = tmp_path / "t.csv"
    words = np.array(["no", "yes"])
    rows = [f"{1 - q:.4f},{q:.4f},{words[int(q > 0.5)]},{words[int(y)]}" for q, y in zip(Q, TRUE, strict=True)]
    path.write_text("\n".join([head, *rows]) + "\n")
    q, y = options
    right = np.sum((np.array(Q) > 0.5) == TRUE)
    assert f"likeliest class, {right} right" in str(nc.calibrate(nc.read(path, q=q, y=y)))


def test_compare_says_which_named_column_a_second_table_lacks(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    rows = [f"{n},{q},{int(y)}" for n, (q, y) in enumerate(zip(Q, TRUE, strict=True))]
    for path, head in ((first, "id,p,gold"), (second, "id,score,gold")):
        path.write_text("\n".join([head, *rows]) + "\n")
    with pytest.raises(InputError, match=r"b\.csv: found the columns id, score, gold; expected one named 'p'"):
        nc.compare(*(nc.read(path, q="p", y="gold") for path in (first, second)))
