"""The entry point by which spaCy finds the component: spaCy loads it with every pipeline, so it imports little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spacy.language import Language

if TYPE_CHECKING:
    from nlpcalib.systems.coref.answer.spacy_component import CorefComponent


@Language.factory(
    "nlpcalib_coref",
    default_config={
        "model": None,
        "threshold": None,
        "temperature": None,
        "window": 1000,
        "resolved_at_least": 0.9,
    },
    requires=["token.tag", "token.dep", "token.head"],
    assigns=[
        *("doc.spans", "span._.coref_entity", "token._.coref_entities", "doc._.resolved_text"),
        *(f"doc._.coref_{name}" for name in ("mentions", "entities", "marginals", "antecedents", "characters")),
    ],
)
def make_component(
    nlp: Language,
    name: str,
    model: str | None,
    threshold: float | None,
    temperature: float | dict[str, float] | None,
    window: int | None,
    resolved_at_least: float,
) -> CorefComponent:
    """Return the component; settings are parameters of `systems.coref.resolve`."""
    from nlpcalib.systems.coref.answer.spacy_component import CorefComponent

    return CorefComponent(
        model,
        threshold=threshold,
        temperature=temperature,
        window=window,
        resolved_at_least=resolved_at_least,
    )
