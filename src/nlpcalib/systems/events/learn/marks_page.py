"""The annotation page on which events are marked: who does what to whom, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpcalib.errors import InputError
from nlpcalib.sampling.page import Kind, write_annotation_page
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, CountryLexicon, country_names, load_lexicon
from nlpcalib.systems.events.read.query import packaged_categories
from nlpcalib.systems.events.read.selection import words_of

_SHEET_COLUMNS = ("item", "id", "date", "text", "annotator", "label")


@dataclass(frozen=True)
class MarksPage:
    """A page of marks of kinds of events: who does it and against whom, or where it happens."""

    mark: tuple[str, ...] = ()
    """A category such as assault, or 'blockade=Source of a blockade of ports', whose source and target are marked."""
    mark_place: tuple[str, ...] = ()
    """Kinds of which the place is marked."""
    lexicon: tuple[str, ...] = ("packaged",)
    """Names of countries that the page finds, see `nlpcalib.find_events`."""
    codebook: str = ""

    def __post_init__(self) -> None:
        """Raise `InputError` for kinds that are none."""
        list(self.kinds)

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of events that the page asks about at once, those with source and target before those with a place.

        Raises `InputError` for a name without a definition that is no built-in category, for a duplicate name, and for
        the name of another column of a sheet.
        """
        found: dict[str, Kind] = {}
        for pairs, each in [*((True, each) for each in self.mark), *((False, each) for each in self.mark_place)]:
            name, _, definition = each.partition("=")
            known = packaged_categories().get(name)
            if known is not None and not definition:
                definition = known.definition
            if name in _SHEET_COLUMNS:
                raise InputError(f"kinds: found the kind {name!r}, expected another name: sheets have such a column")
            if not name.strip() or not definition or name in found:
                what = f"the kind {name!r} twice" if name in found else f"{each!r}"
                raise InputError(
                    f"kinds: found {what}, expected NAME=DEFINITION or one of {', '.join(packaged_categories())}"
                )
            found[name] = Kind(name, definition, pairs=pairs)
        return list(found.values())

    @property
    def columns(self) -> Sequence[str]:
        """A column of labels for each kind."""
        return [kind.name for kind in self.kinds] if len(self.kinds) > 1 else ["label"]

    def record(self) -> dict[str, Any]:
        """Return the kinds, names and codebook."""
        return {
            "mark": list(self.mark), "mark_place": list(self.mark_place), "lexicon": list(self.lexicon),
            "codebook": self.codebook,
        }  # fmt: skip

    def write(self, path: Path, title: str, rows: Sequence[dict[str, str]]) -> None:
        """Write the page of the items in a sheet, with the countries that each names."""
        lexicon = load_lexicon([*self.lexicon, *DEFAULT_ACTORS])
        known = {code: code for code in lexicon.codes} | country_names()
        write_annotation_page(path, title, "", self.codebook, marked_rows(rows, lexicon), kinds=self.kinds, names=known)


def marked_rows(rows: Iterable[Mapping[str, str]], lexicon: CountryLexicon) -> list[dict[str, object]]:
    """Return the rows of a sheet with `countries`, the codes named in the text, in the order of their first names."""
    return [
        {**row, "countries": list(dict.fromkeys(code for _, _, code in lexicon.find(words_of(row["text"]))))}
        for row in rows
    ]
