"""spaCy's English tokenizer with the words of Universal Dependencies' English treebanks."""

from __future__ import annotations

import re
from typing import Any

from spacy.language import Language
from spacy.symbols import NORM, ORTH
from spacy.util import compile_prefix_regex, compile_suffix_regex

_REPEATED_MARK = r"(?:!|\?){2,}|([*=<>_#~+-])\1+"
"""A mark that is repeated is one word, and so are question and exclamation marks together."""

_WHOLE = (
    r"(?:anti|co|cross|e|ex|mid|mini|multi|non|post|pre|pro|re|semi|sub|ultra)-\w+"  # a prefix belongs to its word
    r"|(?:\d{3}-)?\d{3}-\d{4}"  # numbers of telephones
)
_UPPER_CASE_NOT = r"(?<=[A-Z])N['’]T"
_NORMS = (
    (("wan", "want"), ("na", "to")),
    (("lot", "lot"), ("ta", "of")),
    (("and", "and"), ("/", "/"), ("or", "or")),
    (("id", "id"),),
    (("etc.", "etc."),),
    (("al.", "al."),),
    (("Lt.", "lieutenant"),),
    (("Ft.", "fort"),),
)
"""Strings where spaCy's rules differ, as the words that they consist of, each with its norm."""


def adapt_tokenizer(nlp: Language) -> None:
    """Make a pipeline's tokenizer divide text as the treebanks do: most that is left are their corrections of typos."""
    tokenizer: Any = nlp.tokenizer  # to spaCy's annotations it is anything that makes a document of text
    tokenizer.prefix_search = compile_prefix_regex([_REPEATED_MARK, *(nlp.Defaults.prefixes or ())]).search
    tokenizer.suffix_search = compile_suffix_regex(
        [*(nlp.Defaults.suffixes or ()), _REPEATED_MARK, _UPPER_CASE_NOT]
    ).search
    tokenizer.token_match = re.compile(f"(?i:{_WHOLE})$").match
    for (first, norm), *rest in _NORMS:
        for start in dict.fromkeys((first, first.capitalize())):
            words = [(start, norm), *rest]
            tokenizer.add_special_case(
                "".join(word for word, _ in words), [{ORTH: word, NORM: norm} for word, norm in words]
            )
