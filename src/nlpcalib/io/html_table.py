"""A table as an HTML page, with numbers rounded to four digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template

from nlpcalib.io.files import DATA_NOTE, atomic_open

MIN_NUMBER_SHOWN = 0.0001
"""Smallest positive number that is shown; a smaller one is `< 0.0001`, which readers of p values expect."""


@dataclass(frozen=True)
class Legend:
    """What stands above a table: how often each value of a column occurs, and what words mean."""

    column: str
    colours: Mapping[str, str]
    """The column's values in the order in which they are counted, with the colours of their cells."""
    words: Mapping[str, str] = field(default_factory=dict)

    def colour(self, value: object) -> str:
        """Return the colour of a value's cells."""
        return self.colours.get(str(value), "none")

    def html(self, rows: Sequence[Mapping[str, object]]) -> str:
        """Return the counts in their colours, and a list of the words."""
        counts = Counter(str(row[self.column]) for row in rows)
        tally = "".join(
            f'<span style="background: {self.colour(value)}"><b>{counts[value]}</b> {escape(value)}</span> '
            for value in dict.fromkeys([*self.colours, *counts])
        )
        words = "".join(f"<dt>{escape(word)}</dt><dd>{escape(text)}</dd>" for word, text in self.words.items())
        return f'<p class="tally">{tally}</p>\n<dl>{words}</dl>\n'


def write_table_page(
    path: Path,
    title: str,
    rows: Sequence[Mapping[str, object]],
    legend: Legend | None = None,
    first: Collection[str] = (),
    caption: str = "",
) -> None:
    """Write rows with the same keys as a page. On a phone, each row becomes a list of names and values.

    `caption` stands above the table. With `first`, the page shows these columns alone until the reader asks for all
    of them.
    """
    note = f"<p>{escape(DATA_NOTE.get())}</p>\n" if DATA_NOTE.get() else ""
    note += f"<p>{escape(caption)}</p>\n" if caption else ""
    note += legend.html(rows) if legend else ""
    keys = list(rows[0] if rows else ())
    names = [escape(name.replace("_", " ")) for name in keys]
    folded = [bool(first) and key not in first for key in keys]
    if any(folded):
        note += f'<input type="checkbox" id="all"> <label for="all">show all {len(keys)} columns</label>\n'
    numeric = [any(_is_number(row[key]) for row in rows) for key in keys]
    head = "".join(f"<th{_classes(*kinds)}>{name}</th>" for name, *kinds in zip(names, numeric, folded, strict=True))
    starts = [f'<tr style="--colour: {legend.colour(row[legend.column])}">' if legend else "<tr>" for row in rows]
    cells = ("".join(map(_cell, names, row.values(), folded)) for row in rows)
    body = "\n".join(f"{start}{own}</tr>" for start, own in zip(starts, cells, strict=True))
    template = Template(Path(__file__).with_suffix(".html").read_text("utf-8"))
    with atomic_open(path) as page:
        page.write(template.substitute(title=escape(title), note=note, head=head, body=body))


def _cell(name: str, value: object, folded: bool) -> str:
    return f'<td data-name="{name}"{_classes(_is_number(value), folded)}>{escape(_shown(value))}</td>'


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _classes(is_number: bool, folded: bool) -> str:
    kinds = " ".join(["number"] * is_number + ["folded"] * folded)
    return f' class="{kinds}"' if kinds else ""


def _shown(value: object) -> str:
    """Return a value as the page has it: numbers with four digits or all that are whole, and commas at thousands."""
    if isinstance(value, float) and 0 < value < MIN_NUMBER_SHOWN:
        return f"< {MIN_NUMBER_SHOWN}"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
    return "" if value is None else f"{value:,}" if _is_number(value) else str(value)
