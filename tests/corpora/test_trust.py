"""What is read, configured or shown is data: nothing of it is executed, fetched, or written where it wants."""

import ast
import contextlib
import hashlib
import http.server
import io
import os
import pickle
import re
import tarfile
import tempfile
import threading
import zipfile
from pathlib import Path

import numpy as np
import pytest
import srsly

from nlpcalib.errors import InputError
from nlpcalib.io.html_table import write_table_page
from nlpcalib.io.page import data_element, frame
from nlpcalib.systems.coref.model.model import load_model as load_coref
from nlpcalib.systems.coref.resolve_files import PAGE_FOLDER
from nlpcalib.systems.text.parsing.model import PACKAGED_PARSER
from nlpcalib.systems.text.parsing.model import load_pipeline as load_spacy
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.nitf import read_nitf
from reproduction.corpora.retrieval.archives import retrieve
from reproduction.sentiment.classifier import LogLinear
from reproduction.sentiment.features import FeatureSets
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.storage import load_marginals

ROOT = Path(__file__).parents[2]
CODE = [path for folder in ("src", "scripts", "studies") for path in (ROOT / folder).rglob("*.py")]
RULES = [ROOT / "workflow/Snakefile", *(ROOT / "workflow").rglob("*.smk")]

UNSAFE_MODULES = (
    "cloudpickle.", "dill.", "joblib.", "lxml.", "marshal.", "pickle.", "shelve.", "subprocess.", "xml.dom.",
    "xml.sax.",
)  # fmt: skip
UNSAFE_CALLS = {
    "eval", "exec", "compile", "__import__", "import_module", "os.system", "os.popen", "yaml.load", "yaml.load_all",
    "yaml.full_load", "yaml.unsafe_load", "read_pickle", "to_pickle", "mktemp", "fromstring", "iterparse", "XMLParser",
    "extract",
}  # fmt: skip
IMPORTS = {
    ROOT / path: [call]
    for path, call in {
        "src/reproduction/corpora/formats.py": "import_module",
        "src/nlpcalib/lazy.py": "import_module",
        "src/nlpcalib/predictions/formats/known_formats.py": "importlib.import_module",
        "scripts/figures/figure.py": "import_module",
        "scripts/section7/study.py": "import_module",
        "scripts/tables/tables.py": "import_module",
    }.items()
}
"""Import modules of both packages whose names are constants of tables in the code, not from a file or a user."""

EXTRACTS = ROOT / "src/nlpcalib/systems/text/parsing/model.py"
"""Unpacks a model into a temporary folder with zipfile, which makes every member's name one inside of it."""


def unsafe(code: str) -> list[str]:
    """Return what in some Python executes or unpickles what it is given."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            found += [name for name in names if f"{name}.".startswith(UNSAFE_MODULES)]
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
            if name in UNSAFE_CALLS or ("." in name and name.rpartition(".")[2] in UNSAFE_CALLS - {"compile"}):
                found.append(name)
            if name.endswith("extractall"):
                found.append("extractall")
            if keywords.get("shell", "False") != "False" or keywords.get("allow_pickle", "False") != "False":
                found.append(ast.unparse(node))
            if name == "np.load" and "allow_pickle" not in keywords:
                found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize(
    "code",
    [
        "import pickle", "from pickle import loads", "eval(x)", "np.load(p)", "np.load(p, allow_pickle=True)",
        "subprocess.run(x, shell=True)", "yaml.load(x)", "os.system(x)", "import xml.sax.handler",
        "ElementTree.fromstring(x)",
        "archive.extractall(x)", "archive.extract(m)",
    ],
)  # fmt: skip
def test_what_is_unsafe_is_found(code):
    assert unsafe(code)


def test_code_neither_executes_nor_unpickles_what_it_reads():
    assert len(CODE) > 150
    found = {path: unsafe(path.read_text(encoding="utf-8")) for path in CODE}
    assert {path: calls for path, calls in found.items() if calls} == {EXTRACTS: ["extractall"]} | IMPORTS


def test_no_rule_runs_a_shell():
    """What a configuration says reaches jobs as params of scripts, so there is no command line to break out of."""
    kinds = set()
    for path in RULES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(shell|run|notebook|wrapper|cwl|template_engine)\s*:", text, re.MULTILINE), path
        assert not re.search(r"\b(shell|exec|eval|system|popen|Popen)\(|subprocess|pickle", text), path
        kinds.update(re.findall(r"^    (script)\s*:", text, re.MULTILINE))
    assert kinds == {"script"}


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __reduce__(self):
        return os.mkdir, (self.folder,)


@pytest.mark.parametrize("load", [LinearChain.load, LogLinear.load, FeatureSets.load, load_marginals, load_coref])
def test_objects_in_arrays_are_never_unpickled(tmp_path, load):
    trap = tmp_path / "sprung"
    pickle.loads(pickle.dumps(Trap(trap)))
    trap.rmdir()
    names = {
        LinearChain.load: ("header", "state", "transition", "initial"),
        LogLinear.load: ("vocabulary", "weights", "intercept", "hyperparameter", "dev_f1"),
        FeatureSets.load: ("vocabulary", "train_ends", "train_columns", "train_y"),
        load_marginals: ("single", "left", "right", "weights", "log_partition", "lengths"),
        load_coref: ("model", "weights"),
    }[load]
    path = tmp_path / "model.npz"
    for hostile in names:
        arrays = {name: np.array([Trap(trap)], dtype=object) if name == hostile else np.zeros(1) for name in names}
        np.savez(path, **arrays)
        with pytest.raises(InputError, match=r"model\.npz: Object arrays cannot be loaded"):
            load(path)
    with path.open("wb") as file:
        pickle.dump(Trap(trap), file)
    with pytest.raises(InputError, match=r"model\.npz"):
        load(path)
    assert not trap.exists()


@pytest.mark.slow
def test_a_parser_is_never_unpickled(tmp_path):
    """Its arrays are MessagePack, in a form that some readers unpickle, and those of its vectors are NumPy's."""
    trap, path = tmp_path / "sprung", tmp_path / "parser.zip"
    pickled, vectors = pickle.dumps(Trap(trap)), io.BytesIO()
    np.save(vectors, np.array([Trap(trap)], dtype=object))
    packed = [
        srsly.msgpack_dumps({"nd": True, "type": "|O", "kind": kind, "shape": [1], "data": pickled})
        for kind in (b"O", "O")
    ]
    with zipfile.ZipFile(PACKAGED_PARSER) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    binary = [name for name in members if Path(name).suffix not in (".cfg", ".json")]
    assert {"tok2vec/model", "tokenizer", "vocab/lookups.bin", "vocab/vectors"} <= set(binary)
    for name in binary:
        for content in (pickled, vectors.getvalue(), *packed):
            with zipfile.ZipFile(path, "w") as archive:
                for member, data in members.items():
                    archive.writestr(member, content if member == name else data)
            with contextlib.suppress(InputError):  # what is not needed, such as a word's row of vectors, is not read
                load_spacy(path)
            assert not trap.exists(), name


def everything(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def tar_of_tricks(path, content):
    """Write an archive whose members want to be outside of the folder, or are no files."""
    with tarfile.open(path, "w:gz") as archive:
        for name in ("../evil.xml", f"{path.parent}/evil.xml", "a/../../evil.xml", "C:\\evil.xml"):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            member = tarfile.TarInfo("link.xml")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)


def zip_of_tricks(path, content):
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../evil.xml", f"{path.parent}/evil.xml", "a/../../evil.xml", "..\\evil.xml"):
            archive.writestr(name, content)
        link = zipfile.ZipInfo("link.xml")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")


@pytest.fixture
def inner(tmp_path, monkeypatch):
    """Return a folder in which a test is at work, temporary files included; all of the test's own is around it."""
    folder = tmp_path / "a" / "b"
    (folder / "tmp").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    return folder


def test_archives_write_nothing_outside_of_their_folder_nor_follow_links(tmp_path, inner):
    tar_of_tricks(tmp_path / "x.tgz", b"<nitf/>")
    zip_of_tricks(tmp_path / "x.zip", b"<nitf/>")
    mirror = tmp_path / "mirror" / "c"
    mirror.mkdir(parents=True)
    tar_of_tricks(mirror / "x.tar.gz", b"x")
    zip_of_tricks(mirror / "x.zip", b"x")
    manifest = f"{'0' * 64}  x.txt\n".encode()
    (tmp_path / "c.sha256").write_bytes(manifest)
    row = f"c,1,http://127.0.0.1:9/,{hashlib.sha256(manifest).hexdigest()},CC0,x"
    (tmp_path / "corpora.csv").write_text(f"corpus,version,url,sha256,licence,citation\n{row}\n")
    before = everything(tmp_path)
    with pytest.raises(InputError, match="found no document"):
        list(read_nitf(tmp_path / "x.tgz", 0.0))
    with pytest.raises(InputError, match="found no member"):
        list(read_muc3(tmp_path / "x.zip", 0.0))
    with pytest.raises(InputError, match=r"expected a \.zip of this library"):
        load_spacy(tmp_path / "x.zip")
    places = {"registry": "../../corpora.csv", "manifest": "../../c.sha256", "mirror": "../../mirror"}
    with pytest.raises(InputError, match=r"found no x\.txt in the mirror"):
        retrieve("c", output="out.zip", backoff_seconds=0, **places)
    assert everything(tmp_path) == before


SECRET = "the secret of another file"
NITF = """<nitf><docdata><doc-id id-string="1"/><identified-content>
<classifier type="taxonomic_classifier">Top/News/World</classifier></identified-content></docdata>
<pubdata date.publication="19910207T000000"/><block class="full_text"><p>Text {use}.</p></block></nitf>"""
REPORT = """<html><head><meta name="DC.identifier" content="X-1"/><meta name="DC.date" content="1990-01-10"/></head>
<body><p>Text {use}.</p></body></html>"""


@pytest.fixture(scope="module")
def listener():
    """Return the URL of a server and what it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("doctype", "use"),
    [
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>', "&e;"),
        ('<!DOCTYPE x [<!ENTITY e SYSTEM "{url}/entity">]>', "&e;"),
        ('<!DOCTYPE x [<!ENTITY % e SYSTEM "{url}/parameter"> %e;]>', ""),
        ('<!DOCTYPE x SYSTEM "{url}/external.dtd">', ""),
        ('<!DOCTYPE x PUBLIC "-//X//EN" "{url}/public.dtd">', "&e;"),
        ('<?xml-stylesheet href="{url}/style.xsl"?>', ""),
        ("", '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" parse="text" href="file://{secret}"/>'),
    ],
)
def test_xml_reaches_neither_files_nor_the_network(tmp_path, listener, doctype, use):
    url, asked = listener
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    fill = {"url": url, "secret": secret}
    documents = {
        read_nitf: (tmp_path / "x.tgz", NITF),
        read_muc3: (tmp_path / "x.zip", REPORT),
    }
    for read, (path, template) in documents.items():
        data = (doctype.format(**fill) + template.format(use=use.format(**fill))).encode()
        if read is read_nitf:
            with tarfile.open(path, "w:gz") as archive:
                member = tarfile.TarInfo("1.xml")
                member.size = len(data)
                archive.addfile(member, io.BytesIO(data))
        else:
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("1.xhtml", data)
        try:
            found = repr(list(read(path, 0.0)))
        except InputError as error:
            found = str(error)
        assert found
        assert SECRET not in found
    assert asked == []


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def test_pages_show_what_documents_hold_and_run_none_of_it(tmp_path):
    """The pages of events and of coding are asked the same, in a browser too, in their own tests."""
    before, _ = frame(PAGE_FOLDER, HOSTILE)
    assert HOSTILE not in before
    assert before.count("<script") == frame(PAGE_FOLDER, "x")[0].count("<script")
    assert data_element({"id": HOSTILE, HOSTILE: [HOSTILE]}).count("<") == 2
    write_table_page(tmp_path / "table.html", HOSTILE, [{HOSTILE: HOSTILE, "x": 1}])
    page = (tmp_path / "table.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "<img" not in page
