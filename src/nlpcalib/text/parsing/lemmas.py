"""Lemmas of tagged words: the treebanks' own, and for words that they do not have, the regular inflection undone.

A neural lemmatizer of a small model is right for words that it has seen and guesses others badly: `bombed` came out as
`bom`. Undoing `ed` leaves a choice, `bomb` or `bombe`, that a list of lemmas settles best.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc

from nlpcalib.text.document import Document

COMPONENT = "nlpcalib_lemmatizer"
_KNOWN, _EXCEPTIONS = "lemmas", "lemma_exceptions"

_ENDINGS = {"VBD": "ed", "VBN": "ed", "VBG": "ing", "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est"}
_PLURALS = ("NNS", "NNPS", "VBZ")
_HISSING = re.compile(r".+(?:ss|sh|ch|x|zz|o)es")
_DOUBLED = re.compile(r".*[aeiouy]([bdgkmnprtv])\1")
_WITHOUT_E = re.compile(
    r".*(?:at|iz|yz|v|c|u|[dlr]g|is|us|as|[lnpr]s|[^aeiourlw]l)"  # create, realize, solve, judge, advise, settle
    r"|[^aeiou]*[aeiouy][bdgklmnprt]"  # hope: hop would double its p
)


@Language.component(COMPONENT)
def lemmatize(doc: Doc) -> Doc:
    """Set the lemmas of a tagged document by the tables that `add_lemmas` has put into its vocabulary."""
    known, exceptions = (doc.vocab.lookups.get_table(name) for name in (_KNOWN, _EXCEPTIONS))
    for token in doc:
        token.lemma_ = exceptions.get(_key(token.text, token.tag_)) or _by_rule(token.text, token.tag_, known)
    return doc


def add_lemmas(lookups: Lookups, documents: Iterable[Document]) -> None:
    """Learn from tagged and lemmatised documents: which lemmas there are, and which forms the rules get wrong.

    Of several lemmas that a form has with one tag, the most frequent counts, and of equally frequent ones the first.
    """
    lemmas: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for document in documents:
        for sentence in document.sentences:
            for word, tag, lemma in zip(sentence.words, sentence.tags, sentence.lemmas, strict=True):
                lemmas[word if tag == "NNP" else word.lower(), tag][lemma] += 1
    usual = {form: counter.most_common(1)[0][0] for form, counter in lemmas.items()}
    classes: dict[str, str] = {}
    for (_, tag), lemma in usual.items():
        if tag[:2] in ("VB", "NN", "JJ", "RB") and tag[0] not in classes.get(lemma, ""):
            classes[lemma] = classes.get(lemma, "") + tag[0]
    known = lookups.add_table(_KNOWN, classes)
    exceptions = {_key(*form): lemma for form, lemma in usual.items() if _by_rule(*form, known) != lemma}
    lookups.add_table(_EXCEPTIONS, exceptions)


def _key(word: str, tag: str) -> str:
    return f"{word if tag == 'NNP' else word.lower()} {tag}"


def _by_rule(word: str, tag: str, known: Mapping[str, str]) -> str:
    """Return the first possible lemma that is known with this class of words, or known at all, or is likeliest."""
    if tag == "NNP":
        return word
    possible = _possible(word if tag == "NNPS" else word.lower(), tag)
    of_class = [lemma for lemma in possible if tag[0] in known.get(lemma, "")]
    return (of_class or [lemma for lemma in possible if lemma in known] or possible)[0]


def _possible(word: str, tag: str) -> list[str]:
    """Return what a word may be a regular form of, the likeliest first; itself if it is none."""
    if tag in _PLURALS and re.fullmatch(r"..+[^s]s", word):
        if word.endswith("ies"):
            return [word[:-3] + "y", word[:-1]]
        return [word[:-2], word[:-1]] if _HISSING.fullmatch(word) else [word[:-1]]
    stem = word.removesuffix(_ENDINGS.get(tag, ""))
    if stem == word or not re.search("[aeiouy]", stem):
        return [word]
    if stem.endswith("i") and tag != "VBG":
        return [stem[:-1] + "y", stem + "e"]
    if _DOUBLED.fullmatch(stem):
        return [stem[:-1], stem]
    if stem.endswith("ll"):
        return [stem, stem[:-1]]
    return [stem + "e", stem] if _WITHOUT_E.fullmatch(stem) else [stem, stem + "e"]
