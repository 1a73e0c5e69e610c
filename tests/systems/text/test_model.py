"""The model in the package is the one that its card describes, and does as well as the card says."""

import errno
import json
import re
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import read_conllu
from nlpcalib.systems.text.parsing import load_parser
from nlpcalib.systems.text.parsing.model import PACKAGED_PARSER
from reproduction.parsing.card import CARD_FORMAT, sha256, write_card
from reproduction.parsing.evaluation import evaluate_parser

TREEBANK = Path(__file__).parents[3] / "results/corpora/ontogum/test.conllu"


@pytest.fixture(scope="module")
def card():
    return json.loads(PACKAGED_PARSER.with_name("card.json").read_text(encoding="utf-8"))


def test_the_card_is_that_of_the_model_in_the_package(card):
    assert card["format"] == CARD_FORMAT
    assert card["model"] == PACKAGED_PARSER.name
    assert card["sha256"] == sha256(PACKAGED_PARSER)


def test_the_card_names_corpora_with_licences_and_genres_that_may_be_used_freely(card):
    corpora = {source["dataset"]: source for source in card["trained_on"]}
    assert corpora["ewt"]["licence"].startswith("CC BY-SA")
    assert all(source["citation"] and source["url"] for source in corpora.values())
    assert not {"essay", "fiction", "letter", "podcast", "whow"} & set(corpora["ontogum"]["genres"])


def test_the_model_is_small_and_holds_data_alone():
    assert PACKAGED_PARSER.stat().st_size < 5_000_000
    with zipfile.ZipFile(PACKAGED_PARSER) as archive:
        assert {"config.cfg", "meta.json", "tokenizer"} <= set(archive.namelist())
        # Pickles begin with the opcode PROTO and end with STOP.
        assert not [name for name in archive.namelist() if archive.read(name)[:1] == b"\x80" and name.endswith("pkl")]


def test_scores_on_the_card_say_what_a_user_may_expect(card):
    scores = {(row["dataset"], row["genre"], row["reading"]): row for row in card["scores"]}
    assert {dataset for dataset, _, _ in scores} == {"ewt", "ontogum"}
    for dataset in ("ewt", "ontogum"):
        given, text = scores[dataset, "all", "given"], scores[dataset, "all", "text"]
        assert given["words"] == given["sentences"] == 1
        assert text["las"] < given["las"] < given["uas"] < given["tags"]


@pytest.mark.slow
@pytest.mark.parametrize("genre", ["news", "fiction"])
def test_scores_on_the_card_come_out_again(card, genre):
    if not TREEBANK.exists():
        pytest.skip("the open corpora have not been prepared")
    documents = [document for document in read_conllu(TREEBANK) if document.metadata["genre"] == genre]
    told = [row for row in card["scores"] if (row["dataset"], row["genre"]) == ("ontogum", genre)]
    found = [row for row in evaluate_parser(load_parser(), documents, []) if row["genre"] == genre]
    assert len(told) == len(found) == 2
    for one, other in zip(told, found, strict=True):
        assert other == pytest.approx({key: one[key] for key in other}, abs=0.002)


@pytest.fixture
def registry(tmp_path):
    path = tmp_path / "corpora.csv"
    row = f"treebank,v1,https://example.org/,{'0' * 64},CC0,Nobody 2000."
    path.write_text(f"corpus,version,url,sha256,licence,citation\n{row}\n", encoding="utf-8")
    return path


def test_a_card_says_where_each_dataset_came_from(registry, tmp_path):
    (tmp_path / "m.zip").write_bytes(b"model")
    corpora, genres = {"ours": "treebank", "simulated": None}, {"ours": ["news"], "simulated": []}
    write_card(tmp_path / "card.json", tmp_path / "m.zip", registry, corpora, genres, {"seed": 3}, 0.7, [{"las": 0.5}])
    card = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    assert card["trained_on"][0] == {
        "dataset": "ours",
        "corpus": "treebank",
        "version": "v1",
        "url": "https://example.org/",
        "licence": "CC0",
        "citation": "Nobody 2000.",
        "genres": ["news"],
    }
    assert card["trained_on"][1] == {"dataset": "simulated", "corpus": None, "genres": []}
    assert card["sha256"] == "9372c470eeadd5ecd9c3c74c2b3cb633f8e2f2fad799250a0f70d652b6b825e4"
    assert (card["training"], card["scores"]) == ({"seed": 3}, [{"las": 0.5}])


def test_a_model_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("nlpcalib.systems.text.parsing.model._MAX_PIPELINE_BYTES", 100)
    with zipfile.ZipFile(tmp_path / "m.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("config.cfg", bytes(1000))
    with pytest.raises(InputError, match=r"m\.zip: found 1000 bytes in it, expected at most 100"):
        load_parser(tmp_path / "m.zip")


def test_a_model_with_damaged_files_is_refused(tmp_path):
    with zipfile.ZipFile(PACKAGED_PARSER) as whole, zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        for name in whole.namelist():
            archive.writestr(name, b"\xc1" if name == "tagger/model" else whole.read(name))
    with pytest.raises(InputError, match=r"m\.zip"):
        load_parser(tmp_path / "m.zip")


def test_a_full_folder_for_temporary_files_is_named_and_not_the_model(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def full(self, folder):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(zipfile.ZipFile, "extractall", full)
    expected = (
        rf"^{re.escape(str(tmp_path))}: found no space for temporary files .*set TMPDIR to a folder on another disk$"
    )
    with pytest.raises(InputError, match=expected):
        load_parser(PACKAGED_PARSER)
    assert list(tmp_path.iterdir()) == []


def test_the_packaged_parser_is_loaded_once_and_in_each_thread_its_own():
    """Two threads may not use spaCy's memory zones of one pipeline at a time."""
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(load_parser).result()
    assert load_parser() is load_parser() is not other
    texts = [("a", "Ana met Leila in Oslo. She saw her dog.")]
    assert list(load_parser().parse_texts(texts)) == list(other.parse_texts(texts))
