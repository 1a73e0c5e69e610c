"""Truecasing: upper-case text in the mixed case that taggers and parsers expect (Lita et al. 2003, "tRuEcasIng", ACL).

The simple form of it: each word in the form that it most often has in mixed-case text where its case means something,
which is not at the beginning of a sentence; words that are not known like rare words with the same ending.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from nlpcalib.errors import InputError

MAX_ENDING_CHARACTERS = 4
MIN_RARE_TYPES = 5
"""Rare words with the same ending that decide how an unknown word is written."""
MAX_RARE_COUNT = 2
"""Most often that a rare word is there: unknown words are like these, and more often names than words in general."""
MIN_ABBREVIATION_SHARE = 0.1
"""Share of lower-case words after a word and its full stop from which on it is an abbreviation, such as U.S. or p.m.:
sentences hardly ever begin with one."""

_CASED_WORD = re.compile(r"[^\W\d_]+(?:[.'’][^\W\d_]+)*")
_PRONOUNS_OR_ACRONYMS = frozenset(("it", "us", "who"))
"""Pronouns that are acronyms too, such as US; in the news the acronym may be the more frequent one."""
_ARTICLES = frozenset(("a", "an", "the"))
_CLOSED_CLASS = frozenset(
    re.findall(
        r"\w+",
        "a about after against all an and as at be been before but by can could did do does for from had has have if "
        "in into is it may must not of off on or out over should so than that the their then there these they this "
        "those to under until up was we were what when where which while who will with without would you",
    )
)
"""Words that follow a pronoun as well as an acronym: they do not decide which of the two it is."""
_VOWEL = re.compile("[aeiouyà-öø-ÿ]")
_NO_VOWEL = "-"
_SILENT = re.compile(r"[.!?:;\n\"“”‘(\[*•]|(?<!\w)'")
"""Between two words: the second may begin a sentence, a quotation, a title or an item of a list."""
_START = re.compile(r"\n\s*\n|[.!?][\"”’')\]]*\s+[\"“‘'(\[]*$|[:,]\s+[\"“]$")
"""Between two words: the second begins a sentence."""


class Truecaser:
    """The forms of words, counted by `fit` and restored by `apply`."""

    def __init__(self) -> None:
        self._forms: dict[str, str] = {}
        self._endings: dict[str, str] = {}
        self._abbreviations: set[str] = set()
        self._before_names: set[tuple[str, str]] = set()

    def fit(self, texts: Iterable[str]) -> Truecaser:
        """Count the forms of the words of mixed-case texts; return itself.

        Raises `InputError` if no word is in lower case: upper-case text has nothing to teach.
        """
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        after: defaultdict[str, Counter[bool]] = defaultdict(Counter)
        followed: defaultdict[tuple[str, str], Counter[bool]] = defaultdict(Counter)
        for text in texts:
            previous = ""
            for gap, word in _words(text):
                if previous and gap.startswith(". "):
                    after[previous.lower()][word[0].islower()] += 1
                elif previous and not _SILENT.search(gap):
                    counts[word.lower()][word] += 1
                if previous.lower() in _PRONOUNS_OR_ACRONYMS and gap == " " and word.lower() not in _CLOSED_CLASS:
                    followed[previous.lower(), word.lower()][previous.isupper()] += 1
                previous = word
        self._forms = {word: _most_common(forms) for word, forms in counts.items()}
        if not any(map(str.islower, self._forms.values())):
            raise InputError(f"found {len(counts)} words and none in lower case, expected text in mixed case")
        self._abbreviations = {
            word for word, lower in after.items() if lower[True] >= max(2, MIN_ABBREVIATION_SHARE * lower.total())
        }
        self._before_names = {pair for pair, upper in followed.items() if upper[True] > upper[False]}
        endings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for word, forms in counts.items():
            if forms.total() <= MAX_RARE_COUNT:
                for ending in _endings(word):
                    endings[ending][_shape(self._forms[word])] += 1
        self._endings = {
            ending: _most_common(shapes)
            for ending, shapes in endings.items()
            if shapes.total() >= MIN_RARE_TYPES or not ending
        }
        return self

    def apply(self, text: str) -> str:
        """Return the text, upper-case or of any case, in mixed case: the same characters but for their case."""
        pieces = []
        previous = None
        end = 0
        found = list(_words(text))
        following = [(gap, word.lower()) for gap, word in [*found[1:], ("", "")]][: len(found)]
        # Where the country is U.S., US is we.
        dotted = {word.lower().replace(".", "") for _, word in found if "." in word}
        for (gap, word), after in zip(found, following, strict=True):
            form = self._form(word.lower())
            if word.lower() in _PRONOUNS_OR_ACRONYMS and not self._is_acronym(word.lower(), previous, after, dotted):
                form = word.lower()
            starts = previous is None or _START.search(gap)
            if starts and not (gap.startswith(". ") and previous in self._abbreviations):
                form = form[:1].upper() + form[1:]
            # A few characters, such as ß, are two in the other case.
            pieces += [gap, form if len(form) == len(word) else word]
            previous = word.lower()
            end += len(gap) + len(word)
        return "".join(pieces) + text[end:]

    def _is_acronym(self, word: str, previous: str | None, after: tuple[str, str], dotted: set[str]) -> bool:
        """Return whether a pronoun's letters are an acronym here: no pronoun follows an article."""
        gap, following = after
        if word in dotted:
            return False
        return previous in _ARTICLES or (gap == " " and (word, following) in self._before_names)

    def _form(self, word: str) -> str:
        if word in self._forms:
            return self._forms[word]
        shape = next((self._endings[ending] for ending in _endings(word) if ending in self._endings), "lower")
        return {"lower": word, "title": word[:1].upper() + word[1:], "upper": word.upper()}[shape]


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word after what stands between it and the one before."""
    end = 0
    for match in _CASED_WORD.finditer(text):
        yield text[end : match.start()], match[0]
        end = match.end()


def _endings(word: str) -> Iterator[str]:
    """Yield the endings of a word, longest first; words without a vowel, mostly acronyms, are a kind of their own."""
    if not _VOWEL.search(word):
        yield _NO_VOWEL
    for size in range(min(MAX_ENDING_CHARACTERS, len(word)), -1, -1):
        yield word[len(word) - size :]


def _shape(form: str) -> str:
    return "lower" if form.islower() else "upper" if form.isupper() and len(form) > 1 else "title"


def _most_common(counts: Counter[str]) -> str:
    return min(counts, key=lambda form: (-counts[form], form))
