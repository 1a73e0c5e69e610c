"""Texts of tokens, in each of the spellings that servers have for blanks and for parts of a character.

A server may write a token as it reads, as the bytes it stands for, or as its vocabulary has it. Vocabularies of
SentencePiece have `▁New` and `<0xC3>`; those of bytes have `ĠNew` and `Ã`, one visible character for each byte. The
spelling of a reply is the one in which its tokens make its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nlpcalib.io.json_values import shown
from nlpcalib.predictions.formats.server_replies import Reply, Token
from nlpcalib.predictions.records import Record

UNREADABLE = "\ufffd"
"""What stands for a part of a character."""
_MARKER = re.compile(r"<\|?[^<>\s|]{1,40}\|?>|\[[A-Z]{2,10}\]")
"""A last token that no reader sees, where it is no part of the reply."""
_KNOWN_MARKER = re.compile(
    r"<\|[^<>\s|]{1,40}\|>|</s>|<(?:eos|pad|eot|eod|end)[a-z_]{0,20}>|\[(?:SEP|EOS|PAD)\]", re.IGNORECASE
)
"""A last token that ends a reply whose text is not known."""
_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>|(?:bytes:)?((?:\\x[0-9A-Fa-f]{2})+)")
_VISIBLE = [byte for byte in range(256) if chr(byte).isprintable() and chr(byte) != " "]
_HIDDEN = [byte for byte in range(256) if byte not in _VISIBLE]
_BYTE_OF = {chr(byte): byte for byte in _VISIBLE} | {chr(256 + place): byte for place, byte in enumerate(_HIDDEN)}
"""The byte of each character in vocabularies of bytes; bytes that cannot be seen have characters from U+0100 on."""


@dataclass(frozen=True, slots=True)
class SpelledReply:
    """The texts of a reply, without markers at its end."""

    text: str
    tokens: Sequence[str]
    """The text of each token, with `UNREADABLE` for parts of a character."""
    likeliest: Sequence[Sequence[str]]
    """The texts of the likeliest tokens in the place of each."""


def spelled(record: Record, reply: Reply) -> SpelledReply:
    """Return the texts of a reply; raises `InputError` if its tokens do not make its text in any spelling."""
    if reply.text is None:
        spelling, count = _likely_spelling(reply.tokens), len(reply.tokens)
        while count > 1 and _KNOWN_MARKER.fullmatch(_text(spelling, reply.tokens[count - 1]).strip()):
            count -= 1
        text = b"".join(map(spelling, reply.tokens[:count])).decode(errors="replace")
    else:
        ways = ((spelling, _tokens_of_text(spelling, reply.tokens, reply.text)) for spelling in _SPELLINGS)
        found = next(((spelling, count) for spelling, count in ways if count), None)
        if found is None:
            written = "".join(token.text for token in reply.tokens)
            record.refuse(f"tokens {shown(written)} of the reply {shown(reply.text)}", "tokens that make its text")
        (spelling, count), text = found, reply.text
    likeliest = [[_text(spelling, token) for token in tops] for tops in reply.likeliest[:count]]
    return SpelledReply(text, [_text(spelling, token) for token in reply.tokens[:count]], likeliest)


_Spelling = Callable[[Token], bytes]


def _as_written(token: Token) -> bytes:
    return token.text.encode(errors="replace")


def _as_bytes(token: Token) -> bytes:
    return _as_written(token) if token.data is None else token.data


def _as_pieces(token: Token) -> bytes:
    part = _PIECE.fullmatch(token.text)
    if part:
        return bytes.fromhex(part[1] or part[2].replace("\\x", ""))
    return token.text.replace("\u2581", " ").encode(errors="replace")


def _as_vocabulary(token: Token) -> bytes:
    if all(character in _BYTE_OF for character in token.text):
        return bytes(_BYTE_OF[character] for character in token.text)
    return _as_written(token)


_SPELLINGS: tuple[_Spelling, ...] = (_as_bytes, _as_vocabulary, _as_pieces, _as_written)


def _likely_spelling(tokens: Sequence[Token]) -> _Spelling:
    """Return how tokens are spelled whose reply is not known."""
    if all(token.data is not None for token in tokens):
        return _as_bytes
    blanks = any(token.text.startswith(("\u0120", "\u010a")) for token in tokens)
    return _as_vocabulary if blanks else _as_pieces


def _text(spelling: _Spelling, token: Token) -> str:
    """Return the text of one token; that of a part of a character is `UNREADABLE`, or what the server wrote."""
    try:
        return spelling(token).decode()
    except UnicodeDecodeError:
        return UNREADABLE if spelling is not _as_vocabulary else token.text


def _tokens_of_text(spelling: _Spelling, tokens: Sequence[Token], text: str) -> int:
    """Return how many tokens from the first on make a text, blanks aside; 0 if they do not."""
    pieces = [spelling(token) for token in tokens]
    whole, expected = b"".join(pieces).decode(errors="replace"), text
    if spelling is _as_written and UNREADABLE in whole:  # parts of characters, which have none of ASCII's
        whole, expected = (each.encode("ascii", "ignore").decode() for each in (whole, expected))
    rest = _without_blanks(whole)
    wanted = _without_blanks(expected)
    if not rest.startswith(wanted):
        return 0
    rest = rest[len(wanted) :]
    count = len(pieces)
    while rest and count > 1:
        last = _without_blanks(pieces[count - 1].decode(errors="replace"))
        if last and not (_MARKER.fullmatch(last) and rest.endswith(last)):
            return 0
        rest = rest.removesuffix(last)
        count -= 1
    while count > 1 and not pieces[count - 1]:
        count -= 1
    return 0 if rest else count


def _without_blanks(text: str) -> str:
    return "".join(text.split())
