"""The emoticon trick: a smiling emoticon labels a message, and is taken out of it (paper, section 4.1.1; Read 2005).

The paper's emoticon is ":)". Left in the text, its variants would give the label away of a message that has both, and
would be words of the unhappy class in one that has them alone. So they are one emoticon here: eyes ":" or "=", a nose
"-", "o", "^" or "'" or none, any number of mouths ")" or "]", and the same from right to left, "(:". A wink, ";)", a
laugh, ":D", and a tongue, ":P", are other emoticons: they stay, and are words like any other.
"""

from __future__ import annotations

import re

_ANYWHERE = r":[-o^']?\)+"  # as published: "thanks:)" is happy
# "foo=)" and "[a:]" are no smiles, so these have to stand alone. Where one is gone another may stand alone that did not
# before: the one after it, and "(:" before a smile that goes wherever it stands.
_ALONE = r"(?:=[-o^']?\)+|[:=][-o^']?\]+)(?!\w)"
_MIRRORED = rf"(?:\(+|\[+)[-o^']?[:=](?:(?![^\s.,!?])|(?={_ANYWHERE}))"
_SMILING_EMOTICON = re.compile(
    rf"(?:{_ANYWHERE}|(?<![^\s.,!?]){_ALONE}|(?<!\S){_MIRRORED})(?:{_ANYWHERE}|{_ALONE}|{_MIRRORED})*"
)
_SPACE = re.compile(r"\s+")


def is_happy(text: str) -> bool:
    """Return whether the text has a smiling emoticon."""
    return _SMILING_EMOTICON.search(text) is not None


def without_smiles(text: str) -> str:
    """Return the text without its smiling emoticons: a space stands for each run of them and of white space."""
    return _SPACE.sub(" ", _SMILING_EMOTICON.sub(" ", text)).strip()
