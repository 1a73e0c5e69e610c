import zipfile
from datetime import date
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText
from reproduction.corpora.readers.wikinews import read_wikinews

ROOT = Path(__file__).parents[2]
HEADER = "url,date,title,text\n"


def row(page="A_fire", day="2019-01-04", text="A fire broke out."):
    return f'"https://en.wikinews.org//wiki/{page}",{day},"A fire, again","{text}"\n'


@pytest.fixture
def archive(tmp_path):
    def write(*tables):
        with zipfile.ZipFile(tmp_path / "wikinews.zip", "w") as archive:
            for number, table in enumerate(tables):
                archive.writestr(f"data/{number}.csv", table)
        return tmp_path / "wikinews.zip"

    return write


@pytest.mark.parametrize("dateline", ["", "Friday, January 4, 2019 \xa0\n\n\n", "\n\nMonday, March 15, 2021\n"])
def test_articles_are_read_without_their_date(archive, dateline):
    table = HEADER + row(text=f'{dateline}A fire\xa0broke out.\n\n\nIt was ""big"".\n It is out.\n\n')
    [article] = read_wikinews(archive(table), 0)
    assert article == DatedText(
        "A_fire",
        date(2019, 1, 4),
        'A fire broke out.\n\nIt was "big".\n\nIt is out.',
    )


def test_a_first_sentence_with_a_date_stays(archive):
    text = "Friday, January 4, 2019, was cold."
    [article] = read_wikinews(archive(HEADER + row(text=text)), 0)
    assert article.text == text


def test_broken_rows_are_named_and_the_rest_goes_on(archive, caplog):
    first = HEADER + row() + row("B", day="") + row("C", text="Friday, January 4, 2019 \n") + "x,2019-01-04,t,t\n"
    path = archive(first, HEADER + row("TEST_PAGE:Try", text="") + row() + row("D"))
    assert [article.id for article in read_wikinews(path, 0)] == ["A_fire", "D"]
    assert f"{path}/data/0.csv, line 3: found the date ''" in caplog.text
    assert f"{path}/data/0.csv, line 4: found no text" in caplog.text
    assert f"{path}/data/0.csv, line 6: found the url 'x', expected one with /wiki/" in caplog.text
    assert f"{path}/data/1.csv, line 3: found id A_fire again" in caplog.text
    assert "TEST_PAGE" not in caplog.text


def test_a_table_of_other_columns_is_refused(archive):
    with pytest.raises(InputError, match=r"0\.csv, line 1: found columns url,date,title, expected url, date, te"):
        list(read_wikinews(archive("url,date,title\n"), 0))


def test_an_article_of_five_megabytes_is_read(archive):
    [article] = read_wikinews(archive(HEADER + row(text="A fire broke out. \n" * 270_000)), 0)
    assert len(article.text) > 5_000_000


def test_wikinews_has_its_published_size(retrieved, tmp_path):
    path = retrieved("wikinews_2019_2020")
    articles = list(read_wikinews(path, 0))
    assert len(articles) == 171 + 124 - 2
    assert (articles[0].date, articles[-1].date) == (date(2019, 1, 4), date(2020, 12, 28))
