"""Text with separated columns: its separator, its quotation marks by RFC 4180, and the lines of its rows.

A cell that begins with a quotation mark ends with one, and doubles those inside; only such a cell spans lines.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

import numpy as np

from nlpcalib.blocks import BLOCK_BYTES, MAX_LINE_BYTES
from nlpcalib.errors import InputError
from nlpcalib.io.files import check_file, refuse_xml
from nlpcalib.io.spreadsheet import unprotected
from nlpcalib.tables.names import own_name
from nlpcalib.tables.sources import lines_of, source_of, unpacked
from nlpcalib.tables.spellings import is_number

SEPARATORS = ",;\t"  # spreadsheets write semicolons where a comma separates decimals
DOCUMENT_START = "-DOCSTART-"
"""What begins the first line of a document in tables of shared tasks, whose columns have no names."""
FIRST_ROWS = 10_000
"""Rows at the beginning of a text that show what its columns have."""


def kind_of(name: str, start: bytes) -> str:
    """Return parquet, json or text by the name of a file and, if that is silent, by the bytes it begins with."""
    ending = Path(name.lower().removesuffix(".gz")).suffix
    if ending in (".csv", ".tsv", ".xlsx", ".xlsm"):
        return "text"
    if ending in (".jsonl", ".ndjson", ".json"):
        return "json"
    if ending == ".parquet" or start.startswith(b"PAR1"):
        return "parquet"
    return "json" if start.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"{", b"[")) else "text"


def file_kind(path: str | Path, name: str | None = None) -> str:
    """Return `kind_of` a file, called `name` in messages; raises `InputError` if it is missing."""
    check_file(path)
    name = str(path) if name is None else name
    with unpacked(Path(path), name) as stream:
        return kind_of(name, stream.read(BLOCK_BYTES))


def check_text(name: str, start: bytes) -> None:
    """Raise `InputError` for a file that begins as no text in UTF-8 does."""
    kinds = {
        b"\xd0\xcf\x11\xe0": "an old workbook of Excel (.xls)",
        b"PK\x03\x04": "a spreadsheet or another archive",
        b"\x93NUMPY": "a NumPy array (in Python: nc.calibrate(array, labels), or numpy.savez with q and y)",
    }
    for mark, kind in kinds.items():
        if start.startswith(mark):
            excel = "" if "NumPy" in kind else " (in Excel: File, Save As, CSV UTF-8)"
            raise InputError(f"{name}: found {kind}, expected a table saved as CSV in UTF-8{excel}")
    refuse_xml(name, start)
    if b"\0" in start:
        raise InputError(f"{name}: found bytes that are no text (UTF-16?), expected a table saved as CSV in UTF-8")


def separator(header: str) -> str:
    """Return the one of comma, semicolon and tab that a header has most of outside of quotation marks."""
    plain = "".join(header.split('"')[::2])
    return max(SEPARATORS, key=plain.count)


@dataclass(frozen=True)
class Checked:
    """A text whose rows are whole."""

    rows: int
    """Rows that are not empty throughout."""
    spanning: int = 0
    """Cells that span lines."""
    empty: int = 0
    """Rows with empty cells alone."""
    kept: np.ndarray | None = None
    """int64 (rows,): their places among those that have as many cells as the header, if some are empty."""


class RowShapes:
    """What the cells of each column look like, by which rows are noticed that a quotation mark made part of a cell."""

    def __init__(self, separator: str, columns: int) -> None:
        """Begin with a table of so many columns, no row of which was seen."""
        self._separator = separator
        self._seen: list[set[str]] = [set() for _ in range(columns)]
        self._rows = 0

    def check(self, place: str, cells: Sequence[str], *, closed: bool = True) -> None:
        """Raise `InputError` if a cell of the next row holds lines that look like rows.

        With `closed` false, the last of the cells is all that follows on a quotation mark which nothing closes.
        """
        spanning = [column for column, cell in enumerate(cells) if "\n" in cell or "\r" in cell]
        if self._rows < FIRST_ROWS or spanning:
            self._rows += 1
            for column, (cell, seen) in enumerate(zip(cells, self._seen, strict=False)):
                if column not in spanning:
                    seen.add(_shape(cell))
        for column in spanning:
            lines = re.split("\r\n|\n|\r", cells[column])
            if self._look_like_rows([line.split(self._separator) for line in lines], column, closed):
                found = f"found a cell that spans {len(lines) - (not closed)} lines, which look like rows"
                raise _not_enclosed(place, found)

    def _look_like_rows(self, lines: Sequence[Sequence[str]], column: int, closed: bool) -> bool:
        """Return whether lines of a cell have what rows have; its first and last belong to rows in part."""
        width = len(self._seen)
        between = lines[1:-1]
        if closed and (len(lines[0]) != width - column or len(lines[-1]) != column + 1):
            return False
        known = {each: seen for each, seen in enumerate(self._seen) if seen and each != column}
        if "words" in known.get(0, ()):  # so begins any line
            del known[0]
        numbers = {each: seen for each, seen in known.items() if seen == {"number"}}
        known = numbers if len(numbers) > 1 else known  # two numbers in their places are enough
        if not known:
            after = [cell for line in between for cell in line[1:]]
            return bool(after) and all(len(line) == width for line in between) and not any(map(_is_indented, after))
        rows = [dict(enumerate(line)) for line in between if len(line) == width]
        if closed:
            rows += [dict(enumerate(lines[0], column)), dict(enumerate(lines[-1]))]
        common = [(row, known.keys() & row.keys()) for row in rows if not _is_indented(row[column])]
        return any(there and all(_shape(row[each]) in known[each] for each in there) for row, there in common)


@dataclass(frozen=True)
class Layout:
    """How a text is divided into rows and cells."""

    path: Path
    name: str
    separator: str
    line_end: str
    """LF (or CRLF), or CR where it ends all lines: a text may contain CR."""
    header: tuple[str, ...] = ()
    header_lines: int = 0
    """Lines up to the end of the header."""
    marked: bool = False
    """Whether a line above the header names the separator for Excel: `sep=;`."""

    def place(self, number: int) -> str:
        """Return file and line, or sheet and row, to begin a message with."""
        return f"{lines_of(self.path, self.name)} {number}"

    def records(self) -> Iterator[tuple[int, list[str], list[str]]]:
        """Yield the first line, the cells and the lines of each row, the header's too, even where all cells are empty.

        In a workbook the row of the sheet stands for the line. Blank lines are passed over. Bytes that are not UTF-8
        become lone surrogates.

        Raises `InputError`, naming the line, for quotation marks that are not as RFC 4180 has them, and for a cell that
        spans lines which look like rows.
        """
        shapes = None
        with unpacked(self.path, self.name) as stream:
            text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline=self.line_end)
            by_row = bool(source_of(self.path, self.name).sheet)
            for number, cells, lines in csv_rows(text, self.separator, MAX_LINE_BYTES, by_row=by_row):
                if isinstance(cells, csv.Error):
                    why = str(cells).partition(" - ")[0].removeprefix(f"'{self.separator}' ")
                    kinds = {
                        "expected after '\"'": "a quotation mark inside of a value",
                        "unexpected end of data": "a quotation mark that is not closed",
                        "new-line character seen in unquoted field": "a line break of another kind than the file's",
                    }
                    found = kinds.get(why, f"a row that is no CSV ({cells})")
                    raise _not_enclosed(self.place(number), f"found {found}")
                if not cells or (self.marked and number == 1):
                    continue
                if shapes is None:
                    shapes = RowShapes(self.separator, len(cells))
                else:
                    shapes.check(self.place(number), cells)
                yield number, cells, lines

    def check(self) -> Checked:
        """Return how many rows there are, and what is unusual in them.

        Raises `InputError`, naming the line, for bytes that are not UTF-8, wrong quotation marks, rows of another
        length than the header, and a cell that spans lines which look like rows.
        """
        rows = None if self.marked else self._plain_rows()
        return Checked(rows) if rows is not None else self.rows_one_by_one()

    def _plain_rows(self) -> int | None:
        """Return the number of rows if no cell spans lines and each quotation mark encloses a cell or is doubled in it.

        None where this is not so, and where a row is empty. The length of rows is not checked.
        """
        empty = re.compile(rf"^[ {self.separator}]+$".encode(), re.MULTILINE)
        first = b" ", self.separator.encode()
        separators = np.frombuffer(f"{self.separator}\n\r".encode(), np.uint8)
        decoder = codecs.getincrementaldecoder("utf-8")()
        rows, lines, quotes, end = 0, 0, 0, ord(self.line_end)
        before = end
        with unpacked(self.path, self.name) as stream:
            while chunk := stream.read(BLOCK_BYTES):
                if self.line_end == "\n":  # to the end of a line, else part of one may look like an empty row
                    chunk += stream.readline(MAX_LINE_BYTES)
                while chunk[-1] in b'"\r' and (more := stream.read(1)):
                    chunk += more
                try:
                    decoder.decode(chunk)
                except UnicodeDecodeError as error:
                    line = lines + 1 + chunk[: error.start].count(self.line_end.encode())
                    raise _not_utf8(f"{self.name}, line {line}") from None
                chunk = chunk.removeprefix(codecs.BOM_UTF8) if not lines else chunk
                lines += chunk.count(self.line_end.encode())
                if self.line_end == "\n" and b"\r" in chunk:
                    chunk = chunk.replace(b"\r\n", b"\n")
                    if b"\r" in chunk:
                        return None
                if not chunk:
                    continue
                # Looking for bytes costs a tenth of the expression.
                if any(chunk.startswith(each) or b"\n" + each in chunk for each in first) and empty.search(chunk):
                    return None
                text = np.frombuffer(chunk, np.uint8)
                ends = np.flatnonzero(text == end)
                rows += int(np.count_nonzero(np.diff(ends, prepend=-1 if before == end else -2) > 1))
                if b'"' in chunk or quotes % 2:
                    quote = ord('"')
                    marks = np.flatnonzero(text == quote)
                    previous = np.where(marks > 0, text[marks - 1], before)
                    following = np.append(text, ord("\n"))[marks + 1]
                    opening = (quotes + np.arange(marks.size)) % 2 == 0
                    whole = np.where(
                        opening,
                        np.isin(previous, separators) | (previous == quote),
                        np.isin(following, separators) | (following == quote),
                    )
                    if not whole.all() or ((quotes + np.searchsorted(marks, ends)) % 2).any():
                        return None
                    quotes += marks.size
                before = int(text[-1])
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            raise _not_utf8(f"{self.name}, line {lines + 1}") from None
        return None if quotes % 2 else rows + (before != end) - 1

    def rows_one_by_one(self) -> Checked:
        """Return what `check` does, row by row, so that all that is wrong is named."""
        kept: list[int] = []
        rows = spanning = blank = 0
        for number, cells, lines in self.records():
            check_utf8(self.place(number), cells)
            if is_empty(cells):
                rows += len(cells) == len(self.header)
                blank += 1
                continue
            if len(cells) != len(self.header):
                found = f"{len(cells)} cell{'s' * (len(cells) > 1)}"
                raise InputError(
                    f"{self.place(number)}: found {found}, expected {len(self.header)} as in the header"
                    f"{row_names_hint(cells, self.header) if len(kept) == 1 else ''}"
                )
            kept.append(rows)
            rows += 1
            if len(kept) > 1 and len(lines) > 1:
                spanning += sum("\n" in cell or "\r" in cell for cell in cells)
        return Checked(len(kept) - 1, spanning, blank, np.array(kept[1:]) - 1 if blank else None)


def layout(path: Path, name: str, start: bytes) -> Layout:
    """Return how a file, which begins with the bytes `start`, is divided; raises `InputError` if it has no header."""
    line_end = line_end_of(start)
    text = start.decode("utf-8-sig", errors="replace")
    mark = re.match(f"sep=([{''.join(SEPARATORS)}])\r?\n", text)
    header = text.lstrip("\r\n").partition(line_end)[0]
    found = Layout(path, name, mark[1] if mark else separator(header), line_end, marked=mark is not None)
    for number, cells, lines in found.records():
        check_utf8(found.place(number), cells)
        return replace(found, header=tuple(cells), header_lines=number + len(lines) - 1)
    raise InputError(f"{name}: found no rows, expected at least one")


def line_end_of(start: bytes) -> str:
    """Return what ends the lines of a file by the bytes that it begins with: LF (or CRLF), or CR alone."""
    return "\n" if b"\n" in start else "\r"


def sheet_rows(
    path: Path,
    start: bytes,
    required: Sequence[str],
    optional: Sequence[str],
    columns: Mapping[str, str] | None = None,
    *,
    others: bool = True,
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the rows of a text that begins with the bytes `start`, as `nlpcalib.tables.table.read_rows` does.

    It needs no Arrow. Without `others`, a column that is neither required nor optional raises `InputError`.
    """
    check_text(str(path), start)
    text = layout(path, str(path), start)
    names = clean(text.header)
    own = own_names(names, (*required, *optional), columns)
    place = text.place(text.header_lines)
    for name in (*required, *optional):
        if names.count(own[name]) > 1 or (name in required and own[name] not in names):
            raise InputError(f"{place}: found the columns {', '.join(names)}; expected one named '{own[name]}'")
    for name in () if others else names:
        if name and name not in own.values():
            expected = f"{', '.join(required)} and, optionally, {', '.join(optional)}"
            raise InputError(f"{place}: found the column '{name}', expected {expected}")
    for number, cells, _ in islice(text.records(), 1, None):
        if is_empty(cells):
            continue
        place = text.place(number)
        if len(cells) > len(names):
            raise InputError(f"{place}: found {len(cells)} cells, expected {len(names)} as in the header")
        filled = dict(zip(names, cells + [""] * (len(names) - len(cells)), strict=True))
        wanted = {name: unprotected(filled[cell].strip()) for name, cell in own.items() if cell in filled}
        check_utf8(place, list(wanted.values()))
        yield place, wanted


def row_names_hint(cells: Sequence[str], header: Sequence[str]) -> str:
    """Return a hint, if the first row of a table looks like one whose first cell is a name that R gave to the row."""
    has_names = len(cells) == len(header) + 1 and cells[0] == "1"
    return " (in R: write.csv(…, row.names = FALSE), since write.table gives row names no header)" * has_names


def own_names(
    names: Collection[str], wanted: Iterable[str], columns: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return what each wanted column is called among `names`; `columns` has the user's names of some."""
    return {name: own_name((columns or {}).get(name, name), names) for name in wanted}


def clean(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns without blanks around them, and as they were before a spreadsheet protected them."""
    return tuple(unprotected(name.strip()) for name in names)


def is_empty(cells: Sequence[str]) -> bool:
    """Return whether a row has nothing but blanks in its cells, as spreadsheets may leave some."""
    return not any(map(str.strip, cells))


def check_utf8(place: str, cells: Sequence[str]) -> None:
    """Raise `InputError` where a cell has bytes that could not be decoded, which are surrogates."""
    try:
        "".join(cells).encode()
    except UnicodeEncodeError:
        raise _not_utf8(place) from None


def _not_utf8(place: str) -> InputError:
    expected = "expected UTF-8 text: in Excel, File, Save As, CSV UTF-8; else iconv -f ENCODING -t utf-8 converts it"
    return InputError(f"{place}: found bytes that are not UTF-8, {expected}")


def _not_enclosed(place: str, found: str) -> InputError:
    return InputError(f'{place}: {found}, expected quotation marks in a value doubled and enclosed: """"')


def csv_rows(
    text: Iterable[str], separator: str, longest_cell: int, *, by_row: bool = False
) -> Iterator[tuple[int, list[str] | csv.Error, list[str]]]:
    """Yield the first line of each row, its cells or what is wrong with it, and its lines; a blank line has no cells.

    A cell of more characters than the longest is wrong. With `by_row`, rows are counted in place of lines.
    """
    lines: list[str] = []
    reader = csv.reader(_keeping(lines, text), delimiter=separator, strict=True)
    for row in count(1):
        lines.clear()
        number = row if by_row else reader.line_num + 1
        limit = csv.field_size_limit(longest_cell)  # the module's, for all readers at once: set for one row
        try:
            cells: list[str] | csv.Error = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cells = error
        finally:
            csv.field_size_limit(limit)
        yield number, cells, lines


def _keeping(lines: list[str], text: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a text, each of which is also added to `lines`."""
    for line in text:
        lines.append(line)
        yield line


def example_header(cells: Sequence[str]) -> str:
    """Return names for the columns of a line of a token, its tags and its probability: `token gold pred q`."""
    names = ["token"]
    for place, cell in enumerate(cells[1:], 1):
        left = [name for name in ("gold", "pred") if name not in names]
        is_probability = is_number(cell) and not cell.strip().isdecimal() and "q" not in names
        names.append("q" if is_probability else left[0] if left else f"column{place + 1}")
    return " ".join(names)


def fault_of_token_lines(text: str) -> str:
    """Return what is wrong with a text that begins with `-DOCSTART-`, in words, with a header for it."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith(DOCUMENT_START)]
    cells = lines[0].split() if lines else []
    return (
        f"found lines of tokens without the names of their columns; expected them in the first line, with tabs between "
        f"them, such as {example_header(cells)}, and no {DOCUMENT_START}: a blank line ends a sentence"
    )


def _shape(cell: str) -> str:
    """Return whether a cell is a number, one word or none, a code (a word with digits), or several words."""
    if is_number(cell):
        return "number"
    if any(map(str.isspace, cell)):
        return "indented words" if _is_indented(cell) else "words"
    return "code" if any(map(str.isdigit, cell)) else "word"


def _is_indented(cell: str) -> bool:
    return cell[:1].isspace()
