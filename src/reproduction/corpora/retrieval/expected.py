"""Sizes of corpora next to those that a text gives: what was read, whether it is the same, and if not, what may be why.

A difference is no error: licensed corpora come in several releases, and texts do not always define what they count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from nlpcalib.errors import InputError
from nlpcalib.systems.text.document import Document

COUNTS = ("documents", "sentences", "words", "tags", "pairs")
SPLITS_WITH_SIZES = ("train", "dev", "test", "all")
AS_EXPECTED, DIFFERS, NOT_COUNTED = "as expected", "differs", "not counted"

_ROUNDED = {"pairs": 100_000}
"""Units to which a text rounds what it counts: 4.3 million pairs (paper, section 5.3)."""

_RELEASES = (
    "CoNLL-2012 or another version of the files in place of CoNLL-2011's, a test set without its key or supplement, or "
    "OntoNotes 5.0 (LDC2013T19) in place of 4.0 (LDC2011T03)"
)
_REASONS = {
    ("ontonotes", "documents"): f"a text may count files or parts of them; otherwise {_RELEASES}",
    ("ontonotes", "sentences"): _RELEASES,
    ("ontonotes", "words"): f"words that speakers take back, which the shared task leaves out, or {_RELEASES}",
    ("ontonotes", "tags"): "tags of a few words, such as XX, AFX or ADD, that are in some releases only",
    (
        "ontonotes",
        "pairs",
    ): "another rule of what a mention is; pairs grow with the square of the mentions of a document",
    ("nitf", "documents"): (
        "names of countries that only the paper's dictionary or only this lexicon has, articles left out as broken or "
        "there before (see the log of reading), missing archives, or the conditions on categories"
    ),
}
_OTHERWISE = "another version of the corpus, other files in the splits, or documents missing or there twice"


@dataclass(slots=True)
class Size:
    """How much there is of a corpus or a split."""

    documents: int = 0
    files: set[str] = field(default_factory=set)
    """Ids without the numbers of parts (`.000`) and passages (`#1`)."""
    sentences: int = 0
    words: int = 0
    tags: set[str] = field(default_factory=set)
    pairs: int | None = None
    """Pairs of mentions, where a model was evaluated."""
    annotated: bool = True
    """Whether sentences, words and tags were counted."""

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Size:
        """Count annotated documents."""
        size = cls()
        for document in documents:
            size.documents += 1
            size.files.add(_file(document.id))
            size.sentences += len(document.sentences)
            for sentence in document.sentences:
                size.words += len(sentence.words)
                size.tags.update(sentence.tags)
        return size

    @classmethod
    def of_ids(cls, ids: Iterable[str]) -> Size:
        """Count documents of which only the ids are known, passages of one being one document."""
        size = cls(files={_file(identifier) for identifier in ids}, annotated=False)
        size.documents = len(size.files)
        return size

    def __or__(self, other: Size) -> Size:
        """Return the size of both together."""
        return Size(
            self.documents + other.documents,
            self.files | other.files,
            self.sentences + other.sentences,
            self.words + other.words,
            self.tags | other.tags,
            annotated=self.annotated and other.annotated,
        )

    def count(self, name: str) -> int | None:
        """Return one of `COUNTS`, None if it was not counted."""
        if name in ("sentences", "words", "tags") and not self.annotated:
            return None
        value = getattr(self, name)
        return len(value) if isinstance(value, set) else value


def _file(identifier: str) -> str:
    stem, _, part = identifier.partition("#")[0].rpartition(".")
    return stem if stem and len(part) == 3 and part.isdigit() else identifier.partition("#")[0]


def compare(
    corpus_format: str, sizes: Mapping[str, Size], expected: Mapping[str, Mapping[str, int]]
) -> list[dict[str, object]]:
    """Compare sizes with the expected ones.

    Parameters
    ----------
    corpus_format : str
        A format of the configuration, by which causes are known.
    sizes : mapping of str to Size
        By split; `all` is made of them where it is not there.
    expected : mapping of str to mapping of str to int
        By split, one of `SPLITS_WITH_SIZES`, and count, one of `COUNTS`.

    Returns
    -------
    list of dict
        `split`, `count`, `expected`, `found`, `verdict` and, where they differ, `explanation`, empty otherwise.

    Raises `InputError` for an unknown split or count.
    """
    sizes = dict(sizes)
    if "all" not in sizes:
        sizes["all"] = Size()
        for part in list(sizes.values())[:-1]:
            sizes["all"] |= part
    unknown = [f"{split}.{name}" for split, counts in expected.items() for name in counts]
    unknown = [key for key in unknown if key.split(".")[0] not in SPLITS_WITH_SIZES or key.split(".")[1] not in COUNTS]
    if unknown:
        raise InputError(
            f"expected sizes: found {unknown[0]}, expected one of {', '.join(SPLITS_WITH_SIZES)} "
            f"and one of {', '.join(COUNTS)}"
        )
    rows = []
    for split in SPLITS_WITH_SIZES:
        counts = expected.get(split, {})
        for name in (name for name in COUNTS if name in counts):
            number = counts[name]
            size = sizes.get(split)
            found = size.count(name) if size else None
            unit = _ROUNDED.get(name, 1)
            if size is None or found is None:
                verdict, explanation = NOT_COUNTED, ""
            elif abs(found - number) <= unit / 2:
                verdict, explanation = AS_EXPECTED, ""
            else:
                verdict, explanation = DIFFERS, _explain(corpus_format, name, number, found, size, counts)
            rows.append(
                {
                    "split": split,
                    "count": name,
                    "expected": number,
                    "found": found,
                    "verdict": verdict,
                    "explanation": explanation,
                }
            )
    return rows


def _explain(corpus_format: str, name: str, number: int, found: int, size: Size, counts: Mapping[str, int]) -> str:
    sign = "more" if found > number else "fewer"
    text = f"{abs(found - number):,} {name} {sign} ({(found - number) / number:+.1%})"
    if name == "documents" and len(size.files) == number:
        return f"{text}: it is the number of files, of which these are parts"
    if corpus_format == "ontonotes" and name == "documents" and 2 * len(size.files) == number:
        return f"{text}: it is twice the number of files, which come with gold and with automatic annotation"
    if name in ("words", "pairs") and "sentences" in counts and counts["sentences"] != size.sentences:
        return f"{text}: the sentences differ, and with them what is in them"
    return f"{text}: possibly {_REASONS.get((corpus_format, name), _OTHERWISE)}"
