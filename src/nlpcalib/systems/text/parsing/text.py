"""Plain text in pieces that a parser can take: paragraphs, long ones in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nlpcalib.errors import InputError

MAX_PIECE_CHARACTERS = 5000
"""Longest piece, about 900 words: it bounds memory for any text."""
MAX_WORD_CHARACTERS = 500
"""Longest run of characters without white space: the time of spaCy's tokenizer grows with its square."""

SENTENCE_FINAL = re.compile(r"[.!?…:;\"'”’)\]»]$")
"""Endings of a word after which a sentence may begin."""

_WHITE_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b\ufeff]+")
_PARAGRAPH_END = re.compile(r"\r?\n[^\S\n]*\n\s*|[\f\u2029]\s*")
_SENTENCE_END = re.compile(r".*[.!?][\"'”’)\]]* ", re.DOTALL)
_LONG_WORD = re.compile(rf"[^ ]{{{MAX_WORD_CHARACTERS + 1}}}")


def check_unicode(identifier: str, text: str) -> None:
    """Raise `InputError` for text that is not Unicode (lone surrogates), with its place in the whole text."""
    if found := re.search("[\ud800-\udfff]", text):
        raise InputError(
            f"text {identifier!r}: found {found[0]!r} at character {found.start()}, expected text that is valid Unicode"
        )


def pieces(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, which blank lines separate, in pieces of at most `MAX_PIECE_CHARACTERS`.

    White space becomes one space; control characters, byte order marks and zero-width spaces count as white space. A
    piece followed by white space ends with a space, so that the pieces together are the text up to the kind of white
    space. A long paragraph is cut after the last sentence end that fits, else between words. A run of more than
    `MAX_WORD_CHARACTERS` is no word and is cut too.
    """
    for paragraph in paragraphs(text):
        rest = _WHITE_SPACE.sub(" ", paragraph).lstrip(" ")
        start = 0
        while start < len(rest):
            window = rest[start : start + MAX_PIECE_CHARACTERS]
            size = _size(window, is_last=start + MAX_PIECE_CHARACTERS >= len(rest))
            yield window[:size]
            start += size


def is_punctuated(paragraph: str) -> bool:
    """Return whether a paragraph stands on one line and ends as a sentence does: then its other sentences do, too."""
    line = paragraph.strip()
    return "\n" not in line and bool(SENTENCE_FINAL.search(line))


def _size(window: str, *, is_last: bool) -> int:
    if run := _LONG_WORD.search(window):
        return run.start() + MAX_WORD_CHARACTERS
    if is_last:
        return len(window)
    end = _SENTENCE_END.match(window)
    return end.end() if end else window.rfind(" ") + 1 or MAX_PIECE_CHARACTERS


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, which blank lines separate, each with the blank lines after it."""
    start = 0
    for gap in _PARAGRAPH_END.finditer(text):
        yield text[start : gap.end()]
        start = gap.end()
    yield text[start:]
