"""Probabilities of noun and adjective phrases by taggers, trained and recalibrated, and counts of phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from nlpcalib.text.conllu import read_conllu
from reproduction.tables.files import TitledRows
from reproduction.tagging.chain import LinearChain
from reproduction.tagging.data import tagged_corpus
from reproduction.tagging.phrases import TaggedPhrases, phrase_count_rows, recalibrated_chains
from reproduction.tagging.templates import with_templates


def phrase_tables(models: Sequence[str], dev: str, test: str, *, names: Sequence[str]) -> list[TitledRows]:
    """Return errors by query and length of models by name, and how intervals of counts do after one temperature."""
    corpora = [tagged_corpus(read_conllu(path)) for path in (dev, test)]
    errors, counts = [], []
    for name, path in zip(names, models, strict=True):
        chain = LinearChain.load(path)
        fitted, judged = (with_templates(corpus, chain.metadata.get("templates", ())) for corpus in corpora)
        chains = dict(recalibrated_chains(chain, fitted))
        found = {stage: TaggedPhrases(each, judged) for stage, each in chains.items()}
        errors += [{"model": name, **asdict(row)} for stage, each in found.items() for row in each.rows(stage)]
        counted = phrase_count_rows(found["none"], found["temperature"], TaggedPhrases(chains["temperature"], fitted))
        counts += [{"model": name, "phrase": phrase, **asdict(row)} for phrase, row in counted]
    return [
        ("Noun phrases and adjective phrases: is this span one?", errors),
        ("The number of phrases in a document: intervals that promise 95 %", counts),
    ]
