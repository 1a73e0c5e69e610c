"""How often a tag occurs in a document, by a tagger's probabilities, and whether intervals hold the count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import numpy as np

from nlpcalib.systems.text.conllu import read_conllu
from reproduction.estimation.count_rows import IntervalRow, UncertainUnits, count_rows
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.templates import with_templates
from reproduction.workflow.table_files import TitledRows


def tag_count_table(
    hmm: str, hmm_recalibrated: str, crf: str, crf_recalibrated: str, dev: str, test: str, *, tags: Sequence[str]
) -> list[TitledRows]:
    """Return rows of each model, trained and recalibrated, and of each of `tags`."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (dev, test)]
    rows = []
    for model, *paths in (("hmm", hmm, hmm_recalibrated), ("crf", crf, crf_recalibrated)):
        trained, recalibrated = map(LinearChain.load, paths)
        fitted, judged = (with_templates(corpus, trained.metadata.get("templates", ())) for corpus in corpora)
        found = tag_count_rows(trained, recalibrated, fitted, judged, tags)
        rows += [{"model": model, "tag": tag, **asdict(row)} for tag, row in found]
    return [("The number of a tag in a document: intervals that promise 95 %", rows)]


def tag_count_rows(
    trained: LinearChain, recalibrated: LinearChain, dev: TaggedCorpus, test: TaggedCorpus, tags: Sequence[str]
) -> Iterator[tuple[str, IntervalRow]]:
    """Yield three rows for each of `tags` that chains have: effects are fitted to `dev`, intervals judged on `test`.

    A chain's weights are of all tags together, and the map of `count_rows` corrects what they leave: a proper noun that
    the tagger gives .001 occurs many times as often.

    The corpora have the attributes that the chains expect, see `with_templates`.
    """
    before = _Predictions(trained, test)
    fitted, after = _Predictions(recalibrated, dev), _Predictions(recalibrated, test)
    for tag in tags:
        if tag in recalibrated.tags:
            for row in count_rows([before.units(tag)], [after.units(tag)], [fitted.units(tag)]):
                yield tag, row


class _Predictions:
    """A chain's marginals on a corpus, and the document of each token."""

    def __init__(self, chain: LinearChain, corpus: TaggedCorpus) -> None:
        self.tags, self.gold = corpus.gold_in(chain.tags)
        self.single = np.clip(chain.marginals(corpus.tokens, corpus.lengths).single, 0.0, 1.0)
        self.document = corpus.document_of_token

    def units(self, tag: str) -> UncertainUnits:
        number = self.tags.index(tag)
        return UncertainUnits(self.single[:, number], self.gold == number, self.document)
