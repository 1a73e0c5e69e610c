"""The sample of the Penn Treebank: words as printed, no traces, one split."""

import io
import zipfile

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.corpora.prepare import prepare
from reproduction.corpora.readers.nltk_treebank import read_nltk_treebank, split_articles

TREES = """
( (S
    (NP-SBJ-1 (NP (NN Trading) ) (-LRB- -LCB-) (CD 1\\/2) (-RRB- -RCB-) )
    (VP (VBD was) (VP (VBN halted) (NP (-NONE- *-1) ) ))
    (. .) ))
( (NP (NNP Macmillan\\/McGraw-Hill) (SYM \\*) ))
"""


def archive_of(path, members):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as inner:
        for name, text in members.items():
            inner.writestr(name, text)
    with zipfile.ZipFile(path, "w") as outer:
        outer.writestr("treebank.zip", packed.getvalue())
    return path


def test_words_are_as_printed_and_traces_are_left_out(tmp_path):
    source = archive_of(
        tmp_path / "a.zip", {"treebank/combined/wsj_0001.mrg": TREES, "treebank/tagged/wsj_0001.pos": ""}
    )
    [article] = read_nltk_treebank(source, "train")
    assert article.id == "wsj_0001"
    first, second = article.sentences
    assert first.words == ("Trading", "{", "1/2", "}", "was", "halted", ".")
    assert first.tags == ("NN", "-LRB-", "CD", "-RRB-", "VBD", "VBN", ".")
    assert second.words == ("Macmillan/McGraw-Hill", "*")
    assert (first.id, second.id) == ("wsj_0001-1", "wsj_0001-2")


def test_every_article_is_in_one_split_whatever_their_order():
    articles = [f"treebank/combined/wsj_{number:04d}.mrg" for number in range(1, 200)]
    splits = {split: split_articles(articles, split) for split in ("train", "dev", "test")}
    assert {split: len(names) for split, names in splits.items()} == {"train": 140, "dev": 20, "test": 39}
    assert sorted(name for names in splits.values() for name in names) == articles
    assert all(split_articles(articles[::-1], split) == names for split, names in splits.items())


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"treebank/README": ""}, "found no member treebank/combined/wsj_"),
        ({"treebank/combined/wsj_0001.mrg": "( (S (NN boat)"}, "wsj_0001.mrg, line 1: found the end of the file"),
        ({"treebank/combined/wsj_0001.mrg": "( (S boat ship))"}, "expected words in brackets after their tag"),
    ],
)
def test_what_is_no_treebank_is_refused(members, message, tmp_path):
    with pytest.raises(InputError, match=message):
        list(read_nltk_treebank(archive_of(tmp_path / "a.zip", members), "train"))


def test_the_sample_has_its_published_size(retrieved, tmp_path):
    outputs = {split: tmp_path / f"{split}.conllu" for split in ("train", "dev", "test")}
    prepare(read_nltk_treebank, retrieved("nltk_treebank"), outputs, needed_tags=["NN"])
    sentences = {
        split: [sentence for document in read_conllu(path) for sentence in document.sentences]
        for split, path in outputs.items()
    }
    assert {split: len(own) for split, own in sentences.items()} == {"train": 2815, "dev": 412, "test": 687}
    assert sum(len(sentence.words) for sentence in sentences["test"]) == 16_112
    tags = {tag for own in sentences.values() for sentence in own for tag in sentence.tags}
    assert len(tags) == 45
