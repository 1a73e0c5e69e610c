import io
import shutil
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conll import parse_conll
from nlpcalib.systems.text.document import Document, Mention, Sentence
from reproduction.corpora.ontonotes import iter_split, read_conll

ROOT = Path(__file__).parents[1] / "data" / "corpora" / "conll-2012"
WSJ = ROOT / "train/data/english/annotations/nw/wsj/00/wsj_9901.v4_gold_conll"
BEGIN = "#begin document (nw/wsj/00/wsj_9999); part 000\n"
END = "#end document\n"


def row(
    number: object = 0, word: str = "a", coref: str = "-", document: str = "nw/wsj/00/wsj_9999", more: str = ""
) -> str:
    return f"{document}  0  {number}  {word}  DT  *  -  -  -  -  *  {more}  {coref}\n"


def parse(text: str) -> list[Document]:
    return list(parse_conll(io.BytesIO(text.encode()), "x.v4_gold_conll"))


def test_each_part_is_a_document_with_its_mentions():
    first, second = read_conll(WSJ)
    assert first.id == "nw/wsj/00/wsj_9901.000"
    assert first.metadata == {"genre": "nw"}
    assert first.date is None
    assert first.sentences == (
        Sentence(
            "nw/wsj/00/wsj_9901.000-1",
            ("Ms.", "Lake", "sails", "her", "boat", "/."),
            ("NNP", "NNP", "VBZ", "PRP$", "NN", "."),
        ),
        Sentence(
            "nw/wsj/00/wsj_9901.000-2",
            ("It", "sinks"),
            ("PRP", "VBZ"),
            speaker="Lake",
        ),
    )
    assert first.mentions == (
        Mention(0, 0, 2, "1"),
        Mention(0, 0, 5, "0"),
        Mention(0, 3, 4, "1"),
        Mention(0, 3, 5, "2"),
        Mention(1, 0, 1, "2"),
    )
    assert second.id == "nw/wsj/00/wsj_9901.001"
    assert second.mentions == ()


def test_a_split_is_all_english_files_of_its_folder_in_order():
    assert [document.id for document in iter_split(ROOT, "train")] == [
        "bc/cctv/00/cctv_9900.000",
        "nw/wsj/00/wsj_9901.000",
        "nw/wsj/00/wsj_9901.001",
    ]
    assert [document.id for document in iter_split(ROOT, "dev")] == ["nw/wsj/01/wsj_9910.000"]


def test_a_split_and_a_folder_in_it_may_be_links(tmp_path):
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "data").symlink_to(ROOT / "train" / "data")
    (tmp_path / "dev").symlink_to(ROOT / "development")
    (tmp_path / "development").symlink_to(tmp_path / "dev")
    for split in ("train", "dev"):
        assert list(iter_split(tmp_path, split)) == list(iter_split(ROOT, split))


def test_the_wall_street_journal_alone():
    documents = iter_split(ROOT, "train", wsj_only=True)
    assert [document.id for document in documents] == ["nw/wsj/00/wsj_9901.000", "nw/wsj/00/wsj_9901.001"]


def test_a_missing_split_says_what_was_looked_for():
    with pytest.raises(InputError, match=r"test split of OntoNotes, looked for .*/test/\*\*/\*_gold_conll"):
        list(iter_split(ROOT, "test"))
    with pytest.raises(InputError, match="split 'training', expected one of train, dev, test"):
        list(iter_split(ROOT, "training"))


def test_no_wall_street_journal_is_an_error(tmp_path):
    shutil.copytree(ROOT / "train/data/english/annotations/bc", tmp_path / "train/bc")
    with pytest.raises(InputError, match="no document with /wsj/ in its id among 1 files"):
        list(iter_split(tmp_path, "train", wsj_only=True))


def test_two_versions_of_a_document_are_an_error(tmp_path):
    for version in ("v4", "v9"):
        path = tmp_path / f"test/{version}/wsj_9901.{version}_gold_conll"
        path.parent.mkdir(parents=True)
        shutil.copy(WSJ, path)
    with pytest.raises(InputError, match=r"v9_gold_conll: found document nw/wsj/00/wsj_9901.000 again"):
        list(iter_split(tmp_path, "test"))


def test_masked_words_are_refused_with_the_way_to_get_them():
    with pytest.raises(InputError, match=r"line 2: found \[WORD\].*LDC2013T19.*skeleton2conll"):
        parse(BEGIN + row(word="[WORD]") + "\n#end document\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(), "line 1: found 'nw/wsj"),
        ("#begin document\n", "line 1: found '#begin document', expected #begin document ("),
        (BEGIN + row() + "\n" + BEGIN, "line 4: found '#begin"),
        (BEGIN + row() + "\n", "found the end of the file, expected #end document of nw/wsj/00/wsj_9999.000 (line 1)"),
        ("#end document\n", "line 1: found '#end document', expected #begin document before"),
        ((BEGIN + row() + "#end document\n") * 2, "line 4: found document nw/wsj/00/wsj_9999.000 again"),
        (BEGIN + "nw/wsj/00/wsj_9999 0 0 a\n", "line 2: found 4 columns, expected at least 12"),
        (BEGIN + row(0) + row(1, more="*"), "line 3: found 13 columns, expected 12 as before"),
        (
            BEGIN + row(document="nw/wsj/00/wsj_1"),
            "line 2: found document nw/wsj/00/wsj_1, expected nw/wsj/00/wsj_9999",
        ),
        (BEGIN + row(1), "line 2: found word number '1', expected 0"),
        (BEGIN + row("x"), "line 2: found word number 'x', expected 0"),
        (BEGIN + row(0, coref="(1") + row(1) + END, "line 2: mention: found (1 opened"),
        (BEGIN + row(0) + row(1, coref="(2)|1)") + END, "line 3: mention: found '1' closed"),
        (BEGIN + row(0, coref="(1)|") + END, "line 2: mention: found ''"),
        (BEGIN + row(0, coref="x") + END, "line 2: mention: found 'x', expected brackets"),
    ],
)
def test_errors_name_the_line_what_was_found_and_what_was_expected(text, message):
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value).startswith("x.v4_gold_conll")
    assert message in str(error.value)
