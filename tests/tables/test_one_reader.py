"""What one command reads, all read: kinds of tables, columns of other names, exports as tables."""

import csv
import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.predictions.tool_records import read_predictions

from nlpcalib.errors import InputError
from nlpcalib.predictions.read import read
from nlpcalib.sampling.exports import read_entries
from nlpcalib.sampling.labels import read_annotations
from nlpcalib.systems.text.dated_files import read_dated_file
from nlpcalib.tables.table import Table, read_rows

ROWS = [
    {"doc": f"d{n}", "published": f"2004-12-{n + 10}", "headline": f"text {n}", "score": n / 8, "answer": "yes"}
    for n in range(6)
]
KINDS = ("t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.parquet", "t.jsonl", "t.json", "packed")


def write(path, rows):
    """Write rows as the kind of table that a name has: semicolons in .txt, packed semicolons without an ending."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
        return path
    if path.suffix in (".jsonl", ".json"):
        text = "".join(json.dumps(row) + "\n" for row in rows)
    else:
        separator = {".tsv": "\t", ".csv": ",", ".gz": ","}.get(path.suffix, ";")
        text = "".join(separator.join(map(str, cells)) + "\n" for cells in [rows[0], *(row.values() for row in rows)])
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix in (".gz", "") else data)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_each_command_reads_each_kind_of_table_with_columns_of_other_names(kind, tmp_path):
    path = write(tmp_path / kind, ROWS)
    items = read(path, id="doc", q="score", text="headline", date="published")
    assert (list(items.ids), list(items.texts)) == ([row["doc"] for row in ROWS], [row["headline"] for row in ROWS])
    assert items.frame.q.tolist() == [row["score"] for row in ROWS]
    assert items.column("month(published)") == ["2004-12"] * 6
    columns = {"id": "doc", "date": "published", "text": "headline"}
    assert [(each.id, each.text) for each in read_dated_file(path, 0, columns)] == [
        (row["doc"], row["headline"]) for row in ROWS
    ]
    assert [row for _, row in read_rows(path, ["item", "label"], columns={"item": "doc", "label": "answer"})] == [
        {"item": row["doc"], "label": "yes"} for row in ROWS
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_labels_are_read_from_each_kind_of_table(kind, tmp_path):
    path = write(tmp_path / kind, [{"item": f"item {n}", "label": ("yes", "no")[n % 2]} for n in range(4)])
    [labels] = read_annotations(path, {"0", "1", "2", "3"}).values()
    assert labels == {"0": 1, "1": 0, "2": 1, "3": 0}


@pytest.mark.parametrize("kind", KINDS)
def test_facts_name_columns_as_the_file_does(kind, tmp_path):
    path = write(tmp_path / kind, ROWS)
    facts = read(path, id="doc", q="score", text="headline", date="published").facts
    assert facts.summary() == (
        "6 rows; ids: in column doc; 0 of 6 rows have a label; ignored: columns published, answer"
    )


def test_a_column_that_is_not_there_is_expected_by_the_name_in_the_file(tmp_path):
    path = write(tmp_path / "t.csv", ROWS)
    with pytest.raises(InputError, match="expected one named 'title'"):
        Table(path, columns={"text": "title"}).read({"text": "text"})
    with pytest.raises(InputError, match="expected one named 'title'"):
        read_rows(path, ["text"], columns={"text": "title"})


def as_csv(path, records):
    """Write records as pandas does: parts of JSON in cells."""
    names = list(dict.fromkeys(name for record in records for name in record))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        for record in records:
            writer.writerow({k: v if isinstance(v, str) else json.dumps(v) for k, v in record.items()})
    return path


def as_json(path, records):
    path.write_text("\n".join(map(json.dumps, records)))
    return path


EXPORTS = {
    "doccano": [{"id": "a", "text": "x", "label": "yes"}, {"id": "b", "text": "y", "label": "no"}],
    "doccano, choices": [{"id": "a", "text": "x", "cats": ["yes", "no"]}, {"id": "b", "text": "y", "cats": ["no"]}],
    "Label Studio": [
        {"text": "x", "id": "a", "event": "yes", "annotator": "ann", "annotation_id": 1, "lead_time": 3.5},
        {"text": "y", "id": "b", "event": {"choices": ["yes", "no"]}, "annotator": "ann", "annotation_id": 2},
    ],
    "Label Studio, whole": [
        {"id": 7, "data": {"item": "a"}, "annotations": [{"result": [
            {"type": "choices", "from_name": "q", "value": {"choices": ["yes"]}}]}]},
    ],
    "Prodigy": [{"id": "a", "text": "x", "answer": "accept"}, {"id": "b", "text": "y", "answer": "reject"}],
    "Argilla": [{"id": "a", "responses": {"q": [{"value": "yes", "user_id": "u"}]}}],
}  # fmt: skip


@pytest.mark.parametrize("tool", EXPORTS)
def test_an_export_as_a_table_has_the_answers_of_the_same_export_in_json(tool, tmp_path):
    table = read_entries(as_csv(tmp_path / "e.csv", EXPORTS[tool]))
    lines = read_entries(as_json(tmp_path / "e.jsonl", EXPORTS[tool]))
    assert [entry.answer for entry in table] == [entry.answer for entry in lines]
    assert [entry.names[0] for entry in table] == [entry.names[0] for entry in lines]
    assert [entry.annotator for entry in table] == [entry.annotator for entry in lines]
    assert len(table) == len(EXPORTS[tool])


RECORDS = {
    "hf-text": {"scores": [{"label": "A", "score": 0.75}, {"label": "B", "score": 0.25}], "gold": "A", "id": "x"},
    "spacy-cats": {"cats": {"A": 0.75, "B": 0.25}, "gold": "A", "id": "x"},
    "classes": {"probabilities": {"A": 0.75, "B": 0.25}, "gold": "A", "id": "x"},
    "hf-tokens": {
        "entities": [{"entity_group": "A", "score": 0.75, "start": 0, "end": 3}],
        "gold": [{"start": 0, "end": 3, "label": "A"}],
        "id": "x",
    },
}


@pytest.mark.parametrize("tool", RECORDS)
@pytest.mark.parametrize("named", [False, True])
def test_predictions_of_another_tool_in_a_table_are_those_of_the_same_records_in_json(tool, named, tmp_path):
    records = [RECORDS[tool] | {"id": f"{n}"} for n in range(3)]
    options = {"file_format": tool.partition(",")[0]} if named else {}
    table = read_predictions(as_csv(tmp_path / "p.csv", records), **options)
    lines = read_predictions(as_json(tmp_path / "p.jsonl", records), **options)
    np.testing.assert_array_equal(table.q, lines.q)
    assert (table.y.tolist(), table.view) == (lines.y.tolist(), lines.view)
    for one, other in ((table.unit, lines.unit), (table.predicted, lines.predicted)):
        assert (one and one.texts()) == (other and other.texts())
    assert table.q.tolist() == pytest.approx([0.75] * 3)


@pytest.mark.parametrize("name", ["cats", "scores", "answers", "confidence", "probabilities"])
def test_a_class_may_be_called_like_a_key_of_another_tool(name, tmp_path):
    rows = [{name: 0.75, "dogs": 0.25, "gold": name}, {name: 0.5, "dogs": 0.5, "gold": "dogs"}]
    found = read_predictions(as_csv(tmp_path / "p.csv", rows), columns={"q": f"{name},dogs"})
    assert found.q.tolist() == [0.75, 0.5]
    if name != "probabilities":
        assert read_predictions(tmp_path / "p.csv").q.tolist() == [0.75, 0.5]


def test_a_broken_row_of_another_tool_is_named(tmp_path):
    path = as_csv(tmp_path / "p.csv", [RECORDS["hf-text"]] * 3)
    path.write_bytes(path.read_bytes() + b"too short\r\n")
    with pytest.raises(InputError, match=r"p\.csv, line 5: found 1 columns, expected 3 as in the header"):
        read_predictions(path)


def test_ids_may_be_called_otherwise(tmp_path):
    rows = [{"key": "a", "q": 0.25, "y": 0}, {"key": "b", "q": 0.75, "y": 1}, {"key": "b", "q": 0.75, "y": 1}]
    with pytest.warns(UserWarning, match="1 of 3 rows have the id of another: they are one unit"):
        found = read_predictions(as_csv(tmp_path / "p.csv", rows), columns={"id": "key"})
    assert found.unit.names == ("a", "b")
