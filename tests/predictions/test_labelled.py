"""Predictions and labels in files of their own are joined by what names the rows, and others are left out."""

import csv
import json
from contextlib import nullcontext

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.cli.app import main
from nlpcalib.errors import InputError
from nlpcalib.questions.page import write_page
from nlpcalib.recalibration.saved_map import read_map

CLASSES = ("clean", "insult", "threat")


@pytest.fixture
def files(tmp_path):
    """A table of classes in 300 rows, doccano's export of 120 in another order, and what both are in one table."""
    rng = np.random.default_rng(3)
    p = rng.dirichlet([2, 1, 1], 300)
    gold = [CLASSES[code] for code in (p.cumsum(axis=1) < rng.random((300, 1))).sum(axis=1)]
    ids = [f"msg-{number:03}" for number in rng.permutation(300)]
    rows = [[ids[row], *p[row].tolist()] for row in range(300)]
    read = rng.permutation(300)[:120]
    write(tmp_path / "new.csv", ["message_id", *CLASSES], rows)
    write(tmp_path / "other.csv", ["message_id", *CLASSES], [rows[row] for row in rng.permutation(300)])
    exported = [[number, gold[row], ids[row]] for number, row in enumerate(read, 1)]
    write(tmp_path / "doccano.csv", ["id", "label", "message_id"], exported)
    write(tmp_path / "one.csv", ["message_id", *CLASSES, "gold"], [[*rows[row], gold[row]] for row in sorted(read)])
    partly = [[*row, gold[place] if place in set(read) else ""] for place, row in enumerate(rows)]
    write(tmp_path / "partly.csv", ["message_id", *CLASSES, "gold"], partly)
    return tmp_path


def write(path, header, rows):
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])


def test_labels_in_a_file_give_what_the_merged_table_gives(files):
    expected = nc.calibrate(files / "one.csv")
    found = nc.calibrate(nc.read(files / "new.csv", files / "doccano.csv"))
    assert (found.n, found.error, found.interval) == (expected.n, expected.error, expected.interval)
    assert "120 of 300 rows have a label" in " ".join(found.facts.notes)
    assert nc.read(files / "new.csv", files / "doccano.csv").keyed_by == ("message_id",)


def test_recalibrate_joins_too_and_writes_the_rows_with_labels(files):
    expected = nc.recalibrate(files / "one.csv")
    found = nc.recalibrate(nc.read(files / "new.csv", files / "doccano.csv"))
    np.testing.assert_array_equal(found.q, expected.q)
    found.save(files / "out")
    assert len((files / "out/recalibrated.csv").read_text(encoding="utf-8").splitlines()) == 121
    applied = nc.apply_map(files / "new.csv", files / "out/map.json")
    assert applied.q.shape == (300, 3)
    assert read_map(files / "out/map.json").classes == CLASSES


def test_compare_joins_models_in_other_orders_by_what_labels_name(files):
    with pytest.warns(nc.InputWarning, match="have the same predictions"):
        found = nc.compare(*(nc.read(files / name, files / "doccano.csv") for name in ("new.csv", "other.csv")))
    assert found.reports[0].error == found.reports[1].error
    assert found.joined == "joined by id"


def test_rows_without_a_label_are_not_asked_and_are_counted(files, capsys):
    assert main(["calibrate", str(files / "partly.csv")]) == 0
    assert "120 of 300 rows have a label" in capsys.readouterr().err
    found = nc.calibrate(files / "partly.csv")
    assert (found.n, found.error) == (120, nc.calibrate(files / "one.csv").error)
    assert main(["recalibrate", str(files / "partly.csv")]) == 0


def test_a_tools_own_numbers_are_never_taken_for_rows(files):
    found = nc.estimate(nc.read(files / "new.csv", files / "doccano.csv"))
    expected = nc.estimate(nc.read(files / "new.csv", files / "doccano.csv", id="message_id"))
    assert found.shares == expected.shares
    write(files / "bare.csv", ["id", "label"], [[number, "clean"] for number in range(1, 90)])
    with pytest.raises(
        nc.InputError, match="expected one named 'id', which labels name rows by, or its name: id='NAME'"
    ):
        nc.estimate(nc.read(files / "new.csv", files / "bare.csv"))


def test_an_id_is_no_question_of_an_export(files):
    header = ["annotation_id", "annotator", "id", "message_id", "toxicity"]
    with (files / "doccano.csv").open(encoding="utf-8") as stream:
        rows = [[number + 900, 1, number + 500, row["message_id"], row["label"]]
                for number, row in enumerate(csv.DictReader(stream))]  # fmt: skip
    write(files / "labelstudio.csv", header, rows)
    expected = nc.calibrate(files / "one.csv").error
    assert nc.calibrate(nc.read(files / "new.csv", files / "labelstudio.csv")).error == expected
    named = nc.read(files / "new.csv", files / "labelstudio.csv", id="message_id")
    assert nc.calibrate(named).error == expected
    lines = [{"text": "…", "meta": {"message_id": row[3]}, "label": [row[4]]} for row in rows]
    (files / "d.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert nc.calibrate(nc.read(files / "new.csv", files / "d.jsonl")).error == expected


def test_one_prediction_takes_yes_and_no_or_the_label_that_is_named(tmp_path):
    rng = np.random.default_rng(4)
    q = rng.random(200)
    y = rng.random(200) < q
    write(tmp_path / "spam.csv", ["id", "q"], [[f"m{row}", q[row]] for row in range(200)])
    write(tmp_path / "words.csv", ["id", "label"], [[f"m{row}", "yes" if y[row] else "no"] for row in range(100)])
    write(tmp_path / "names.csv", ["id", "label"], [[f"m{row}", "spam" if y[row] else "ham"] for row in range(100)])
    expected = nc.calibrate(q[:100], y[:100]).error
    assert nc.calibrate(nc.read(tmp_path / "spam.csv", tmp_path / "words.csv")).error == expected
    assert nc.calibrate(nc.read(tmp_path / "spam.csv", tmp_path / "names.csv", yes="spam")).error == expected
    with pytest.raises(
        nc.InputError,
        match=r"line 3: found the label 'ham', expected yes or no; and 98 more; yes='ham' or yes='spam' n",
    ):
        nc.calibrate(nc.read(tmp_path / "spam.csv", tmp_path / "names.csv"))


@pytest.mark.parametrize("words", [("Yes", "No"), ("1", "0"), ("pass", "fail"), ("YES", "n")])
def test_readers_who_spell_one_answer_differently_do_not_differ(words, tmp_path):
    rng = np.random.default_rng(4)
    q = rng.random(200)
    y = rng.random(200) < q
    write(tmp_path / "spam.csv", ["id", "q"], [[f"m{row}", q[row]] for row in range(200)])
    write(tmp_path / "a.csv", ["id", "label"], [[f"m{row}", "yes" if y[row] else "no"] for row in range(100)])
    write(tmp_path / "b.csv", ["id", "label"], [[f"m{row}", words[not y[row]]] for row in range(50, 150)])
    found = nc.calibrate(nc.read(tmp_path / "spam.csv", [tmp_path / "a.csv", tmp_path / "b.csv"]))
    assert (found.n, found.error) == (150, nc.calibrate(q[:150], y[:150]).error)
    assert "differ" not in " ".join(found.facts.notes)
    with_capitals = nc.calibrate(nc.read(tmp_path / "spam.csv", tmp_path / "b.csv", yes=words[0].swapcase()))
    assert with_capitals.error == nc.calibrate(q[50:150], y[50:150]).error


def test_errors_name_a_file_of_labels_once(tmp_path):
    write(tmp_path / "q.csv", ["id", "q"], [*([f"{row}.0", 0.3] for row in range(60)), ["01", 0.3]])
    write(tmp_path / "l.csv", ["id", "label"], [[row, "yes"] for row in range(60)])
    with pytest.raises(nc.InputError, match=r"are one: write ids alike, as text$") as error:
        nc.calibrate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv"))
    assert str(error.value).count("l.csv") == 1
    write(tmp_path / "v.csv", ["id", "verdict"], [[row, "yes"] for row in range(60)])
    write(tmp_path / "l.csv", ["id", "label"], [[row, "perhaps so"] for row in range(60)])
    with pytest.raises(nc.InputError, match="found the label 'perhaps so'") as error:
        nc.judge(nc.read(tmp_path / "v.csv", tmp_path / "l.csv"))
    assert max(part.count("l.csv") for part in str(error.value).split("; ")) == 1


def test_ids_in_a_first_column_without_a_name_join_labels(files):
    rows, exported = (
        list(csv.reader((files / name).read_text(encoding="utf-8").splitlines())) for name in ("new.csv", "doccano.csv")
    )
    write(files / "r.csv", ["", *rows[0][1:]], rows[1:])
    labels = [[row[2], row[1]] for row in exported[1:]]
    write(files / "labels.csv", ["id", "label"], labels)
    write(files / "gold.csv", ["id", "gold"], labels)
    found = nc.calibrate(nc.read(files / "r.csv", files / "labels.csv"))
    named = nc.calibrate(nc.read(files / "new.csv", files / "doccano.csv"))
    assert found.error == named.error
    # An index of numbers is none.
    write(files / "r.csv", ["", *rows[0][1:]], [[number, *row[1:]] for number, row in enumerate(rows[1:])])
    with pytest.raises(InputError, match="expected one named 'id'"):
        nc.calibrate(nc.read(files / "r.csv", files / "labels.csv"))
    assert nc.calibrate(nc.read(files / "new.csv", files / "gold.csv", id="message_id")).error == named.error


def test_a_class_that_differs_in_signs_or_capitals_is_named_with_its_column(tmp_path):
    write(tmp_path / "q.csv", ["id", "self.care", "soon"], [["a", 0.25, 0.75], ["b", 0.5, 0.5]])
    write(tmp_path / "l.csv", ["id", "label"], [["a", "self-care"], ["b", "soon"]])
    with pytest.raises(InputError, match=r"write 'self-care' and the column 'self\.care' alike"):
        nc.calibrate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv"))


def labels_in(files, spell):
    """Write the labels of doccano's export as `spell` makes them of a class and its number."""
    with (files / "doccano.csv").open(encoding="utf-8") as stream:
        rows = [[row["message_id"], spell(row["label"], place)] for place, row in enumerate(csv.DictReader(stream))]
    write(files / "spelt.csv", ["message_id", "label"], rows)
    return files / "spelt.csv"


SPELLINGS = {
    "capitals": lambda name, place: name.upper() if place % 3 else name,
    "first capitals": lambda name, place: name.title(),
    "blanks": lambda name, place: f" {name}  ",
    "positions": lambda name, place: CLASSES.index(name),
    "positions of pandas": lambda name, place: float(CLASSES.index(name)),
}


@pytest.mark.filterwarnings("ignore:.*a copy of another one")
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_capitals_blanks_and_floats_make_no_other_class(spelling, files):
    expected = nc.calibrate(files / "one.csv")
    labels = labels_in(files, SPELLINGS[spelling])
    found = nc.calibrate(nc.read(files / "new.csv", labels))
    assert (found.n, found.error, found.interval) == (expected.n, expected.error, expected.interval)
    said = "capitals and blanks make no other class" in " ".join(found.facts.notes)
    assert said == ("capitals" in spelling)
    if "positions" not in spelling:
        both = nc.calibrate(nc.read(files / "new.csv", [files / "doccano.csv", labels]))
        assert (both.n, both.error) == (expected.n, expected.error)
        assert "differ" not in " ".join(both.facts.notes)
        shares = nc.estimate(nc.read(files / "new.csv", labels)).shares
        assert shares == nc.estimate(nc.read(files / "new.csv", files / "doccano.csv")).shares
    column = [[row["message_id"], *(row[name] for name in CLASSES), ""] for row in read_rows_of(files / "new.csv")]
    spelt = {row["message_id"]: row["label"] for row in read_rows_of(labels)}
    write(files / "spelt_one.csv", ["message_id", *CLASSES, "gold"],
          [[*row[:-1], spelt[row[0]]] for row in column if row[0] in spelt])  # fmt: skip
    assert nc.calibrate(files / "spelt_one.csv").error == expected.error


def read_rows_of(path):
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_classes_that_differ_by_capitals_alone_stay_two_if_predictions_have_both(tmp_path):
    rng = np.random.default_rng(5)
    p = rng.dirichlet([1, 1, 1], 200)
    names = ("us", "US", "other")
    gold = [names[code] for code in (p.cumsum(axis=1) < rng.random((200, 1))).sum(axis=1)]
    write(tmp_path / "p.csv", ["id", *(f"q_{name}" for name in names)], [[f"t{k}", *p[k]] for k in range(200)])
    write(tmp_path / "a.csv", ["id", "label"], [[f"t{k}", gold[k]] for k in range(200)])
    swapped = [name.swapcase() if name != "other" else name for name in gold]
    write(tmp_path / "b.csv", ["id", "label"], [[f"t{k}", swapped[k]] for k in range(200)])
    alone = nc.calibrate(nc.read(tmp_path / "p.csv", tmp_path / "a.csv"))
    assert alone.n == 200
    both = nc.calibrate(nc.read(tmp_path / "p.csv", [tmp_path / "a.csv", tmp_path / "b.csv"]))
    assert both.n == gold.count("other")
    write(tmp_path / "c.csv", ["id", "label"], [["t0", "Us"], ["t1", "US"]])
    with pytest.raises(nc.InputError, match="found class 'Us', expected one of us, US, other"):
        nc.calibrate(nc.read(tmp_path / "p.csv", tmp_path / "c.csv"))


def test_a_predicted_class_and_the_right_one_may_differ_by_capitals(tmp_path):
    rows = [[f"t{k}", ("PER", "ORG", "LOC")[k % 3], 0.5 + (k % 50) / 100, ("per", "org", "loc")[(k + k % 4 // 3) % 3]]
            for k in range(200)]  # fmt: skip
    write(tmp_path / "d.csv", ["id", "predicted", "score", "gold"], rows)
    found = nc.calibrate(tmp_path / "d.csv")
    assert found.pairs.y.sum() == 150
    assert "column gold: 'loc' is class 'LOC'" in " ".join(found.facts.notes)


MISSING_WORDS = ["NA", "N/A", "#N/A", "null", "NULL", "None", "nan", "NaN", "<NA>", ""]


@pytest.mark.parametrize("word", MISSING_WORDS)
def test_every_spelling_of_a_missing_value_is_no_label_at_every_door(word, files):
    expected = nc.calibrate(files / "one.csv")
    rows = [[*row.values()] for row in read_rows_of(files / "partly.csv")]
    write(files / "na.csv", [*read_rows_of(files / "partly.csv")[0]], [[*row[:-1], row[-1] or word] for row in rows])
    found = nc.calibrate(files / "na.csv")
    assert (found.n, found.error) == (120, expected.error)
    assert "120 of 300 rows have a label" in " ".join(found.facts.notes)
    write(files / "labels.csv", ["message_id", "label"], [[row[0], row[-1] or word] for row in rows])
    of_file = nc.calibrate(nc.read(files / "new.csv", files / "labels.csv"))
    assert (of_file.n, of_file.error) == (120, expected.error)
    write(files / "label.csv", ["message_id", *CLASSES, "label"], [[*row[:-1], row[-1] or word] for row in rows])
    shares = nc.estimate(nc.read(files / "new.csv", files / "doccano.csv")).shares
    assert nc.estimate(nc.read(files / "label.csv", id="message_id")).shares == shares


def test_a_class_that_is_called_none_is_a_class(tmp_path):
    rng = np.random.default_rng(6)
    p = rng.dirichlet([1, 1], 100)
    gold = [("none", "toxic")[code] for code in (p[:, 0] < rng.random(100)).astype(int)]
    rows = [[f"t{k}", *p[k], gold[k]] for k in range(100)]
    write(tmp_path / "p.csv", ["id", "none", "toxic", "gold"], rows)
    write(tmp_path / "l.csv", ["id", "label"], [[row[0], row[-1]] for row in rows])
    assert nc.calibrate(tmp_path / "p.csv").n == 100
    assert nc.calibrate(nc.read(tmp_path / "p.csv", tmp_path / "l.csv")).n == 100


def test_a_class_that_is_called_c_is_no_open_answer(tmp_path):
    rng = np.random.default_rng(7)
    p = rng.dirichlet([1, 1, 1], 100)
    gold = ["abc"[code] for code in (p.cumsum(axis=1) < rng.random((100, 1))).sum(axis=1)]
    write(tmp_path / "p.csv", ["id", *"abc"], [[f"t{k}", *p[k]] for k in range(100)])
    write(tmp_path / "l.csv", ["id", "label"], [[f"t{k}", gold[k]] for k in range(100)])
    assert nc.calibrate(nc.read(tmp_path / "p.csv", tmp_path / "l.csv")).n == 100


def test_a_page_takes_files_of_labels_as_calibrate_does(files):
    joined = nc.read(files / "new.csv", files / "doccano.csv")
    merged = nc.read(files / "one.csv", id="message_id")
    for data, name in ((joined, "joined.html"), (merged, "merged.html")):
        write_page(files / name, data)
    pages = [(files / name).read_text(encoding="utf-8") for name in ("joined.html", "merged.html")]
    assert pages[0].count("msg-") == pages[1].count("msg-")


def test_a_table_that_was_made_of_a_sheet_joins_labels_by_bare_ids_and_the_reverse(files):
    expected = nc.calibrate(files / "one.csv").error
    rows = read_rows_of(files / "new.csv")
    write(
        files / "merged.csv",
        ["item", *CLASSES],
        [["item " + row["message_id"], *(row[c] for c in CLASSES)] for row in rows],
    )
    labels = [[row["message_id"], row["label"]] for row in read_rows_of(files / "doccano.csv")]
    for name, prefix in (("item", ""), ("id", ""), ("item", "item "), ("id", "item ")):
        write(files / "l.csv", [name, "label"], [[prefix + own, label] for own, label in labels])
        assert nc.calibrate(nc.read(files / "merged.csv", files / "l.csv", id="item")).error == expected
        assert nc.calibrate(nc.read(files / "new.csv", files / "l.csv", id="message_id")).error == expected
    write(files / "l.csv", ["message_id", "label"], [["item " + own, label] for own, label in labels])
    assert nc.calibrate(nc.read(files / "new.csv", files / "l.csv")).error == expected


def test_models_whose_classes_differ_by_capitals_have_the_same_classes(files):
    rows = [[*row.values()] for row in read_rows_of(files / "one.csv")]
    capitals = [[*row[:-1], row[-1].upper()] for row in rows]
    write(files / "capitals.csv", ["message_id", *map(str.upper, CLASSES), "gold"], capitals)
    with pytest.warns(nc.InputWarning, match="have the same predictions"):
        found = nc.compare(files / "one.csv", files / "capitals.csv")
    assert found.reports[0].error == found.reports[1].error


def test_labels_next_to_the_one_that_counts_as_yes_are_those_of_an_estimate(tmp_path):
    rng = np.random.default_rng(4)
    q = rng.random(200)
    y = rng.random(200) < q
    write(tmp_path / "q.csv", ["id", "q"], [[f"m{row}", q[row]] for row in range(200)])
    expected = nc.calibrate(q, y)
    no = ("none", "threat", "threat, spam")
    names = [["insult", "insult, threat"][row % 2] if y[row] else no[row % 3] for row in range(200)]
    write(tmp_path / "l.csv", ["id", "label"], [[f"m{row}", name] for row, name in enumerate(names)])
    known = 'insult,threat,"threat, spam"'
    missing = r"labels 'none', counted as not 'insult': empty, if they are missing"
    refused = f"found the label 'threat', .* yes='{known}' counts threat, threat, spam as"
    with pytest.warns(nc.InputWarning, match=missing), pytest.raises(nc.InputError, match=refused):
        nc.read(tmp_path / "q.csv", tmp_path / "l.csv", yes="insult")
    with pytest.warns(nc.InputWarning, match=missing):
        found = nc.calibrate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv", yes=known))
    assert (found.n, found.error) == (200, expected.error)
    write(tmp_path / "l.csv", ["id", "label"], [["m0", "insult"], ["m1", "?"]])
    with pytest.raises(nc.InputError, match=r"line 3: found the label '\?', expected insult and one other"):
        nc.calibrate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv", yes="insult"))
    write(tmp_path / "l.csv", ["id", "label"], [["m0", "spam"], ["m1", "ham"]])
    with pytest.raises(nc.InputError, match="found the labels ham, spam, expected 'insult' among them"):
        nc.calibrate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv", yes="insult"))


def test_ids_that_are_the_units_too_still_name_the_items(tmp_path):
    write(tmp_path / "q.csv", ["id", "q"], [[f"m{row}", row / 100] for row in range(100)])
    write(tmp_path / "l.csv", ["id", "label"], [[f"m{row}", "yes" if row > 50 else "no"] for row in range(0, 100, 2)])
    expected = nc.estimate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv"))
    found = nc.estimate(nc.read(tmp_path / "q.csv", tmp_path / "l.csv", unit="id"))
    assert (found.whole.total, found.data.labelled.size) == (expected.whole.total, 50)


TAGS = ("remote", "visa", "senior")


def write_sets(folder, given):
    """Write sets of labels, by id, as tools export them; doccano cannot say whether an empty set was read."""
    lines = {
        "doccano.jsonl": [{"id": each, "text": "…", "label": tags} for each, tags in given.items()],
        "prodigy.jsonl": [{"id": each, "accept": tags, "answer": "accept"} for each, tags in given.items()],
        "argilla.jsonl": [
            {"metadata": {"id": each}, "responses": [{"status": "submitted", "values": {"tags": {"value": tags}}}]}
            for each, tags in given.items()
        ],
        "min.jsonl": [
            {"id": each, **({"tags": {"choices": tags}} if tags else {}), "annotator": 1, "annotation_id": place}
            for place, (each, tags) in enumerate(given.items())
        ],
    }
    for name, records in lines.items():
        (folder / name).write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    studio = [
        {"data": {"id": each}, "annotations": [{"result": [result] if (result := studio_choices(tags)) else []}]}
        for each, tags in given.items()
    ]
    (folder / "studio.json").write_text(json.dumps(studio), encoding="utf-8")
    write(folder / "joined.csv", ["id", "label"], [[each, ";".join(tags) or "none"] for each, tags in given.items()])
    write(folder / "lists.csv", ["id", "label"], [[each, str(tags)] for each, tags in given.items()])
    return [*lines, "studio.json", "joined.csv", "lists.csv"]


def studio_choices(tags):
    return {"from_name": "tags", "type": "choices", "value": {"choices": tags}} if tags else None


@pytest.fixture
def tagged(tmp_path):
    """A table with a probability of each tag, and which tags 300 items have: each alone, together, and none."""
    rng = np.random.default_rng(8)
    q = rng.random((300, len(TAGS)))
    has = rng.random(q.shape) < q * [1, 0.5, 0.3]
    ids = [f"ad-{row:03}" for row in range(300)]
    write(tmp_path / "q.csv", ["id", *TAGS], [[each, *row] for each, row in zip(ids, q.tolist(), strict=True)])
    sets = {
        each: [tag for tag, mine in zip(TAGS, row, strict=True) if mine] for each, row in zip(ids, has, strict=True)
    }
    assert {0, 1, 2, 3} <= set(map(len, sets.values()))
    return tmp_path, q, has, write_sets(tmp_path, sets), sets


def test_a_label_counts_where_it_is_among_those_of_an_item_and_not_where_an_item_has_none(tagged):
    folder, q, has, names, _ = tagged
    expected = nc.calibrate(q[:, 1], has[:, 1])
    for name in names:
        warns = pytest.warns(nc.InputWarning, match="without a label: taken as read|counted as not 'visa'")
        with warns if name in ("doccano.jsonl", "joined.csv") else nullcontext():
            found = nc.calibrate(nc.read(folder / "q.csv", folder / name, q="visa", yes="visa"))
        assert (found.n, found.positives, found.error) == (300, int(has[:, 1].sum()), expected.error), name
    counted = nc.estimate(nc.read(folder / "q.csv", folder / "studio.json", q="visa", yes="visa"))
    assert counted.total == has[:, 1].sum()


def test_sets_of_labels_are_refused_where_no_label_is_named(tagged):
    folder, _, _, names, _ = tagged
    for name in names:
        with pytest.raises(nc.InputError, match=r"yes="):
            nc.calibrate(nc.read(folder / "q.csv", folder / name, q="visa"))
    with pytest.raises(nc.InputError, match=r"measured one at a time: q=('\w+'), yes=\1"):
        nc.calibrate(nc.read(folder / "q.csv", folder / "studio.json", q=",".join(TAGS)))


@pytest.mark.filterwarnings("ignore:.*a copy of another one")
def test_readers_of_sets_agree_on_a_label_and_not_on_the_whole_set(tagged):
    folder, q, has, _, sets = tagged
    other = {each: sorted({*tags} ^ {"remote"}) for each, tags in sets.items()}  # differs in another label alone
    (folder / "second").mkdir()
    write_sets(folder / "second", other)
    files = [folder / "studio.json", folder / "second/prodigy.jsonl"]
    found = nc.calibrate(nc.read(folder / "q.csv", files, q="visa", yes="visa"))
    assert (found.n, found.error) == (300, nc.calibrate(q[:, 1], has[:, 1]).error)


def test_items_at_the_end_of_an_export_that_nobody_reached_are_not_counted_as_no(tagged):
    folder, _, _, _, sets = tagged
    unread = {each: tags if place < 200 else [] for place, (each, tags) in enumerate(sets.items())}
    write_sets(folder, unread)
    with pytest.raises(nc.InputError, match=r"doccano.jsonl, line \d+: found no label here nor in the \d+ items after"):
        nc.calibrate(nc.read(folder / "q.csv", folder / "doccano.jsonl", q="visa", yes="visa"))


def test_a_cell_with_several_labels_has_each_of_them(tagged):
    folder, q, has, _, sets = tagged
    for spell in (";".join, json.dumps, str):
        rows = [[*row, spell(tags) or "nothing"] for row, tags in zip(q.tolist(), sets.values(), strict=True)]
        write(folder / "own.csv", [*TAGS, "tags"], rows)
        found = nc.calibrate(nc.read(folder / "own.csv", q="visa", y="tags", yes="visa,nothing"))
        assert found.error == nc.calibrate(q[:, 1], has[:, 1]).error


@pytest.mark.filterwarnings("ignore:.*were not drawn with equal probability")
def test_a_sheet_with_marks_alone_is_said_to_have_no_other_label(tagged):
    folder, _, has, _, sets = tagged
    marks = [[each, "x" if mine else ""] for each, mine in zip(sets, has[:, 1], strict=True)]
    write(folder / "marks.csv", ["id", "label"], marks)
    with pytest.warns(nc.InputWarning, match=rf"all {has[:, 1].sum()} labels are 'x', and .* without one left out"):
        nc.read(folder / "q.csv", folder / "marks.csv", q="visa", yes="x")
