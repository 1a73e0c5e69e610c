"""Speakers in plain text: labels of lines, screenplays, and mails with the lines that they quote.

* `Ana:`, `<ana>` or `[Ana]` at the beginning of a line names the speaker up to the next label or blank line, as do
  `Q:` and `A:`;
* a name in capitals alone on its line, after a blank line, names the speaker up to the next blank line (screenplays);
* `From:` in the headers of a mail names the writer, and the name before `wrote:` the writer of the quoted lines (`>`);
* the name that signs a letter names the writer of it all.

A letter opens with a short line that ends in a comma (*Dear Ana,*) or has a word of greeting. A line with a date may
come before it. Its last lines are short and end no sentence: a closing, the name, perhaps a role, a place or a date.
The name has capitals and is no place, day or common word: *Berlin*, *Monday* and *Cheers* sign nothing. Without an
opening, there has to be a closing, which ends in a comma or comes before a known given name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.errors import InputError
from nlpcalib.systems.coref.model.lexicon import CALENDAR, GIVEN_NAMES, NOUNS, PLACES, SURNAMES
from nlpcalib.systems.text.document import Document

_SPEAKER_LABEL = re.compile(
    r"^[^\S\n]*(?:(?:\[?\d{1,2}:\d\d(?::\d\d)?\]?[^\S\n]+)?"
    r"(?:<(?P<nick>[^<>\s][^<>\n]{0,29})>|\[(?P<bracket>[^\W\d][^\[\]\n]{0,29})\]:?"
    r"|(?P<name>[^\W\d_a-z][\w.'’-]*(?:[^\S\n]+[^\W\d_a-z][\w.'’-]*){0,3}):))(?=[^\S\n])",
    re.MULTILINE,
)
_SCREENPLAY_CUE = re.compile(
    r"(?:\A|(?<=\n)[^\S\n]*\n)[^\S\n]*(?P<name>(?!(?:INT|EXT)\b)[^\W\d_a-z][^\Wa-z]*\.?"
    r"(?: [^\W_a-z][^\Wa-z]*\.?){0,3})(?: \([^()\n]*\))?[^\S\n]*\n(?=[^\S\n]*\S)"
)
_WROTE = re.compile(r"(?:.*,)?\s*(?P<name>[^,<>]+?)\s*(?:<[^<>]*>)?\s+wrote:\s*")
_QUOTE_MARKS = re.compile(r"(?:\s*>)+ ?")
_MAX_END_CHARACTERS = 400
"""Length of the end of a text in which a signature is looked for: long texts take no longer."""
_MAX_LINE_CHARACTERS = 60
_NAME_LINE = re.compile(
    r"(?:[-–—~][^\S\n]*)?(?P<lead>(?:[^\W\d_]+[^\S\n]+){0,3}?)"
    r"(?P<name>[^\W\d_a-z][\w.'’-]*(?:[^\S\n]+[^\W\d_a-z][\w.'’-]*){0,3})(?:[^\S\n]+x+)?"
)
"""A name in a line of its own, after a dash or a few words (*Love from Ana*), before kisses (*Ana xx*)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The words of one speaker, by character positions with an exclusive end."""

    start: int
    end: int
    speaker: str


def find_turns(text: str) -> tuple[list[Turn], list[tuple[int, int]]]:
    """Return the turns of a text and the positions of their labels; both are empty if nobody is named.

    Labels of lines count only with two speakers, one of them twice, so that `Note:` and the headings of a letter are
    not speakers. A mail needs `From:` and another header, or quoted lines.
    """
    turns, labels = _mail(text)
    if turns:
        return turns, labels
    for pattern in (_SPEAKER_LABEL, _SCREENPLAY_CUE):
        found = list(pattern.finditer(text))
        names = [" ".join(next(filter(None, match.groups())).split()) for match in found]
        if 2 <= len(set(names)) < len(names):
            return _labelled(text, found, names), [match.span() for match in found]
    signature = _signature(text)
    if signature is None:
        return [], []
    name, lines = signature
    # Each of the last lines is a paragraph.
    return [Turn(0, len(text), name)], [(place - 1, place) for place in lines if place]


def _labelled(text: str, found: list[re.Match[str]], names: list[str]) -> list[Turn]:
    """Return the turns that labels begin, each up to the next label or blank line."""
    ends = [match.start() for match in found[1:]] + [len(text)]
    blank_line = re.compile(r"\n[^\S\n]*\n")
    blanks = (blank_line.search(text, match.end(), end) for match, end in zip(found, ends, strict=False))
    return [
        Turn(match.end(), blank.start() if blank else end, name)
        for match, end, blank, name in zip(found, ends, blanks, names, strict=False)
    ]


def _mail(text: str) -> tuple[list[Turn], list[tuple[int, int]]]:
    lines = [(match.start(), match[0]) for match in re.finditer(r"[^\n]*\n?", text) if match[0]]
    header_form = r"(?P<field>From|To|Cc|Date|Sent|Subject|Reply-To):[^\S\n]*(?P<value>.*)"
    headers = [re.match(header_form, line, re.IGNORECASE) for _, line in lines]
    fields = {match["field"].lower() for match in headers if match}
    is_quoted = any(_WROTE.fullmatch(line) for _, line in lines) and any(_QUOTE_MARKS.match(line) for _, line in lines)
    if not ("from" in fields and len(fields) > 1) and not is_quoted:
        return [], []
    turns: list[Turn] = []
    labels: list[tuple[int, int]] = []
    writer = unnamed = "the writer"
    quoted = ""
    for (start, line), header in zip(lines, headers, strict=True):
        end = start + len(line)
        wrote, marks = _WROTE.fullmatch(line), _QUOTE_MARKS.match(line)
        if header:
            is_subject = header["field"].lower() == "subject"
            labels.append((start, start + header.start("value") if is_subject else end))
            if header["field"].lower() == "from":
                writer = re.sub(r"<.*?>|\"", "", header["value"]).strip() or unnamed
        elif wrote:
            quoted = wrote["name"]
            labels.append((start, end))
        elif line.strip():
            depth = marks[0].count(">") if marks else 0
            speaker = writer if not depth else quoted if depth == 1 and quoted else ">" * depth
            if marks:
                labels.append((start, start + marks.end()))
            first = start + (marks.end() if marks else 0)
            if turns and turns[-1].speaker == speaker and not text[turns[-1].end : start].strip():
                turns[-1] = replace(turns[-1], end=end)
            else:
                turns.append(Turn(first, end, speaker))
    return turns, labels


def _signature(text: str) -> tuple[str, list[int]] | None:
    """Return who signs a letter and where its last lines begin; None for what is no letter, or what nobody signs."""
    end = text[-_MAX_END_CHARACTERS:]
    postscript = re.search(r"\n[^\S\n]*\n[^\S\n]*P\.?[^\S\n]?S\b", end, re.IGNORECASE)
    body = text[: len(text) - len(end) + postscript.start()] if postscript else text
    start = max(len(body) - _MAX_END_CHARACTERS, 0)
    lines = [(start + match.start(), match[0].strip()) for match in re.finditer(r"[^\n]*\S[^\n]*", body[start:])]
    last = len(lines)
    while last > 1 and _ends_no_sentence(lines[last - 1][1]):
        last -= 1
    ending = lines[last:]
    if not ending:
        return None
    # A closing ends in a comma, or in a lower-case word before a line that begins with a given name.
    closing, following = ending[0][1], ending[1][1].split()[0].lower() if len(ending) > 1 else ""
    is_closing = closing.endswith(",") or (closing.split()[-1].islower() and following in GIVEN_NAMES)
    is_closed = is_closing and len(closing.split()) <= 5
    if not (is_closed or _opens_letter(text)):
        return None
    names = [name for _, line in ending[is_closed:] if (name := _signed(line))]
    if not names:
        return None
    known = [name for name in names if name.split()[0].lower() in GIVEN_NAMES]
    return (known or names)[0], [place for place, _ in ending]


def _ends_no_sentence(line: str) -> bool:
    # The point of an initial ends no sentence.
    return len(line) <= _MAX_LINE_CHARACTERS and (line[-1] not in ".?!:;" or bool(re.search(r"\b[A-Z]\.$", line)))


def _opens_letter(text: str) -> bool:
    first, ends, after = text.lstrip().partition("\n")
    has_month = any(CALENDAR.get(word.strip(",.").lower()) == "month" for word in first.split())
    if has_month and len(first) <= _MAX_LINE_CHARACTERS and re.search(r"\b\d", first):
        first, ends, _ = after.lstrip().partition("\n")
    words = first.split()
    greets = bool(words) and bool({word.strip(",:!").lower() for word in words[:2]} & {"dear", "hi", "hello", "hey"})
    form = first.rstrip().endswith(",") or (greets and not first.rstrip().endswith((".", "?")))
    return bool(ends) and form and len(words) <= 8


def _signed(line: str) -> str | None:
    """Return the name in a line of its own; None for a place, a time or common nouns."""
    found = _NAME_LINE.fullmatch(line)
    if found is None:
        return None
    words = [word.lower() for word in found["name"].split()]
    if words[0] in GIVEN_NAMES:
        return " ".join(found["name"].split())
    is_common = all(word in NOUNS or word.removesuffix("s") in NOUNS or word.endswith("ly") for word in words)
    is_else = words[-1] in CALENDAR or words[-1] in PLACES or (is_common and words[-1] not in SURNAMES)
    return None if found["lead"] or is_else else " ".join(found["name"].split())


def without_labels(text: str) -> str:
    """Return a text of the same length in which each turn is a paragraph and white space replaces its label.

    All other characters keep their positions.
    """
    turns, labels = find_turns(text)
    return "".join(_blanked(text, {turn.start for turn in turns}, labels)) if turns else text


def _blanked(text: str, starts: set[int], labels: list[tuple[int, int]]) -> Iterator[str]:
    done = 0
    for start, end in labels:
        # A form feed ends a paragraph. The marks of further quoted lines become spaces.
        is_mark = _QUOTE_MARKS.fullmatch(text, start, end) and end not in starts
        yield from (text[done:start], " " if is_mark else "\f", " " * (end - start - 1))
        done = end
    yield text[done:]


def word_places(text: str, document: Document) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each word of a document in a text; raises `InputError` for a word that it lacks."""
    end = 0
    for word in (word for sentence in document.sentences for word in sentence.words):
        start = text.find(word, end)
        if start < 0:
            place = f"document {document.id!r}: found no {word!r} after character {end} of its source"
            raise InputError(f"{place}, expected its words in order")
        end = start + len(word)
        yield start, end


def with_speakers(document: Document) -> Document:
    """Return a document, parsed from `without_labels` of its source, with the speaker of each sentence."""
    turns, _ = find_turns(document.source)
    if not turns:
        return document
    places = list(word_places(without_labels(document.source), document))
    firsts = np.cumsum([0, *(len(sentence.words) for sentence in document.sentences)])[:-1]
    starts = [places[first][0] for first in firsts.tolist()]
    numbers = np.searchsorted([turn.start for turn in turns], starts, side="right") - 1
    speakers = [
        turns[number].speaker if number >= 0 and start < turns[number].end else None
        for number, start in zip(numbers.tolist(), starts, strict=True)
    ]
    return replace(
        document,
        sentences=tuple(
            replace(sentence, speaker=speaker) for sentence, speaker in zip(document.sentences, speakers, strict=True)
        ),
    )
