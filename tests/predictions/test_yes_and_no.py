"""What counts as yes and as no is a closed vocabulary: an answer that is not understood is never a no."""

import csv

import pytest

import nlpcalib as nc

OPEN = ("offen", "unklar", "weiß nicht", "nicht entscheidbar")


def table(path, words, head=("id", "q", "y"), open_answer=""):
    """Write 60 rows with two words, and one answer that is neither."""
    rows = [[f"r{row}", (row % 9 + 1) / 10, open_answer if row == 7 else words[row % 2]] for row in range(60)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


@pytest.mark.parametrize("answer", OPEN)
def test_an_answer_that_is_neither_is_refused_with_its_line_and_never_a_no(tmp_path, answer):
    path = table(tmp_path / "t.csv", ("ja", "nein"), open_answer=answer)
    with pytest.raises(nc.InputError, match=f"yes='ja,nein,{answer}' counts nein, {answer} as no; leave open answers"):
        nc.read(path, yes="ja")
    with pytest.raises(nc.InputError, match=f"line 9, column y: found the label '{answer}', expected one of ja, nein"):
        nc.read(path, yes="ja,nein")
    assert nc.read(path, yes=f"ja,nein,{answer}").y.sum() == 30
    items = table(tmp_path / "items.csv", "xx", ("id", "q", "note"))
    labels = table(tmp_path / "labels.csv", ("ja", "nein"), ("id", "q", "label"), open_answer=answer)
    with pytest.raises(nc.InputError, match=f"line 9: found the label '{answer}', expected one of ja, nein"):
        nc.read(items, labels, yes="ja,nein")


def test_the_other_of_two_words_is_no_and_cells_without_an_answer_are_none(tmp_path):
    assert nc.read(table(tmp_path / "t.csv", ("oui", "non"), open_answer="non"), yes="oui").y.sum() == 30
    found = nc.read(table(tmp_path / "t.csv", ("oui", "non"), open_answer="n/a"), yes="oui")
    assert len(found.labelled) == 59
    for answer in "?", "999":
        with pytest.raises(nc.InputError, match="line 9"):
            nc.read(table(tmp_path / "t.csv", ("oui", "non"), open_answer=answer), yes="oui")


def test_classes_that_the_table_has_are_no_next_to_the_named_one(tmp_path):
    rows = [[f"r{row}", 0.5, 0.3, 0.2, ("sport", "tech", "court")[row % 3]] for row in range(60)]
    path = tmp_path / "t.csv"
    for answer, understood in (("tech", True), ("unclear", False)):
        rows[7][-1] = answer
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("id", "p_sport", "p_tech", "p_court", "y"), *rows])
        if understood:
            assert nc.read(path, q="p_sport", yes="sport").y.sum() == 20
        else:
            with pytest.raises(nc.InputError, match="line 9, column y: found the label 'unclear', expected sport and"):
                nc.read(path, q="p_sport", yes="sport")


def test_a_third_label_beside_two_predicted_classes_is_no_wrong_answer(tmp_path):
    path = table(tmp_path / "t.csv", ("ja", "nein"), ("id", "confidence", "gold"), open_answer="unklar")
    lines = path.read_text(encoding="utf-8").splitlines()
    more = [f"{line},{('predicted', 'ja', 'nein')[place and 1 + place % 2]}" for place, line in enumerate(lines)]
    path.write_text("\n".join(more).replace(",0.", ",0.9"), encoding="utf-8")
    with pytest.raises(nc.InputError, match="line 9, column gold: found class 'unklar', expected one of ja, nein"):
        nc.read(path, q="confidence", y="gold")


def test_words_of_another_language_are_answered_with_the_command_that_reads_them(tmp_path):
    for words in ("ja", "nein"), ("sí", "no se"):
        path = table(tmp_path / "t.csv", words, open_answer=words[1])
        with pytest.raises(nc.InputError, match=f"yes='{words[0]}'"):
            nc.read(path)
        assert nc.read(path, yes=words[0]).y.sum() == 30
