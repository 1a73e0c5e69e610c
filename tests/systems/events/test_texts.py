"""Texts of documents to read are those of the corpus, whole or by the passages that events are counted in."""

import json

from nlpcalib.systems.events.read.selection import passages
from nlpcalib.systems.text.dated_files import read_dated_file
from reproduction.events.texts import simulated_texts, stored_texts

READER = "nlpcalib.systems.text.dated_files:read_dated_file"


def write(path, texts):
    rows = [{"id": name, "date": "1999-05-01", "text": text} for name, text in texts.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_long_document_comes_in_the_passages_that_are_counted(tmp_path):
    path = write(tmp_path / "news.jsonl", {"a": "Iran spoke.\n\n" * 30, "b": "Iraq spoke.", "c": "Iran spoke."})
    whole = {one.id: one.text for text in read_dated_file(path, 0) for one in passages(text, 20)}
    assert {"a#1", "a#2", "b", "c"} < whole.keys()
    found = dict(stored_texts({"a#2", "b", "d"}, str(path), READER, {}, 0, 20))
    assert found == {name: whole[name] for name in ("a#2", "b")}


def test_simulated_texts_come_from_any_shard(tmp_path):
    shards = [write(tmp_path / "1.jsonl", {"a": "x", "b": "y"}), write(tmp_path / "2.jsonl", {"c": "z"})]
    assert dict(simulated_texts({"b", "c"}, shards)) == {"b": "y", "c": "z"}
