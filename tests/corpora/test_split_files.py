"""A treebank without tags of its own is tagged by its universal ones."""

from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from reproduction.corpora.prepare import prepare
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


def test_one_file_for_two_splits_and_words_without_a_tag_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_text(
        "# newdoc id = a\n1\tDogs\t_\t_\tNNS\t_\t_\t_\t_\t_\n2\tbark\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )
    with pytest.raises(InputError, match=r"found a\.conllu for the train and the test split"):
        list(read_conllu_split(tmp_path, "train", members={"train": "a.conllu", "test": "a.conllu"}))
    with pytest.raises(InputError, match="document 'a', sentence 'a-1': found words without a tag"):
        list(read_conllu_split(tmp_path, "train", members={"train": "a.conllu"}))


def test_a_corpus_without_tags_is_refused_where_they_are_needed_and_names_the_key_of_the_others(tmp_path: Path) -> None:
    members = write(tmp_path, ("Haus", "NOUN", "_"))
    outputs = {"train": tmp_path / "out.conllu"}
    with pytest.raises(InputError, match=r"found no tags .* of the train split, .*\(XPOS .*; .*write `tags: upos`"):
        prepare(read_conllu_split, tmp_path, outputs, needed_tags=["NN"], members=members)
    assert not outputs["train"].exists()
    prepare(read_conllu_split, tmp_path, outputs, needed_tags=["NOUN"], members=members, tags="upos")
    assert tags_of(tmp_path, {"train": "out.conllu"}) == [("NOUN",)]
    prepare(read_conllu_split, tmp_path, outputs, members=members)


def test_tags_that_figures_need_are_sought_before_anything_is_trained_and_the_key_of_others_is_named(
    tmp_path: Path,
) -> None:
    members = write(tmp_path, ("Haus", "NOUN", "NOUN"), ("geht", "VERB", "VERB"))
    outputs = {"train": tmp_path / "out.conllu"}
    with pytest.raises(
        InputError, match=r"found no word with the tag JJ in the train split, .* JJ, NN; .*`tags: upos`"
    ):
        prepare(read_conllu_split, tmp_path, outputs, needed_tags=["JJ", "NN"], members=members)
    assert not outputs["train"].exists()
    with pytest.raises(InputError, match=r"found no word with the tag ADJ in the train split, expected some of ADJ$"):
        prepare(read_conllu_split, tmp_path, outputs, needed_tags=["ADJ"], members=members, tags="upos")
    for split, needed in (("train", ["NOUN"]), ("test", ["ADJ"])):
        prepare(
            read_conllu_split, tmp_path, {split: tmp_path / "o"}, needed_tags=needed, members={split: members["train"]}
        )


@pytest.mark.parametrize(
    ("documents", "entity", "found"),
    [(2, "_", "found no entities"), (1, "Entity=(e)", "found one document"), (0, "_", "found no documents")],
)
def test_a_corpus_that_shows_no_coreference_is_refused(tmp_path: Path, documents: int, entity: str, found: str) -> None:
    text = "".join(f"# newdoc id = {n}\n1\tShe\t_\t_\tPRP\t_\t0\troot\t_\t{entity}\n\n" for n in range(documents))
    (tmp_path / "train.conllu").write_text(text)
    with pytest.raises(InputError, match=f"{found}.* in the train split"):
        prepare(
            read_conllu_split,
            tmp_path,
            {"train": tmp_path / "out.conllu"},
            coref=True,
            members={"train": "train.conllu"},
        )
    assert not (tmp_path / "out.conllu").exists()


def test_a_sentence_without_universal_tags_is_named(tmp_path: Path) -> None:
    members = write(tmp_path, ("Haus", "NOUN", "_"), ("geht", "_", "VVFIN"))
    with pytest.raises(InputError, match=r"sentence '.*': found no UPOS, expected a tag of each word"):
        tags_of(tmp_path, members, tags="upos")


def test_a_document_in_two_splits_is_refused(tmp_path):
    text = "# newdoc id = d\n1\tIt\t_\t_\tPRP\t_\t_\t_\t_\t_\n\n"
    for name in ("train", "test"):
        (tmp_path / f"{name}.conllu").write_text(text, encoding="utf-8")
    members = {name: f"{name}.conllu" for name in ("train", "test")}
    outputs = {name: tmp_path / f"{name}.out.conllu" for name in members}
    with pytest.raises(InputError, match="found document d in train and in test, expected it in one split"):
        prepare(read_conllu_split, tmp_path, outputs, members=members)
