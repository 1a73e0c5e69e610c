"""Which twelve tasks there are, which corpora of the registry each needs, and how many labels a draw has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """An annotated corpus, and a model that was trained on other texts."""

    title: str
    corpora: tuple[str, ...]
    """Their archives have the items, and what the model is trained on."""
    labels: int = 200
    """Items that a draw labels; documents, for pairs of mentions."""


TASKS = {
    "nouns": Task("common nouns, web text", ("ud_ewt_r2.14",)),
    "interjections": Task("interjections, web text", ("ud_ewt_r2.14",), 300),
    "participles": Task("participles, news", ("ud_ewt_r2.14", "nltk_treebank")),
    "tweets": Task("names in tweets", ("ud_ewt_r2.14", "ark_tweets")),
    "spans": Task("spans of names, CRF", ("ud_ewt_r2.14",)),
    "happy": Task("happy messages", ("irc_disentanglement",)),
    "attacks": Task("reports of attacks, MUC", ("muc3", "muc4_keys"), 150),
    "conflict": Task("armed conflict, news", ("wikipedia_current_events",)),
    "pronouns": Task("pronouns and names, GAP", ("gap_development",)),
    "digits": Task("images of an 8", (), 150),
    "ontogum_pairs": Task("mentions, OntoGUM", ("ontogum_v11.1",), 20),
    "litbank_pairs": Task("mentions, LitBank", ("ontogum_v11.1", "litbank"), 15),
}
"""By the names of their files."""
