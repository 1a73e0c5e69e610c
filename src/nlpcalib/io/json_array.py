"""A JSON array of objects as JSON lines, in bounded memory: what `pandas.DataFrame.to_json` and most web APIs write."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from nlpcalib.blocks import BLOCK_BYTES, MAX_LINE_BYTES
from nlpcalib.errors import InputError


def is_array(start: bytes) -> bool:
    """Return whether a file that begins with these bytes is a JSON array of objects, or an empty one."""
    return re.match(rb"[ \t\r\n]*\[[ \t\r\n]*[{\]]", start.removeprefix(codecs.BOM_UTF8)) is not None


def array_lines(parts: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield each object of an array as a line of JSON lines, from the parts of a file called `name`.

    Raises `InputError`, naming record and line, where the array is cut short, is no JSON, or is not all of the file.
    """
    text = _Text(iter(parts))
    text.expect("[")
    record = 0
    while (following := text.peek()) != "]":
        if record and following != ",":
            cut = "" if following else ": is the file cut short?"
            raise InputError(
                f"{name}, line {text.line}: {_found(following)} after record {record}, expected , or ]{cut}"
            )
        if record:
            text.expect(",")
            text.peek()
        record += 1
        place = f"{name}, record {record} (line {text.line})"
        if not text.peek():
            raise InputError(f"{place}: found the end of the file, expected an object, then ]: is the file cut short?")
        yield text.value(place).encode(errors="surrogateescape") + b"\n"
    text.expect("]")
    if following := text.peek():
        raise InputError(f"{name}, line {text.line}: {_found(following)} after the array, expected the end of the file")


def _found(character: str) -> str:
    return f"found {character!r}" if character else "found the end of the file"


@dataclass
class _Text:
    """The part of a text that is in memory, and how far it was read."""

    parts: Iterator[bytes]
    line: int = 1
    """The line at which the next character stands."""

    def __post_init__(self) -> None:
        # A byte that is not UTF-8 spoils its own object alone.
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._text, self._at, self._ended = "", 0, False
        # Numbers stay texts: whoever reads the line decides what they are.
        self._json = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
        self._blank = re.compile(r"[ \t\r\n]*")
        self._more(BLOCK_BYTES)
        self._text = self._text.removeprefix("\ufeff")

    def peek(self) -> str:
        """Return the next character that is not blank; empty at the end."""
        while True:
            end = self._blank.match(self._text, self._at).end()  # type: ignore[union-attr]  # it matches everywhere
            self._pass(end)
            if self._at < len(self._text) or self._ended:
                return self._text[self._at : self._at + 1]
            self._more(BLOCK_BYTES)

    def expect(self, character: str) -> None:
        """Pass over a character that `peek` has seen."""
        assert self.peek() == character
        self._pass(self._at + 1)

    def value(self, place: str) -> str:
        """Return the JSON of the next value in one line, and pass over it."""
        size = BLOCK_BYTES
        while True:
            try:
                _, end = self._json.raw_decode(self._text, self._at)
                # A number or a word may go on behind what is in memory.
                if end < len(self._text) or self._ended:
                    break
            except RecursionError:
                raise InputError(f"{place}: found brackets nested too deeply, expected an object") from None
            except json.JSONDecodeError as error:
                if self._ended or len(self._text) - self._at > MAX_LINE_BYTES:
                    # The rest of a text that ends within a number, a word such as `true`, or an escape.
                    rest = re.fullmatch(r"[\w.+\\-]*\s*", self._text[error.pos :])
                    broken_off = "Unterminated" in error.msg or rest
                    cut = self._ended and broken_off
                    found = "the end of the file" if cut else f"no JSON ({error.msg})"
                    hint = ": is the file cut short?" if cut else ""
                    raise InputError(f"{place}: found {found}, expected an object, then ]{hint}") from None
            # Twice as much each time, so that a long object is not decoded again for each part of it.
            self._more(size)
            size *= 2
        found = self._text[self._at : end]
        self._pass(end)
        return found.replace("\r", " ").replace("\n", " ")

    def _pass(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        self._at = end

    def _more(self, size: int) -> None:
        found = [self._text[self._at :]]
        while size > 0 and not self._ended:
            data = next(self.parts, b"")
            self._ended = not data
            found.append(self._decoder.decode(data, final=self._ended))
            size -= len(data)
        self._text, self._at = "".join(found), 0
