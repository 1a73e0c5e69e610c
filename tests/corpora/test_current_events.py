import zipfile
from datetime import date
from pathlib import Path

import pytest

from nlpcalib.systems.text.dated import DatedText
from reproduction.corpora.readers.current_events import read_current_events, without_sources

ROOT = Path(__file__).parents[2]
ATTACK = "Rebels attack a convoy near the border and kill two drivers."
DAY = f"""Date: '2019-03-06'
Intelligence_Payload:
  Armed conflicts:
  - Border war
  - {ATTACK[:38]}
    {ATTACK[39:]} (The
    Daily Moon), (BBC)
  Sports:
  - '{ATTACK}'
  - 2019 Cup of the Northern and the Southern Isles
"""


@pytest.fixture
def archive(tmp_path):
    def write(*days):
        with zipfile.ZipFile(tmp_path / "events.zip", "w") as archive:
            for number, day in enumerate(days):
                archive.writestr(f"2019/03/{number}.yaml", day)
        return tmp_path / "events.zip"

    return write


def day(text="something", on="2019-03-07"):
    item = f"It is reported in the north that {text} was seen (Moon News)."
    return f"Date: '{on}'\nIntelligence_Payload:\n  c:\n  - '{item}'\n"


def test_items_are_reports_without_headings_sources_and_copies(archive):
    assert list(read_current_events(archive(DAY, DAY.replace("03-06", "03-08")), 0)) == [
        DatedText("2019-03-06/2", date(2019, 3, 6), ATTACK, {"category": "Armed conflicts"}),
        DatedText(
            "2019-03-06/4",
            date(2019, 3, 6),
            "2019 Cup of the Northern and the Southern Isles",
            {"category": "Sports"},
        ),
    ]


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Two die. (BBC News)", "Two die."),
        ("Two die. (BBC), (The Sun). ", "Two die."),
        ("Two die (BBC)", "Two die"),
        ("Two die, (BBC).", "Two die"),
        ('He says "no!" (AP)', 'He says "no!"'),
        ("Two die. (ABC (Australia))", "Two die."),
        ("Two die. (Link dead as of 14 January (UTC))", "Two die."),
        ("Ann wins over Bob ($22M).", "Ann wins over Bob ($22M)."),
        ("They join Mercosur (the common market).", "They join Mercosur (the common market)."),
        ("War in the north (2014)", "War in the north (2014)"),
        ("Two die.", "Two die."),
        ("two)", "two)"),
        ("(BBC)", "(BBC)"),
        ("x. (" + "y" * 90 + ")", "x. (" + "y" * 90 + ")"),
        ("", ""),
    ],
)
def test_sources_are_left_out(item, text):
    assert without_sources(item) == text


def test_long_items_take_no_long_time(archive):
    [found] = read_current_events(archive(day("a ) ( " * 800_000)), 0)
    assert len(found.text) > 4_000_000
    assert 3_000_000 < len(without_sources("x. " + "(a) " * 1_000_000)) < 3_999_000


LAUGHS = "Date: &a ['x','x']\nSource_URI: &b [*a,*a,*a]\nIntelligence_Payload: {c: [*b,*b]}\n"


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (LAUGHS, "line 2: found an alias, nothing or lists too deep"),
        ("a: &a {b: c}\nd: {<<: *a}\n", "line 2: found an alias"),
        ("[" * 100_000, "found an alias, nothing or lists too deep, expected mappings and lists of text"),
        ("- !!python/object/apply:os.system ['true']\n", "found no mapping with Date"),
        ("a: 1\na: 2\n", "line 1: found keys that are no texts or repeat"),
        ("[a]: 1\n", "found keys that are no texts"),
        ("", "found nothing, expected a YAML document"),
        ("a: 1\n---\nb: 1\n", "found several YAML documents"),
        ("a: [", "did not find expected node content"),
        ("a: 1\n---\nb: [", "expected YAML"),
        (b"a: \xff", "byte 4 is 0xff, expected UTF-8"),
        (DAY.replace("2019-03-06'", "2019-02-30'"), "found the date '2019-02-30'"),
        (DAY.replace("Date", "Day"), "found no mapping with Date"),
        (DAY.replace("Intelligence_Payload", "Payload"), "found no mapping of categories to lists"),
        (DAY.split("  Armed")[0] + "  c: text\n", "found no mapping of categories to lists"),
        (DAY.split("  Armed")[0] + "  c: [{a: b}]\n", "found an alias, nothing or lists too deep"),
        (day("nothing", "2019-03-07") + "# a copy of another day", "found id 2019-03-07/1 again"),
    ],
)
def test_broken_days_are_named_and_the_rest_goes_on(archive, caplog, broken, message):
    path = archive(day(), broken, day("more", "2019-03-08"))
    assert [found.id for found in read_current_events(path, 0)] == ["2019-03-07/1", "2019-03-08/1"]
    assert f"{path}/2019/03/1.yaml: " in caplog.text
    assert message in caplog.text


def test_a_text_that_looks_like_a_number_or_a_date_is_a_text(archive):
    text = "Date: 2019-03-06\nIntelligence_Payload: {2019: ['a b c d e f g h', 12, yes, null]}\n"
    [found] = read_current_events(archive(text), 0)
    assert (found.id, found.metadata) == ("2019-03-06/1", {"category": "2019"})


def test_current_events_have_their_published_size(retrieved, tmp_path):
    path = retrieved("wikipedia_current_events")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(tmp_path / "one.zip", "w") as year:
        assert len(archive.namelist()) == 8515
        for member in archive.namelist():
            if member.startswith("2002"):
                year.writestr(member, archive.read(member))
    items = list(read_current_events(tmp_path / "one.zip", 0))
    assert len(items) == 344
    assert sum(item.text.endswith(")") for item in items) < 5
