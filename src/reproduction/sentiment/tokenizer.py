"""Tokens of short messages, cut in the manner of twokenize (Owoputi et al. 2013), whose tokens the paper counts.

What belongs together stays together: addresses, emoticons, user names, hashtags, numbers, times, abbreviations, words
with their clitics and hyphens, runs of the same kind of punctuation. Other punctuation is cut off where it stands at
the edge of a word. How far this agrees with the tokens of the ARK corpus is measured in `benchmarks/tokenizers.py`.

What the search may read and then not take is bounded, so that its time grows with the text and not with its square: the
parts of addresses as the standards bound them (RFC 1035, 5321), emoticons and arrows by `_MAX_RUN_CHARACTERS`.
"""

from __future__ import annotations

import re

_MAX_RUN_CHARACTERS = 40
"""Most characters of the run that an emoticon or arrow consists of but for its ends."""
_DOMAINS = (
    r"(?:com|org|net|edu|gov|mil|info|biz|mobi|name|tv|fm|me|ly|gl|gd|bz|cc|co|us|uk|ca|de|fr|nl|eu|au|jp|br|in|is|it"
    r"|to|am|at|be|ch|es|im|io|ru|se|ws|nu|mp|tk|pl)"
)
_URL = (
    r"(?:(?:https?|ftp)://|www\.)[^\s<>]*[^\s<>.,!?:;'\"“”‘’()\[\]{}…]/?"
    rf"|(?<![@\w.])[a-z\d](?:[a-z\d-]{{0,61}}[a-z\d])?(?:\.[a-z\d-]{{1,63}}){{0,3}}\.{_DOMAINS}(?!\.*\w)"
    r"(?:/(?:[^\s<>]*[^\s<>.,!?:;'\"“”‘’()…])?)?"
)
_EMAIL = r"[\w.+-]{1,64}@[a-z\d-]{1,63}(?:\.[a-z\d-]{1,63})+"
_EMOTICON = (
    # Western: eyes, nose, mouth, and the other way round.
    r"[<>]?[:=;8xX](?<![A-Za-z\d][8xX])(?<!\d[:;])[-o^'’*~]?"
    r"(?:[)\](\[DPpbdOo3sSxXcC](?:(?<=[DPpbdOo3sSxXcC])(?!\w)|(?<=[)\](\[])[)\](\[]*)|[/\\|*@$](?![/\w]))"
    rf"|[)\](\[DO]{{1,{_MAX_RUN_CHARACTERS}}}[-o^'’*]?[:=;](?![\w)\](\[/])"
    # Eastern: an eye, a mouth, the same eye.
    r"|\(?(?:([\^><\-oO0uUTtxX*\u00b0\u2022;])"
    rf"[,oO]{{0,{_MAX_RUN_CHARACTERS}}}[._\-][._\-,oO]{{0,{_MAX_RUN_CHARACTERS}}}\1|\^\^+)(?!\w)[;']{{0,2}}\)?"
    r"|[<>]/?3+(?!\d)|[\u2661\u2665\u2764]+"
)
_ARROW = rf"<?[-=~]{{1,{_MAX_RUN_CHARACTERS}}}>+|<{{1,{_MAX_RUN_CHARACTERS}}}[-=~]+>?|[\u2190-\u21ff]+"
_NAME_OR_HASHTAG = r"[@\uff20]\w+(?:/[\w-]+|['’]s)?|\#\w*[^\W\d_]\w*"
_NUMBER = r"[$£€](?=\d+[.,]\d+\b)|\d+(?:[.,:/]\d+)+(?:[%\u00b0])?(?:'s)?|[$£€]?\.\d+|\#\d+|\d+%"
_ABBREVIATION = (
    r"(?<!\w)(?:[a-z]\.){2,}(?:[a-z](?!\w))?|(?<!\w)(?:mr|mrs|ms|dr|jr|sr|st|prof|vs|etc|rev|gen|inc)\.(?=\s)"
)
_PUNCTUATION = (
    rf"[.?!,…]+|[:;]+|['\"“”‘’`´]+|[-–—_]{{2,}}|[*~+=|<>^/\\]{{1,{_MAX_RUN_CHARACTERS}}}(?=\s|\Z)|<<+|>>+|«+|»+|[*]{{2,}}"
    r"|\(@(?=\s)|[(\[{]+|[)\]}]+"
)
_PLAIN_WORD = (
    r"[^\s.?!,…:;'\"“”‘’`´()\[\]{}<>«»*~|^]"
    r"(?:[^\s.?!,…:;\"“”`´()\[\]{}<>«»*~|^'’‘]|['’‘](?=\w))*"
)
_ANY_TOKEN = re.compile(
    # The first branch is for speed: most tokens are plain words with a space after them.
    rf"[a-z]+(?=\s|\Z)|{_URL}|{_EMAIL}|(?-i:{_EMOTICON})|{_ARROW}|{_NAME_OR_HASHTAG}|{_NUMBER}|{_ABBREVIATION}|{_PUNCTUATION}"
    rf"|{_PLAIN_WORD}|\S",
    re.IGNORECASE,
)


def tokenize(text: str) -> list[str]:
    """Return the tokens of a message in order: nothing but white space is lost, and nothing is changed."""
    return [match.group() for match in _ANY_TOKEN.finditer(text)]
