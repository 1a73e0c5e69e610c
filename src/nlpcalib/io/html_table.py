"""A table as an HTML page, with numbers rounded to four digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template

from nlpcalib.io.data_note import DATA_NOTE
from nlpcalib.io.files import atomic_open

_TEMPLATE = Path(__file__).with_suffix(".html")


def write_table_page(path: Path, title: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows with the same keys as a page. On a phone, each row becomes a list of names and values."""
    note = f"<p>{escape(DATA_NOTE.get())}</p>\n" if DATA_NOTE.get() else ""
    names = [escape(name.replace("_", " ")) for name in (rows[0] if rows else ())]
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "\n".join(f"<tr>{''.join(map(_cell, names, row.values()))}</tr>" for row in rows)
    template = Template(_TEMPLATE.read_text("utf-8"))
    with atomic_open(path) as page:
        page.write(template.substitute(title=escape(title), note=note, head=head, body=body))


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f'<td data-name="{name}">{escape("" if value is None else str(value))}</td>'
    number = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f'<td data-name="{name}" class="number">{number}</td>'
