import gzip
import hashlib
import io
import os
import re
import tarfile
import tracemalloc
from datetime import date

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.tables.records import MAX_RECORD_BYTES
from reproduction.corpora.readers.nitf import read_nitf

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
        "8.xml": b" " * (MAX_RECORD_BYTES + 1),
        "9.xml": article(9),
    }
    path = archive(tmp_path / "01.tgz", files)
    assert ids(path) == ["6", "9"]
    assert f"{path}/0.xml: found the entity 'a'" in caplog.text
    assert f"{path}/1.xml: found the entity 'b'" in caplog.text
    assert f"{path}/2.xml: found no date.publication of pubdata, expected one" in caplog.text
    assert f"{path}/3.xml: found the date '1991-02-30'" in caplog.text
    assert f"{path}/4.xml: found no text" in caplog.text
    with pytest.raises(InputError, match=r"0\.xml: found the entity 'a'.*12 of 14 records are broken"):
        ids(archive(tmp_path / "02.tgz", files | {f"x{number}.xml": b"<" for number in range(4)}))


def refused(path, found, share=1.0, **options):
    """Whatever the share of broken articles that is tolerated, `path` is refused, and named."""
    below = path.parent
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: found {found}"):
        list(read_nitf(below, share, **options))


@pytest.mark.parametrize(
    "data", [b"no archive", b"", gzip.compress(b"no archive", mtime=0), gzip.compress(b"", mtime=0)]
)
def test_what_is_no_archive_among_archives_is_refused_by_name(tmp_path, data):
    for month in ("01", "02", "03"):
        archive(tmp_path / f"{month}.tgz", {f"{month}.xml": article(month)})
    assert ids(tmp_path) == ["01", "02", "03"]
    (tmp_path / "02.tgz").write_bytes(data)
    refused(tmp_path / "02.tgz", "a file that cannot be read|damaged data")


@pytest.mark.parametrize("suffix", ["tgz", "tar.xz", "tar"])
def test_an_archive_that_is_cut_anywhere_is_refused_by_name(tmp_path, suffix):
    """Also within an article, which is not an article that is broken, and within the checksum behind all of them."""
    long = " ".join(hashlib.sha256(str(number).encode()).hexdigest() for number in range(2000))
    mode = {"tgz": "w:gz", "tar.xz": "w:xz", "tar": "w"}[suffix]
    archive(tmp_path / f"01.{suffix}", {"1.xml": article(1)}, mode=mode)
    archive(tmp_path / f"03.{suffix}", {"4.xml": article(4)}, mode=mode)
    path = archive(tmp_path / f"02.{suffix}", {"2.xml": article(2), "3.xml": article(3, long)}, mode=mode)
    whole = path.read_bytes()
    # A tar archive itself ends with zeros that nobody misses.
    ends = (10, 1000, len(whole) // 2, len(whole) - (20_000 if suffix == "tar" else 3))
    for end in ends:
        path.write_bytes(whole[:end])
        refused(path, "a file that cannot be read|damaged data")
    path.write_bytes(whole)
    assert ids(tmp_path) == ["1", "2", "3", "4"]


def test_an_archive_whose_checksum_is_wrong_is_refused_by_name(tmp_path):
    path = archive(tmp_path / "01.tgz", {"1.xml": article(1)})
    data = bytearray(path.read_bytes())
    data[-8] ^= 1
    path.write_bytes(data)
    refused(path, "damaged data .*CRC")


def test_an_archive_without_articles_is_refused_by_name(tmp_path):
    archive(tmp_path / "01.tgz", {"1.xml": article(1)})
    refused(archive(tmp_path / "02.tgz", {}), "no article in it")
    refused(archive(tmp_path / "02.tgz", {"2.txt": article(2)}), "no article in it")


def test_an_archive_that_the_system_does_not_give_is_refused_by_name(tmp_path):
    archive(tmp_path / "01.tgz", {"1.xml": article(1)})
    for name in ("02.tgz", "02.xml"):
        (tmp_path / name).symlink_to("nowhere")
        refused(tmp_path / name, "a file that cannot be read .*No such file")
        (tmp_path / name).unlink()


def test_a_broken_article_within_the_share_is_left_out_with_a_warning(tmp_path, caplog):
    files = {f"{number}.xml": article(number) for number in range(200)}
    path = archive(tmp_path / "01.tgz", files | {"7.xml": article(7)[:-9]})
    found = [document.id for document in read_nitf(tmp_path, 0.01)]
    assert found == [str(number) for number in range(200) if number != 7]
    assert caplog.messages[0].startswith(f"{path}/7.xml: ")
    assert caplog.messages[1:] == [f"{tmp_path}: 1 of 200 records left out"]


def test_links_in_archives_are_passed_over(tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(article(1))
    with tarfile.open(tmp_path / "01.tgz", "w:gz") as tar:
        for name, kind in (("a.xml", tarfile.SYMTYPE), ("b.xml", tarfile.LNKTYPE), ("c.xml", tarfile.FIFOTYPE)):
            link = tarfile.TarInfo(name)
            link.type, link.linkname = kind, str(secret)
            tar.addfile(link)
        member = tarfile.TarInfo("2.xml")
        member.size = len(article(2))
        tar.addfile(member, io.BytesIO(article(2)))
    assert ids(tmp_path) == ["2"]


def test_bombs_are_refused_by_name(tmp_path):
    archive(tmp_path / "01.tgz", {"1.xml": article(1)})
    path = archive(tmp_path / "02.tgz", {"zeros.bin": bytes(10_000_000), "2.xml": article(2)})
    refused(path, "more than 1000000 bytes, expected no more", max_bytes=1_000_000)


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE])
@pytest.mark.parametrize(("size", "times"), [(3 << 20, 1), (600_000, 2)])
def test_headers_that_fill_memory_are_refused_by_name(tmp_path, kind, size, times):
    path = tmp_path / "01.tgz"
    record = f"{size} comment=".encode().ljust(size - 1, b"a") + b"\n"
    with gzip.open(path, "wb") as stream:
        for _ in range(times):
            header = tarfile.TarInfo("long")
            header.type, header.size = kind, size
            stream.write(header.tobuf(tarfile.GNU_FORMAT) + record + bytes(-size % 512))
    tracemalloc.start()
    try:
        refused(path, "a file that cannot be read .*more than 1048576 bytes of metadata")
        assert tracemalloc.get_traced_memory()[1] < 3 << 20
    finally:
        tracemalloc.stop()


def test_members_that_are_many_take_no_memory(tmp_path):
    header = tarfile.TarInfo("x.txt").tobuf()
    path = archive(tmp_path / "01.tar", {"1.xml": article(1)}, mode="w")
    path.write_bytes(header * 5000 + path.read_bytes())
    tracemalloc.start()
    try:
        assert ids(path) == ["1"]
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_name_of_a_thousand_characters_is_read(tmp_path):
    for number, format in enumerate((tarfile.GNU_FORMAT, tarfile.PAX_FORMAT)):
        with tarfile.open(tmp_path / f"{number}.tar", "w", format=format) as tar:
            member = tarfile.TarInfo("x" * 1000 + ".xml")
            member.size = len(article(number))
            tar.addfile(member, io.BytesIO(article(number)))
    assert ids(tmp_path) == ["0", "1"]


def test_an_article_of_five_megabytes_is_read(tmp_path):
    path = archive(tmp_path / "01.tar", {"1.xml": article(1, *["The navy attacked. " * 100] * 2700)}, mode="w")
    [found] = read_nitf(path, 0)
    assert len(found.text) > 5_000_000


def test_what_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="found no such file or folder"):
        read_nitf(tmp_path / "none", 0)
    with pytest.raises(InputError, match="found no document in 0 records"):
        ids(tmp_path)


def test_a_tar_archive_that_is_cut_between_members_is_not_taken_as_whole(tmp_path):
    """To tarfile, a missing end and a damaged header are an archive's end."""
    path = archive(tmp_path / "a.tar", {"1.xml": article(1), "2.xml": article(2)}, mode="w")
    data = path.read_bytes()
    second = data.index(b"2.xml")
    for damaged in (data[:second], data[: second + 100], data[:second] + b"?" * 512 + data[second + 512 :]):
        path.write_bytes(damaged)
        refused(path, "a file that cannot be read .* where a member or the archive's end should be")
    path.write_bytes(data)
    assert ids(path) == ["1", "2"]


def test_a_year_that_is_a_link_to_a_folder_is_read(tmp_path):
    elsewhere = tmp_path / "elsewhere" / "1988"
    elsewhere.mkdir(parents=True)
    archive(elsewhere / "01.tgz", {"2.xml": article(2)})
    data = tmp_path / "data"
    (data / "1987").mkdir(parents=True)
    archive(data / "1987" / "01.tgz", {"1.xml": article(1)})
    (data / "1988").symlink_to(elsewhere)
    archive(tmp_path / "elsewhere" / "a.tgz", {"3.xml": article(3)})
    (data / "1989.tgz").symlink_to(tmp_path / "elsewhere" / "a.tgz")
    assert ids(data) == ["1", "2", "3"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_among_articles_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "a.xml")
    with pytest.raises(InputError, match=r"a\.xml: found a pipe, expected a file"):
        ids(tmp_path)


def test_folders_that_are_called_like_articles_are_passed_over(tmp_path):
    (tmp_path / "1.xml").mkdir()
    (tmp_path / "1.xml" / "2.xml").write_bytes(article(2))
    assert ids(tmp_path) == ["2"]


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.XHDTYPE])
def test_an_archive_of_headers_is_refused_by_name(tmp_path, monkeypatch, kind):
    """A gigabyte of headers, within the bound of an archive, took minutes."""
    monkeypatch.setattr("reproduction.corpora.retrieval.mirror._Archive.headers_left", 100_000)
    header = tarfile.TarInfo("x")
    header.type = kind
    path = archive(tmp_path / "01.tar", {"1.xml": article(1)}, mode="w")
    path.write_bytes(header.tobuf() * 300 + path.read_bytes())
    refused(path, "a file that cannot be read .*bytes of headers")
