"""Spans that cut words, gold of another text and texts that stand twice are noticed, sound ones are not."""

import json
import warnings

import numpy as np
import pytest
from tests.predictions.tool_records import read_predictions

import nlpcalib as nc
from nlpcalib.errors import InputWarning
from nlpcalib.examination.spans import examine_copies, examine_neighbours, examine_offsets

NAMES = ("Ann Lee", "Bo", "Acme Ltd", "Cardiff", "D. Roe", "the Rt Hon. Kay", "U.S.", "Zoë", "Ó Néill", "R2")


def documents(count, seed):
    """Texts of sentences of random length with names, predictions with their scores, and gold by these scores."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        text, entities, gold = "", [], []
        for _ in range(rng.integers(1, 5)):
            text += "word " * rng.integers(1, 9)
            name = NAMES[rng.integers(len(NAMES))]
            span = {"start": len(text), "end": len(text) + len(name)}
            score = float(rng.beta(3, 1))
            entities.append({"entity_group": "PER", "word": name, "score": score, **span})
            gold += [{"label": "PER", **span}] if rng.random() < score else []
            text += name + " . "
        found.append({"id": f"d{number}", "text": text, "entities": entities, "gold": gold})
    return found


def written(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.parametrize("seed", range(12))
def test_sound_documents_have_no_sign(seed, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        read_predictions(written(tmp_path / "sound.jsonl", documents(120, seed)))


@pytest.mark.filterwarnings("ignore:.*others are expected. are they missing")
@pytest.mark.parametrize("part", [1, 2, 5])
@pytest.mark.parametrize("shift", [1, -1, 2])
def test_displaced_gold_is_noticed_in_a_part_of_the_documents(part, shift, tmp_path):
    rows = documents(120, 1)
    for row in rows[::part]:
        moved = [{**each, "start": each["start"] + shift, "end": each["end"] + shift} for each in row["gold"]]
        row["gold"] = [each for each in moved if each["start"] >= 0]
    with pytest.warns(InputWarning, match=f"every span in gold cuts words, and .?{abs(shift)} to its start and end"):
        read_predictions(written(tmp_path / "moved.jsonl", rows))


@pytest.mark.filterwarnings("ignore:.*are rows in another order")
@pytest.mark.parametrize("places", [1, -1, 2])
def test_gold_of_another_document_is_noticed(places, tmp_path):
    rows = documents(200, 2)
    golds = [row["gold"] for row in rows]
    for number, row in enumerate(rows):
        row["gold"] = golds[(number - places) % len(rows)]
    for row in rows:
        del row["text"]
    where = f"{abs(places)} {'after' if places > 0 else 'before'}"
    with pytest.warns(InputWarning, match=f"by that of the text {where}: did gold slip"):
        read_predictions(written(tmp_path / "slipped.jsonl", rows))


@pytest.mark.filterwarnings("ignore:.* again. pasted twice")
def test_texts_and_scores_that_stand_twice_are_noticed(tmp_path):
    rows = documents(120, 3)
    with pytest.warns(InputWarning, match="40 of 160 texts stand twice, with their id"):
        read_predictions(written(tmp_path / "twice.jsonl", rows + rows[:40]))
    rng = np.random.default_rng(4)
    scores = [{"id": f"d{n // 3}", "logits": rng.normal(size=(8, 3)).tolist()} for n in range(120)]
    head = [{"labels": ["O", "B-PER", "I-PER"]}]
    with pytest.warns(InputWarning, match="40 of 160 sentences stand twice"):
        nc.find_spans(written(tmp_path / "scores.jsonl", head + scores + scores[:40]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputWarning)
        nc.find_spans(written(tmp_path / "sound.jsonl", head + scores))


def test_subwords_languages_without_blanks_and_repeated_phrases_are_sound():
    subwords = [[(0, 4), (4, 7)]] * 50
    assert not examine_offsets(["walking"] * 50, subwords, "entities")
    assert not examine_offsets(["\u6771\u4eac\u90fd\u306b\u4f4f\u3080"] * 50, [[(1, 3)]] * 50, "gold")
    alike = [{(0, 3, "PER")}] * 300
    assert not examine_neighbours(alike, alike, "gold")
    assert not examine_copies([("a", "Judgment .")] * 9 + [("b", n) for n in range(100)], "texts")
