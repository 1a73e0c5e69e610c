"""The items of twelve annotated corpora, with predictions of a small model that was trained on other texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline

from nlpcalib.calibration.pairs import Categories, Pairs
from nlpcalib.seeding import generator
from nlpcalib.systems.chains.spans import SpanTags, span_marginals, spans_of
from nlpcalib.systems.text.document import Document
from reproduction.coref.gap import FEMININE
from reproduction.corpora.readers.current_events import read_current_events
from reproduction.corpora.readers.gap import Snippet, read_gap
from reproduction.corpora.readers.irc import read_irc
from reproduction.corpora.readers.litbank import read_litbank
from reproduction.corpora.readers.muc3 import read_muc3
from reproduction.corpora.readers.muc4_keys import read_muc4_keys
from reproduction.corpora.readers.nltk_treebank import read_nltk_treebank
from reproduction.corpora.readers.ontogum import read_ontogum
from reproduction.corpora.readers.split_files import read_ark_split, read_conllu_split
from reproduction.sentiment.emoticons import is_happy, without_smiles
from reproduction.tagging.crf import fit_crf
from reproduction.tagging.data import TaggedCorpus, tagged_corpus
from reproduction.tagging.hmm import HMMCounts
from reproduction.tagging.templates import with_templates

SPLITS = ("train", "dev", "test")

EWT_FILES = {split: f"en_ewt-ud-{split}.conllu" for split in SPLITS}
TWEETS = {"test": "twpos-data-v0.3/daily547.conll"}
PSEUDOCOUNT = 0.01
"""What the hidden Markov model adds to each count."""
CRF_SENTENCES, CRF_C2 = 2000, 0.03
LISTED_FROM = 0.02
"""Probability from which a span is an item."""
NAMES = ("NNP", "NNPS")
FROWNS = re.compile(r"(?<!\S)(?:[:=][-o^']?[(\[]+|[)\]]+[-o^']?[:=])(?!\S)")
TRAINING = {"attacks": 400, "conflict": 3000, "pronouns": 600, "digits": 300, "pairs": 200}
"""Items that a model is trained on, which are drawn at random; pairs of mentions of each document."""
CONFLICT_ITEMS = 8000
EARLIER_MENTIONS = 8
"""How many mentions before a mention are paired with it."""
PRONOUNS = FEMININE | {
    "he", "him", "his", "himself", "it", "its", "i", "me", "my", "we", "us", "our", "you", "your", "they",
}  # fmt: skip
PAIRS_PER_DOCUMENT = {"ontogum_pairs": 12, "litbank_pairs": 15}

Archives = Mapping[str, str]
"""The archive of each corpus that a task needs."""


def task_pairs(name: str, archives: Archives, seed: int) -> Pairs:
    """Return predictions and true labels of all items of a task, with their units and, as `predicted`, groups."""
    return MAKERS[name](archives, generator(seed, "real task", name))


def _pairs(q: Any, y: Any, groups: Sequence[str] | None = None, units: Sequence[str] | None = None) -> Pairs:
    columns = (None if each is None else Categories.of(np.arange(len(each)), each) for each in (groups, units))
    group, unit = columns
    return Pairs(np.clip(q, 0, 1), np.asarray(y, dtype=bool), group, unit)


def _ewt(archives: Archives, split: str) -> TaggedCorpus:
    return tagged_corpus(read_conllu_split(archives["ud_ewt_r2.14"], split, members=EWT_FILES))


def _tagged(archives: Archives, corpus: TaggedCorpus, tags: Sequence[str]) -> np.ndarray:
    """Return the probability that each word has one of some tags, by a hidden Markov model of EWT."""
    chain = HMMCounts.of(_ewt(archives, "train")).chain(PSEUDOCOUNT)
    single = chain.marginals(corpus.tokens, corpus.lengths).single
    return single[:, np.isin(chain.tags, tags)].sum(axis=1)


def _genres(corpus: TaggedCorpus) -> list[str]:
    return [name.split("-")[0] for name in np.repeat(corpus.documents, corpus.lengths).tolist()]


def _ewt_tag(tag: str) -> Callable[[Archives, np.random.Generator], Pairs]:
    def make(archives: Archives, _: np.random.Generator) -> Pairs:
        corpus = _ewt(archives, "test")
        return _pairs(_tagged(archives, corpus, [tag]), _is_tagged(corpus, [tag]), _genres(corpus))

    return make


def _is_tagged(corpus: TaggedCorpus, tags: Sequence[str]) -> np.ndarray:
    return np.isin(corpus.tags, tags)[corpus.gold]


def _participles(archives: Archives, _: np.random.Generator) -> Pairs:
    corpus = tagged_corpus(read_nltk_treebank(archives["nltk_treebank"], "test"))
    return _pairs(_tagged(archives, corpus, ["VBN"]), _is_tagged(corpus, ["VBN"]))


def _tweet_names(archives: Archives, _: np.random.Generator) -> Pairs:
    corpus = tagged_corpus(read_ark_split(archives["ark_tweets"], "test", members=TWEETS))
    words = [corpus.tokens.names[code] for code in corpus.tokens.indices.tolist()]
    groups = ["capital" if word[0].isupper() else "sign" if word[0] in "@#" else "other" for word in words]
    return _pairs(_tagged(archives, corpus, NAMES), _is_tagged(corpus, ["^", "Z"]), groups)


def _name_spans(archives: Archives, random: np.random.Generator) -> Pairs:
    train, test = (_ewt(archives, split) for split in ("train", "test"))
    train = train.subset(np.sort(random.choice(len(train.lengths), CRF_SENTENCES, replace=False)))
    templates = ("word", "context", "shape", "suffixes")
    corpora = [with_templates(_named(each), templates) for each in (train, test)]
    chain = fit_crf(corpora[0], c2=CRF_C2, max_iterations=100)
    tags = SpanTags.of(chain.tags)
    found = span_marginals(chain.marginals(corpora[1].tokens, test.lengths), tags, LISTED_FROM)
    gold = spans_of(corpora[1].gold, test.lengths, SpanTags.of(corpora[1].tags))
    true = set(zip(gold.start.tolist(), gold.end.tolist(), strict=True))
    y = [place in true for place in zip(found.start.tolist(), found.end.tolist(), strict=True)]
    return _pairs(found.probability, y, np.array(_genres(test))[found.start].tolist())


def _named(corpus: TaggedCorpus) -> TaggedCorpus:
    """Return a corpus whose tags are those of names: B at the first word, I inside, O."""
    named = _is_tagged(corpus, NAMES)
    inside = np.zeros(len(named), dtype=bool)
    inside[corpus.second] = (named[1:] & named[:-1])[corpus.second - 1]
    return replace(corpus, tags=("B-NAME", "I-NAME", "O"), gold=np.where(named, inside.astype(np.int64), 2))


def _happy(archives: Archives, _: np.random.Generator) -> Pairs:
    found = []
    for message in sorted(read_irc(archives["irc_disentanglement"], 0.001), key=lambda each: each.time):
        happy, sad = is_happy(message.text), FROWNS.search(message.text) is not None
        if happy != sad:
            year = int(np.datetime64(message.time, "s").astype("datetime64[Y]").astype(str))
            found.append((FROWNS.sub(" ", without_smiles(message.text)), happy, f"{year - year % 2}"))
    texts, y, years = zip(*found, strict=True)
    size = len(texts) * 2 // 5
    q = _naive_bayes(texts[:size], y[:size], texts[size:])
    return _pairs(q, y[size:], years[size:])


def _naive_bayes(texts: Sequence[str], y: Sequence[bool], others: Sequence[str]) -> np.ndarray:
    words = CountVectorizer(binary=True, min_df=2, token_pattern=r"\S+")
    return make_pipeline(words, MultinomialNB(alpha=0.5)).fit(texts, y).predict_proba(others)[:, 1]


def _logistic_regression(c: float) -> LogisticRegression:
    """Return one that ends where the loss does: the default stops where rounding leads it, at other probabilities."""
    return LogisticRegression(C=c, solver="newton-cg", tol=1e-8, max_iter=1000)


def _muc_attacks(archives: Archives, random: np.random.Generator) -> Pairs:
    kinds: dict[str, str] = {}
    for template in read_muc4_keys(archives["muc4_keys"]):
        kinds[template.message] = kinds.get(template.message, "") + template.slots.get("INCIDENT: TYPE", "")
    reports = [each for each in read_muc3(archives["muc3"], 0.1) if each.id in kinds]
    reports = [reports[row] for row in random.permutation(len(reports))]
    y = ["ATTACK" in kinds[each.id] or "BOMBING" in kinds[each.id] for each in reports]
    texts, size = [each.text for each in reports], TRAINING["attacks"]
    words = TfidfVectorizer(min_df=3, sublinear_tf=True)
    model = make_pipeline(words, _logistic_regression(10)).fit(texts[:size], y[:size])
    return _pairs(model.predict_proba(texts[size:])[:, 1], y[size:], [f"{each.date:%Y}" for each in reports[size:]])


def _armed_conflict(archives: Archives, random: np.random.Generator) -> Pairs:
    items = [
        (each.text, each.metadata["category"].lower().startswith("armed conflict"), each.date.year)
        for each in read_current_events(archives["wikipedia_current_events"], 0.01)
        if 2011 <= each.date.year <= 2020
    ]
    earlier, later = ([each for each in items if (each[2] < 2015) is early] for early in (True, False))
    texts, y, _ = zip(*_drawn(earlier, TRAINING["conflict"], random), strict=True)
    others, truth, years = zip(*_drawn(later, CONFLICT_ITEMS, random), strict=True)
    return _pairs(_naive_bayes(texts, y, others), truth, [f"{year - (year - 2015) % 2}" for year in years])


def _drawn(values: Sequence[Any], number: int, random: np.random.Generator) -> list[Any]:
    return [values[row] for row in random.permutation(len(values))[:number]]


def _pronouns(archives: Archives, random: np.random.Generator) -> Pairs:
    snippets = list(read_gap(archives["gap_development"]))
    snippets = _drawn(snippets, len(snippets), random)
    y, size = [each.coreferent[0] for each in snippets], TRAINING["pronouns"]
    features = [_of_snippet(each) for each in snippets]
    model = make_pipeline(DictVectorizer(), _logistic_regression(1)).fit(features[:size], y[:size])
    groups = ["she" if _pronoun(each) in FEMININE else "he" for each in snippets[size:]]
    return _pairs(model.predict_proba(features[size:])[:, 1], y[size:], groups)


def _pronoun(snippet: Snippet) -> str:
    return snippet.text[slice(*snippet.pronoun)].lower()


def _of_snippet(snippet: Snippet) -> dict[str, Any]:
    """Return what the model sees of a pronoun and two names: where they stand, and how often the names do."""
    found: dict[str, Any] = {"pronoun": _pronoun(snippet)}
    for letter, (start, end) in zip("ab", snippet.names, strict=True):
        first, last = sorted((start, snippet.pronoun[0]))
        found |= {
            f"distance {letter}": float(np.log1p(last - first)), f"after {letter}": float(start > snippet.pronoun[0]),
            f"sentences {letter}": float(snippet.text[first:last].count(". ")),
            f"times {letter}": float(snippet.text.count(snippet.text[start:end])),
        }  # fmt: skip
    return found


def _digits(_: Archives, random: np.random.Generator) -> Pairs:
    images, digit = load_digits(return_X_y=True)
    order, size = random.permutation(len(digit)), TRAINING["digits"]
    model = GaussianNB(var_smoothing=1e-3).fit(images[order[:size]], digit[order[:size]])
    return _pairs(model.predict_proba(images[order[size:]])[:, 8], digit[order[size:]] == 8)


def _coreferent(name: str) -> Callable[[Archives, np.random.Generator], Pairs]:
    def make(archives: Archives, random: np.random.Generator) -> Pairs:
        ontogum = archives["ontogum_v11.1"]
        training = [each for split in ("dev", "test") for each in read_ontogum(ontogum, split)]
        model = make_pipeline(DictVectorizer(), _logistic_regression(1))
        model.fit(*_mention_pairs(training, TRAINING["pairs"], random)[:2])
        documents = (
            list(read_ontogum(ontogum, "train")) if name == "ontogum_pairs" else
            [each for split in SPLITS for each in read_litbank(archives["litbank"], split)]
        )  # fmt: skip
        features, y, units = _mention_pairs(documents, PAIRS_PER_DOCUMENT[name], random)
        genres = [each.split("_")[1] for each in units]
        kept = {"news", "fiction", "academic"}
        groups = [genre if genre in kept else "other" for genre in genres] if name == "ontogum_pairs" else None
        return _pairs(model.predict_proba(features)[:, 1], y, groups, units)

    return make


def _mention_pairs(
    documents: Iterable[Document], number: int, random: np.random.Generator
) -> tuple[list[dict[str, Any]], list[bool], list[str]]:
    """Return features and truth of pairs of mentions that are drawn from each document, and its name for each."""
    features, y, units = [], [], []
    for document in documents:
        starts = np.cumsum([0, *(len(sentence.words) for sentence in document.sentences)])
        mentions = [
            (document.sentences[each.sentence].words[each.start : each.end], int(starts[each.sentence]) + each.start)
            for each in document.mentions
        ]
        near = [(i, j) for j in range(len(mentions)) for i in range(max(0, j - EARLIER_MENTIONS), j)]
        for i, j in _drawn(near, number, random):
            features.append(_of_mentions(mentions[i], mentions[j], j - i))
            y.append(document.mentions[i].entity == document.mentions[j].entity)
            units.append(document.id)
    return features, y, units


def _of_mentions(first: tuple[Sequence[str], int], second: tuple[Sequence[str], int], between: int) -> dict[str, Any]:
    words, others = ([word.lower() for word in each[0]] for each in (first, second))
    pronouns = [each[0] if len(each) == 1 and each[0] in PRONOUNS else "" for each in (words, others)]
    shared = set(words) & set(others)
    return {
        "same": float(words == others), "head": float(words[-1] == others[-1]), "second": pronouns[1],
        "both": "_".join(pronouns) if all(pronouns) else "", "shared": len(shared) / len({*words, *others}),
        "words": float(np.log1p(second[1] - first[1])), "mentions": float(between), "next": float(between == 1),
    }  # fmt: skip


MAKERS: dict[str, Callable[[Archives, np.random.Generator], Pairs]] = {
    "nouns": _ewt_tag("NN"),
    "interjections": _ewt_tag("UH"),
    "participles": _participles,
    "tweets": _tweet_names,
    "spans": _name_spans,
    "happy": _happy,
    "attacks": _muc_attacks,
    "conflict": _armed_conflict,
    "pronouns": _pronouns,
    "digits": _digits,
    "ontogum_pairs": _coreferent("ontogum_pairs"),
    "litbank_pairs": _coreferent("litbank_pairs"),
}
"""By the names of `TASKS`."""
