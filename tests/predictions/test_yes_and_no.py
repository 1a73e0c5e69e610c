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


def test_a_prediction_is_wrong_where_the_label_is_a_class_that_is_never_predicted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,predicted,confidence,gold\na,ja,.9,ja\nb,nein,.6,nein\nc,ja,.8,enthalten\n", encoding="utf-8")
    found = nc.read(path, q="confidence", y="gold")
    assert found.y.tolist() == [1, 1, 0]
    assert "no prediction is of enthalten: rows with this label count as wrong" in found.facts.summary()


def test_a_label_that_no_column_of_a_class_is_of_is_refused_with_a_way_out_that_runs(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,p_ja,p_nein,gold\na,.9,.1,ja\nb,.4,.6,nein\nc,.2,.8,unklar\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match=r"line 4, column gold: found class 'unklar'.*; q='p_ja', yes='ja,unklar' "):
        nc.read(path, q="p_ja,p_nein")
    assert nc.read(path, q="p_ja", yes="ja,unklar").y.tolist() == [1, 0, 0]


def test_a_label_of_several_is_no_only_where_it_is_known_to_be_none(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,q,y\na,.9,remote;visa\nb,.4,visa\nc,.8,remote\nd,.2,unclear\n", encoding="utf-8")
    with pytest.raises(
        nc.InputError, match=r"line 5, .*'unclear'.*yes='remote,unclear,visa' counts unclear, visa as no"
    ):
        nc.read(path, yes="remote")
    with pytest.raises(
        nc.InputError, match="line 5, column y: found the label 'unclear', expected one of remote, visa"
    ):
        nc.read(path, yes="remote,visa")
    assert nc.read(path, yes="remote,visa,unclear").y.tolist() == [1, 0, 1, 0]


def test_a_table_without_predictions_is_not_asked_for_its_labels(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Nr,P_Ja,P_Nein,Wahrheit\n1,.9,.1,Ja\n2,.4,.6,Nein\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match="found the columns Nr, P_Ja, P_Nein, Wahrheit; expected one named 'q'"):
        nc.read(path, y="Wahrheit")


def test_other_columns_of_the_table_are_no_names_of_classes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,q,note,y\na,.9,1,ja\nb,.4,2,nein\nc,.4,3,note\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match="found the label 'nein', expected ja and one other"):
        nc.read(path, yes="ja")


@pytest.mark.filterwarnings("ignore:.*left out:nlpcalib.InputWarning")
def test_a_line_of_totals_without_a_prediction_has_no_label_to_be_read(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,q,y\na,.9,ja\nb,.4,nein\nc,,ja\nTotal,,101\n", encoding="utf-8")
    found = nc.read(path, yes="ja")
    assert found.y.tolist() == [1, 0]
    assert str(found.gaps[0]) == "2 rows left out, without a prediction in q: c, Total; 1 of them labelled"
    sheet = tmp_path / "labels.csv"
    sheet.write_text("id,label\na,ja\nb,nein\nTotal,101\n", encoding="utf-8")
    items = tmp_path / "items.csv"
    items.write_text("id,q\na,.9\nb,.4\n", encoding="utf-8")
    assert nc.read(items, sheet, yes="ja").y.tolist() == [1, 0]


def test_a_label_with_a_comma_is_one_where_a_cell_has_it(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id,q,y\na,.9,"Yes, fully"\nb,.4,No\n', encoding="utf-8")
    assert nc.read(path, yes="Yes, fully").y.tolist() == nc.read(path, yes='"yes, fully",no').y.tolist() == [1, 0]
    assert nc.read([0.9, 0.4], y=["Yes, fully", "No"], yes="Yes, fully").y.tolist() == [1, 0]
    with pytest.raises(nc.InputError, match="expected 'a' among them"):
        nc.read(path, yes="a\nb")


def test_a_verdict_that_leaves_the_question_open_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,verdict,y\na,pass,pass\nb,skip,fail\nc,fail,pass\n", encoding="utf-8")
    with pytest.raises(nc.InputError, match="line 3, column verdict: found the verdict 'skip', expected yes or no"):
        nc.read(path)
    with pytest.raises(nc.InputError, match="yes='pass,skip' counts skip as no"):
        nc.read(path, yes="pass")
    assert nc.read(path, yes="pass,skip").q.tolist() == [1, 0, 0]


def test_words_of_another_language_are_answered_with_the_command_that_reads_them(tmp_path):
    for words in ("ja", "nein"), ("sí", "no se"):
        path = table(tmp_path / "t.csv", words, open_answer=words[1])
        with pytest.raises(nc.InputError, match=f"yes='{words[0]}'"):
            nc.read(path)
        assert nc.read(path, yes=words[0]).y.sum() == 30
