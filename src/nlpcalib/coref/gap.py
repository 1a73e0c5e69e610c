"""GAP's snippets as documents, and how well decoded entities and pair marginals answer its questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from nlpcalib.calibration.intervals import calibration_error
from nlpcalib.coref.mentions import Span
from nlpcalib.corpora.document import Document, Mention
from nlpcalib.corpora.readers.gap import Snippet

if TYPE_CHECKING:
    from nlpcalib.coref.resolution import Resolution

_NAMES = ("A", "B")
_FEMININE = frozenset(("she", "her", "hers", "herself"))
_PRONOUNS = _FEMININE | {"he", "him", "his", "himself"}


def with_labels(document: Document, snippet: Snippet) -> Document:
    """Return the parsed text of a snippet with three mentions: the pronoun, and the names of which it may be one.

    The entity of the pronoun is called after the name that it stands for, `A` or `B`, or `neither`.
    """
    letters = np.cumsum([not character.isspace() for character in snippet.text])
    sizes = [len(word) for sentence in document.sentences for word in sentence.words]
    ends = np.cumsum(sizes)
    places = [
        (number, word) for number, sentence in enumerate(document.sentences) for word in range(len(sentence.words))
    ]
    referent = next((name for name, true in zip(_NAMES, snippet.coreferent, strict=True) if true), "neither")
    mentions = []
    for entity, (start, end) in zip((referent, *_NAMES), (snippet.pronoun, *snippet.names), strict=True):
        # Words are counted by their letters: the parser's words are those of the text, white space apart.
        first, last = np.searchsorted(ends, letters[[start, end - 1]])
        (sentence, begin), (other, stop) = places[first], places[last]
        stop = stop if other == sentence else len(document.sentences[sentence].words) - 1
        mentions.append(Mention(sentence, begin, stop + 1, entity))
    return replace(document, mentions=tuple(sorted(mentions)))


@dataclass(frozen=True, slots=True)
class Question:
    """A pronoun and a name of a snippet."""

    snippet: str
    feminine: bool
    coreferent: bool
    probability: float
    """The pair's exact marginal; 0 if one of the two was found to be no mention."""
    together: bool
    """Whether the decoded entities have them in one."""


def numbered_pairs(document: Document, spans: Sequence[Span]) -> list[tuple[int, int, bool]]:
    """Return (pronoun, name, coreferent) for both names of a document of `with_labels`; -1 for no mention found."""
    pronoun = _pronoun(document)
    return [
        (_numbered(pronoun, spans), _numbered(name, spans), name.entity == pronoun.entity)
        for name in document.mentions
        if name is not pronoun
    ]


def questions(resolutions: Iterable[Resolution]) -> Iterator[Question]:
    """Yield the two questions of each resolved document of `with_labels`."""
    for resolution in resolutions:
        document = resolution.document
        feminine = _word(document, _pronoun(document)) in _FEMININE
        for pronoun, name, coreferent in numbered_pairs(document, resolution.mentions):
            found = min(pronoun, name) >= 0
            yield Question(
                document.id,
                feminine,
                coreferent,
                float(resolution.marginals[pronoun, name]) if found else 0.0,
                bool(found and resolution.entities[pronoun] == resolution.entities[name]),
            )


def gap_rows(answered: Sequence[Question], *, bin_size: int) -> list[dict]:
    """Return a row for all questions, those of masculine and of feminine pronouns.

    Recall, precision and F1 are GAP's own, of pairs that the decoded entities join (Webster et al. 2018, section 4).
    `calibration_error` is Algorithm 1's over the pairs' marginals. `f1_ratio` is feminine over masculine.
    """
    masculine, feminine = ([one for one in answered if one.feminine is gender] for gender in (False, True))
    scores = [_scores(part) for part in (answered, masculine, feminine)]
    ratio = scores[2]["f1"] / scores[1]["f1"] if scores[1]["f1"] else float("nan")
    return [
        {
            "pronouns": name,
            "pairs": len(part),
            "coreferent_pairs": sum(one.coreferent for one in part),
            "expected_pairs": sum(one.probability for one in part),
            **score,
            "f1_ratio": ratio if name == "all" else "",
            "calibration_error": calibration_error(
                np.array([one.probability for one in part]),
                np.array([one.coreferent for one in part]),
                bin_size=bin_size,
            ),
        }
        for name, part, score in zip(
            ("all", "masculine", "feminine"), (answered, masculine, feminine), scores, strict=True
        )
    ]


def _scores(answered: Sequence[Question]) -> dict[str, float]:
    right = sum(one.together and one.coreferent for one in answered)
    recall, precision = (
        right / max(sum(getattr(one, name) for one in answered), 1) for name in ("coreferent", "together")
    )
    return {"recall": recall, "precision": precision, "f1": 2 * recall * precision / max(recall + precision, 1e-300)}


def _pronoun(document: Document) -> Mention:
    return next(mention for mention in document.mentions if _word(document, mention) in _PRONOUNS)


def _word(document: Document, mention: Mention) -> str:
    return " ".join(document.sentences[mention.sentence].words[mention.start : mention.end]).lower()


def _numbered(mention: Mention, spans: Sequence[Span]) -> int:
    """Return the number of the span that a mention is, or of the longest that has its head in it, or -1."""
    found = [
        ((span.start, span.end) == (mention.start, mention.end), span.end - span.start, -number)
        for number, span in enumerate(spans)
        if span.sentence == mention.sentence and mention.start <= span.head < mention.end
    ]
    return -max(found)[2] if found else -1
