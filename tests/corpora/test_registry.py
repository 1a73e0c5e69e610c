import gzip
import hashlib
import http.server
import io
import lzma
import tarfile
import threading
import zipfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from nlpcalib.errors import InputError
from nlpcalib.systems.text.conllu import read_conllu
from reproduction.corpora.formats import FORMATS, load_reader
from reproduction.corpora.ontonotes import iter_split
from reproduction.corpora.prepare import prepare
from reproduction.corpora.readers.ontogum import read_ontogum, read_splits
from reproduction.corpora.readers.split_files import read_conllu_split
from reproduction.corpora.retrieval.archives import open_member, read_archive, retrieve
from reproduction.corpora.retrieval.registry import Source, load_manifest, load_registry

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parents[1] / "data" / "corpora"
HEADER = "corpus,version,url,sha256,licence,citation\n"
FILES = {"a/first file.txt": b"first\n" * 50, "b.txt": b"second\n", "empty": b""}
NOWHERE = "http://127.0.0.1:9/"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def archived(kind: str, files: dict[str, bytes]) -> bytes:
    """An archive whose members have other names and another order than the manifest's."""
    stream = io.BytesIO()
    items = [(f"../../x/{number}", data) for number, data in enumerate(reversed(files.values()))]
    if kind == "zip":
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in items:
                archive.writestr(name, data)
    else:
        with tarfile.open(fileobj=stream, mode=f"w:{kind.removeprefix('tar.')}") as archive:
            for name, data in items:
                archive.addfile(tar_member(name, len(data)), io.BytesIO(data))
    return stream.getvalue()


def tar_member(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE, target: str = "") -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.type, member.linkname = size, kind, target
    return member


@dataclass
class Corpus:
    """A registry of one corpus called `c`, its manifest and its mirror, in a folder."""

    folder: Path
    url: str = NOWHERE
    files: dict[str, bytes] = field(default_factory=lambda: dict(FILES))

    def __post_init__(self):
        self.mirror = self.folder / "mirror"
        self.output = self.folder / "out" / "c.zip"
        (self.mirror / "c").mkdir(parents=True)
        self.output.parent.mkdir()
        manifest = "".join(f"{sha256(data)}  {path}\n" for path, data in sorted(self.files.items()))
        (self.folder / "c.sha256").write_text(manifest)
        row = f"c,1,{self.url},{sha256(manifest.encode())},CC0,Someone 2001\n"
        (self.folder / "corpora.csv").write_text(HEADER + row)

    def mirrored(self, name: str, data: bytes) -> "Corpus":
        path = self.mirror / "c" / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(data)
        return self

    def retrieve(self, **options):
        options = {"mirror": self.mirror, "backoff_seconds": 0} | options
        retrieve(
            "c", registry=self.folder / "corpora.csv", manifest=self.folder / "c.sha256", output=self.output, **options
        )

    def assert_retrieved(self):
        with zipfile.ZipFile(self.output) as archive:
            assert archive.namelist() == sorted(self.files)
            assert {name: archive.read(name) for name in archive.namelist()} == self.files
        assert [path.name for path in self.output.parent.iterdir()] == ["c.zip"]

    def assert_refused(self, match: str, **options):
        with pytest.raises(InputError, match=match):
            self.retrieve(**options)
        assert list(self.output.parent.iterdir()) == []


@pytest.fixture
def corpus(tmp_path):
    return Corpus(tmp_path)


@pytest.fixture
def server(monkeypatch):
    """A web server on this machine; `server.answers` has (status, headers, body) in turn for each path."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.server.requested[self.path] += 1
            answers = self.server.answers.get(self.path, [(404, {}, b"")])
            status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        web.answers, web.requested = {}, Counter()
        web.url = f"http://127.0.0.1:{web.server_port}/base/"
        thread = threading.Thread(target=web.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield web
        web.shutdown()
        thread.join()


def serve(server, files: dict[str, bytes]):
    for path, data in files.items():
        server.answers["/base/" + path.replace(" ", "%20")] = [(200, {"Content-Length": str(len(data))}, data)]


def test_the_registry_is_whole_and_its_manifests_are_the_ones_it_pins():
    sources = load_registry(ROOT / "workflow/corpora.csv")
    sizes = {
        name: len(load_manifest(ROOT / f"workflow/manifests/{name}.sha256", sources[name].sha256)) for name in sources
    }
    assert sizes["ud_ewt_r2.14"] == 3
    assert sizes["ontogum_v11.1"] == 237 + 1
    assert sizes["ark_tweets"] == 9
    assert sizes["litbank"] == 100
    manifests = {path.name for path in (ROOT / "workflow/manifests").iterdir()}
    assert manifests == {f"{name}.sha256" for name in sources}


def test_a_row_of_the_registry(corpus):
    [source] = load_registry(corpus.folder / "corpora.csv").values()
    assert source == Source("c", "1", NOWHERE, source.sha256, "CC0", "Someone 2001")


GOOD = f"c,1,https://x.org/y/,{'0' * 64},CC0,Someone\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: found columns , expected corpus,version"),
        ("corpus,url\n", "line 1: found columns corpus,url, expected corpus,version"),
        (HEADER + "c,1\n", "line 2: found 2 columns, expected 6"),
        (HEADER + GOOD.replace("CC0", ""), "line 2: found '' as licence"),
        (HEADER + GOOD.replace("CC0", " CC0"), "line 2: found ' CC0' as licence"),
        (HEADER + GOOD.replace("c,1", "../c,1"), "line 2: found corpus '../c'"),
        (HEADER + GOOD.replace("0" * 64, "0" * 63), "line 2: found sha256"),
        (HEADER + GOOD.replace("0" * 64, "A" * 64), "line 2: found sha256"),
        (HEADER + GOOD.replace("https", "ftp"), "line 2: found url 'ftp://x.org/y/', expected http"),
        (HEADER + GOOD.replace("https", "file"), "line 2: found url 'file:"),
        (HEADER + GOOD.replace("y/", "y"), "line 2: found url 'https://x.org/y', expected"),
        (HEADER + GOOD.replace("y/", "?y/"), "line 2: found url"),
        (HEADER + GOOD + GOOD, "line 3: found corpus c again"),
        (HEADER + GOOD.replace("CC0", '"CC0'), "line 2: "),
    ],
)
def test_a_wrong_registry_is_refused(tmp_path, text, message):
    path = tmp_path / "corpora.csv"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        load_registry(path)
    assert str(error.value).startswith(f"{path}, {message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: found ''"),
        (f"{'0' * 64} a\n", "line 1: found"),
        (f"{'0' * 63}g  a\n", "line 1: found"),
        (f"{'0' * 64}  b\n{'0' * 64}  a\n", "line 2: found path a after b"),
        (f"{'0' * 64}  b\n{'0' * 64}  b\n", "line 2: found path b again"),
        *(
            (f"{'0' * 64}  {path}\n", "line 1: found path ")
            for path in ("../x", "/x", "a/../x", "a//x", "./x", "a/", "C:x", "a\\x", "a\tb", "a\r")
        ),
    ],
)
def test_a_wrong_manifest_is_refused(tmp_path, text, message):
    path = tmp_path / "c.sha256"
    path.write_bytes(text.encode())
    with pytest.raises(InputError) as error:
        load_manifest(path, sha256(text.encode()))
    assert str(error.value).startswith(f"{path}, {message}")


def test_a_manifest_that_the_registry_does_not_pin_is_refused(corpus):
    with (corpus.folder / "c.sha256").open("a") as stream:
        stream.write(f"{'0' * 64}  z\n")
    corpus.assert_refused("of the manifest, expected .* as in the registry")


def test_an_unknown_corpus_is_refused(corpus):
    with pytest.raises(InputError, match="found no corpus 'd'"):
        retrieve("d", registry=corpus.folder / "corpora.csv", manifest=corpus.folder / "x", output=corpus.output)


@pytest.mark.parametrize("kind", ["plain", "xz", "tar.xz", "tar.gz", "zip"])
def test_the_mirror_is_searched_by_content_whatever_the_packing(corpus, kind):
    if kind == "plain":
        for number, data in enumerate(FILES.values()):
            corpus.mirrored(f"deep/er/{number}", data)
    elif kind == "xz":
        for number, data in enumerate(FILES.values()):
            corpus.mirrored(f"{number}.xz", lzma.compress(data))
    else:
        corpus.mirrored(f"all.{kind}", archived(kind, FILES))
    corpus.retrieve()
    corpus.assert_retrieved()
    assert {path.name for path in corpus.folder.iterdir()} == {"mirror", "out", "c.sha256", "corpora.csv"}


def test_the_archive_is_the_same_bit_by_bit_wherever_the_files_came_from(tmp_path):
    results = set()
    for kind in ("tar.xz", "zip"):
        (tmp_path / kind).mkdir()
        corpus = Corpus(tmp_path / kind).mirrored(f"all.{kind}", archived(kind, FILES))
        corpus.retrieve()
        results.add(corpus.output.read_bytes())
    assert len(results) == 1


def test_links_and_devices_in_archives_are_passed_over(corpus, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(FILES["b.txt"])
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        archive.addfile(tar_member("link", kind=tarfile.SYMTYPE, target=str(secret)))
        archive.addfile(tar_member("hard", kind=tarfile.LNKTYPE, target=str(secret)))
        archive.addfile(tar_member("device", kind=tarfile.CHRTYPE))
        archive.addfile(tar_member("fifo", kind=tarfile.FIFOTYPE))
    corpus.mirrored("links.tar.gz", stream.getvalue())
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, FILES["b.txt"])
    corpus.mirrored("links.zip", stream.getvalue())
    corpus.assert_refused("found no a/first file.txt in the mirror")
    corpus.mirrored("rest", FILES["a/first file.txt"]).mirrored("empty", b"")
    corpus.assert_refused("found no b.txt in the mirror")


BOMB = bytes(2_000_000)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bomb.xz", lzma.compress(BOMB)),
        ("bomb.tar.xz", archived("tar.xz", {"x": BOMB})),
        ("bomb.tar.gz", archived("tar.gz", {"x": BOMB})),
        ("bomb.zip", archived("zip", {"x": BOMB})),
        ("many.zip", archived("zip", {str(number): BOMB[:90_000] for number in range(20)})),
        ("many.tar.gz", archived("tar.gz", {str(number): BOMB[:90_000] for number in range(20)})),
        ("big", BOMB),
    ],
)
def test_decompression_bombs_are_refused(corpus, name, data):
    corpus.mirrored(name, data)
    corpus.assert_refused(rf"{name}.*: found more than 100000 bytes", max_bytes=100_000)


def test_a_header_that_fills_memory_is_refused(corpus):
    header = tar_member("x", len(BOMB), tarfile.XHDTYPE).tobuf()
    corpus.mirrored("header.tar.gz", gzip.compress(header + BOMB))
    corpus.assert_refused(r"header\.tar\.gz: .*more than 1048576 bytes of metadata before a member")


def test_a_sparse_file_cannot_be_larger_than_its_archive(corpus):
    member = tar_member("holes", kind=tarfile.GNUTYPE_SPARSE)
    header = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    header[483:495] = b"%011o\0" % (1 << 40)  # the size that the file has with its holes
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    corpus.mirrored("sparse.tar.gz", gzip.compress(bytes(header) + bytes(1024)))
    corpus.assert_refused("found no a/first file.txt in the mirror", max_bytes=100_000)


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


DAMAGED = {
    "cut.xz": cut(lzma.compress(bytes(range(256)) * 9)),
    "cut.tar.xz": cut(archived("tar.xz", FILES)),
    "cut.tar.gz": cut(archived("tar.gz", FILES)),
    "cut.zip": cut(archived("zip", FILES)),
    "not.xz": b"not xz",
    "not.tar.gz": b"not gzip",
    "inner.tar.gz": gzip.compress(b"not a tar archive" * 100),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_archives_are_named(corpus, name):
    corpus.mirrored(name, DAMAGED[name])
    corpus.assert_refused(rf"{name}.*damaged")


def test_what_the_mirror_lacks_is_downloaded(tmp_path, server):
    corpus = Corpus(tmp_path, server.url).mirrored("b", FILES["b.txt"])
    serve(server, FILES)
    corpus.retrieve()
    corpus.assert_retrieved()
    assert set(server.requested) == {"/base/a/first%20file.txt", "/base/empty"}


def test_a_mirror_without_the_corpus_and_no_mirror_at_all(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    serve(server, FILES)
    for mirror in (tmp_path / "nothing", None):
        corpus.retrieve(mirror=mirror)
        corpus.assert_retrieved()


def test_passing_failures_are_tried_again(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    serve(server, FILES)
    data = FILES["b.txt"]
    server.answers["/base/b.txt"] = [
        (503, {}, b""),
        (200, {"Content-Length": str(len(data))}, data[:3]),
        (200, {"Content-Length": str(len(data))}, data),
    ]
    corpus.retrieve()
    corpus.assert_retrieved()
    assert server.requested["/base/b.txt"] == 3


def test_a_file_cut_every_time_is_refused_after_three_attempts(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    serve(server, FILES)
    server.answers["/base/b.txt"] = [(200, {"Content-Length": "7"}, b"sec")]
    corpus.assert_refused(r"c: found no b.txt in the mirror")
    assert server.requested["/base/b.txt"] == 3


def test_a_missing_file_is_not_asked_for_again(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    corpus.assert_refused("404")
    assert server.requested["/base/a/first%20file.txt"] == 1


def test_another_file_than_the_manifest_says_is_refused(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    serve(server, FILES | {"b.txt": b"other\n"})
    corpus.assert_refused(f"b.txt: found sha256 {sha256(b'other' + bytes([10]))}, expected {sha256(FILES['b.txt'])}")


def test_a_download_without_end_is_refused(tmp_path, server):
    corpus = Corpus(tmp_path, server.url)
    serve(server, {"a/first file.txt": BOMB})
    corpus.assert_refused("first%20file.txt: found more than 100000 bytes", max_bytes=100_000)


def test_without_network_the_message_says_what_to_do(corpus, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(InputError) as error:
        corpus.retrieve()
    message = str(error.value)
    for part in (
        NOWHERE + "a/first%20file.txt",
        "`mirror:`",
        str(corpus.mirror / "c"),
        sha256(FILES["a/first file.txt"]),
    ):
        assert part in message


def test_members_open_for_the_readers(corpus):
    corpus.mirrored("all.zip", archived("zip", FILES)).retrieve()
    assert [(name, stream.read()) for name, stream in read_archive(corpus.output, "*.txt")] == [
        ("a/first file.txt", FILES["a/first file.txt"]),
        ("b.txt", FILES["b.txt"]),
    ]
    with open_member(corpus.output, "b.txt") as stream:
        assert stream.readline() == b"second\n"
    with open_member(DATA, "tweets.conll") as stream:
        assert stream.readline() == b"RT\t~\n"


def test_members_that_are_not_there_are_named(corpus):
    corpus.mirrored("all.zip", archived("zip", FILES)).retrieve()
    with pytest.raises(InputError, match=r"no member \*.conllu among 3"):
        list(read_archive(corpus.output, "*.conllu"))
    for source, name in ((corpus.output, "x"), (DATA, "x")):
        with pytest.raises(InputError, match=f"{source.name}: found no (member|file) x"), open_member(source, name):
            pass
    with pytest.raises(InputError, match="expected a zip archive"), open_member(corpus.folder / "corpora.csv", "x"):
        pass


SPLITS = """# Splits

## dev

  * GUM_news_boat
  * GUM_reddit_a

## test

  * GUM_bio_sea

## train

  * GUM_bio_sky
  * GUM_bio_lost
"""


def test_splits_leave_out_reddit():
    assert read_splits(SPLITS.encode(), "splits.md") == {
        "dev": {"GUM_news_boat"},
        "test": {"GUM_bio_sea"},
        "train": {"GUM_bio_sky", "GUM_bio_lost"},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("* GUM_x\n" + SPLITS, "line 1: found GUM_x before the first heading"),
        (SPLITS + "* GUM_bio_sea\n", "line 16: found GUM_bio_sea that is in test already"),
        (SPLITS.replace("## test", "## testing"), "found no documents under test"),
    ],
)
def test_wrong_splits_are_refused(text, message):
    with pytest.raises(InputError, match=message):
        read_splits(text.encode(), "splits.md")


@pytest.fixture
def ontogum(tmp_path):
    boat = (DATA / "small.conllu").read_bytes().partition(b"# newdoc id = GUM_bio_sea")[0]
    boat = boat.replace(b"# newpar\n", b"# meta::summary1 = long\n")
    sky = boat.replace(b"GUM_news_boat", b"GUM_bio_sky")
    with zipfile.ZipFile(tmp_path / "ontogum.zip", "w") as archive:
        archive.writestr("coref/ontogum/conllu/GUM_bio_sky.conllu", sky)
        archive.writestr("coref/ontogum/conllu/GUM_news_boat.conllu", boat)
        archive.writestr("splits.md", SPLITS)
    return tmp_path / "ontogum.zip"


def test_ontogum_is_prepared_without_its_summaries(ontogum, tmp_path):
    prepare(read_ontogum, ontogum, {"dev": tmp_path / "dev.conllu"})
    [boat] = read_conllu(tmp_path / "dev.conllu")
    [original, _] = read_conllu(DATA / "small.conllu")
    assert boat == original
    assert "summary" not in (tmp_path / "dev.conllu").read_text()


def test_a_document_of_a_split_that_is_not_there_is_named(ontogum, tmp_path):
    with pytest.raises(InputError, match="found no GUM_bio_lost, expected the train split"):
        prepare(read_ontogum, ontogum, {"train": tmp_path / "train.conllu"})
    assert not (tmp_path / "train.conllu").exists()


@pytest.mark.parametrize(("corpus_format", "member"), [("conllu", "small.conllu"), ("ark", "tweets.conll")])
def test_a_folder_of_files_is_prepared(tmp_path, corpus_format, member):
    read, members = load_reader(FORMATS[corpus_format].reader), {"train": member}
    whole = (DATA / member).read_bytes().partition(b"# newdoc id = GUM_bio_sea")[0]  # after it a word has no tag
    (tmp_path / member).write_bytes(whole)
    prepare(read, tmp_path, {"train": tmp_path / "train.conllu"}, members=members)
    assert list(read_conllu(tmp_path / "train.conllu")) == list(read(tmp_path, "train", members=members))


def test_ontonotes_is_prepared(tmp_path):
    outputs = {"train": tmp_path / "train.conllu"}
    prepare(iter_split, DATA / "conll-2012", outputs, wsj_only=True)
    documents = list(read_conllu(outputs["train"]))
    assert documents == list(iter_split(DATA / "conll-2012", "train", wsj_only=True))
    assert len(documents) == 2


def test_a_split_without_a_file_is_refused():
    with pytest.raises(InputError, match="found no file for the train split"):
        list(read_conllu_split(DATA, "train", members={"dev": "small.conllu"}))


def test_an_empty_split_is_refused(tmp_path):
    (tmp_path / "nothing.conllu").touch()
    with pytest.raises(InputError, match="found no documents in the dev split"):
        prepare(read_conllu_split, tmp_path, {"dev": tmp_path / "dev.conllu"}, members={"dev": "nothing.conllu"})
    assert not (tmp_path / "dev.conllu").exists()


def test_ontogum_has_its_published_size(retrieved, tmp_path):
    archive = retrieved("ontogum_v11.1")
    outputs = {split: tmp_path / f"{split}.conllu" for split in ("train", "dev", "test")}
    prepare(read_ontogum, archive, outputs)
    splits = {split: list(read_conllu(path)) for split, path in outputs.items()}
    assert {split: len(documents) for split, documents in splits.items()} == {"train": 177, "dev": 30, "test": 30}
    documents = [document for split in splits.values() for document in split]
    assert sum(len(document.sentences) for document in documents) == 13263
    assert sum(len(sentence.words) for document in documents for sentence in document.sentences) == 233926
    assert sum(len(document.mentions) for document in documents) == 30719
    assert len({(document.id, mention.entity) for document in documents for mention in document.mentions}) == 7026


def test_a_damaged_member_is_named_wherever_it_is_read(tmp_path):
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "one\ntwo\n")
        archive.writestr("b.txt", "three\n")
    data = path.read_bytes()

    def read():
        return [list(stream) for _, stream in read_archive(path, "*.txt")]

    assert read() == [[b"one\n", b"two\n"], [b"three\n"]]
    path.write_bytes(data.replace(b"two", b"too"))
    with pytest.raises(InputError, match=r"c\.zip/a\.txt: found damaged data \(Bad CRC-32"):
        read()
    # Here the directory of members points out of the file.
    path.write_bytes(data[50:])
    with pytest.raises(InputError, match=r"c\.zip/a\.txt: found a damaged archive"):
        read()


def test_splits_in_another_encoding_are_named():
    with pytest.raises(InputError, match=r"x\.zip/splits\.md, line 2: byte 3 of the line is 0xe9"):
        read_splits(b"# S\n *\xe9", "x.zip/splits.md")
