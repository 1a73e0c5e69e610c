"""Coreference: the antecedent model as a producer of entity posteriors (paper, section 5)."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "antecedents": "antecedents_from_scores from_antecedents",
        "model": "AntecedentModel load_model",
        "names": "entity_names resolved_text",
        "reading": "read_documents",
        "resolution": "PACKAGED Resolution resolve",
        "view": "write_page",
    },
)
