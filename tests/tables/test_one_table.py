"""One table, one behaviour: every command reads a kind of file as every other does, or refuses it by the same words."""

import gzip
import json
import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.recalibration.saved_map import made, write_map
from nlpcalib.tables.columns import codes_of
from nlpcalib.tables.table import Table, read_rows

N = 120
RANDOM = np.random.default_rng(2)
Q = np.round(RANDOM.beta(0.8, 1.2, N), 6)
Y = (RANDOM.random(N) < Q).astype(int)
ROWS = [[f"{row:03}", str(q), str(y), f"text {row}"] for row, (q, y) in enumerate(zip(Q.tolist(), Y, strict=True))]
HEADER = ["id", "q", "y", "text"]


def joined(separator=",", rows=ROWS, header=HEADER, end="\n"):
    return end.join(separator.join(row) for row in [header, *rows]) + end


def with_commas(rows):
    return [[name, q.replace(".", ","), y, text] for name, q, y, text in rows]


def parquet(path):
    table = pa.table({"id": [row[0] for row in ROWS], "q": Q, "y": Y, "text": [row[3] for row in ROWS]})
    pyarrow.parquet.write_table(table, path)


def json_lines():
    return "".join(json.dumps({"id": a, "q": float(q), "y": int(y), "text": t}) + "\n" for a, q, y, t in ROWS)


LINES = joined().splitlines(keepends=True)
READ = {
    "commas": ("t.csv", joined()),
    "semicolons": ("t.csv", joined(";")),
    "semicolons and decimal commas": ("t.csv", joined(";", with_commas(ROWS))),
    "tabs and decimal commas": ("t.tsv", joined("\t", with_commas(ROWS))),
    "tabs in csv": ("t.csv", joined("\t")),
    "tsv": ("t.tsv", joined("\t")),
    "txt": ("t.txt", joined()),
    "commas in tsv": ("t.tsv", joined()),
    "byte order mark": ("t.csv", "\ufeff" + joined()),
    "CRLF": ("t.csv", joined(end="\r\n")),
    "CR": ("t.csv", joined(end="\r")),
    "gzip": ("t.csv.gz", gzip.compress(joined().encode())),
    "gzip without its name": ("t.csv", gzip.compress(joined().encode())),
    "JSON lines": ("t.jsonl", json_lines()),
    "JSON lines as txt": ("t.txt", json_lines()),
    "Parquet": ("t.parquet", None),
    "a blank line": ("t.csv", "".join([*LINES[:9], "\n", *LINES[9:]])),
    "an empty row": ("t.csv", "".join([*LINES[:9], ",,,\n", *LINES[9:]])),
    "blanks after commas": ("t.csv", joined(", ")),
    "quotation marks around all": ("t.csv", joined(rows=[[f'"{c}"' for c in row] for row in ROWS])),
    "UTF-16": ("t.csv", joined().encode("utf-16")),
    "upper-case names": ("t.csv", joined(header=["ID", "Q", "Y", "TEXT"])),
    "no line end": ("t.csv", joined().rstrip("\n")),
}
REFUSED = {
    "a damaged byte": ("t.csv", joined().replace("text 7\n", "t \x81\n").encode("latin-1"), ", line 9: found bytes"),
    "a cell too many": ("t.csv", joined().replace("text 7\n", "text 7,x\n"), ", line 9: found 5 cells, expected 4 as"),
    "a cell too few": ("t.csv", joined().replace(",text 7\n", "\n"), ", line 9: found 3 cells, expected 4 as in the"),
    "a column twice": ("t.csv", joined(header=["id", "q", "y", "q"]), ": found the columns id, q, y, q; expected each"),
    "an open quotation mark": ("t.csv", joined().replace("text 7\n", '"text 7\n'), ", line 9: found a quotation mark"),
    "swallowed rows": (
        "t.csv", joined().replace("text 7\n", '"text 7\n').replace("text 9\n", 'text 9"\n'),
        ", line 9: found a cell that spans 3 lines, which look like rows",
    ),
    "swallowed rows behind a number as text": (
        "t.csv",
        joined().replace("text 0\n", "1984\n").replace("text 7\n", '"text 7\n').replace("text 90\n", 'text 90"\n'),
        ", line 9: found a cell that spans 84 lines, which look like rows",
    ),
    "swallowed rows from the first on": (
        "t.csv", joined().replace("text 0\n", '"1984\n').replace("text 90\n", 'text 90"\n'),
        ", line 2: found a cell that spans 91 lines, which look like rows",
    ),
    "no rows": ("t.csv", "id,q,y,text\n", ": found no rows, expected at least one"),
    "percentages": ("t.csv", joined(rows=[[a, str(90 + float(q)), y, t] for a, q, y, t in ROWS]), ", line 2: found p"),
    "a text for q": ("t.csv", joined().replace(f",{Q[7]},", ",high,"), ", line 9: found prediction 'high', expected a"),
    "a spreadsheet": ("t.xlsx", b"PK\x03\x04", ": found a spreadsheet or another archive, expected a table"),
    "a cut archive": ("t.csv.gz", gzip.compress(joined().encode())[:-9], ": found a damaged file"),
}  # fmt: skip


def written(folder, name, content):
    path = folder / name
    if content is None:
        parquet(path)
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def outcomes(path, folder, capfd):
    """Return the status of each command on a table, its answer without names of files, and its error."""
    write_map(folder / "map.json", made("linear", intercept=0, slope=0.7, floor=0.01), "logistic")
    labels = folder / "labels.csv"
    commands = {
        "calibrate": ["calibrate", path],
        "compare": ["compare", path, path],
        "page": ["calibrate", path, "--html", folder / "page.html"],
        "recalibrate": ["recalibrate", path, "--out", folder / "recalibrated"],
        "map": ["recalibrate", path, "--map", folder / "map.json", "--out", folder / "mapped"],
        "plan": ["plan", "items", path, "--budget", "40", "--design", "random", "--out", folder / "plan"],
        "estimate": ["estimate", path, labels, "--plan", folder / "plan/plan.json"],
    }
    found = {}
    for name, command in commands.items():
        if name == "estimate" and not (folder / "plan/plan.json").exists():
            plain = written(folder, "plain.csv", joined())
            main(["plan", "items", str(plain), "--budget", "40", "--design", "random", "--out", str(folder / "plan")])
        if name == "estimate":
            sheet = (folder / "plan/sheet-1.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
            items = [line.split(",")[0] for line in sheet]
            labels.write_text("item,label\n" + "".join(f"{item},{Y[int(item[5:])]}\n" for item in items))
        capfd.readouterr()
        status = main(list(map(str, command)))
        printed = capfd.readouterr()
        found[name] = status, printed.out.replace(str(path), "FILE").replace(str(folder), ""), printed.err
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", READ)
def test_every_command_reads_this_kind_of_file_as_it_reads_commas(kind, tmp_path, capfd):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    plain = outcomes(written(tmp_path / "a", "t.csv", joined()), tmp_path / "a", capfd)
    found = outcomes(written(tmp_path / "b", *READ[kind]), tmp_path / "b", capfd)
    for command, (status, answer, errors) in found.items():
        assert status == 0, (command, errors)
        # Compared with itself, a table is one model.
        assert not [line for line in errors.splitlines() if "warning" in line and "is it one model?" not in line]
        assert answer == plain[command][1], command


OWN_WAYS = re.compile(", or (--q with its name|a column for each class and the right class in one named gold)")
"""What only some of the commands can take in place of a column."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", REFUSED)
def test_every_command_refuses_this_kind_of_file_by_the_same_words(kind, tmp_path, capfd):
    name, content, message = REFUSED[kind]
    path = written(tmp_path, name, content)
    words = set()
    for command, (status, answer, errors) in outcomes(path, tmp_path, capfd).items():
        assert (status, answer) == (2, ""), command
        words.add(OWN_WAYS.sub("", errors[errors.index(str(path)) :]))
    assert len(words) == 1, words
    assert words.pop().startswith(f"{path}{message}")


QUOTED = {0: '"{}', 100: '{}"'}
"""Two quotation marks that do not belong together, by rows."""


@pytest.mark.parametrize(
    ("header", "row", "column"),
    [
        (["item", "label", "text"], ["i{0}", "yes", "some text"], 2),
        (["item", "label", "text"], ["i{0}", "", "word"], 2),
        (["text", "item", "label"], ["some text", "i{0}", "yes"], 0),
        (["annotator", "text", "label"], ["Ann Lee", "some text", "no"], 1),
        (["title", "text"], ["The Tempest", "some text"], 1),
    ],
)
def test_sheets_without_a_column_of_numbers_are_refused_if_rows_are_swallowed(header, row, column, tmp_path):
    rows = [[cell.format(number) for cell in row] for number in range(120)]
    path = tmp_path / "sheet.csv"
    path.write_text(joined(rows=rows, header=header))
    assert len(read_rows(path, header)) == 120
    for number, mark in QUOTED.items():
        rows[number][column] = mark.format(rows[number][column])
    path.write_text(joined(rows=rows, header=header))
    with pytest.raises(
        InputError, match=r"sheet\.csv, line 2: found a cell that spans 101 lines, which look like rows"
    ):
        read_rows(path, header)


@pytest.mark.parametrize("header", [["item", "text"], ["text", "item", "label"], ["title", "text", "label"], ["text"]])
def test_texts_of_several_lines_with_commas_are_no_swallowed_rows(header, tmp_path):
    text = ["Rage, rage,", "1,000 men, or more", "", "Yes, no", "and, as we know, so on", "The end, my friend"]
    cells = {"item": "i{}", "label": "yes", "title": "The Tempest"}
    rows = [
        [cells.get(name, '"' + "\n".join(text[n % 6 :] + text[: n % 5]) + '"').format(n) for name in header]
        for n in range(60)
    ]
    path = tmp_path / "sheet.csv"
    path.write_text(joined(rows=rows, header=header))
    assert len(read_rows(path, header)) == 60
    assert Table(path).rows == 60


@pytest.mark.parametrize("name", ["lm-eval", "", "excel"])
def test_a_format_that_is_no_tables_is_refused(name, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("q\n.5\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"found format '{name}', expected one of parquet"):
        Table(path, name)


@pytest.mark.parametrize("texts", [["a", "b", "a"], ["a", "b", "no row has this"]])
@pytest.mark.parametrize("store_schema", [True, False])
def test_a_parquet_dictionary_with_a_text_twice_or_unused_has_the_classes_of_its_rows(tmp_path, texts, store_schema):
    """Codes are read as they are stored, but names of classes are those that occur."""
    codes = pa.array([0, 1, 2 if texts[2] == "a" else 0, 0], pa.int32())
    column = pa.DictionaryArray.from_arrays(codes, pa.array(texts))
    pyarrow.parquet.write_table(
        pa.table({"label": pa.chunked_array([column, column[:1]])}),
        tmp_path / "t.parquet",
        store_schema=store_schema,
        row_group_size=2,
    )
    table = Table(tmp_path / "t.parquet")
    found, names = codes_of(table.read({"label": "category"})["label"], table, "label", "label")
    assert names == ("a", "b")
    assert found.tolist() == [0, 1, 0, 0, 0]
