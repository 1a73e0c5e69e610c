"""A treebank without tags of its own is tagged by its universal ones."""

from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from reproduction.corpora.readers.split_files import read_conllu_split

ROW = "1\t{}\t_\t{}\t{}\t_\t0\troot\t_\t_\n\n"


def write(folder: Path, *rows: tuple[str, str, str]) -> dict[str, str]:
    (folder / "train.conllu").write_text("".join(ROW.format(*row) for row in rows), encoding="utf-8")
    return {"train": "train.conllu"}


def tags_of(folder: Path, members: dict[str, str], **options: str) -> list[tuple[str, ...]]:
    documents = read_conllu_split(folder, "train", members=members, **options)
    return [sentence.tags for document in documents for sentence in document.sentences]


def test_universal_tags_stand_in_for_others_where_they_are_asked_for(tmp_path: Path) -> None:
    members = write(tmp_path, ("Haus", "NOUN", "_"), ("geht", "VERB", "VVFIN"))
    assert tags_of(tmp_path, members, tags="upos") == [("NOUN",), ("VERB",)]
    assert tags_of(tmp_path, members) == tags_of(tmp_path, members, tags="xpos") == [(), ("VVFIN",)]


def test_a_sentence_without_universal_tags_is_named(tmp_path: Path) -> None:
    members = write(tmp_path, ("Haus", "NOUN", "_"), ("geht", "_", "VVFIN"))
    with pytest.raises(InputError, match=r"sentence '.*': found no UPOS, expected a tag of each word"):
        tags_of(tmp_path, members, tags="upos")
