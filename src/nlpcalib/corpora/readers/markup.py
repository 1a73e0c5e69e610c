"""XML from strangers: one document at a time, with no entities, nothing fetched, and a bound on what it grows to."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

MAX_ELEMENTS = 500_000
"""Most elements of a document: a file of `<a/>` alone would take twenty times its size of memory."""

_BLANKS = re.compile(r"\s+")


def parse_xml(data: bytes) -> Element:
    """Return the root of a document, its names as written (namespaces are not resolved).

    A document type may name a definition elsewhere, which is never read; it may not declare entities, so that there is
    nothing to expand but the five of XML and character numbers.

    Raises ValueError, telling what was found and expected, for declared and unknown entities, XML that is not
    well-formed, unknown encodings, and more than `MAX_ELEMENTS` elements.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    elements = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal elements
        elements += 1
        if elements > MAX_ELEMENTS:
            raise ValueError(f"found more than {MAX_ELEMENTS} elements, expected no more")
        builder.start(tag, attributes)

    def refuse_entity(name: str, *_: object) -> None:
        raise ValueError(f"found the entity {name[:40]!r}, expected none but those of XML itself")

    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = refuse_entity
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"{error}, expected well-formed XML") from None
    return builder.close()


def plain_text(element: Element) -> str:
    """Return what an element says, white space as single spaces."""
    return _BLANKS.sub(" ", "".join(element.itertext())).strip()
