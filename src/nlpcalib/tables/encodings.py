"""Which encoding of one byte a letter a text in a European language has, by the letters that it uses.

Windows-1252 and Windows-1250 give the byte 0xB3 as ³ and ł: only the language decides. So letters beyond ASCII count
where they stand in a word, and an encoding fits if one language has them all.
"""

from __future__ import annotations

import re
from collections import Counter

LANGUAGES = {
    "cp1252": (
        "àâæçèéêëîïôœùûüÿ", "äöüßé", "áéíóúüñªº", "ãáàâçéêíóôõúüªº", "àèéìíîòóù", "éèëêïöüóáí", "åäöéàü", "æøåéèêóòôäö",
        "áðéíóúýþæö", "àçèéíïòóúü", "äõöüšž",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "iso8859-2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
    "cp1254": ("çğıöşüâîûİ",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž"),
}  # fmt: skip
"""Letters beyond ASCII of French, German, Spanish, Portuguese, Italian, Dutch, Swedish with Finnish, Danish with
Norwegian, Icelandic, Catalan and Estonian; Polish, Czech, Slovak, Hungarian, Romanian, and Croatian with Slovene;
Turkish; Lithuanian and Latvian."""
NAMES = {"cp1250": "Windows-1250", "cp1254": "Windows-1254", "cp1257": "Windows-1257", "iso8859-2": "ISO 8859-2"}
"""What an encoding is called in messages."""
MIN_LETTERS = 20
"""Letters beyond ASCII from which on they decide."""
MIN_SHARE_WESTERN = 0.95
"""Share of the letters that a western language has, from which on the text is Windows-1252."""
MIN_SHARE_OTHER = 0.995
"""Share of the letters that a language has, from which on the text has another encoding."""


def letters_in_words(chunk: bytes) -> Counter[int]:
    """Return how often each byte beyond ASCII, punctuation that the encodings share aside, stands next to a letter."""
    inside = re.findall(rb"(?<=[A-Za-z\x80-\xff])[\x80-\xff]|[\x80-\xff](?=[A-Za-z\x80-\xff])", chunk)
    shared = b"\x80\x82\x84\x85\x86\x87\x89\x8b\x91\x92\x93\x94\x95\x96\x97\x99\x9b\xa0\xab\xad\xb7\xbb"
    return Counter(each[0] for each in inside if each not in shared)


def encoding_of(letters: Counter[int]) -> str:
    """Return the encoding, a key of `NAMES`, that alone fits the letters of a text; empty if none does.

    Windows-1252 has precedence, and any with the same letters.
    """
    if letters.total() < MIN_LETTERS or _share(letters, "cp1252") >= MIN_SHARE_WESTERN:
        return ""
    best = max(NAMES, key=lambda encoding: _share(letters, encoding))
    differs = any(_decoded(byte, best) != _decoded(byte, "cp1252") for byte in letters)
    return best if differs and _share(letters, best) >= MIN_SHARE_OTHER else ""


def _share(letters: Counter[int], encoding: str) -> float:
    """Return the largest share of the letters that one language has, if bytes are in the encoding."""
    count: Counter[str] = Counter()
    for byte, n in letters.items():
        letter = _decoded(byte, encoding)
        count[letter if letter == "İ" else letter.lower()] += n  # İ has no lower case of one character
    return max(sum(map(count.__getitem__, alphabet)) for alphabet in LANGUAGES[encoding]) / letters.total()


def _decoded(byte: int, encoding: str) -> str:
    return bytes([byte]).decode(encoding, errors="replace")
