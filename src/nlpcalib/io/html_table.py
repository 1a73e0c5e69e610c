"""A table as a page that a person reads, with numbers rounded to four digits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from nlpcalib.io.data_note import DATA_NOTE
from nlpcalib.io.files import atomic_open

_STYLE = """
body { font: 14px/1.45 sans-serif; color: #222; margin: 1.5em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { text-align: left; vertical-align: bottom; border-bottom: 2px solid #222; padding: .3em .8em; background: #fff;
     position: sticky; top: 0; }
td { border-bottom: 1px solid #ddd; padding: .25em .8em; }
td.number { text-align: right; }
@media (max-width: 45rem) {
  body { margin: 1em; }
  table, tbody, tr, td.number, td { display: flow-root; text-align: left; }
  tr:first-child { display: none; }
  tr { border-bottom: 2px solid #222; padding: .5em 0; }
  td { border: 0; padding: .1em 0 .1em 6.5em; overflow-wrap: anywhere; }
  td::before { content: attr(data-name); float: left; width: 6em; margin-left: -6.5em; color: #666; }
}
"""


def write_page(path: Path, title: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Write rows with the same keys as a page; on a phone each row is a list of names and values."""
    note = f"<p>{escape(DATA_NOTE.get())}</p>\n" if DATA_NOTE.get() else ""
    names = [escape(name.replace("_", " ")) for name in (rows[0] if rows else ())]
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "\n".join(f"<tr>{''.join(map(_cell, names, row.values()))}</tr>" for row in rows)
    with atomic_open(path) as page:
        page.write(
            f'<!doctype html>\n<html lang="en"><meta charset="utf-8">'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
            f"<style>{_STYLE}</style>\n<h1>{escape(title)}</h1>\n{note}<table>\n<tr>{head}</tr>\n{body}\n</table>\n</html>\n"
        )


def _cell(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f'<td data-name="{name}">{escape("" if value is None else str(value))}</td>'
    number = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return f'<td data-name="{name}" class="number">{number}</td>'
