"""A table as an HTML page, with numbers rounded to four digits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from string import Template

from nlpcalib.io.data_note import DATA_NOTE
from nlpcalib.io.files import atomic_open

_TEMPLATE = Path(__file__).with_suffix(".html")


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
    path: Path, title: str, rows: Sequence[Mapping[str, object]], legend: Legend | None = None
) -> None:
    """Write rows with the same keys as a page. On a phone, each row becomes a list of names and values."""
    note = f"<p>{escape(DATA_NOTE.get())}</p>\n" if DATA_NOTE.get() else ""
    note += legend.html(rows) if legend else ""
    names = [escape(name.replace("_", " ")) for name in (rows[0] if rows else ())]
    head = "".join(f"<th>{name}</th>" for name in names)
    starts = [f'<tr style="--colour: {legend.colour(row[legend.column])}">' if legend else "<tr>" for row in rows]
    cells = ("".join(map(_cell, names, row.values())) for row in rows)
    body = "\n".join(f"{start}{own}</tr>" for start, own in zip(starts, cells, strict=True))
    template = Template(_TEMPLATE.read_text("utf-8"))
    with atomic_open(path) as page:
        page.write(template.substitute(title=escape(title), note=note, head=head, body=body))


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f'<td data-name="{name}">{escape("" if value is None else str(value))}</td>'
    number = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f'<td data-name="{name}" class="number">{number}</td>'
