"""What a table was taken to be, in words."""

import warnings

import numpy as np
import pytest

import nlpcalib as nc
from nlpcalib.predictions.facts import clustered_errors, table_facts, unlabelled_facts
from nlpcalib.tables.table import Table


def table_of(path, columns):
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return Table(path)


def away(rows):
    """Predictions on a fine grid, none of them near 0 or 1."""
    return 0.05 + 0.9 * np.random.default_rng(rows).random(rows)


@pytest.mark.parametrize(("documents", "warned"), [(1, False), (2, True), (39, True), (40, False)])
def test_a_column_that_is_called_like_a_unit_is_warned_of_if_it_repeats(documents, warned, tmp_path):
    q = np.sort(away(40))
    table = table_of(tmp_path / "t.csv", {"q": q, "DocumentId": [f"d{row % documents}" for row in range(40)]})
    found = unlabelled_facts(table, ["q"], q, [])
    assert found.units == "each row"
    expected = [
        f"column DocumentId has {documents} values in 40 rows and is not used: unit='DocumentId' if rows of one are "
        "not independent"
    ]
    assert [finding.sentence for finding in found.findings] == expected * warned


def test_units_are_counted_where_a_column_is_one(tmp_path):
    q = np.sort(away(40))
    table = table_of(tmp_path / "t.csv", {"q": q, "unit": [f"d{row % 7}" for row in range(40)]})
    assert unlabelled_facts(table, ["q"], q, []).units == "7"


@pytest.mark.parametrize(("columns", "shown"), [(5, "c0, c1, c2, c3, c4"), (6, "c0, c1, c2, c3, c4, …")])
def test_five_columns_that_are_ignored_are_listed(columns, shown, tmp_path):
    table = table_of(tmp_path / "t.csv", {"q": [0.5]} | {f"c{number}": [1] for number in range(columns)})
    assert table_facts(table, ["q"], "each row").set_aside == [f"columns {shown}"]


def test_the_record_of_a_table_has_its_findings_as_warnings(tmp_path):
    q = [0, 1] * 10
    table = table_of(tmp_path / "t.csv", {"q": q, "title": range(20)})
    found = unlabelled_facts(table, ["q"], np.array(q), [])
    assert found.summary() == "20 rows; ids: none; ignored: columns title"
    assert found.record() == {
        "rows": 20,
        "ids": "none",
        "units": "each row",
        "set_aside": ["columns title"],
        "notes": [],
        "warnings": ["column q has nothing but 0 and 1: decisions, where probabilities are expected"],
        "unit": None,
    }


def test_what_is_found_names_the_column_as_the_table_does(tmp_path):
    path = tmp_path / "t.csv"
    table_of(path, {"score": [0, 1] * 10, "title": range(20)})
    table = Table(path, columns={"q": "score"})
    (finding,) = unlabelled_facts(table, ["q"], np.array([0.0, 1.0] * 10), []).findings
    assert finding.sentence.startswith("column score has nothing but 0 and 1")


def erring(groups, size, seed=0):
    """Return q, y and the group of each row; rows of one group err together."""
    random = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    q = 0.2 + 0.6 * random.random(group.size)
    y = random.random(group.size) < np.clip(q + random.choice([-0.3, 0.3], groups)[group], 0, 1)
    return q, y, group


def erring_columns(tmp_path, q, y, **columns):
    table = table_of(tmp_path / "t.csv", {"q": q, "y": y.astype(int), **columns})
    return [finding.name for finding in clustered_errors(table, ["q", "y"], q, y)]


def test_rows_of_one_value_that_err_together_are_named_if_the_column_has_no_classes(tmp_path):
    q, y, group = erring(60, 20)
    scattered = np.random.default_rng(1).permutation(q.size)
    for rows in (np.arange(q.size), scattered):
        source = [f"s{each}" for each in group[rows]]
        assert erring_columns(tmp_path, q[rows], y[rows], source=source) == ["source"]
        for name in ("gold", "predicted", "class", "label"):
            assert erring_columns(tmp_path, q[rows], y[rows], **{name: source}) == []


def test_two_columns_of_one_vocabulary_are_classes_and_two_of_numbers_need_not_be(tmp_path):
    q, y, group = erring(60, 20)
    names = [f"s{each}" for each in group]
    right = [f"s{each if hit else (each + 1) % 60}" for each, hit in zip(group, y, strict=True)]
    assert erring_columns(tmp_path, q, y, annotation=right, model_output_name=names) == []
    assert "book" in erring_columns(tmp_path, q, y, book=group, line=np.tile(np.arange(20), 60))


def test_few_values_are_categories(tmp_path):
    q, y, group = erring(19, 60)
    assert erring_columns(tmp_path, q, y, domain=[f"s{each}" for each in group]) == []


def labelled_twice(changed, q_of=float):
    """Return a table of 100 items, of which every second is there again; some have another label."""
    q = away(100).round(3).tolist()
    y = (np.random.default_rng(3).random(100) < q).astype(int).tolist()
    rows = [f"a{row},{q[row]},{y[row]}" for row in range(100)]
    again = [f"a{row},{q_of(q[row])},{y[row] ^ (row in changed)}" for row in range(0, 100, 2)]
    return "\n".join(["id,q,y", *rows, *again]) + "\n"


def warnings_of(ask, path):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        ask(path)
    return " ".join(str(each.message) for each in found)


@pytest.mark.parametrize("door", ["calibrate", "recalibrate", "compare"])
def test_an_item_with_two_labels_for_one_prediction_is_named_with_both_lines(door, tmp_path):
    path = tmp_path / "t.csv"
    ask = {"compare": lambda path: nc.compare(path, path)}.get(door, getattr(nc, door))
    path.write_text(labelled_twice({4, 10}))
    assert "two labels of 'a4' for one prediction, line 6 and line 104; and 1 more" in warnings_of(ask, path)
    path.write_text(labelled_twice(set()))
    assert "two labels" not in warnings_of(ask, path)


def test_documents_with_predictions_of_their_own_have_no_second_readings(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(labelled_twice({4, 10}, lambda q: round(0.9 * q + 0.05, 3)))
    assert "two labels" not in warnings_of(nc.calibrate, path)


def test_an_id_that_all_rows_share_is_no_unit(tmp_path):
    path = tmp_path / "t.csv"
    rows = [line.split(",") for line in labelled_twice(set()).splitlines()[1:101]]
    path.write_text("id,q,y\n" + "".join(f"run,{q},{y}\n" for _, q, y in rows))
    with pytest.warns(nc.InputWarning, match="column id has one value in all rows: not used"):
        assert nc.calibrate(path).facts.units == "each row"
