"""Tags counted in the documents of the test set by taggers' probabilities, and whether intervals hold the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from nlpcalib.text.conllu import read_conllu
from reproduction.tables.files import TitledRows
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.counts import tag_count_rows
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.templates import with_templates


def tag_counts(
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
