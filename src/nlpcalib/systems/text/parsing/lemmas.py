"""Lemmas of tagged words: those of the treebanks, and for other words the regular inflection undone.

A small neural lemmatizer is right for words that it has seen and poor for others: `bombed` became `bom`. Undoing `ed`
leaves a choice, `bomb` or `bombe`, that a list of known lemmas settles best.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from spacy.language import Language
from spacy.tokens import Doc

COMPONENT = "nlpcalib_lemmatizer"
KNOWN, EXCEPTIONS = "lemmas", "lemma_exceptions"
"""Lookup tables: the parts of speech of each known lemma, and lemmas that the rules get wrong."""

_ENDING_OF_TAG = {"VBD": "ed", "VBN": "ed", "VBG": "ing", "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est"}
_TAGS_WITH_S = ("NNS", "NNPS", "VBZ")
_HISSING = re.compile(r".+(?:ss|sh|ch|x|zz|o)es")
_ENDS_IN_DOUBLED_CONSONANT = re.compile(r".*[aeiouy]([bdgkmnprtv])\1")
_WITHOUT_E = re.compile(
    r".*(?:at|iz|yz|v|c|u|[dlr]g|is|us|as|[lnpr]s|[^aeiourlw]l)"  # create, realize, solve, judge, advise, settle
    r"|[^aeiou]*[aeiouy][bdgklmnprt]"  # hope: hop would double its p
)


@Language.component(COMPONENT)
def lemmatize(doc: Doc) -> Doc:
    """Set the lemmas of a tagged document from the tables that training stored in its vocabulary."""
    known, exceptions = (doc.vocab.lookups.get_table(name) for name in (KNOWN, EXCEPTIONS))
    for token in doc:
        token.lemma_ = exceptions.get(key_of(token.text, token.tag_)) or lemma_by_rule(token.text, token.tag_, known)
    return doc


def key_of(word: str, tag: str) -> str:
    """Return the key of a tagged word in the table of exceptions."""
    return f"{word if tag == 'NNP' else word.lower()} {tag}"


def lemma_by_rule(word: str, tag: str, known: Mapping[str, str]) -> str:
    """Return the first possible lemma that is known for this part of speech, else for any, else the most likely."""
    if tag == "NNP":
        return word
    possible = _possible(word if tag == "NNPS" else word.lower(), tag)
    of_class = [lemma for lemma in possible if tag[0] in known.get(lemma, "")]
    return (of_class or [lemma for lemma in possible if lemma in known] or possible)[0]


def _possible(word: str, tag: str) -> list[str]:
    """Return the possible lemmas of a regular form, the most likely first; the word itself if it is no such form."""
    if tag in _TAGS_WITH_S and re.fullmatch(r"..+[^s]s", word):
        if word.endswith("ies"):
            return [word[:-3] + "y", word[:-1]]
        return [word[:-2], word[:-1]] if _HISSING.fullmatch(word) else [word[:-1]]
    stem = word.removesuffix(_ENDING_OF_TAG.get(tag, ""))
    if stem == word or not re.search("[aeiouy]", stem):
        return [word]
    if stem.endswith("i") and tag != "VBG":
        return [stem[:-1] + "y", stem + "e"]
    if _ENDS_IN_DOUBLED_CONSONANT.fullmatch(stem):
        return [stem[:-1], stem]
    if stem.endswith("ll"):
        return [stem, stem[:-1]]
    return [stem + "e", stem] if _WITHOUT_E.fullmatch(stem) else [stem, stem + "e"]
