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
        "temperature": 1.0,
        "window": 1000,
    },
    requires=["token.tag", "token.dep", "token.head"],
    assigns=[
        *("doc.spans", "doc._.resolved_text"),
        *(f"doc._.coref_{name}" for name in ("mentions", "entities", "marginals", "antecedents")),
    ],
)
def make_component(
    nlp: Language,
    name: str,
    model: str | None,
    threshold: float | None,
    temperature: float,
    window: int | None,
) -> CorefComponent:
    """Return the component; settings are parameters of `systems.coref.resolve`."""
    from nlpcalib.systems.coref.answer.spacy_component import CorefComponent

    return CorefComponent(model, threshold=threshold, temperature=temperature, window=window)
