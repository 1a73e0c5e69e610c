"""k answers sampled to one question: their agreement as the probability of the answer that most of them give.

One question a line: `answers`, a list of texts, and the right answer as `gold`, a text, or a list of texts each of
which is right. Answers are equal if they are after normalisation. Sources: Wang et al. (2023) for self-consistency,
Xiong et al. (2024, section 3.3) for the share of agreement as confidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from nlpcalib.predictions.answers import compared_answers, is_right, normalise
from nlpcalib.predictions.examples import Example
from nlpcalib.predictions.records import Record

_EXPECTED_ANSWERS = "a list of at least two texts"


def read_sampled_answers(records: Iterable[Record]) -> Iterator[Example]:
    """Yield the distinct answers to each question, their shares as probabilities.

    Answers that are given equally often stand in the order in which they were sampled: samples have no order, so that
    this is a draw. The question is the unit.
    """
    for record in records:
        answers = record.get("q", list, _EXPECTED_ANSWERS)
        if len(answers) < 2:
            record.refuse(f"{len(answers)} {record.keys['q']}", _EXPECTED_ANSWERS)
        given = [normalise(record.check(answer, str, _EXPECTED_ANSWERS, record.keys["q"])) for answer in answers]
        shares = Counter(given)  # in the order of first appearance
        q = [count / len(given) for count in shares.values()]
        y = [is_right(record, answer) for answer in shares]
        unit = record.unit("unit", "id")
        marks = record.marks(unit, len(q), answer=list(shares))
        compared = compared_answers(record, max(shares, key=shares.__getitem__))
        yield Example(record.place, unit, q, y, record.labels(len(q)), True, compared, marks)
