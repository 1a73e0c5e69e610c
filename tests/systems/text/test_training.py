"""A parser learns, is the same to the bit when trained again, and is stored whole or not at all."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from newsroom.reports import Newsroom
from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import write_conllu
from nlpcalib.systems.text.document import Document
from nlpcalib.systems.text.parsing import Parser, load_parser
from nlpcalib.systems.text.parsing.model import load_pipeline
from reproduction.corpora.annotated import in_genres
from reproduction.parsing.evaluation import evaluate_parser
from reproduction.parsing.training import ParserSettings, _schedule, save_model, train
from reproduction.parsing.treebanks import with_current_relations

SETTINGS = ParserSettings(
    epochs=10,
    sizes={"width": 32, "depth": 2, "rows": [300, 100, 300, 100], "hidden_width": 32},
    dropout=0,
    batch=800,
    learning_rate=0.03,
)
TRAIN_AGAIN = """
import json, sys
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.parsing.training import ParserSettings, save_model, train

save_model(sys.argv[2], train(list(read_conllu(sys.argv[1])), ParserSettings(**json.loads(sys.argv[3]))))
"""


def reports(start, stop):
    return [report.document for report in Newsroom(seed=1).reports(start, stop)]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "parser.zip"
    save_model(path, train(reports(0, 20), SETTINGS))
    return path


def test_a_second_training_is_equal_to_the_bit(path, tmp_path):
    """In another process, with other hash values of strings and another number of threads."""
    write_conllu(tmp_path / "train.conllu", reports(0, 20))
    settings = json.dumps(asdict(SETTINGS))
    command = [sys.executable, "-c", TRAIN_AGAIN, tmp_path / "train.conllu", tmp_path / "again.zip", settings]
    others = {"PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    subprocess.run(command, check=True, env=os.environ | others)
    assert (tmp_path / "again.zip").read_bytes() == path.read_bytes()


def test_what_was_learnt_holds_for_other_reports(path):
    rows = evaluate_parser(load_parser(path), reports(20, 24), [])
    given = next(row for row in rows if (row["genre"], row["reading"]) == ("all", "given"))
    assert given["words"] == given["sentences"] == 1
    assert given["tags"] > 0.7
    assert given["lemmas"] > 0.8
    assert given["las"] > 0.3


def test_weights_are_of_half_precision_so_that_files_are_small(path):
    tables = [
        node.get_param("E") for node in load_pipeline(path).get_pipe("tok2vec").model.walk() if node.has_param("E")
    ]
    assert len(tables) == 4
    for table in tables:
        assert (table == table.astype("float16")).all()


def test_words_of_the_training_set_are_not_in_the_file(path):
    names = {word for document in reports(0, 20) for sentence in document.sentences for word in sentence.words}
    strings = set(load_pipeline(path).vocab.strings)
    assert len(names & strings) < 0.2 * len(names)


def test_a_file_is_whole_or_not_there(path, tmp_path, monkeypatch):
    nlp = load_pipeline(path)
    monkeypatch.setattr(type(nlp), "to_disk", lambda self, folder: (Path(folder) / "half").touch() or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_model(tmp_path / "new.zip", nlp)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("column", ["tags", "lemmas", "heads"])
def test_sentences_that_lack_something_are_refused_by_name(column):
    [document] = reports(0, 1)
    bare = replace(document.sentences[1], **{column: ()})
    document = replace(document, sentences=(document.sentences[0], bare))
    with pytest.raises(InputError, match=rf"sentence '{bare.id}': expected tags, lemmas and a tree"):
        train([document], SETTINGS)


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no archive"])
def test_what_is_no_model_is_refused_by_name(content, tmp_path):
    (tmp_path / "model.zip").write_bytes(content)
    with pytest.raises(InputError, match=r"model .*model\.zip: .*; expected a \.zip of this library"):
        load_parser(tmp_path / "model.zip")


def test_a_name_that_spacy_does_not_know_is_refused():
    with pytest.raises(InputError, match=r"model no_such_model: .* expected a \.zip of this library, or a folder"):
        load_parser("no_such_model")


def test_a_pipeline_without_parser_is_refused():
    import spacy

    with pytest.raises(InputError, match="model blank: found nothing, expected tagger and parser"):
        Parser(spacy.blank("en"), "blank")


def test_relations_of_older_releases_get_todays_names():
    [document] = reports(0, 1)
    relations = {name for sentence in document.sentences for name in sentence.relations}
    today = {name for sentence in with_current_relations(document).sentences for name in sentence.relations}
    assert "obl:tmod" in relations
    assert today == relations - {"obl:npmod", "obl:tmod"} | {"obl:unmarked"}


def test_genres_choose_documents_and_none_chooses_all():
    document = Document("a", (), metadata={"genre": "news"})
    assert in_genres(document, ["news", "bio"])
    assert in_genres(document, [])
    assert not in_genres(document, ["bio"])
    assert not in_genres(Document("b", ()), ["bio"])


@pytest.mark.parametrize(("progress", "rate"), [(0.0, 0.02), (0.01, 0.52), (0.02, 1.0), (0.51, 0.5), (1.0, 0.0)])
def test_the_rate_of_learning_rises_over_the_first_fiftieth_and_then_falls_to_nothing(progress, rate):
    assert _schedule(progress) == pytest.approx(rate)
