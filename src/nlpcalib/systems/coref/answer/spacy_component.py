"""A component of spaCy pipelines: `nlp.add_pipe("nlpcalib_coref")`, after a tagger and a parser of English.

Its results are in `doc._`:

* `coref_mentions`: the mentions, spans in the order of the text, each labelled with its kind;
* `coref_entities`: entities of two mentions or more, as groups of spans. `name` is the best name, and `attrs` are
  `mentions` (indices into `coref_mentions`), `coherence` and `probability`;
* `coref_marginals`: the exact probability that two mentions share an entity, float64 (mentions, mentions);
* `coref_antecedents`: the probability of each antecedent of each mention, likewise;
* `resolved_text`: the text with the pronouns of entities replaced by the entities' names.

In documents with more mentions than the window, the two arrays are sparse, see
`nlpcalib.systems.coref.model.long_documents`.

The group `doc.spans["coref_mentions"]` stores everything, with entities as the `id_` of its spans, so that bytes,
pickles and `DocBin` keep it. Mentions are located by characters if tokens were merged or split. One that is only a part
of a merged token (*her* in *her brother*) has that token in `coref_mentions`, and is in no entity. spaCy leaves the
group's places as they were: read `coref_mentions` after a merge, before you store the document. `Span.as_doc` and
`Doc.from_docs` drop probabilities: then `doc._` raises `InputError`, as it does if the component never ran.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from spacy.tokens import Doc, Span, SpanGroup

from nlpcalib.errors import InputError, quoted
from nlpcalib.systems.coref.answer.names import entity_names, resolved_text
from nlpcalib.systems.coref.answer.offsets import Offsets
from nlpcalib.systems.coref.answer.resolution import PACKAGED_MODEL, Resolution, resolve_mentions
from nlpcalib.systems.coref.model.mentions import PROPER_TAGS, candidate_mentions
from nlpcalib.systems.coref.model.mentions import Span as Mention
from nlpcalib.systems.coref.model.model import load_model
from nlpcalib.systems.text.document import Document, Sentence
from nlpcalib.systems.text.parsing.clearnlp import to_universal
from nlpcalib.systems.text.titles import with_titled_names

_SPAN_GROUP = "coref_mentions"


class CorefComponent:
    """Finds entities in a document that is tagged and parsed."""

    def __init__(self, model: str | None = None, *, window: int | None = 1000, **settings: Any) -> None:
        """Load the model; `settings` are further parameters of `resolve_mentions`."""
        self._model = load_model(Path(model) if model else PACKAGED_MODEL)
        self._settings = {"window": window, **settings}

    def __call__(self, doc: Doc) -> Doc:
        """Set the document's attributes; raises `InputError` if it has no tags or trees."""
        document = document_of(doc)
        spans = [span for span in candidate_mentions(document) if not _is_part_of_name(document, span)]
        resolution = resolve_mentions(document, spans, self._model, **self._settings)
        doc.spans[_SPAN_GROUP] = _group(doc, _stored(resolution))
        return doc


def _is_part_of_name(document: Document, span: Mention) -> bool:
    """Return whether a mention is part of a name, as Ana in Ana Ruiz: ClearNLP has a compound, as in Oslo police."""
    sentence = document.sentences[span.sentence]
    above = sentence.heads[span.head] - 1
    return (
        document.metadata.get("relations") == "ClearNLP"
        and sentence.relations[span.head] == "compound"
        and sentence.tags[above] in PROPER_TAGS
    )


def document_of(doc: Doc) -> Document:
    """Convert a spaCy document to a `Document`.

    White-space tokens are dropped. ClearNLP's relations become Universal Dependencies. Raises `InputError` for a
    document without tags, heads or relations, and for merged tokens, such as *her brother*, that are no named entity.
    """
    for annotation in ("TAG", "DEP"):
        if len(doc) and not doc.has_annotation(annotation):
            raise InputError(f"document: found no annotation {annotation}, expected a tagger and a parser to run first")
    if merged := [token.text for token in doc if len(token.text.split()) > 1 and not token.ent_type_]:
        raise InputError(
            f"document: found the token {quoted(merged[0])}, expected single words: merge_noun_chunks may come after "
            "nlpcalib_coref, not before"
        )
    # Universal Dependencies have none of these.
    clearnlp = any(token.dep_ in ("nsubjpass", "pobj", "dobj", "prep", "attr", "poss") for token in doc)
    sentences = []
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
        sentences.append(with_titled_names(to_universal(sentence) if clearnlp else sentence))
    metadata = {"relations": "ClearNLP"} if clearnlp else {}
    return Document("document", tuple(sentences), metadata=metadata, source=doc.text)


def _stored(found: Resolution) -> dict[str, Any]:
    """Return the data behind the attributes, in types that `Doc.to_bytes` takes."""
    offsets = Offsets(found.document)
    characters = [offsets.of(mention) for mention in found.mentions]
    return {
        "characters": np.array(characters, np.int64).reshape(-1, 2),
        "kinds": [mention.kind for mention in found.mentions],
        "entities": found.entities,
        "names": entity_names(found),
        "coherence": found.coherence.tolist(),
        "probability": found.probabilities.tolist(),
        "marginals": _parts(found.marginals),
        "antecedents": _parts(found.conditionals),
        "resolved_text": resolved_text(found),
        "document": sha256(offsets.text.encode(errors="replace")).hexdigest()[:8],
    }


def _parts(matrix: Any) -> list[np.ndarray]:
    """Return the arrays of a matrix, dense or sparse."""
    return [matrix] if isinstance(matrix, np.ndarray) else [matrix.data, matrix.indices, matrix.indptr]


def _group(doc: Doc, stored: dict[str, Any]) -> SpanGroup:
    """Return the mentions as spans of the document's current tokens, with the stored data."""
    rows = zip(stored["characters"].tolist(), stored["kinds"], stored["entities"].tolist(), strict=True)
    mark = stored["document"]
    spans = []
    for (start, end), kind, entity in rows:
        span = doc.char_span(start, end, kind, span_id=f"e{entity + 1}-{mark}", alignment_mode="expand")
        if span is None:
            raise InputError(f"document: found no characters {start} to {end}, expected those of nlpcalib_coref's text")
        spans.append(span)
    return SpanGroup(doc, name=_SPAN_GROUP, attrs=stored, spans=spans)


def _found(doc: Doc) -> dict[str, Any]:
    group = doc.spans.get(_SPAN_GROUP)
    if group is None or "entities" not in group.attrs:
        raise InputError(
            "document: found no entities, expected nlpcalib_coref to have run on it; Span.as_doc and Doc.from_docs "
            "drop its results"
        )
    return group.attrs


def _mentions(doc: Doc) -> list[Span]:
    # After tokens are merged or split, the group's spans point to other words.
    doc.spans[_SPAN_GROUP] = _group(doc, _found(doc))
    return list(doc.spans[_SPAN_GROUP])


def _matrix(doc: Doc, name: str) -> Any:
    stored = _found(doc)
    parts, count = stored[name], len(stored["kinds"])
    return parts[0] if len(parts) == 1 else sparse.csr_array(tuple(parts), shape=(count, count))


def _entities(doc: Doc) -> list[SpanGroup]:
    mentions, stored = _mentions(doc), _found(doc)
    groups = []
    for number, name in enumerate(stored["names"]):
        members = [
            member
            for member in np.flatnonzero(np.asarray(stored["entities"]) == number).tolist()
            if [mentions[member].start_char, mentions[member].end_char] == list(stored["characters"][member])
        ]
        if len(members) > 1:
            attrs = {"mentions": members, **{key: stored[key][number] for key in ("coherence", "probability")}}
            groups.append(SpanGroup(doc, name=name, attrs=attrs, spans=[mentions[member] for member in members]))
    return groups


Doc.set_extension("coref_mentions", getter=_mentions, force=True)
Doc.set_extension("coref_entities", getter=_entities, force=True)
Doc.set_extension("coref_marginals", getter=lambda doc: _matrix(doc, "marginals"), force=True)
Doc.set_extension("coref_antecedents", getter=lambda doc: _matrix(doc, "antecedents"), force=True)
Doc.set_extension("resolved_text", getter=lambda doc: _found(doc)["resolved_text"], force=True)
