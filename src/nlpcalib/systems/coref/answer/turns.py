"""Speakers in plain text: labels of lines, screenplays, and mails with the lines that they quote.

* `Ana:`, `<ana>` or `[Ana]` at the beginning of a line names the speaker up to the next label or blank line, as do
  `Q:` and `A:`;
* a name in capitals alone on its line, after a blank line, names the speaker up to the next blank line (screenplays);
* `From:` in the headers of a mail names the writer, and the name before `wrote:` the writer of the quoted lines (`>`);
* the name that signs a letter names the writer of it all (`nlpcalib.systems.coref.answer.letters`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from nlpcalib.systems.coref.answer.letters import find_signature
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
    signature = find_signature(text)
    if signature is not None:
        # Each of the last lines is a paragraph.
        breaks = [(place - 1, place) for place in signature.lines if place]
        return [Turn(0, len(text), signature.name)], breaks
    return [], []


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


def with_speakers(document: Document) -> Document:
    """Return a document, parsed from `without_labels` of its source, with the speaker of each sentence."""
    turns, _ = find_turns(document.source)
    if not turns:
        return document
    text = without_labels(document.source)
    starts, end = [], 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence.words):
            start = text.find(word, end)
            end = start + len(word)
            if not number:
                starts.append(start)
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
