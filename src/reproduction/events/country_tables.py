"""The country dictionaries of the registry's corpus `lexicon`: the paper's, a table of all countries, and Phoenix's."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from nlpcalib.errors import InputError
from nlpcalib.io.lines import numbered_lines
from nlpcalib.systems.events.read.lexicon import CODE, LexiconEntry, form_entries, supplement
from reproduction.corpora.retrieval.archives import read_archive
from reproduction.events.phoenix import MEMBER, parse_phoenix

COUNTRY_FILES = ("country_igos.txt", "countries.json")
"""Files of the corpus `lexicon` of the registry: the paper's dictionary and a table of all countries."""

_OTHER_CODES = {"IGONAT": "NATO", "IGOUNO": "UN", "IGOEEC": "EU", "KSV": "XKX", "UNK": "XKX"}
"""Codes of the files that the packaged tables write otherwise: organisations, and Kosovo, which ISO 3166 lacks."""

TABLES_OF_THE_REGISTRY = ("phoenix", "registry")
"""The sources that need the registry's archive."""


def country_tables(archive: Path | str | None) -> dict[str, Callable[[], list[LexiconEntry]]]:
    """Return readers of `TABLES_OF_THE_REGISTRY` for `load_lexicon`; they read the archive when they are called."""
    return {
        "phoenix": lambda: _phoenix(archive),
        "registry": lambda: _registered(archive),
    }


def _files(archive: Path | str | None, names: Sequence[str]) -> list[tuple[io.BytesIO, str]]:
    """Return files of the archive, each with its name for messages."""
    if archive is None:
        raise InputError("country lexicon: found no archive, expected that of the corpus lexicon")
    found = {Path(member).name: stream.read() for member, stream in read_archive(archive, "*")}
    for name in names:
        if name not in found:
            raise InputError(f"{archive}: found no {name}, expected {' and '.join(names)}")
    return [(io.BytesIO(found[name]), f"{archive}/{name}") for name in names]


def _registered(archive: Path | str | None) -> list[LexiconEntry]:
    dictionary, countries = _files(archive, COUNTRY_FILES)
    return [*parse_dictionary(*dictionary), *parse_countries(*countries), *supplement()]


def _phoenix(archive: Path | str | None) -> list[LexiconEntry]:
    (actors,) = _files(archive, (MEMBER,))
    return [
        LexiconEntry(words, _OTHER_CODES.get(code, code), start, end, part)
        for words, code, start, end, part in parse_phoenix(*actors)
    ]


def parse_dictionary(lines: Iterable[bytes], name: str) -> list[LexiconEntry]:
    """Read the paper's dictionary, country_igos.txt: a code, a tab and a form whose words are joined by underscores.

    Lines that begin with "===" are headings. Codes are the file's own, alpha-3 and longer ones for dependencies, but
    for those that the packaged tables write otherwise: NATO, UN, EU and, for Kosovo, XKX.

    Raises `InputError`, naming the line, for other lines.
    """
    entries = []
    for number, line in numbered_lines(lines, name):
        if not line or line.startswith("==="):
            continue
        code, _, form = line.partition("\t")
        if not CODE.fullmatch(code) or not form.replace("_", " ").strip():
            raise InputError(f"{name}, line {number}: found {line!r}, expected a code, a tab and A_FORM")
        entries += form_entries(form.replace("_", " "), _OTHER_CODES.get(code, code))
    return entries


def parse_countries(lines: Iterable[bytes], name: str) -> list[LexiconEntry]:
    """Read countries.json (github.com/mledoze/countries): common and official names and English demonyms.

    A form that several countries share comes last, and so counts, for members of the United Nations, and among them for
    the largest.

    Raises `InputError` if the file is no JSON of the expected form, naming the country by its place, from 1.
    """
    try:
        rows = json.loads(b"".join(lines))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name}: {error}, expected JSON") from None
    if not isinstance(rows, list):
        raise InputError(f"{name}: found a {type(rows).__name__}, expected a list of countries")
    ranked: list[tuple[bool, float, list[LexiconEntry]]] = []
    for number, row in enumerate(rows, 1):
        try:
            demonyms = row["demonyms"].get("eng", {})
            forms = [row["name"]["common"], row["name"]["official"], *demonyms.values()]
            parts = dict.fromkeys(part.strip() for text in forms for part in text.split(","))
            if not (isinstance(row["cca3"], str) and CODE.fullmatch(row["cca3"])):
                raise ValueError(f"found cca3 {row['cca3']!r}")
            code = _OTHER_CODES.get(row["cca3"], row["cca3"])
            entries = [entry for form in parts if form for entry in form_entries(form, code)]
            ranked.append((bool(row["unMember"]), float(row["area"]), entries))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(
                f"{name}, country {number}: {type(error).__name__} {error}; expected cca3, name (common, official), "
                "demonyms (eng), unMember and area"
            ) from None
    return [entry for _, _, entries in sorted(ranked, key=lambda country: country[:2]) for entry in entries]
