"""The emoticon trick: a smiling emoticon labels a message, and is taken out of it (paper, section 4.1.1; Read 2005).

The paper's emoticon is ":)". Left in the text, its variants would give the label away of a message that has both, and
would be words of the unhappy class in one that has them alone. So they are one emoticon here: eyes ":" or "=", a nose
"-", "o", "^" or "'" or none, any number of mouths ")" or "]", and the same from right to left, "(:". A wink, ";)", a
laugh, ":D", and a tongue, ":P", are other emoticons: they stay, and are words like any other.
"""

from __future__ import annotations

import re

_SMILE = re.compile(
    r":[-o^']?\)+"  # wherever it stands, as published: "thanks:)" is happy
    # "foo=)" and "[a:]" are no smiles, so these have to stand alone.
    r"|(?<![^\s.,!?])(?:=[-o^']?\)+|[:=][-o^']?\]+)(?!\w)"
    r"|(?<!\S)(?:\(+|\[+)[-o^']?[:=](?![^\s.,!?])"
)
_SPACE = re.compile(r"\s+")


def is_happy(text: str) -> bool:
    """Return whether the text has a smiling emoticon."""
    return _SMILE.search(text) is not None


def without_smiles(text: str) -> str:
    """Return the text without its smiling emoticons: a space stands for each run of them and of white space."""
    # Where one is gone another may stand alone that did not before.
    while _SMILE.search(text):
        text = _SMILE.sub(" ", text)
    return _SPACE.sub(" ", text).strip()
