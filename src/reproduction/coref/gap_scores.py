"""How well decoded entities and pair marginals answer GAP's questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from nlpcalib.calibration.intervals import calibration_error
from reproduction.coref.gap import FEMININE, numbered_pairs, pronoun_word

if TYPE_CHECKING:
    from nlpcalib.systems.coref.answer.resolution import Resolution


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


def questions(resolutions: Iterable[Resolution]) -> Iterator[Question]:
    """Yield the two questions of each resolved document of `with_labels`."""
    for resolution in resolutions:
        document = resolution.document
        feminine = pronoun_word(document) in FEMININE
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
