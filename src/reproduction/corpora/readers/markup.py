"""XML from strangers: one document at a time, with no declarations that grow, nothing fetched, a bound on its size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, TreeBuilder  # nosec B405  # built here, and not parsed by it
from xml.parsers import expat  # nosec B407  # below, with all that grows refused

MAX_ELEMENTS = 500_000
"""Most elements of a document: a file of `<a/>` alone would take twenty times its size of memory."""

_BLANKS = re.compile(r"\s+")


def parse_xml(data: bytes) -> Element:
    """Return the root of a document, its names as written (namespaces are not resolved).

    A document type may name a definition elsewhere, which is never read. It may declare neither entities, so that there
    is nothing to expand but the five of XML and character numbers, nor attributes, whose defaults every element would
    repeat.

    Raises ValueError, telling what was found and expected, for declared attributes, declared and unknown entities, XML
    that is not well-formed, unknown encodings, and more than `MAX_ELEMENTS` elements.
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

    def refuse_attribute(element: str, attribute: str, *_: object) -> None:
        raise ValueError(
            f"found the attribute {attribute[:40]!r} of {element[:40]!r} declared, expected no attributes in the "
            "document type"
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.AttlistDeclHandler = refuse_attribute
    parser.EntityDeclHandler = refuse_entity
    parser.SkippedEntityHandler = refuse_entity
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError) as error:
        raise ValueError(f"{error}, expected well-formed XML") from None
    return builder.close()


def outermost(element: Element, tag: str, **attributes: str) -> Iterator[Element]:
    """Yield, in the order of the document, the elements called `tag` with these attributes that are in no other such.

    The text of nested ones is part of theirs: taken each by itself, it would grow with the square of the document.
    """
    waiting = [element]
    while waiting:
        found = waiting.pop()
        if found.tag == tag and attributes.items() <= found.attrib.items():
            yield found
        else:
            waiting.extend(reversed(found))


def plain_text(element: Element) -> str:
    """Return the text of an element, white space as single spaces."""
    return _BLANKS.sub(" ", "".join(element.itertext())).strip()
