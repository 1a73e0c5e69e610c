"""When an answer in words is right: exact match after normalisation."""

from __future__ import annotations

import re
import unicodedata

from nlpcalib.predictions.formats.records import Record

_EXPECTED_ANSWER = "the right answer, or a list of right answers"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PUNCTUATION = re.compile(r"(?<!\d)[^\w\s.-]|[^\w\s.-](?!\d)|(?<=[^\W\d])[.-]|[.-](?!\d)|(?<=\d)-")
_ENGLISH_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise(answer: str) -> str:
    """Return an answer in lower case without punctuation, articles and extra space, as SQuAD's script compares answers.

    Unlike there, signs and decimal points of numbers stay (`-3.5` is not `35`), and commas between thousands go.

    Source: Rajpurkar et al. (2016), section 6.1.
    """
    text = _THOUSANDS.sub("", unicodedata.normalize("NFKC", answer).casefold())
    text = _PUNCTUATION.sub("", text)
    return " ".join(_ENGLISH_ARTICLES.sub(" ", text).split()) or " ".join(text.split()) or answer.strip()


def is_right(record: Record, answer: str) -> bool:
    """Return whether a normalised answer is that of the record, or one of those; False where labels are not read.

    Raises `InputError` for a record without the right answer.
    """
    if not record.labelled:
        return False
    gold = record.get("y", (str, int, float, list), _EXPECTED_ANSWER)
    golds = gold if isinstance(gold, list) else [gold]
    return answer in {
        normalise(str(record.check(item, (str, int, float), _EXPECTED_ANSWER, record.keys["y"]))) for item in golds
    }


def compared_answers(record: Record, answer: str) -> tuple[str, str] | None:
    """Return an answer and the right one, for messages; None where labels are not read."""
    return (answer, str(record.values[record.keys["y"]])) if record.labelled else None
