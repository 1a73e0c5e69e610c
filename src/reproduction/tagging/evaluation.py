"""A trained tagger on a test set: its posterior marginals, its accuracy, and what it was trained on."""

from __future__ import annotations

from nlpcalib.systems.chains.forward_backward import Marginals
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus
from reproduction.tagging.selection import tagging_accuracy
from reproduction.tagging.templates import unknown_words, with_templates


def evaluate_tagger(chain: LinearChain, words: TaggedCorpus) -> tuple[Marginals, dict]:
    """Return exact marginals on `words`, and sizes, rate of unknown words, accuracy and training as `evaluation.json`.

    Tokens are seen through the model's own templates, as its metadata names them; raises InputError as
    `with_templates` does, and if there are no tokens.
    """
    templates = chain.metadata.get("templates", ())
    test = with_templates(words, templates)
    return chain.marginals(test.tokens, test.lengths), {
        "accuracy": tagging_accuracy(chain, test),
        "sentences": len(test.lengths),
        "tokens": len(test.tokens),
        "tags": len(chain.tags),
        "attributes": len(chain.attributes),
        "unknown_words": unknown_words(words, chain.attributes, templates),
        "training": dict(chain.metadata),
    }
