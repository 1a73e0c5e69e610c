"""Records of other tools without labels: a map reads them, files of labels join them, and each row can be traced."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import nlpcalib as nc
from nlpcalib.errors import InputError, InputWarning
from nlpcalib.predictions.formats.known_formats import FORMATS
from nlpcalib.predictions.formats.registry import record_format

FIXTURES = Path(__file__).parent / "fixtures"
RECORDS = sorted(each for each in FIXTURES.iterdir() if each.suffix in (".jsonl", ".conllu"))


def lines(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def records(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_labels(path, folder):
    form = record_format(path, None, {})
    if form == "conllu":
        bare = folder / path.name
        bare.write_text("".join(path.read_text("utf-8").replace("|Gold=", "|Old=")), encoding="utf-8")
        return form, bare
    key = FORMATS[form].keys["y"]
    kept = [{name: value for name, value in record.items() if name != key} for record in records(path)]
    return form, lines(folder / path.name, kept)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_the_predictions_of_every_format_are_the_same_without_labels(path, tmp_path):
    form, bare = without_labels(path, tmp_path)
    assert record_format(bare, None, {}) == form
    found, expected = nc.read(bare), nc.read(path)
    if found.classes and not expected.classes:
        return  # labels that may hold together: only the labels of a text show it
    np.testing.assert_array_equal(found.q, expected.q)
    assert [unit.texts() for unit in found.units] == [unit.texts() for unit in expected.units]
    assert (found.predicted and found.predicted.texts()) == (expected.predicted and expected.predicted.texts())
    assert found.classes == expected.classes
    assert not found.labelled.size


@pytest.fixture
def adverts(tmp_path):
    """Scores of three labels that may hold together, with gold, and doccano's export of the same labels, shuffled."""
    rng = np.random.default_rng(7)
    q = rng.random((120, 3)).round(4)
    names = np.array(["remote", "senior", "visa"])
    held = rng.random((120, 3)) < q**2
    texts = [
        {"id": f"ad-{row}", "scores": [{"label": n, "score": s} for n, s in zip(names.tolist(), scores, strict=True)]}
        for row, scores in enumerate(q.tolist())
    ]
    gold = [names[row].tolist() for row in held]
    lines(tmp_path / "gold.jsonl", [text | {"gold": right} for text, right in zip(texts, gold, strict=True)])
    lines(tmp_path / "bare.jsonl", texts)
    order = rng.permutation(120)
    lines(tmp_path / "doccano.jsonl", [{"id": f"ad-{row}", "label": gold[row]} for row in order.tolist()])
    return tmp_path


def test_labels_in_a_file_give_what_gold_in_the_lines_gives(adverts):
    expected = nc.calibrate(adverts / "gold.jsonl")
    with pytest.warns(InputWarning, match=r"\d+ records labelled by an empty list: no label holds$"):
        found = nc.calibrate(nc.read(adverts / "bare.jsonl", adverts / "doccano.jsonl"))
    assert (found.n, found.error, found.interval) == (expected.n, expected.error, expected.interval)
    part = lines(adverts / "part.jsonl", records(adverts / "doccano.jsonl")[:60])
    with pytest.warns(InputWarning, match="no label holds"):
        assert nc.calibrate(nc.read(adverts / "bare.jsonl", part)).n == 180
    other = lines(adverts / "other.jsonl", [{"id": "ad-1", "label": ["Farbe"]}])
    with pytest.raises(InputError, match="found the labels Farbe, expected some of remote, senior, visa"):
        nc.calibrate(nc.read(adverts / "bare.jsonl", other))


def test_a_map_of_json_lines_is_applied_to_lines_without_labels(adverts):
    report = nc.recalibrate(adverts / "gold.jsonl")
    report.save(adverts / "fitted")
    applied = nc.apply_map(adverts / "bare.jsonl", adverts / "fitted/map.json")
    pairs = nc.read(adverts / "gold.jsonl").pairs()
    np.testing.assert_array_equal(applied.q, report.map(pairs.q, pairs.predicted.texts()))
    assert applied.seen
    applied.save(adverts / "new")
    table = pq.read_table(adverts / "new/recalibrated.parquet")
    assert table.column_names == ["q", "predicted", "unit"]
    assert table["unit"].to_pylist() == pairs.unit.texts()


@pytest.mark.parametrize("path", [path for path in RECORDS if path.suffix == ".jsonl"], ids=lambda path: path.name)
def test_calibrate_and_look_name_the_missing_labels_and_what_to_add(path, tmp_path):
    form, bare = without_labels(path, tmp_path)
    key = FORMATS[form].keys["y"]
    with pytest.raises(InputError, match=f"in the format {form} without '{key}'; expected \"{key}\" in each line: "):
        nc.calibrate(bare)
    found = nc.look(bare)
    assert found.commands[-1] == ("recalibrate", str(bare), "--map", "map.json", "--out", "new")
    assert (("calibrate", str(bare), "LABELS") in found.commands) == FORMATS[form].joined
    assert f'"{key}"' in found.sentences[-1]


def test_a_repaired_probability_of_an_entity_can_be_traced(tmp_path):
    rng = np.random.default_rng(2)
    texts = []
    for row in range(80):
        entity = {"entity_group": "PER", "score": float(rng.random()), "start": row, "end": row + 3, "word": f"w{row}"}
        gold = [{"start": row, "end": row + 3, "label": "PER"}] if rng.random() < entity["score"] else []
        texts.append({"id": f"t{row}", "document": f"d{row // 2}", "entities": [entity], "gold": gold})
    nc.recalibrate(lines(tmp_path / "gold.jsonl", texts)).save(tmp_path / "fitted")
    bare = [{key: value for key, value in text.items() if key != "gold"} for text in texts]
    nc.apply_map(lines(tmp_path / "bare.jsonl", bare), tmp_path / "fitted/map.json").save(tmp_path / "new")
    for folder in ("fitted", "new"):
        rows = pq.read_table(tmp_path / folder / "recalibrated.parquet").to_pylist()
        for row, text in zip(rows, texts, strict=True):
            entity = text["entities"][0]
            assert (row["unit"], row["record"]) == (text["document"], text["id"])
            assert (row["start"], row["end"], row["word"]) == (entity["start"], entity["end"], entity["word"])
    assert nc.calibrate(tmp_path / "fitted/recalibrated.parquet").n == 80


def test_the_printed_program_writes_lines_of_what_a_pipeline_returns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found = records(FIXTURES / "hf_tokens_simple.jsonl")
    Path("raw.json").write_text(json.dumps([each["entities"] for each in found]), encoding="utf-8")
    with pytest.raises(InputError, match="what a pipeline returns") as refused:
        nc.calibrate(Path("raw.json"))
    program = re.search('python -c "(.*)" prints', str(refused.value))[1]
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    Path("lines.jsonl").write_text(printed, encoding="utf-8")
    assert nc.read("lines.jsonl").q.tolist() == nc.read(FIXTURES / "hf_tokens_simple.jsonl").q.tolist()


@pytest.mark.filterwarnings("ignore:.*all 100 labels are 1")
@pytest.mark.parametrize("begin", ["-DOCSTART- -X- -X- O\n\n", ""])
def test_lines_of_tokens_without_a_header_are_shown_one_that_reads_them(begin, tmp_path):
    rows = "".join(f"w{row % 7}\tO\tO\t0.{row % 80 + 10}\n" + "\n" * (row % 5 == 0) for row in range(100))
    path = tmp_path / "tagged.conll"
    path.write_text(begin + rows, encoding="utf-8")
    with pytest.raises(InputError, match=r"names of (?:the|their) columns") as refused:
        nc.calibrate(path)
    header = re.search("such as (token gold pred q)", str(refused.value))[1]
    path.write_text(header.replace(" ", "\t") + "\n" + rows, encoding="utf-8")
    assert nc.calibrate(nc.read(path, y="gold", predicted="pred")).n == 100


def test_spans_names_the_command_that_reads_entities():
    with pytest.raises(InputError, match="in the format hf-tokens, which nlpcalib calibrate reads"):
        nc.find_spans(FIXTURES / "hf_tokens_simple.jsonl")
