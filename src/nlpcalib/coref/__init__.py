"""Coreference with exact entity posteriors from an antecedent model (paper, section 5)."""

from nlpcalib.lazy import lazy_names

__getattr__, __dir__, __all__ = lazy_names(
    __name__,
    {
        "answer.antecedents": "antecedents_from_scores from_antecedents from_fastcoref",
        "model.model": "AntecedentModel load_model",
        "model.pair_weights": "PairWeights fit_pair_weights",
        "answer.names": "entity_names resolved_text",
        "answer.reading": "read_documents",
        "answer.resolution": "PACKAGED_MODEL Resolution resolve",
        "answer.view": "write_coref_page",
    },
)
