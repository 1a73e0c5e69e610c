"""The annotation page on which events are marked: who does what to whom, and where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nlpcalib.sampling.page import Kind, write_annotation_page
from nlpcalib.systems.events.learn.marks import kinds, marked_rows
from nlpcalib.systems.events.read.lexicon import DEFAULT_ACTORS, country_names, load_lexicon


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
        kinds(self.mark, self.mark_place)

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of events that the page asks about at once."""
        return kinds(self.mark, self.mark_place)

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
