"""Signs in spans of texts: offsets that cut words, gold of another text, and texts that stand twice."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence

import numpy as np

from nlpcalib.errors import InputFinding

MIN_TEXTS_WITH_SIGN = 10
"""Texts from which on a sign in them is reported."""
MIN_SHARE_WITH_SIGN = 0.05
"""Share of the texts from which on it is."""
DISPLACEMENTS = (1, -1, 2, -2)
"""Characters by which offsets may be displaced: what counts from 1, or a mark or line ending that was counted."""
NEIGHBOURS = (1, -1, 2, -2)
"""Places by which gold may have slipped against the texts."""
MIN_RIGHT_OF_NEIGHBOUR = 20
"""Predictions that are right by the gold of another text, from which on the two are compared."""
NEIGHBOUR_Z = 6.0
"""Standard errors by which more predictions are right by the gold of another text than by their own."""
MIN_TOKENS_OF_COPY = 5
"""Tokens from which on equal scores in one document are a copy: short sentences may be alike."""

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
    if found < max(MIN_TEXTS_WITH_SIGN, MIN_SHARE_WITH_SIGN * with_spans):
        return []
    sentence = (
        f"in {found:,} of {with_spans:,} texts every span in {name} cuts words, and {-shift:+d} to its start and end "
        "makes them whole: are offsets counted otherwise?"
    )
    return [InputFinding(name, sentence)]


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
    for shift in NEIGHBOURS:
        rows = range(max(0, shift), len(kept) + min(0, shift))
        other = sum(len(kept[row - shift].intersection(predicted[row])) for row in rows)
        if other >= MIN_RIGHT_OF_NEIGHBOUR and other - own > NEIGHBOUR_Z * np.sqrt(other + own):
            where = f"{abs(shift)} {'before' if shift > 0 else 'after'}"
            sentence = f"{own:,} predictions are right by their own {name}, {other:,} by that of the text {where}"
            return [InputFinding(name, f"{sentence}: did {name} slip?")]
    return []


def examine_copies(records: Sequence[Hashable], noun: str) -> list[InputFinding]:
    """Return the sign of records, each with its id, that stand again; None is a record that may."""
    known = [each for each in records if each is not None]
    again = len(known) - len(set(known))
    if again < max(MIN_TEXTS_WITH_SIGN, MIN_SHARE_WITH_SIGN * len(records)):
        return []
    return [InputFinding("id", f"{again:,} of {len(records):,} {noun} stand twice, with their id: were files joined?")]
