"""Where spaCy finds the component: it loads this module, here and in any pipeline, whether or not it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.language import Language

if TYPE_CHECKING:
    from nlpcalib.coref.answer.spacy_component import CorefComponent


@Language.factory(
    "nlpcalib_coref",
    default_config={"model": None, "threshold": None, "window": 1000, "resolved_at_least": 0.5},
    requires=["token.tag", "token.dep", "token.head"],
    assigns=[
        f"doc._.{name}"
        for name in ("coref_mentions", "coref_entities", "coref_marginals", "coref_antecedents", "resolved_text")
    ],
)
def make_component(
    nlp: Language, name: str, model: str | None, threshold: float | None, window: int | None, resolved_at_least: float
) -> CorefComponent:
    """Return the component; settings are those of `nlpcalib.coref.resolve`, and `at_least` of `resolved_text`."""
    from nlpcalib.coref.answer.spacy_component import CorefComponent

    return CorefComponent(model, threshold, window, resolved_at_least)
