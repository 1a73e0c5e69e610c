"""XML from strangers, with the known tricks."""

import http.server
import threading
import tracemalloc

import pytest

from reproduction.corpora.readers import markup
from reproduction.corpora.readers.markup import outermost, parse_xml, plain_text

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


def test_text_is_read_as_it_is_said():
    root = parse_xml(b'<a x="1">\n caf&#233; &amp;\t<b>more</b>\n</a>')
    assert plain_text(root) == "café & more"
    assert root.get("x") == "1"


def test_encodings_are_the_documents_own():
    assert parse_xml("<a>é</a>".encode("utf-16")).text == "é"
    assert parse_xml('<?xml version="1.0" encoding="iso-8859-1"?><a>é</a>'.encode("iso-8859-1")).text == "é"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (f'<!DOCTYPE a [<!ENTITY l0 "ha">{LAUGHS}]><a>&l9;</a>', "found the entity 'l0'"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "found the entity 'x'"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]><a>&x;</a>', "found the entity 'x'"),
        ('<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:9/"> %x;]><a/>', "found the entity 'x'"),
        ('<!DOCTYPE a [<!ENTITY x "never used">]><a/>', "found the entity 'x'"),
        ('<!DOCTYPE a SYSTEM "http://127.0.0.1:9/a.dtd"><a>&eacute;</a>', "found the entity 'eacute'"),
        ('<!DOCTYPE a [<!ATTLIST b c CDATA "never used">]><a/>', "found the attribute 'c' of 'b' declared"),
        ("<!DOCTYPE a [<!ATTLIST b c NMTOKEN #IMPLIED>]><a/>", "found the attribute 'c' of 'b' declared"),
        ("<a>&eacute;</a>", "undefined entity"),
        ("<a><b></a>", "mismatched tag: .*, expected well-formed XML"),
        ("<a>", "no element found"),
        ("", "no element found"),
        ("<a/><a/>", "junk after document element"),
        ("<a>\x00</a>", "not well-formed"),
        ('<?xml version="1.0" encoding="nothing"?><a/>', "expected well-formed XML"),
        ('<?xml version="1.0" encoding="rot13"?><a/>', "expected well-formed XML"),
    ],
)
def test_tricks_and_broken_documents_are_refused(data, message):
    with pytest.raises(ValueError, match=message):
        parse_xml(data.encode())


def test_bytes_of_another_encoding_are_refused():
    with pytest.raises(ValueError, match="not well-formed"):
        parse_xml(b"<a>\xe9 </a>")


def test_nothing_is_fetched():
    requests = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            self.send_error(404)

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}/nitf.dtd"
        try:
            assert parse_xml(f'<!DOCTYPE a SYSTEM "{url}"><a>text</a>'.encode()).text == "text"
        finally:
            server.shutdown()
            thread.join()
    assert requests == []


def test_deep_and_many_elements_are_bounded(monkeypatch):
    deep = 100_000
    assert sum(1 for _ in parse_xml(b"<a>" * deep + b"</a>" * deep).iter()) == deep
    monkeypatch.setattr(markup, "MAX_ELEMENTS", 10)
    assert len(parse_xml(b"<a>" + b"<b/>" * 9 + b"</a>")) == 9
    with pytest.raises(ValueError, match="found more than 10 elements"):
        parse_xml(b"<a>" + b"<b/>" * 10 + b"</a>")


def test_defaults_of_attributes_do_not_grow():
    """A megabyte of this, 5 KB packed, took 5 GB: each of the elements had each of the attributes."""
    declared = "".join(f"<!ATTLIST b a{number} CDATA '{number}'>" for number in range(5_000))
    tracemalloc.start()
    with pytest.raises(ValueError, match="found the attribute 'a0' of 'b' declared"):
        parse_xml(f"<!DOCTYPE a [{declared}]><a>{'<b/>' * 2_000}</a>".encode())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 22


def test_elements_inside_others_of_their_name_are_part_of_them():
    root = parse_xml(b"<a><p>1<b><p>2<p>3</p></p></b></p><c><p>4</p></c><p x='y'>5<p x='z'>6</p></p></a>")
    assert [plain_text(each) for each in outermost(root, "p")] == ["123", "4", "56"]
    assert [plain_text(each) for each in outermost(root, "p", x="z")] == ["6"]


def test_the_text_of_nested_elements_grows_with_the_document():
    depth = 20_000
    root = parse_xml(b"<a>" + b"<p>x" * depth + b"</p>" * depth + b"</a>")
    assert sum(len(plain_text(each)) for each in outermost(root, "p")) == depth
