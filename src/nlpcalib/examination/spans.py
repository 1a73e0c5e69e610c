"""Signs in spans of texts: offsets that cut words, gold of another text, and texts that stand twice."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np

from nlpcalib.errors import InputFinding
from nlpcalib.examination.level import MIN_ROWS, MIN_SHARE, alarm_z

DISPLACEMENTS = (1, -1, 2, -2)
"""Characters by which offsets may be displaced (counted from 1, or a mark); and texts, by which gold may be."""

_Span = tuple[int, int]
"""The first character and the one after the last."""


def examine_offsets(texts: Sequence[str], spans: Sequence[Sequence[_Span]], name: str) -> list[InputFinding]:
    """Return the sign of texts whose spans cut words, and would all be whole words a character or two away.

    Parts of words, as subword tokens are, and languages without blanks do not have it: no displacement mends them.
    """
    beside = dict.fromkeys(DISPLACEMENTS, 0)
    for text, own in zip(texts, spans, strict=True):
        if not own or any(_is_whole(text, start, end) for start, end in own):
            continue
        for shift in DISPLACEMENTS:
            beside[shift] += all(_is_whole(text, start - shift, end - shift) for start, end in own)
    shift, found = max(beside.items(), key=lambda each: each[1])
    with_spans = sum(map(bool, spans))
    if found < max(MIN_ROWS // 2, MIN_SHARE * with_spans):
        return []
    sentence = (
        f"in {found:,} of {with_spans:,} texts every span in {name} cuts words, and {-shift:+d} to its start and end "
        "makes them whole: are offsets counted otherwise?"
    )
    return [InputFinding(name, sentence, code="displaced")]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Return whether characters are in the text, begin and end with no blank, and cut no word."""
    if not 0 <= start < end <= len(text) or text[start].isspace() or text[end - 1].isspace():
        return False
    cut = (text[place - 1 : place + 1] for place in (start, end))
    return not any(len(both) == 2 and both.isalnum() for both in cut)


def examine_neighbours(
    predicted: Sequence[Collection[Hashable]], gold: Sequence[Collection[Hashable]], name: str
) -> list[InputFinding]:
    """Return the sign of predictions of N texts that are right far more often by the gold of a text nearby."""
    kept = [set(each) for each in gold]
    own = sum(len(kept[row].intersection(each)) for row, each in enumerate(predicted))
    for shift in DISPLACEMENTS:
        rows = range(max(0, shift), len(kept) + min(0, shift))
        other = sum(len(kept[row - shift].intersection(predicted[row])) for row in rows)
        if other - own > alarm_z(len(DISPLACEMENTS)) * np.sqrt(other + own):
            where = f"{abs(shift)} {'before' if shift > 0 else 'after'}"
            sentence = f"{own:,} predictions are right by their own {name}, {other:,} by that of the text {where}"
            return [InputFinding(name, f"{sentence}: did {name} slip?", code="shifted")]
    return []


def examine_copies(records: Sequence[Hashable], noun: str) -> list[InputFinding]:
    """Return the sign of records, each with its id, that stand again; None is a record that may."""
    known = [each for each in records if each is not None]
    again = len(known) - len(set(known))
    if again < max(MIN_ROWS // 2, MIN_SHARE * len(records)):
        return []
    sentence = f"{again:,} of {len(records):,} {noun} stand twice, with their id: were files joined?"
    return [InputFinding("id", sentence, code="repeated_rows")]
