import gzip
import hashlib
import io
import tarfile
from datetime import date

import pytest

from nlpcalib.corpora.dated import MAX_BYTES, DatedText
from nlpcalib.corpora.nitf import read_nitf
from nlpcalib.errors import InputError

WORLD = "Top/News/World/Countries and Territories/Norway"
DOCTYPE = '<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">'


def article(number, *paragraphs, categories=(WORLD, "Top/News"), published="19910207T000000", doctype=DOCTYPE):
    classifiers = "".join(
        f'<classifier class="online_producer" type="taxonomic_classifier">{category}</classifier>'
        for category in categories
    )
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs or ("The navy attacked.",))
    return f"""<?xml version="1.0" encoding="UTF-8"?>{doctype}
<nitf change.date="June 10, 2005" change.time="19:30" version="-//IPTC//DTD NITF 3.3//EN">
  <head>
    <title>Sea</title>
    <meta content="7" name="publication_day_of_month"/>
    <docdata>
      <doc-id id-string="{number}"/>
      <doc.copyright holder="A Newspaper" year="1991"/>
      <identified-content>
        <classifier class="indexing_service" type="descriptor">Top/Opinion</classifier>
        {classifiers}
      </identified-content>
    </docdata>
    <pubdata date.publication="{published}" ex-ref="http://example.org/{number}" item-length="3" name="A Newspaper"/>
  </head>
  <body>
    <body.head><hedline><hl1>Navy &amp; Sea</hl1></hedline></body.head>
    <body.content>
      <block class="lead_paragraph"><p>Only the lead.</p></block>
      <block class="full_text">{body}</block>
    </body.content>
  </body>
</nitf>""".encode()


def archive(path, files, *, mode="w:gz"):
    with tarfile.open(path, mode) as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return path


def ids(path, **options):
    return [found.id for found in read_nitf(path, 0, **options)]


def test_an_article_is_read(tmp_path):
    path = archive(tmp_path / "01.tgz", {"01/07/1.xml": article(1, "The <b>navy</b>\n attacked.", "It sank.")})
    assert list(read_nitf(path, 0)) == [
        DatedText(
            "1",
            date(1991, 2, 7),
            "The navy attacked.\n\nIt sank.",
            {"title": "Navy & Sea", "categories": f"{WORLD}\nTop/News", "url": "http://example.org/1"},
        )
    ]


@pytest.mark.parametrize(
    ("paragraphs", "text"),
    [
        (("LEAD: It sank.", "It sank.", "It is out."), "It sank.\n\nIt is out."),
        (("LEAD: It sank.", "It is out."), "It sank.\n\nIt is out."),
        (("LEAD: It sank.",), "It sank."),
    ],
)
def test_a_lead_is_read_once(tmp_path, paragraphs, text):
    [found] = read_nitf(archive(tmp_path / "01.tgz", {"1.xml": article(1, *paragraphs)}), 0)
    assert found.text == text


@pytest.mark.parametrize(
    ("categories", "wanted"),
    [
        ([WORLD], True),
        (["Top/News/World"], True),
        (["Top/News", WORLD], True),
        ([], False),
        (["Top/News/U.S."], False),
        (["Index/Top/News/World"], False),
        ([WORLD, "Top/News/Sports/Soccer"], False),
        ([WORLD, "Top/Opinion/The Editorial Page"], False),
        ([WORLD, "Top/Features/Public Opinion"], True),
    ],
)
def test_world_news_is_what_the_paper_says(tmp_path, categories, wanted):
    files = {"1.xml": article(1, categories=categories), "2.xml": article(2)}
    assert ("1" in ids(archive(tmp_path / "a.tgz", files))) is wanted


def test_other_categories_can_be_asked_for(tmp_path):
    files = {"1.xml": article(1), "2.xml": article(2, categories=["Top/Opinion"])}
    assert ids(archive(tmp_path / "a.tgz", files), within="Top/Opinion", without="x") == ["2"]
    with pytest.raises(InputError, match=r"found the regular expression '\('"):
        read_nitf(tmp_path / "a.tgz", 0, without="(")


@pytest.mark.parametrize(("suffix", "mode"), [("tgz", "gz"), ("tar.gz", "gz"), ("tar.xz", "xz"), ("tar", "")])
def test_archives_of_every_kind_and_files_are_read_in_order(tmp_path, suffix, mode):
    (tmp_path / "1988").mkdir()
    (tmp_path / "1987").mkdir()
    archive(tmp_path / "1988" / f"01.{suffix}", {"3.xml": article(3)}, mode=f"w:{mode}")
    archive(tmp_path / "1987" / f"02.{suffix}", {"2.xml": article(2), "readme.txt": b"no"}, mode=f"w:{mode}")
    (tmp_path / "1987" / "01.xml").write_bytes(article(1))
    (tmp_path / "index.txt").write_text("no")
    assert ids(tmp_path) == ["1", "2", "3"]
    assert ids(tmp_path / "1987" / f"02.{suffix}") == ["2"]


def test_broken_articles_are_named_and_the_rest_goes_on(tmp_path, caplog):
    entity = '<!DOCTYPE nitf [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    outside = '<!DOCTYPE nitf [<!ENTITY b SYSTEM "file:///etc/passwd">]>'
    files = {
        "0.xml": article(0, "&b;", doctype=entity),
        "1.xml": article(1, "&b;", doctype=outside),
        "2.xml": article(2, published=""),
        "3.xml": article(3, published="19910230T000000"),
        "4.xml": article(4, " "),
        "5.xml": article("")[:-9],
        "6.xml": article(6),
        "7.xml": article(6),
        "8.xml": b" " * (MAX_BYTES + 1),
        "9.xml": article(9),
    }
    path = archive(tmp_path / "01.tgz", files)
    assert ids(path) == ["6", "9"]
    assert f"{path}/0.xml: found the entity 'a'" in caplog.text
    assert f"{path}/1.xml: found the entity 'b'" in caplog.text
    assert f"{path}/2.xml: found no date.publication of pubdata, expected one" in caplog.text
    assert f"{path}/3.xml: found the date '1991-02-30'" in caplog.text
    assert f"{path}/4.xml: found no text" in caplog.text
    with pytest.raises(InputError, match=r"0\.xml: found the entity 'a'.*so it is with 12 of 14 records"):
        ids(archive(tmp_path / "02.tgz", files | {f"x{number}.xml": b"<" for number in range(4)}))


@pytest.mark.parametrize("data", [b"no archive", b"", gzip.compress(b"no archive"), gzip.compress(b"")])
def test_a_damaged_archive_among_others_is_named_and_the_rest_goes_on(tmp_path, caplog, data):
    archive(tmp_path / "01.tgz", {"1.xml": article(1)})
    (tmp_path / "02.tgz").write_bytes(data)
    long = " ".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(2000))
    whole = archive(tmp_path / "03.tgz", {"3.xml": article(3), "4.xml": article(4, long)}).read_bytes()
    (tmp_path / "03.tgz").write_bytes(whole[: len(whole) // 2])
    archive(tmp_path / "04.tgz", {"5.xml": article(5)})
    assert ids(tmp_path) == ["1", "3", "5"]
    assert f"{tmp_path}/02.tgz: " in caplog.text
    assert f"{tmp_path}/03.tgz/4.xml: " in caplog.text


def test_links_are_passed_over_and_bombs_are_bounded(tmp_path, caplog):
    secret = tmp_path / "secret"
    secret.write_bytes(article(1))
    with tarfile.open(tmp_path / "01.tgz", "w:gz") as tar:
        for name, kind in (("a.xml", tarfile.SYMTYPE), ("b.xml", tarfile.LNKTYPE), ("c.xml", tarfile.FIFOTYPE)):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, str(secret)
            tar.addfile(link)
    archive(tmp_path / "02.tgz", {"zeros.bin": bytes(10_000_000), "2.xml": article(2)})
    archive(tmp_path / "03.tgz", {"3.xml": article(3)})
    assert ids(tmp_path, max_bytes=1_000_000) == ["3"]
    assert f"{tmp_path}/02.tgz: " in caplog.text
    assert "found more than 1000000 bytes, expected no more" in caplog.text


def test_an_article_of_five_megabytes_is_read(tmp_path):
    path = archive(tmp_path / "01.tar", {"1.xml": article(1, *["The navy attacked. " * 100] * 2700)}, mode="w")
    [found] = read_nitf(path, 0)
    assert len(found.text) > 5_000_000


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="found no such file or folder"):
        read_nitf(tmp_path / "none", 0)
    with pytest.raises(InputError, match="found no document in 0 records"):
        ids(tmp_path)


def test_a_tar_archive_that_is_cut_between_members_is_not_taken_as_whole(tmp_path, caplog):
    """To tarfile, a missing end and a damaged header are an archive's end."""
    path = archive(tmp_path / "a.tar", {"1.xml": article(1), "2.xml": article(2)}, mode="w")
    data = path.read_bytes()
    second = data.index(b"2.xml")
    for damaged in (data[:second], data[: second + 100], data[:second] + b"?" * 512 + data[second + 512 :]):
        path.write_bytes(damaged)
        caplog.clear()
        assert ids(path) == ["1"]
        assert "where a member or the archive's end should be" in caplog.text
    path.write_bytes(data)
    caplog.clear()
    assert ids(path) == ["1", "2"]
    assert caplog.text == ""


def test_folders_that_are_called_like_articles_are_passed_over(tmp_path):
    (tmp_path / "1.xml").mkdir()
    (tmp_path / "1.xml" / "2.xml").write_bytes(article(2))
    assert ids(tmp_path) == ["2"]
