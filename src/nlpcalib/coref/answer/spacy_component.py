"""A component of spaCy pipelines: `nlp.add_pipe("nlpcalib_coref")`, after a tagger and a parser of English.

What it finds is in `doc._`:

* `coref_mentions`: the mentions, spans in the order of the text, each labelled with its kind;
* `coref_entities`: the entities of several mentions, groups of spans, whose `name` is the best name and whose `attrs`
  are `mentions` (numbers of `coref_mentions`), `coherence` and `probability`;
* `coref_marginals`: the exact probability that two mentions share an entity, float64 (mentions, mentions);
* `coref_antecedents`: the probability of each antecedent of each mention, likewise;
* `resolved_text`: the text with the pronouns of entities replaced by the entities' names.

For documents of more mentions than the window, the two arrays are sparse, see `nlpcalib.coref.model.long_documents`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from spacy.tokens import Doc, Span, SpanGroup

from nlpcalib.coref.answer.names import entity_names, resolved_text
from nlpcalib.coref.answer.resolution import PACKAGED, Resolution, resolve_mentions
from nlpcalib.coref.model.mentions import Span as Mention
from nlpcalib.coref.model.mentions import candidate_mentions
from nlpcalib.coref.model.model import load_model
from nlpcalib.coref.model.phrases import PROPER_TAGS
from nlpcalib.errors import InputError
from nlpcalib.text.document import Document, Sentence
from nlpcalib.text.parsing.clearnlp import to_universal

_KEY = "nlpcalib_coref"
_CLEARNLP = frozenset({"nsubjpass", "pobj", "dobj", "prep", "attr", "poss"})
"""Relations of ClearNLP that Universal Dependencies do not have."""


class CorefComponent:
    """Finds entities in a document that is tagged and parsed."""

    def __init__(
        self, model: str | None, threshold: float | None, window: int | None, resolved_at_least: float
    ) -> None:
        self._model = load_model(Path(model) if model else PACKAGED)
        self._threshold, self._window, self._at_least = threshold, window, resolved_at_least

    def __call__(self, doc: Doc) -> Doc:
        """Set the document's attributes; raises `InputError` if it has no tags, or is not parsed."""
        document, tokens = document_of(doc)
        spans = [span for span in candidate_mentions(document) if not _is_part_of_name(document, span)]
        found = resolve_mentions(document, spans, self._model, threshold=self._threshold, window=self._window)
        doc.user_data[_KEY] = _stored(found, tokens) | {"text": resolved_text(found, at_least=self._at_least)}
        return doc


def _is_part_of_name(document: Document, span: Mention) -> bool:
    """Return whether a mention is the Ana of Ana Ruiz: to ClearNLP a compound, as the Oslo of Oslo police is."""
    sentence = document.sentences[span.sentence]
    above = sentence.heads[span.head] - 1
    return (
        document.metadata.get("relations") == "ClearNLP"
        and sentence.relations[span.head] == "compound"
        and sentence.tags[above] in PROPER_TAGS
    )


def document_of(doc: Doc) -> tuple[Document, list[list[int]]]:
    """Return a spaCy document as one of this library, and which token each word of each sentence is.

    Tokens of white space are left out. ClearNLP's relations become Universal Dependencies. Raises `InputError` for a
    document without tags, heads or relations.
    """
    for annotation in ("TAG", "DEP"):
        if len(doc) and not doc.has_annotation(annotation):
            raise InputError(f"document: found no annotation {annotation}, expected a tagger and a parser before")
    clearnlp = any(token.dep_ in _CLEARNLP for token in doc)
    sentences, tokens = [], []
    for number, sent in enumerate(doc.sents, 1):
        kept = [token for token in sent if not token.is_space]
        if not kept:
            continue
        places = {token.i: place for place, token in enumerate(kept, 1)}
        heads = []
        for token in kept:
            head = token.head
            while head.is_space and head.head.i != head.i:
                head = head.head
            heads.append(0 if head.i == token.i else places.get(head.i, 0))
        sentence = Sentence(
            str(number),
            tuple(token.text for token in kept),
            tags=tuple(token.tag_ or "XX" for token in kept),
            heads=tuple(heads),
            relations=tuple(
                "root" if not head else token.dep_ or "dep" for token, head in zip(kept, heads, strict=True)
            ),
            space_after=tuple(doc.text[token.idx + len(token) :][:1].isspace() for token in kept),
        )
        sentences.append(to_universal(sentence) if clearnlp else sentence)
        tokens.append([token.i for token in kept])
    metadata = {"relations": "ClearNLP"} if clearnlp else {}
    return Document("document", tuple(sentences), metadata=metadata, source=doc.text), tokens


def _stored(found: Resolution, tokens: list[list[int]]) -> dict[str, Any]:
    """Return what the attributes are made of, in types that `Doc.to_bytes` takes."""
    return {
        "spans": np.array(
            [(tokens[m.sentence][m.start], tokens[m.sentence][m.end - 1] + 1) for m in found.mentions], np.int64
        ).reshape(-1, 2),
        "kinds": [mention.kind for mention in found.mentions],
        "entities": found.entities,
        "names": entity_names(found),
        "coherence": found.coherence,
        "probability": found.probabilities,
        "marginals": _parts(found.marginals),
        "antecedents": _parts(found.conditionals),
    }


def _parts(matrix: Any) -> list[np.ndarray]:
    return [matrix] if isinstance(matrix, np.ndarray) else [matrix.data, matrix.indices, matrix.indptr]


def _matrix(doc: Doc, name: str) -> Any:
    stored = doc.user_data.get(_KEY)
    if stored is None:
        return None
    parts, count = stored[name], len(stored["kinds"])
    return parts[0] if len(parts) == 1 else sparse.csr_array(tuple(parts), shape=(count, count))


def _mentions(doc: Doc) -> list[Span]:
    stored = doc.user_data.get(_KEY, {"spans": [], "kinds": []})
    return [
        Span(doc, int(start), int(end), label=kind)
        for (start, end), kind in zip(stored["spans"], stored["kinds"], strict=True)
    ]


def _entities(doc: Doc) -> list[SpanGroup]:
    stored = doc.user_data.get(_KEY)
    if stored is None:
        return []
    mentions, entities = _mentions(doc), np.asarray(stored["entities"])
    groups = []
    for number, name in enumerate(stored["names"]):
        members = np.flatnonzero(entities == number).tolist()
        if len(members) > 1:
            attrs = {key: float(stored[key][number]) for key in ("coherence", "probability")}
            spans = [mentions[member] for member in members]
            groups.append(SpanGroup(doc, name=name, attrs={"mentions": members, **attrs}, spans=spans))
    return groups


Doc.set_extension("coref_mentions", getter=_mentions, force=True)
Doc.set_extension("coref_entities", getter=_entities, force=True)
Doc.set_extension("coref_marginals", getter=lambda doc: _matrix(doc, "marginals"), force=True)
Doc.set_extension("coref_antecedents", getter=lambda doc: _matrix(doc, "antecedents"), force=True)
Doc.set_extension("resolved_text", getter=lambda doc: doc.user_data.get(_KEY, {"text": doc.text})["text"], force=True)
