"""A JSON array of objects, as pandas and web APIs write it, is read as its JSON lines are, by every reader."""

import gzip
import io
import json
import random
import tracemalloc

import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError
from nlpcalib.io.json_array import array_lines
from nlpcalib.sampling.exports import read_entries
from nlpcalib.tables.records import table_records
from nlpcalib.tables.table import Table

RANDOM = random.Random(3)
ROWS = [
    {"q": round(q, 4), "y": int(RANDOM.random() < q), "text": f'a “[{{" café {row}\n\\', "note": None}
    for row, q in enumerate(RANDOM.random() for _ in range(300))
]
WRITTEN = {
    "one line": json.dumps(ROWS).encode(),
    "indented": json.dumps(ROWS, indent=2, ensure_ascii=False).encode(),
    "byte order mark": json.dumps(ROWS, indent=1).encode("utf-8-sig"),
    "UTF-16": json.dumps(ROWS, ensure_ascii=False).encode("utf-16"),
    "gzip": gzip.compress(json.dumps(ROWS).encode()),
    "a row per line": ("[\n" + ",\r\n".join(map(json.dumps, ROWS)) + "\n]\n").encode(),
}


def refused(path):
    with pytest.raises(InputError) as error:
        nc.calibrate(path)
    return str(error.value).removeprefix(f"{path}, ")


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("ending", ["json", "txt"])
def test_an_array_has_the_rows_of_its_lines(tmp_path, written, ending):
    path, lines = tmp_path / f"t.{ending}", tmp_path / "t.jsonl"
    path.write_bytes(written)
    lines.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    assert Table(path).whole() == Table(lines).whole()
    assert [row.read() for row in table_records(path)] == ROWS
    assert str(nc.calibrate(path)) == str(nc.calibrate(lines)).replace(str(lines), str(path))


@pytest.mark.parametrize("size", [1, 7, 1 << 20])
def test_objects_are_found_however_the_file_arrives(size):
    data = json.dumps(ROWS, indent=1).encode()
    parts = (data[at : at + size] for at in range(0, len(data), size))
    assert [json.loads(line) for line in array_lines(parts, "t")] == ROWS


def test_other_tools_and_documents_come_in_arrays_too(tmp_path):
    exported = [{"id": n, "data": {"id": f"d{n}"}, "annotations": []} for n in range(3)]
    (tmp_path / "e.json").write_text(json.dumps(exported, indent=2))
    assert read_entries(tmp_path / "e.json") == []
    scores = [{"scores": [{"label": "a", "score": 0.6}, {"label": "b", "score": 0.4}], "gold": "a"}] * 30
    (tmp_path / "s.json").write_text(json.dumps(scores))
    assert nc.calibrate(tmp_path / "s.json").n == 30


def test_memory_is_that_of_one_object_rather_than_of_the_file():
    def parts():
        yield b"["
        for number in range(40_000):
            yield b'%s{"q": 0.25, "text": "%s"}' % (b"," * (number > 0), b"x" * 400)
        yield b"]"

    tracemalloc.start()
    try:
        assert sum(1 for _ in array_lines(parts(), "t")) == 40_000
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


CUT = '[{"q": 0.25, "y": true, "t": "café \\u00e9 \\"x\\""},\n {"q": 1e-3, "n": [null, {"a": -2.5}]}]'.encode()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"q": 0.1, "y": 1},\n {"q": -2, "y": 0}]', "record 2: found prediction -2"),
        ('[{"q": 0.1, "y": 1},\n {"q": 0.2, ', "record 2 (line 2): found the end of the file"),
        ('[{"q": 0.1, "y": 1},\n {"q": "0.', "record 2 (line 2): found the end of the file"),
        ('[{"q": 0.1, "y": 1}\n', "line 2: found the end of the file after record 1, expected , or ]: is the file cut"),
        ('[{"q": 0.1, "y": 1}]\n[{"q": 0.1, "y": 1}]', "line 2: found '[' after the array"),
        ('[{"q": 0.1, "y": 1} {"q": 0.1, "y": 1}]', "line 1: found '{' after record 1"),
        ('[{"q": 0.1, "y": 1},]', "record 2 (line 1): found no JSON"),
        ('[{"q": 0.1, "y": 1}, 3]', "record 2: found 3, expected one JSON object"),
        ('[{"q": 0.1, "q": 0.2, "y": 1}]', "record 1: found the key 'q' twice"),
        ("[" + '{"a":' * 100_000, "record 1 (line 1): found brackets nested too deeply"),
    ],
)
def test_a_broken_array_is_refused_with_record_or_line(tmp_path, text, message):
    (tmp_path / "t.json").write_text(text)
    assert refused(tmp_path / "t.json").startswith(message)


@pytest.mark.parametrize("end", range(1, len(CUT)))
def test_an_array_that_ends_anywhere_is_called_cut(end):
    with pytest.raises(InputError, match=r"found the end of the file.*: is the file cut short\?"):
        list(array_lines([CUT[:end]], "t"))


def test_what_is_wrong_before_the_end_is_not_called_cut():
    for text in (rb'[{"q": nope}]', rb'[{"q": 0.}]', rb'[{"q": "\u00z"}]', rb'[{"q": 0.1,,}', rb'[{"q": 1]'):
        with pytest.raises(InputError, match="found no JSON"):
            list(array_lines([text], "t"))


@pytest.mark.parametrize("blank", ["\f", "\v", "\u00a0"])
def test_what_json_does_not_call_blank_begins_no_array(tmp_path, blank):
    (tmp_path / "t.json").write_text(blank + json.dumps(ROWS))
    assert refused(tmp_path / "t.json")


def test_an_array_without_objects_has_no_rows(tmp_path):
    (tmp_path / "t.json").write_text(" [ ] ")
    with pytest.raises(InputError, match=r"found no rows"):
        nc.calibrate(tmp_path / "t.json")


def test_a_byte_that_is_not_utf8_spoils_its_own_record(tmp_path):
    path = tmp_path / "t.json"
    path.write_bytes(b'[{"text": "a"}, {"text": "\xff"}, {"text": "c"}]')
    first, second, third = table_records(path)
    assert (first.read(), third.read()) == ({"text": "a"}, {"text": "c"})
    with pytest.raises(ValueError, match="not UTF-8"):
        second.read()


COLUMNS = {"q": {"0": 0.1, "1": 0.2}, "y": {"0": 0, "1": 1}}
OTHER_LAYOUTS = {
    "columns": COLUMNS,
    "index": {"0": {"q": 0.1, "y": 0}, "1": {"q": 0.2, "y": 1}},
    "split": {"columns": ["q", "y"], "index": [0, 1], "data": [[0.1, 0], [0.2, 1]]},
    "table": {"schema": {"fields": []}, "data": [{"q": 0.1, "y": 0}]},
}


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("layout", OTHER_LAYOUTS.values(), ids=OTHER_LAYOUTS)
def test_other_layouts_of_pandas_are_refused_with_the_one_that_is_read(tmp_path, layout, indent):
    (tmp_path / "t.json").write_text(json.dumps(layout, indent=indent))
    assert refused(tmp_path / "t.json").endswith("expected a list of rows: in pandas, to_json(…, orient='records')")


@pytest.mark.parametrize("indent", [None, 1])
def test_the_list_inside_of_an_object_is_named(tmp_path, indent):
    (tmp_path / "t.json").write_text(json.dumps({"count": 2, "results": ROWS[:2]}, indent=indent))
    assert "expected its list 'results' of 2 objects, which jq '.[\"results\"]' writes" in refused(tmp_path / "t.json")


def test_objects_of_classes_called_like_rows_are_lines(tmp_path):
    rows = [{"probabilities": {"0": 0.3, "1": 0.7}, "gold": 1} for _ in range(30)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert nc.calibrate(tmp_path / "t.jsonl").n == 30


def test_a_stream_is_read_again_from_its_beginning(tmp_path):
    from nlpcalib.tables.sources import unpacked

    (tmp_path / "t.json").write_bytes(WRITTEN["indented"])
    with unpacked(tmp_path / "t.json", "t.json") as stream:
        whole = stream.read()
        stream.seek(0)
        assert stream.read() == whole
    assert [json.loads(line) for line in io.BytesIO(whole)] == ROWS
