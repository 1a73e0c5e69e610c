import zipfile
from datetime import date
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.records import MAX_RECORD_BYTES
from reproduction.corpora.readers.muc3 import read_muc3

ROOT = Path(__file__).parents[2]
BODY = "OSLO (NORWAY), 3 MAY 89 (NTB) -- [REPORT] [TEXT] THE NAVY [SJO] ATTACKED A FERRY."


def report(name, *paragraphs, day="1989-05-03", head=""):
    date_line = f'<meta name="DC.date" content="{day}"/>' if day else ""
    body = "".join(f"<p>{paragraph}</p>" for paragraph in (f"{name} (NOBODY)", *paragraphs))
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{head}<html xmlns="http://www.w3.org/1999/xhtml" id="{name}"><head>'
        '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"/>'
        f'<meta name="DC.identifier" content="{name}"/>{date_line}<meta name="DC.coverage" content="OSLO (NORWAY)"/>'
        f"<title>{name}</title></head><body>{body}</body></html>"
    )


@pytest.fixture
def archive(tmp_path):
    def write(*files):
        with zipfile.ZipFile(tmp_path / "muc3.zip", "w") as archive:
            for number, file in enumerate(files):
                archive.writestr(f"dev/DEV-{number}.xhtml", file)
            archive.writestr("README.md", "not a report")
        return tmp_path / "muc3.zip"

    return write


def test_reports_are_read_without_what_stands_before_them(archive):
    path = archive(report("A", BODY, "IT <span>SANK</span>&amp; BURNED.\n"), report("B", "NO DATELINE HERE."))
    assert list(read_muc3(path, 0)) == [
        DatedText(
            "A",
            date(1989, 5, 3),
            "THE NAVY [SJO] ATTACKED A FERRY.\n\nIT SANK& BURNED.",
        ),
        DatedText("B", date(1989, 5, 3), "NO DATELINE HERE."),
    ]


@pytest.mark.parametrize(
    "paragraphs",
    [
        ["OSLO, 3 MAY 89 [NTB) -- [TEXT] IT SANK."],
        ["OSLO, 3 MAY 89 (NTB)-- [TEXT] IT SANK."],
        ["OSLO, NO DATE (NTB [SERVICE]) -- IT SANK."],
        ["OSLO, 3 MAY 89 -- [REPORT]", "[TEXT] IT SANK."],
        ["OSLO, 3 MAY 89 -- ", "[TEXT] IT SANK."],
    ],
)
def test_datelines_are_irregular(archive, paragraphs):
    [found] = read_muc3(archive(report("A", *paragraphs)), 0)
    assert found.text == "IT SANK."


def test_undated_reports_are_passed_over_and_misdated_ones_named(archive, caplog):
    path = archive(report("A", BODY, day=None), report("B", BODY, day="2011-03-11"), report("C", BODY))
    assert [found.id for found in read_muc3(path, 0)] == ["C"]
    assert "dev/DEV-1.xhtml: found the date 2011-03-11, expected one from 1988-01-01 to 1990-12-31" in caplog.text
    assert "DEV-0" not in caplog.text


def test_broken_files_are_named_and_the_rest_goes_on(archive, caplog):
    trick = '<!DOCTYPE html [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
    files = [
        report("A", "&b;", head=trick),
        report("B", BODY)[:-9],
        report("C", BODY, day="3 MAY 89"),
        report("D"),
        report("E", BODY),
        report("E", BODY),
        report("F", BODY).replace("DC.identifier", "identifier"),
        " " * (MAX_RECORD_BYTES + 1),
    ]
    assert [found.id for found in read_muc3(archive(*files), 0)] == ["E"]
    assert "dev/DEV-0.xhtml: found the entity 'a'" in caplog.text
    assert "dev/DEV-1.xhtml: unclosed token" in caplog.text
    assert "dev/DEV-2.xhtml: found the date '3 MAY 89'" in caplog.text
    assert "dev/DEV-3.xhtml: found no text" in caplog.text
    assert "dev/DEV-5.xhtml: found id E again" in caplog.text
    with pytest.raises(InputError, match=r"DEV-0\.xhtml: .*13 of 14 records are broken"):
        list(read_muc3(archive(*files, *[" "] * 6), 0.5))


def test_a_report_of_five_megabytes_is_read(archive):
    [found] = read_muc3(archive(report("A", "OSLO -- ", *["THE NAVY ATTACKED. " * 1000] * 264)), 0)
    assert len(found.text) > 5_000_000


def test_muc3_has_its_published_size(retrieved, tmp_path, caplog):
    path = retrieved("muc3")
    reports = list(read_muc3(path, 0))
    assert len(reports) == 1700 - 85 - 1
    assert (min(found.date for found in reports), max(found.date for found in reports)) == (
        date(1988, 4, 29),
        date(1990, 6, 6),
    )
    assert not any(found.text.startswith("[") for found in reports)
    assert "DEV-MUC3-1166.xhtml: found the date 2011-03-11" in caplog.text
