"""A corpus that is read in parts: the documents, the order and the errors are those of one reading."""

import csv
import datetime
import gzip
import io
import json
import random
import resource
import runpy
import tarfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from nlpcalib.errors import InputError
from nlpcalib.io.folders import files_below
from reproduction.corpora.formats import FORMATS
from reproduction.corpora.years import files_by_year

SCRIPTS = Path(__file__).parents[3] / "scripts/events"
MAIN = {
    name: runpy.run_path(str(SCRIPTS / f"{name}.py"))["main"]
    for name in ("read_news", "list_news", "read_part", "check_parts", "keep_part")
}
SELECTING = {
    "words": 30,
    "queries": [{"name": "attack", "verbs": ["attack"]}],
    "mixed_case": [],
    "paths_mixed_case": [],
    "lexicon": ["packaged"],
    "path_lexicon": None,
}


@contextmanager
def open_files(most):
    """Let this process have at most so many open files."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def in_one(source, form, folder, broken=0.2):
    """Read a corpus in one job; return its documents and texts."""
    table, texts = folder / "one.csv", folder / "one.jsonl"
    reader = FORMATS[form].reader
    MAIN["read_news"](
        str(source), [str(table)], [str(texts)], reader=reader, options={}, broken=broken, **SELECTING
    )  # fmt: skip
    return table.read_bytes(), texts.read_bytes()


def files_of(source):
    """Return the files of a source as rules list them."""
    return [str(path) for path in files_below(source)] if source.is_dir() else [str(source)]


def in_parts(source, form, folder, parts, broken=0.2, files=None, earlier=()):
    """Read it in parts; return what all shards have, one after the other, with one header.

    `files` are those that are read, by default all, and `earlier` those of the ids of earlier years.
    """
    reader, names = FORMATS[form].reader, [f"{number}-of-{parts}" for number in range(1, parts + 1)]
    listing, repeated, ids = (str(folder / name) for name in ("listing", "repeated", "ids"))
    MAIN["list_news"](str(source), files or files_of(source), listing, reader=reader, parts=parts)
    for number, name in reversed(list(enumerate(names, 1))):  # in whatever order jobs run
        MAIN["read_part"](
            str(source), listing, str(folder / f"{name}.passages"), str(folder / f"{name}.found"),
            reader=reader, part=number, broken=broken, **SELECTING,
        )  # fmt: skip
    MAIN["check_parts"](
        str(source), [str(folder / f"{name}.found") for name in names], earlier, repeated, ids, broken=broken
    )
    tables, texts = [], []
    for number, name in enumerate(names, 1):
        table, text = folder / f"{name}.csv", folder / f"{name}.jsonl"
        MAIN["keep_part"](str(folder / f"{name}.passages"), repeated, str(table), str(text), part=number)
        header, _, rows = table.read_bytes().partition(b"\n")
        tables.append(rows)
        texts.append(text.read_bytes())
    return header + b"\n" + b"".join(tables), b"".join(texts)


SENTENCES = (
    "Iraq attacked Kuwait on Saturday.",
    "France condemned it.",
    'He said: "We attack, if we must; é".',
    "Nobody came.\n\nIsrael did.",
)


def documents(number, seed=1):
    """Return rows of documents; some have long texts, no date, an id again, or no text."""
    rng = random.Random(seed)
    rows = []
    for place in range(number):
        text = " ".join(rng.choices(SENTENCES, k=rng.choice((1, 2, 3, 30))))
        day = datetime.date(2001, 1, 1) + datetime.timedelta(days=rng.randrange(400))
        row = {"id": f"d{place}", "date": day, "text": text, "title": f"T {place}"}
        kind = rng.random()
        if kind < 0.04:
            row["id"] = f"d{rng.randrange(number)}"
        elif kind < 0.06:
            row["date"] = ""
        elif kind < 0.08:
            row["text"] = " "
        rows.append(row)
    return rows


def as_lines(rows):
    lines = [json.dumps({**row, "date": str(row["date"])}, ensure_ascii=False) for row in rows]
    lines[3:3] = ["", "{broken", "   "]
    return ("\n".join(lines) + "\n").encode()


def as_table(rows, *, end="\n", mark="", separator=",", day="%d/%m/%Y"):
    """Return a table; cells with separators, quotation marks and line breaks are quoted."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=separator, lineterminator=end)
    writer.writeheader()
    for place, row in enumerate(rows):
        writer.writerow({**row, "date": row["date"] and f"{row['date']:{day}}"})
        if place % 9 == 4:
            out.write(f"one cell{end}" if place % 2 else end)
    return (mark + out.getvalue()).encode()


def as_parquet(rows):
    out = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist([{**row, "date": str(row["date"])} for row in rows]), out)
    return out.getvalue()


FILES = {
    "a.jsonl": as_lines,
    "b.csv": as_table,
    "b-windows.csv": lambda rows: as_table(rows, end="\r\n", mark="\ufeff", separator=";"),
    "b-old.csv": lambda rows: as_table(
        [{**row, "text": row["text"].replace("\n", " ")} for row in rows], end="\r", separator="\t"
    ),
    "b-recoded.csv": lambda rows: as_table(rows).decode().encode("cp1252"),
    "c.jsonl.gz": lambda rows: gzip.compress(as_lines(rows)),
    "d.parquet": as_parquet,
    "no-end.jsonl": lambda rows: as_lines(rows).rstrip(b"\n"),
}


@pytest.mark.parametrize("parts", [1, 7, 30])
@pytest.mark.parametrize("name", list(FILES))
def test_a_file_has_the_same_documents_in_any_number_of_parts(name, parts, tmp_path):
    (tmp_path / name).write_bytes(FILES[name](documents(60)))
    whole = in_one(tmp_path / name, "dated", tmp_path)
    assert whole[0].count(b"\n") > 40
    assert whole[0].count(b"#1,") > 3
    assert in_parts(tmp_path / name, "dated", tmp_path, parts) == whole


@pytest.mark.parametrize("parts", [200, pytest.param(2000, marks=pytest.mark.slow)])
def test_two_thousand_parts_of_a_small_corpus_have_its_documents_with_a_hundred_open_files(
    parts, tmp_path, monkeypatch
):
    source = tmp_path / "a.jsonl"
    source.write_bytes(as_lines(documents(300)))
    monkeypatch.setitem(SELECTING, "lexicon", None)
    whole = in_one(source, "dated", tmp_path)
    with open_files(100):
        assert in_parts(source, "dated", tmp_path, parts) == whole


@pytest.mark.parametrize("parts", [1, 3, 10])
def test_a_folder_of_tables_is_one_corpus(parts, tmp_path):
    """An id is looked for in all files, and a date such as 01/02/2001 is read by the dates of all."""
    folder = tmp_path / "news"
    (folder / "2002").mkdir(parents=True)
    rows = documents(90)
    unclear = [{"id": "u", "date": datetime.date(2001, 2, 1), "text": "Iraq attacked.", "title": ""}]
    (folder / "1.csv").write_bytes(as_table(unclear))
    (folder / "2.csv").write_bytes(as_table(rows[:40]))
    (folder / "2002/3.csv.gz").write_bytes(gzip.compress(as_table(rows[35:60])))
    (folder / "2002/4.csv").write_bytes(as_table(rows[60:]))
    (folder / ".hidden").write_bytes(b"\0")
    whole = in_one(folder, "dated", tmp_path, broken=0.5)
    assert b"\nu,2001-02-01,True\n" in whole[0]
    assert in_parts(folder, "dated", tmp_path, parts, broken=0.5) == whole


@pytest.mark.parametrize("parts", [1, 3])
def test_years_that_are_read_one_after_the_other_are_one_corpus(parts, tmp_path):
    """An id that an earlier year has is left out, and files are found by the year in their names."""
    folder = tmp_path / "news"
    (folder / "2002/spring").mkdir(parents=True)
    rows = [{**row, "title": "t"} for row in documents(120)]
    table = partial(as_table, day="%Y-%m-%d")
    (folder / "2001-a.jsonl").write_bytes(as_lines(rows[:30]))
    (folder / "20010615.csv").write_bytes(table(rows[25:40]))
    (folder / "2002/spring/1.csv").write_bytes(table(rows[40:80]))
    (folder / "2002/2.csv.gz").write_bytes(gzip.compress(table(rows[20:60])))
    (folder / "the year 2003.csv").write_bytes(table(rows[70:]))
    (folder / ".hidden").write_bytes(b"\0")
    whole = in_one(folder, "dated", tmp_path, broken=0.5)
    read, earlier = [], []
    for year, files in files_by_year(folder).items():
        (tmp_path / year).mkdir()
        read.append(in_parts(folder, "dated", tmp_path / year, parts, broken=0.8, files=files, earlier=list(earlier)))
        earlier.append(str(tmp_path / year / "ids"))
    assert [Path(path).parent.name for path in earlier] == ["2001", "2002", "2003"]
    header = read[0][0].partition(b"\n")[0]
    assert header + b"\n" + b"".join(table.partition(b"\n")[2] for table, _ in read) == whole[0]
    assert b"".join(texts for _, texts in read) == whole[1]


def test_a_folder_that_cannot_be_split_into_years_is_refused(tmp_path):
    assert files_by_year(tmp_path / "missing") == {}
    (tmp_path / "1987").mkdir()
    with pytest.raises(InputError, match="found a folder without files, expected a file or a folder for each year"):
        files_by_year(tmp_path)
    (tmp_path / "1987/01.tgz").touch()
    (tmp_path / "19880704.xml").touch()
    assert list(files_by_year(tmp_path)) == ["1987", "1988"]
    for name in ("readme.txt", "12345.csv", "01987.csv", "0987.csv"):
        (tmp_path / name).touch()
        with pytest.raises(InputError, match=f"{name}: found no year in the name, expected one, such as"):
            files_by_year(tmp_path)
        with pytest.raises(InputError, match=f"{name}: found a file, expected a folder with"):
            files_by_year(tmp_path / name)
        (tmp_path / name).unlink()


def article(row):
    text = row["text"].replace("&", "&amp;").replace("\n\n", "</p><p>")
    return (
        f'<nitf><head><docdata><doc-id id-string="{row["id"]}"/><identified-content><classifier '
        'type="taxonomic_classifier">Top/News/World</classifier></identified-content></docdata><pubdata '
        f'date.publication="{str(row["date"]).replace("-", "")}T000000"/></head><body><body.content><block '
        f'class="full_text"><p>{text}</p></block></body.content></body></nitf>'
    ).encode()


def write_archives(folder, rows):
    """Write articles as archives of twenty, and two of them as files of their own."""
    for start in range(0, len(rows), 20):
        path = folder / f"data/{2000 + start}.tgz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(path, "w:gz") as archive:
            for number, row in enumerate(rows[start : start + 20]):
                data = article(row)
                member = tarfile.TarInfo(f"{number}.xml")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
    for number in (0, 1):
        (folder / f"{number}.xml").write_bytes(article({**rows[0], "id": f"x{number}"}))


@pytest.mark.parametrize("parts", [1, 4, 12])
def test_archives_of_articles_are_read_in_parts(parts, tmp_path):
    write_archives(tmp_path / "nyt", documents(150, seed=2))
    whole = in_one(tmp_path / "nyt", "nitf", tmp_path)
    assert whole[0].count(b"\n") > 100
    assert in_parts(tmp_path / "nyt", "nitf", tmp_path, parts) == whole


@pytest.mark.parametrize("form", ["dated", "nitf"])
def test_a_part_is_told_of_its_own_files_alone(form, tmp_path):
    """So what all parts are told grows with the corpus, and not with the number of parts as well."""
    write_archives(tmp_path / "nyt", documents(150, seed=2))
    (tmp_path / "dated").mkdir()
    for number in range(10):
        (tmp_path / f"dated/{number}.csv").write_bytes(as_table(documents(15, seed=number)))
    source = tmp_path / ("nyt" if form == "nitf" else form)
    sizes, files = [], [path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()]
    for parts in (10, 100):
        listing = tmp_path / f"listing of {parts}"
        MAIN["list_news"](str(source), files_of(source), str(listing), reader=FORMATS[form].reader, parts=parts)
        pieces = [piece["file"] for part in json.loads(listing.read_text()) for piece in part["pieces"]]
        assert set(pieces) == set(files)
        assert len(pieces) <= len(files) + parts
        sizes.append(listing.stat().st_size)
    assert sizes[1] < 10 * sizes[0]


@pytest.mark.parametrize("form", ["dated", "nitf"])
def test_too_many_broken_records_are_too_many_however_they_are_spread(form, tmp_path):
    """Eleven of sixty, and ten are always tolerated: no part has as many."""
    rows = [{**row, "id": f"d{place % 49}"} for place, row in enumerate(documents(60, seed=5)) if row["date"]]
    rows = [row for row in rows if row["text"].strip()]
    if form == "nitf":
        write_archives(tmp_path / "news", rows)
    else:
        (tmp_path / "news").write_bytes(as_lines(rows))
    numbers = []
    for parts in (None, 1, 7):
        read = partial(in_parts, parts=parts) if parts else in_one
        with pytest.raises(InputError, match=r"records are broken, expected at most 1.0% of them or 10") as told:
            read(tmp_path / "news", form, tmp_path, broken=0.01)
        numbers.append(str(told.value).partition("; ")[2])
    assert len(set(numbers)) == 1


def test_a_corpus_without_documents_or_with_an_unclosed_quotation_mark_is_refused_in_parts_too(tmp_path):
    (tmp_path / "none.jsonl").write_bytes(b'{"id": "a"}\n')
    rows = as_table([{**row, "title": "t"} for row in documents(60)]).splitlines(keepends=True)
    (tmp_path / "open.csv").write_bytes(b"".join([*rows[:4], b'z,01/02/2001,"Iraq attacked.,t\n', *rows[4:]]))
    (tmp_path / "folder").mkdir()
    for name in ("none.jsonl", "open.csv", "folder", "missing.csv"):
        with pytest.raises(InputError) as one:
            in_one(tmp_path / name, "dated", tmp_path)
        with pytest.raises(InputError) as several:
            in_parts(tmp_path / name, "dated", tmp_path, 5)
        assert str(several.value) == str(one.value)


def test_a_file_that_changed_after_it_was_listed_is_refused(tmp_path):
    source, listing = tmp_path / "a.jsonl", str(tmp_path / "listing")
    source.write_bytes(as_lines(documents(20)))
    reader = FORMATS["dated"].reader
    MAIN["list_news"](str(source), [str(source)], listing, reader=reader, parts=2)
    source.write_bytes(as_lines(documents(21)))
    with pytest.raises(InputError, match=r"a\.jsonl: found .* bytes, expected .* as when the corpus was listed"):
        MAIN["read_part"](
            str(source), listing, str(tmp_path / "p"), str(tmp_path / "f"),
            reader=reader, part=1, broken=0.2, **SELECTING,
        )  # fmt: skip
