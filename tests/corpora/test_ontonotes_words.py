"""Skeletons of the shared tasks with the words of an OntoNotes release, both of our own making."""

import shutil
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from reproduction.corpora.ontonotes import iter_split, read_conll
from reproduction.corpora.ontonotes_words import BracketTree, find_parse, join_words, read_trees

DATA = Path(__file__).parents[1] / "data" / "corpora"
RELEASE = DATA / "ontonotes-release"
ROOT = DATA / "conll-2011"
SKELETON = ROOT / "train/data/english/annotations/bc/oslo/00/oslo_9902.v2_gold_skel"
COMPLETE = DATA / "oslo_9902.v2_gold_conll"
DOCUMENT = "bc/oslo/00/oslo_9902"
PARSE = RELEASE / f"data/files/data/english/annotations/{DOCUMENT}.parse"


def columns(text):
    """Return lines as cells, however they are laid out."""
    return [line.split() for line in text.splitlines()]


def joined(lines, release=RELEASE):
    return columns(b"".join(join_words(lines.encode().splitlines(keepends=True), "x_skel", release)).decode())


def trees(tmp_path, text):
    (tmp_path / "x.parse").write_text(text, encoding="utf-8")
    return list(read_trees(tmp_path / "x.parse"))


def release(tmp_path, text):
    path = tmp_path / "release" / f"{DOCUMENT}.parse"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    return tmp_path / "release"


def test_a_joined_skeleton_is_the_complete_file():
    assert joined(SKELETON.read_text(encoding="utf-8")) == columns(COMPLETE.read_text(encoding="utf-8"))


def test_joining_what_is_joined_changes_nothing():
    complete = COMPLETE.read_text(encoding="utf-8")
    assert joined(complete) == columns(complete)


def test_words_that_are_there_stay_where_the_release_does_not_have_the_document(tmp_path):
    complete = COMPLETE.read_text(encoding="utf-8")
    assert joined(complete, tmp_path) == columns(complete)
    with pytest.raises(InputError, match=rf"found no {DOCUMENT}\.parse"):
        joined(SKELETON.read_text(encoding="utf-8"), tmp_path)


@pytest.mark.parametrize("sentence", [0, 1])
def test_a_sentence_without_its_words_gets_those_of_its_own_tree(sentence):
    masked = SKELETON.read_text(encoding="utf-8").split("\n\n")
    complete = COMPLETE.read_text(encoding="utf-8").split("\n\n")
    mixed = [*complete[:sentence], masked[sentence], *complete[sentence + 1 :]]
    assert joined("\n\n".join(mixed)) == columns("\n\n".join(complete))


def test_a_skeleton_with_a_release_is_read_as_its_complete_file():
    documents = list(iter_split(ROOT, "train", words=RELEASE))
    assert documents == list(read_conll(COMPLETE))
    assert [document.id for document in documents] == [f"{DOCUMENT}.000", f"{DOCUMENT}.001"]
    assert documents[0].sentences[0].words == (
        "The",
        "ferry",
        "leaves",
        "at",
        "9\\/30",
        "-LRB-",
        "from",
        "Bergen",
        "-RRB-",
        "/.",
    )


def test_a_complete_file_beside_its_skeleton_is_taken_instead(tmp_path):
    folder = tmp_path / "train"
    folder.mkdir()
    shutil.copy(SKELETON, folder)
    shutil.copy(COMPLETE, folder)
    assert list(iter_split(tmp_path, "train", words=tmp_path)) == list(read_conll(COMPLETE))


def test_skeletons_without_a_release_say_what_is_needed():
    with pytest.raises(InputError, match=r"but 1 files \*_gold_skel without words; expected .* or `words`"):
        list(iter_split(ROOT, "train"))


@pytest.mark.parametrize("folder", ["", "data/files/data", "data/files/data/english/annotations"])
def test_the_release_is_found_from_any_of_its_folders(folder):
    assert find_parse(RELEASE / folder, DOCUMENT) == PARSE


def test_a_document_that_the_release_does_not_have_is_named_with_the_catalogue_numbers():
    with pytest.raises(InputError, match=r"found no nw/wsj/00/wsj_1\.parse.*LDC2011T03.*LDC2013T19"):
        find_parse(RELEASE, "nw/wsj/00/wsj_1")


@pytest.mark.parametrize("document", ["../../etc/passwd", "/etc/passwd"])
def test_a_skeleton_cannot_lead_out_of_the_release(document):
    with pytest.raises(InputError, match="expected one such as nw/wsj"):
        joined(f"#begin document ({document}); part 000\nx 0 0 [WORD] NN{' *' * 7}\n\n#end document\n")


def test_trees_are_read_without_traces_and_what_is_taken_back(tmp_path):
    text = "; a\n(TOP (EDITED (DT a)) (NP (-NONE- *)\n (NN b)))\n(TOP (EDITED (UH c)))((S (EDITING d)))\n"
    assert trees(tmp_path, text) == [
        BracketTree(2, ("NN",), ("b",)),
        BracketTree(4, ("XX",), ("nullp",)),
        BracketTree(4, ("EDITING",), ("d",)),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(TOP (NN a)\n", "line 1: found the end of the file, expected ) of the tree that begins in line 1"),
        ("(TOP (NN a)))", "line 1: found ), expected a tree"),
        ("(TOP\n(NN a b))", "line 2: found 'b', expected words in brackets"),
        ("(TOP (NN a (NN b)))", "line 1: found '(', expected words in brackets"),
        ("a", "line 1: found 'a', expected words in brackets"),
        ("(TOP ((NN a) b))", "line 1: found 'b', expected words in brackets"),
    ],
)
def test_what_is_no_tree_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(InputError) as error:
        trees(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path / 'x.parse'}, ")
    assert message in str(error.value)


def test_a_sentence_of_another_length_names_both_places(tmp_path):
    other = release(tmp_path, PARSE.read_text(encoding="utf-8").replace("(NN ferry)", "(NN ferry) (NN boat)"))
    with pytest.raises(InputError) as error:
        joined(SKELETON.read_text(encoding="utf-8"), other)
    path = other / f"{DOCUMENT}.parse"
    assert str(error.value) == (
        f"x_skel, line 2: found 10 words in sentence 1 of {DOCUMENT}, expected the 11 of the tree at {path}, line 2: "
        "is it the release of this task's year?"
    )


def test_a_sentence_beyond_the_last_tree_is_refused(tmp_path):
    other = release(tmp_path, "(TOP (NN a))\n")
    with pytest.raises(InputError, match=r"found sentence 2 of .*, expected none beyond the 1 trees of .*\.parse"):
        joined(f"#begin document ({DOCUMENT}); part 000\n" + f"{'x  0  0  [WORD]  NN' + '  *' * 7}\n\n" * 2, other)


def test_trees_left_over_and_other_tags_are_signs_of_another_release(tmp_path, caplog):
    text = PARSE.read_text(encoding="utf-8").replace("(NN ferry)", "(NNP ferry)") + "(TOP (NN more))\n"
    path = release(tmp_path, text) / f"{DOCUMENT}.parse"
    assert joined(SKELETON.read_text(encoding="utf-8"), tmp_path / "release") == columns(
        COMPLETE.read_text(encoding="utf-8")
    )
    assert f"{path} has 1 trees more than sentences" in caplog.text
    assert (
        f"1 of 16 tags differ from the release's; is it the right one? line 3: NN, {path}, line 2: NNP" in caplog.text
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x 0 0 [WORD] NN * - - - - * -\n", "line 1: found 'x 0 0 [WORD] NN * - - - - * -', expected #begin document"),
        (f"#begin document ({DOCUMENT}); part 000\nx 0 0 [WORD]\n", "line 2: found 4 columns, expected at least 12"),
        (
            f"#begin document ({DOCUMENT}); part 000\nx 0 0 [WORD] NN * - - - - * -\n",
            "found the end of the file, expected #end document",
        ),
    ],
)
def test_broken_skeletons_are_refused(text, message):
    with pytest.raises(InputError) as error:
        joined(text)
    assert str(error.value).startswith("x_skel")
    assert message in str(error.value)
