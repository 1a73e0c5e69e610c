import io
import tarfile
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document, Sentence
from reproduction.corpora.readers.ark import parse_ark, read_ark

DATA = Path(__file__).parents[1] / "data" / "corpora"


def parse(data: bytes, name: str = "x.conll") -> Document:
    [document] = parse_ark(io.BytesIO(data), name)
    return document


def test_a_file_is_a_document_and_a_tweet_a_sentence():
    [document] = read_ark(DATA / "tweets.conll")
    assert document.id == "tweets"
    assert document.sentences == (
        Sentence(
            "tweets-000001",
            ("RT", "@sailor_9", ":", "lovin", "the", "sea", ":)"),
            ("~", "@", "~", "V", "D", "N", "E"),
        ),
        Sentence("tweets-000002", ("\u00a0 ", "boat"), ("G", "N")),
    )


def test_parts_of_the_official_split_have_names_of_their_own():
    assert parse(b"a\tN\n", "oct27.splits/oct27.train").id == "oct27.train"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\tN\n\nb\n", "x.conll, line 3: found 1 columns, expected 2"),
        (b"a\tN\tx\n", "x.conll, line 1: found 3 columns, expected 2"),
        (b"\tN\n", "x.conll, line 1: found nothing as token"),
        (b"a\t\n", "x.conll, line 1: found nothing as tag"),
        (b"a\tN\n\xff\tN\n", "x.conll, line 2: byte 1 of the line is 0xff"),
        (b"\n\n", "x.conll: found no tweets"),
    ],
)
def test_errors_name_the_line_what_was_found_and_what_was_expected(data, message):
    with pytest.raises(InputError) as error:
        parse(data)
    assert str(error.value).startswith(message)


def test_the_ark_data_has_its_published_size(mirrored):
    path = mirrored("ark_tweets") / "twpos-data-v0.3.tar.xz"
    with tarfile.open(path) as archive:
        oct27 = parse(archive.extractfile("twpos-data-v0.3/oct27.conll").read())
        daily = parse(archive.extractfile("twpos-data-v0.3/daily547.conll").read())
    assert (len(oct27.sentences), len(daily.sentences)) == (1827, 547)
    assert len({tag for sentence in oct27.sentences for tag in sentence.tags}) == 25
