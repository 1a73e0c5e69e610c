import io
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.document import Document, Mention, Sentence
from reproduction.corpora.prepare import prepare
from reproduction.corpora.readers.litbank import parse_litbank, read_litbank, split_books

ROOT = Path(__file__).parents[2]
BEGIN = "#begin document (7_the_boat_brat); part 0\n"
END = "#end document\n"


def row(number: int, word: str, coref: str = "") -> str:
    return "\t".join(["7_the_boat_brat", "0", str(number), word, *"_" * 8, coref]) + "\n"


def parse(text: str) -> list[Document]:
    return list(parse_litbank(io.BytesIO(text.encode()), "7.conll"))


def test_words_and_mentions_are_read_and_nothing_else_is_there():
    sentences = row(0, "Her", "(12)|(3") + row(1, "boat", "3)") + "\n" + row(0, "She", "(12)") + row(1, "slept") + "\n"
    assert parse(BEGIN + sentences + END) == [
        Document(
            "7_the_boat",
            (Sentence("7_the_boat-1", ("Her", "boat")), Sentence("7_the_boat-2", ("She", "slept"))),
            (Mention(0, 0, 1, "12"), Mention(0, 0, 2, "3"), Mention(1, 0, 1, "12")),
            metadata={"genre": "fiction"},
        )
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BEGIN + row(0, "a").replace("\t_", "", 1) + END, "line 2: found 12 columns, expected 13"),
        (BEGIN + row(0, "") + END, "line 2: found nothing as word"),
        (BEGIN + row(0, "a") + row(2, "b") + END, "line 3: found word number '2', expected 1"),
        (BEGIN + row(0, "a", "(1") + END, "line 2: mention: found (1 opened"),
        (BEGIN + row(0, "a", "_") + END, "line 2: mention: found '_'"),
        (BEGIN + row(0, "a"), "found the end of the file, expected #end document of 7_the_boat_brat.0"),
    ],
)
def test_errors_name_the_line_what_was_found_and_what_was_expected(text, message):
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value).startswith("7.conll")
    assert message in str(error.value)


def test_every_book_is_in_one_split_whatever_the_order_of_files():
    members = [f"coref/conll/{number}_a_title_brat.conll" for number in range(1, 101)]
    splits = {split: split_books(members, split) for split in ("train", "dev", "test")}
    assert {split: len(books) for split, books in splits.items()} == {"train": 80, "dev": 10, "test": 10}
    assert sorted(book for books in splits.values() for book in books) == sorted(members)
    assert splits["test"][0] == members[9]
    assert all(split_books(members[::-1], split) == books for split, books in splits.items())


def test_a_file_that_is_no_book_is_refused():
    with pytest.raises(InputError, match=r"found the file coref/README.conll, expected one such as 541_"):
        split_books(["coref/README.conll"], "train")


def test_litbank_has_its_published_size(retrieved, tmp_path):
    archive = retrieved("litbank")
    outputs = {split: tmp_path / f"{split}.conllu" for split in ("train", "dev", "test")}
    prepare(read_litbank, archive, outputs)
    splits = {split: list(read_conllu(path)) for split, path in outputs.items()}
    assert {split: len(documents) for split, documents in splits.items()} == {"train": 80, "dev": 10, "test": 10}
    documents = [document for split in splits.values() for document in split]
    assert len({document.id for document in documents}) == 100
    assert sum(len(document.sentences) for document in documents) == 8562
    assert sum(len(sentence.words) for document in documents for sentence in document.sentences) == 210532
    assert sum(len(document.mentions) for document in documents) == 29103
    assert len({(document.id, mention.entity) for document in documents for mention in document.mentions}) == 7927
